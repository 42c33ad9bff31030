"""The import preview and the way tables take through the window, used as a chemist uses them."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF, QGuiApplication
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QPushButton
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.study.state import LoadedTable, StudyState
from affinecal_gui.study.table_source import NOTHING_CHOSEN, TableSource
from affinecal_gui.ui.dialogs.importing.import_dialog import ImportDialog
from affinecal_gui.ui.dialogs.importing.preview_job import PreviewJob
from affinecal_gui.ui.dialogs.importing.problem_list import REASON, WAY
from affinecal_gui.ui.dialogs.importing.structure_prompt import StructurePrompt
from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE
from affinecal_gui.ui.parts.theme.theme import current_theme
from affinecal_gui.ui.running.worker import await_late_jobs
from affinecal_gui.ui.session.dialogs import NoDialogs
from affinecal_gui.ui.session.notices import Notice
from affinecal_gui.ui.session.text_prompt import TextPrompt
from affinecal_gui.ui.window.main_window import MainWindow
from tests.ui.shared_window import SharedWindow

SECONDS = 60_000

GERMAN = """Zusammenstellung;;;;
Stand 2024;;;;
Nr.;Polymer;Wiederholeinheit;cp [J/(g K)];Quelle
1;polyethylene;*CC*;2,342;NIST
2;polystyrene;*CC(*)c1ccccc1;1,210;CROW
3;polybutadiene;*CC=CC*;1,910 b);NIST
4;poly(p-xylylene);*Cc1ccc(C*)cc1;n. b.;CROW
5;poly(phenylene oxide);*Oc1c(C)cc(*)cc1C;1.240;CROW
6;poly(vinyl fluoride);*CCF;1,292;CROW
;Mittelwert;;1,5;
"""
WITHOUT_UNIT = "smiles,Cp\n*CC*,1.9\n*CC(*)C,1.8\n*CC(*)Cl,1.0\n"


@pytest.fixture
def german(tmp_path: Path) -> TableSource:
    path = tmp_path / "Cp.csv"
    path.write_text(GERMAN, encoding="cp1252")
    return TableSource(str(path))


@pytest.fixture
def preview_job(light: QApplication) -> Iterator[PreviewJob]:
    preview_job = PreviewJob()
    yield preview_job
    preview_job.shut_down()
    assert await_late_jobs(60.0)


@pytest.fixture(scope="module")
def beside(examples: Path) -> tuple[LoadedTable, ...]:
    """The table of MD values that the study has already."""
    return StudyState().with_tables(load_tables([examples / "md_radonpy.csv"]).tables).tables


@pytest.fixture
def dialog(
    qtbot: QtBot, preview_job: PreviewJob, german: TableSource, beside: tuple[LoadedTable, ...]
) -> Iterator[ImportDialog]:
    dialog = ImportDialog(german.name, preview_job)
    dialog.show()
    qtbot.waitExposed(dialog)
    preview_job.begin(german, NOTHING_CHOSEN, beside)
    settle(qtbot, dialog)
    yield dialog
    if isValid(dialog):  # an import closes it, and closing deletes it
        dialog.close()


def settle(qtbot: QtBot, dialog: ImportDialog) -> None:
    qtbot.waitUntil(lambda: not dialog.preview_job.is_busy, timeout=SECONDS)


def choose(box: QComboBox, text: str) -> None:
    """Choose an entry as a click on it does."""
    index = box.findText(text)
    assert index >= 0, [box.itemText(i) for i in range(box.count())]
    box.setCurrentIndex(index)
    box.activated.emit(index)


def test_the_preview_opens_with_what_was_guessed(dialog: ImportDialog) -> None:
    assert dialog.summary.text() == "3 of 7 rows will be used"
    assert dialog.import_button.text() == "Import 3 rows"
    assert "3 of these 3 polymers have an MD value in md_radonpy.csv." in dialog.partners.text
    assert dialog.options.delimiter.currentText() == "Semicolon ;"
    assert dialog.options.decimal.currentText() == "Comma"
    assert dialog.options.encoding.currentText() in ("UTF-8", "Windows-1252")
    assert dialog.options.header_line.value() == 3
    roles = [dialog.table.heads.boxes_of(number)[0].currentText() for number in range(5)]
    assert roles == ["Not used", "Name", "Repeat unit", "Measured value", "Source"]
    assert dialog.table.heads.boxes_of(3)[1].currentText() == "J/(g K)"
    model = dialog.table.model
    assert [model.text(row, model.columnCount() - 1) for row in range(4)] == ["2342", "1210", "1910", "–"]
    assert dialog.problems.problems.rowCount() == 4
    ways = [dialog.problems.problems.text(row, WAY) for row in range(4)]
    assert ways == ["Type a value", "Read as 1,240", "Edit", "nothing needed"]


def test_a_reason_is_broken_into_lines_rather_than_cut(dialog: ImportDialog) -> None:
    dialog.resize(dialog.minimumSize())
    rows = dialog.problems
    metrics = QFontMetricsF(current_theme().font(BODY_SIZE))
    longest = max(range(4), key=lambda row: len(rows.problems.text(row, REASON)))
    needed = metrics.horizontalAdvance(rows.problems.text(longest, REASON)) / rows.columnWidth(REASON)
    assert needed > 1
    assert rows.rowHeight(longest) >= needed * metrics.height()


def test_an_open_question_says_what_an_import_without_an_answer_does(
    qtbot: QtBot, dialog: ImportDialog, preview_job: PreviewJob, tmp_path: Path
) -> None:
    path = tmp_path / "series.csv"
    path.write_text("name,smiles,Result\npolyethylene,*CC*,1.9\npolypropylene,*CC(*)C,1.8\n", encoding="utf-8")
    preview_job.begin(TableSource(str(path)), NOTHING_CHOSEN, ())
    settle(qtbot, dialog)
    assert "Which property is Result?" in dialog.questions.text
    assert "“Result” stays a property of its own" in dialog.questions.text
    assert ">Choose…</a>" in dialog.questions.text
    dialog.questions.link_activated.emit("column:2")
    types = dialog.table.heads.boxes_of(2)[1]
    assert types.view().isVisible()
    assert types.findText("Specific heat capacity", Qt.MatchFlag.MatchStartsWith) > 0
    types.hidePopup()


def test_every_choice_changes_what_will_be_used(qtbot: QtBot, dialog: ImportDialog) -> None:
    choose(dialog.table.heads.boxes_of(3)[1], "cal/(g K)")
    settle(qtbot, dialog)
    assert dialog.table.model.text(0, 6) == "9799"
    choose(dialog.table.heads.boxes_of(3)[0], "Not used")
    settle(qtbot, dialog)
    assert dialog.summary.text() == "5 of 7 rows will be used"
    choose(dialog.table.heads.boxes_of(3)[0], "Measured value")
    choose(dialog.options.decimal, "Point")
    settle(qtbot, dialog)
    assert dialog.summary.text() == "1 of 7 rows will be used"
    dialog.options.header_line.setValue(4)
    settle(qtbot, dialog)
    assert dialog.examined is not None
    assert dialog.examined.raw.header_line == 4
    assert dialog.choices.options.header_line == 4


def test_the_ways_out_of_rows_that_are_not_used(qtbot: QtBot, dialog: ImportDialog) -> None:
    dialog.problems.take_way_out(1)  # "Read as 1,240"
    settle(qtbot, dialog)
    assert dialog.summary.text() == "4 of 7 rows will be used"
    row = next(row for row in range(3) if dialog.problems.problems.text(row, WAY) == "Edit")
    dialog.problems.take_way_out(row)
    prompt = dialog.findChild(StructurePrompt)
    assert prompt.field.text() == "*CCF"
    qtbot.waitUntil(lambda: "only one attachment point" in prompt.picture.text(), timeout=SECONDS)
    prompt.field.setText("*CC(*)F")
    qtbot.waitUntil(lambda: not prompt.picture.pixmap().isNull(), timeout=SECONDS)
    assert prompt.picture.accessibleName() == "Structure of *CC(*)F"
    qtbot.keyClick(prompt.field, Qt.Key.Key_Return)
    settle(qtbot, dialog)
    assert dialog.summary.text() == "5 of 7 rows will be used"
    dialog.problems.setCurrentIndex(dialog.problems.problems.index(0, 0))
    qtbot.keyClick(dialog.problems, Qt.Key.Key_Return)  # "Type a value"
    prompt = next(found for found in dialog.findChildren(TextPrompt) if found.isVisible())
    prompt.field.setText("1,3")
    qtbot.keyClick(prompt.field, Qt.Key.Key_Return)
    settle(qtbot, dialog)
    assert dialog.summary.text() == "6 of 7 rows will be used"


def test_a_cell_that_was_typed_is_marked(qtbot: QtBot, dialog: ImportDialog) -> None:
    dialog.problems.take_way_out(1)  # "Read as 1,240"
    settle(qtbot, dialog)
    model = dialog.table.model
    (row,) = (row for row in range(model.rowCount()) if model.text(row, 4) == "1,240")
    assert model.row(row).tints[3] == ("good", "typed in place of “1.240”")
    assert model.data(model.index(row, 4), Qt.ItemDataRole.ToolTipRole) == "typed in place of “1.240”"


def test_a_doubt_goes_with_the_cell_that_was_its_reason(
    qtbot: QtBot, dialog: ImportDialog, preview_job: PreviewJob, tmp_path: Path
) -> None:
    rows = ("*CC*,0.855", "*CC(*)C,0.85", '*CC(*)c1ccccc1,"1,05"', "*CC(*)Cl,1390 kg/m3", "*CC(*)F,1.3")
    path = tmp_path / "marks.csv"
    path.write_text("\n".join(["smiles,density", *rows]) + "\n", encoding="utf-8")
    preview_job.begin(TableSource(str(path)), NOTHING_CHOSEN, ())
    settle(qtbot, dialog)
    assert "Some numbers have a decimal point, others a comma." in dialog.questions.text
    assert dialog.table.model.row(3).tints[1] == ("caution", "in a unit of its own")
    assert "density: line 5 (1390 kg/m3) is read in the unit of the cell, kg/m3" in dialog.notes.text
    dialog.problems.take_way_out(0)
    settle(qtbot, dialog)
    assert dialog.questions.text == ""
    assert dialog.summary.text() == "5 of 5 rows will be used"


def test_only_the_newest_choice_counts(qtbot: QtBot, dialog: ImportDialog) -> None:
    shown: list[str] = []
    dialog.preview_job.examined.connect(lambda found: shown.append(found.roles.columns[3].unit))
    for unit in ("cal/(g K)", "J/(kg K)", "kJ/(kg K)", "cal/(g K)", "J/(g K)"):
        choose(dialog.table.heads.boxes_of(3)[1], unit)
        assert not dialog.import_button.isEnabled()
    settle(qtbot, dialog)
    assert set(shown) <= {"cal/(g K)", "J/(g K)"}  # the first was under way, the last is the newest
    assert shown[-1] == "J/(g K)"
    assert dialog.import_button.isEnabled()


def test_a_unit_that_does_not_fit_is_said_where_it_was_chosen(qtbot: QtBot, dialog: ImportDialog) -> None:
    choose(dialog.table.heads.boxes_of(3)[1], "Other unit…")
    prompt = dialog.findChild(TextPrompt)
    prompt.field.setText("parsec")
    qtbot.keyClick(prompt.field, Qt.Key.Key_Return)
    settle(qtbot, dialog)
    assert "parsec" in dialog.notes.text
    assert not dialog.import_button.isEnabled()
    choose(dialog.table.heads.boxes_of(3)[1], "J/(g K)")
    settle(qtbot, dialog)
    assert dialog.import_button.isEnabled()


def test_a_suspected_unit_is_offered_and_taken_by_a_click(qtbot: QtBot, dialog: ImportDialog) -> None:
    choose(dialog.table.heads.boxes_of(3)[1], "J/(kg K)")
    settle(qtbot, dialog)
    assert "Read as J/(g K)" in dialog.suspicion.text or "Read as kJ/(kg K)" in dialog.suspicion.text
    assert dialog.table.model.text(0, 6).startswith("2.342")
    dialog.suspicion.link_activated.emit("unit")
    settle(qtbot, dialog)
    assert dialog.table.model.text(0, 6) == "2342"
    assert not dialog.suspicion.text


def test_accessible_names_and_keyboard(qtbot: QtBot, dialog: ImportDialog) -> None:
    for box in dialog.findChildren(QComboBox):
        assert box.accessibleName() or not box.isVisible()
    index = dialog.table.model.index(3, 4)
    words = dialog.table.model.data(index, Qt.ItemDataRole.AccessibleTextRole)
    assert "cp [J/(g K)] (Measured value), line 7: n. b." in words
    assert "row not used" in words
    dialog.table.body.setCurrentIndex(index)
    qtbot.keyClick(dialog.table.body, Qt.Key.Key_F2)
    prompt = dialog.findChild(TextPrompt)
    assert prompt.isVisible()
    qtbot.keyClick(prompt.field, Qt.Key.Key_Escape)
    with qtbot.waitSignal(dialog.import_wanted) as wanted:
        qtbot.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert wanted.args[1] is True


def test_a_wide_table_makes_boxes_only_for_the_columns_in_view(
    qtbot: QtBot, preview_job: PreviewJob, tmp_path: Path
) -> None:
    path = tmp_path / "wide.csv"
    names = ["smiles", "Cp [J/(kg K)]", *(f"quantity x{i}y" for i in range(300))]
    path.write_text(",".join(names) + "\n" + "\n".join("*CC*,1900" + ",1.5" * 300 for _ in range(5)) + "\n")
    dialog = ImportDialog("wide.csv", preview_job)
    dialog.show()
    preview_job.begin(TableSource(str(path)), NOTHING_CHOSEN, ())
    settle(qtbot, dialog)
    assert len(dialog.table.heads.findChildren(QComboBox)) < 60
    dialog.table.body.horizontalScrollBar().setValue(dialog.table.body.horizontalScrollBar().maximum())
    assert dialog.table.heads.boxes_of(301)[0].isVisible()
    dialog.close()


# -- through the window ---------------------------------------------------------------------------------------------


class OpenDialogs(NoDialogs):
    """Shows every dialog of the window's own."""

    def __init__(self) -> None:
        self.shown: list[QDialog] = []
        self.save_to = ""

    def show_dialog(self, dialog: QDialog) -> bool:
        self.shown.append(dialog)
        dialog.open()
        return True

    def save_file(self, title: str, suggestion: str, filters: str) -> str:
        return self.save_to


@pytest.fixture
def dialogs() -> OpenDialogs:
    return OpenDialogs()


@pytest.fixture
def window(qtbot: QtBot, shared_window: SharedWindow, dialogs: OpenDialogs) -> Iterator[MainWindow]:
    yield shared_window.lend(dialogs)
    shared_window.take_back()


def preview(qtbot: QtBot, window: MainWindow) -> ImportDialog:
    qtbot.waitUntil(lambda: window.import_desk.dialog is not None, timeout=SECONDS)
    dialog = window.import_desk.dialog
    assert dialog is not None
    qtbot.waitUntil(dialog.import_button.isEnabled, timeout=SECONDS)
    return dialog


def loaded(qtbot: QtBot, window: MainWindow, count: int) -> None:
    qtbot.waitUntil(lambda: len(window.session.study.state.tables) == count, timeout=SECONDS)
    qtbot.waitUntil(lambda: not window.session.is_busy, timeout=SECONDS)


def write(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def test_a_certain_file_is_loaded_without_a_question(
    qtbot: QtBot, window: MainWindow, dialogs: OpenDialogs, tmp_path: Path
) -> None:
    window.open_files((write(tmp_path, "measured.csv", "smiles,measured Cp [J/(kg K)]\n*CC*,1900\n"),))
    said: list[str] = []
    window.session.noticed.connect(lambda notice: said.append(notice.text))
    loaded(qtbot, window, 1)
    assert not dialogs.shown
    assert "measured.csv: 1 row with measured Cp in J/(kg K)." in said


def test_uncertain_files_are_asked_about_one_after_the_other(
    qtbot: QtBot, window: MainWindow, dialogs: OpenDialogs, tmp_path: Path
) -> None:
    window.open_files((write(tmp_path, "one.csv", WITHOUT_UNIT), write(tmp_path, "two.csv", WITHOUT_UNIT)))
    first = preview(qtbot, window)
    assert window.isEnabled()
    assert "Is it J/(g K)?" in first.questions.text
    first.remember.setChecked(False)
    first.import_button.click()
    loaded(qtbot, window, 1)
    qtbot.waitUntil(lambda: len(dialogs.shown) == 2, timeout=SECONDS)
    second = preview(qtbot, window)
    assert "two.csv" in second.windowTitle()
    second.cancel_button.click()
    loaded(qtbot, window, 1)
    assert "two.csv was not imported." in window.status_line.message or window.status_line.message
    assert window.window_actions.undo.isEnabled()


def test_remembered_choices_are_not_asked_again(
    qtbot: QtBot, window: MainWindow, dialogs: OpenDialogs, tmp_path: Path
) -> None:
    window.open_files((write(tmp_path, "first.csv", WITHOUT_UNIT),))
    preview(qtbot, window).import_button.click()
    loaded(qtbot, window, 1)
    window.session.new_study()
    loaded(qtbot, window, 0)
    window.open_files((write(tmp_path, "later.csv", WITHOUT_UNIT.replace("1.8", "1.7")),))
    loaded(qtbot, window, 1)
    assert len(dialogs.shown) == 1
    table = window.session.study.state.tables[0].table
    assert table.values[("measured", "Cp")].values[1] == pytest.approx(1700)


def test_a_cell_corrected_by_hand_comes_back_with_its_file_and_can_be_dropped(
    qtbot: QtBot, window: MainWindow, dialogs: OpenDialogs, tmp_path: Path
) -> None:
    path = write(tmp_path, "first.csv", WITHOUT_UNIT)
    window.open_files((path,))
    dialog = preview(qtbot, window)
    assert dialog.examined is not None
    heading, line = dialog.examined.raw.headings[1], int(dialog.examined.raw.lines[1])
    dialog.choose(dialog.choices.with_edit(line, heading, "1.75"))
    settle(qtbot, dialog)
    dialog.import_button.click()
    loaded(qtbot, window, 1)
    window.session.new_study()
    loaded(qtbot, window, 0)
    told: list[Notice] = []
    window.session.noticed.connect(told.append)
    window.open_files((path,))
    loaded(qtbot, window, 1)
    assert window.session.study.state.tables[0].table.values[("measured", "Cp")].values[1] == pytest.approx(1750)
    (notice,) = [notice for notice in told if "1 cell is as you corrected it by hand then" in notice.text]
    assert notice.action is not None
    notice.action.run()  # the column is asked about anew, too: what was chosen of it is dropped as well
    again = preview(qtbot, window)
    assert again.choices.edits == ()
    again.cancel_button.click()


def test_a_loaded_table_can_be_adjusted_and_that_undone(
    qtbot: QtBot, window: MainWindow, dialogs: OpenDialogs, tmp_path: Path
) -> None:
    window.open_files((write(tmp_path, "measured.csv", "smiles,measured Cp [J/(kg K)]\n*CC*,1900\n*CC(*)C,n\n"),))
    loaded(qtbot, window, 1)
    key = window.session.study.state.tables[0].key
    window.study_views.data_panel.tables.adjust_wanted.emit(key)
    dialog = preview(qtbot, window)
    assert dialog.summary.text() == "1 of 2 rows will be used"
    choose(dialog.table.heads.boxes_of(1)[1], "cal/(g K)")
    dialog.choose(dialog.choices.with_edit(3, "measured Cp [J/(kg K)]", "1800"))
    settle(qtbot, dialog)
    dialog.import_button.click()
    loaded(qtbot, window, 1)
    values = window.session.study.state.tables[0].table.values[("measured", "Cp")].values
    assert values.tolist() == pytest.approx([1900 * 4184, 1800 * 4184])
    assert window.session.study.snapshot().can_undo == "Change how measured.csv is read"
    # What was typed is still there when it is adjusted again.
    window.import_desk.adjust(key)
    again = preview(qtbot, window)
    assert again.summary.text() == "2 of 2 rows will be used"
    again.cancel_button.click()
    window.window_actions.undo.trigger()
    assert window.session.study.state.tables[0].table.values[("measured", "Cp")].values.tolist() == [1900]


def test_a_pasted_table_takes_the_same_way(
    qtbot: QtBot, window: MainWindow, dialogs: OpenDialogs, tmp_path: Path
) -> None:
    QGuiApplication.clipboard().setText(WITHOUT_UNIT.replace(",", "\t"))
    qtbot.keyClick(window, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    dialog = preview(qtbot, window)
    assert "pasted table 1" in dialog.windowTitle()
    dialog.import_button.click()
    loaded(qtbot, window, 1)
    window.import_desk.adjust(window.session.study.state.tables[0].key)
    assert "3 of 3" in preview(qtbot, window).summary.text()


def test_a_text_field_keeps_its_own_paste(qtbot: QtBot, window: MainWindow, dialogs: OpenDialogs) -> None:
    QGuiApplication.clipboard().setText("nylon")
    window.tool_bar.search.setFocus()
    qtbot.keyClick(window.tool_bar.search, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert window.tool_bar.search.text() == "nylon"
    assert not window.session.is_busy


@pytest.fixture
def unattended_window(qtbot: QtBot, shared_window: SharedWindow) -> Iterator[MainWindow]:
    """The window without anybody who answers."""
    yield shared_window.lend(NoDialogs())
    shared_window.take_back()


def test_without_anybody_to_ask_the_likeliest_answers_are_taken(
    qtbot: QtBot, unattended_window: MainWindow, tmp_path: Path
) -> None:
    window = unattended_window
    window.open_files((write(tmp_path, "maybe.csv", WITHOUT_UNIT),))
    loaded(qtbot, window, 1)
    assert window.session.study.state.tables[0].table.values[("measured", "Cp")].values[0] == 1900


def test_closing_the_window_closes_the_preview(qtbot: QtBot, answered_window: MainWindow, tmp_path: Path) -> None:
    window = answered_window
    window.open_files((write(tmp_path, "maybe.csv", WITHOUT_UNIT),))
    preview(qtbot, window)
    window.close()
    assert window.import_desk.dialog is None
    assert not window.import_desk.is_busy


def test_a_wrong_unit_is_offered_after_matching_and_put_right_by_a_click(
    qtbot: QtBot, window: MainWindow, examples: Path, tmp_path: Path
) -> None:
    lines = (examples / "heat_capacity_measured.csv").read_text(encoding="utf-8").splitlines()
    rows = list(csv.reader(io.StringIO("\n".join(lines))))
    text = "name,smiles,measured Cp [cal/(g K)]\n"  # they are in J/(g K)
    text += "".join(f'"{row[0]}",{row[1]},{float(row[2]) / 1000:.6f}\n' for row in rows[1:])
    window.open_files((write(tmp_path, "joules.csv", text), str(examples / "md_radonpy.csv")))
    button = None

    def offered() -> bool:
        nonlocal button
        button = window.message_bar.findChild(QPushButton, "noticeActionButton")
        return button is not None

    qtbot.waitUntil(offered, timeout=SECONDS)
    window.session.cancel()
    assert isinstance(button, QPushButton)
    assert button.text() == "Read as J/(g K)"
    before = window.session.study.state
    button.click()
    qtbot.waitUntil(lambda: window.session.study.state is not before, timeout=SECONDS)
    window.session.cancel()
    table = next(item.table for item in window.session.study.state.tables if item.table.name == "joules.csv")
    assert table.values[("measured", "Cp")].values[0] == pytest.approx(float(rows[1][2]), rel=1e-3)
    assert window.session.study.snapshot().can_undo == "Read joules.csv in J/(g K)"


def test_what_was_assumed_of_a_table_is_told_when_it_is_loaded(
    qtbot: QtBot, unattended_window: MainWindow, tmp_path: Path
) -> None:
    window = unattended_window
    rows = ("*CC*;2.300", "*CC(*)C;1.930", "*CC(*)Cl;950", "*CC(*)F;1.210", "*CC(*)O;1.500", "*CCO*;16000000")
    (tmp_path / "german.csv").write_text("\n".join(("SMILES;cp [J/(kg K)]", *rows)) + "\n", encoding="utf-8")
    window.open_files((str(tmp_path / "german.csv"),))
    qtbot.waitUntil(lambda: bool(window.session.study.state.tables) and window.is_at_rest, timeout=SECONDS)
    (told,) = (text for text in window.message_bar.texts() if "german.csv" in text)
    assert "“2.300” was read as a thousands mark: 2300." in told
    assert "german.csv, line 7, cp [J/(kg K)]: “16000000” is 9,300 times the typical value" in told
