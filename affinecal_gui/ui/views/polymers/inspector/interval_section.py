"""What the interval of the inspected polymer is made of: one bar in parts, and what would narrow it."""

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from affinecal_gui.study.shown.inspector_content import InspectorContent, IntervalShare
from affinecal_gui.ui.parts.selectable import make_selectable
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme
from affinecal_gui.ui.parts.widgets.labels import label
from affinecal_gui.ui.parts.widgets.section_heading import SectionHeading

BAR = 8


class SharesBar(QWidget):
    """One bar, divided into shares."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shares: tuple[IntervalShare, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(BAR + 4)

    def show_shares(self, shares: tuple[IntervalShare, ...]) -> None:
        """Show these shares from left to right."""
        self._shares = shares
        spoken = ", ".join(f"{one.label} {percent(one.share)}" for one in shares)
        self.setAccessibleName(f"Parts of the interval's variance: {spoken}")
        self.update()

    def sizeHint(self) -> QSize:
        """Return the room for a bar."""
        return QSize(200, BAR + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the shares beside each other."""
        theme, painter, at = current_theme(), QPainter(self), 0.0
        for one in self._shares:
            painter.fillRect(QRectF(at, 2.0, one.share * self.width(), BAR), theme.colour(one.role))
            at += one.share * self.width()
        painter.end()


class IntervalSection(QWidget):
    """A bar, its key and a sentence; hidden where nothing is known."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("intervalSection")
        self._head = SectionHeading("Where the interval comes from", "shares of the variance", spare=True)
        self.bar = SharesBar()
        self.key = label("", "note-text", wrap=True)
        self.words = label("", "note", wrap=True)
        make_selectable(self.key, self.words)
        self._shares: tuple[IntervalShare, ...] = ()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 4, 0, 4)
        box.setSpacing(2)
        for part in (self._head, self.bar, self.key, self.words):
            box.addWidget(part)
        self.hide()

    def show_content(self, content: InspectorContent) -> None:
        """Show the shares of a polymer, or nothing."""
        self._shares = content.interval_shares
        self.setVisible(bool(self._shares))
        self.bar.show_shares(self._shares)
        self._write_key()
        self.words.setText(content.interval_note)
        self.words.setVisible(bool(content.interval_note))

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        self.bar.update()
        self._write_key()

    def _write_key(self) -> None:
        theme = current_theme()
        spans = (
            f"<span style='color:{theme.colour(one.role).name()}'>●</span>&nbsp;{one.label} {percent(one.share)}"
            for one in self._shares
        )
        self.key.setText("&nbsp; ".join(spans))


def percent(share: float) -> str:
    """Return a share in whole per cent."""
    return "< 1 %" if 0.0 < share < 0.005 else f"{100.0 * share:.0f} %"
