"""What is wished of the property of each calibrator, a row for each: at least, at most, between, as high as possible."""

import math
from pathlib import Path
from typing import Literal

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QGridLayout, QLineEdit, QWidget

from affinecal_gui.errors import UserError
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.ui.dialogs.screening.wish import Wish
from affinecal_gui.ui.parts.dialog_layout import side_by_side
from affinecal_gui.ui.parts.quiet_inputs import QuietComboBox
from affinecal_gui.ui.parts.typed_number import typed_number
from affinecal_gui.ui.parts.widgets.labels import label
from affinecal_gui.ui.parts.widgets.tool_buttons import ThemedToolButton

Kind = Literal["any", "least", "most", "between", "high", "low"]

KINDS: tuple[tuple[Kind, str], ...] = (
    ("any", "any value"),
    ("least", "at least"),
    ("most", "at most"),
    ("between", "between"),
    ("high", "as high as possible"),
    ("low", "as low as possible"),
)
FIELD = 84  # pixels wide


class WishRow(QWidget):
    """The parts of one row; they lie in the grid of all rows, so that they stand below each other."""

    changed = Signal()
    removed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.hide()
        self.path: Path | None = None  # of a calibrator that was added
        self.title, self.unit = label("", "strong"), label("", "muted")
        self.kind = QuietComboBox()
        for key, words in KINDS:
            self.kind.addItem(words, key)
        self.low, self.high, self.between = QLineEdit(), QLineEdit(), label("and", "muted")
        for field in (self.low, self.high):
            field.setFixedWidth(FIELD)
            field.textChanged.connect(self.changed)
        self.bounds = QWidget()
        bounds = side_by_side(self.low, self.between, self.high, self.unit, None, spacing=8)
        bounds.setContentsMargins(0, 0, 0, 0)
        self.bounds.setLayout(bounds)
        self.remove_button = ThemedToolButton("close", "Screen without this calibrator")
        self.remove_button.clicked.connect(self.removed)
        self.kind.currentIndexChanged.connect(self._show_fields)
        self._show_fields()

    def name(self, quantity: Property, path: Path | None = None) -> None:
        """Say which property it is about; ``path`` is that of a calibrator that was added."""
        self.path = path
        self.title.setText(quantity.title)
        self.unit.setText(quantity.unit)
        if path is not None:
            self.title.setToolTip(str(path))
        of = quantity.title.lower()
        self.kind.setAccessibleName(f"What is wished of the {of}")
        self.low.setAccessibleName(f"Lowest {of} that will do")
        self.high.setAccessibleName(f"Highest {of} that will do")
        for part, called in (
            (self.kind, "Kind"),
            (self.low, "Low"),
            (self.high, "High"),
            (self.remove_button, "Remove"),
        ):
            part.setObjectName(f"wish{called}_{quantity.key}")

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """All parts, from left to right."""
        return self.title, self.kind, self.bounds, self.remove_button

    @property
    def wish(self) -> Wish:
        """What is wished; raises UserError where a number is missing or the bounds exclude everything."""
        kind: Kind = self.kind.currentData()
        if kind in ("high", "low"):
            return Wish(goal=kind)
        low = self._number(self.low) if kind in ("least", "between") else -math.inf
        high = self._number(self.high) if kind in ("most", "between") else math.inf
        if low >= high:
            raise UserError(
                f"No polymer can have a {self.title.text().lower()} above {low:g} and below {high:g} at once."
            )
        return Wish(low, high)

    def clear(self) -> None:
        """Wish nothing."""
        self.kind.setCurrentIndex(0)
        for field in (self.low, self.high):
            field.clear()

    def _number(self, field: QLineEdit) -> float:
        return typed_number(field.text(), f"wish for the {self.title.text().lower()}")

    @Slot()
    def _show_fields(self) -> None:
        kind: Kind = self.kind.currentData()
        self.low.setVisible(kind in ("least", "between"))
        self.high.setVisible(kind in ("most", "between"))
        self.between.setVisible(kind == "between")
        self.unit.setVisible(kind in ("least", "most", "between"))
        self.remove_button.setVisible(self.path is not None)
        self.changed.emit()


class WishRows(QWidget):
    """A row for the calibrator of the study, and one for each calibrator file that was added."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(6)
        self._rows: list[tuple[Property | None, WishRow]] = []
        self._add(None)

    @property
    def own(self) -> WishRow:
        """The row of the calibrator of the study."""
        return self._rows[0][1]

    def row(self, key: str) -> WishRow | None:
        """Return the row of a property; None where there is none."""
        return next((row for quantity, row in self._rows if quantity is not None and quantity.key == key), None)

    @property
    def added(self) -> tuple[Path, ...]:
        """The calibrator files that were added."""
        return tuple(row.path for _, row in self._rows if row.path is not None)

    @property
    def wishes(self) -> dict[str, Wish]:
        """What is wished, by key of the property; raises UserError."""
        return {quantity.key: row.wish for quantity, row in self._rows if quantity is not None}

    def show_own(self, quantity: Property | None) -> None:
        """Say what the calibrator of the study is of; an added one of the same property goes."""
        before, row = self._rows[0]
        self.setEnabled(quantity is not None)
        if quantity is None:
            return
        if before is not None and before.key != quantity.key:
            row.clear()
        row.name(quantity)
        self._rows[0] = quantity, row
        for other, added in self._rows[1:]:
            if other is not None and other.key == quantity.key:
                self._remove(added)

    def add(self, quantity: Property, path: Path) -> str:
        """Add the calibrator of another property; return why it cannot be, or ""."""
        if self.row(quantity.key) is not None:
            return f"There is a calibrator of {quantity.title.lower()} already: one for each property."
        row = self._add(quantity)
        row.name(quantity, path)
        row.remove_button.setVisible(True)
        row.removed.connect(lambda: self._remove(row))
        self.changed.emit()
        return ""

    def _add(self, quantity: Property | None) -> WishRow:
        row, line = WishRow(self), self._grid.rowCount()
        for column, part in enumerate(row.parts):
            self._grid.addWidget(part, line, column)
        self._grid.setColumnStretch(row.parts.index(row.bounds), 1)
        row.changed.connect(self.changed)
        self._rows.append((quantity, row))
        return row

    def _remove(self, row: WishRow) -> None:
        self._rows = [one for one in self._rows if one[1] is not row]
        for part in (*row.parts, row):
            self._grid.removeWidget(part)
            part.hide()
            part.deleteLater()
        self.changed.emit()
