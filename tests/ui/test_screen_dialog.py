"""Screening a library through the real window: what is found while it runs, Cancel, going on, RadonPy jobs, refusals."""

import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow.dataset
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from affinecal_gui.numbers import significant
from affinecal_gui.study.calibrator_files.calibrator_file import save_calibrator_file
from affinecal_gui.tables.units.properties import find_property
from affinecal_gui.tasks.screening.library import partitions
from affinecal_gui.tasks.screening.results.so_far import Candidate
from affinecal_gui.ui.dialogs.screening.candidates_table import INTERVAL, REMARKS, VALUE, CandidatesModel
from affinecal_gui.ui.dialogs.screening.screen_desk import ALL_SIMULATED, NOTHING_TO_ADD, STOPPED
from affinecal_gui.ui.dialogs.screening.screen_dialog import ScreenDialog
from affinecal_gui.ui.dialogs.screening.wish_rows import WishRow
from affinecal_gui.ui.parts.theme.theme import DARK_THEME
from affinecal_gui.ui.window.main_window import MainWindow
from tests.predicting_calibrator import predicting_calibrator
from tests.ui.answering import Answers
from tests.ui.shared_window import SharedWindow


@pytest.fixture(autouse=True)
def short_partitions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partitions, "FEWEST_ROWS", 4)


@pytest.fixture
def window(qtbot: QtBot, shared_window: SharedWindow, answers: Answers, saved_result: Path) -> Iterator[MainWindow]:
    yield shared_window.lend(answers, saved_result)
    shared_window.take_back()


@pytest.fixture
def dialog(window: MainWindow) -> ScreenDialog:
    window.window_actions.screen.trigger()
    found = window.screen_desk.dialog
    assert found is not None
    return found


def test_there_is_nothing_to_screen_with_before_there_is_a_calibration(
    qtbot: QtBot, shared_window: SharedWindow
) -> None:
    assert not shared_window.lend().window_actions.screen.isEnabled()


LIBRARY = [
    "A,*CC(*)CCCCCC",
    "B,*CC(*)C#N",
    "C,*CC(",
    "D,*OCCCCCCCC*",
    "E,*CC(*)F",
    "F,*CC(*)[Fe]",
    "G,*OCCCCCCCC*",
    "H,*CCCCCCOC(=O)*",
    "I,*CC(*)Br",
    "J,*SCCCCC*",
]


def write_library(path: Path) -> Path:
    path.write_text("\n".join(["id,smiles", *LIBRARY, ""]), encoding="utf-8")
    return path


def choose(dialog: ScreenDialog, answers: Answers, library: Path) -> Path:
    """Choose a library by its button; returns the folder that is suggested for the results."""
    answers.library = str(library)
    dialog.file_button.click()
    return Path(dialog.output.text())


def ended(qtbot: QtBot, dialog: ScreenDialog) -> str:
    qtbot.waitUntil(dialog.start_button.isEnabled)
    return dialog.message.text


def test_remarks_stand_below_each_other_and_are_copied_in_one_line(qapp: QApplication) -> None:
    model = CandidatesModel()
    outside = Candidate(1, "A", "", "*CC*", 2.0, 1.0, 3.0, 4.0, "predicted md", inside=False, known="simulated")
    model.show_candidates((outside,))
    assert model.text(0, REMARKS) == "outside the range of validity"
    assert model.note(0, REMARKS) == "simulated already"
    assert model.copied(0, REMARKS) == ("outside the range of validity, simulated already",)
    assert model.copied(0, INTERVAL) == (1.0, 3.0)


def test_the_best_of_a_library_are_found_shown_and_saved_as_jobs_for_radonpy(
    qtbot: QtBot, window: MainWindow, dialog: ScreenDialog, answers: Answers, tmp_path: Path
) -> None:
    assert dialog.calibrator.text().startswith("Affine")
    assert "heat capacity" in dialog.calibrator.text()
    heads = dialog.table.horizontalHeader()
    for column in (VALUE, INTERVAL):  # have their room before there is a value
        title = dialog.table.candidates.headerData(column, Qt.Orientation.Horizontal)
        assert heads.sectionSize(column) > heads.fontMetrics().horizontalAdvance(title)
    assert dialog.table.y() < dialog.pace.geometry().bottom() + 20  # no place is kept for a plot
    dialog.start_button.click()
    assert dialog.message.text.startswith("Choose the library first")
    output = choose(dialog, answers, write_library(tmp_path / "library.csv"))
    assert output == tmp_path / "library screened"
    dialog.top.setValue(4)
    dialog.start_button.click()
    assert not dialog.start_button.isEnabled()
    assert not dialog.library.isEnabled()
    assert "8 of 10 rows have a calibrated value" in ended(qtbot, dialog)

    found = dialog.found
    assert found is not None
    assert (found.rows, found.expected, found.with_value, found.counts.sum()) == (10, 10, 8, 8)
    rows = pyarrow.dataset.dataset(output / "rows").to_table().sort_by("row").to_pylist()
    values = sorted((row["value"] for row in rows if row["value"] is not None), reverse=True)
    assert [one.value for one in found.best] == values[:4]
    with (output / "top_by_value.csv").open(encoding="utf-8", newline="") as file:
        assert [one.row for one in found.best] == [int(row["row"]) for row in csv.DictReader(file)]
    assert dialog.table.candidates.text(0, 2) == found.best[0].smiles
    assert dialog.pace.text().startswith("10 rows, 8 with a value")
    assert (output / "calibrator.affinecal-model").exists()
    qtbot.waitUntil(lambda: not dialog.table.thumbnails.is_drawing)

    # The same polymer stands twice in the library, and is simulated once.
    assert {one.id for one in found.best} >= {"D", "G"}
    answers.saved = str(tmp_path / "input_data.csv")
    dialog.jobs_button.click()
    qtbot.waitUntil(lambda: dialog.message.text.startswith("Saved "))
    with (tmp_path / "input_data.csv").open(encoding="utf-8", newline="") as file:
        jobs = list(csv.DictReader(file))
    assert len(jobs) == len({one.smiles for one in found.best if not one.known})
    assert {(job["temp"], job["press"], job["copoly_ratio_list"]) for job in jobs} == {("300.0", "1.0", "1")}
    assert {job["simulate_again_because"] for job in jobs} == {"screening: highest value of specific heat capacity"}
    # Which of the two is the better one is a matter of the last digit, which differs from processor to processor.
    (job,) = [job for job in jobs if job["DBID"] in {"D", "G"}]
    assert job["smiles_list"].count("O") == 1

    # The other end of the list comes from another screening, which does not replace this one without being told to.
    dialog.direction.button("low").click()
    assert dialog.ranked_by.button("bound").text() == "Upper bound"
    dialog.ranked_by.button("bound").click()
    dialog.start_button.click()
    said = ended(qtbot, dialog)
    assert "another wishes" in said
    assert said.endswith("Name another folder, or tick “Begin anew”.")
    dialog.begin_anew.setChecked(True)
    dialog.start_button.click()
    ended(qtbot, dialog)
    assert dialog.found is not None
    uppers = [one.upper for one in dialog.found.best]
    assert uppers == sorted(row["upper"] for row in rows if row["upper"] is not None)[:4]
    assert json.loads((output / "manifest.json").read_text(encoding="utf-8"))["complete"]
    window.screen_desk.apply_theme(DARK_THEME)
    dialog.close_button.click()
    assert window.screen_desk.dialog is None


def test_a_screening_that_was_cancelled_goes_on_with_the_same_calibrator_and_keeps_what_is_finished(
    qtbot: QtBot, window: MainWindow, dialog: ScreenDialog, answers: Answers, tmp_path: Path
) -> None:
    output = choose(dialog, answers, write_library(tmp_path / "library.csv"))
    dialog.start_button.click()
    qtbot.waitUntil(lambda: (output / "rows" / "part-000000.parquet").exists())
    dialog.reject()  # as Escape does
    assert dialog.isVisible()
    assert ended(qtbot, dialog) == STOPPED
    kept = {file: file.stat().st_mtime_ns for file in (output / "rows").glob("*.parquet")}
    assert kept
    dialog.start_button.click()
    assert "8 of 10 rows" in ended(qtbot, dialog)
    assert {file: file.stat().st_mtime_ns for file in kept} == kept
    assert dialog.found is not None
    assert dialog.found.rows == 10

    window.session.change_settings(replace(window.session.study.state.settings, model="ordinary"))
    qtbot.waitUntil(lambda: dialog.calibrator.text().startswith("Ordinary") and window.is_at_rest)
    dialog.start_button.click()
    assert "holds a screening with another calibrator" in ended(qtbot, dialog)
    assert {file: file.stat().st_mtime_ns for file in kept} == kept


def test_what_cannot_be_screened_or_is_no_job_is_said_in_the_dialog_and_not_in_the_window(
    qtbot: QtBot, window: MainWindow, dialog: ScreenDialog, answers: Answers, tmp_path: Path
) -> None:
    noticed: list[str] = []
    window.session.noticed.connect(lambda notice: noticed.append(notice.text))
    library = tmp_path / "names.csv"
    library.write_text("name,colour\nPE,white\nPP,white\n", encoding="utf-8")
    output = choose(dialog, answers, library)
    dialog.start_button.click()
    assert "names.csv has no column of repeat units" in ended(qtbot, dialog)
    assert not dialog.jobs_button.isEnabled()
    dialog.library.setText(str(tmp_path / "missing.csv"))
    dialog.start_button.click()
    assert ended(qtbot, dialog).startswith("There is no ")
    dialog.library.setText(str(write_library(tmp_path / "library.csv")))
    dialog.output.setText(str(library))
    dialog.start_button.click()
    assert "cannot be made a folder" in ended(qtbot, dialog)
    assert not (output / "manifest.json").exists()
    # What the library has MD values for needs no simulation.
    library = tmp_path / "simulated.csv"
    library.write_text("id,smiles,Cp [J/(kg K)]\nA,*CC(*)CCCCCC,4100\nB,*SCCCCC*,3900\n", encoding="utf-8")
    choose(dialog, answers, library)
    dialog.start_button.click()
    assert "2 of 2 rows" in ended(qtbot, dialog)
    assert dialog.found is not None
    assert [one.md for one in dialog.found.best] in ([4100.0, 3900.0], [3900.0, 4100.0])
    dialog.jobs_button.click()
    assert dialog.message.text == ALL_SIMULATED
    assert noticed == []


def test_the_best_become_part_of_the_study_with_one_click_where_the_library_has_their_md_values(
    qtbot: QtBot, window: MainWindow, dialog: ScreenDialog, answers: Answers, tmp_path: Path
) -> None:
    library = tmp_path / "simulated.csv"
    rows = ("A,*CC(*)CCCCCC,4100", "B,*SCCCCC*,3900", "C,*CCCCCS*,3900", "D,*OCCCCCCCC*,")
    library.write_text("\n".join(["id,smiles,Cp [J/(kg K)]", *rows, ""]), encoding="utf-8")
    choose(dialog, answers, library)
    assert not dialog.study_button.isEnabled()
    dialog.start_button.click()
    assert "4 of 4 rows" in ended(qtbot, dialog)
    tables = len(window.session.study.state.tables)
    dialog.study_button.click()
    assert dialog.message.text.startswith("2 polymers are added to the study")
    assert "2 are left out" in dialog.message.text
    qtbot.waitUntil(lambda: len(window.session.study.state.tables) == tables + 1)
    added = window.session.study.state.tables[-1].table
    assert (added.name, sorted(added.smiles)) == ("candidates 1", ["*CC(*)CCCCCC", "*SCCCCC*"])
    assert added.values[("md", "Cp")].values.tolist() == [4100.0, 3900.0]
    qtbot.waitUntil(lambda: window.is_at_rest)
    shown = [row for row in window.session.study.snapshot().rows if row.smiles == "*SCCCCC*"]
    assert [row.md for row in shown] == [3900.0]
    window.session.undo()
    assert len(window.session.study.state.tables) == tables
    qtbot.waitUntil(lambda: window.is_at_rest)


def test_polymers_with_predicted_md_values_are_not_taken_for_simulated_ones(
    qtbot: QtBot, window: MainWindow, dialog: ScreenDialog, answers: Answers, tmp_path: Path
) -> None:
    choose(dialog, answers, write_library(tmp_path / "library.csv"))
    dialog.start_button.click()
    ended(qtbot, dialog)
    tables = window.session.study.state.tables
    dialog.study_button.click()
    assert dialog.message.text == NOTHING_TO_ADD
    assert window.session.study.state.tables == tables


def choose_kind(dialog: ScreenDialog, key: str, kind: str) -> WishRow:
    """Choose what is wished of a property, as a user does."""
    row = dialog.wishes.row(key)
    assert row is not None
    row.kind.setCurrentIndex(row.kind.findData(kind))
    return row


def test_next_steps_towards_a_wish_are_listed_with_their_costs_and_saved_as_jobs(
    qtbot: QtBot, window: MainWindow, dialog: ScreenDialog, answers: Answers, tmp_path: Path
) -> None:
    library = tmp_path / "library.csv"
    simulated = ["K,*CC(*)CCCCCCC,4100", "L,*SCCCCCC*,3900"]
    library.write_text(
        "\n".join(["id,smiles,Cp [J/(kg K)]", *(f"{line}," for line in LIBRARY), *simulated, ""]), encoding="utf-8"
    )
    output = choose(dialog, answers, library)
    row = choose_kind(dialog, "Cp", "between")
    assert row.low.isVisible()
    assert row.high.isVisible()
    row.low.setText("1500")
    row.high.setText("2400")
    assert not dialog.cost_measuring.isEnabled()
    dialog.with_steps.click()
    dialog.cost_measuring.setText("20")
    dialog.cost_simulating.setText("0.5")
    dialog.further.setValue(2)
    dialog.ranked_by.button("probability").click()
    dialog.start_button.click()
    said = ended(qtbot, dialog)
    assert "next_steps.csv lists" in said
    assert dialog.tabs.currentWidget() is dialog.steps_table
    with (output / "next_steps.csv").open(encoding="utf-8", newline="") as file:
        listed = list(csv.DictReader(file))
    shown = dialog.steps_table.candidates
    assert shown.rowCount() == len(listed) > 4
    words = {"measure": "Measure", "simulate": "Simulate"}
    for number, step in enumerate(listed):
        assert shown.text(number, VALUE) == words[step["step"]]
        assert shown.note(number, VALUE) == f"cost {float(step['cost']):g}"
        assert shown.candidates[number].smiles == step["smiles"]
        assert shown.text(number, INTERVAL) == significant(float(step["gain_per_cost"]))
        assert " %" in shown.text(number, REMARKS)
    # The best are ranked by the probability that the wish is met.
    best = [one.chance for one in dialog.table.candidates.candidates]
    assert best == sorted(best, reverse=True)
    assert "all wishes met: " in "".join(dialog.table.candidates.text(number, REMARKS) for number in range(len(best)))
    # Without a selection the jobs are those of the simulations; with one, its own.
    answers.saved = str(tmp_path / "input_data.csv")
    dialog.jobs_button.click()
    qtbot.waitUntil(lambda: dialog.message.text.startswith("Saved "))
    with (tmp_path / "input_data.csv").open(encoding="utf-8", newline="") as file:
        jobs = {job["DBID"] for job in csv.DictReader(file)}
    assert jobs == {step["id"] for step in listed if step["step"] == "simulate"}
    dialog.study_button.click()
    assert dialog.message.text.startswith("2 polymers are added to the study")
    qtbot.waitUntil(lambda: window.is_at_rest)
    window.session.undo()
    qtbot.waitUntil(lambda: window.is_at_rest)


def test_what_cannot_be_wished_or_cost_is_said_before_anything_runs(
    dialog: ScreenDialog, answers: Answers, tmp_path: Path
) -> None:
    choose(dialog, answers, write_library(tmp_path / "library.csv"))
    dialog.ranked_by.button("probability").click()
    dialog.start_button.click()
    assert dialog.message.text == "Say what is wished first: at least, at most or between."
    dialog.with_steps.click()
    dialog.start_button.click()
    assert dialog.message.text.startswith("Say what is wished first: next steps")
    row = choose_kind(dialog, "Cp", "least")
    for text, said in (
        ("", "A number is missing: wish for the specific heat capacity."),
        ("1,500", "“1,500” may be 1.500 or 1500: wish for"),
        ("x", "“x” is not a number: wish for"),
    ):
        row.low.setText(text)
        dialog.start_button.click()
        assert dialog.message.text.startswith(said)
    row.low.setText("2000")
    for cost, said in (
        ("0", "must be a number above 0, and not 0."),
        ("cheap", "“cheap” is not a number: cost of measuring"),
    ):
        dialog.cost_measuring.setText(cost)
        dialog.start_button.click()
        assert said in dialog.message.text
    choose_kind(dialog, "Cp", "between")
    row.high.setText("1000")
    dialog.start_button.click()
    assert "above 2000 and below 1000 at once" in dialog.message.text
    assert not (tmp_path / "library screened").exists()
    # What is wished as low as possible is listed from the lowest on.
    choose_kind(dialog, "Cp", "low")
    assert dialog.direction.current == "low"
    assert dialog.ranked_by.button("bound").text() == "Upper bound"


def test_a_calibrator_of_another_property_has_a_wish_of_its_own(
    qtbot: QtBot, window: MainWindow, dialog: ScreenDialog, answers: Answers, tmp_path: Path
) -> None:
    one = predicting_calibrator()
    density = find_property("density")
    path = tmp_path / "density.affinecal-model"
    save_calibrator_file(path, replace(one, facts=replace(one.facts, quantity=density)))
    same = tmp_path / "same.affinecal-model"
    save_calibrator_file(same, one)
    answers.calibrator = str(same)
    dialog.add_button.click()
    qtbot.waitUntil(lambda: "already: one for each property" in dialog.message.text)
    answers.calibrator = str(path)
    dialog.add_button.click()
    qtbot.waitUntil(lambda: dialog.wishes.row("density") is not None)
    output = choose(dialog, answers, write_library(tmp_path / "library.csv"))
    choose_kind(dialog, "Cp", "least").low.setText("1500")
    choose_kind(dialog, "density", "most").high.setText("1900")
    dialog.with_steps.click()
    dialog.start_button.click()
    assert "have a calibrated value of density" in ended(qtbot, dialog)
    with (output / "next_steps.csv").open(encoding="utf-8", newline="") as file:
        listed = list(csv.DictReader(file))
    assert {"value:Cp", "value:density", "probability"} <= set(listed[0])
    assert dialog.steps_table.candidates.candidates[0].value == float(listed[0]["value:Cp"])
    assert dialog.found is not None
    assert dialog.found.with_value == 8
    assert dialog.tabs.isTabVisible(dialog.tabs.indexOf(dialog.trade_off))
    said = dialog.trade_off.canvas.accessibleDescription()
    assert said.endswith("among 8 rows that are shown")
    assert not said.startswith("0 ")
    dialog.tabs.setCurrentWidget(dialog.trade_off)
    assert dialog.study_button.isEnabled()
    row = dialog.wishes.row("density")
    assert row is not None
    row.remove_button.click()
    assert dialog.wishes.added == ()
    assert dialog.wishes.row("density") is None
