"""A user without a plan for some dozens of actions, the same each time.

``tests/benchmarks/monkey.py`` lets one act for as long as one likes, and while work is under way.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tests.ui.random_user import Faults, RandomUser, make_inputs

REPOSITORY = Path(__file__).resolve().parents[2]

ACTIONS = 30


@pytest.fixture
def stays(qapp: QApplication) -> Iterator[None]:
    """The application outlives its windows."""
    before = qapp.quitOnLastWindowClosed()
    qapp.setQuitOnLastWindowClosed(False)
    yield
    qapp.setQuitOnLastWindowClosed(before)


@pytest.mark.usefixtures("stays")
@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_breaks_under_random_actions(qapp: QApplication, tmp_path: Path, seed: int) -> None:
    make_inputs(tmp_path, REPOSITORY)
    faults = Faults()
    with faults.watching():
        user = RandomUser(tmp_path, faults, seed, ACTIONS, pause=2, steady=True)
        user.ended.connect(partial(QApplication.exit, 0))
        with user.with_file_dialogs():
            user.start()
            while user.count < user.limit:  # a window that is closed can end the loop before
                qapp.exec()
        user.finish()
        qapp.processEvents()
    assert faults.found == []
    assert user.count == ACTIONS
