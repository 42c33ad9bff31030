"""Opens calibrator files beside a window, has them asked about polymers, and applies them to tables."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from affinecal_gui.ui.dialogs.calibrators.calibrator_jobs import (
    AppliedTable,
    ApplyCalibrator,
    AskCalibrator,
    OpenCalibrator,
    OpenedCalibrator,
)
from affinecal_gui.ui.dialogs.dialog_desk import DialogDesk
from affinecal_gui.ui.session.dialogs import Dialogs
from affinecal_gui.ui.session.session import Session

if TYPE_CHECKING:  # these import the chemistry, which the first window does not wait for
    from affinecal_gui.study.asking.asked_polymer import AskedPolymer
    from affinecal_gui.ui.dialogs.calibrators.calibrator_dialog import CalibratorDialog

TABLE_FILTER = "Table (*.csv)"


class CalibratorDesk(DialogDesk["CalibratorDialog"]):
    """The calibrator file of one window: one at a time, which the next takes the place of."""

    def __init__(self, session: Session, dialogs: Dialogs, window: QWidget) -> None:
        super().__init__(dialogs, window)
        self._session = session
        self._opened: OpenedCalibrator | None = None

    @Slot(str)
    def open_file(self, path: str) -> None:
        """Read a calibrator file in the background, and show it."""
        self._session.jobs.start(OpenCalibrator(path), self._take)

    def make(self, window: QWidget) -> "CalibratorDialog":
        """Return the dialog."""
        from affinecal_gui.ui.dialogs.calibrators.calibrator_dialog import CalibratorDialog

        dialog = CalibratorDialog(window)
        dialog.asked.connect(self._ask)
        dialog.table_wished.connect(self._apply)
        return dialog

    def closed(self) -> None:
        """Forget the calibrator."""
        self._session.jobs.drop(AskCalibrator)
        self._opened = None

    def _take(self, opened: OpenedCalibrator) -> None:
        self.open()
        if self.dialog is not None:
            self._opened = opened
            self.dialog.show_calibrator(opened)

    @Slot(str, str)
    def _ask(self, text: str, md: str) -> None:
        if self._opened is not None:
            self._session.jobs.start(AskCalibrator(self._opened, text, md), self._answer)

    def _answer(self, answer: "AskedPolymer") -> None:
        if self.dialog is not None:
            self.dialog.box.show_answer(answer)

    @Slot()
    def _apply(self) -> None:
        opened = self._opened
        table = self._dialogs.open_library("Table to calibrate") if opened is not None else ""
        if opened is None or not table:
            return
        suggestion = f"{Path(table).name.split('.')[0]} calibrated.csv"
        path = self._dialogs.save_file("Save the calibrated table", suggestion, TABLE_FILTER)
        if path:
            self._session.jobs.start(ApplyCalibrator(opened, table, Path(path)), self._applied)

    def _applied(self, table: AppliedTable) -> None:
        self._session.exported.emit((table.path,))
        if self.dialog is not None:
            self.dialog.show_applied(table)
