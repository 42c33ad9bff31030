"""Coefficients: gamma as bars, one panel per descriptor block, over the physical values that the bars stand for."""

from collections.abc import Iterator, Sequence

import numpy as np
from PySide6.QtCore import QMetaMethod, QPoint, QPointF, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from affinecal_gui.calibration.calibrators.linear.affine import AFFINE
from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.names import calibrator_name, calibrator_title
from affinecal_gui.calibration.uncertainty.band_words import said_of_bands
from affinecal_gui.study.shown.inspector_content import InspectorContent
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.words.coefficient_words import (
    BlockCoefficients,
    block_coefficients,
    coefficient_place,
    coefficient_sentence,
    physics_note,
)
from affinecal_gui.ui.parts.terms import STANDARD_UNIT
from affinecal_gui.ui.parts.theme.model_style import model_style
from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme
from affinecal_gui.ui.parts.widgets.headers import ViewHeader
from affinecal_gui.ui.parts.widgets.hover_card import SentenceCard
from affinecal_gui.ui.parts.widgets.info_line import InfoLine
from affinecal_gui.ui.parts.widgets.labels import label, rule
from affinecal_gui.ui.parts.widgets.rows import column
from affinecal_gui.ui.parts.widgets.tool_buttons import ExplainButton, LinkButton, ThemedToolButton
from affinecal_gui.ui.running.in_steps import take_all
from affinecal_gui.ui.views.plots.canvas.plot_canvas import ScrolledCanvas
from affinecal_gui.ui.views.plots.coefficients.bar_walk import STEPS, next_bar
from affinecal_gui.ui.views.plots.coefficients.block_panel import BlockPanel
from affinecal_gui.ui.views.plots.coefficients.coefficient_key import CoefficientKey
from affinecal_gui.ui.views.plots.coefficients.coefficient_menu import CoefficientMenu
from affinecal_gui.ui.views.plots.coefficients.coefficient_scale import CoefficientScale, axis_wordings, scale_of
from affinecal_gui.ui.views.plots.coefficients.panel_grid import PanelGrid, WatchedScrollArea
from affinecal_gui.ui.views.plots.spectrum_chart import SpectrumChart

_EXPLANATION = (
    "Each panel is one force-field parameter, each bar one value of it. The bar says how much the correction changes "
    "when a polymer has more atoms, bonds, angles or dihedrals with about that value. Bars are filled where the band, "
    "in which the coefficient may lie, is <b>clear of zero</b>, so that the data say whether the value raises or lowers the "
    f"correction. {STANDARD_UNIT} Double-click a panel to enlarge it; click a bar to read it in words."
)

_AVERAGE_EXPLANATION = (
    "A method with kernels has no coefficients: what a descriptor does differs from polymer to polymer. Each bar is the mean "
    "over the polymers of the fit: how much the calibrated value changes when a polymer has more atoms, bonds, angles or "
    "dihedrals with about that value, at the same MD value. Bars are filled where the band, in which the mean may lie, is "
    "<b>clear of zero</b>, so that the data say whether the value goes up or down. "
    f"{STANDARD_UNIT} Double-click a panel to enlarge it; click a bar to read it in words."
)

_SPECTRUM_EXPLANATION = (
    "Where nothing is fitted to measured values there are no coefficients. MD values of heat capacities are "
    "corrected for what is classical in them: in a simulation every vibration takes up the same heat, in truth those of high "
    "wavenumber hardly take up any. The curves show how many vibrations there are at each wavenumber, and how much of them "
    "counts by quantum mechanics."
)

_TITLES = {False: "Coefficients", True: "Average effects"}
"""By whether the bars are average effects."""
_SPECTRUM = "Spectrum"

_PANELS_A_STEP = 4


class CoefficientView(QWidget):
    """Header, key, panels, and a line of words below them."""

    export_requested = Signal()
    copy_requested = Signal()  # when nobody listens, the picture on screen is copied
    bands_chosen = Signal(str)  # "posterior" or "bootstrap"
    block_factor_chosen = Signal(str, float)  # name of a block, by what its penalties are to be multiplied
    block_toggled = Signal(str)  # name of a block to be switched off in the model, or on again
    order_changed = Signal(object)  # tuple of block names, as the user arranged them
    calibrator_chosen = Signal(str)  # one that has coefficients, where the one shown has none

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("coefficientView")
        self.setAccessibleName("Coefficients")
        set_kind(self, "view")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._snapshot = Snapshot()
        self._inspected: InspectorContent | None = None
        self._theme = current_theme()
        self._parts: tuple[BlockCoefficients, ...] = ()
        self._order: tuple[str, ...] = ()
        self._enlarged = ""  # name of the block that has the view for itself
        self.current: tuple[str, int] | None = None
        self._scale = CoefficientScale()
        self._make_header()
        self.canvas = ScrolledCanvas(lambda _area: None, "Coefficients of the descriptor blocks")
        self.canvas.hovered.connect(self._hover)
        self.canvas.key_pressed.connect(self._key)
        self.canvas.home_wished.connect(self.reset_view)
        self.canvas.ratio_changed.connect(self._ratio_changed)
        self.canvas.customContextMenuRequested.connect(self._open_menu)
        self.scroll_area = WatchedScrollArea()
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll_area.setWidget(self.canvas)
        self.grid = PanelGrid(self.canvas, self.scroll_area, self)
        self.grid.bar_clicked.connect(self._choose)
        self.grid.block_double_clicked.connect(self._enlarge_or_reduce)
        self.empty_state = label("", "muted", wrap=True)
        self.empty_state.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.way_out = LinkButton("")  # of the state without coefficients
        self.way_out.setObjectName("showCoefficients")
        self.way_out.clicked.connect(lambda: self.calibrator_chosen.emit(AFFINE.key))
        self._empty = column(spacing=6)
        empty_box = self._empty.layout()
        assert isinstance(empty_box, QVBoxLayout)
        empty_box.addStretch(1)
        empty_box.addWidget(self.empty_state)
        empty_box.addWidget(self.way_out, 0, Qt.AlignmentFlag.AlignHCenter)
        empty_box.addStretch(1)
        self.spectrum = SpectrumChart()
        self._rule = rule()
        self.note = InfoLine("check", "", note=True)
        self.card = SentenceCard(self)  # over the panels: nothing moves between the two clicks of a double click
        self.grid.area_changed.connect(self.card.hide)  # what it stands beside has moved
        box = QVBoxLayout(self)
        box.setContentsMargins(10, 4, 6, 6)
        box.setSpacing(6)
        box.addWidget(self.header)
        box.addWidget(self.key)
        box.addWidget(self._empty, 1)
        box.addWidget(self.spectrum, 1)
        box.addWidget(self.scroll_area, 1)
        box.addWidget(self._rule)
        box.addWidget(self.note)
        self.setMinimumSize(200, 240)
        with self.canvas.held():
            self.apply_theme(current_theme())
            self.redraw()

    # -- contract of a view ---------------------------------------------------------------------------------------

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show another state of the study."""
        take_all(self.show_in_steps(snapshot))

    def show_in_steps(self, snapshot: Snapshot) -> Iterator[None]:
        """Show another state of the study, some panels a step."""
        old, self._snapshot = self._snapshot, snapshot
        same = (
            snapshot.calibration is old.calibration
            and snapshot.corrected is old.corrected
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

    def show_inspected(self, content: InspectorContent | None) -> None:
        """Take over what there is to say about the chosen polymer, whose vibrations are shown where nothing is fitted."""
        self._inspected = content
        if not self._parts and self._is_given:
            self.redraw()

    @property
    def _is_given(self) -> bool:
        """Whether the values shown are MD values that are corrected by vibrations, without a fit."""
        snapshot = self._snapshot
        return snapshot.corrected is not None or (
            snapshot.calibration is not None and calibrator(snapshot.settings.model).is_given
        )

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and fonts."""
        self._theme = theme
        self.canvas.apply_theme(theme)
        self.grid.apply_theme(theme)
        self.key.apply_theme(theme)
        self.spectrum.apply_theme(theme)
        self.canvas.lay_out()

    # -- arrangement of the blocks --------------------------------------------------------------------------------

    @property
    def figure(self) -> str:
        """Name of the figure that this view shows."""
        return "coefficients" if self.spectrum.isHidden() else "modes"

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
        self.key = CoefficientKey()

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
        has_spectrum = self._show_spectrum()
        title = _SPECTRUM if has_spectrum else _TITLES[average]
        self.header.set_title(title)
        self.setAccessibleName(title)
        explanation = _AVERAGE_EXPLANATION if average else _EXPLANATION
        self.explain_button.set_text(_SPECTRUM_EXPLANATION if has_spectrum else explanation)
        for widget in (self.key, self.scroll_area):
            widget.setVisible(shown)
        self._empty.setVisible(not shown and not has_spectrum)
        self.enlarge_button.setEnabled(shown)
        for button in (self.copy_button, self.export_button):
            button.setEnabled(shown or has_spectrum)
        if not shown or calibration is None:
            self.grid.need(0)
            self.card.hide()
            self.header.set_subtitle("")
            self._show_note()
            self.way_out.setVisible(calibration is not None and not calibrator(model).has_coefficients)
            if has_spectrum:
                text = self.spectrum.words.text()
            elif self._is_given:
                text = (
                    "Nothing is fitted, so that there are no coefficients. Select a polymer whose vibrations are known: "
                    "those by which its MD value is corrected appear here."
                )
            elif calibration is None or calibrator(model).has_coefficients:
                text = "The coefficients appear here as soon as the calibration is ready."
            else:
                text = f"{model_style(model).title} has no coefficients: it does not look at the descriptors."
            if calibration is not None:
                affine = calibrator_title(AFFINE.key, log_scale=calibration.log_scale)
                self.way_out.setText(f"Show the coefficients of {affine}")
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
            self.header.set_subtitle(f"{name}, {count} values", name, "")
        with_band = any(np.isfinite(part.lower).any() for part in self._parts)
        self._scale = scale_of(self._parts)
        self.grid.set_range(self._scale.y_range)
        worth = said_of_bands(calibration, model)
        self.key.show_for(model, calibration.interval_level, worth, with_band=with_band, scale=self._scale)
        yield
        yield from self._fill_in_steps()

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
        self.grid.need(len(parts))
        for number, (panel, part) in enumerate(zip(tuple(self.grid.panels), parts, strict=True)):
            if number % _PANELS_A_STEP == 0:
                yield
                if self._filling is not filling:
                    return
            panel.set_large(bool(self._enlarged))
            scale = self._scale
            panel.show_block(part, self._snapshot.settings.model, scale.factor, band_opacity=scale.band_opacity)
            panel.box.setOpacity(0.55 if self._snapshot.stale else 1.0)
        yield
        if self._filling is not filling:
            return
        self.grid.y_title.set_wordings(*axis_wordings(self._snapshot, self._parts, self._scale.exponent))
        self.grid.mark(*(self.current or ("", -1)))
        self._show_note()
        self.grid.fit_canvas()
        self.canvas.lay_out()
        if self.card.isVisible():
            self._read_out()

    def _show_spectrum(self) -> bool:
        """Show the vibrations where they stand for coefficients; returns whether they do."""
        if self._snapshot.corrected is not None:
            return self.spectrum.show_snapshot(self._snapshot)
        return self.spectrum.show_polymer(self._inspected if self._is_given else None)

    _filling: object = None  # what the panels are being given

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
        panel = self._panel_of_current
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

    @Slot()
    def reset_view(self) -> None:
        """Show the whole range again."""
        self.grid.go_home()

    @Slot()
    def _ratio_changed(self) -> None:
        with self.canvas.held():
            self.apply_theme(self._theme)

    # -- mouse and keyboard ---------------------------------------------------------------------------------------

    def words_at(self, scene: QPointF) -> tuple[str, str]:
        """Return heading and sentence for the bar at a place on the canvas; empty beside all bars."""
        panel = self.grid.panel_at(scene)
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
        elif scene is None or self.grid.panel_at(scene) is not self._panel_of_current:
            self.card.hide()

    @Slot(str)
    def _enlarge_or_reduce(self, name: str) -> None:
        self.enlarge("" if self._enlarged else name)

    @property
    def _panel_of_current(self) -> BlockPanel | None:
        return self.grid.panel_of(self.current[0]) if self.current is not None else None

    @Slot(str, int)
    def _choose(self, name: str, bar: int) -> None:
        self.current = (name, bar) if bar >= 0 else None
        self.grid.mark(*(self.current or ("", -1)))
        self._read_out()

    @Slot(object)
    def _key(self, event: QKeyEvent) -> None:
        """Walk over bars (left, right) and blocks (up, down); Return enlarges, Escape goes back."""
        sizes = {
            panel.part.block.name: panel.part.gamma.size
            for panel in self.grid.panels
            if panel.part is not None and not panel.part.off
        }
        key = Qt.Key(event.key())
        if not sizes or key not in (*STEPS, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            return
        event.accept()
        if key == Qt.Key.Key_Escape:
            if self._enlarged:
                self.enlarge("")
            else:
                self._choose("", -1)
        elif key in STEPS:
            self._choose(*next_bar(sizes, self.current, STEPS[key]))
        else:
            first = next(iter(sizes))
            name = self.current[0] if self.current is not None and self.current[0] in sizes else first
            self.enlarge("" if self._enlarged else name)

    @Slot()
    def _toggle_enlarged(self) -> None:
        if self._enlarged:
            self.enlarge("")
        elif self.grid.panels and self.grid.panels[0].part is not None:
            self.enlarge(self.current[0] if self.current is not None else self.grid.panels[0].part.block.name)

    @Slot(QPoint)
    def _open_menu(self, place: QPoint) -> None:
        """Offer what can be done with the block under the mouse and with the figure."""
        panel = self.grid.panel_at(self.canvas.mapToScene(place))
        block = panel.part.block if panel is not None and panel.part is not None else None
        menu = CoefficientMenu(self, self._snapshot.settings, block, enlarged=bool(self._enlarged))
        menu.enlarge_wanted.connect(self._enlarge_or_reduce)
        menu.move_wanted.connect(self.move_block)
        menu.toggle_wanted.connect(self.block_toggled)
        menu.factor_wanted.connect(self.block_factor_chosen)
        menu.bands_wanted.connect(self.bands_chosen)
        menu.reset_wanted.connect(self.reset_view)
        menu.copy_wanted.connect(self._copy)
        menu.export_wanted.connect(self.export_requested)
        menu.explain_wanted.connect(self.explain_button.explain)
        menu.popup(self.canvas.mapToGlobal(place))

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
