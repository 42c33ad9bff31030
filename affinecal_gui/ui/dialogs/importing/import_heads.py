"""The three lines above the columns of the import preview: role, type or unit, heading; each can be changed."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QStandardItem,
    QStandardItemModel,
    QWheelEvent,
)
from PySide6.QtWidgets import QComboBox, QSizePolicy, QTableView, QWidget

from affinecal_gui.study.importing.importing import Examined
from affinecal_gui.tables.headings.column_roles import ColumnRole
from affinecal_gui.tables.headings.role_names import VALUE_ROLES
from affinecal_gui.tables.units.properties import PROPERTIES
from affinecal_gui.ui.dialogs.importing.import_words import QUIET_ROLES, ROLE_TITLES, type_words
from affinecal_gui.ui.parts.painted_text import draw_rich_text
from affinecal_gui.ui.parts.quiet_inputs import QuietComboBox
from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE
from affinecal_gui.ui.parts.theme.theme import current_theme

ROLE_LINE, TYPE_LINE, NAME_LINE = 32, 32, 26
HEIGHT = ROLE_LINE + TYPE_LINE + NAME_LINE
LINE_COLUMN = 0  # of the preview: the numbers of the lines; a column of the file stands one further to the right

OTHER_UNIT = "other unit"
NO_UNIT = "no unit"


class _HeadBox(QuietComboBox):
    """A combo box in the head of a column: the wheel never changes it, for one looks at the table just after choosing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(1)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to whoever is behind."""
        event.ignore()


class ColumnHeads(QWidget):
    """Stands above a table view and follows its columns.

    Only columns that can be seen get their two boxes: a table may have thousands.
    """

    role_chosen = Signal(int, str)  # column of the file, role
    unit_chosen = Signal(int, str)  # column of the file, unit
    other_unit_wanted = Signal(int)
    property_chosen = Signal(int, str)  # column of the file, key of the property

    def __init__(self, view: QTableView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("columnHeads")
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._view = view
        self._examined: Examined | None = None
        self._roles = _role_model(self)
        self._boxes: dict[int, tuple[_HeadBox, _HeadBox]] = {}
        self._filled: dict[int, ColumnRole] = {}  # what the boxes of a column say
        self._types: dict[int, str] = {}
        view.horizontalScrollBar().valueChanged.connect(self.place)
        view.horizontalHeader().sectionResized.connect(self.place)

    def show_examined(self, examined: Examined) -> None:
        """Show roles, types and headings of a table."""
        before = self._examined
        self._examined = examined
        if before is None or before.raw.headings != examined.raw.headings:
            for boxes in self._boxes.values():
                for box in boxes:
                    box.hide()
                    box.deleteLater()
            self._boxes.clear()
            self._filled.clear()
        self._types.clear()
        self.place()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the height of three lines."""
        return QSize(400, HEIGHT)

    def boxes_of(self, column: int) -> tuple[QComboBox, QComboBox]:
        """Return the boxes for role and unit of a column of the file."""
        boxes = self._box(column)
        if self._examined is not None and self._filled.get(column) != self._examined.roles.columns[column]:
            self._fill(column)
        return boxes

    @Slot()
    def place(self) -> None:
        """Move the boxes to their columns; make those of columns that have come into view."""
        if self._examined is None:
            return
        shown = self._visible()
        for number in self._boxes.keys() - set(shown):
            for box in self._boxes[number]:
                box.hide()
        for number in shown:
            left, width = self._room(number)
            role, unit = self._box(number)
            if self._filled.get(number) != self._examined.roles.columns[number]:
                self._fill(number)
            role.setGeometry(left + 5, 4, width - 10, 24)
            unit.setGeometry(left + 5, ROLE_LINE + 4, width - 10, 24)
            role.show()
            unit.setVisible(self._has_unit(self._examined.roles.columns[number]))
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the boxes."""
        super().resizeEvent(event)
        self.place()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the lines, the types that cannot be changed, and the headings."""
        theme = current_theme()
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("alternate_row"))
        plain, bold = theme.font(BODY_SIZE), theme.font(BODY_SIZE, bold=True)
        metrics = QFontMetricsF(bold)
        if self._examined is not None:
            first = self._view.columnViewportPosition(LINE_COLUMN)
            width = self._view.columnWidth(LINE_COLUMN)
            line = self._examined.raw.header_line
            words = ("Role", "Type", f"Line {line}" if line else "No names")
            tops = ((0, ROLE_LINE), (ROLE_LINE, TYPE_LINE), (ROLE_LINE + TYPE_LINE, NAME_LINE))
            painter.setFont(plain)
            painter.setPen(theme.colour("muted"))
            for word, (top, height) in zip(words, tops, strict=True):
                painter.drawText(QRectF(first + 6, top, width - 8, height), Qt.AlignmentFlag.AlignVCenter, word)
            painter.fillRect(first + width - 1, 0, 1, HEIGHT, theme.colour("soft_border"))
            for number in self._visible():
                column = self._examined.roles.columns[number]
                left, width = self._room(number)
                if not self._has_unit(column):
                    painter.setFont(plain)
                    painter.setPen(theme.colour("muted"))
                    room = QRectF(left + 14, ROLE_LINE, width - 18, TYPE_LINE)
                    text = metrics.elidedText(self._type(column), Qt.TextElideMode.ElideRight, room.width())
                    painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
                painter.setFont(bold)
                painter.setPen(theme.colour("muted" if column.role in QUIET_ROLES else "text"))
                room = QRectF(left + 7, ROLE_LINE + TYPE_LINE, width - 14, NAME_LINE)
                text = metrics.elidedText(column.heading, Qt.TextElideMode.ElideRight, room.width())
                side = Qt.AlignmentFlag.AlignRight if column.role in VALUE_ROLES else Qt.AlignmentFlag.AlignLeft
                painter.drawText(room, side | Qt.AlignmentFlag.AlignVCenter, text)
                painter.fillRect(left + width - 1, 0, 1, HEIGHT, theme.colour("soft_border"))
        for top in (ROLE_LINE - 1, ROLE_LINE + TYPE_LINE - 1):
            painter.fillRect(0, top, self.width(), 1, theme.colour("soft_border"))
        painter.fillRect(0, HEIGHT - 1, self.width(), 1, theme.colour("border"))
        painter.end()

    def _visible(self) -> range:
        """Return the columns of the file that can be seen."""
        assert self._examined is not None
        count = len(self._examined.roles.columns)
        if not count or self._view.model().columnCount() < count:
            return range(0)
        first, last = self._view.columnAt(0), self._view.columnAt(self._view.viewport().width() - 1)
        return range(max(first - 1, 0), count if last < 0 else min(last, count))

    def _room(self, number: int) -> tuple[int, int]:
        column = number + 1
        return self._view.columnViewportPosition(column), self._view.columnWidth(column)

    @staticmethod
    def _has_unit(column: ColumnRole) -> bool:
        return column.role in VALUE_ROLES or column.role == "temperature"

    def _type(self, column: ColumnRole) -> str:
        assert self._examined is not None
        if column.column not in self._types:
            cells = tuple(row.cells[column.column] for row in self._examined.rows[:50])
            self._types[column.column] = type_words(column, cells)
        return self._types[column.column]

    def _box(self, number: int) -> tuple[_HeadBox, _HeadBox]:
        if number not in self._boxes:
            role, unit = _HeadBox(self), _HeadBox(self)
            role.setModel(self._roles)
            role.setProperty("column", number)
            unit.setProperty("column", number)
            role.activated.connect(self._choose_role)
            unit.activated.connect(self._choose_unit)
            self._boxes[number] = (role, unit)
        return self._boxes[number]

    def _fill(self, number: int) -> None:
        assert self._examined is not None
        column = self._examined.roles.columns[number]
        self._filled[number] = column
        role, unit = self._boxes[number]
        role.setObjectName(f"role{number}")
        role.setAccessibleName(f"Role of {column.heading}")
        role.setCurrentIndex(role.findData(column.role))
        role.setFont(current_theme().font(BODY_SIZE, bold=column.role not in QUIET_ROLES))
        role.setToolTip(
            f"{column.heading}: {ROLE_TITLES[column.role]}{f' ({column.meaning})' if column.meaning else ''}"
        )
        if self._has_unit(column):
            unit.setObjectName(f"unit{number}")
            unit.setAccessibleName(f"Unit of {column.heading}")
            _fill_units(unit, column)

    @Slot(int)
    def _choose_role(self, index: int) -> None:
        box = self.sender()
        if isinstance(box, QComboBox):
            self.role_chosen.emit(int(box.property("column")), str(box.itemData(index)))

    @Slot(int)
    def _choose_unit(self, index: int) -> None:
        box = self.sender()
        if not isinstance(box, QComboBox):
            return
        number = int(box.property("column"))
        kind, text = box.itemData(index)
        signals: dict[str, Callable[[], None]] = {
            "unit": lambda: self.unit_chosen.emit(number, text),
            "property": lambda: self.property_chosen.emit(number, text),
            OTHER_UNIT: lambda: self.other_unit_wanted.emit(number),
        }
        signals[kind]()
        self._fill(number)  # until the choice has been worked out, the box says what holds


class ResultHead(QWidget):
    """The head of the column that says how values are read."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(HEIGHT)
        self._symbol = ""

    def show_symbol(self, rich: str) -> None:
        """Show symbol and canonical unit."""
        self._symbol = rich
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw title and unit."""
        theme = current_theme()
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("alternate_row"))
        right = Qt.AlignmentFlag.AlignRight
        width = self.width() - 20
        room = QRectF(6, 0, width, ROLE_LINE)
        draw_rich_text(painter, room, "Read as", theme.font(BODY_SIZE, bold=True), theme.colour("text"), right)
        room = QRectF(6, ROLE_LINE, width, TYPE_LINE)
        draw_rich_text(painter, room, self._symbol, theme.font(BODY_SIZE), theme.colour("muted"), right)
        for top in (ROLE_LINE - 1, ROLE_LINE + TYPE_LINE - 1):
            painter.fillRect(0, top, self.width(), 1, theme.colour("soft_border"))
        painter.fillRect(0, HEIGHT - 1, self.width(), 1, theme.colour("border"))
        painter.end()


def _role_model(parent: QWidget) -> QStandardItemModel:
    model = QStandardItemModel(parent)
    for role, title in ROLE_TITLES.items():
        item = QStandardItem(title)
        item.setData(role, Qt.ItemDataRole.UserRole)
        model.appendRow(item)
    return model


def _fill_units(box: QComboBox, column: ColumnRole) -> None:
    """Offer the units of the property, any other unit, and the other properties that the column may hold."""
    box.clear()
    for text in _units_of(column):
        box.addItem(text or NO_UNIT, ("unit", text))
    box.setCurrentIndex(next((i for i in range(box.count()) if box.itemData(i) == ("unit", column.unit)), 0))
    box.addItem("Other unit…", (OTHER_UNIT, ""))
    if column.role == "temperature":
        return
    box.insertSeparator(box.count())
    for quantity in PROPERTIES:
        if column.quantity is None or quantity.key != column.quantity.key:
            unit = f", {quantity.unit}" if quantity.unit else ""
            box.addItem(f"{quantity.title}{unit}", ("property", quantity.key))
    title = column.quantity.title if column.quantity is not None else column.heading
    box.setToolTip(f"{column.heading} holds {title}, in {column.unit or NO_UNIT}")


def _units_of(column: ColumnRole) -> Sequence[str]:
    if column.role == "temperature":
        offered: tuple[Any, ...] = ("K", "°C")
    else:
        quantity = column.quantity
        offered = () if quantity is None else (quantity.unit, *quantity.other_units)
    return tuple(dict.fromkeys((column.unit, *offered) if column.unit not in offered else offered))
