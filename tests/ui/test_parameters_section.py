"""The parameters of a calibrator stand in a table with what they are, and so do the weights of one that combines others."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.views.model.parameters_section import ParametersSection
from tests.study.small_study import small_result


def test_the_weights_of_a_combination_are_listed_and_add_up_to_one(qtbot: QtBot) -> None:
    found = small_result().snapshot
    section = ParametersSection()
    qtbot.addWidget(section)
    section.show_snapshot(replace(found, settings=replace(found.settings, model="combined")))
    rows = section.table.texts()
    assert [row[1] for row in rows] == ["weight of ordinary", "weight of log-difference", "weight of affine"]
    assert sum(float(row[2]) for row in rows) == pytest.approx(1.0, abs=0.002)
    assert {row[3] for row in rows} == {"–"}
    assert found.calibration is not None
    linear = replace(found.calibration, log_scale=False)
    section.show_snapshot(
        replace(found, calibration=linear, settings=replace(found.settings, model="combined", log_scale=False))
    )
    names = [row[1] for row in section.table.texts()]
    assert names == ["weight of ordinary", "weight of difference", "weight of affine"]
