"""Widgets side by side where there is room, and below each other."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)


class ControlRow(QWidget):
    """Controls side by side, and below each other where the view is too narrow for them.

    Parameters
    ----------
    widgets
        The controls, from left to right.
    """

    def __init__(self, widgets: Sequence[QWidget], spacing: int = 10, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._widgets = tuple(widgets)
        self._spacing = spacing
        for widget in self._widgets:
            widget.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def heightForWidth(self, width: int) -> int:
        """Return the height that the rows take."""
        return self._lay_out(width, move=False)

    def hasHeightForWidth(self) -> bool:
        """Say that the height depends on the width."""
        return True

    def sizeHint(self) -> QSize:
        """Return the size of a single row."""
        sizes = [widget.sizeHint() for widget in self._shown()]
        width = sum(size.width() for size in sizes) + self._spacing * max(0, len(sizes) - 1)
        return QSize(width, max((size.height() for size in sizes), default=0))

    def minimumSizeHint(self) -> QSize:
        """Return the size of the widest control."""
        sizes = [widget.minimumSizeHint() for widget in self._widgets]
        return QSize(max((s.width() for s in sizes), default=0), max((s.height() for s in sizes), default=0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the controls."""
        super().resizeEvent(event)
        self._lay_out(self.width(), move=True)

    def event(self, event: QEvent) -> bool:
        """Place the controls anew when one of them wants another size."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._lay_out(self.width(), move=True)
            self.updateGeometry()
        return super().event(event)

    def _shown(self) -> list[QWidget]:
        """Return the controls that were not hidden; before the window is shown none is visible yet."""
        told = Qt.WidgetAttribute.WA_WState_ExplicitShowHide
        return [widget for widget in self._widgets if not (widget.isHidden() and widget.testAttribute(told))]

    def _lay_out(self, width: int, move: bool) -> int:
        rows: list[list[tuple[QWidget, int]]] = [[]]
        x = 0
        for widget in self._shown():
            if x > 0 and x + widget.sizeHint().width() > width:
                rows.append([])
                x = 0
            rows[-1].append((widget, x))
            x += widget.sizeHint().width() + self._spacing
        y = 0
        for row in rows:
            line = max((widget.sizeHint().height() for widget, _ in row), default=0)
            if move:
                for widget, left in row:
                    size = widget.sizeHint()
                    widget.setGeometry(left, y + (line - size.height()) // 2, min(size.width(), width), size.height())
            y += line + self._spacing // 2
        return y - self._spacing // 2


def column(*widgets: QWidget, spacing: int = 6, margins: tuple[int, int, int, int] = (0, 0, 0, 0)) -> QWidget:
    """Return a widget that holds others one below the other."""
    holder = QWidget()
    box = QVBoxLayout(holder)
    box.setContentsMargins(*margins)
    box.setSpacing(spacing)
    for widget in widgets:
        box.addWidget(widget)
    return holder
