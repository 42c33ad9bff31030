"""How a dialog is laid out: what it is about, a line, and a row of buttons at its foot."""

from collections.abc import Sequence

from PySide6.QtWidgets import QDialog, QHBoxLayout, QLayout, QVBoxLayout, QWidget

from affinecal_gui.ui.parts.widgets.labels import rule

SIDE = 16


def lay_out_dialog(dialog: QDialog, content: QLayout, left: Sequence[QWidget], right: Sequence[QWidget]) -> None:
    """Give a dialog its content, and at its foot what stands on the left, and its decisions on the right."""
    content.setContentsMargins(SIDE, 14, SIDE, 12)
    foot = QHBoxLayout()
    foot.setContentsMargins(SIDE, 10, SIDE, 12)
    foot.setSpacing(10)
    for widget in left:
        foot.addWidget(widget)
    foot.addStretch(1)
    for widget in right:
        foot.addWidget(widget)
    box = QVBoxLayout(dialog)
    box.setContentsMargins(0, 0, 0, 0)
    box.setSpacing(0)
    box.addLayout(content, 1)
    box.addWidget(rule())
    box.addLayout(foot)
