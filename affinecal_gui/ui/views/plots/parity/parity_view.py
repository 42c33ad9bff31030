"""Parity: predicted against measured, the chosen calibrator large and the others small, or all of them overlaid."""

from collections.abc import Generator, Iterator
from typing import Literal

from PySide6.QtCore import QPointF, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCheckBox, QMenu, QWidget

from affinecal_gui.calibration.calibrators.registry import RAW, calibrator
from affinecal_gui.calibration.results import Calibration, ModelName
from affinecal_gui.study.data.row_columns import columns_of
from affinecal_gui.study.results.study_figures import FigureOptions
from affinecal_gui.study.shown.parity_points import ParityPoints, Stage, parity_points
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.parts.theme.model_style import model_style
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme
from affinecal_gui.ui.parts.widgets.hover_card import Thumbnail
from affinecal_gui.ui.parts.widgets.rows import ControlRow
from affinecal_gui.ui.parts.widgets.segmented_buttons import SegmentedButtons
from affinecal_gui.ui.running.in_steps import at_once, take_all
from affinecal_gui.ui.views.plots.canvas.plot_notes import Piece
from affinecal_gui.ui.views.plots.corrected_chart import CorrectedChart
from affinecal_gui.ui.views.plots.parity.parity_panel import ParityPanel
from affinecal_gui.ui.views.plots.parity.parity_panels import SMALL_PANELS, ParityPanels
from affinecal_gui.ui.views.plots.parity.parity_words import (
    error_lines,
    key_lines,
    overlaid_error_lines,
    small_error_lines,
)
from affinecal_gui.ui.views.plots.points.plotted_polymers import PlottedPolymers
from affinecal_gui.ui.views.plots.points.point_plot_view import PointPlotView

_EXPLANATION = (
    "Each mark is one measured polymer. Across: the measured value; upwards: what a calibrator predicts for it. On the "
    "line both agree; inside the grey band they differ by at most 10 %. <b>Out-of-fold</b> predictions are made without "
    "the polymer's own measurement, as for a new polymer; <b>fitted</b> ones have seen it and look better than they are. "
    "Click a point to select it; drag with Shift held to select all points in a frame."
)

_SUBTITLE = "predicted against measured"
_OF_CORRECTED = "MD against corrected"

Layout = Literal["panels", "overlaid"]


class ParityView(PointPlotView):
    """Header, choices, and the canvas with one large and three small panels.

    Parameters
    ----------
    thumbnail
        Gives the picture of a repeat unit for the card beside the mouse; see :meth:`set_thumbnail`.
    panels
        Made beforehand, because making them takes long; they are made now where they are not given.
    """

    model_chosen = Signal(str)  # calibrator whose small panel was clicked

    def __init__(
        self,
        parent: QWidget | None = None,
        thumbnail: Thumbnail | None = None,
        panels: ParityPanels | None = None,
    ) -> None:
        super().__init__("Parity", _SUBTITLE, _EXPLANATION, thumbnail, parent)
        self.setObjectName("parityView")
        self.setAccessibleName("Parity plot")
        self._hovered = -1
        self._panel_of_mouse: ParityPanel | None = None
        self._make_controls()
        self.panels = panels or at_once(ParityPanels.in_steps())
        self.panels.setParent(self)
        self.panels.model_clicked.connect(self.model_chosen)
        self.large, self.small = self.panels.large, self.panels.small
        self._place(self.panels.canvas, self.large, self.controls, self.corrected)
        with self.canvas.held():
            self.apply_theme(current_theme())
            self.redraw()

    # -- contract of a view ---------------------------------------------------------------------------------------

    @classmethod
    def in_steps(cls) -> Generator[None, None, "ParityView"]:
        """Make the view, a panel a step."""
        panels = yield from ParityPanels.in_steps()
        return cls(panels=panels)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show another state of the study."""
        take_all(self.show_in_steps(snapshot))

    def show_in_steps(self, snapshot: Snapshot) -> Iterator[None]:
        """Show another state of the study, one panel a step."""
        old, self._snapshot = self._snapshot, snapshot
        same = (
            snapshot.calibration is old.calibration
            and snapshot.predicted_md is old.predicted_md
            and snapshot.corrected is old.corrected
            and snapshot.rows is old.rows
            and snapshot.settings.model == old.settings.model
            and snapshot.quantity == old.quantity
            and snapshot.stale == old.stale
        )
        if not same:
            yield from self._show_in_steps()

    def show_selection(self, key: str) -> None:
        """Ring the polymer of that row; an empty or unknown key rings none."""
        self._selected_key = key
        point = self._plotted.point_of(key) if self._plotted is not None else -1
        for panel in self.panels.all:
            panel.select(point)
        self._name_points()
        self._describe()

    def show_selected(self, keys: tuple[str, ...]) -> None:
        """Mark the polymers of these rows; the one of :meth:`show_selection` has a ring as well."""
        self._marked_keys = keys
        points = self._plotted.points_of(keys) if self._plotted is not None else []
        for panel in self.panels.all:
            panel.mark(points)
        self._name_points()

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and fonts."""
        self._theme = theme
        self.canvas.apply_theme(theme)
        self.corrected.apply_theme(theme)
        self.panels.apply_theme(theme)
        self.colours.key.update()
        self.large.bars_of(self._snapshot.settings.model)
        self.canvas.lay_out()

    @property
    def figure(self) -> str:
        """Name of the figure that this view shows."""
        return "parity" if self.corrected.isHidden() else "corrected"

    @property
    def shown_keys(self) -> tuple[str, ...]:
        """Row keys of the polymers that are drawn."""
        return () if self._plotted is None else self._plotted.keys

    @property
    def selection(self) -> str:
        """Row key of the ringed polymer, or an empty text."""
        return self._selected_key

    # -- choices --------------------------------------------------------------------------------------------------

    @property
    def stage(self) -> Stage:
        """Which predictions are shown."""
        return self.stage_box.stage

    @property
    def layout_choice(self) -> Layout:
        """Panels, or all calibrators overlaid."""
        return "overlaid" if self.layout_buttons.current == "overlaid" else "panels"

    @property
    def figure_options(self) -> FigureOptions:
        """The choices of this view, for the figure that is saved or copied."""
        return FigureOptions(
            arrangement=self.layout_choice,
            predictions=self.stage_box.predictions,
            intervals=self.interval_box.isChecked(),
            colour_by=self.colours.shown_trait,
        )

    def _make_controls(self) -> None:
        self.layout_buttons = SegmentedButtons((("panels", "Panels"), ("overlaid", "Overlaid")), "Arrangement")
        self.layout_buttons.chosen.connect(self.redraw)
        self.interval_box = QCheckBox("Intervals")
        self.interval_box.setChecked(True)
        self.interval_box.toggled.connect(self.redraw)
        self.controls = ControlRow((self.layout_buttons, self.stage_box, self.interval_box))
        self.corrected = CorrectedChart()
        self.corrected.hide()

    # -- showing --------------------------------------------------------------------------------------------------

    @Slot()
    def redraw(self, *_: object) -> None:
        """Show the present snapshot anew, at once."""
        for _step in self._show_in_steps():
            pass

    def _show_in_steps(self) -> Iterator[None]:
        """Show the present snapshot; steps that are under way for an earlier one come to nothing."""
        self._showing = showing = object()
        with self.canvas.held():
            for _ in self._fill():
                yield
                if self._showing is not showing:
                    return
        self._showing = None

    _showing: object = None  # what is being shown step by step

    @property
    def _is_showing(self) -> bool:
        return self._showing is not None

    def _fill(self) -> Iterator[None]:
        snapshot, calibration = self._snapshot, self._snapshot.calibration
        self._forget_mouse()
        shown = calibration is not None and bool(calibration.models)
        self.canvas.setVisible(shown)
        self.corrected.show_snapshot(snapshot)
        self.empty_state.setVisible(not shown and snapshot.corrected is None)
        self.controls.setVisible(shown or snapshot.corrected is None)  # of corrected values there is one plot
        for control in (self.layout_buttons, self.stage_box, self.interval_box):
            control.setEnabled(shown)
        for button in (self.copy_button, self.export_button):
            button.setEnabled(shown or snapshot.corrected is not None)
        if calibration is None or not shown:
            self._plotted = None
            self.header.set_subtitle(_SUBTITLE if snapshot.corrected is None else _OF_CORRECTED, "")
            self.colours.groups()
            for panel in self.panels.all:
                panel.clear()
            self.empty_state.setText(
                "The calibration appears here as soon as measured and MD values are matched."
                if not snapshot.tables
                else "Not calibrated yet."
                if (columns_of(snapshot).library_index >= 0).any()
                else f"Not calibrated yet. {snapshot.match_summary}".strip()  # which says what is missing
            )
            return
        columns = columns_of(snapshot)
        points = parity_points(columns, calibration, self.stage, self._snapshot.predicted_md)
        wanted = snapshot.settings.model
        chosen = wanted if wanted in calibration.models else next(iter(calibration.models))
        self._plotted = PlottedPolymers(snapshot, columns, points, chosen, self.stage)
        overlaid = self.layout_choice == "overlaid"
        others = _others(calibration, chosen) if not overlaid else tuple(m for m in calibration.models if m != chosen)
        intervals = chosen if self.interval_box.isChecked() and not (overlaid and chosen == RAW) else None
        self.panels.small_models = () if overlaid else others
        # The chosen calibrator is drawn last, on top of the others.
        self.large.show_points(points, (*others, chosen) if overlaid else (chosen,), intervals)
        self.large.bars_of(chosen)
        groups = self.colours.groups(can_be=not overlaid)
        self.large.show_groups(groups)
        for position, panel in enumerate(self.small):
            yield
            if position < len(self.panels.small_models):
                panel.show_points(points, (self.panels.small_models[position],), None)
                panel.show_groups(groups)
            else:
                panel.clear()
        yield
        opacity = 0.55 if snapshot.stale else 1.0
        if snapshot.stale:
            self.header.set_subtitle(
                "of the earlier settings, not calibrated anew yet", "of the earlier settings", "earlier settings"
            )
        else:
            self.header.set_subtitle(_SUBTITLE, "")
        for panel in self.panels.all:
            panel.box.setOpacity(opacity)
        self.panels.write_titles(snapshot, calibration, chosen, overlaid=overlaid)
        self._write_notes(calibration, points, chosen, overlaid)
        self.show_selection(self._selected_key)
        self.show_selected(self._marked_keys)
        self.large.at_home = True
        for panel in self.small:
            panel.at_home = True
        yield

    def _write_notes(self, calibration: Calibration, points: ParityPoints, chosen: ModelName, overlaid: bool) -> None:
        quantity = self._snapshot.quantity
        unit = quantity.unit if quantity is not None else ""
        stage = "" if self.stage == "out_of_fold" or (chosen == RAW and not overlaid) else ", fitted"
        errors = overlaid_error_lines if overlaid else error_lines
        lines = errors(points, calibration, chosen, unit, stage)
        if self.large.beyond:
            lines.append([Piece(f"{self.large.beyond} further off than this view", "caution")])
        self.large.note.set_lines(lines)
        self.panels.key_lines = key_lines(points, calibration, chosen, intervals=self.interval_box.isChecked())
        for panel, model in zip(self.small, self.panels.small_models, strict=False):
            panel.key.set_lines(small_error_lines(points, model))

    @Slot()
    def reset_view(self) -> None:
        """Show all points again, in every panel."""
        self.panels.reset()

    # -- mouse and keyboard ---------------------------------------------------------------------------------------

    @Slot(object)
    def _hover(self, scene: QPointF | None) -> None:
        panel = None if scene is None else self.panels.panel_at(scene)
        point = -1 if panel is None or scene is None else panel.point_under(scene)
        if point < 0 or panel is None or scene is None or self._plotted is None or self._is_showing:
            self._forget_mouse()
            return
        if point != self._hovered or panel is not self._panel_of_mouse:
            self._forget_mouse()
            self._hovered, self._panel_of_mouse = point, panel
            panel.mark_under_mouse(point)
        model = self.panels.model_of(panel, self._plotted.model)
        self.card.show_point(self.canvas, scene, self._plotted, point, model)

    def _forget_mouse(self) -> None:
        if self._panel_of_mouse is not None:
            self._panel_of_mouse.mark_under_mouse(-1)
        self._hovered, self._panel_of_mouse = -1, None
        self.card.hide()

    def _order(self) -> list[int]:
        """Return the points in the order of the measured values."""
        return [] if self.points is None else self.points.measured.argsort(kind="stable").tolist()

    def _add_actions(self, menu: QMenu) -> None:
        """Offer what can be done with the small panels."""
        small = QAction("Small panels of the other calibrators", menu)
        small.setCheckable(True)
        small.setChecked(self.panels.with_small)
        small.toggled.connect(self.panels.show_small)
        menu.addAction(small)
        if self.panels.small_models:
            large = menu.addMenu("Show large")
            for model in self.panels.small_models:
                action = QAction(model_style(model).title, large)
                action.setData(model)
                large.addAction(action)
            large.triggered.connect(self._choose_from_menu)

    @Slot(QAction)
    def _choose_from_menu(self, action: QAction) -> None:
        self.model_chosen.emit(str(action.data()))

    def _describe(self) -> None:
        """Tell a screen reader what the picture shows."""
        if self._plotted is None:
            self.canvas.setAccessibleDescription("No calibration yet.")
            return
        words = self.large.note.text.replace("\n", "; ")
        self.canvas.setAccessibleDescription(words + self._plotted.describe(self._selected_key))


def _others(calibration: Calibration, chosen: ModelName) -> tuple[ModelName, ...]:
    """Return the calibrators of the small panels: all others, or MD and the best of them where there are too many.

    Those of several sources come last: each is a form of a simpler one that is there, too.
    """
    others = [model for model in calibration.models if model != chosen]
    if len(others) > SMALL_PANELS:
        by_error = sorted(
            others,
            key=lambda model: (bool(calibrator(model).one_source), calibration.models[model].metrics.rmse_target_scale),
        )
        ranked = [model for model in others if model == RAW] + [model for model in by_error if model != RAW]
        kept = set(ranked[:SMALL_PANELS])
        others = [model for model in others if model in kept]
    return tuple(others)
