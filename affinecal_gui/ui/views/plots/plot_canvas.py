"""The ground of every plot: a canvas, panels on it with axes, and the same manners everywhere.

Pan by dragging, zoom with the wheel, back to the whole by a double click or Home; right-click or the menu key for the
menu; the arrow keys are passed on to the view.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QThread, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QRegion,
    QWheelEvent,
)
from PySide6.QtWidgets import QGraphicsItem, QGraphicsTextItem, QGraphicsView, QWidget

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.figures.round_values import Labels, Room, choose
from affinecal_gui.ui.parts.theme import NOTE_SIZE, Theme
from affinecal_gui.ui.running.paint_turns import paint_turns
from affinecal_gui.ui.views.plots.labelled_axis import TICK, TICK_GAP, LabelledAxis

Range = tuple[float, float]

NEAREST, FURTHEST = 0.001, 2.0
"""The least and the greatest part of a plot that can be seen, as a multiple of the whole along each axis."""

_AXIS_WIDTH = 110.0  # room in which labels are drawn; what they really take is Panel.left_room
_AXIS_HEIGHT = 26.0
_GAP_X = 6.0  # free pixels between labels below
_MOST_LABELS = 12


def line(colour: QColor, width: float, dash: Sequence[float] = ()) -> QPen:
    """Return a pen for what is painted in logical pixels; ``dash`` in pixels."""
    made = QPen(colour, width)
    made.setCapStyle(Qt.PenCapStyle.FlatCap)
    if dash:
        made.setDashPattern([part / width for part in dash])
    return made


class PlotBox(pg.ViewBox):  # type: ignore[misc]
    """The inside of a plot: pans and zooms as far as there is something to see, and tells what was clicked."""

    clicked = Signal(object)  # QPointF in plot coordinates
    double_clicked = Signal()
    framed = Signal(object)  # QRectF in plot coordinates: a frame was drawn with Shift held

    def __init__(self) -> None:
        super().__init__(enableMenu=False, defaultPadding=0.0)
        self.disableAutoRange()
        self.takes_frames = False
        self._home: tuple[Range, Range] | None = None

    def show_home(self, x_range: Range, y_range: Range) -> None:
        """Show the whole; from here one gets no further away than :data:`FURTHEST` and no nearer than :data:`NEAREST`."""
        self._home = x_range, y_range
        self.setRange(xRange=x_range, yRange=y_range, padding=0.0, disableAutoRange=True)

    def scaleBy(self, s: Any = None, center: Any = None, x: Any = None, y: Any = None) -> None:
        """Zoom, within limits; axes that do not take part have no factor."""
        factors = list(s) if s is not None else [x, y]
        if self._home is not None:
            spans = [high - low for low, high in self.viewRange()]
            whole = [high - low for low, high in self._home]
            moved = [axis for axis in (0, 1) if factors[axis] is not None]
            least = max((NEAREST * whole[axis] / spans[axis] for axis in moved), default=0.0)
            most = min((FURTHEST * whole[axis] / spans[axis] for axis in moved), default=math.inf)
            factors = [None if factor is None else min(max(factor, least), most) for factor in factors]
        super().scaleBy(factors, center)
        self._stay_in_sight()

    def translateBy(self, t: Any = None, x: Any = None, y: Any = None) -> None:
        """Pan, but not away from everything."""
        super().translateBy(t, x, y)
        self._stay_in_sight()

    def _stay_in_sight(self) -> None:
        """Keep the middle of what is seen within the whole."""
        if self._home is None:
            return
        steps = []
        for (low, high), (least, most) in zip(self.viewRange(), self._home, strict=True):
            middle = (low + high) / 2.0
            steps.append(min(max(middle, least), most) - middle)
        if any(steps):
            super().translateBy(x=steps[0], y=steps[1])

    def mouseClickEvent(self, event: Any) -> None:
        """Pass on clicks of the left button."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        event.accept()
        if event.double():
            self.double_clicked.emit()
        else:
            self.clicked.emit(self.mapSceneToView(event.scenePos()))

    def mouseDragEvent(self, event: Any, axis: int | None = None) -> None:
        """Pan with the left button only: the right one belongs to the menu. With Shift held, draw a frame."""
        if event.button() == Qt.MouseButton.RightButton:
            event.ignore()
        elif self.takes_frames and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            event.accept()
            self._draw_frame(event)
        else:
            super().mouseDragEvent(event, axis)

    def _draw_frame(self, event: Any) -> None:
        if event.isFinish():
            self.rbScaleBox.hide()
            corners = (self.mapToView(event.buttonDownPos()), self.mapToView(event.pos()))
            self.framed.emit(QRectF(*corners).normalized())
        else:
            self.updateScaleBox(event.buttonDownPos(), event.pos())


def show_if(item: QGraphicsItem, has_content: bool) -> None:
    """Show or hide an item; what it leaves when it is hidden is painted over, of which Qt does not know (see PlotCanvas)."""
    was_visible = item.isVisible()
    item.setVisible(has_content)
    if was_visible and not has_content and item.scene() is not None:
        item.scene().update()


class Marks(pg.ScatterPlotItem):  # type: ignore[misc]
    """Marks that leave the mouse to their plot, which knows the point nearest to it.

    Parameters
    ----------
    symbol
        Name of the mark, or its outline.
    """

    def __init__(self, symbol: str | QPainterPath = "o") -> None:
        super().__init__(symbol=symbol, pxMode=True)

    _bounds: QRectF | None = None  # the base class sets data while it is being made

    def setData(self, *arguments: Any, **options: Any) -> None:
        """Show marks; without any the item costs nothing when its plot is painted."""
        super().setData(*arguments, **options)
        show_if(self, len(self.data) > 0)

    def boundingRect(self) -> QRectF:
        """Return the extent, which is asked for several times whenever the plot is painted."""
        if self._bounds is None or None in self.bounds:
            self._bounds = super().boundingRect()
        return self._bounds

    def put(self, x: FloatArray, y: FloatArray) -> None:
        """Show marks; those without a place are passed over, Qt crashes on them."""
        kept = np.isfinite(x) & np.isfinite(y)
        self.setData(x[kept], y[kept])

    def mouseClickEvent(self, event: Any) -> None:
        """Let the click through."""
        event.ignore()


class Curve(pg.PlotCurveItem):  # type: ignore[misc]
    """Lines; without any the item costs nothing when its plot is painted."""

    def setData(self, *arguments: Any, **options: Any) -> None:
        """Show lines."""
        super().setData(*arguments, **options)
        show_if(self, self.xData is not None and len(self.xData) > 0)


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
        room_x = Room(size.width(), self._extent_x, _GAP_X, _MOST_LABELS)
        room_y = Room(size.height(), self._extent_y, self.gap_y, _MOST_LABELS)
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
        self.bottom.set_ticks(x.positions, x.labels, x.shifts)
        self.left.set_range(y_low, y_high)
        self.left.set_ticks(y.positions, ("",) * len(y.labels) if self.hide_left_labels else y.labels)

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


class AxisTitle(QGraphicsTextItem):
    """What an axis shows, with its unit: rich text, centred along the axis, in the longest wording that fits."""

    def __init__(self, root: QGraphicsItem, upright: bool = False) -> None:
        super().__init__(root)
        self._upright = upright
        self.wordings: tuple[str, ...] = ("",)
        self._written = ""
        self._widths: dict[str, float] = {}  # of the wordings measured so far
        self.document().setDocumentMargin(0)
        if upright:
            self.setRotation(-90)

    def set_wordings(self, *wordings: str) -> None:
        """Give the words as HTML, the longest first."""
        if wordings != self.wordings:
            self.wordings = wordings
            self._widths.clear()
            self._write(wordings[0])

    def _write(self, wording: str) -> None:
        if wording != self._written:  # laying out rich text takes longer than all the rest
            self._written = wording
            self.setHtml(wording)

    def apply_theme(self, theme: Theme, size: float, role: str = "text", bold: bool = False) -> None:
        """Take over colour and font."""
        self.setFont(theme.font(size, bold))
        self._widths.clear()
        self.setDefaultTextColor(theme.colour(role))

    def fit(self, room: float) -> None:
        """Take the longest wording that needs no more than this length."""
        fitting = next((words for words in self.wordings if self._width(words) <= room), self.wordings[-1])
        self._write(fitting)

    def _width(self, wording: str) -> float:
        if wording not in self._widths:
            self._write(wording)
            self._widths[wording] = self.boundingRect().width()
        return self._widths[wording]

    def place(self, middle: float, across: float, room: float) -> None:
        """Put the text along its axis.

        Parameters
        ----------
        middle
            Centre along the axis, in pixels.
        across
            Upper edge of the text (left edge when upright).
        room
            Length that the text may take.
        """
        self.fit(room)
        width = self.boundingRect().width()
        if self._upright:
            self.setPos(across, middle + width / 2.0)
        else:
            self.setPos(middle - width / 2.0, across)


class PlotCanvas(pg.GraphicsView):  # type: ignore[misc]
    """Holds panels; lays them out through ``arrange`` whenever its size changes.

    Parameters
    ----------
    arrange
        Called with the free rectangle after a change of size; see :meth:`arrange_with`.
    name
        Accessible name.
    """

    hovered = Signal(object)  # scene position, or None when the mouse left
    key_pressed = Signal(object)  # QKeyEvent; a view that uses it accepts it
    home_wished = Signal()
    ratio_changed = Signal()  # the canvas is on a screen with another scale factor

    def __init__(self, arrange: Callable[[QRectF], object], name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent, background=None)
        self._arrange = arrange
        self._theme: Theme | None = None
        self._focus_shown = False
        self._holds = 0
        self._is_misplaced = False
        self._painted = QPixmap()  # what was painted last
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        # Qt does not learn where items inside of a panel were painted, because the picture is painted here: what they leave
        # behind when they move would stay.
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.root = pg.GraphicsWidget()
        self.setCentralItem(self.root)
        self.root.geometryChanged.connect(self._resized)
        self.scene().sigMouseMoved.connect(self._moved)

    def arrange_with(self, arrange: Callable[[QRectF], object]) -> None:
        """Place the panels with this function from now on."""
        self._arrange = arrange

    @contextmanager
    def held(self) -> Iterator[None]:
        """Place the panels once, at the end, and paint nothing before, whatever changes meanwhile."""
        self._holds += 1
        if self._holds == 1:
            self.viewport().setUpdatesEnabled(False)
        try:
            yield
        finally:
            self._holds -= 1
            if not self._holds:
                self.viewport().setUpdatesEnabled(True)
        self.lay_out()

    @Slot()
    def _resized(self) -> None:
        """Place the panels when they are painted the next time: not several times for one drag, nor while hidden."""
        if self._holds or not QThread.currentThread().loopLevel():
            self.lay_out()
        else:
            self._is_misplaced = True
            self.viewport().update()

    @Slot()
    def lay_out(self) -> None:
        """Place the panels anew; while nothing is painted, that waits until something is."""
        if self._holds:
            return
        self._is_misplaced = not self.updatesEnabled()
        if self._is_misplaced:
            return
        rectangle = self.root.rect()
        if rectangle.width() > 20.0 and rectangle.height() > 20.0:
            self._arrange(rectangle)

    def apply_theme(self, theme: Theme) -> None:
        """Take over the ground colour."""
        self._theme = theme
        self.setBackground(theme.colour("base"))

    def picture(self, scale: float = 3.0) -> QPixmap:
        """Return what is seen, at a multiple of the size on screen."""
        if self._is_misplaced:
            self.lay_out()
        size = self.viewport().size()
        pixmap = QPixmap(size * scale)
        pixmap.setDevicePixelRatio(scale)
        pixmap.fill(self.backgroundBrush().color())
        focus, self._focus_shown = self._focus_shown, False
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.render(painter, QRectF(QPointF(), size.toSizeF()))
        painter.end()
        self._focus_shown = focus
        return pixmap

    def copy_to_clipboard(self) -> None:
        """Put the picture on the clipboard."""
        QGuiApplication.clipboard().setPixmap(self.picture())

    @Slot(object)
    def _moved(self, position: QPointF) -> None:
        self.hovered.emit(position)

    def event(self, event: QEvent) -> bool:
        """Notice a change of the scale factor."""
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.ratio_changed.emit()
        return bool(super().event(event))

    def leaveEvent(self, event: Any) -> None:
        """Say that nothing is under the mouse."""
        super().leaveEvent(event)
        self.hovered.emit(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Home resets the view; other keys are offered to the view."""
        if event.key() == Qt.Key.Key_Home:
            self.home_wished.emit()
            event.accept()
            return
        event.ignore()
        self.key_pressed.emit(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus when the keyboard brought it."""
        super().focusInEvent(event)
        self._focus_shown = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the focus."""
        super().focusOutEvent(event)
        self._focus_shown = False
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint, with every panel in its place; where the turn has no room for that, show what was painted last."""
        turns = paint_turns()
        if self._is_misplaced and turns.has_room():
            self.lay_out()
        if turns.has_room():
            self._paint_anew(event.region())
        else:
            turns.postpone(self.viewport())
        super().paintEvent(QPaintEvent(QRegion()))  # Qt takes note that what it asked for was painted
        painter = QPainter(self.viewport())
        if self._painted.deviceIndependentSize().toSize() != self.viewport().size():
            painter.fillRect(event.rect(), self.backgroundBrush())
        painter.setClipRegion(event.region())
        painter.drawPixmap(0, 0, self._painted)
        painter.end()

    def _paint_anew(self, region: QRegion) -> None:
        """Bring the picture up to date; all of it where its size has changed."""
        size, scale = self.viewport().size(), self.devicePixelRatioF()
        whole = self.viewport().rect()
        if self._painted.size() != (size.toSizeF() * scale).toSize() or self._painted.devicePixelRatio() != scale:
            self._painted = QPixmap((size.toSizeF() * scale).toSize())
            self._painted.setDevicePixelRatio(scale)
            self._painted.fill(self.backgroundBrush().color())
            region = QRegion(whole)
        area = region.boundingRect() & whole
        if area.isEmpty():
            return
        painter = QPainter(self._painted)
        painter.setRenderHints(self.renderHints())
        painter.setClipRegion(region)
        self.render(painter, area.toRectF(), area, Qt.AspectRatioMode.IgnoreAspectRatio)
        painter.end()

    def drawForeground(self, painter: QPainter, rectangle: QRectF) -> None:
        """Frame the canvas while it has the focus."""
        super().drawForeground(painter, rectangle)
        if self._focus_shown and self._theme is not None:
            painter.save()
            painter.setPen(line(self._theme.colour("accent"), 2.0))
            painter.drawRect(self.root.rect().adjusted(1, 1, -1, -1))
            painter.restore()


class ScrolledCanvas(PlotCanvas):
    """A canvas in something that scrolls: the wheel scrolls, and zooms with Ctrl held."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to what scrolls unless Ctrl is held."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().wheelEvent(event)
        else:
            event.ignore()
