"""Flat buttons with an icon, the question mark that explains, and buttons that read as links."""

from PySide6.QtCore import QEvent, QSize, Qt, Slot
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.theme.theme import current_theme
from affinecal_gui.ui.parts.widgets.labels import label
from affinecal_gui.ui.parts.widgets.themed_icons import COLOUR_CHANGES, themed_icon

ICON_SIZE = QSize(16, 16)


class ThemedToolButton(QToolButton):
    """A flat tool button whose icon follows the theme.

    Parameters
    ----------
    icon_name
        One of ``icons.icon_names()``.
    tip
        What it does: tooltip and accessible name.
    text
        Shown beside the icon; empty for the icon alone.
    role
        Colour role of the icon.
    """

    def __init__(
        self, icon_name: str, tip: str, text: str = "", role: str = "muted", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._icon_name = icon_name
        self._role = role
        self._shown: tuple[object, ...] = ()
        self.setAutoRaise(True)
        self.setIconSize(ICON_SIZE)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip(tip)
        self.setAccessibleName(tip)
        if text:
            self.setText(text)
            self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._tint()

    def set_icon_name(self, icon_name: str, tip: str) -> None:
        """Show another icon, and say what the button does now."""
        self._icon_name = icon_name
        self.setToolTip(tip)
        self.setAccessibleName(tip)
        self._tint()

    def changeEvent(self, event: QEvent) -> None:
        """Colour the icon anew when the theme changed."""
        super().changeEvent(event)
        if event.type() in COLOUR_CHANGES:
            self._tint()

    def _tint(self) -> None:
        wanted = (self._icon_name, self._role, current_theme())
        if wanted != self._shown:  # Qt tells of one change of theme several times
            self._shown = wanted
            self.setIcon(themed_icon(self._icon_name, self._role))


class ExplainButton(ThemedToolButton):
    """A question mark that answers "What am I looking at?" in a few sentences; Escape or a click closes the answer.

    Parameters
    ----------
    text
        The answer: plain text or simple rich text.
    """

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__("help", "What am I looking at?", parent=parent)
        self._text = text
        self.answer: QFrame | None = None
        self.setAccessibleDescription(text)
        self.clicked.connect(self.explain)

    def set_text(self, text: str) -> None:
        """Change the answer."""
        self._text = text
        self.setAccessibleDescription(text)

    @Slot()
    def explain(self) -> None:
        """Show the answer below the button."""
        if self.answer is None:
            self.answer = QFrame(self, Qt.WindowType.Popup)
            set_kind(self.answer, "card")
            words = label("", wrap=True)
            words.setFixedWidth(300)
            box = QVBoxLayout(self.answer)
            box.setContentsMargins(12, 10, 12, 10)
            box.addWidget(words)
        self.answer.findChildren(QLabel)[0].setText(self._text)
        self.answer.adjustSize()
        below = self.mapToGlobal(self.rect().bottomRight())
        self.answer.move(below.x() - self.answer.width(), below.y() + 2)
        self.answer.show()


class LinkButton(QPushButton):
    """A button that reads as a link; unlike a link in a text it is reached by the keyboard like any button."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        set_kind(self, "link")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
