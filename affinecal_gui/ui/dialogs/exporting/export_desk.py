"""Everything that leaves the window: tables, figures and reports as files, figures on the clipboard."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QObject, QSettings, QThread, QTimer, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from affinecal_gui.study.results.reproducing import Repetition, command_to_copy, python_to_copy
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.stored.study_names import CALIBRATOR_SUFFIX
from affinecal_gui.study.words.result_sentence import result_sentence
from affinecal_gui.ui.dialogs.exporting.exports import (
    CALIBRATOR_FILTER,
    COPIED_DPI,
    CSV_FILTER,
    FIGURE_FILTERS,
    REPORT_FILTER,
    WORKBOOK_FILTER,
    CopiedFigure,
    CopyFigure,
    ExportCalibrator,
    ExportCoefficients,
    ExportFigure,
    ExportMeasureNext,
    ExportPredictions,
    ExportReport,
    ExportWorkbook,
)
from affinecal_gui.ui.parts.clipboard import put_on_clipboard
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.session.dialogs import Dialogs
from affinecal_gui.ui.session.notices import Notice
from affinecal_gui.ui.session.session import Session
from affinecal_gui.ui.session.study_jobs import Export

if TYPE_CHECKING:  # made when it is first asked for
    from affinecal_gui.study.calibrator_files.description import Grade
    from affinecal_gui.study.results.study_figures import FigureOptions
    from affinecal_gui.ui.dialogs.exporting.figure_controls import FigureChoice
    from affinecal_gui.ui.dialogs.exporting.figure_dialog import FigureDialog
    from affinecal_gui.ui.session.study_keeper import StudyKeeper

SVG = "image/svg+xml"


class ExportDesk(QObject):
    """The exports of one window."""

    def __init__(
        self,
        session: Session,
        dialogs: Dialogs,
        settings: QSettings,
        keeper: "Callable[[], StudyKeeper]",
        window: QWidget,
    ) -> None:
        """Serve a session; ``keeper`` gives who knows where the study is saved."""
        super().__init__(window)
        self._session = session
        self._dialogs = dialogs
        self._settings = settings
        self._keeper = keeper
        self._window = window
        self._selected = ""
        self._block_order: tuple[str, ...] = ()
        self._dialog: FigureDialog | None = None
        self._copied: CopiedFigure | None = None
        session.snapshot_changed.connect(self._follow)
        session.exported.connect(self._tell_saved)

    # -- tables and reports ---------------------------------------------------------------------------------------

    @Slot()
    def export_predictions(self) -> None:
        """Save the calibrated value of every polymer with an MD value."""
        self._export("Save calibrated values", "predictions.csv", CSV_FILTER, ExportPredictions)

    @Slot()
    def export_coefficients(self) -> None:
        """Save the coefficients."""
        self._export("Save coefficients", "coefficients.csv", CSV_FILTER, ExportCoefficients)

    @Slot()
    def export_measure_next(self) -> None:
        """Save the list of what to measure next."""
        self._export("Save what to measure next", "measure_next.csv", CSV_FILTER, ExportMeasureNext)

    @Slot(str)
    def export_list(self, name: str) -> None:
        """Save one of the lists of the data panel."""
        if name == "next":
            self.export_measure_next()
        else:
            self.export_predictions()

    @Slot()
    def export_workbook(self) -> None:
        """Save all tables as one workbook."""
        self._export("Save all tables", f"{self._stem('tables')}.xlsx", WORKBOOK_FILTER, ExportWorkbook)

    @Slot()
    def export_report(self) -> None:
        """Save the report."""
        path = self._keeper().path
        make = partial(ExportReport, self._session.study.state, Path(path).name if path else "")
        self._export("Save the report", f"{self._stem('report')}.pdf", REPORT_FILTER, make)

    @Slot()
    def export_calibrator(self) -> None:
        """Save the chosen calibrator with its training polymers."""
        self._export_calibrator("Save the calibrator with its training polymers", "calibrator", "open")

    @Slot()
    def export_closed_calibrator(self) -> None:
        """Save the coefficients of the chosen calibrator alone."""
        self._export_calibrator("Save the calibrator without its training polymers", "closed calibrator", "closed")

    def _export_calibrator(self, title: str, word: str, grade: "Grade") -> None:
        study = self._session.study
        make = partial(ExportCalibrator, study.state, study.derived, grade)
        self._export(title, f"{self._stem(word)}{CALIBRATOR_SUFFIX}", CALIBRATOR_FILTER, make)

    @Slot()
    def copy_command(self) -> None:
        """Put the command that does the calibration again on the clipboard."""
        self._copy_repetition(command_to_copy, "The command")

    @Slot()
    def copy_python(self) -> None:
        """Put lines of Python that do the calibration again on the clipboard."""
        self._copy_repetition(python_to_copy, "The Python code")

    @Slot()
    def copy_sentence(self) -> None:
        """Put the result on the clipboard as a sentence for a text."""
        sentence = result_sentence(self._session.study.snapshot())
        if sentence:
            QGuiApplication.clipboard().setText(sentence)
            self._session.noticed.emit(Notice("done", "The sentence was copied."))

    def _copy_repetition(self, made_by: "Callable[..., Repetition]", what: str) -> None:
        path = self._keeper().path
        found = made_by(
            self._session.study.state,
            path,
            is_saved=bool(path) and not self._keeper().is_modified,
            as_they_come=self._session.tables_are_as_they_come,
        )
        QGuiApplication.clipboard().setText(found.text)
        notice = Notice("done", f"{what} was copied.")
        if found.needs_saving:
            name = Path(found.opens).name
            notice = Notice("caution", f"{what} was copied. It opens {name}: save the study under this name first.")
        self._session.noticed.emit(notice)

    def _stem(self, word: str) -> str:
        path = self._keeper().path
        return f"{Path(path).stem} {word}" if path else word

    def _export(self, title: str, suggestion: str, filters: str, make: Callable[[Snapshot, Path], Export]) -> None:
        snapshot = self._session.study.snapshot()
        if snapshot.calibration is None and snapshot.corrected is None:
            text = "There is no calibration to save yet. Load measured values and MD values first."
            missing = Notice("caution", text, stands_while=lambda shown: shown.calibration is None)
            self._session.noticed.emit(missing)
            return
        path = self._dialogs.save_file(title, suggestion, filters)
        if path:
            # The dialog asked before it returned an existing file.
            self._session.export(make(snapshot, Path(path)))

    # -- figures --------------------------------------------------------------------------------------------------

    @property
    def figure_dialog(self) -> "FigureDialog":
        """The dialog, open or not."""
        if self._dialog is None:
            from affinecal_gui.ui.dialogs.exporting.figure_dialog import FigureDialog

            dialog = FigureDialog(self._settings, self._window)
            dialog.save_wished.connect(self._save_figure)
            dialog.copy_wished.connect(self._copy_choice)
            dialog.show_block_order(self._block_order)
            self._dialog = dialog
            self._follow(self._session.study.snapshot())
            dialog.show_selection(self._selected)
        return self._dialog

    @property
    def is_drawing(self) -> bool:
        """Whether a preview is under way."""
        return self._dialog is not None and self._dialog.is_drawing

    @Slot(str)
    def open_figures(self, name: str = "", options: "FigureOptions | None" = None) -> None:
        """Show the figure dialog, with a figure chosen, and drawn as a view shows it if ``options`` say how."""
        is_new = self._dialog is None
        dialog = self.figure_dialog
        snapshot = self._session.study.snapshot()
        if not name and snapshot.calibration is None and snapshot.corrected is not None:
            name = "corrected"  # which is there without a calibration
        if name:
            dialog.controls.choose(name, options)
        if is_new and QThread.currentThread().loopLevel():
            QTimer.singleShot(0, self, self._show_figures)  # making it took long enough for one turn
        else:
            self._show_figures()

    @Slot()
    def _show_figures(self) -> None:
        dialog = self.figure_dialog
        if not dialog.isVisible() and not self._dialogs.show_dialog(dialog):
            return
        dialog.raise_()
        dialog.activateWindow()

    @Slot(str)
    def copy(self, name: str, options: "FigureOptions | None" = None) -> None:
        """Put a figure on the clipboard, in the width that it had last."""
        self._copy(name, self.figure_dialog.options_for(name, options))

    def show_selection(self, key: str) -> None:
        """Draw the effect of this polymer from now on."""
        self._selected = key
        if self._dialog is not None:
            self._dialog.show_selection(key)

    def show_block_order(self, names: tuple[str, ...]) -> None:
        """Draw the coefficients in this order of blocks from now on."""
        self._block_order = names
        if self._dialog is not None:
            self._dialog.show_block_order(names)

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        if self._dialog is not None:
            self._dialog.apply_theme(theme)

    def shut_down(self) -> None:
        """Close the dialog and stop its drawing; a figure that was copied stays on the clipboard as a picture."""
        if self._dialog is not None:
            self._dialog.close()
            self._dialog.shut_down()
        board = QGuiApplication.clipboard()
        if self._copied is not None and board.mimeData().data(SVG).data() == self._copied.svg:
            # The clipboard outlives the interpreter, and must not hold an object of Python then.
            board.setImage(self._copied.image)
        self._copied = None

    @Slot(object)
    def _follow(self, snapshot: Snapshot) -> None:
        if self._dialog is not None:
            self._dialog.show_study(snapshot)

    @Slot(object)
    def _save_figure(self, choice: "FigureChoice") -> None:
        self._export(
            "Save the figure",
            f"{choice.name}{choice.suffix}",
            _filters_from(choice.suffix),
            partial(ExportFigure, choice.name, choice.options, choice.dpi),
        )
        self.figure_dialog.activateWindow()  # the system's dialog gave the keyboard to the window behind

    @Slot(object)
    def _tell_saved(self, paths: tuple[str, ...]) -> None:
        """Say in the dialog, which lies over the status line, what was saved while it was open."""
        if self._dialog is not None and self._dialog.isVisible() and paths:
            names = ", ".join(Path(path).name for path in paths)
            self._dialog.tell_outcome(f"Saved {names}.", str(Path(paths[0]).parent))

    @Slot(object)
    def _copy_choice(self, choice: "FigureChoice") -> None:
        self._copy(choice.name, choice.options)

    def _copy(self, name: str, options: "FigureOptions") -> None:
        snapshot = self._session.study.snapshot()
        if snapshot.calibration is not None or snapshot.corrected is not None:
            self._session.jobs.start(CopyFigure(name, snapshot, options), self.take_copy)

    def take_copy(self, result: CopiedFigure) -> None:
        """Put a figure that was asked for onto the clipboard."""
        data = QMimeData()
        data.setData("image/png", result.png)
        data.setData(SVG, result.svg)
        data.setImageData(result.image)
        put_on_clipboard(data)
        self._copied = result
        text = f"Copied the figure “{result.title}” as a picture of {COPIED_DPI} dpi and as SVG."
        self._session.noticed.emit(Notice("done", text))
        if self._dialog is not None and self._dialog.isVisible():
            self._dialog.tell_outcome("Copied.")


def _filters_from(suffix: str) -> str:
    """Return the formats for a file dialog, the chosen one first."""
    others = [words for ending, words in FIGURE_FILTERS.items() if ending != suffix]
    return ";;".join([FIGURE_FILTERS[suffix], *others])
