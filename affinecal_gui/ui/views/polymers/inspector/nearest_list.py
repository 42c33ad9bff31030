"""The polymers of the fit that resemble the inspected one most; a click goes there."""

from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QVBoxLayout, QWidget

from affinecal_gui.study.shown.inspector_content import NearestPolymer
from affinecal_gui.ui.parts.number_text import number_text
from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE, NOTE_SIZE
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme
from affinecal_gui.ui.views.polymers.table.polymer_delegate import wrap
from affinecal_gui.ui.views.polymers.thumbnails import ThumbnailStore

PICTURE = QSize(46, 38)
HEIGHT = 44  # of an entry whose name has no more lines than that
MOST_LINES = 5  # of a name
_NAME_LEFT = PICTURE.width() + 6.0


class NearestList(QWidget):
    """Buttons below each other: structure, name, distance."""

    selected = Signal(str)  # key of the row

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Nearest polymers of the fit")
        self._thumbnails = ThumbnailStore(self)
        self._thumbnails.ready.connect(self._repaint)
        self._buttons: list[NearestButton] = []
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)

    def show_nearest(self, polymers: Sequence[NearestPolymer]) -> None:
        """Replace the list."""
        while len(self._buttons) < len(polymers):
            button = NearestButton(self._thumbnails)
            button.clicked.connect(self._announce)
            self._box.addWidget(button)
            self._buttons.append(button)
        for number, button in enumerate(self._buttons):
            button.setVisible(number < len(polymers))
            if number < len(polymers):
                button.show_polymer(polymers[number])

    @property
    def buttons(self) -> tuple["NearestButton", ...]:
        """The polymers that are shown, nearest first."""
        return tuple(button for button in self._buttons if not button.isHidden())

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        self._repaint("")

    @property
    def is_drawing(self) -> bool:
        """Whether pictures are still to come."""
        return self._thumbnails.is_drawing

    def close_thumbnails(self) -> bool:
        """Stop drawing pictures for good; returns whether the drawing thread ended in time."""
        return self._thumbnails.close()

    def event(self, event: QEvent) -> bool:
        """Stop drawing pictures when the list is about to go."""
        if event.type() == QEvent.Type.DeferredDelete:
            self._thumbnails.close()
        return super().event(event)

    @Slot()
    def _announce(self) -> None:
        button = self.sender()
        if isinstance(button, NearestButton) and button.polymer is not None:
            self.selected.emit(button.polymer.key)

    @Slot(str)
    def _repaint(self, _smiles: str) -> None:
        for button in self._buttons:
            button.update()


class NearestButton(QAbstractButton):
    """One polymer."""

    def __init__(self, thumbnails: ThumbnailStore, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._thumbnails = thumbnails
        self.polymer: NearestPolymer | None = None
        self.setFixedHeight(HEIGHT)
        self.setMinimumWidth(130)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def show_polymer(self, polymer: NearestPolymer) -> None:
        """Show another polymer."""
        self.polymer = polymer
        self.setText(polymer.label)
        self.setAccessibleName(f"{polymer.label}, distance {number_text(polymer.distance, 2)}")
        self.setToolTip(f"Go to {polymer.label}")
        self._fit_height()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the name the lines that it needs."""
        super().resizeEvent(event)
        self._fit_height()

    def _fit_height(self) -> None:
        height = QFontMetricsF(current_theme().font(NOTE_SIZE)).height()
        self.setFixedHeight(max(HEIGHT, ceil(len(self._name_lines()) * height) + 4))

    def _name_lines(self) -> list[str]:
        """Return the name, broken where it lies between structure and distance."""
        if self.polymer is None:
            return []
        width = self.width() - _NAME_LEFT - self._distance_width() - 6
        return wrap(self.polymer.label, current_theme().font(NOTE_SIZE), width, MOST_LINES)

    def _distance_width(self) -> float:
        distance = number_text(self.polymer.distance, 2) if self.polymer is not None else ""
        return QFontMetricsF(current_theme().font(BODY_SIZE)).horizontalAdvance(distance)

    def sizeHint(self) -> QSize:
        """Return the usual size."""
        return QSize(160, HEIGHT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open with Enter as well as with Space."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw structure, name and distance above a thin line."""
        if self.polymer is None:
            return
        theme = current_theme()
        painter = QPainter(self)
        rect = QRectF(self.rect())
        if self.underMouse() or self.hasFocus() or self.isDown():
            painter.fillRect(rect, theme.colour("selection"))
        painter.setPen(theme.colour("soft_border"))
        painter.drawLine(QPointF(0, rect.bottom() - 0.5), QPointF(rect.right(), rect.bottom() - 0.5))
        _, pixmap = self._thumbnails.find(self.polymer.smiles, PICTURE, self.devicePixelRatioF(), dark=theme.dark)
        if pixmap is not None:
            place = QRectF(QPointF(0, 0), pixmap.deviceIndependentSize())
            place.moveCenter(QPointF(PICTURE.width() / 2, rect.center().y()))
            painter.drawPixmap(place, pixmap, QRectF(pixmap.rect()))
        font, note = theme.font(BODY_SIZE), theme.font(NOTE_SIZE)
        painter.setFont(font)
        painter.setPen(theme.colour("text"))
        distance = number_text(self.polymer.distance, 2)
        painter.drawText(rect, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, distance)
        height, lines = QFontMetricsF(note).height(), self._name_lines()
        painter.setFont(note)
        top = rect.center().y() - len(lines) * height / 2
        for line in lines:
            place = QRectF(_NAME_LEFT, top, rect.width() - _NAME_LEFT - self._distance_width(), height)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, line)
            top += height
        painter.end()
