"""What atoms, bonds, angles and dihedrals add to a calibrated value, as bars from a common zero line."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from affinecal_gui.study.shown.inspector_content import Effect
from affinecal_gui.ui.parts.number_text import number_text
from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE
from affinecal_gui.ui.parts.theme.theme import current_theme

LINE = 16
BAR = 8


class EffectBars(QWidget):
    """One line per kind of term: name, bar, number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._effects: tuple[Effect, ...] = ()
        self._decimals = 3
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_effects(self, effects: Sequence[Effect], decimals: int) -> None:
        """Show these effects with so many decimals."""
        self._effects, self._decimals = tuple(effects), decimals
        spoken = ", ".join(f"{effect.label} {number_text(effect.value, decimals, signed=True)}" for effect in effects)
        self.setAccessibleName(f"Effect by kind of term: {spoken}")
        self.setFixedHeight(LINE * len(self._effects))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the room for names, bars and numbers."""
        return QSize(200, LINE * len(self._effects))

    def minimumSizeHint(self) -> QSize:
        """Return the room for names and numbers with short bars."""
        return QSize(170, LINE * len(self._effects))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bars to one scale."""
        if not self._effects:
            return
        theme = current_theme()
        painter = QPainter(self)
        font = theme.font(BODY_SIZE)
        metrics = QFontMetricsF(font)
        texts = [number_text(effect.value, self._decimals, signed=effect.value > 0) for effect in self._effects]
        name_width = max(metrics.horizontalAdvance(effect.label) for effect in self._effects) + 8
        text_width = max(metrics.horizontalAdvance(text) for text in texts) + 8
        room = max(self.width() - name_width - text_width, 10.0)
        lowest = min(0.0, *(effect.value for effect in self._effects))
        highest = max(0.0, *(effect.value for effect in self._effects))
        scale = room / (highest - lowest) if highest > lowest else 0.0
        zero = name_width - lowest * scale
        painter.setFont(font)
        for number, (effect, text) in enumerate(zip(self._effects, texts, strict=True)):
            line = QRectF(0, number * LINE, self.width(), LINE)
            painter.setPen(theme.colour("muted"))
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, effect.label)
            painter.setPen(theme.colour("text"))
            painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
            length = effect.value * scale
            bar = QRectF(min(zero, zero + length), line.center().y() - BAR / 2, abs(length), BAR)
            painter.fillRect(bar, theme.colour("atom_lowers" if effect.value < 0 else "atom_raises"))
            painter.fillRect(QRectF(zero - 0.5, line.center().y() - BAR / 2 - 1, 1, BAR + 2), theme.colour("muted"))
        painter.end()
