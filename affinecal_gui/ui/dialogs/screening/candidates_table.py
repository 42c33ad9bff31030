"""The best polymers of a screening as a table: structure, repeat unit, value, interval, and what to mind."""

import math
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Slot,
)
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from affinecal_gui.tasks.screening.results.so_far import Candidate
from affinecal_gui.ui.parts.number_text import MISSING, decimals_for, number_text, range_text
from affinecal_gui.ui.parts.row_tables import copy_selected_rows, set_up_row_table
from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE, NOTE_SIZE
from affinecal_gui.ui.parts.theme.theme import current_theme
from affinecal_gui.ui.views.polymers.thumbnails import ThumbnailStore

ROW = 56
PICTURE = QSize(110, 52)
MARGIN = 7
RANK, STRUCTURE, UNIT, VALUE, INTERVAL, REMARKS = range(6)
OUTSIDE = "outside the range of validity"
NOTHING_YET = "The best polymers of the library are listed here as soon as there are values."

AnyIndex = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class CandidatesModel(QAbstractTableModel):
    """Candidates, the best first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._candidates: Sequence[Candidate] = ()
        self.titles = ("", "Structure", "Repeat unit", "Value", "Interval", "Remarks")
        self.decimals = 0

    @property
    def candidates(self) -> Sequence[Candidate]:
        """What is shown."""
        return self._candidates

    def name_values(self, unit: str, level: float) -> None:
        """Say what the values and the intervals are."""
        value = f"Value, {unit}" if unit else "Value"
        self.titles = ("", "Structure", "Repeat unit", value, f"{100.0 * level:g} % interval", "Remarks")
        self.name_values_changed()

    def name_values_changed(self) -> None:
        """Tell that the titles are others."""
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.titles) - 1)

    def show_candidates(self, candidates: Sequence[Candidate]) -> None:
        """Take over others; rows that stay where they are keep the selection."""
        before, now = len(self._candidates), len(candidates)
        if now < before:
            self.beginRemoveRows(_ROOT, now, before - 1)
            self._candidates = candidates
            self.endRemoveRows()
        elif now > before:
            self.beginInsertRows(_ROOT, before, now - 1)
            self._candidates = candidates
            self.endInsertRows()
        self._candidates = candidates
        self.decimals = decimals_for([one.value for one in candidates]) if candidates else 0
        if candidates:
            self.dataChanged.emit(self.index(0, 0), self.index(now - 1, len(self.titles) - 1))

    def rowCount(self, parent: AnyIndex = _ROOT) -> int:
        """Return how many candidates there are."""
        return 0 if parent.isValid() else len(self._candidates)

    def columnCount(self, parent: AnyIndex = _ROOT) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self.titles)

    def text(self, row: int, column: int) -> str:
        """Return what a cell says."""
        one = self._candidates[row]
        if column == RANK:
            return f"{row + 1:,}"
        if column in (STRUCTURE, UNIT):
            return one.smiles
        if column == VALUE:
            return number_text(one.value, self.decimals)
        if column == INTERVAL:
            return range_text(one.lower, one.upper, self.decimals)
        return remarks_of(one)[0]

    def note(self, row: int, column: int) -> str:
        """Return the second, smaller line of a cell."""
        one = self._candidates[row]
        if column == UNIT:
            return " · ".join(
                part for part in (one.name, one.id if one.id != one.name else "", f"row {one.row:,}") if part
            )
        if column == VALUE:
            words = "predicted" if one.origin == "predicted md" else "library"
            return f"MD {number_text(one.md, self.decimals)}, {words}" if math.isfinite(one.md) else ""
        return remarks_of(one)[1] if column == REMARKS else ""

    def copied(self, row: int, column: int) -> tuple[str | float, ...]:
        """Return a cell as it is copied: both ends of an interval, remarks in one line."""
        one = self._candidates[row]
        if column == VALUE:
            return (one.value,)
        if column == INTERVAL:
            return one.lower, one.upper
        parts = (self.text(row, column), self.note(row, column) if column == REMARKS else "")
        return (", ".join(part for part in parts if part),)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return text, tooltip or words for a screen reader."""
        if not index.isValid():
            return None
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join(part for part in (self.text(row, column), self.note(row, column)) if part)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self.titles[column]}: {self.text(row, column)} {self.note(row, column)}".strip()
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the titles."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.titles[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(section) | Qt.AlignmentFlag.AlignVCenter
        return None


def remarks_of(one: Candidate) -> tuple[str, str]:
    """Return what to mind of a candidate, in two lines at most."""
    said = [
        "" if one.inside else OUTSIDE,
        f"all wishes met: {chance_text(one.chance)}" if math.isfinite(one.chance) else "",
        f"{one.known} already" if one.known else "",
    ]
    first, *others = [*(words for words in said if words), ""]
    return first, " · ".join(words for words in others if words)


def chance_text(chance: float) -> str:
    """Return a probability in per cent; "less than 1 %" sooner than nothing."""
    percent = 100.0 * chance
    if 0.0 < percent < 1.0:
        return "less than 1 %"
    return "more than 99 %" if 99.0 < percent < 100.0 else f"{percent:.0f} %"


def _side(column: int) -> Qt.AlignmentFlag:
    right = column in (RANK, VALUE, INTERVAL)
    return Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft


class CandidatesTable(QTableView):
    """The table; Ctrl+C copies the selected rows for a spreadsheet."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("candidatesTable")
        self.setAccessibleName("The best polymers of the library")
        self.candidates = self.made_model()
        self.thumbnails = ThumbnailStore(self)
        self.thumbnails.ready.connect(self._repaint)
        self.candidates.headerDataChanged.connect(self.share_room)  # a head may need more than before
        self.setModel(self.candidates)
        self.setItemDelegate(_CandidateDelegate(self.thumbnails, self))
        set_up_row_table(self, row=ROW, head=26)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)

    def made_model(self) -> CandidatesModel:
        """Return what the table shows."""
        return CandidatesModel(self)

    @property
    def nothing_yet(self) -> str:
        """What is said while there is nothing."""
        return NOTHING_YET

    @property
    def chosen(self) -> list[Candidate]:
        """The selected candidates, or all of them where none is selected."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [self.candidates.candidates[row] for row in rows] or list(self.candidates.candidates)

    def show_candidates(self, candidates: Sequence[Candidate]) -> None:
        """Take over others."""
        self.candidates.show_candidates(candidates)
        self.share_room()

    def event(self, event: QEvent) -> bool:
        """Stop drawing pictures when the table is about to go."""
        if event.type() == QEvent.Type.DeferredDelete:
            self.thumbnails.close()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share out the room anew."""
        super().resizeEvent(event)
        self.share_room()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy as tab-separated text."""
        if event.matches(QKeySequence.StandardKey.Copy):
            copy_selected_rows(self, self.candidates.copied, (RANK, UNIT, VALUE, INTERVAL, REMARKS))
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Say what will stand here as long as there is nothing."""
        super().paintEvent(event)
        if not self.candidates.rowCount():
            painter = QPainter(self.viewport())
            painter.setFont(current_theme().font(BODY_SIZE))
            painter.setPen(current_theme().colour("muted"))
            painter.drawText(
                self.viewport().rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.nothing_yet
            )
            painter.end()

    @Slot()
    def share_room(self) -> None:
        """Give numbers what they and their heads need, and the rest to repeat units and remarks."""
        theme = current_theme()
        words, notes = QFontMetricsF(theme.font(BODY_SIZE)), QFontMetricsF(theme.font(NOTE_SIZE))
        heads = QFontMetricsF(self.horizontalHeader().font())
        model, shown = self.candidates, range(min(self.candidates.rowCount(), 50))
        widths = {STRUCTURE: PICTURE.width() + 2 * MARGIN}
        for column in (RANK, VALUE, INTERVAL):
            title = str(model.headerData(column, Qt.Orientation.Horizontal))
            needed = [heads.horizontalAdvance(title)]
            needed += [words.horizontalAdvance(model.text(row, column)) for row in shown]
            needed += [notes.horizontalAdvance(model.note(row, column)) for row in shown]
            widths[column] = round(max(needed)) + 2 * MARGIN + 6
        left = max(self.viewport().width() - sum(widths.values()), 200)
        widths[REMARKS] = round(0.36 * left)
        widths[UNIT] = left - widths[REMARKS]
        for column, width in widths.items():
            self.setColumnWidth(column, width)

    @Slot(str)
    def _repaint(self, _smiles: str) -> None:
        self.viewport().update()


class _CandidateDelegate(QStyledItemDelegate):
    """A picture, or two lines."""

    def __init__(self, thumbnails: ThumbnailStore, parent: QObject) -> None:
        super().__init__(parent)
        self._thumbnails = thumbnails

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(80, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        model = index.model()
        assert isinstance(model, CandidatesModel)
        theme = current_theme()
        rect, state = QRectF(option.rect), option.state
        row, column = index.row(), index.column()
        painter.save()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.colour("selection"))
        elif row % 2:
            painter.fillRect(rect, theme.colour("alternate_row"))
        painter.fillRect(QRectF(rect.left(), rect.bottom() - 1.0, rect.width(), 1.0), theme.colour("soft_border"))
        if column == STRUCTURE:
            self._paint_structure(painter, rect, model.text(row, column), option.widget.devicePixelRatioF())
        else:
            self._paint_words(painter, rect.adjusted(MARGIN, 0, -MARGIN, -1), model, row, column)
        painter.restore()

    def _paint_structure(self, painter: QPainter, rect: QRectF, smiles: str, scale: float) -> None:
        known, pixmap = self._thumbnails.find(smiles, PICTURE, scale, dark=current_theme().dark)
        if pixmap is not None:
            place = QRectF(QPointF(0, 0), pixmap.deviceIndependentSize())
            place.moveCenter(rect.center())
            painter.drawPixmap(place, pixmap, QRectF(pixmap.rect()))
        elif known:
            painter.setPen(current_theme().colour("muted"))
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, MISSING)

    def _paint_words(self, painter: QPainter, room: QRectF, model: CandidatesModel, row: int, column: int) -> None:
        theme = current_theme()
        side = _side(column)
        font, small = theme.font(BODY_SIZE, bold=column == VALUE), theme.font(NOTE_SIZE)
        height, small_height = QFontMetricsF(font).height(), QFontMetricsF(small).height()
        note = model.note(row, column)
        top = room.center().y() - (height + (small_height if note else 0.0)) / 2.0
        painter.setFont(font)
        is_doubtful = column == REMARKS and not model.candidates[row].inside
        painter.setPen(theme.colour("caution" if is_doubtful else "muted" if column in (RANK, REMARKS) else "text"))
        text = QFontMetricsF(font).elidedText(model.text(row, column), Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(QRectF(room.left(), top, room.width(), height), side | Qt.AlignmentFlag.AlignVCenter, text)
        if note:
            painter.setFont(small)
            painter.setPen(theme.colour("muted"))
            text = QFontMetricsF(small).elidedText(note, Qt.TextElideMode.ElideRight, room.width())
            place = QRectF(room.left(), top + height, room.width(), small_height)
            painter.drawText(place, side | Qt.AlignmentFlag.AlignVCenter, text)
