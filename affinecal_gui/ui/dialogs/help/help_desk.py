"""Help where it is asked for: which page belongs to which part of the window, and the window that shows it."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QShortcut
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from affinecal_gui.ui.dialogs.help.help_menu import GUIDE, HELP_KEY
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.session.notices import notice_of
from affinecal_gui.ui.session.session import Session

if TYPE_CHECKING:  # made when it is first asked for
    from affinecal_gui.ui.dialogs.help.help_window import HelpWindow

PLACES: dict[str, str] = {
    "welcomePage": "welcome-page",
    "mainToolBar": "menus-and-tool-bar",
    "dataPanel": "data",
    "parityView": "parity",
    "residualView": "residuals",
    "coefficientView": "coefficients",
    "inspector": "inspector",
    "calibratorTable": "calibrator",
    "comparisonTable": "comparison",
    "penaltyChoice": "penalties",
    "penalty_lambda_1": "penalties",
    "penalty_lambda_2": "penalties",
    "penalty_lambda_beta": "penalties",
    "surfaceView": "cross-validation-surface",
    "modelPanel": "model",
    "importDialog": "import-preview",
    "matchDialog": "matching-report",
    "askDialog": "any-polymer",
    "calibratorDialog": "calibrator-files",
    "figureDialog": "figures",
    "statusLine": "status-line",
}
"""Section of the guide for each part of the window, by the part's object name."""


class HelpDesk(QObject):
    """Opens the documents beside one window."""

    table_wanted = Signal(str)  # path of a table that a document names, and the user wants to try

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._window: HelpWindow | None = None
        self._is_closed = False

    @property
    def window(self) -> "HelpWindow | None":
        """The help window, open or not; None before it was first asked for."""
        return self._window

    def open(self, page: str = GUIDE, anchor: str = "") -> None:
        """Show a document."""
        if self._is_closed:
            return
        window = self._window
        if window is None:
            from affinecal_gui.errors import UserError
            from affinecal_gui.ui.dialogs.help.help_window import HelpWindow

            try:
                window = HelpWindow()
            except UserError as error:
                self._session.noticed.emit(notice_of(error))
                return
            window.web_page_wanted.connect(self._open_web_page)
            window.table_wanted.connect(self.table_wanted)
            self._window = window
        window.open(page, anchor)
        window.show()
        window.raise_()
        window.activateWindow()

    @Slot()
    def open_for_focus(self) -> None:
        """Show the section of the guide about the part of the window that has the keyboard."""
        self.open(GUIDE, place_of(QApplication.focusWidget()))

    @Slot(object)
    def serve(self, dialog: QDialog) -> None:
        """Answer the help key in a dialog that must be answered first, where the window's own keys do not work."""
        QShortcut(HELP_KEY, dialog).activated.connect(self.open_for_focus)

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        if self._window is not None:
            self._window.apply_theme(theme)

    def shut_down(self) -> None:
        """Close the help window for good."""
        self._is_closed = True
        if self._window is not None:
            self._window.close()
            self._window.deleteLater()
            self._window = None

    @Slot(QUrl)
    def _open_web_page(self, url: QUrl) -> None:
        QDesktopServices.openUrl(url)


def place_of(widget: QWidget | None) -> str:
    """Return the section of the guide about a part of the window; "" where there is none for it."""
    while widget is not None:
        place = PLACES.get(widget.objectName())
        if place is not None:
            return place
        widget = widget.parentWidget()
    return ""
