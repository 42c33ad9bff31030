"""The heading of a section, which folds what is below it."""

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QMouseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QToolButton,
    QWidget,
)

from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.widgets.labels import label, rule
from affinecal_gui.ui.parts.widgets.tool_buttons import ThemedToolButton


class SectionHeading(QWidget):
    """Heading of a section: bold title, thin rule, muted detail at the right.

    With ``set_body`` the section can be folded to this one line, which then shows ``summary`` instead of the detail.

    Parameters
    ----------
    title
        The words; rich text is understood.
    detail
        At the right end: a unit, or what the numbers are.
    spare
        Whether the detail is left out where it has no room, rather than making the section wider.
    """

    folded_changed = Signal(bool)

    def __init__(self, title: str, detail: str = "", *, spare: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_spare = spare
        self._detail_text = detail
        self._summary = ""
        self._body: QWidget | None = None
        self._tools: tuple[QToolButton, ...] = ()
        self._folded = False
        self._is_there = True
        self.setFixedHeight(22)
        self._chevron = ThemedToolButton("chevron_down", "Fold this section")
        self._chevron.setIconSize(QSize(12, 12))
        set_kind(self._chevron, "dock")
        self._chevron.hide()
        self._chevron.clicked.connect(self._toggle)
        self._title = label(title, "section")
        self._rule = rule()
        self._detail = label(detail, "muted")
        if spare:
            self._detail.setMinimumWidth(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._chevron)
        row.addWidget(self._title)
        row.addWidget(self._rule, 1)
        row.addWidget(self._detail)
        self._refresh()

    @property
    def folded(self) -> bool:
        """Whether the body is hidden."""
        return self._folded

    def set_title(self, title: str) -> None:
        """Show another title."""
        self._title.setText(title)

    def add_tools(self, *buttons: QToolButton) -> None:
        """Put small buttons at the right end; they go with the body when it is folded."""
        row = self.layout()
        assert isinstance(row, QHBoxLayout)
        tools = QHBoxLayout()
        tools.setSpacing(0)
        for button in buttons:
            button.setIconSize(QSize(14, 14))
            set_kind(button, "dock")
            tools.addWidget(button)
        row.addLayout(tools)
        self._tools = buttons

    def set_detail(self, detail: str) -> None:
        """Show another detail."""
        self._detail_text = detail
        self._refresh()

    def set_body(self, body: QWidget, summary: str = "") -> None:
        """Let the heading fold ``body``; folded, ``summary`` stands for it."""
        self._body = body
        self._chevron.show()
        self.set_summary(summary)

    def set_summary(self, summary: str) -> None:
        """Change the line that stands for a folded body."""
        self._summary = summary
        self._refresh()

    def set_folded(self, folded: bool) -> None:
        """Hide or show the body."""
        if self._body is None or folded == self._folded:
            return
        self._folded = folded
        self._body.setVisible(self._is_there and not folded)
        self._refresh()
        self.folded_changed.emit(folded)

    def set_there(self, there: bool) -> None:
        """Show or hide the whole section, heading and body; what is hidden may be folded and unfolded meanwhile."""
        self._is_there = there
        self.setVisible(there)
        if self._body is not None:
            self._body.setVisible(there and not self._folded)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Fold or unfold with a click anywhere on the line."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self._toggle()

    @Slot()
    def _toggle(self) -> None:
        self.set_folded(not self._folded)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave a spare detail out where it has no room."""
        super().resizeEvent(event)
        self._show_detail()

    def showEvent(self, event: QShowEvent) -> None:
        """Look whether a spare detail has room: what is hidden is not asked."""
        super().showEvent(event)
        self._show_detail()

    def _refresh(self) -> None:
        tip = f"{'Unfold' if self._folded else 'Fold'} {self._title.text()}"
        if tip != self._chevron.toolTip():
            self._chevron.set_icon_name("chevron_right" if self._folded else "chevron_down", tip)
        text = self._summary if self._folded else self._detail_text
        if text != self._detail.text():
            self._detail.setText(text)
        for button in self._tools:
            button.setVisible(not self._folded)
        self._show_detail()

    def _show_detail(self) -> None:
        others = (self._chevron, self._title, *self._tools)
        # Between all of them, and at both sides of the rule, lies the spacing of the row.
        taken = sum(part.sizeHint().width() + 8 for part in others if not part.isHidden()) + 16
        has_room = not self._is_spare or not self.isVisible() or taken + self._detail.sizeHint().width() <= self.width()
        self._detail.setVisible(bool(self._detail.text()) and has_room)
