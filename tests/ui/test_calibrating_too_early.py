"""Who calibrates before both tables are there is told what is missing."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.session.notices import Notice
from tests.study.small_study import write_tables
from tests.ui.shared_window import SharedWindow


@pytest.mark.parametrize(("table", "missing"), [(0, "Add a table of MD values"), (1, "Add a table of measured values")])
def test_calibrating_with_one_table_says_what_is_missing(
    qtbot: QtBot, shared_window: SharedWindow, tmp_path: Path, table: int, missing: str
) -> None:
    window = shared_window.lend(None, write_tables(tmp_path)[table])
    qtbot.waitUntil(lambda: window.is_at_rest)
    told: list[Notice] = []
    window.session.noticed.connect(told.append)
    window.window_actions.fit.trigger()
    cautions = [notice.text for notice in told if notice.kind == "caution"]
    assert len(cautions) == 1
    assert missing in cautions[0]
    qtbot.waitUntil(lambda: window.is_at_rest)
    shared_window.take_back()
