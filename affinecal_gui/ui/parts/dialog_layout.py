"""How a dialog is laid out: what it is about, a line, and a row of buttons at its foot."""

from collections.abc import Sequence

from PySide6.QtWidgets import QDialog, QHBoxLayout, QLayout, QVBoxLayout, QWidget

from affinecal_gui.ui.parts.widgets.labels import rule

SIDE = 16


def side_by_side(*parts: QWidget | None, spacing: int = 10, wide: QWidget | None = None) -> QHBoxLayout:
    """Return a row of widgets, with a gap that takes what is left in the place of None; or ``wide`` takes it."""
    row = QHBoxLayout()
    row.setSpacing(spacing)
    for part in parts:
        if part is None:
            row.addStretch(1)
        else:
            row.addWidget(part, 1 if part is wide else 0)
    return row


def below_each_other(*parts: QWidget | QLayout, spacing: int = 8, tall: QWidget | None = None) -> QVBoxLayout:
    """Return a column of widgets and rows, of which ``tall`` takes the height that is left."""
    column = QVBoxLayout()
    column.setSpacing(spacing)
    for part in parts:
        if isinstance(part, QWidget):
            column.addWidget(part, 1 if part is tall else 0)
        else:
            column.addLayout(part)
    return column


def lay_out_dialog(dialog: QDialog, content: QLayout, left: Sequence[QWidget], right: Sequence[QWidget]) -> None:
    """Give a dialog its content, and at its foot what stands on the left, and its decisions on the right."""
    content.setContentsMargins(SIDE, 14, SIDE, 12)
    foot = side_by_side(*left, None, *right)
    foot.setContentsMargins(SIDE, 10, SIDE, 12)
    box = QVBoxLayout(dialog)
    box.setContentsMargins(0, 0, 0, 0)
    box.setSpacing(0)
    box.addLayout(content, 1)
    box.addWidget(rule())
    box.addLayout(foot)
