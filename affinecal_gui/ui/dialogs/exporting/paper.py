"""The sheet of paper on which a figure is shown before it is saved."""

from PySide6.QtCore import QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE
from affinecal_gui.ui.parts.theme.theme import current_theme

DRAWING = "Drawing…"
FADED = 0.2  # opacity of the former figure while the next one is drawn


class Paper(QWidget):
    """A sheet of white paper with the figure on it, or the reason why there is none."""

    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("figurePreview")
        self.setAccessibleName("Preview")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._image = QImage()
        self._text = DRAWING
        self._waiting = True

    @property
    def has_image(self) -> bool:
        """Whether a figure is shown, and the one that is wanted."""
        return not self._image.isNull() and not self._waiting

    @property
    def text(self) -> str:
        """What is said where there is no figure, or over the former one."""
        return "" if self.has_image else self._text

    def room(self) -> QSize:
        """Return the size that a figure may have, in logical pixels."""
        return QSize(max(self.width() - 18, 50), max(self.height() - 18, 50))

    def show_image(self, image: QImage) -> None:
        """Show a figure."""
        self._image, self._waiting = image, False
        self.update()

    def show_text(self, text: str) -> None:
        """Show why there is no figure."""
        self._image, self._waiting = QImage(), False
        self._text = text
        self.update()

    def wait(self) -> None:
        """Show the former figure faded, and over it that the next one is being drawn."""
        self._waiting = True
        self._text = DRAWING
        self.update()

    def sizeHint(self) -> QSize:
        """Return a size at which a figure is legible."""
        return QSize(600, 420)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell that there is more or less room."""
        super().resizeEvent(event)
        self.resized.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the sheet and what is on it."""
        theme = current_theme()
        painter = QPainter(self)
        if self._image.isNull():
            painter.setPen(theme.colour("muted"))
            painter.setFont(theme.font(BODY_SIZE))
            inner = self.rect().adjusted(40, 20, -40, -20)
            painter.drawText(inner, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._text)
            painter.end()
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        ratio = self.devicePixelRatioF()
        size = QSizeF(self._image.width() / ratio, self._image.height() / ratio)
        room = self.room().toSizeF()
        if size.width() > room.width() or size.height() > room.height():  # the dialog has become smaller meanwhile
            size.scale(room, Qt.AspectRatioMode.KeepAspectRatio)
        target = QRectF(0, 0, round(size.width()), round(size.height()))
        target.moveTo(round((self.width() - target.width()) / 2), round((self.height() - target.height()) / 2))
        painter.setPen(theme.colour("border"))
        painter.setBrush(Qt.GlobalColor.white)
        painter.drawRect(target.adjusted(-5, -5, 4, 4))
        if self._waiting:
            painter.setOpacity(FADED)
        painter.drawImage(target, self._image)
        if self._waiting:
            painter.setOpacity(1.0)
            painter.setPen(Qt.GlobalColor.black)  # the paper is white in any theme
            painter.setFont(theme.font(BODY_SIZE))
            painter.drawText(target, Qt.AlignmentFlag.AlignCenter, self._text)
        painter.end()
