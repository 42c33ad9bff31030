"""Labels of a kind, labels that end in an ellipsis, and thin lines."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QSizePolicy,
    QWidget,
)

from affinecal_gui.ui.parts.theme.style_sheet import set_kind


def label(text: str = "", kind: str = "", wrap: bool = False) -> QLabel:
    """Return a label of a kind (see :mod:`affinecal_gui.ui.parts.theme`)."""
    made = QLabel(text)
    if kind:
        set_kind(made, kind)
    made.setWordWrap(wrap)
    return made


def rule(upright: bool = False) -> QFrame:
    """Return a thin line."""
    line = QFrame()
    set_kind(line, "upright-rule" if upright else "rule")
    policy = QSizePolicy.Policy
    line.setSizePolicy(*((policy.Fixed, policy.Expanding) if upright else (policy.Expanding, policy.Fixed)))
    return line


class ElidedLabel(QLabel):
    """A plain-text label that ends in an ellipsis where it has no room; the tooltip then shows all of it."""

    def __init__(self, text: str = "", kind: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._shorter: tuple[str, ...] = ()
        if kind:
            set_kind(self, kind)
        self.setText(text)

    def set_wordings(self, text: str, *shorter: str) -> None:
        """Show a text, or where it has no room the first of the shorter ones that has."""
        self.setText(text)
        self._shorter = shorter
        self.update()

    def setText(self, text: str) -> None:
        """Show a text that has no shorter one."""
        self._shorter = ()
        super().setText(text)

    @property
    def shown_text(self) -> str:
        """What of the text, or which of the shorter ones, there is room for."""
        metrics, width = self.fontMetrics(), self.width()
        for text in (self.text(), *self._shorter):
            if metrics.horizontalAdvance(text) <= width:
                return text
        return metrics.elidedText((self.text(), *self._shorter)[-1], Qt.TextElideMode.ElideRight, width)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw as much of the text as there is room for."""
        shown = self.shown_text
        self.setToolTip(self.text() if shown != self.text() else "")
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), int(self.alignment()), shown)
        painter.end()
