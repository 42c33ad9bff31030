"""What a method with kernels says of each descriptor: shown, exported, reported and kept where coefficients would be."""

from dataclasses import replace
from pathlib import Path

import pytest

from affinecal_gui.errors import UserError
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.records.stored_errors import DamagedContent
from affinecal_gui.study.results.exporting import coefficient_rows, write_coefficients
from affinecal_gui.study.results.reporting import write_report
from affinecal_gui.study.results.workbook import workbook_sheets
from affinecal_gui.study.shown.correction import correction_of
from affinecal_gui.study.shown.inspection import inspect_polymer
from affinecal_gui.study.stored.stored_result import check_calibration
from affinecal_gui.study.stored.study_file import open_study, save_study
from tests.study.small_study import assert_same, small_result, small_state


@pytest.fixture(scope="module")
def compared() -> Derived:
    state = small_state()
    settings = replace(state.settings, methods=("direct", "affine_tl_const"), model="affine_tl_const")
    return derive(replace(state, settings=settings), small_result())


@pytest.mark.usefixtures("blank_figures")
def test_average_effects_stand_where_coefficients_would_and_are_called_so(compared: Derived, tmp_path: Path) -> None:
    state = compared.state
    snapshot = replace(compared.snapshot, settings=state.settings)
    assert snapshot.calibration is not None
    estimates = snapshot.calibration.models["affine_tl_const"].coefficients
    assert estimates is not None
    assert estimates.average
    rows = coefficient_rows(snapshot)
    assert [row.coefficient for row in rows] == estimates.gamma.tolist()
    assert [row.lower for row in rows] == estimates.lower.tolist()
    written = write_coefficients(snapshot, tmp_path / "effects.csv").read_text(encoding="utf-8-sig")
    assert written.splitlines()[0] == "block,feature,physical value,physical unit,average effect,lower,upper"
    linear = replace(snapshot, settings=replace(state.settings, model="affine"))
    plain = write_coefficients(linear, tmp_path / "coefficients.csv").read_text(encoding="utf-8-sig")
    assert plain.splitlines()[0] == "block,feature,physical value,physical unit,coefficient,lower,upper"
    assert "Average effects" in [sheet.name for sheet in workbook_sheets(snapshot)]
    used = next(row for row in snapshot.rows if row.state == "used")
    with pytest.raises(UserError, match="cannot be split among atoms"):
        correction_of(snapshot, used)
    content = inspect_polymer(snapshot, used.key)
    assert content is not None
    assert not content.effects
    assert "cannot be split among atoms" in content.legend_note
    report = write_report(snapshot, state, tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Average effects of the descriptors in AffineTL-const" in report
    assert "made of kernels and has no coefficients" in report


def test_a_study_file_keeps_average_effects(compared: Derived, tmp_path: Path) -> None:
    save_study(tmp_path / "s.affinecal", compared.state, compared)
    opened = open_study(tmp_path / "s.affinecal").derived
    assert opened is not None
    assert opened.snapshot.calibration is not None
    assert compared.snapshot.calibration is not None
    for name in ("direct", "affine_tl_const", "affine"):
        found, expected = (one.snapshot.calibration.models[name].coefficients for one in (opened, compared))  # type: ignore[union-attr]
        assert_same(found, expected)


def test_coefficients_of_another_kind_are_damage(compared: Derived) -> None:
    calibration = compared.snapshot.calibration
    assert calibration is not None
    result = calibration.models["direct"]
    assert result.coefficients is not None
    wrong = replace(result, coefficients=replace(result.coefficients, average=False))
    with pytest.raises(DamagedContent, match="another kind of calibrator"):
        check_calibration(replace(calibration, models={**calibration.models, "direct": wrong}))
