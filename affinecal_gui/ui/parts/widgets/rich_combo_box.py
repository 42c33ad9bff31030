"""A combo box whose entries may contain symbols with lowered letters."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStyleOptionViewItem,
    QStylePainter,
    QWidget,
)

from affinecal_gui.ui.parts.painted_text import draw_rich_text, plain_text, rich_text_width
from affinecal_gui.ui.parts.quiet_inputs import QuietComboBox
from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE
from affinecal_gui.ui.parts.theme.theme import current_theme

RICH_ROLE = Qt.ItemDataRole.UserRole + 7
LEFT, RIGHT = 11, 24  # margins around the text of the closed box


class RichComboBox(QuietComboBox):
    """Entries have a plain text, for keyboard search and screen readers, and a rich one, which is drawn."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setItemDelegate(_RichDelegate(self))

    def add_rich_item(self, text: str, data: object) -> None:
        """Add an entry; the text may have the tags i, b, sub and sup."""
        self.addItem(plain_text(text), data)
        self.setItemData(self.count() - 1, text, RICH_ROLE)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the box as the style does, and the entry itself with its symbols."""
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = ""
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        text = self.currentData(RICH_ROLE) or self.currentText()
        room = QRectF(self.rect()).adjusted(LEFT, 0, -RIGHT, 0)
        colour = current_theme().colour("text" if self.isEnabled() else "faint")
        draw_rich_text(painter, room, str(text), self.font(), colour)

    def minimumSizeHint(self) -> QSize:
        """Return a width at which entries are cut."""
        return QSize(90, super().minimumSizeHint().height())


class _RichDelegate(QStyledItemDelegate):
    """Draws an entry of the open list."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme = current_theme()
        rect = QRectF(option.rect)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.colour("selection"))
        text = str(index.data(RICH_ROLE) or index.data())
        draw_rich_text(painter, rect.adjusted(10, 0, -8, 0), text, theme.font(BODY_SIZE), theme.colour("text"))

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        text = str(index.data(RICH_ROLE) or index.data())
        return QSize(round(rich_text_width(text, current_theme().font(BODY_SIZE))) + 20, 24)
