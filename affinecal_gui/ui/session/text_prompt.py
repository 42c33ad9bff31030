"""A small field that opens where a text is to be changed; Enter takes it, Escape or a click elsewhere does not."""

from PySide6.QtCore import QRect, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.widgets.labels import label

WIDTH = 320


class TextPrompt(QFrame):
    """Asks for one text. It deletes itself when it closes."""

    entered = Signal(str)

    def __init__(self, title: str, text: str, action: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("textPrompt")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_kind(self, "card")
        self.field = QLineEdit(text)
        self.field.setObjectName("textPromptField")
        self.field.setAccessibleName(title)
        self.field.selectAll()
        self.field.returnPressed.connect(self._take)
        button = QPushButton(action)
        button.setObjectName("textPromptButton")
        set_kind(button, "primary")
        button.clicked.connect(self._take)
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self.field, 1)
        row.addWidget(button)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(10, 8, 10, 10)
        self.body.setSpacing(6)
        self.body.addWidget(label(title, "muted", wrap=True))
        self.body.addLayout(row)
        self.setFixedWidth(WIDTH)

    def open_at(self, place: QRect) -> None:
        """Open below a place on the screen, or above it where there is no room."""
        self.adjustSize()
        x, y = place.left(), place.bottom() + 2
        screen = QGuiApplication.screenAt(place.center()) or QGuiApplication.primaryScreen()
        room = screen.availableGeometry()
        if y + self.height() > room.bottom():
            y = place.top() - self.height() - 2
        self.move(max(min(x, room.right() - self.width()), room.left()), max(y, room.top()))
        self.show()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes without a change."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
            return
        super().keyPressEvent(event)

    @Slot()
    def _take(self) -> None:
        text = self.field.text()
        self.close()
        self.entered.emit(text)
