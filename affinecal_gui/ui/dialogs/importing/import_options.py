"""How the text of a file becomes columns: what splits them, marks of numbers, encoding, line of the names, sheet."""

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from affinecal_gui.study.importing.importing import Examined
from affinecal_gui.tables.text.options import ReadOptions
from affinecal_gui.ui.dialogs.importing.import_words import (
    DECIMAL_MARKS,
    DELIMITERS,
    ENCODINGS,
    THOUSANDS_MARKS,
    encoding_key,
)
from affinecal_gui.ui.parts.quiet_inputs import QuietComboBox, QuietSpinBox
from affinecal_gui.ui.parts.widgets.labels import label
from affinecal_gui.ui.parts.widgets.rows import ControlRow

LAST_HEADER_LINE = 9999


class ImportOptions(QWidget):
    """One box for each option of the format at hand."""

    changed = Signal(object)  # ReadOptions

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._options = ReadOptions()
        self.sheet = _box("Sheet", "sheetChoice", ())
        self.delimiter = _box("Columns split by", "delimiterChoice", DELIMITERS.items())
        self.decimal = _box("Decimal mark", "decimalChoice", DECIMAL_MARKS.items())
        self.thousands = _box("Thousands mark", "thousandsChoice", THOUSANDS_MARKS.items())
        self.encoding = _box("Encoding", "encodingChoice", ENCODINGS.items())
        self.header_line = QuietSpinBox()
        self.header_line.setObjectName("headerLine")
        self.header_line.setAccessibleName("Line with the names of the columns; 0 where there are none")
        self.header_line.setRange(0, LAST_HEADER_LINE)
        self.header_line.setKeyboardTracking(False)
        self.header_line.setFixedWidth(54)
        self._pairs = {
            name: _pair(title, widget)
            for name, title, widget in (
                ("sheet", "Sheet", self.sheet),
                ("delimiter", "Columns split by", self.delimiter),
                ("decimal", "Decimal mark", self.decimal),
                ("thousands", "Thousands mark", self.thousands),
                ("encoding", "Encoding", self.encoding),
                ("header_line", "Names in line", self.header_line),
            )
        }
        self._row = ControlRow(tuple(self._pairs.values()), spacing=14)
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self._row)
        for name in ("sheet", "delimiter", "decimal", "thousands", "encoding"):
            getattr(self, name).activated.connect(self._choose)
        self.header_line.valueChanged.connect(self._choose_line)

    def show_examined(self, examined: Examined) -> None:
        """Show what holds for a table; the user's choices stay."""
        raw = examined.raw
        self._options = examined.choices.options
        is_text = raw.format == "text"
        is_workbook = bool(raw.sheets)
        shown = {
            "sheet": len(raw.sheets) > 1,
            "delimiter": is_text,
            "decimal": True,
            "thousands": True,
            "encoding": is_text and examined.source.text is None,
            "header_line": is_text or is_workbook,
        }
        for name, pair in self._pairs.items():
            pair.setVisible(shown[name])
        self.sheet.clear()
        for sheet in raw.sheets:
            self.sheet.addItem(sheet, sheet)
        _choose(self.sheet, raw.sheet)
        _choose(self.delimiter, raw.delimiter)
        styles = [column.style for column in examined.roles.values]
        _choose(self.decimal, raw.decimal or (styles[0].decimal if styles else "."))
        _choose(self.thousands, raw.thousands or (styles[0].thousands if styles else ""))
        key = encoding_key(raw.encoding)
        if self.encoding.findData(key) < 0:
            self.encoding.addItem(raw.encoding, key)
        _choose(self.encoding, key)
        self.header_line.blockSignals(True)
        self.header_line.setValue(raw.header_line)
        self.header_line.blockSignals(False)
        self._row.updateGeometry()

    @Slot()
    def _choose(self) -> None:
        box = self.sender()
        for name in ("sheet", "delimiter", "decimal", "thousands", "encoding"):
            if box is getattr(self, name):
                self._announce(name, box.currentData())
                return

    @Slot(int)
    def _choose_line(self, line: int) -> None:
        self._announce("header_line", line)

    def _announce(self, name: str, value: Any) -> None:
        changes = {name: value}
        if name in ("delimiter", "encoding", "sheet") and self._options.header_line is not None:
            changes["header_line"] = None  # the lines are others now
        self._options = self._options.replace(**changes)
        self.changed.emit(self._options)


def _box(title: str, name: str, entries: Iterable[tuple[str, str]]) -> QComboBox:
    box = QuietComboBox()
    box.setObjectName(name)
    box.setAccessibleName(title)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    for key, text in entries:
        box.addItem(text, key)
    return box


def _pair(title: str, widget: QWidget) -> QWidget:
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(7)
    words = label(title, "muted")
    words.setBuddy(widget)
    row.addWidget(words)
    row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
    return holder


def _choose(box: QComboBox, data: str) -> None:
    box.setCurrentIndex(max(box.findData(data), 0))
