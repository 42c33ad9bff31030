"""A calibrator that is one more line of the registry is known everywhere: nothing else names calibrators one by one."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from affinecal_gui.__main__ import main
from affinecal_gui.calibration.calibrators import registry
from affinecal_gui.calibration.calibrators.calibrator import Calibrator
from affinecal_gui.calibration.calibrators.objectives.affine import AffineFit, Solver
from affinecal_gui.calibration.calibrators.parameters import INTERCEPT
from affinecal_gui.calibration.calibrators.training import CLOSED_FORM, NOTHING, Fitted, LinearFitting, TrainingPart
from affinecal_gui.calibration.kernels.method_fit import RidgeFitting
from affinecal_gui.calibration.results import Penalties
from affinecal_gui.cli import command_parser
from affinecal_gui.figures.releasing import drawn
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.results.exporting import prediction_rows
from affinecal_gui.study.results.study_figures import FIGURES, draw_figure
from affinecal_gui.study.results.workbook import workbook_sheets
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.stored.study_file import open_study, save_study
from affinecal_gui.study.words.explanations import calibrator_equation, explain_parameters
from affinecal_gui.ui.parts.theme.theme import LIGHT_THEME
from affinecal_gui.ui.views.model.calibrator_table import CalibratorTable
from affinecal_gui.ui.views.model.parameters_section import ParametersSection
from tests.study.small_study import small_state, write_tables


class ShiftFitting(LinearFitting):
    """y = f + c: the mean difference."""

    __slots__ = ()

    def fit(
        self,
        part: TrainingPart,
        penalties: Penalties | None,
        *,
        solver: Solver = "direct",
        tolerance: float = 1e-8,
        start: AffineFit | None = None,
    ) -> Fitted:
        shift = float(np.average(part.y - part.f, weights=part.weights))
        return Fitted(self.model, shift, 1.0, 0.0, NOTHING, convergence=CLOSED_FORM)


SHIFT = Calibrator(
    key="shift",
    name="mean shift",
    short_title="Shift",
    role="rose",
    equation="y = f + c",
    explanation="The MD value, moved by the mean difference.",
    linear=ShiftFitting,
    uses_descriptors=False,
    parameters=(INTERCEPT,),
)


class PlainRidgeFitting(LinearFitting):
    """y = f + c + x' gamma with a plain ridge penalty: one that has no search of its own."""

    __slots__ = ()

    def fit(
        self,
        part: TrainingPart,
        penalties: Penalties | None,
        *,
        solver: Solver = "direct",
        tolerance: float = 1e-8,
        start: AffineFit | None = None,
    ) -> Fitted:
        assert penalties is not None
        w = part.weights
        shift = float(np.average(part.y - part.f, weights=w))
        ridge = part.ridge(penalties.lambda_1, penalties.lambda_2)
        A = ridge.solve(part.Z.T * w)
        kernel = A @ part.Z
        gamma = np.linalg.solve(np.eye(len(kernel)) + kernel, A @ (part.y - part.f - shift))
        return Fitted(self.model, shift, 1.0, 0.0, gamma, penalties=penalties, convergence=CLOSED_FORM)


PLAIN = replace(
    SHIFT,
    key="plain",
    name="plain ridge",
    linear=PlainRidgeFitting,
    uses_descriptors=True,
    penalties=("lambda_1", "lambda_2"),
)

TWICE = Calibrator(
    key="twice",
    name="twice augmented",
    short_title="Twice",
    role="a role that no palette knows",
    equation="y = g(f, x)",
    explanation="One smooth function of both.",
    kernels=lambda: RidgeFitting("both"),
)


@pytest.fixture(scope="module")
def registered() -> Iterator[pytest.MonkeyPatch]:
    """The registry with two more linear calibrators and one with kernels."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "CALIBRATORS", (*registry.CALIBRATORS, SHIFT, PLAIN, TWICE))
        yield patch


def chosen() -> StudyState:
    """The small study with a new calibrator shown large, and the new one with kernels compared."""
    return replace(small_state(), settings=replace(small_state().settings, model="shift", methods=("twice",)))


@pytest.fixture(scope="module")
def derived(registered: pytest.MonkeyPatch) -> Derived:
    """The small study with the new ones fitted; one of them is shown large."""
    found = derive(chosen(), Derived())
    return replace(found, snapshot=replace(found.snapshot, settings=chosen().settings))


def test_it_is_fitted_and_compared_with_all_others(derived: Derived) -> None:
    calibration = derived.snapshot.calibration
    assert calibration is not None
    assert {"shift", "plain", "twice"} <= set(calibration.models)
    assert list(calibration.models) == [key for key in registry.calibrator_keys() if key in calibration.models]
    shift = calibration.models["shift"]
    expected = float(np.mean(np.log(calibration.measured) - np.log(calibration.md)))
    assert shift.parameters["intercept"].value == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(shift.fitted, calibration.md * np.exp(expected), rtol=1e-12)
    against = {frozenset((pair.better, pair.worse)) for pair in calibration.recommendation.comparisons}
    for other in calibration.models:
        assert other == "shift" or frozenset(("shift", other)) in against


def test_its_penalties_are_chosen_by_cross_validation_as_those_of_the_same_model(derived: Derived) -> None:
    calibration = derived.snapshot.calibration
    assert calibration is not None
    plain, known = calibration.models["plain"], calibration.models["log_difference"]
    assert plain.surface is not None
    assert known.surface is not None
    # The same model fitted in another way: log-difference follows the grid by its own fast search.
    np.testing.assert_allclose(plain.surface.rmse, known.surface.rmse, rtol=1e-7)
    assert plain.coefficients is not None
    assert known.coefficients is not None
    np.testing.assert_allclose(plain.coefficients.gamma, known.coefficients.gamma, rtol=1e-6, atol=1e-9)


def test_it_is_explained(derived: Derived) -> None:
    assert calibrator_equation("shift", log_scale=True) == "y = f + c  (y and f: natural logarithm of the value)"
    sentence = explain_parameters(derived.snapshot)
    assert sentence.startswith("On average the measured value is ")
    assert "descriptors" not in sentence


def test_it_is_a_choice_of_the_commands(registered: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    parser = command_parser()
    for command, words in (
        ("fit", "affine,combined,"),
        ("compare", "cokriging,twice(default"),
    ):
        with pytest.raises(SystemExit):
            parser.parse_args([command, "--help"])
        assert words in capsys.readouterr().out.replace("\n", "").replace(" ", "")


@pytest.mark.usefixtures("registered", "blank_figures")
def test_a_command_exports_its_values(tmp_path: Path) -> None:
    measured, md = write_tables(tmp_path)
    words = ["fit", "--experiment", str(measured), "--md", str(md), "--property", "Cp", "--calibrator", "shift"]
    assert main([*words, "--penalties", "1", "1", "--output", str(tmp_path / "out"), "--quiet"]) == 0
    assert json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))["models"]["shift"]


def test_it_is_a_line_of_the_table_of_calibrators(qtbot: QtBot, derived: Derived) -> None:
    table = CalibratorTable()
    qtbot.addWidget(table)
    table.show_snapshot(derived.snapshot)
    assert table.line("shift").text() == "Mean shift"
    assert table.line("shift").isChecked()
    assert table.line("twice").toolTip().startswith("One smooth function of both.")
    assert LIGHT_THEME.model_colour("shift").name().upper() == LIGHT_THEME.palette.rose


def test_it_is_in_every_figure_that_shows_calibrators(derived: Derived) -> None:
    for name in ("parity", "comparison"):
        assert name in FIGURES
        with drawn(draw_figure(name, derived.snapshot)) as figure:
            texts = {text.get_text() for text in figure.findobj(lambda artist: hasattr(artist, "get_text"))}
            assert any("Mean shift" in text for text in texts), name
            assert any("Twice augmented" in text for text in texts), name


def test_it_is_exported(derived: Derived) -> None:
    calibration = derived.snapshot.calibration
    assert calibration is not None
    rows = prediction_rows(derived.snapshot)
    assert {row.model for row in rows} == {"mean shift"}
    shift = np.mean(np.log(calibration.measured) - np.log(calibration.md))
    with_value = [row for row in rows if np.isfinite(row.final_fit_value)]
    assert len(with_value) > len(calibration.measured)
    expected = [row.md_value * np.exp(shift) for row in with_value]
    np.testing.assert_allclose([row.final_fit_value for row in with_value], expected, rtol=1e-12)
    cells = {str(cell) for sheet in workbook_sheets(derived.snapshot) for row in sheet.rows for cell in row}
    assert {"mean shift", "Mean shift"} & cells


def test_its_parameters_are_shown_by_symbol_and_meaning(qtbot: QtBot, derived: Derived) -> None:
    section = ParametersSection()
    qtbot.addWidget(section)
    section.show_snapshot(derived.snapshot)
    assert [row[:2] for row in section.table.texts()] == [("c", "mean difference")]


def test_a_study_that_shows_it_is_saved_and_opened(derived: Derived, tmp_path: Path) -> None:
    save_study(tmp_path / "new.affinecal", chosen(), derived)
    opened = open_study(tmp_path / "new.affinecal")
    assert opened.state.settings.model == "shift"
    assert opened.state.settings.methods == ("twice",)
    assert opened.derived is not None
    found, saved = opened.derived.snapshot.calibration, derived.snapshot.calibration
    assert found is not None
    assert saved is not None
    np.testing.assert_array_equal(found.models["twice"].library, saved.models["twice"].library)
