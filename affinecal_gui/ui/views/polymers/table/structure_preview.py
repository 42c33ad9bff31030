"""The larger picture of a repeat unit while the mouse rests on the small one in the table."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QPixmap
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.widgets.labels import label

LARGE = QSize(260, 210)
_AWAY = 6  # pixels between the cell and the picture


class StructurePreview(QFrame):
    """A window of its own beside the cell: the dock is often narrower than the picture.

    It takes neither the keyboard nor the mouse; whoever shows it takes it away again.
    """

    def __init__(self, parent: QWidget) -> None:
        flags = Qt.WindowType.ToolTip | Qt.WindowType.WindowTransparentForInput
        super().__init__(parent, flags)
        self.setObjectName("structurePreview")
        set_kind(self, "card")
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.picture = QLabel()
        self.picture.setFixedSize(LARGE)
        self.picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.name = label("", "strong", wrap=True)
        self.values = label("", "note-text", wrap=True)
        for part in (self.name, self.values):
            part.setTextFormat(Qt.TextFormat.PlainText)
            part.setFixedWidth(LARGE.width())
        box = QVBoxLayout(self)
        box.setContentsMargins(10, 8, 10, 8)
        box.setSpacing(3)
        for part in (self.picture, self.name, self.values):
            box.addWidget(part)

    def show_beside(self, cell: QRect, pixmap: QPixmap, name: str, values: Sequence[str]) -> None:
        """Show a picture beside a cell, which is in the coordinates of the screen; all of it stays on the screen."""
        self.picture.setPixmap(pixmap)
        self.name.setText(name)
        self.values.setText("\n".join(values))
        self.values.setVisible(bool(values))
        for part in (self.name, self.values):
            part.ensurePolished()  # else the height is that of another font
            part.setFixedHeight(part.heightForWidth(part.width()))
        self.adjustSize()
        screen = QGuiApplication.screenAt(cell.center()) or self.screen()
        self.move(place_beside(cell, self.size(), screen.availableGeometry()))
        self.show()


def place_beside(cell: QRect, size: QSize, area: QRect) -> QPoint:
    """Return where something is put beside a cell: at its right or, without room, its left; all of it inside the area."""
    x = cell.right() + 1 + _AWAY
    if x + size.width() > area.right() + 1:
        x = cell.left() - _AWAY - size.width()
    x = max(area.left(), min(x, area.right() + 1 - size.width()))
    y = max(area.top(), min(cell.top(), area.bottom() + 1 - size.height()))
    return QPoint(x, y)
