"""Pens for what is painted in plots."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen


def line(colour: QColor, width: float, dash: Sequence[float] = ()) -> QPen:
    """Return a pen for what is painted in logical pixels; ``dash`` in pixels."""
    made = QPen(colour, width)
    made.setCapStyle(Qt.PenCapStyle.FlatCap)
    if dash:
        made.setDashPattern([part / width for part in dash])
    return made
