"""Residuals: predicted against measured, less the line of identity, over anything known of the polymers."""

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Slot
from PySide6.QtWidgets import QWidget

from affinecal_gui.calibration.names import calibrator_title
from affinecal_gui.errors import UserError
from affinecal_gui.study.data.row_columns import columns_of
from affinecal_gui.study.results.study_figures import FigureOptions
from affinecal_gui.study.shown.residuals import NORMAL, NORMAL_TRAIT, Residuals, residuals
from affinecal_gui.study.shown.traits import MEASURED, Trait, traits_of
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.parts.number_text import number_text, significant
from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme
from affinecal_gui.ui.parts.widgets.hover_card import Thumbnail
from affinecal_gui.ui.parts.widgets.rows import ControlRow
from affinecal_gui.ui.views.plots.canvas.axis_title import AxisTitle
from affinecal_gui.ui.views.plots.canvas.plot_canvas import PlotCanvas
from affinecal_gui.ui.views.plots.canvas.plot_notes import Piece
from affinecal_gui.ui.views.plots.points.plotted_polymers import PlottedPolymers
from affinecal_gui.ui.views.plots.points.point_plot_view import PointPlotView
from affinecal_gui.ui.views.plots.points.trait_button import TraitButton
from affinecal_gui.ui.views.plots.residual_panel import ResidualPanel

_EXPLANATION = (
    "Each mark is one measured polymer; its height says how far its prediction is off, and the line where it would be "
    "right. A good calibrator leaves a band of even width about the line, whatever stands below: a slope or a bend says "
    "that something is not accounted for. Over the <b>measured</b> value a slope downwards is no fault: residuals contain "
    "the measured value. Over <b>normal quantiles</b> residuals that are normally distributed lie on the line; ends that "
    "leave it are more outliers than such a distribution has."
)
_SUBTITLE = "how far predictions are off"
_TITLE = 17.0  # pixels: height of an axis title
_RIGHT = 14.0  # so much of the last label may stand out
_TOP = 4.0


class ResidualView(PointPlotView):
    """Header, choices, and one panel.

    Parameters
    ----------
    thumbnail
        Gives the picture of a repeat unit for the card beside the mouse.
    """

    def __init__(self, parent: QWidget | None = None, thumbnail: Thumbnail | None = None) -> None:
        super().__init__("Residuals", _SUBTITLE, _EXPLANATION, thumbnail, parent)
        self.setObjectName("residualView")
        self.setAccessibleName("Residuals")
        self.found: Residuals | None = None
        self._against = MEASURED
        self._hovered = -1
        self._left = 50.0  # pixels at the left of the panel
        self.against_button = TraitButton("Against", "Residuals against", self._offered)
        self.against_button.setObjectName("residualsAgainst")
        self.against_button.chosen.connect(self.show_against)
        self.controls = ControlRow((self.against_button, self.stage_box))
        canvas = PlotCanvas(self._arrange, "Residuals of the calibrator")
        self.panel = ResidualPanel(canvas.root)
        self.x_title = AxisTitle(canvas.root)
        self.y_title = AxisTitle(canvas.root, upright=True)
        self._place(canvas, self.panel, self.controls)
        canvas.home_wished.connect(self.reset_view)
        self.panel.box.double_clicked.connect(self.reset_view)
        self.apply_theme(current_theme())
        self.redraw()

    # -- contract of a view ---------------------------------------------------------------------------------------

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show another state of the study."""
        old, self._snapshot = self._snapshot, snapshot
        same = (
            snapshot.calibration is old.calibration
            and snapshot.rows is old.rows
            and snapshot.settings.model == old.settings.model
            and snapshot.quantity == old.quantity
            and snapshot.stale == old.stale
            and snapshot.descriptors is old.descriptors
        )
        if not same:
            self.redraw()

    def show_selection(self, key: str) -> None:
        """Ring the polymer of that row; an empty or unknown key rings none."""
        self._selected_key = key
        self.panel.selected.select(self._plotted.points_of((key,)) if self._plotted is not None else [])
        self._name_points()
        self._describe()

    def show_selected(self, keys: tuple[str, ...]) -> None:
        """Mark the polymers of these rows; the one of :meth:`show_selection` has a ring as well."""
        self._marked_keys = keys
        self.panel.selected.show_all(self._plotted.points_of(keys) if self._plotted is not None else [])
        self._name_points()

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and fonts."""
        self._theme = theme
        with self.canvas.held():
            self.canvas.apply_theme(theme)
            self.panel.apply_theme(theme, self.canvas.devicePixelRatioF())
            self.colours.key.update()
            for title in (self.x_title, self.y_title):
                title.apply_theme(theme, BODY_SIZE)

    @property
    def figure_options(self) -> FigureOptions:
        """The choices of this view, for the figure that is saved or copied."""
        stage, colours = self.stage_box.predictions, self.colours.shown_trait
        return FigureOptions(predictions=stage, against=self._against, colour_by=colours)

    # -- showing --------------------------------------------------------------------------------------------------

    @Slot(str)
    def show_against(self, key: str) -> None:
        """Draw the residuals over another trait."""
        self._against = key
        self.redraw()

    @Slot()
    def redraw(self, *_: object) -> None:
        """Show the present snapshot anew."""
        self._forget_mouse()
        problem = ""
        self.found, self._plotted = None, None
        try:
            if self._snapshot.calibration is not None:
                stage = self.stage_box.stage
                self.found = residuals(self._snapshot, stage, self._against)
                columns, points = columns_of(self._snapshot), self.found.points
                self._plotted = PlottedPolymers(self._snapshot, columns, points, self.found.model, stage)
        except UserError as error:
            problem = str(error)
        found = self.found
        self.canvas.setVisible(found is not None)
        self.empty_state.setVisible(found is None)
        self.empty_state.setText(problem or "The residuals appear here as soon as there is a calibration.")
        for control in (self.against_button, self.stage_box, self.copy_button, self.export_button):
            control.setEnabled(found is not None)
        with self.canvas.held():
            self.panel.show_residuals(found)
            groups = self.colours.groups()
            if found is not None:
                self.panel.show_groups(groups, ~found.points.left_out)
            if found is not None:
                self._show(found)
            else:
                self.against_button.clear()
                self.header.set_subtitle(_SUBTITLE, "")
        self._describe()

    def _show(self, found: Residuals) -> None:
        self.against_button.show_trait(found.against)
        stale = self._snapshot.stale
        self.header.set_subtitle(*(("of the earlier settings", "earlier settings") if stale else (_SUBTITLE, "")))
        self.panel.box.setOpacity(0.55 if stale else 1.0)
        quantity = self._snapshot.quantity
        symbol = quantity.symbol_html if quantity is not None else "value"
        unit = f", {quantity.unit}" if quantity is not None and quantity.unit else ""
        if found.log_scale:
            long = f"ln (predicted {symbol} / measured {symbol})"
            self.y_title.set_wordings(long, "ln (predicted / measured)", "Residual")
        else:
            self.y_title.set_wordings(f"Predicted \N{MINUS SIGN} measured {symbol}{unit}", f"Residual{unit}")
        self.x_title.set_wordings(_html(found.against.words), _html(found.against.title))
        self._write_note(found)
        self.panel.at_home = True
        self.show_selection(self._selected_key)
        self.show_selected(self._marked_keys)

    def _write_note(self, found: Residuals) -> None:
        title = calibrator_title(found.model, log_scale=found.log_scale)
        lines = [
            [Piece(sample="mark", model=found.model), Piece(title, bold=True, size=BODY_SIZE, model=found.model)],
            [
                Piece("mean", "muted"),
                Piece(significant(found.mean, 2, signed=True)),
                Piece("standard deviation", "muted"),
                Piece(significant(found.spread, 2)),
            ],
        ]
        if math.isfinite(found.rank_correlation):
            lines.append(
                [Piece("rank correlation", "muted"), Piece(number_text(found.rank_correlation, 2, signed=True))]
            )
        used = ~found.points.left_out & np.isfinite(found.y)
        unknown = int((used & ~np.isfinite(found.x)).sum())
        if unknown:
            lines.append([Piece(f"{unknown} without a value below are not drawn", "caution")])
        self.panel.note.set_lines(lines)

    def _offered(self) -> tuple[Trait, ...]:
        if self.found is None:
            return ()
        found = traits_of(self._snapshot, self.found.points.rows)
        numbers = [trait for trait in found if trait.is_number]
        plain = [trait for trait in numbers if not trait.menu]
        return (*plain, NORMAL_TRAIT, *(trait for trait in numbers if trait.menu))

    # -- layout ---------------------------------------------------------------------------------------------------

    def _arrange(self, area: QRectF) -> None:
        for _ in range(2):  # how wide the labels at the left are is known once the range is
            with self.panel.held():
                height = area.height() - _TOP - self.panel.bottom_room - _TITLE - 2.0
                inner = QRectF(self._left, _TOP, max(40.0, area.width() - self._left - _RIGHT), max(40.0, height))
                self.panel.place(inner)
                if self.panel.at_home:
                    self.panel.go_home()
            self._left = math.ceil(self.panel.left_room) + _TITLE + 5.0
        self.y_title.place(inner.center().y(), 1.0, inner.height() + 8.0)
        self.x_title.place(inner.center().x(), inner.bottom() + self.panel.bottom_room, area.width() - 8.0)
        self.panel.note.setVisible(inner.width() >= 150.0 and inner.height() >= 110.0)

    @Slot()
    def reset_view(self) -> None:
        """Show all points again."""
        self.panel.at_home = True
        self.canvas.lay_out()

    # -- mouse and keyboard ---------------------------------------------------------------------------------------

    @Slot(object)
    def _hover(self, scene: QPointF | None) -> None:
        inside = scene is not None and self.panel.box.sceneBoundingRect().contains(scene)
        point = self.panel.point_under(scene) if inside and scene is not None else -1
        if point < 0 or self._plotted is None or scene is None:
            self._forget_mouse()
            return
        if point != self._hovered:
            self._hovered = point
            self.panel.selected.hover([point])
        self.card.show_point(self.canvas, scene, self._plotted, point, self._plotted.model)

    def _forget_mouse(self) -> None:
        if self._hovered >= 0:
            self.panel.selected.hover([])
        self._hovered = -1
        self.card.hide()

    def _order(self) -> list[int]:
        """Return the points from left to right."""
        shown = np.flatnonzero(np.isfinite(self.panel.x) & np.isfinite(self.panel.y))
        order: list[int] = shown[self.panel.x[shown].argsort(kind="stable")].tolist()
        return order

    def _describe(self) -> None:
        """Tell a screen reader what the picture shows."""
        if self.found is None or self._plotted is None:
            self.canvas.setAccessibleDescription("No calibration yet.")
            return
        against = "normal quantiles" if self.found.against.key == NORMAL else self.found.against.words
        words = f"Residuals against {against}. " + self.panel.note.text.replace("\n", "; ")
        self.canvas.setAccessibleDescription(words + self._plotted.describe(self._selected_key))


def _html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
