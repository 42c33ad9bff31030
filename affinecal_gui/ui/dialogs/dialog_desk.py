"""A dialog that stays open beside the window: made when it is first wanted, brought to the front after that."""

from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QDialog, QWidget

from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.session.dialogs import Dialogs


class StayingDialog(QDialog):
    """A dialog that takes over the colours of its window, and may draw pictures in a thread."""

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        raise NotImplementedError

    def close_thumbnails(self) -> None:
        """End the thread that draws pictures."""
        raise NotImplementedError


Dialog = TypeVar("Dialog", bound=StayingDialog)


class DialogDesk(QObject, Generic[Dialog]):
    """Opens and closes the one dialog of its kind; subclasses make it, and say what happens when it opens and closes.

    Parameters
    ----------
    dialogs
        Shows it.
    window
        The window that it belongs to.
    """

    def __init__(self, dialogs: Dialogs, window: QWidget) -> None:
        super().__init__(window)
        self._dialogs, self._window = dialogs, window
        self.dialog: Dialog | None = None
        """None while it is closed."""

    def make(self, window: QWidget) -> Dialog:
        """Return a new dialog, with its signals connected."""
        raise NotImplementedError

    def opened(self, dialog: Dialog) -> None:
        """Fill a dialog that was just shown."""

    def closed(self) -> None:
        """Forget what was kept for the dialog that was just closed."""

    def open(self) -> None:
        """Show the dialog, or bring it to the front."""
        if self.dialog is None:
            dialog = self.make(self._window)
            if not self._dialogs.show_dialog(dialog):
                dialog.deleteLater()
                return
            dialog.finished.connect(self._close)
            self.dialog = dialog
            self.opened(dialog)
        self.dialog.raise_()
        self.dialog.activateWindow()

    def shut_down(self) -> None:
        """Close the dialog, whatever is under way."""
        if self.dialog is not None:
            self.dialog.done(0)

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        if self.dialog is not None:
            self.dialog.apply_theme(theme)

    @Slot()
    def _close(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.close_thumbnails()
            dialog.deleteLater()
        self.closed()
