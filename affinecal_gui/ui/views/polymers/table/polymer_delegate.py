"""Paints the cells of the polymer table: structure, name over id, right-aligned numbers, the state in words."""

from collections import OrderedDict
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextLayout, QTextOption
from PySide6.QtWidgets import QAbstractScrollArea, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from affinecal_gui.study.snapshot import PolymerRow
from affinecal_gui.ui.parts.cell_cache import KeptCells
from affinecal_gui.ui.parts.number_text import MISSING
from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE, NOTE_SIZE
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme
from affinecal_gui.ui.running.paint_turns import paint_turns
from affinecal_gui.ui.views.polymers.table.name_joints import JOINT, with_joints
from affinecal_gui.ui.views.polymers.table.polymer_cells import STATE_ROLES, Column
from affinecal_gui.ui.views.polymers.table.polymer_model import PolymerModel
from affinecal_gui.ui.views.polymers.thumbnails import ThumbnailStore

ROW_HEIGHT = 48
MARGIN = 5
PICTURE = QSize(50, 42)
MARK_WIDTH = 3  # of the bar at the left edge of a selected row
FADED = 0.55  # opacity of the structure of a polymer that is not in the fit
KEPT_WRAPS = 4000
_SELECTED = QStyle.StateFlag.State_Selected.value
_FOCUSED = QStyle.StateFlag.State_HasFocus.value
_FADED_STATES = ("left out", "no MD value", "invalid")
ROOM_FOR_REASON = 110  # pixels of the state column; a narrower one shows the word alone


class PolymerDelegate(QStyledItemDelegate):
    """Draws everything itself: the style would neither wrap names nor know states."""

    def __init__(self, thumbnails: ThumbnailStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thumbnails = thumbnails
        self.first_column = Column.STRUCTURE  # carries the bar of a selected row
        self.state_beside_id = False  # whether the state column is hidden and its word moves beside the id
        self._wraps: OrderedDict[tuple[str, int, int, bool], list[str]] = OrderedDict()
        self._cells = KeptCells()
        self.apply_theme(current_theme())

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours and fonts."""
        self._theme = theme
        self._colours: dict[str, QColor] = {}
        self._plain, self._bold = theme.font(BODY_SIZE), theme.font(BODY_SIZE, bold=True)
        self._note = theme.font(NOTE_SIZE)
        self._note_height = QFontMetricsF(self._note).height()
        self._line_height = QFontMetricsF(self._plain).height()
        self._wraps.clear()
        self._cells.forget()

    def _colour(self, role: str) -> QColor:
        """Return a colour of the theme, made once: scrolling asks for hundreds a frame."""
        if role not in self._colours:
            self._colours[role] = self._theme.colour(role)
        return self._colours[role]

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the height of every row; columns are as wide as the table makes them."""
        return QSize(60, ROW_HEIGHT)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Qt calls this for each visible cell."""
        model = index.model()
        assert isinstance(model, PolymerModel)
        line, column = index.row(), index.column()
        row = model.row(line)
        rect: QRect = option.rect
        bits = option.state.value  # numbers, because arithmetic of flags takes longer than all the rest
        selected = bool(bits & _SELECTED)
        focused = bool(bits & _FOCUSED) and not selected  # the keyboard may be here without having selected the row
        ground = (line % 2, selected, focused, selected and column == self.first_column)
        faded = row.state in _FADED_STATES
        if column == Column.STRUCTURE:
            painter.save()
            painter.setClipRect(rect)
            self._paint_ground(painter, rect, *ground)
            self._paint_structure(painter, rect, row, faded)
            painter.restore()
            return
        content: tuple[object, ...]
        paint: Callable[[QPainter, QRect], None]
        if column == Column.POLYMER:
            beside = row.state if self.state_beside_id and row.state not in ("used", "predicted") else None
            content = (row.label, row.id, selected, faded, beside)
            paint = partial(self._paint_polymer, row=row, selected=selected, faded=faded, beside=beside is not None)
        elif column == Column.STATE:
            told = model.told(line)
            content = (row.state, told)
            paint = partial(self._paint_state, row=row, told=told)
        elif column == Column.GAIN:
            content = model.gain(line)
            paint = partial(self._paint_gain, words=model.gain(line))
        elif column == Column.ORIGIN:
            text = model.text(line, column)
            content = (text, faded)
            paint = partial(self._paint_word, text=text, faded=faded)
        else:
            text = model.text(line, column)
            bold = column == Column.CALIBRATED and text != MISSING
            italic = column >= Column.CALIBRATED and model.is_from_predicted(line)
            content = (text, bold, italic, faded)
            paint = partial(self._paint_number, text=text, bold=bold, italic=italic, faded=faded)
        scale = painter.device().devicePixelRatioF()
        key = (column, content, ground)
        if self._cells.show(painter, rect, key, scale):
            return
        viewport = option.widget.viewport() if isinstance(option.widget, QAbstractScrollArea) else None
        if not paint_turns().has_room(viewport):
            self._paint_ground(painter, rect, *ground)
            if viewport is not None:
                paint_turns().postpone(viewport)
            return

        def whole(inside: QPainter, area: QRect) -> None:
            self._paint_ground(inside, area, *ground)
            paint(inside, area)

        self._cells.paint(painter, rect, key, scale, whole)

    def _paint_ground(
        self, painter: QPainter, rect: QRect, odd: int, selected: bool, focused: bool, marked: bool
    ) -> None:
        painter.fillRect(rect, self._colour("selection" if selected else "alternate_row" if odd else "base"))
        line_colour = self._colour("interval_bar" if selected else "soft_border")
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, line_colour)
        if marked:
            painter.fillRect(rect.left(), rect.top(), MARK_WIDTH, rect.height(), self._colour("accent"))
        if focused:
            accent = self._colour("accent")
            painter.fillRect(rect.left(), rect.top(), rect.width(), 1, accent)
            painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, accent)

    def _paint_word(self, painter: QPainter, rect: QRect, text: str, faded: bool) -> None:
        painter.setFont(self._note)
        painter.setPen(self._colour("muted" if faded else "text"))
        painter.drawText(rect.adjusted(MARGIN, 0, -MARGIN, 0), Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_number(self, painter: QPainter, rect: QRect, text: str, bold: bool, italic: bool, faded: bool) -> None:
        """Write a number; one that rests on a predicted MD value in italics."""
        font = self._bold if bold else self._plain
        if italic:
            font = QFont(font)
            font.setItalic(True)
        painter.setFont(font)
        painter.setPen(self._colour("muted" if faded else "text"))
        painter.drawText(
            rect.adjusted(MARGIN, 0, -MARGIN, 0), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text
        )

    def _paint_structure(self, painter: QPainter, rect: QRect, row: PolymerRow, faded: bool) -> None:
        inner = rect.adjusted(MARK_WIDTH + 1, 3, -3, -3)
        size = QSize(min(inner.width(), PICTURE.width()), min(inner.height(), PICTURE.height()))
        if size.width() < 16:
            return
        scale = painter.device().devicePixelRatioF()
        known, pixmap = self._thumbnails.find(row.smiles, PICTURE, scale, dark=self._theme.dark)
        if pixmap is not None:
            target = QRectF(QPointF(0, 0), size.toSizeF())
            shown = pixmap.deviceIndependentSize().scaled(size.toSizeF(), Qt.AspectRatioMode.KeepAspectRatio)
            target.setSize(shown)
            target.moveCenter(QRectF(inner).center())
            painter.setOpacity(FADED if faded else 1.0)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(target, pixmap, QRectF(pixmap.rect()))
            painter.setOpacity(1.0)
        elif known:
            painter.setFont(self._note)
            painter.setPen(self._colour("faint"))
            painter.drawText(inner, Qt.AlignmentFlag.AlignCenter, "none")

    def _paint_polymer(
        self, painter: QPainter, rect: QRect, row: PolymerRow, selected: bool, faded: bool, beside: bool
    ) -> None:
        inner = QRectF(rect).adjusted(MARGIN, 2, -1, -2)  # the number beside it keeps its distance
        below = row.id if row.id != row.label else ""
        # Rather all of the name than a bold part of it, and rather that than the id below it.
        for bold, has_note in ((selected, bool(below or beside)), (False, bool(below or beside)), (False, beside)):
            lines_fit = max(int((inner.height() - (self._note_height if has_note else 0)) // self._line_height), 1)
            lines = self._wrapped(row.label, int(inner.width()), lines_fit, bold)
            if not "".join(lines).endswith("…"):
                break
        height = len(lines) * self._line_height + (self._note_height if has_note else 0)
        top = inner.top() + (inner.height() - height) / 2
        painter.setFont(self._bold if bold else self._plain)
        painter.setPen(self._colour("muted" if faded else "text"))
        for line in lines:
            painter.drawText(
                QRectF(inner.left(), top, inner.width(), self._line_height), Qt.AlignmentFlag.AlignVCenter, line
            )
            top += self._line_height
        if not has_note:
            return
        painter.setFont(self._note)
        metrics = QFontMetricsF(self._note)
        painter.setPen(self._colour("faint"))
        note = QRectF(inner.left(), top, inner.width(), self._note_height)
        shown_id = metrics.elidedText(below, Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(note, Qt.AlignmentFlag.AlignVCenter, shown_id)
        if beside:
            gap = metrics.horizontalAdvance(shown_id + " ") if shown_id else 0.0
            note.setLeft(note.left() + gap)
            painter.setPen(self._colour(STATE_ROLES[row.state]))
            shown = metrics.elidedText(row.state, Qt.TextElideMode.ElideRight, note.width())
            painter.drawText(note, Qt.AlignmentFlag.AlignVCenter, shown)

    def _paint_state(self, painter: QPainter, rect: QRect, row: PolymerRow, told: str) -> None:
        """Write the word for the state and, in a column that is wide enough, note and reason below it."""
        inner = QRectF(rect).adjusted(MARGIN, 2, -MARGIN, -2)
        painter.setFont(self._note)
        fit = max(int(inner.height() // self._note_height), 1)
        state = row.state if told == row.reason else f"{row.state}, note"
        lines = self._wrapped(state, int(inner.width()), fit, False, note=True)
        words = len(lines)
        if told and rect.width() >= ROOM_FOR_REASON and words < fit:
            lines = [*lines, *self._wrapped(told, int(inner.width()), fit - words, False, note=True)]
        top = inner.top() + (inner.height() - len(lines) * self._note_height) / 2
        for number, line in enumerate(lines):
            painter.setPen(self._colour(STATE_ROLES[row.state] if number < words else "muted"))
            painter.drawText(
                QRectF(inner.left(), top, inner.width(), self._note_height), Qt.AlignmentFlag.AlignVCenter, line
            )
            top += self._note_height

    def _paint_gain(self, painter: QPainter, rect: QRect, words: tuple[str, str]) -> None:
        """Write what measuring the polymer would do, and below it in all with those above."""
        inner = QRectF(rect).adjusted(MARGIN, 0, -MARGIN, 0)
        height = self._line_height + (self._note_height if words[1] else 0.0)
        line = QRectF(inner.left(), inner.top() + (inner.height() - height) / 2, inner.width(), self._line_height)
        painter.setFont(self._plain)
        painter.setPen(self._colour("text"))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, words[0])
        painter.setFont(self._note)
        painter.setPen(self._colour("muted"))
        line.translate(0, self._line_height)
        line.setHeight(self._note_height)
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, words[1])

    def _wrapped(self, text: str, width: int, lines: int, bold: bool, *, note: bool = False) -> list[str]:
        """Break a text into at most so many lines, the last one elided; remembered, because scrolling asks again."""
        key = (text, width, lines + (100 if note else 0), bold)
        known = self._wraps.get(key)
        if known is None:
            font = self._note if note else self._bold if bold else self._plain
            known = wrap(text, font, width, lines)
            self._wraps[key] = known
            if len(self._wraps) > KEPT_WRAPS:
                self._wraps.popitem(last=False)
        return known


def wrap(text: str, font: QFont, width: float, lines: int) -> list[str]:
    """Break a text at words, hyphens and joints of names, elsewhere where it must; the last of too many lines is elided."""
    text = with_joints(text)
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    found: list[str] = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        start = line.textStart()
        if len(found) == lines - 1:
            rest = text[start:].replace(JOINT, "")
            found.append(QFontMetricsF(font).elidedText(rest, Qt.TextElideMode.ElideRight, width))
            break
        taken = text[start : start + line.textLength()]
        found.append(taken.replace(JOINT, "").rstrip() + ("-" if taken.endswith(JOINT) else ""))
    layout.endLayout()
    return found
