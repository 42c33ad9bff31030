"""The actions of the window: their words, icons and keys, and which of them can be done with the study as it is."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow

from affinecal_gui.support.trace import note_action
from affinecal_gui.ui.dialogs.help.help_menu import GLOSSARY, GUIDE, HELP_KEY, METHOD, TUTORIAL
from affinecal_gui.ui.parts.theme.theme import Theme, icon
from affinecal_gui.ui.window.view_list import VIEWS

if TYPE_CHECKING:  # imports NumPy, which the first window does not wait for
    from affinecal_gui.study.snapshot import Snapshot

MAXIMISE_KEY = "F11"
ASK_TIP = "What about this polymer? Type or paste any repeat unit, and see its calibrated value"


class WindowActions:
    """Every action of one window. What an action does is given by :meth:`connect`; where it lies, by menus and tool bar.

    Parameters
    ----------
    window
        The window.
    get_ready
        Called before anything is done: those who do it may still have to be made, and :meth:`connect` to be called.
    """

    def __init__(self, window: QMainWindow, get_ready: Callable[[], object]) -> None:
        self._window, self._get_ready = window, get_ready
        self._icons: dict[QAction, str] = {}
        self._wishes: dict[QAction, Callable[[], object]] = {}
        keys, new = QKeySequence.StandardKey, self._new
        self.new = new("&New study", "new", keys.New)
        self.open = new("&Open tables…", "open", keys.Open)
        self.open_study = new("Open s&tudy…", "study", "Ctrl+Shift+O")
        self.save = new("&Save study", "save", keys.Save, "Save the study as one file")
        self.save_as = new("Save study &as…", keys="Ctrl+Shift+S")
        self.quit = new("&Quit", keys="Ctrl+Q")

        self.add = new("Add data…", "add_table")
        self.add_in_menu = new("Add data…")
        self.match_report = new("&Matching report…", keys="Ctrl+Shift+M")

        self.ask = new("&What about this polymer?…", "ask", "Ctrl+Shift+P", ASK_TIP)
        self.ask.setIconText("Any polymer…")
        self.screen = new(
            "&Screen a library…", tip="Calibrate every polymer of a library, however long, and list the best"
        )

        self.undo = new("&Undo", "undo", keys.Undo)
        self.redo = new("&Redo", "redo")
        # Desktops differ, and hands remember either.
        self.redo.setShortcuts([QKeySequence("Ctrl+Y"), QKeySequence("Ctrl+Shift+Z")])
        self.paste = new("&Paste table")
        # A text field with the focus takes the first of them for itself.
        self.paste.setShortcuts([*QKeySequence.keyBindings(keys.Paste), QKeySequence("Ctrl+Shift+V")])
        self.find = new("&Find a polymer", keys=keys.Find)

        self.fit = new("Calibrate", "calibrate", "F5", "Fit and check all calibrators")
        self.cancel = new("Cancel", "cancel", "Esc")

        self.predictions = new(
            "Predictions…", "predict", "Ctrl+E", "Save the calibrated value of every polymer in the MD table as CSV"
        )
        self.coefficients = new("Coefficients…")
        self.measure_next = new("What to measure next…")
        self.workbook = new("All tables as a workbook…")
        self.figure = new(
            "Figure…", "figure", "Ctrl+Shift+F", "Save or copy a figure in the size and format of a journal"
        )
        self.report = new("Report…", "report", tip="Save a report as PDF or as a web page")
        self.calibrator = new(
            "Calibrator…",
            tip="Save the calibrator, with its training polymers, as a file that calibrates other tables",
        )
        self.closed_calibrator = new(
            "Calibrator without training data…",
            tip="Save the coefficients of the calibrator as a file that holds no repeat unit and no measured value",
        )
        self.copy_sentence = new("Copy the result as a sentence", tip="Copy a sentence for a text or a caption")
        self.copy_command = new("Copy as command", tip="Copy the command that does this calibration again")
        self.copy_python = new("Copy as Python", tip="Copy the lines of Python that do this calibration again")

        # Those of the centre: docks have actions of their own.
        self.views = {line.name: new(line.title) for line in VIEWS if line.place == "centre"}
        self.reset_layout = new("Reset layout")
        self.maximise = new("Maximise this view", keys=MAXIMISE_KEY)
        self.restore = new("Show all views again", keys="Esc")

        self.help_here = new("&Help on this view", keys=HELP_KEY)
        # The dialogs that stay open beside the window have no help of their own.
        self.help_here.setShortcutContext(Qt.ShortcutContext.ApplicationShortcut)
        self.pages_of_help = {
            GUIDE: new("&Guide"),
            TUTORIAL: new("&Tutorial"),
            GLOSSARY: new("G&lossary"),
            METHOD: new("&Method"),
        }
        self.log = new("Log", "log")
        self.check_for_updates = new(
            "Check for updates…", tip="Ask the release page whether there is a newer version; nothing else is sent"
        )
        self.crash_report = new(
            "Save a crash report…", tip="Save what failed, without your data, as a file that you may send"
        )
        self.about = new("About AffineCal")
        for action in (*self._of_a_study, *self._of_a_result, self.save, self.save_as, self.cancel, self.restore):
            action.setEnabled(False)  # there is nothing yet that they could be about

    def _new(self, text: str, icon_name: str = "", keys: Any = None, tip: str = "") -> QAction:
        action = QAction(text, self._window)
        if icon_name:
            self._icons[action] = icon_name
        # The words as they stand here: those of undo and redo name later what the study holds.
        action.triggered.connect(partial(self._carry_out, action, text.replace("&", "").rstrip("…")))
        if keys is not None:
            action.setShortcut(QKeySequence(keys))
        if tip:
            action.setToolTip(tip)
            action.setStatusTip(tip)
        return action

    @property
    def exports(self) -> tuple[QAction, ...]:
        """What leaves the window, in the order of the menu: tables, files, then copies."""
        tables = (self.predictions, self.coefficients, self.measure_next, self.workbook)
        files = (self.figure, self.report, self.calibrator, self.closed_calibrator)
        return (*tables, *files, self.copy_sentence, self.copy_command, self.copy_python)

    @property
    def _of_a_study(self) -> tuple[QAction, ...]:
        """What can be done where there are tables, a comparison, or steps to go back or forward."""
        return (self.fit, *self.views.values(), self.match_report, self.undo, self.redo)

    @property
    def _of_a_result(self) -> tuple[QAction, ...]:
        """What can be done with a calibration."""
        return (*self.exports, self.screen)

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        for action, name in self._icons.items():
            action.setIcon(icon(name, theme.palette, "accent" if action is self.fit else "text"))

    def connect(self, wishes: Mapping[QAction, Callable[[], object]]) -> None:
        """Say what each action does."""
        self._wishes.update(wishes)

    def _carry_out(self, action: QAction, name: str, _checked: bool = False) -> None:
        note_action(name)
        self._get_ready()
        self._wishes[action]()

    def show_snapshot(self, snapshot: "Snapshot") -> None:
        """Let be done what can be done with this state of the study, and name the steps to undo and redo."""
        calibration = snapshot.calibration
        ready = calibration is not None
        for action in self._of_a_result:
            action.setEnabled(ready)
        for action in (self.predictions, self.figure, self.report):
            action.setEnabled(ready or snapshot.corrected is not None)
        self.measure_next.setEnabled(calibration is not None and bool(calibration.measure_next))
        for action in (self.fit, *self.views.values()):
            action.setEnabled(bool(snapshot.tables))
        self.match_report.setEnabled(snapshot.compared)
        _label_step(self.undo, "Undo", snapshot.can_undo)
        _label_step(self.redo, "Redo", snapshot.can_redo)


def _label_step(action: QAction, verb: str, step: str) -> None:
    action.setEnabled(bool(step))
    action.setText(f"&{verb} {step[:1].lower()}{step[1:]}" if step else f"&{verb}")
