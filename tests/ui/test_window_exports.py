"""What leaves the real window: figures, reports, workbooks and lists, as files and on the clipboard."""

import csv
import shlex
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from PySide6.QtCore import QEvent, QSettings
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from affinecal_gui.__main__ import main
from affinecal_gui.study.calibrator_files.calibrator_file import open_calibrator
from affinecal_gui.study.fitting.calibrating import DescribedLibrary
from affinecal_gui.study.results.exporting import prediction_rows
from affinecal_gui.study.shown.next_measurements import next_measurements
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.table_source import ColumnChoice, ImportChoices, TableSource
from affinecal_gui.tasks.reading.data_files import read_as
from affinecal_gui.ui.dialogs.exporting.exports import CopiedFigure
from affinecal_gui.ui.parts.theme.theme_keeper import ThemeKeeper
from affinecal_gui.ui.session.dialogs import NoDialogs
from affinecal_gui.ui.session.study_jobs import Export
from affinecal_gui.ui.window.main_window import MainWindow

FIT, DRAWN, WRITTEN = 120_000, 30_000, 60_000  # milliseconds


class Script(NoDialogs):
    """Saves where the test says, and shows the window's own dialogs."""

    def __init__(self) -> None:
        self.save_to: list[Path] = []
        self.asked: list[tuple[str, str, str]] = []

    def save_file(self, title: str, suggestion: str, filters: str) -> str:
        self.asked.append((title, suggestion, filters))
        return str(self.save_to.pop(0)) if self.save_to else ""

    def show_dialog(self, dialog: QDialog) -> bool:
        dialog.show()
        return True


@pytest.fixture(scope="module")
def settings_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("settings") / "settings.ini"


@pytest.fixture(scope="module")
def tables(examples: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The bundled example cut down to a few polymers."""
    folder = tmp_path_factory.mktemp("small")
    for name, source, lines in (("measured", "heat_capacity_measured", 31), ("md", "md_radonpy", 400)):
        text = (examples / f"{source}.csv").read_text(encoding="utf-8").splitlines(keepends=True)
        (folder / f"{name}.csv").write_text("".join(text[:lines]), encoding="utf-8")
    return [str(folder / "measured.csv"), str(folder / "md.csv")]


@pytest.fixture(scope="module")
def script() -> Script:
    return Script()


@pytest.fixture(scope="module")
def shared_window(
    request: pytest.FixtureRequest,
    qapp: QApplication,
    script: Script,
    settings_file: Path,
    tables: list[str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[MainWindow]:
    """The window with a result, which no test changes."""
    settings = QSettings(str(settings_file), QSettings.Format.IniFormat)
    window = MainWindow(ThemeKeeper(qapp, "light"), script, settings, tmp_path_factory.mktemp("studies"))
    window.show()
    window.open_files(tuple(tables))
    QtBot(request).waitUntil(
        lambda: window.session.study.snapshot().calibration is not None and window.is_at_rest, timeout=FIT
    )
    # Of so few polymers the corrected MD values are recommended, which have no coefficients.
    window.session.change_settings(window.session.study.state.settings.showing("affine"))
    QtBot(request).waitUntil(
        lambda: window.session.study.snapshot().settings.model == "affine" and window.is_at_rest, timeout=FIT
    )
    yield window
    destroy(window)


def destroy(window: MainWindow) -> None:
    """Close a window and let it go now: later there may be no event loop to do it."""
    window.close()
    window.deleteLater()
    QApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)


@pytest.fixture
def window(shared_window: MainWindow, script: Script) -> Iterator[MainWindow]:
    """The same window, as every test finds it."""
    script.save_to.clear()
    script.asked.clear()
    yield shared_window
    shared_window.export_desk.figure_dialog.close()
    shared_window.study_views.data_panel.tabs.setCurrentIndex(0)


def shown(window: MainWindow) -> Snapshot:
    return window.session.study.snapshot()


def save(qtbot: QtBot, window: MainWindow, script: Script, path: Path, trigger) -> Path:  # type: ignore[no-untyped-def]
    script.save_to = [path]
    with qtbot.waitSignal(window.session.exported, timeout=WRITTEN) as told:
        trigger()
    assert told.args == [(str(path),)]
    return path


def wait_for_preview(qtbot: QtBot, window: MainWindow) -> None:
    dialog = window.export_desk.figure_dialog
    qtbot.waitUntil(lambda: dialog.paper.has_image and not dialog.is_drawing, timeout=DRAWN)


def test_figures_are_chosen_seen_and_saved(qtbot: QtBot, window: MainWindow, script: Script, tmp_path: Path) -> None:
    window.study_views.parity_view.layout_buttons.button("overlaid").click()
    window.study_views.parity_view.export_button.click()
    dialog = window.export_desk.figure_dialog
    assert dialog.isVisible()
    assert dialog.choice.name == "parity"
    assert dialog.choice.options.arrangement == "overlaid"  # as the view shows it
    wait_for_preview(qtbot, window)
    for suffix, start in ((".pdf", b"%PDF"), (".png", b"\x89PNG"), (".svg", b"<?xml")):
        dialog.controls.formats.setCurrentIndex(dialog.controls.formats.findData(suffix))
        path = save(qtbot, window, script, tmp_path / f"parity{suffix}", dialog.save_button.click)
        assert path.read_bytes().startswith(start)
        title, suggestion, filters = script.asked[-1]
        assert (title, suggestion) == ("Save the figure", f"parity{suffix}")
        assert filters.split(";;")[0].endswith(f"(*{suffix})")
    assert "Saved parity.svg" in window.status_line.message
    dialog.save_button.click()  # and thinks better of it
    assert not window.session.jobs.is_running(Export)


def test_each_view_opens_the_dialog_on_its_figure(qtbot: QtBot, window: MainWindow) -> None:
    dialog = window.export_desk.figure_dialog
    window.study_views.model_panel.headings["comparison"].set_folded(False)
    for name, button in (
        ("coefficients", window.study_views.coefficient_view.export_button),
        ("attribution", window.study_views.inspector.export_button),
        ("parity", window.study_views.parity_view.export_button),
    ):
        button.click()
        assert dialog.choice.name == name
    for name in ("surface", "comparison"):
        window.study_views.model_panel.export_requested.emit(name)
        assert dialog.choice.name == name
    window.window_actions.figure.trigger()
    assert dialog.choice.name == "comparison"  # the last one
    other = next(row for row in shown(window).rows if row.state == "used" and row.key != dialog.choice.options.row_key)
    window.select(other.key)
    assert dialog.choice.options.row_key == other.key
    dialog.close()


def test_a_figure_is_copied_as_a_picture_and_as_outlines(qtbot: QtBot, window: MainWindow) -> None:
    board = QGuiApplication.clipboard()
    window.export_desk.figure_dialog.controls.choose("parity")
    window.export_desk.figure_dialog.controls.width_box.setValue(100.0)
    for button, words in (
        (window.study_views.parity_view.copy_button, "Parity"),
        (window.study_views.coefficient_view.copy_button, "Coefficients"),
        (window.study_views.inspector.copy_button, "Effect of the selected polymer"),
    ):
        board.clear()
        with qtbot.waitSignal(window.session.noticed, timeout=DRAWN) as told:
            button.click()
        assert told.args[0].text == f"Copied the figure “{words}” as a picture of 300 dpi and as SVG."
        data = board.mimeData()
        assert {"image/png", "image/svg+xml"} <= set(data.formats())
        assert data.hasImage()
        picture = QImage.fromData(data.data("image/png"))
        assert round(picture.dotsPerMeterX() * 0.0254) == 300
        if words == "Parity":
            assert picture.width() == pytest.approx(100 / 25.4 * 300, abs=2)
        assert b"<svg" in data.data("image/svg+xml").data()
    assert window.export_desk.figure_dialog.isHidden()


def test_the_order_of_blocks_is_remembered_and_drawn(qtbot: QtBot, window: MainWindow, settings_file: Path) -> None:
    view = window.study_views.coefficient_view
    names = view.order
    view.move_block(names[1], -1)
    moved = (names[1], names[0], *names[2:])
    assert view.order == moved
    assert window.export_desk.figure_dialog.choice.options.block_order == moved
    again = QSettings(str(settings_file), QSettings.Format.IniFormat)
    assert tuple(again.value("coefficients/order", type=str).splitlines()) == moved
    view.move_block(names[1], 1)


def test_the_report_is_saved_and_can_be_cancelled(
    qtbot: QtBot, window: MainWindow, script: Script, tmp_path: Path
) -> None:
    html = save(qtbot, window, script, tmp_path / "report.html", window.window_actions.report.trigger)
    page = html.read_text(encoding="utf-8")
    assert shown(window).match_summary in page
    assert (
        "affinecal fit --experiment measured.csv --md md.csv --property Cp --calibrator affine --output results" in page
    )
    script.save_to = [tmp_path / "report.pdf"]
    with qtbot.waitSignal(window.session.jobs.cancelled, timeout=WRITTEN):
        window.window_actions.report.trigger()
        qtbot.waitUntil(lambda: window.session.jobs.is_running(Export))
        window.window_actions.cancel.trigger()
    assert not (tmp_path / "report.pdf").exists()


def test_the_workbook_and_the_list_hold_what_the_window_shows(
    qtbot: QtBot, window: MainWindow, script: Script, tmp_path: Path
) -> None:
    path = save(qtbot, window, script, tmp_path / "tables.xlsx", window.window_actions.workbook.trigger)
    book = openpyxl.load_workbook(path, read_only=True)
    assert {"Predictions", "Coefficients", "Metrics", "Unmatched"} <= set(book.sheetnames)
    book.close()
    window.study_views.data_panel.tabs.setCurrentIndex(2)
    found = next_measurements(shown(window))
    model = window.study_views.data_panel.table.polymer_model
    assert [model.row(line).key for line in range(model.rowCount())] == [one.row.key for one in found]
    path = save(qtbot, window, script, tmp_path / "next.csv", window.study_views.data_panel.export_button.click)
    with path.open(encoding="utf-8", newline="") as file:
        assert [line["id"] for line in csv.DictReader(file)] == [one.row.id for one in found]
    window.study_views.data_panel.tabs.setCurrentIndex(0)
    path = save(qtbot, window, script, tmp_path / "predictions.csv", window.study_views.data_panel.export_button.click)
    with path.open(encoding="utf-8", newline="") as file:
        values = [float(line["calibrated value"]) for line in csv.DictReader(file)]
    assert values == [row.calibrated_value for row in prediction_rows(shown(window))]


@pytest.mark.parametrize("grade", ["open", "closed"])
def test_the_calibrator_is_saved_as_a_file_that_gives_the_values_of_the_window(
    qtbot: QtBot, window: MainWindow, script: Script, tmp_path: Path, grade: str
) -> None:
    action = window.window_actions.calibrator if grade == "open" else window.window_actions.closed_calibrator
    path = save(qtbot, window, script, tmp_path / "c.affinecal-model", action.trigger)
    opened, snapshot = open_calibrator(path), shown(window)
    assert (opened.manifest.grade, opened.facts.model) == (grade, "affine")
    described, calibration = window.session.study.derived.descriptors, snapshot.calibration
    assert isinstance(described, DescribedLibrary)
    assert calibration is not None
    found = opened.calibrator.apply(calibration.library_md, described.values)
    np.testing.assert_allclose(found.values, calibration.models["affine"].library, rtol=1e-12)


def test_a_suggestion_is_shown_everywhere(qtbot: QtBot, window: MainWindow) -> None:
    window.study_views.data_panel.tabs.setCurrentIndex(2)
    key = window.study_views.data_panel.table.polymer_model.row(1).key
    window.study_views.data_panel.table.selected.emit(key)
    qtbot.waitUntil(
        lambda: window.study_views.inspector.content is not None and window.study_views.inspector.content.key == key
    )
    assert window.study_views.data_panel.group == "next"


def test_nothing_can_be_saved_before_there_is_a_result(qapp: QApplication, tmp_path: Path) -> None:
    script = Script()
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    window = MainWindow(ThemeKeeper(qapp, "light"), script, settings, tmp_path)
    for action in (
        window.window_actions.predictions,
        window.window_actions.measure_next,
        window.window_actions.workbook,
        window.window_actions.figure,
        window.window_actions.report,
        window.window_actions.calibrator,
        window.window_actions.closed_calibrator,
        window.window_actions.copy_command,
        window.window_actions.copy_python,
    ):
        assert not action.isEnabled()
    window.export_desk.export_report()
    assert script.asked == []
    assert "no calibration to save yet" in window.message_bar.texts()[-1]
    destroy(window)


def test_what_was_copied_stays_a_picture_when_the_window_goes(qapp: QApplication, tmp_path: Path) -> None:
    board = QGuiApplication.clipboard()
    image = QImage(30, 20, QImage.Format.Format_RGB32)
    image.fill(0xFF123456)
    for taken in (False, True):
        settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
        window = MainWindow(ThemeKeeper(qapp, "light"), Script(), settings, tmp_path)
        window.export_desk.take_copy(CopiedFigure("Parity", b"png", b"<svg/>", image))
        assert board.mimeData().hasFormat("image/svg+xml")
        if taken:
            board.setText("of another program")
        destroy(window)
        assert (board.text() == "of another program") == taken
        assert board.mimeData().hasImage() != taken
        assert not board.mimeData().hasFormat("image/svg+xml")  # it would outlive the interpreter


@pytest.mark.usefixtures("blank_figures")
def test_what_is_copied_as_python_and_as_a_command_gives_the_numbers_of_the_window(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    expected = prediction_rows(shown(window))
    board = QGuiApplication.clipboard()
    with qtbot.waitSignal(window.session.noticed) as told:
        window.window_actions.copy_python.trigger()
    assert told.args[0].text == "The Python code was copied."
    text = board.text()
    assert "ac.Study.from_frames(measured, md, property='Cp', errors='report')" in text
    names: dict[str, object] = {}
    exec(compile(text, "copied", "exec"), names)
    found = names["study"].predictions()  # type: ignore[attr-defined]
    assert found["calibrated value"].tolist() == [row.calibrated_value for row in expected]
    assert found["lower"].tolist() == [row.lower for row in expected]
    window.window_actions.copy_command.trigger()
    words = shlex.split(board.text())
    assert main([*words[1:-1], str(tmp_path / "results"), "--quiet"]) == 0
    with (tmp_path / "results" / "predictions.csv").open(encoding="utf-8", newline="") as file:
        written = [float(row["calibrated value"]) for row in csv.DictReader(file)]
    assert written == [row.calibrated_value for row in expected]


def test_a_table_that_was_read_by_choices_is_copied_with_the_study_file(
    qtbot: QtBot, qapp: QApplication, tables: list[str], tmp_path: Path
) -> None:
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    window = MainWindow(ThemeKeeper(qapp, "light"), Script(), settings, tmp_path)
    source = TableSource(tables[0])
    read = read_as(Path(tables[0]), "measured")
    for choices, opens in (
        (ImportChoices(), False),
        (ImportChoices().with_edit(2, "Cp [J/(kg K)]", "1500"), True),
        (ImportChoices(columns=(ColumnChoice(2, "Cp [J/(kg K)]", unit="J/(g K)"),)), True),
    ):
        window.session.import_table(read.table, source, choices)
        qtbot.waitUntil(lambda: window.is_at_rest, timeout=FIT)
        assert window.session.tables_are_as_they_come is not opens
        window.export_desk.copy_python()
        assert ("ac.Study.open('study.affinecal')" in QGuiApplication.clipboard().text()) or not opens
    assert "save the study under this name first" in window.message_bar.texts()[-1]
    destroy(window)
