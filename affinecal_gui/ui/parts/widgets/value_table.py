"""Label, value and note in aligned columns."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QWidget,
)

from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.widgets.labels import label, rule


class ValueTable(QFrame):
    """Aligned rows of label, value and note.

    Parameters
    ----------
    framed
        With a border and rules between the rows (Parameters), or plain (Values).
    columns
        Kind of each column, a label kind of the style sheet. ``value`` (bold) and ``right`` align to the right,
        ``strong`` (bold) and ``muted`` to the left. The first muted column takes the spare room.
    """

    def __init__(
        self, columns: Sequence[str] = ("muted", "value", "muted"), framed: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._columns = tuple(columns)
        self._framed = framed
        if framed:
            set_kind(self, "table")
        self._grid = QGridLayout(self)
        margin = 8 if framed else 0
        self._grid.setContentsMargins(margin, 2 if framed else 0, margin, 2 if framed else 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(columns.index("muted") if "muted" in columns else 0, 1)
        self._labels: list[list[QLabel]] = []
        self._rules: list[QFrame] = []

    def set_rows(self, rows: Sequence[Sequence[str]]) -> None:
        """Show these rows; each has one text per column."""
        while len(self._labels) < len(rows):
            self._add_row()
        for position, labels in enumerate(self._labels):
            shown = position < len(rows)
            for column, cell in enumerate(labels):
                cell.setVisible(shown)
                if shown:
                    cell.setText(rows[position][column])
        for position, line in enumerate(self._rules):
            line.setVisible(position + 1 < len(rows))

    def _add_row(self) -> None:
        row = len(self._labels)
        if self._framed and row:
            line = rule()
            self._rules.append(line)
            self._grid.addWidget(line, 2 * row - 1, 0, 1, len(self._columns))
        labels = []
        for column, kind in enumerate(self._columns):
            cell = label("", "" if kind == "right" else kind)
            cell.setMinimumHeight(22 if self._framed else 20)
            cell.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            right = kind in {"value", "right"}
            side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
            cell.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
            self._grid.addWidget(cell, 2 * row, column)
            labels.append(cell)
        self._labels.append(labels)
