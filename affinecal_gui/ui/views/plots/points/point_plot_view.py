"""A plot in which every point is a polymer: its header and choices, and what its user can do with points and figure."""

from typing import Protocol

from PySide6.QtCore import QMetaMethod, QPoint, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from affinecal_gui.study.results.study_figures import FigureOptions
from affinecal_gui.study.shown.parity_points import ParityPoints
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme
from affinecal_gui.ui.parts.widgets.headers import ViewHeader
from affinecal_gui.ui.parts.widgets.hover_card import Thumbnail
from affinecal_gui.ui.parts.widgets.labels import label
from affinecal_gui.ui.parts.widgets.tool_buttons import ExplainButton, ThemedToolButton
from affinecal_gui.ui.views.plots.canvas.figure_menu import figure_menu
from affinecal_gui.ui.views.plots.canvas.plot_box import PlotBox
from affinecal_gui.ui.views.plots.canvas.plot_canvas import PlotCanvas
from affinecal_gui.ui.views.plots.points.colour_choice import ColourChoice
from affinecal_gui.ui.views.plots.points.plotted_polymers import PlottedPolymers, next_point
from affinecal_gui.ui.views.plots.points.point_card import PointCard
from affinecal_gui.ui.views.plots.points.point_names import PointNames
from affinecal_gui.ui.views.plots.points.stage_box import StageBox


class PointPanel(Protocol):
    """The panel whose points can be clicked, framed and named."""

    box: PlotBox
    names: PointNames

    def point_under(self, scene: QPointF) -> int:
        """Return the point at a place on the canvas; -1 where there is none."""
        ...

    def points_in(self, frame: QRectF) -> list[int]:
        """Return the points in a frame, in the coordinates of the plot."""
        ...

    def place_of(self, point: int) -> tuple[float, float]:
        """Return where a point lies, in the coordinates of the plot."""
        ...


class PointPlotView(QWidget):
    """What parity and residuals have in common; which points there are, and where, is the matter of each of them.

    Parameters
    ----------
    title, subtitle, explanation
        Of the header.
    thumbnail
        Gives the picture of a repeat unit for the card beside the mouse; see :meth:`set_thumbnail`.
    """

    selected = Signal(str)  # row key of the polymer the user chose
    several_selected = Signal(object)  # tuple of row keys: the user drew a frame around their points
    export_requested = Signal()
    copy_requested = Signal()  # when nobody listens, the picture on screen is copied

    canvas: PlotCanvas
    main_panel: PointPanel

    def __init__(
        self, title: str, subtitle: str, explanation: str, thumbnail: Thumbnail | None, parent: QWidget | None
    ) -> None:
        super().__init__(parent)
        set_kind(self, "view")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._snapshot = Snapshot()
        self._plotted: PlottedPolymers | None = None
        self._selected_key = ""
        self._marked_keys: tuple[str, ...] = ()
        self._with_names = False
        self._theme = current_theme()
        self.card = PointCard(self, thumbnail)
        self.copy_button = ThemedToolButton("copy", "Copy the figure")
        self.copy_button.clicked.connect(self._copy)
        self.export_button = ThemedToolButton("export", "Save the figure…")
        self.export_button.clicked.connect(self.export_requested)
        self._explain = ExplainButton(explanation)
        self.header = ViewHeader(title, subtitle, (self._explain, self.copy_button, self.export_button))
        self.stage_box = StageBox()
        self.stage_box.currentIndexChanged.connect(self.redraw)
        self.colours = ColourChoice(lambda: (self._snapshot, self.points), self)
        self.colours.changed.connect(self.redraw)
        self.header.add_choice(self.colours.button)
        self.empty_state = label("", "muted", wrap=True)
        self.empty_state.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty_state.setMinimumHeight(80)

    def _place(self, canvas: PlotCanvas, panel: PointPanel, controls: QWidget, *instead: QWidget) -> None:
        """Lay out header, controls and canvas, with what is shown instead of the canvas, and listen to points."""
        self.canvas, self.main_panel = canvas, panel
        canvas.hovered.connect(self._hover)
        canvas.key_pressed.connect(self._key)
        canvas.ratio_changed.connect(self._ratio_changed)
        canvas.customContextMenuRequested.connect(self._open_menu)
        panel.box.clicked.connect(self._clicked)
        panel.box.takes_frames = True
        panel.box.framed.connect(self._select_framed)
        box = QVBoxLayout(self)
        box.setContentsMargins(10, 4, 6, 4)
        box.setSpacing(6)
        box.addWidget(self.header)
        box.addWidget(controls)
        box.addWidget(self.colours.key)
        shown: tuple[QWidget, ...] = (self.empty_state, *instead, canvas)
        for widget in shown:
            box.addWidget(widget, 1)
        self.setMinimumSize(230, 260)

    # -- what each plot does in its own way -----------------------------------------------------------------------

    @Slot()
    def redraw(self, *_: object) -> None:
        """Show the present snapshot anew, at once."""
        raise NotImplementedError

    @Slot()
    def reset_view(self) -> None:
        """Show all points again."""
        raise NotImplementedError

    def show_selection(self, key: str) -> None:
        """Ring the polymer of that row; an empty or unknown key rings none."""
        raise NotImplementedError

    def show_selected(self, keys: tuple[str, ...]) -> None:
        """Mark the polymers of these rows; the one of :meth:`show_selection` has a ring as well."""
        raise NotImplementedError

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and fonts."""
        raise NotImplementedError

    @property
    def figure_options(self) -> FigureOptions:
        """The choices of this view, for the figure that is saved or copied."""
        raise NotImplementedError

    def _order(self) -> list[int]:
        """Return the points in the order in which the arrow keys go through them."""
        raise NotImplementedError

    @Slot(object)
    def _hover(self, scene: QPointF | None) -> None:
        """Show the card of the point under the mouse."""
        raise NotImplementedError

    def _add_actions(self, menu: QMenu) -> None:
        """Add to the menu of the figure."""

    @property
    def _is_showing(self) -> bool:
        """Whether the points are still on their way, so that none can be chosen."""
        return False

    # -- points ---------------------------------------------------------------------------------------------------

    @property
    def points(self) -> ParityPoints | None:
        """What is drawn; None before there is a calibration."""
        return None if self._plotted is None else self._plotted.points

    def set_thumbnail(self, thumbnail: Thumbnail | None) -> None:
        """Give the card beside the mouse its pictures: from SMILES to a pixmap, or to None while there is none."""
        self.card.thumbnail = thumbnail

    def _name_points(self) -> None:
        """Write names beside points where that is wished."""
        named = []
        if self._with_names and self._plotted is not None:
            named = self._plotted.to_name((*self._marked_keys, self._selected_key))
        self.main_panel.names.show([(*self.main_panel.place_of(point), name) for point, name in named])

    def _select_point(self, point: int) -> None:
        if self._plotted is not None and point >= 0 and not self._is_showing:
            key = self._plotted.key_of(point)
            self.show_selection(key)
            self.selected.emit(key)

    @Slot(object)
    def _clicked(self, place: QPointF) -> None:
        self._select_point(self.main_panel.point_under(self.main_panel.box.mapViewToScene(place)))

    @Slot(object)
    def _select_framed(self, frame: QRectF) -> None:
        if self._plotted is None or self._is_showing:
            return
        keys = tuple(self._plotted.key_of(point) for point in self.main_panel.points_in(frame))
        if keys:
            self.show_selected(keys)
            self.several_selected.emit(keys)

    @Slot(object)
    def _key(self, event: QKeyEvent) -> None:
        """Go from point to point."""
        if self._plotted is None:
            return
        point = next_point(event, self._order(), self._plotted.point_of(self._selected_key))
        if point is not None:
            event.accept()
            self._select_point(point)

    # -- the figure -----------------------------------------------------------------------------------------------

    @Slot(QPoint)
    def _open_menu(self, place: QPoint) -> None:
        """Offer what can be done with the figure, and whether points have names; the menu goes when it is closed."""
        menu = figure_menu(
            self,
            (
                ("Reset view", self.reset_view),
                ("Copy figure", self._copy),
                ("Save figure as…", self.export_requested.emit),
                ("What am I looking at?", self._explain.explain),
            ),
        )
        names = menu.addAction("Names at the points")
        names.setCheckable(True)
        names.setChecked(self._with_names)
        names.setToolTip("Of the selected polymers; of those furthest off while only one is selected")
        names.toggled.connect(self._choose_names)
        self._add_actions(menu)
        menu.popup(self.canvas.mapToGlobal(place))

    @Slot(bool)
    def _choose_names(self, wanted: bool) -> None:
        self._with_names = wanted
        self._name_points()

    @Slot()
    def _copy(self) -> None:
        if self.isSignalConnected(QMetaMethod.fromSignal(self.copy_requested)):
            self.copy_requested.emit()
        else:
            self.canvas.copy_to_clipboard()

    @Slot()
    def _ratio_changed(self) -> None:
        with self.canvas.held():
            self.apply_theme(self._theme)
