"""A study of MD values alone in the window: corrected values in table and plot, vibrations in the inspector."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pyqtgraph import ViewBox
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow
from pytestqt.qtbot import QtBot

from affinecal_gui.calibration.calibrators.quantum_corrected import QUANTUM_CORRECTED
from affinecal_gui.study.data.row_columns import columns_of
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.study.shown.inspection import inspect_polymer
from affinecal_gui.study.shown.row_values import row_values
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.state import StudyState
from affinecal_gui.ui.views.model.calibrator_table import CalibratorTable
from affinecal_gui.ui.views.model.parameters_section import ParametersSection
from affinecal_gui.ui.views.model.penalties_section import PenaltiesSection
from affinecal_gui.ui.views.plots.coefficients.coefficient_view import CoefficientView
from affinecal_gui.ui.views.plots.corrected_chart import CorrectedChart
from affinecal_gui.ui.views.plots.parity.parity_view import ParityView
from affinecal_gui.ui.views.polymers.inspector.vibration_section import VibrationSection
from affinecal_gui.ui.window.actions.window_actions import WindowActions
from tests.ui.sample_snapshot import sample_snapshot

MD = "name,smiles,temp,Cp [J/(kg K)]\npolyethylene,*CC*,300,4699\npolystyrene,*CC(*)c1ccccc1,300,3400\nbad,*CB(*)C,300,4000\n"


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    path: Path = tmp_path_factory.mktemp("md") / "md.csv"
    path.write_text(MD, encoding="utf-8")
    state = StudyState().with_tables(load_tables([path]).tables)
    return replace(derive(state, Derived()).snapshot, settings=state.settings)


def test_the_table_shows_the_corrected_values(snapshot: Snapshot) -> None:
    values = row_values(snapshot)
    assert values.calibrated[:2] == pytest.approx([2080.6, 1403.0], abs=1.0)
    assert np.isnan(values.calibrated[2])
    alone = row_values(snapshot, (snapshot.rows[1],))
    assert alone.calibrated[0] == values.calibrated[1]
    assert alone.lower[0] < alone.calibrated[0] < alone.upper[0]


def test_the_inspector_says_what_the_vibrations_hold(snapshot: Snapshot) -> None:
    content = inspect_polymer(snapshot, snapshot.rows[0].key)
    assert content is not None
    found = content.vibrations
    assert found is not None
    assert found.sentence.startswith("18 vibrations per repeat unit, of which the simulation moves 14.")
    # 14 modes are moved; the grid counts them per 100 cm^-1 and has steps of 10.
    assert found.moved.sum() / 10.0 == pytest.approx(14.0, rel=0.02)
    assert np.all(found.quantum.sum() < found.moved.sum())
    assert (found.temperatures[0], found.temperatures[-1]) == (100.0, 600.0)
    assert np.interp(300.0, found.temperatures, found.heat_capacity) == pytest.approx(2080.6, abs=1.0)
    assert content.legend_limit == pytest.approx(2618.4 / 2, abs=1.0)  # two carbons take the same off
    bad = inspect_polymer(snapshot, snapshot.rows[2].key)
    assert bad is not None
    assert bad.vibrations is None


def test_its_figures_report_and_values_can_be_saved_and_what_needs_a_fit_cannot(
    light: QApplication, qtbot: QtBot, snapshot: Snapshot
) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    actions = WindowActions(window, lambda: None)
    actions.show_snapshot(snapshot)
    assert all(action.isEnabled() for action in (actions.figure, actions.report, actions.predictions))
    assert not any(action.isEnabled() for action in (actions.coefficients, actions.calibrator, actions.screen))


def test_the_section_shows_itself_only_where_there_is_something_to_draw(
    light: QApplication, qtbot: QtBot, snapshot: Snapshot
) -> None:
    section = VibrationSection()
    qtbot.addWidget(section)
    content = inspect_polymer(snapshot, snapshot.rows[0].key)
    assert content is not None
    section.show_content(content)
    assert not section.isHidden()
    assert not section.curve.isHidden()
    assert "18 vibrations" in section.words.text()
    section.show_content(replace(content, vibrations=None))
    assert section.isHidden()


def test_md_against_corrected_takes_the_place_of_the_parity_plot(
    light: QApplication, qtbot: QtBot, snapshot: Snapshot
) -> None:
    chart = CorrectedChart()
    qtbot.addWidget(chart)
    chart.show_snapshot(snapshot)
    assert not chart.isHidden()
    assert "Nothing is fitted." in chart.words.text()
    box = next(item for item in chart.chart.canvas.scene().items() if isinstance(item, ViewBox))
    (left, right), _ = box.viewRange()
    md = columns_of(snapshot).md
    assert left < np.nanmin(md) < np.nanmax(md) < right  # marks at either end are seen whole
    chart.show_snapshot(replace(snapshot, corrected=None))
    assert chart.isHidden()


def test_the_spectrum_takes_the_place_of_the_coefficients(
    light: QApplication, qtbot: QtBot, snapshot: Snapshot
) -> None:
    view = CoefficientView()
    qtbot.addWidget(view)
    view.show_snapshot(snapshot)
    assert not view.spectrum.isHidden()
    assert view.header.title.text() == "Spectrum"
    assert "2 polymers, mean" in view.spectrum.words.text()
    assert view.export_button.isEnabled()
    assert not view.enlarge_button.isEnabled()
    view.show_snapshot(replace(snapshot, corrected=None))
    assert view.spectrum.isHidden()
    assert (view.header.title.text(), view.figure) == ("Coefficients", "coefficients")
    assert not view.export_button.isEnabled()


def test_where_corrected_values_are_shown_unfitted_the_chosen_polymer_has_its_spectrum(
    light: QApplication, qtbot: QtBot, snapshot: Snapshot
) -> None:
    view = CoefficientView()
    qtbot.addWidget(view)
    sample = sample_snapshot()
    quantum = replace(sample, settings=replace(sample.settings, model=QUANTUM_CORRECTED.key))
    view.show_snapshot(quantum)
    assert view.spectrum.isHidden()
    assert "Select a polymer" in view.empty_state.text()
    content = inspect_polymer(snapshot, snapshot.rows[0].key)
    assert content is not None
    view.show_inspected(content)
    assert not view.spectrum.isHidden()
    assert view.spectrum.words.text().startswith(f"{content.label}: 18 vibrations")
    assert (view.header.title.text(), view.figure) == ("Spectrum", "modes")
    assert view.export_button.isEnabled()
    view.show_inspected(replace(content, vibrations=None))
    assert view.spectrum.isHidden()
    view.show_inspected(content)
    view.show_snapshot(sample)  # a calibrator that has coefficients
    assert view.spectrum.isHidden()
    assert view.header.title.text() == "Coefficients"


@pytest.fixture
def views(light: QApplication, qtbot: QtBot) -> tuple[ParityView, CoefficientView, CalibratorTable]:
    made = ParityView(), CoefficientView(), CalibratorTable()
    for view in made:
        qtbot.addWidget(view)
    return made


def test_plots_shown_before_the_values_were_corrected_say_what_there_is_afterwards(
    views: tuple[ParityView, CoefficientView, CalibratorTable], snapshot: Snapshot
) -> None:
    parity, coefficients, calibrators = views
    for view in views:
        view.show_snapshot(replace(snapshot, corrected=None))
    assert not parity.empty_state.isHidden()
    assert "as soon as the calibration is ready" in coefficients.empty_state.text()
    assert not calibrators.line(snapshot.settings.model).isChecked()  # not known yet
    for view in views:
        view.show_snapshot(snapshot)
    assert parity.empty_state.isHidden()
    assert not parity.corrected.isHidden()
    assert parity.header.subtitle.text() == "MD against corrected"
    assert (parity.figure, coefficients.figure) == ("corrected", "modes")
    assert calibrators.line(QUANTUM_CORRECTED.key).isChecked()


def test_values_that_are_corrected_alone_have_no_penalties_and_nothing_fitted(
    qtbot: QtBot, light: QApplication, snapshot: Snapshot
) -> None:
    penalties, parameters = PenaltiesSection(), ParametersSection()
    for section in (penalties, parameters):
        qtbot.addWidget(section)
        section.show_snapshot(snapshot)
    assert penalties.choice.isHidden()
    assert all(row.isHidden() for row in penalties.rows.values())
    assert penalties.summary() == "none"
    assert any(found.text() == "Nothing is fitted." for found in parameters.findChildren(QLabel))
