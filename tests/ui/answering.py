"""Dialogs of the system, answered with the files that a test names."""

from PySide6.QtWidgets import QDialog

from affinecal_gui.ui.session.dialogs import NoDialogs


class Answers(NoDialogs):
    """Shows every dialog of the program."""

    def __init__(self) -> None:
        self.library = self.folder = self.saved = self.calibrator = ""

    def show_dialog(self, dialog: QDialog) -> bool:
        dialog.show()
        return True

    def open_library(self, title: str) -> str:
        return self.library

    def open_calibrator(self, title: str) -> str:
        return self.calibrator

    def choose_folder(self, title: str) -> str:
        return self.folder

    def save_file(self, title: str, suggestion: str, filters: str) -> str:
        return self.saved
