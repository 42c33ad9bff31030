"""One plot on a canvas: a box with labelled axes at its left and below it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QPen
from PySide6.QtWidgets import QGraphicsItem

from affinecal_gui.figures.round_values import LabelRoom, Labels, choose
from affinecal_gui.ui.parts.theme.fonts import NOTE_SIZE
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.views.plots.canvas.label_room import spread
from affinecal_gui.ui.views.plots.canvas.labelled_axis import TICK, TICK_GAP, LabelledAxis
from affinecal_gui.ui.views.plots.canvas.pens import line
from affinecal_gui.ui.views.plots.canvas.plot_box import PlotBox
from affinecal_gui.ui.views.plots.canvas.plot_items import Curve

_AXIS_WIDTH = 110.0  # room in which labels are drawn; what they really take is Panel.left_room
_AXIS_HEIGHT = 26.0
_GAP_X = 6.0  # free pixels between labels below
_MOST_LABELS = 12


class Panel:
    """One plot: its box, its labelled left and bottom axis, and thin lines at the labels.

    Parameters
    ----------
    root
        Item of the canvas on which the panel is placed.
    font_size
        Of the labels at the axes, in logical pixels.
    same_density
        Label both axes from the same set of round numbers (parity plots).
    """

    def __init__(self, root: QGraphicsItem, font_size: float = NOTE_SIZE, same_density: bool = False) -> None:
        self.box = PlotBox()
        self.box.setParentItem(root)
        self.left = LabelledAxis("left", root)
        self.bottom = LabelledAxis("bottom", root)
        self.grid = Curve(connect="pairs", skipFiniteCheck=True, antialias=False)
        self.grid.setZValue(-30)
        self.box.addItem(self.grid, ignoreBounds=True)
        self.log = False
        self.log_x: bool | None = None  # of the lower axis, where it is another
        self.own_ticks_x: Labels | None = None  # instead of round numbers, e.g. element symbols
        self.hide_left_labels = False
        self.free_beside: float | None = None  # pixels to the next panel of a row; None: labels may stand out
        self.with_grid = True
        self.upright_grid = True
        self._font_size = font_size
        self._same_density = same_density
        self.gap_y = 10.0 if same_density else 4.0  # free pixels between labels at the left
        self._extent_x: Callable[[str], float] = len
        self._height = 12.0
        self._line_height = 12.0
        self._shown: tuple[Labels, Labels] | None = None
        self._asked: tuple[object, ...] = ()
        self._ratio = 1.0
        self._inner = QRectF()
        self._applied: tuple[Theme, float] | None = None
        self._is_held = False  # while the panel is being placed
        self._was_changed = False  # meanwhile
        for axis in (self.left, self.bottom):
            axis.setZValue(1)
        self.box.sigRangeChanged.connect(self._range_changed)
        self.box.sigResized.connect(self._range_changed)

    def place(self, inner: QRectF) -> None:
        """Put the box at ``inner``, rounded so that its frame is crisp; the labels stand at its left and below it."""
        inner = QRectF(
            round(inner.left()) + 0.5,
            round(inner.top()) + 0.5,
            max(1, round(inner.width())),
            max(1, round(inner.height())),
        )
        if inner == self._inner:
            return
        self._inner = inner
        self.box.setGeometry(inner)
        self.left.set_geometry(QRectF(inner.left() - _AXIS_WIDTH, inner.top(), _AXIS_WIDTH, inner.height()))
        self.bottom.set_geometry(QRectF(inner.left(), inner.bottom(), inner.width(), _AXIS_HEIGHT))
        self.refresh_ticks()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Follow a new place and a new range once, at the end: each of them alone would be labelled for nothing."""
        self._is_held = True
        try:
            yield
        finally:
            self._is_held = False
        if self._was_changed:
            self._was_changed = False
            self._follow_range()

    def label_extent(self, text: str) -> float:
        """Return the width in pixels of a label."""
        return self._extent_x(text)

    def set_font_size(self, size: float) -> None:
        """Change the size of the labels at the axes."""
        self._font_size = size
        applied, self._applied = self._applied, None
        if applied is not None:
            self.apply_theme(*applied)

    @property
    def label_height(self) -> float:
        """Height in pixels of a label."""
        return self._height

    @property
    def left_room(self) -> float:
        """Width in pixels that ticks and labels take at the left of the box."""
        labels = self._shown[1].labels if self._shown is not None and not self.hide_left_labels else ()
        return max((self._extent_x(label) for label in labels), default=0.0) + TICK + TICK_GAP

    @property
    def bottom_room(self) -> float:
        """Height in pixels that ticks and labels take below the box."""
        return self._line_height + TICK + 6.0

    def set_visible(self, visible: bool) -> None:
        """Show or hide all parts."""
        for item in (self.box, self.left, self.bottom):
            item.setVisible(visible)

    def apply_theme(self, theme: Theme, ratio: float = 1.0) -> None:
        """Take over colours and fonts.

        Parameters
        ----------
        theme
            The theme.
        ratio
            Device pixels per logical pixel: the lines of pyqtgraph's items are cosmetic, their widths in device pixels.
        """
        self._ratio = ratio
        self._applied = (theme, ratio)
        font = theme.font(self._font_size)
        metrics = QFontMetricsF(font)
        self._extent_x = metrics.horizontalAdvance
        self._height = metrics.capHeight() + 2.0
        self._line_height = metrics.ascent()
        border = line(theme.colour("border"), 1.0)
        self.box.setBorder(border)
        self.box.rbScaleBox.setPen(self.pen(theme.colour("accent"), 1.0))
        self.box.rbScaleBox.setBrush(theme.colour("accent", 0.15))
        self.grid.setPen(self.pen(theme.colour("grid"), 1.0))
        for axis in (self.left, self.bottom):
            axis.set_look(font, border, theme.colour("muted"))
        self._shown = None
        self._asked = ()
        self.refresh_ticks()

    def pen(self, colour: QColor, width: float, dash: Sequence[float] = ()) -> QPen:
        """Return a cosmetic pen for an item of the plot; width and dashes in logical pixels."""
        made = line(colour, width * self._ratio, [part * self._ratio for part in dash])
        made.setCosmetic(True)
        return made

    def _range_changed(self, *_: object) -> None:
        if self._is_held:
            self._was_changed = True
        else:
            self._follow_range()

    def _follow_range(self) -> None:
        """Show what hangs on the part of the plot in view."""
        self.refresh_ticks()

    def refresh_ticks(self) -> None:
        """Label the axes for the part of the plot in view."""
        if self._is_held:
            self._was_changed = True
            return
        (x_low, x_high), (y_low, y_high) = self.box.viewRange()
        size = self.box.rect()
        shape = (size.width(), size.height(), self.own_ticks_x, self.hide_left_labels, self.log, self.log_x)
        asked = (x_low, x_high, y_low, y_high, *shape)
        if asked == self._asked and self._shown is not None:
            return
        self._asked = asked
        room_x = LabelRoom(size.width(), self._extent_x, _GAP_X, _MOST_LABELS)
        room_y = LabelRoom(size.height(), self._extent_y, self.gap_y, _MOST_LABELS)
        y, density = choose(y_low, y_high, room_y, log=self.log)
        if self.own_ticks_x is not None:
            x = self.own_ticks_x
        else:
            x, density_x = choose(x_low, x_high, room_x, log=self.log if self.log_x is None else self.log_x)
            if self._same_density and density_x != density:
                if density_x > density:
                    sparser, _ = choose(y_low, y_high, room_y, log=self.log, least=density_x)
                    y = sparser if len(sparser.positions) >= 2 else y
                else:
                    sparser, _ = choose(x_low, x_high, room_x, log=self.log, least=density)
                    x = sparser if len(sparser.positions) >= 2 else x
        self._shown = (x, y)
        self._draw_grid(x, y)
        self.bottom.set_range(x_low, x_high)
        self.bottom.set_ticks(x.positions, x.labels, x.shifts or self._shifts_beside_others(x))
        self.left.set_range(y_low, y_high)
        self.left.set_ticks(y.positions, ("",) * len(y.labels) if self.hide_left_labels else y.labels)

    def _shifts_beside_others(self, x: Labels) -> tuple[float, ...]:
        """Move the labels below, where panels stand in a row, so far in that they do not touch those of the next one."""
        (low, high), _ = self.box.viewRange()
        if self.free_beside is None or high == low:
            return ()
        width = self.box.rect().width()
        middles = [(position - low) * width / (high - low) for position in x.positions]
        out = (self.free_beside - _GAP_X) / 2.0
        placed = spread(middles, [self._extent_x(label) for label in x.labels], -out, width + out, _GAP_X)
        return () if placed is None else tuple(now - then for now, then in zip(placed, middles, strict=True))

    def _extent_y(self, _: str) -> float:
        return self._height

    def _draw_grid(self, x: Labels, y: Labels) -> None:
        if not self.with_grid:
            return
        (x_low, x_high), (y_low, y_high) = self.box.viewRange()
        upright = x.positions if self.upright_grid else ()
        xs = [end for position in upright for end in (position, position)]
        ys = [end for _ in upright for end in (y_low, y_high)]
        for position in y.positions:
            xs += [x_low, x_high]
            ys += [position, position]
        self.grid.setData(xs, ys)
