"""The panels of the parity plot on their canvas: a large one above, and small ones in a row below it."""

import math
from collections.abc import Generator
from contextlib import ExitStack

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal, Slot

from affinecal_gui.calibration.calibrators.registry import RAW
from affinecal_gui.calibration.names import calibrator_title
from affinecal_gui.calibration.results import Calibration, ModelName
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE, NOTE_SIZE, SMALLEST_SIZE
from affinecal_gui.ui.parts.theme.model_style import model_style
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme
from affinecal_gui.ui.views.plots.canvas.axis_title import AxisTitle
from affinecal_gui.ui.views.plots.canvas.plot_canvas import PlotCanvas
from affinecal_gui.ui.views.plots.canvas.plot_notes import Piece
from affinecal_gui.ui.views.plots.parity.parity_panel import ParityPanel
from affinecal_gui.ui.views.plots.parity.parity_range import CornerSize, extremes_together

_TITLE = 17.0  # pixels: height of an axis title
_SMALL_TITLE = 18.0
_SMALL_GAP = 10.0
_LEAST_SMALL = 74.0  # pixels from one small panel to the next; narrower ones are not worth their room
_WIDEST = 1.5
_RIGHT = 14.0  # so much of the last label may stand out
_TOP = 4.0
_PASSES = 4  # at most, until labels and panels agree about the room at the left

SMALL_PANELS = 3


class ParityPanels(QObject):
    """Places the panels and their titles, and moves the small ones together.

    Parameters
    ----------
    canvas
        Holds the panels; it is laid out from here.
    large, small
        The panels, without points.
    """

    model_clicked = Signal(str)  # calibrator whose small panel was clicked

    def __init__(self, canvas: PlotCanvas, large: ParityPanel, small: tuple[ParityPanel, ...]) -> None:
        super().__init__()
        self.canvas, self.large, self.small = canvas, large, small
        self.small_models: tuple[ModelName, ...] = ()
        """The calibrators of the small panels, as many of these as there are."""
        self.key_lines: list[list[Piece]] = []
        """The key of the large panel, shown where there is room for it."""
        self.with_small = True
        self._left = 50.0  # pixels at the left of the panels
        self._theme = current_theme()
        self.x_title = AxisTitle(canvas.root)
        self.y_title = AxisTitle(canvas.root, upright=True)
        self.small_x_title = AxisTitle(canvas.root)
        self.small_y_title = AxisTitle(canvas.root, upright=True)
        self.small_titles = tuple(AxisTitle(canvas.root) for _ in small)
        canvas.arrange_with(self._arrange)
        canvas.home_wished.connect(self.reset)
        large.box.double_clicked.connect(self.reset)
        for position, panel in enumerate(small):
            panel.hide_left_labels = position > 0
            panel.free_beside = _SMALL_GAP
            panel.box.clicked.connect(self._small_clicked)
            panel.box.double_clicked.connect(self.reset)
            panel.box.sigRangeChangedManually.connect(self._small_moved)
            panel.box.setCursor(Qt.CursorShape.PointingHandCursor)

    @classmethod
    def in_steps(cls) -> Generator[None, None, "ParityPanels"]:
        """Make the canvas, then one panel a step."""
        canvas = PlotCanvas(lambda _area: None, "Parity plot: predicted against measured values")
        panels = []
        for mark_size, font_size in ((9.0, NOTE_SIZE), *((5.6, SMALLEST_SIZE) for _ in range(SMALL_PANELS))):
            yield
            panel = ParityPanel(canvas.root, mark_size, font_size)
            panel.apply_theme(current_theme(), canvas.devicePixelRatioF())
            panels.append(panel)
        return cls(canvas, panels[0], tuple(panels[1:]))

    @property
    def all(self) -> tuple[ParityPanel, ...]:
        """The large panel, then the small ones."""
        return (self.large, *self.small)

    def panel_at(self, scene: QPointF) -> ParityPanel | None:
        """Return the panel at a place on the canvas."""
        for panel in self.all:
            if panel.box.isVisible() and panel.box.sceneBoundingRect().contains(scene):
                return panel
        return None

    def model_of(self, panel: ParityPanel, chosen: ModelName) -> ModelName:
        """Return the calibrator of a panel; the large one shows the chosen one."""
        if panel in self.small:
            position = self.small.index(panel)
            if position < len(self.small_models):
                return self.small_models[position]
        return chosen

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and fonts."""
        self._theme = theme
        for panel in self.all:
            panel.apply_theme(theme, self.canvas.devicePixelRatioF())
        for title in (self.x_title, self.y_title):
            title.apply_theme(theme, BODY_SIZE)
        for title in (self.small_x_title, self.small_y_title):
            title.apply_theme(theme, NOTE_SIZE)
        self._colour_small_titles()

    def write_titles(self, snapshot: Snapshot, calibration: Calibration, chosen: ModelName, *, overlaid: bool) -> None:
        """Say what the axes are, and whose the small panels are."""
        quantity = snapshot.quantity
        symbol = quantity.symbol_html if quantity is not None else "value"
        unit = f", {quantity.unit}" if quantity is not None and quantity.unit else ""
        what = "Predicted" if overlaid else "MD" if chosen == RAW else "Calibrated"
        for title in (self.x_title, self.small_x_title):
            title.set_wordings(f"Measured {symbol}{unit}", f"Measured {symbol}")
        self.y_title.set_wordings(f"{what} {symbol}{unit}", f"{what} {symbol}")
        self.small_y_title.set_wordings(f"Predicted{unit}", "Predicted")
        for title, model in zip(self.small_titles, self.small_models, strict=False):
            name = calibrator_title(model, log_scale=calibration.log_scale)
            title.set_wordings(f"<b>{name}</b>", f"<b>{model_style(model).short_title}</b>")
        self._colour_small_titles()

    def _colour_small_titles(self) -> None:
        for title, model in zip(self.small_titles, self.small_models, strict=False):
            title.apply_theme(self._theme, NOTE_SIZE, model_style(model).role, bold=True)

    # -- where they lie -------------------------------------------------------------------------------------------

    def _arrange(self, area: QRectF) -> None:
        """Place the panels: the large one above, the small ones in a row below it."""
        for _ in range(_PASSES):
            with ExitStack() as placing:
                for panel in self.all:
                    placing.enter_context(panel.held())
                self._place_panels(area, self._left)
            # How wide the labels at the left are is known once the range is.
            needed = self._needed_left()
            if self._left - 6.0 <= needed <= self._left:
                break
            self._left = needed

    def _needed_left(self) -> float:
        rooms = [self.large.left_room]
        if self.small[0].box.isVisible():
            rooms.append(self.small[0].left_room)
        return math.ceil(max(rooms)) + _TITLE + 5.0

    def _place_panels(self, area: QRectF, left: float) -> None:
        count = max(1, len(self.small_models))
        width = max(40.0, area.width() - left - _RIGHT)
        with_small = bool(self.small_models) and self.with_small and area.height() >= 340.0
        with_small = with_small and (width + _SMALL_GAP) / count >= _LEAST_SMALL
        # Both axes have the same length per factor: a much wider panel would only show emptiness.
        widest = _WIDEST * max(80.0, area.height() * (0.68 if with_small else 1.0) - 50.0)
        margin = max(0.0, round((width - widest) / 2.0))
        width -= 2.0 * margin
        left += margin
        small_width = (width - _SMALL_GAP * (count - 1)) / count
        small_height = min(1.45 * small_width, 0.26 * area.height(), 240.0)
        bottom, small_bottom = self.large.bottom_room, self.small[0].bottom_room
        below = _SMALL_TITLE + small_height + small_bottom + _TITLE + 6.0 if with_small else 0.0
        height = area.height() - _TOP - bottom - _TITLE - 2.0 - below
        inner = QRectF(left, _TOP, width, max(40.0, height))
        self.large.place(inner)
        self.y_title.place(inner.center().y(), margin + 1.0, inner.height() + 8.0)
        self.x_title.place(inner.center().x(), inner.bottom() + bottom, area.width() - 8.0)
        self._place_key(inner)
        y = inner.bottom() + bottom + _TITLE + 6.0 + _SMALL_TITLE
        for position, (panel, title) in enumerate(zip(self.small, self.small_titles, strict=True)):
            shown = with_small and position < len(self.small_models)
            panel.set_visible(shown)
            title.setVisible(shown)
            if shown:
                x = left + position * (small_width + _SMALL_GAP)
                panel.place(QRectF(x, y, small_width, small_height))
                title.fit(small_width + (_SMALL_GAP - 3.0 if position + 1 < count else _RIGHT))
                title.setPos(round(x), y - _SMALL_TITLE + 1.0)
        for title in (self.small_x_title, self.small_y_title):
            title.setVisible(with_small)
        if with_small:
            self.small_y_title.place(y + small_height / 2.0, margin + 2.0, small_height + 40.0)
            self.small_x_title.place(inner.center().x(), y + small_height + small_bottom, area.width() - 8.0)
        if self.large.at_home:
            self.large.go_home()
        else:
            self.large.place_blocks()
        if with_small:
            self._small_home()

    def _place_key(self, inner: QRectF) -> None:
        """Show the key where the panel is large enough for it."""
        roomy = inner.width() >= 230.0 and inner.height() >= 220.0
        self.large.key.set_lines(self.key_lines if roomy else ())
        self.large.note.setVisible(inner.width() >= 150.0 and inner.height() >= 110.0)

    def _small_home(self) -> None:
        shown = self.small[: len(self.small_models)]
        if not all(panel.at_home for panel in shown):
            for panel in shown:
                panel.place_blocks()
            return
        seen = [panel.extremes for panel in shown if not panel.extremes.empty]
        if not seen:
            return
        together = extremes_together(seen)
        corners = [panel.corner for panel in shown]
        corner = CornerSize(max(block.width for block in corners), max(block.height for block in corners))
        for panel in shown:
            panel.go_home(together, corner, square=False)

    # -- moving ---------------------------------------------------------------------------------------------------

    @Slot()
    def reset(self) -> None:
        """Show all points again, in every panel."""
        for panel in self.all:
            panel.at_home = True
        self.canvas.lay_out()

    @Slot()
    def _small_moved(self, *_: object) -> None:
        """Move the small panels together."""
        moved = next((panel for panel in self.small if panel.box is self.sender()), None)
        if moved is None:
            return
        x_range, y_range = moved.box.viewRange()
        for panel in self.small:
            panel.at_home = False
            if panel is not moved:
                panel.box.setRange(xRange=x_range, yRange=y_range, padding=0.0, disableAutoRange=True)

    @Slot(bool)
    def show_small(self, wanted: bool) -> None:
        """Show or hide the calibrators that are not chosen."""
        self.with_small = wanted
        self.canvas.lay_out()

    @Slot()
    def _small_clicked(self, *_: object) -> None:
        clicked = next((number for number, panel in enumerate(self.small) if panel.box is self.sender()), -1)
        if 0 <= clicked < len(self.small_models):
            self.model_clicked.emit(self.small_models[clicked])
