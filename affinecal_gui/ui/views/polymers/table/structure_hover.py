"""When the larger picture of a repeat unit is shown, and when it goes: as long as the mouse rests on the small one."""

from PySide6.QtCore import QEvent, QObject, QPersistentModelIndex, QRect, Slot
from PySide6.QtGui import QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QTableView

from affinecal_gui.ui.parts.number_text import MISSING
from affinecal_gui.ui.parts.theme.theme import current_theme
from affinecal_gui.ui.views.polymers.table.polymer_cells import Column
from affinecal_gui.ui.views.polymers.table.polymer_model import AnyIndex, PolymerModel
from affinecal_gui.ui.views.polymers.table.structure_preview import LARGE, StructurePreview
from affinecal_gui.ui.views.polymers.thumbnails import ThumbnailStore

_VALUES = (Column.MEASURED, Column.MD, Column.CALIBRATED)
_ENDS = frozenset(
    (
        QEvent.Type.Leave,
        QEvent.Type.Wheel,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.Resize,
        QEvent.Type.Hide,
        QEvent.Type.WindowDeactivate,
    )
)


class StructureHover(QObject):
    """Listens to the mouse over the table; the table hands over the events of its viewport."""

    def __init__(self, table: QTableView, model: PolymerModel, thumbnails: ThumbnailStore) -> None:
        super().__init__(table)
        self._table, self._model, self._thumbnails = table, model, thumbnails
        self._cell = QPersistentModelIndex()
        self.preview = StructurePreview(table)
        thumbnails.ready.connect(self._show_ready)
        model.modelAboutToBeReset.connect(self.end)
        for bar in (table.verticalScrollBar(), table.horizontalScrollBar()):
            bar.valueChanged.connect(self.end)

    def takes(self, event: QEvent) -> bool:
        """Follow an event of the viewport; returns whether nobody else is to see it."""
        kind = event.type()
        if kind == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            return self._begin(self._table.indexAt(event.pos()))
        if kind in _ENDS or (
            self._cell.isValid()
            and isinstance(event, QMouseEvent)
            and self._table.indexAt(event.position().toPoint()) != self._cell
        ):
            self.end()
        return False

    @Slot()
    def end(self, *_: object) -> None:
        """Take the picture away."""
        if self._cell.isValid():
            self._table.viewport().setMouseTracking(False)
        self._cell = QPersistentModelIndex()
        self.preview.hide()

    def _begin(self, index: AnyIndex) -> bool:
        """Show the structure of a cell, as soon as it is drawn; what is no structure has the usual tooltip."""
        if not index.isValid() or index.column() != Column.STRUCTURE or not self._model.row(index.row()).smiles:
            self.end()
            return False
        self._cell = QPersistentModelIndex(index)
        self._table.viewport().setMouseTracking(True)  # to hear that the mouse goes on, and only as long
        return self._show()

    def _show(self) -> bool:
        row = self._model.row(self._cell.row())
        scale = self._table.devicePixelRatioF()
        known, pixmap = self._thumbnails.find(row.smiles, LARGE, scale, dark=current_theme().dark)
        if pixmap is None:
            if known:
                self.end()
            return not known
        cell = self._table.visualRect(self._cell)
        viewport = self._table.viewport()
        place = QRect(viewport.mapToGlobal(cell.topLeft()), cell.size())
        self.preview.show_beside(place, pixmap, row.label, self._values(self._cell.row()))
        return True

    def _values(self, line: int) -> list[str]:
        """Return what is known of the property, a value a line."""
        told = []
        for column in _VALUES:
            text, head = self._model.text(line, column), self._model.head(column)
            if text != MISSING:
                told.append(f"{head.title}: {text} {head.unit}".rstrip())
        return told

    @Slot(str)
    def _show_ready(self, smiles: str) -> None:
        if self._cell.isValid() and self._model.row(self._cell.row()).smiles == smiles and not self.preview.isVisible():
            self._show()
