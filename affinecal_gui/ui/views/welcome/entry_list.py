"""A framed list of things to open, each with a title, a line below it and a word at the right."""

from collections.abc import Iterable
from typing import NamedTuple

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QEnterEvent, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QSizePolicy, QVBoxLayout, QWidget

from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE
from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.theme.theme import current_theme, icon

ENTRY_HEIGHT = 50
ICON = 18


class Entry(NamedTuple):
    """One line of the list."""

    key: str
    title: str
    subtitle: str = ""
    note: str = ""  # "today"; without one an arrow shows that the entry opens something


class EntryList(QFrame):
    """Buttons below each other; Tab and the arrow keys move, Enter and Space open."""

    chosen = Signal(str)  # key of the entry

    def __init__(self, icon_name: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_kind(self, "card")
        self.setAccessibleName(name)
        self._icon_name = icon_name
        self._buttons: list[EntryButton] = []
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(1, 1, 1, 1)
        self._box.setSpacing(0)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_entries(self, entries: Iterable[Entry]) -> None:
        """Replace the list."""
        for button in self._buttons:
            button.hide()
            self._box.removeWidget(button)
            button.deleteLater()
        self._buttons = []
        for entry in entries:
            button = EntryButton(Entry(*entry), self._icon_name, first=not self._buttons)
            button.clicked.connect(self._announce)
            self._box.addWidget(button)
            self._buttons.append(button)
        self.setVisible(bool(self._buttons))

    @property
    def buttons(self) -> tuple["EntryButton", ...]:
        """The entries from top to bottom."""
        return tuple(self._buttons)

    @Slot()
    def _announce(self) -> None:
        button = self.sender()
        if isinstance(button, EntryButton):
            self.chosen.emit(button.entry.key)


class EntryButton(QAbstractButton):
    """One entry."""

    def __init__(self, entry: Entry, icon_name: str, *, first: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entry = entry
        self._icon_name = icon_name
        self._first = first
        self.setText(entry.title)
        self.setAccessibleName(entry.title)
        self.setAccessibleDescription(", ".join(part for part in (entry.subtitle, entry.note) if part))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedHeight(ENTRY_HEIGHT)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def sizeHint(self) -> QSize:
        """Return the room for the longer line."""
        widest = max(
            QFontMetricsF(current_theme().font(BODY_SIZE, bold=True)).horizontalAdvance(self.entry.title),
            QFontMetricsF(current_theme().font(BODY_SIZE)).horizontalAdvance(self.entry.subtitle),
        )
        return QSize(round(widest) + 120, ENTRY_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """Return the room for a title cut short."""
        return QSize(160, ENTRY_HEIGHT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open with Enter as well as with Space."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the entry; the one under the mouse, or with the keyboard, on the ground of a selection."""
        theme = current_theme()
        painter = QPainter(self)
        rect = self.rect()
        lit = self.underMouse() or self.hasFocus() or self.isDown()
        if lit:
            painter.fillRect(rect, theme.colour("selection"))
            painter.fillRect(0, 0, 3, rect.height(), theme.colour("accent"))
        if not self._first:
            painter.setPen(theme.colour("border"))
            painter.drawLine(0, 0, rect.width() - 1, 0)
        middle = rect.center().y() + 1
        picture = icon(self._icon_name, theme.palette, "accent")
        picture.paint(painter, QRect(14, middle - ICON // 2, ICON, ICON))
        note_font = theme.font(BODY_SIZE)
        note_width = QFontMetricsF(note_font).horizontalAdvance(self.entry.note) if self.entry.note else 14.0
        right = rect.right() - 13
        if self.entry.note:
            painter.setFont(note_font)
            painter.setPen(theme.colour("muted"))
            painter.drawText(
                QRectF(right - note_width - 1, 0, note_width + 2, rect.height()),
                Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
                self.entry.note,
            )
        else:
            arrow = icon("chevron_right", theme.palette, "muted")
            arrow.paint(painter, QRect(right - 14, middle - 7, 14, 14))
        left = 14 + ICON + 13
        width = right - note_width - 10 - left
        for bold, role, text, top in (
            (True, "text", self.entry.title, rect.center().y() - 16),
            (False, "muted", self.entry.subtitle, rect.center().y() + 1),
        ):
            font = theme.font(BODY_SIZE, bold=bold)
            painter.setFont(font)
            painter.setPen(theme.colour(role))
            shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, width)
            painter.drawText(QRectF(left, top, width, 16), Qt.AlignmentFlag.AlignVCenter, shown)
        painter.end()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Light up."""
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Go back."""
        super().leaveEvent(event)
        self.update()
