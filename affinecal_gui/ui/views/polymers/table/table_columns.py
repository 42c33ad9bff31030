"""The columns of the polymer table: which are shown, how wide they are, and the menu that chooses them."""

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction, QFontMetricsF
from PySide6.QtWidgets import QMenu, QTableView, QWidget

from affinecal_gui.study.md_origin import MD_ORIGINS
from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE, NOTE_SIZE
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.views.polymers.table.polymer_cells import Column
from affinecal_gui.ui.views.polymers.table.polymer_delegate import MARGIN, PICTURE, PolymerDelegate
from affinecal_gui.ui.views.polymers.table.polymer_header import PolymerHeader
from affinecal_gui.ui.views.polymers.table.polymer_model import PolymerModel
from affinecal_gui.ui.views.polymers.table.polymer_order import Group

SMALLEST_NAME = 88  # pixels that a name needs to be read at all
COMFORTABLE_NAME = 200
WIDEST_STATE = 320
MEASURED_COLUMNS = tuple(column for column in Column if column not in (Column.RANK, Column.GAIN, Column.ORIGIN))
EXPENDABLE: tuple[Column, ...] = (
    Column.ORIGIN,
    Column.STATE,
    Column.INTERVAL,
    Column.MD,
    Column.STRUCTURE,
    Column.RESIDUAL,
)
"""Columns that make room in a narrow panel, the first one first; the word for the state then moves beside the id."""

GROUP_COLUMNS: Mapping[Group, tuple[Column, ...]] = {
    "measured": MEASURED_COLUMNS,
    "predicted": tuple(column for column in MEASURED_COLUMNS if column not in (Column.MEASURED, Column.RESIDUAL)),
    "next": tuple(
        column for column in Column if column not in (Column.MEASURED, Column.RESIDUAL, Column.STATE, Column.ORIGIN)
    ),
}
"""Columns that can have a value in each list; but for the origin of MD values, while all of them were simulated."""


class TableColumns(QObject):
    """Shows the columns that fit, or those that the user chose.

    Parameters
    ----------
    table
        The table; it has its model and its header already.
    model, header, delegate
        What it shows, and what draws heads and cells.
    theme
        The one in use.
    """

    changed = Signal()  # other columns are shown

    def __init__(
        self, table: QTableView, model: PolymerModel, header: PolymerHeader, delegate: PolymerDelegate, theme: Theme
    ) -> None:
        super().__init__(table)
        self._table, self._model, self._head, self._delegate, self._theme = table, model, header, delegate, theme
        self._chosen: frozenset[Column] | None = None  # by the user; None: whatever fits

    def apply_theme(self, theme: Theme) -> None:
        """Take over other fonts."""
        self._theme = theme
        self.fit()

    def shown(self) -> tuple[Column, ...]:
        """Return the columns that are shown."""
        return tuple(column for column in Column if not self._table.isColumnHidden(column))

    def offered(self) -> tuple[Column, ...]:
        """Return the columns that the list shown can fill."""
        group = self._model.shown_group
        tells = group != "next" and self._model.tells_origins
        return (*GROUP_COLUMNS[group], Column.ORIGIN) if tells else GROUP_COLUMNS[group]

    @property
    def chosen(self) -> tuple[Column, ...] | None:
        """Columns the user chose; None while the table itself shows what fits."""
        return None if self._chosen is None else tuple(sorted(self._chosen))

    def choose(self, columns: Iterable[int] | None) -> None:
        """Show these columns whatever the width; None: those that fit."""
        known = None if columns is None else frozenset(Column(column) for column in columns if column in set(Column))
        self._chosen = None if known is None else known | {Column.POLYMER}
        self.fit()

    def menu(self, parent: QWidget) -> QMenu:
        """Return a menu that chooses columns."""
        menu = QMenu(parent)
        menu.setAccessibleName("Columns")
        automatic = menu.addAction("Those that fit")
        automatic.setCheckable(True)
        automatic.setChecked(self._chosen is None)
        automatic.triggered.connect(self._choose_automatically)
        menu.addSeparator()
        shown = self.shown()
        for column in self.offered():
            action = menu.addAction(self._model.head(column).title)
            action.setCheckable(True)
            action.setChecked(column in shown)
            action.setEnabled(column != Column.POLYMER)
            action.setData(int(column))
            action.triggered.connect(self._toggle_column)
        return menu

    def fit(self) -> None:
        """Give every column the width of its contents and the name the rest; hide what has no room."""
        narrowest = self._head.minimumSectionSize()
        widths = {column: max(self._content_width(column), narrowest) for column in Column}
        offered = self.offered()
        shown = [column for column in offered if self._chosen is None or column in self._chosen]
        room = self._table.viewport().width()
        if self._chosen is None:
            for column in EXPENDABLE:
                if sum(widths[kept] for kept in shown) <= room:
                    break
                if column in shown:
                    shown.remove(column)
            used = sum(widths[kept] for kept in shown)
            for column in reversed(EXPENDABLE):  # a narrower one may fit where a wider one had to go
                if column in offered and column not in shown and used + widths[column] <= room:
                    shown.append(column)
                    used += widths[column]
        before = self.shown()
        rest = room - sum(widths[column] for column in shown if column != Column.POLYMER)
        widths[Column.POLYMER] = max(widths[Column.POLYMER], rest)
        if Column.STATE in shown and rest > COMFORTABLE_NAME:  # room that no name needs goes to the reasons
            widths[Column.POLYMER] = max(COMFORTABLE_NAME, rest - WIDEST_STATE + widths[Column.STATE])
            widths[Column.STATE] += rest - widths[Column.POLYMER]
        for column in Column:
            self._table.setColumnHidden(column, column not in shown)
            if column in shown and self._table.columnWidth(column) != widths[column]:
                self._table.setColumnWidth(column, widths[column])
        self._delegate.state_beside_id = Column.STATE not in shown
        self._delegate.first_column = min(shown, key=self._head.visualIndex)
        if self.shown() != before:
            self._table.viewport().update()
            self.changed.emit()

    def _content_width(self, column: Column) -> int:
        head = self._head.title_width(column)
        if column == Column.POLYMER:
            return SMALLEST_NAME
        if column == Column.STRUCTURE:
            return max(head, PICTURE.width() + 8)
        if column == Column.GAIN:
            lines = [(BODY_SIZE, found.words[0]) for found in self._model.suggestions]
            lines += [(NOTE_SIZE, found.words[1]) for found in self._model.suggestions]
            widths = (QFontMetricsF(self._theme.font(size)).horizontalAdvance(text) for size, text in lines)
            return max([head, *(round(width) + 2 * MARGIN + 1 for width in widths)])
        if column == Column.ORIGIN:
            words = QFontMetricsF(self._theme.font(NOTE_SIZE))
            return max(head, *(round(words.horizontalAdvance(word)) + 2 * MARGIN + 1 for word in MD_ORIGINS))
        if column == Column.STATE:
            words = QFontMetricsF(self._theme.font(NOTE_SIZE))
            longest = "left out" if self._model.shown_group == "measured" else "predicted"
            return max(head, round(words.horizontalAdvance(longest)) + 2 * MARGIN + 1)
        figures = QFontMetricsF(self._theme.font(BODY_SIZE, bold=column == Column.CALIBRATED))
        texts = self._model.widest_texts(column)
        return max([head, *(round(figures.horizontalAdvance(text)) + 2 * MARGIN for text in texts)])

    @Slot()
    def _choose_automatically(self) -> None:
        self.choose(None)

    @Slot()
    def _toggle_column(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            column = Column(action.data())
            shown = set(self.shown())
            # Columns that only the other list has keep their state.
            kept = set(Column) - set(self.offered()) if self._chosen is None else set(self._chosen)
            kept -= set(self.offered())
            self.choose((shown ^ {column}) | kept)
