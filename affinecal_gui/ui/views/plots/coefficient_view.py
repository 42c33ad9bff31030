"""Coefficients: gamma as bars, one panel per descriptor block, over the physical values that the bars stand for."""

import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

import numpy as np
from PySide6.QtCore import QMetaMethod, QPoint, QPointF, QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QMenu, QScrollArea, QVBoxLayout, QWidget

from affinecal_gui.calibration.calibrators.linear.log_difference import LOG_DIFFERENCE
from affinecal_gui.calibration.calibrators.registry import DEFAULT, calibrator
from affinecal_gui.calibration.names import calibrator_name, calibrator_title
from affinecal_gui.calibration.results import ModelName
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.words.coefficient_words import (
    BlockCoefficients,
    above_zero,
    block_coefficients,
    coefficient_place,
    coefficient_sentence,
    physics_note,
)
from affinecal_gui.ui.parts.hover_card import SentenceCard
from affinecal_gui.ui.parts.number_text import number_text
from affinecal_gui.ui.parts.theme import NOTE_SIZE, Theme, current_theme, model_style, set_kind
from affinecal_gui.ui.parts.widgets import (
    ControlRow,
    ExplainButton,
    InfoLine,
    ThemedToolButton,
    ViewHeader,
    label,
    rule,
)
from affinecal_gui.ui.running.in_steps import take_all
from affinecal_gui.ui.views.plots.block_panel import BlockPanel
from affinecal_gui.ui.views.plots.label_room import with_labels
from affinecal_gui.ui.views.plots.plot_canvas import AxisTitle, ScrolledCanvas, line

_EXPLANATION = (
    "Each panel is one force-field parameter, each bar one value of it. The bar says how much the correction changes "
    "when a polymer has more atoms, bonds, angles or dihedrals with about that value. Bars are filled where the band, "
    "in which the coefficient may lie, is clear of zero. Double-click a panel to enlarge it; click a bar to "
    "read it in words."
)

_AVERAGE_EXPLANATION = (
    "A method with kernels has no coefficients: what a descriptor does differs from polymer to polymer. Each bar is the mean "
    "over the polymers of the fit: how much the calibrated value changes when a polymer has more atoms, bonds, angles or "
    "dihedrals with about that value, at the same MD value. Bars are filled where the band, in which the mean may lie, is "
    "clear of zero. Double-click a panel to enlarge it; click a bar to read it in words."
)

_SWATCH_TIPS = (
    "The whole band lies on one side of zero: the data say whether this value raises or lowers the correction.",
    "The band holds zero: the data do not say whether this value raises or lowers the correction.",
    "Where the coefficient may lie, judged from the measurements. A standard unit is one standard deviation of the "
    "descriptor over the polymers of the fit.",
)
"""What the words of the key mean: filled bars, outlined bars, the band."""

_CUT_TIP = " Bands that reach beyond the frame are cut there: the axis is scaled on the bars."

_TITLES = {False: "Coefficients", True: "Average effects"}
"""By whether the bars are average effects."""

_TITLE = 16.0  # pixels: an axis title
_TOP = 4.0
_PASSES = 4  # at most, until labels and panels agree about the room at the left
_RIGHT = 12.0
_COLUMN_GAP = 20.0
_ROW_GAP = 6.0
_LEAST_HEIGHT = 34.0  # of a panel; with more blocks than that leaves room for, the view scrolls
_LEAST_WIDTH = 76.0
_AHEAD = 10  # panels made before they are needed: the blocks of the force field

BLOCK_FACTORS: tuple[tuple[float, str], ...] = (
    (0.1, "× 0.1: much freer than the others"),
    (0.3, "× 0.3: freer"),
    (1.0, "As the others"),
    (3.0, "× 3: smaller and smoother"),
    (10.0, "× 10: much smaller and smoother"),
)
"""What is offered to multiply the penalties of a block by, and how it is called."""
_FACTOR_TIP = "Multiplies λ₁ and λ₂ for the coefficients of this block; everything is calibrated anew"

_PANELS_A_STEP = 4
LONGEST_BAND = 0.2  # beyond the longest bar, as a share of it; what is longer leaves the panel


class CoefficientView(QWidget):
    """Header, key, panels, and a line of words below them."""

    export_requested = Signal()
    copy_requested = Signal()  # when nobody listens, the picture on screen is copied
    bands_chosen = Signal(str)  # "posterior" or "bootstrap"
    block_factor_chosen = Signal(str, float)  # name of a block, by what its penalties are to be multiplied
    block_toggled = Signal(str)  # name of a block to be switched off in the model, or on again
    order_changed = Signal(object)  # tuple of block names, as the user arranged them

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("coefficientView")
        self.setAccessibleName("Coefficients")
        set_kind(self, "view")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._snapshot = Snapshot()
        self._theme = current_theme()
        self._parts: tuple[BlockCoefficients, ...] = ()
        self._order: tuple[str, ...] = ()
        self._enlarged = ""  # name of the block that has the view for itself
        self.current: tuple[str, int] | None = None
        self._y_range = (-1.0, 1.0)
        self._exponent = 0
        self._column_count = 1
        self._left = 30.0
        self.panels: list[BlockPanel] = []
        self.spare_panels: list[BlockPanel] = []
        self._make_header()
        self.canvas = ScrolledCanvas(self._arrange, "Coefficients of the descriptor blocks")
        self.canvas.hovered.connect(self._hover)
        self.canvas.key_pressed.connect(self._key)
        self.canvas.home_wished.connect(self.reset_view)
        self.canvas.ratio_changed.connect(self._ratio_changed)
        self.canvas.customContextMenuRequested.connect(self._open_menu)
        self.y_title = AxisTitle(self.canvas.root, upright=True)
        self.scroll_area = _Scroll()
        self.scroll_area.resized.connect(self._fit_canvas)
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll_area.setWidget(self.canvas)
        self.empty_state = label("", "muted", wrap=True)
        self.empty_state.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._rule = rule()
        self.note = InfoLine("check", "", note=True)
        self.card = SentenceCard(self)  # over the panels: nothing moves between the two clicks of a double click
        box = QVBoxLayout(self)
        box.setContentsMargins(10, 4, 6, 6)
        box.setSpacing(6)
        box.addWidget(self.header)
        box.addWidget(self._key_row)
        box.addWidget(self.empty_state, 1)
        box.addWidget(self.scroll_area, 1)
        box.addWidget(self._rule)
        box.addWidget(self.note)
        self.setMinimumSize(200, 240)
        with self.canvas.held():
            self.apply_theme(current_theme())
            self.redraw()
        self._idle = QTimer(self)
        self._idle.setInterval(0)
        self._idle.timeout.connect(self._make_ahead)
        self._idle.start()

    # -- contract of a view ---------------------------------------------------------------------------------------

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show another state of the study."""
        take_all(self.show_in_steps(snapshot))

    def show_in_steps(self, snapshot: Snapshot) -> Iterator[None]:
        """Show another state of the study, some panels a step."""
        old, self._snapshot = self._snapshot, snapshot
        same = (
            snapshot.calibration is old.calibration
            and snapshot.blocks is old.blocks
            and snapshot.settings.model == old.settings.model
            and snapshot.settings.blocks_off == old.settings.blocks_off
            and snapshot.settings.block_penalties == old.settings.block_penalties
            and snapshot.quantity == old.quantity
            and snapshot.stale == old.stale
        )
        if not same:
            with self.canvas.held():
                yield from self._show_in_steps()

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and fonts."""
        self._theme = theme
        self.canvas.apply_theme(theme)
        for panel in (*self.panels, *self.spare_panels):
            panel.apply_theme(theme, self.canvas.devicePixelRatioF())
        self.y_title.apply_theme(theme, NOTE_SIZE)
        for swatch in self.swatches:
            swatch.apply_theme(theme)
        self.canvas.lay_out()

    # -- arrangement of the blocks --------------------------------------------------------------------------------

    @property
    def order(self) -> tuple[str, ...]:
        """Names of the blocks in the order shown."""
        return tuple(part.block.name for part in self._ordered())

    def set_order(self, names: Sequence[str]) -> None:
        """Arrange the blocks in this order; blocks not named follow in their own."""
        self._order = tuple(names)
        self._fill()

    @property
    def enlarged(self) -> str:
        """Name of the block that has the view for itself; empty when all are shown."""
        return self._enlarged

    def enlarge(self, name: str) -> None:
        """Give the view to one block; an empty name shows all again."""
        known = {part.block.name for part in self._parts}
        self._enlarged = name if name in known else ""
        if self._enlarged:
            self.enlarge_button.set_icon_name("reduce", "Show all blocks")
        else:
            self.enlarge_button.set_icon_name("enlarge", "Enlarge one block")
        self._fill()

    def _ordered(self) -> list[BlockCoefficients]:
        by_name = {part.block.name: part for part in self._parts}
        named = [by_name[name] for name in self._order if name in by_name]
        return named + [part for part in self._parts if part.block.name not in self._order]

    # -- showing --------------------------------------------------------------------------------------------------

    def _make_header(self) -> None:
        self.enlarge_button = ThemedToolButton("enlarge", "Enlarge one block")
        self.enlarge_button.clicked.connect(self._toggle_enlarged)
        self.copy_button = ThemedToolButton("copy", "Copy the figure")
        self.copy_button.clicked.connect(self._copy)
        self.export_button = ThemedToolButton("export", "Save the figure…")
        self.export_button.clicked.connect(self.export_requested)
        self.explain_button = ExplainButton(_EXPLANATION)
        self.header = ViewHeader(
            _TITLES[False], "", (self.explain_button, self.enlarge_button, self.copy_button, self.export_button)
        )
        self.swatches = (_Swatch("filled", "clear of zero"), _Swatch("outlined", "not clear"), _Swatch("band", "band"))
        for swatch, tip in zip(self.swatches, _SWATCH_TIPS, strict=True):
            swatch.setToolTip(tip)
        self._key_row = ControlRow(self.swatches, spacing=12)

    def redraw(self) -> None:
        """Show the present snapshot anew, at once."""
        take_all(self._show_in_steps())

    def _show_in_steps(self) -> Iterator[None]:
        self._filling = None
        snapshot, calibration = self._snapshot, self._snapshot.calibration
        self._parts = block_coefficients(snapshot)
        model = snapshot.settings.model
        shown = bool(self._parts)
        average = shown and self._parts[0].average
        self.header.set_title(_TITLES[average])
        self.setAccessibleName(_TITLES[average])
        self.explain_button.set_text(_AVERAGE_EXPLANATION if average else _EXPLANATION)
        for widget in (self._key_row, self.scroll_area):
            widget.setVisible(shown)
        self.empty_state.setVisible(not shown)
        for button in (self.enlarge_button, self.copy_button, self.export_button):
            button.setEnabled(shown)
        if not shown or calibration is None:
            self._panels_needed(0)
            self.card.hide()
            self.header.set_subtitle("")
            self._show_note()
            if snapshot.corrected is not None or (calibration is not None and calibrator(model).is_given):
                text = (
                    "Nothing is fitted, so that there are no coefficients. The inspector draws the vibrations of the "
                )
                text += "chosen polymer, by which its MD value is corrected."
            elif calibration is None or calibrator(model).has_coefficients:
                text = "The coefficients appear here as soon as the calibration is ready."
            else:
                difference = calibrator_title(LOG_DIFFERENCE.key, log_scale=calibration.log_scale)
                text = f"{model_style(model).title} has no coefficients: it does not look at the descriptors. "
                text += f"Choose {difference} or Affine to see them."
            self.empty_state.setText(text)
            self.canvas.setAccessibleDescription(text)
            return
        if self._enlarged not in {part.block.name for part in self._parts}:
            self._enlarged = ""
        count = sum(part.gamma.size for part in self._parts)
        name = calibrator_name(model, log_scale=calibration.log_scale)
        if snapshot.stale:
            self.header.set_subtitle(f"{name}, {count} values, of the earlier settings", "earlier settings", "earlier")
        else:
            self.header.set_subtitle(f"{name}, {count} values", name)
        level = number_text(100.0 * calibration.interval_level)
        with_band = any(np.isfinite(part.lower).any() for part in self._parts)
        for swatch in self.swatches:
            swatch.setVisible(with_band)
            swatch.set_model(model)
        cut = self._choose_scale()
        self.swatches[2].setToolTip(_SWATCH_TIPS[2] + (_CUT_TIP if cut else ""))
        self.swatches[2].set_text(f"{level} % band, cut" if cut else f"{level} % band")
        yield
        yield from self._fill_in_steps()

    def _choose_scale(self) -> bool:
        """Choose the shared range of the y axis, and a power of ten that keeps its labels short.

        Returns whether bands reach beyond: the bars decide on the range, wide bands would flatten them.
        """
        gamma = np.concatenate([part.gamma for part in self._parts] or [np.zeros(1)])
        lower = np.concatenate([part.lower for part in self._parts] or [np.zeros(1)])
        upper = np.concatenate([part.upper for part in self._parts] or [np.zeros(1)])
        finite = gamma[np.isfinite(gamma)]
        largest = float(np.max(np.abs(finite), initial=0.0))
        self._exponent = _short_exponent(largest)
        if largest == 0.0:
            self._y_range = (-1.0, 1.0)
            return False
        reach = LONGEST_BAND * largest
        lowest = float(np.nanmin(np.append(lower, finite.min())))
        highest = float(np.nanmax(np.append(upper, finite.max())))
        low, high = min(float(finite.min()) - reach, 0.0), max(float(finite.max()) + reach, 0.0)
        low, high = max(low, min(lowest, 0.0)), min(high, max(highest, 0.0))
        margin = 0.05 * (high - low)
        scale = 10.0**self._exponent
        self._y_range = (scale * (low - margin), scale * (high + margin))
        return lowest < low - margin or highest > high + margin

    def _fill(self) -> None:
        take_all(self._fill_in_steps())

    def _fill_in_steps(self) -> Iterator[None]:
        """Give the panels their blocks; steps that are under way for another arrangement come to nothing."""
        self._filling = filling = object()
        calibration = self._snapshot.calibration
        if not self._parts or calibration is None:
            return
        parts = self._ordered()
        if self._enlarged:
            parts = [part for part in parts if part.block.name == self._enlarged]
        self._panels_needed(len(parts))
        for number, (panel, part) in enumerate(zip(tuple(self.panels), parts, strict=True)):
            if number % _PANELS_A_STEP == 0:
                yield
                if self._filling is not filling:
                    return
            panel.set_large(bool(self._enlarged))
            panel.show_block(part, self._snapshot.settings.model, 10.0**self._exponent)
            panel.box.setOpacity(0.55 if self._snapshot.stale else 1.0)
        yield
        if self._filling is not filling:
            return
        self._write_title()
        self._mark_current()
        self._show_note()
        self._fit_canvas()
        self.canvas.lay_out()
        if self.card.isVisible():
            self._read_out()

    _filling: object = None  # what the panels are being given

    def _panels_needed(self, count: int) -> None:
        """Keep as many panels on the canvas as there are blocks to show; the others wait, hidden, to be used again."""
        while len(self.panels) < count:
            panel = self.spare_panels.pop() if self.spare_panels else self._new_panel()
            panel.set_visible(True)
            self.panels.append(panel)
        for panel in self.panels[count:]:
            panel.set_visible(False)
            self.spare_panels.append(panel)
        del self.panels[count:]

    def _new_panel(self) -> BlockPanel:
        panel = BlockPanel(self.canvas.root)
        panel.apply_theme(self._theme, self.canvas.devicePixelRatioF())
        panel.box.clicked.connect(self._clicked)
        panel.box.double_clicked.connect(self._double_clicked)
        panel.box.sigRangeChangedManually.connect(self._moved)
        return panel

    @Slot()
    def _make_ahead(self) -> None:
        """Make one panel for later; ten at once, when the first calibration arrives, would hold up the window."""
        if len(self.panels) + len(self.spare_panels) >= _AHEAD:
            self._idle.stop()
            return
        panel = self._new_panel()
        panel.set_visible(False)
        self.spare_panels.append(panel)

    def _write_title(self) -> None:
        quantity, calibration = self._snapshot.quantity, self._snapshot.calibration
        assert calibration is not None
        symbol = quantity.symbol_html if quantity is not None else "value"
        unit = f", {quantity.unit}," if quantity is not None and quantity.unit and not calibration.log_scale else ""
        scale = f"ln {symbol}" if calibration.log_scale else f"{symbol}{unit}"
        times = "" if self._exponent == 0 else f" × {10**self._exponent}" if 0 < self._exponent <= 3 else ""
        if self._exponent not in (0, 3):
            times = f" × 10<sup>{number_text(self._exponent)}</sup>"
        effect = above_zero(self._parts)
        if self._parts[0].average:
            self.y_title.set_wordings(
                f"Average effect{times} on {scale} per standard unit",
                f"Average effect{times}, {scale} per s.d.",
                f"Effect{times}, {scale} per s.d.",
                f"Effect{times}",
            )
            return
        self.y_title.set_wordings(
            f"Coefficient γ{times} in {scale} per standard unit; above zero {effect} {symbol}",
            f"Coefficient γ{times}, {scale} per s.d.; above zero {effect} {symbol}",
            f"Coefficient γ{times}, {scale} per s.d.",
            f"γ{times}",
        )

    def _show_note(self) -> None:
        """Say how the signs compare with physics."""
        physics = physics_note(self._snapshot) if self._parts else None
        self._rule.setVisible(physics is not None)
        if physics is None:
            self.note.set_message("check", "")
        else:
            self.note.set_message("check" if physics.agrees else "info", physics.sentence)

    def _read_out(self) -> None:
        """Show the words of the bar chosen, beside it."""
        name, bar = self.current if self.current is not None else ("", -1)
        sentence = self.sentence(name, bar)
        panel = self._panel_of_current()
        self.canvas.setAccessibleDescription(sentence or self.note.text)
        if not sentence or panel is None or panel.part is None:
            self.card.hide()
            return
        self.scroll_area.ensureVisible(0, round(panel.box.sceneBoundingRect().center().y()), 0, 60)
        place = self.canvas.mapTo(self, self.canvas.mapFromScene(panel.foot_of(bar)))
        self.card.show_beside(place, coefficient_place(panel.part.block, bar), sentence)

    def sentence(self, name: str, bar: int) -> str:
        """Return what a bar means, in words; empty when there is no such bar."""
        calibration = self._snapshot.calibration
        part = next((part for part in self._parts if part.block.name == name), None)
        if calibration is None or part is None or part.off or not 0 <= bar < part.gamma.size:
            return ""
        return coefficient_sentence(
            part, bar, self._snapshot.quantity, calibration.log_scale, calibration.interval_level
        )

    # -- layout ---------------------------------------------------------------------------------------------------

    def _columns(self, width: float, height: float) -> tuple[int, bool]:
        """Return the number of columns that makes the panels largest, and whether they fit without scrolling."""
        count = len(self.panels)
        best, largest, best_fits = 1, -1.0, False
        for columns in range(1, min(count, 6) + 1):
            panel_width = (width - self._left - _RIGHT - _COLUMN_GAP * (columns - 1)) / columns
            if columns > 1 and panel_width < _LEAST_WIDTH:
                break
            panel_height = (height - _TOP) / math.ceil(count / columns) - self._below() - _ROW_GAP
            fits = panel_height >= _LEAST_HEIGHT
            size = min(panel_width, 2.6 * max(panel_height, _LEAST_HEIGHT))
            if (fits, size) > (best_fits, largest + 1.0) or (not fits and not best_fits):
                best, largest, best_fits = columns, size, fits
        return best, best_fits

    def _below(self) -> float:
        """Height below a panel: ticks, labels and unit."""
        return (self.panels[0].bottom_room if self.panels else 20.0) + _TITLE - 2.0

    @Slot()
    def _fit_canvas(self) -> None:
        """Choose the columns, and make the canvas as high as its panels need at least; the scroll area does the rest."""
        if not self.panels:
            self.canvas.setMinimumHeight(0)
            return
        # Asked of the room without a scroll bar: what would fit there must not be kept from it by the bar it needs now.
        area = self.scroll_area.size()
        self._column_count, fits = self._columns(area.width(), area.height())
        if not fits:
            bar = self.scroll_area.verticalScrollBar().sizeHint().width()
            self._column_count, _ = self._columns(area.width() - bar, area.height())
        rows = math.ceil(len(self.panels) / self._column_count)
        least = math.ceil(_TOP + rows * (_LEAST_HEIGHT + self._below() + _ROW_GAP))
        self.canvas.setMinimumHeight(0 if fits else least)

    def _arrange(self, area: QRectF) -> None:
        if not self.panels:
            return
        if area != self._arranged:
            self._arranged = QRectF(area)
            self.card.hide()  # what it stands beside has moved
        for _ in range(_PASSES):
            self._place_panels(area)
            # How wide the labels at the left are is known once the range is.
            needed = math.ceil(max(panel.left_room for panel in self.panels)) + _TITLE + 4.0
            if self._left - 6.0 <= needed <= self._left:
                break
            self._left = needed

    def _place_panels(self, area: QRectF) -> None:
        viewport = self.scroll_area.viewport().size()
        columns = self._column_count
        rows = math.ceil(len(self.panels) / columns)
        width = (area.width() - self._left - _RIGHT - _COLUMN_GAP * (columns - 1)) / columns
        height = (area.height() - _TOP) / rows - self._below() - (_ROW_GAP if rows > 1 else 0.0)
        with ExitStack() as placing:
            for number, panel in enumerate(self.panels):
                placing.enter_context(panel.held())
                row, place = divmod(number, columns)
                panel.hide_left_labels = place > 0
                x = self._left + place * (width + _COLUMN_GAP)
                y = _TOP + row * (height + self._below() + _ROW_GAP)
                panel.place(QRectF(x, y, max(10.0, width), max(10.0, height)))
            if self._at_home:
                self._go_home()
        bottom = _TOP + rows * (height + self._below() + _ROW_GAP) - self._below()
        seen = min(bottom, float(viewport.height()))  # where the panels scroll, the title stays with the first ones
        self.y_title.place((_TOP + seen) / 2.0, 0.0, seen + 4.0)

    _at_home = True
    _arranged = QRectF()  # the area for which the panels were placed

    def _go_home(self) -> None:
        """Show the whole range, with room for the titles above the bars."""
        low, high = self._y_range
        high = self._below_titles(low, high)
        first = self.panels[0]
        low, high = with_labels(low, high, first.box.rect().height(), first.label_height + first.gap_y)
        high = self._below_titles(low, high)  # a lower end takes from the room below the titles
        for panel in self.panels:
            panel.set_range(low, high)

    def _below_titles(self, low: float, high: float) -> float:
        """Return the upper end at which no bar reaches the title of its panel."""
        most = high + 2.5 * (high - low)  # a bar that ran away is cut off
        return max(high, *(min(panel.needed_top(low), most) for panel in self.panels))

    @Slot()
    def reset_view(self) -> None:
        """Show the whole range again."""
        self._at_home = True
        self.canvas.lay_out()

    @Slot()
    def _moved(self, *_: object) -> None:
        """Keep the y axis shared when the user moves one panel."""
        moved = next((panel for panel in self.panels if panel.box is self.sender()), None)
        if moved is None:
            return
        self._at_home = False
        _, y_range = moved.box.viewRange()
        for panel in self.panels:
            if panel is not moved:
                panel.box.setYRange(*y_range, padding=0.0)

    @Slot()
    def _ratio_changed(self) -> None:
        with self.canvas.held():
            self.apply_theme(self._theme)

    # -- mouse and keyboard ---------------------------------------------------------------------------------------

    def _panel_at(self, scene: QPointF) -> BlockPanel | None:
        return next((panel for panel in self.panels if panel.box.sceneBoundingRect().contains(scene)), None)

    def words_at(self, scene: QPointF) -> tuple[str, str]:
        """Return heading and sentence for the bar at a place on the canvas; empty beside all bars."""
        panel = self._panel_at(scene)
        bar = -1 if panel is None else panel.bar_at(scene)
        if panel is None or panel.part is None or bar < 0:
            return "", ""
        return coefficient_place(panel.part.block, bar), self.sentence(panel.part.block.name, bar)

    @Slot(object)
    def _hover(self, scene: QPointF | None) -> None:
        """Show the words of the bar under the mouse, else those of the bar chosen."""
        heading, sentence = ("", "") if scene is None else self.words_at(scene)
        if sentence and scene is not None:
            self.card.show_beside(self.canvas.mapTo(self, self.canvas.mapFromScene(scene)), heading, sentence)
        elif scene is None or self._panel_at(scene) is not self._panel_of_current():
            self.card.hide()

    @Slot(object)
    def _clicked(self, place: QPointF) -> None:
        panel = next((panel for panel in self.panels if panel.box is self.sender()), None)
        if panel is None or panel.part is None:
            return
        bar = panel.bar_at(panel.box.mapViewToScene(place))
        self._choose(panel.part.block.name, bar)

    @Slot()
    def _double_clicked(self) -> None:
        panel = next((panel for panel in self.panels if panel.box is self.sender()), None)
        if panel is not None and panel.part is not None:
            self.enlarge("" if self._enlarged else panel.part.block.name)

    def _choose(self, name: str, bar: int) -> None:
        self.current = (name, bar) if bar >= 0 else None
        self._mark_current()
        self._read_out()

    def _panel_of_current(self) -> BlockPanel | None:
        name = self.current[0] if self.current is not None else ""
        return next((p for p in self.panels if p.part is not None and p.part.block.name == name), None)

    def _mark_current(self) -> None:
        for panel in self.panels:
            mine = self.current is not None and panel.part is not None and panel.part.block.name == self.current[0]
            panel.mark(self.current[1] if mine and self.current is not None else -1)

    @Slot(object)
    def _key(self, event: QKeyEvent) -> None:
        """Walk over bars (left, right) and blocks (up, down); Return enlarges, Escape goes back."""
        shown = [panel.part for panel in self.panels if panel.part is not None and not panel.part.off]
        key = Qt.Key(event.key())
        if not shown or key not in (
            Qt.Key.Key_Left,
            Qt.Key.Key_Right,
            Qt.Key.Key_Up,
            Qt.Key.Key_Down,
            Qt.Key.Key_Return,
            Qt.Key.Key_Enter,
            Qt.Key.Key_Escape,
        ):
            return
        event.accept()
        names = [part.block.name for part in shown]
        name, bar = self.current if self.current is not None and self.current[0] in names else (names[0], -1)
        if key == Qt.Key.Key_Escape:
            if self._enlarged:
                self.enlarge("")
            else:
                self._choose("", -1)
            return
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.enlarge("" if self._enlarged else name)
            return
        where = names.index(name)
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            where = max(0, min(len(shown) - 1, where + (1 if key == Qt.Key.Key_Down else -1)))
            bar = max(0, min(bar, shown[where].gamma.size - 1))
        else:
            bar += 1 if key == Qt.Key.Key_Right else -1
            if bar >= shown[where].gamma.size and where + 1 < len(shown):
                where, bar = where + 1, 0
            elif bar < 0 and where > 0:
                where -= 1
                bar = shown[where].gamma.size - 1
            bar = max(0, min(bar, shown[where].gamma.size - 1))
        self._choose(names[where], bar)

    @Slot()
    def _toggle_enlarged(self) -> None:
        if self._enlarged:
            self.enlarge("")
        elif self.panels and self.panels[0].part is not None:
            self.enlarge(self.current[0] if self.current is not None else self.panels[0].part.block.name)

    @Slot(QPoint)
    def _open_menu(self, place: QPoint) -> None:
        """Offer what can be done with the block under the mouse and with the figure."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        panel = self._panel_at(self.canvas.mapToScene(place))
        if panel is not None and panel.part is not None:
            block = panel.part.block
            menu.addAction(
                self._action(
                    menu, "Show all blocks" if self._enlarged else f"Enlarge {block.title}", "enlarge", block.name
                )
            )
            if not self._enlarged:
                menu.addAction(self._action(menu, "Move before", "before", block.name))
                menu.addAction(self._action(menu, "Move after", "after", block.name))
            off = block.name in self._snapshot.settings.blocks_off
            words = f"Use {block.title} in the model again" if off else f"Switch {block.title} off in the model"
            menu.addAction(self._action(menu, words, "toggle", block.name))
            if not off:
                menu.addMenu(self._factor_menu(menu, block.name, block.title))
            menu.addSeparator()
        bootstrap = self._action(menu, "Bands by refits to resampled polymers", "bands", "")
        bootstrap.setCheckable(True)
        bootstrap.setChecked(self._snapshot.settings.bands == "bootstrap")
        menu.addAction(bootstrap)
        menu.addAction(self._action(menu, "Reset view", "reset", ""))
        menu.addAction(self._action(menu, "Copy figure", "copy", ""))
        menu.addAction(self._action(menu, "Save figure as…", "export", ""))
        menu.addAction(self._action(menu, "What am I looking at?", "explain", ""))
        menu.triggered.connect(self._menu_chosen)
        menu.popup(self.canvas.mapToGlobal(place))

    def _factor_menu(self, menu: QMenu, name: str, title: str) -> QMenu:
        """Return the choices of how strongly one block is penalised beside the others."""
        factors = QMenu(f"Penalties of {title}", menu)
        factors.setToolTipsVisible(True)
        group = QActionGroup(factors)
        present = self._snapshot.settings.block_factors.get(name, 1.0)
        offered = dict(BLOCK_FACTORS)
        if present not in offered:
            offered = {present: f"× {present:g}, as it is set", **offered}
        for factor, words in offered.items():
            action = self._action(factors, words, "factor", name)
            action.setData(("factor", name, factor))
            action.setToolTip(_FACTOR_TIP)
            action.setCheckable(True)
            action.setChecked(factor == present)
            group.addAction(action)
            factors.addAction(action)
        return factors

    @staticmethod
    def _action(menu: QMenu, text: str, what: str, name: str) -> QAction:
        action = QAction(text, menu)
        action.setData((what, name))
        return action

    @Slot(QAction)
    def _menu_chosen(self, action: QAction) -> None:
        what, name, *more = action.data()
        if what == "enlarge":
            self.enlarge("" if self._enlarged else name)
        elif what in ("before", "after"):
            self.move_block(name, -1 if what == "before" else 1)
        elif what == "toggle":
            self.block_toggled.emit(name)
        elif what == "factor":
            self.block_factor_chosen.emit(name, more[0])
        elif what == "bands":
            self.bands_chosen.emit("bootstrap" if action.isChecked() else "posterior")
        elif what == "reset":
            self.reset_view()
        elif what == "copy":
            self._copy()
        elif what == "export":
            self.export_requested.emit()
        else:
            self.explain_button.explain()

    def move_block(self, name: str, step: int) -> None:
        """Move a block by so many places in the order of the panels."""
        names = list(self.order)
        where = names.index(name)
        target = where + step
        if 0 <= target < len(names):
            names[where], names[target] = names[target], names[where]
            self.set_order(names)
            self.order_changed.emit(self.order)

    @Slot()
    def _copy(self) -> None:
        if self.isSignalConnected(QMetaMethod.fromSignal(self.copy_requested)):
            self.copy_requested.emit()
        else:
            self.canvas.copy_to_clipboard()


class _Scroll(QScrollArea):
    """A scroll area that tells when its size changed, before its contents are laid out."""

    resized = Signal()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell, then do as always."""
        self.resized.emit()
        super().resizeEvent(event)


def _short_exponent(largest: float) -> int:
    """Return the multiple of three so that ``largest * 10**exponent`` lies between 0.1 and 100; its labels are short."""
    if largest == 0.0 or 0.1 <= largest < 1e4:
        return 0
    return -3 * math.floor((math.log10(largest) + 1.0) / 3.0)


class _Swatch(QWidget):
    """A sample of a bar or of the band, and its meaning."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__()
        self._kind, self._text = kind, text
        self._theme = current_theme()
        self._model: ModelName = DEFAULT
        self.setAccessibleName(text)

    def set_text(self, text: str) -> None:
        """Change the meaning."""
        self._text = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def set_model(self, model: ModelName) -> None:
        """Take the colour of a calibrator."""
        self._model = model
        self.update()

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        self.setFont(theme.font(NOTE_SIZE))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of sample and words."""
        return QSize(self._sample_width() + 7 + self.fontMetrics().horizontalAdvance(self._text) + 1, 18)

    def minimumSizeHint(self) -> QSize:
        """Return the same: the words are not cut."""
        return self.sizeHint()

    def _sample_width(self) -> int:
        return 18 if self._kind == "band" else 7

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw sample and words."""
        theme = self._theme
        painter = QPainter(self)
        painter.setFont(self.font())
        width, middle = self._sample_width(), self.height() / 2.0
        if self._kind == "band":
            painter.fillRect(QRectF(0.0, middle - 5.0, width, 10.0), theme.colour("coefficient_band"))
        elif self._kind == "filled":
            painter.fillRect(QRectF(1.0, middle - 5.0, 5.0, 10.0), theme.model_colour(self._model))
        else:
            painter.setPen(line(theme.model_colour(self._model), 1.0))
            painter.drawRect(QRectF(1.5, middle - 4.5, 4.0, 9.0))
        painter.setPen(theme.colour("muted"))
        painter.drawText(
            QRectF(width + 7.0, 0.0, self.width(), self.height()), int(Qt.AlignmentFlag.AlignVCenter), self._text
        )
        painter.end()
