"""Measured polymers without an MD value in the real window: their calibrated values, and where these come from."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from affinecal_gui.study.data.row_columns import columns_of
from affinecal_gui.study.results.exporting import prediction_rows
from affinecal_gui.study.shown.inspection import inspect_polymer
from affinecal_gui.study.shown.parity_points import parity_points
from affinecal_gui.study.shown.row_values import row_values
from affinecal_gui.study.shown.traits import texts_of, trait_of
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.parts.number_text import MISSING
from affinecal_gui.ui.parts.widgets.info_line import InfoLine
from affinecal_gui.ui.session.study_jobs import LearnAnswers
from affinecal_gui.ui.views.plots.parity.parity_words import key_lines
from affinecal_gui.ui.views.plots.points.point_words import numbers_of_point
from affinecal_gui.ui.views.polymers.table.polymer_cells import Column
from affinecal_gui.ui.window.main_window import MainWindow
from tests.ui.shared_window import SharedWindow


@pytest.fixture
def window(
    qtbot: QtBot, shared_window: SharedWindow, saved_result: Path, learning_quickly: None
) -> Iterator[MainWindow]:
    """A window with the small example, calibrated."""
    window = shared_window.lend(None, saved_result)
    window.resize(1700, 950)
    qtbot.waitUntil(lambda: window.is_at_rest)
    yield window
    shared_window.take_back()


def predict(qtbot: QtBot, window: MainWindow) -> Snapshot:
    """Follow the link in the data panel, and wait for the values."""
    line(window, "matchSummary").link_activated.emit("predict")
    qtbot.waitUntil(lambda: window.session.study.snapshot().predicted_md is not None and window.is_at_rest)
    return window.session.study.snapshot()


def line(window: MainWindow, name: str) -> InfoLine:
    found = window.study_views.data_panel.findChild(InfoLine, name)
    assert isinstance(found, InfoLine)
    return found


def alone(snapshot: Snapshot) -> list[int]:
    return [number for number, row in enumerate(snapshot.rows) if row.state == "no MD value"]


def valued(snapshot: Snapshot) -> list[int]:
    """Those of them that have calibrated values: one far from the few polymers of the fit has none that means anything."""
    found, numbers = snapshot.predicted_md, alone(snapshot)
    assert found is not None
    with_value = [number for number in numbers if np.isfinite(found.values[number])]
    assert len(with_value) >= len(numbers) - 1
    return with_value


def test_polymers_without_an_md_value_have_calibrated_ones_once_md_values_are_predicted(
    qtbot: QtBot, window: MainWindow
) -> None:
    panel = window.study_views.data_panel
    model = panel.table.polymer_model
    before = window.session.study.snapshot()
    numbers = alone(before)
    assert numbers
    keys = [before.rows[number].key for number in numbers]
    calibrated = [model.text(model.line_of(key), Column.CALIBRATED) for key in keys]
    assert set(calibrated) == {MISSING}
    assert Column.ORIGIN not in panel.table.columns.offered()

    snapshot = predict(qtbot, window)
    found = snapshot.predicted_md
    assert found is not None
    numbers = valued(snapshot)
    assert np.flatnonzero(np.isfinite(found.values)).tolist() == numbers
    for number in numbers:
        shown = model.line_of(snapshot.rows[number].key)
        assert model.text(shown, Column.CALIBRATED) == f"{found.values[number]:.0f}"
        assert model.text(shown, Column.MD) == MISSING
        assert model.text(shown, Column.ORIGIN) == "predicted MD"
        assert model.is_from_predicted(shown)
        assert found.lower[number] < found.values[number] < found.upper[number]
    simulated = next(row.key for row in snapshot.rows if row.state == "used")
    assert model.text(model.line_of(simulated), Column.ORIGIN) == "simulated"
    assert Column.ORIGIN in panel.table.columns.offered()
    panel.table.columns.choose([Column.CALIBRATED, Column.ORIGIN])
    assert Column.ORIGIN in panel.table.columns.shown()

    content = inspect_polymer(snapshot, snapshot.rows[numbers[0]].key)
    assert content is not None
    assert [(one.label, one.value) for one in content.values] == [
        ("Measured", snapshot.rows[numbers[0]].measured),
        ("MD, predicted", found.md[numbers[0]]),
        ("Calibrated from it", found.values[numbers[0]]),
    ]

    said = line(window, "predictedSummary").text
    used = "used" if len(numbers) == len(keys) else f"used for {len(numbers)}"
    assert said.startswith(f"{len(keys)} measured polymers without an MD value: predicted MD values {used}; ")
    assert "the error of the" in said
    assert "Predict" not in line(window, "matchSummary").text


def test_values_are_filtered_and_told_apart_by_where_they_come_from(qtbot: QtBot, window: MainWindow) -> None:
    panel = window.study_views.data_panel
    snapshot = predict(qtbot, window)
    numbers = valued(snapshot)
    place = panel.states.findData("predicted MD")
    assert panel.states.itemText(place) == f"{len(numbers)} with a predicted MD value"
    panel.states.setCurrentIndex(place)
    model = panel.table.polymer_model
    assert {model.row(number).key for number in range(model.rowCount())} == {snapshot.rows[n].key for n in numbers}

    rows = np.arange(len(snapshot.rows))
    trait = trait_of(snapshot, rows, "md_origin")
    assert trait is not None
    assert trait.title == "MD value from"
    words = texts_of(snapshot, rows, "md_origin")
    assert [number for number, word in enumerate(words) if word == "predicted MD"] == numbers


def test_predicted_polymers_are_hollow_in_the_parity_plot_and_in_the_file_with_their_origin(
    qtbot: QtBot, window: MainWindow
) -> None:
    view = window.study_views.parity_view
    snapshot = predict(qtbot, window)
    found, numbers = snapshot.predicted_md, valued(snapshot)
    assert found is not None
    marks = view.large.from_predicted
    place = np.log10 if snapshot.calibration is not None and snapshot.calibration.log_scale else np.asarray
    assert sorted(marks.data["y"]) == pytest.approx(sorted(place(found.values[numbers])))
    assert snapshot.calibration is not None
    points = parity_points(columns_of(snapshot), snapshot.calibration, "out_of_fold", found)
    words = key_lines(points, snapshot.calibration, snapshot.settings.model, intervals=True)
    assert [piece.text for piece in words[-1]] == ["", "from a predicted MD value"]
    card = numbers_of_point(
        snapshot,
        points,
        points.point_of(snapshot.rows[numbers[0]].key, columns_of(snapshot)),
        snapshot.settings.model,
        "out_of_fold",
    )
    assert card[-1] == ("", "from a predicted MD value")

    simulated = [row for row in snapshot.rows if row.library_index >= 0]
    lines = prediction_rows(snapshot)
    assert {line.md_origin for line in lines[: len(simulated)]} == {"simulated"}
    added = lines[len(simulated) :]
    assert [line.md_origin for line in added] == ["predicted MD"] * len(numbers)
    assert [line.calibrated_value for line in added] == found.values[numbers].tolist()
    assert [line.surrogate_value for line in added] == found.md[numbers].tolist()
    assert np.isnan([line.md_value for line in added]).all()


def test_a_polymer_without_an_md_value_has_no_temperature_of_one(window: MainWindow) -> None:
    snapshot = window.session.study.snapshot()
    content = inspect_polymer(snapshot, snapshot.rows[alone(snapshot)[0]].key)
    assert content is not None
    assert [one.note for one in content.values if one.label == "MD"] == [""]


def test_a_copied_list_has_values_from_simulations_alone(qtbot: QtBot, window: MainWindow) -> None:
    snapshot = predict(qtbot, window)
    number = alone(snapshot)[0]
    assert np.isnan(row_values(snapshot).calibrated[number])
    model = window.study_views.data_panel.table.polymer_model
    cells = model.copied(
        [model.line_of(snapshot.rows[number].key)], [Column.MEASURED, Column.CALIBRATED, Column.ORIGIN]
    )
    _, copied = cells.text().splitlines()
    assert copied.split("\t") == [f"{snapshot.rows[number].measured:.6g}", "", ""]


def test_another_calibrator_is_shown_without_learning_again_and_stopping_offers_it_again(
    qtbot: QtBot, window: MainWindow
) -> None:
    assert "Predict" in line(window, "matchSummary").text
    line(window, "matchSummary").link_activated.emit("predict")
    assert window.session.jobs.is_running(LearnAnswers)
    assert "being predicted" in line(window, "predictedSummary").text
    window.session.cancel()
    qtbot.waitUntil(lambda: window.is_at_rest)
    assert "Predict" in line(window, "matchSummary").text
    assert line(window, "predictedSummary").text == ""

    first = predict(qtbot, window).predicted_md
    assert first is not None
    learned = window.study_answers.answers
    assert learned is not None
    assert learned.learned is not None
    trained = learned.learned.unsimulated
    assert trained is not None
    other = next(name for name in trained.calibrator.models if name not in ("md", first.model))
    window.session.change_settings(window.session.study.state.settings.showing(other))
    qtbot.waitUntil(lambda: window.session.study.snapshot().predicted_md not in (None, first) and window.is_at_rest)
    second, again = window.session.study.snapshot().predicted_md, window.study_answers.answers
    assert second is not None
    assert second.model == other
    assert again is not None
    assert again.learned is not None
    assert again.learned.unsimulated is not None
    assert again.learned.unsimulated.calibrator is trained.calibrator
