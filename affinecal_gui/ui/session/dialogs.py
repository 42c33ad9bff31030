"""Questions that cannot be avoided: file names, and whether to overwrite. Tests put a scripted service in its place."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, Protocol

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QMessageBox, QWidget

TABLE_FILTER = (
    "Tables (*.csv *.tsv *.txt *.dat *.tab *.smi *.gz *.bz2 *.xlsx *.xlsm *.xls *.ods *.json *.jsonl *.sdf *.parquet);;"
    "All files (*)"
)
LIBRARY_FILTER = "Libraries (*.csv *.tsv *.txt *.smi *.gz *.zst *.bz2 *.parquet *.pq);;All files (*)"
STUDY_FILTER = "AffineCal studies (*.affinecal)"
CALIBRATOR_FILTER = "AffineCal calibrators (*.affinecal-model)"

Leaving = Literal["save", "discard", "cancel"]
"""What to do with changes that are not saved."""


class Dialogs(Protocol):
    """What the window may ask."""

    def open_tables(self) -> list[str]:
        """Return the files to open; empty when the user thought better of it."""
        ...

    def open_study(self) -> str:
        """Return the study to open, or ""."""
        ...

    def open_library(self, title: str) -> str:
        """Return one table of polymers, or ""."""
        ...

    def open_calibrator(self, title: str) -> str:
        """Return a calibrator file, or ""."""
        ...

    def save_file(self, title: str, suggestion: str, filters: str) -> str:
        """Return the file to write, or "". Asks before an existing file is replaced."""
        ...

    def save_changes(self, name: str) -> Leaving:
        """Ask what becomes of the changes to a study that is about to leave the window."""
        ...

    def choose_folder(self, title: str) -> str:
        """Return a folder, or ""."""
        ...

    def confirm(self, title: str, question: str, action: str) -> bool:
        """Ask whether to do something that cannot be undone; ``action`` labels the button that does it."""
        ...

    def inform(self, title: str, text: str) -> None:
        """Show a longer text."""
        ...

    def show_dialog(self, dialog: QDialog) -> bool:
        """Open a dialog of the window's own and return at once; False when there is nobody to see it."""
        ...


@contextlib.contextmanager
def _asking(box: QMessageBox) -> Iterator[None]:
    """Ask, hand over while the answer is looked at, and end the box, which its window would otherwise keep."""
    try:
        box.exec()
        yield
    finally:
        if shiboken6.isValid(box):  # its window may have gone with the question
            box.deleteLater()


class NativeDialogs:
    """The system's own dialogs, which begin in the folder that was used last."""

    def __init__(self, parent: QWidget) -> None:
        self._parent = parent
        self._folder = str(Path.home())

    def begin_at(self, path: str) -> None:
        """Begin in the folder of a file that came from elsewhere."""
        self._folder = str(Path(path).parent)

    def open_tables(self) -> list[str]:
        """Ask for one or more tables."""
        paths, _ = QFileDialog.getOpenFileNames(self._parent, "Open tables", self._folder, TABLE_FILTER)
        if paths:
            self._folder = str(Path(paths[0]).parent)
        return list(paths)

    def open_study(self) -> str:
        """Ask for a study."""
        return self._open_file("Open study", f"{STUDY_FILTER};;All files (*)")

    def open_library(self, title: str) -> str:
        """Ask for one table of polymers."""
        return self._open_file(title, LIBRARY_FILTER)

    def open_calibrator(self, title: str) -> str:
        """Ask for a calibrator file."""
        return self._open_file(title, CALIBRATOR_FILTER)

    def _open_file(self, title: str, filters: str) -> str:
        path, _ = QFileDialog.getOpenFileName(self._parent, title, self._folder, filters)
        if path:
            self._folder = str(Path(path).parent)
        return path

    def save_changes(self, name: str) -> Leaving:
        """Ask with the three buttons of the system, in its order."""
        box = QMessageBox(QMessageBox.Icon.Warning, "AffineCal", f"Save the changes to {name}?", parent=self._parent)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setInformativeText("Otherwise they are lost.")
        save = box.addButton(QMessageBox.StandardButton.Save)
        discard = box.addButton(QMessageBox.StandardButton.Discard)
        cancel = box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(save)
        box.setEscapeButton(cancel)
        with _asking(box):
            if box.clickedButton() is save:
                return "save"
            return "discard" if box.clickedButton() is discard else "cancel"

    def save_file(self, title: str, suggestion: str, filters: str) -> str:
        """Ask for a file to write; the system asks before an existing one is replaced."""
        path, chosen = QFileDialog.getSaveFileName(self._parent, title, str(Path(self._folder) / suggestion), filters)
        if not path:
            return ""
        self._folder = str(Path(path).parent)
        if not Path(path).suffix and "(*." in chosen:
            path += "." + chosen.split("(*.")[1].split(")")[0].split(" ")[0]
            if Path(path).exists() and not self.confirm(title, f"{Path(path).name} exists already.", "Replace"):
                return ""
        return path

    def choose_folder(self, title: str) -> str:
        """Ask for a folder."""
        path = QFileDialog.getExistingDirectory(self._parent, title, self._folder)
        if path:
            self._folder = path
        return path

    def confirm(self, title: str, question: str, action: str) -> bool:
        """Ask once, with the careful answer as default."""
        box = QMessageBox(QMessageBox.Icon.Question, title, question, parent=self._parent)
        do_it = box.addButton(action, QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        with _asking(box):
            return box.clickedButton() is do_it

    def inform(self, title: str, text: str) -> None:
        """Show a text until it is closed."""
        box = QMessageBox(QMessageBox.Icon.Information, title, text, parent=self._parent)
        box.setTextInteractionFlags(box.textInteractionFlags().TextSelectableByMouse)
        with _asking(box):
            pass

    def show_dialog(self, dialog: QDialog) -> bool:
        """Open it above the window, which stays usable unless the dialog says that it must be answered first."""
        if dialog.isModal():
            dialog.open()
        else:
            dialog.show()
        return True


class NoDialogs:
    """Asks nobody, for runs without a user: chooses no file, does nothing for good, gives up what is not saved."""

    def open_tables(self) -> list[str]:
        """Return no file."""
        return []

    def open_study(self) -> str:
        """Return no file."""
        return ""

    def open_library(self, title: str) -> str:
        """Return no library."""
        return ""

    def open_calibrator(self, title: str) -> str:
        """Return no file."""
        return ""

    def save_file(self, title: str, suggestion: str, filters: str) -> str:
        """Return no file."""
        return ""

    def choose_folder(self, title: str) -> str:
        """Return no folder."""
        return ""

    def confirm(self, title: str, question: str, action: str) -> bool:
        """Do not do it."""
        return False

    def save_changes(self, name: str) -> Leaving:
        """Give them up."""
        return "discard"

    def inform(self, title: str, text: str) -> None:
        """Tell nobody."""

    def show_dialog(self, dialog: QDialog) -> bool:
        """Show nothing."""
        return False
