"""The card beside the point under the mouse."""

from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QWidget

from affinecal_gui.calibration.results import ModelName
from affinecal_gui.ui.parts.widgets.hover_card import HoverCard, Thumbnail
from affinecal_gui.ui.views.plots.canvas.plot_canvas import PlotCanvas
from affinecal_gui.ui.views.plots.points.plotted_polymers import PlottedPolymers


class PointCard(HoverCard):
    """Name, numbers and picture of one polymer.

    Parameters
    ----------
    view
        Holds the card and the canvas.
    thumbnail
        Gives the picture of a repeat unit: from SMILES to a pixmap, or to None while there is none.
    """

    def __init__(self, view: QWidget, thumbnail: Thumbnail | None) -> None:
        super().__init__(view)
        self._view = view
        self.thumbnail = thumbnail

    def show_point(
        self, canvas: PlotCanvas, scene: QPointF, plotted: PlottedPolymers, point: int, model: ModelName
    ) -> None:
        """Show what there is to say about a point, beside a place on the canvas."""
        row = plotted.row(point)
        picture = self.thumbnail(row.smiles) if self.thumbnail is not None else None
        place = canvas.mapTo(self._view, canvas.mapFromScene(scene))
        name, other = row.label, row.id if row.id != row.label else ""
        self.show_beside(place, name, other, plotted.numbers(point, model), picture)
