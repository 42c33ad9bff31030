"""The coefficients of a calibrator file, a small panel for each block of descriptors."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.study.words.coefficient_words import BlockCoefficients
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme
from affinecal_gui.ui.parts.widgets.labels import label
from affinecal_gui.ui.views.plots.canvas.plot_canvas import ScrolledCanvas
from affinecal_gui.ui.views.plots.coefficients.coefficient_scale import scale_of
from affinecal_gui.ui.views.plots.coefficients.panel_grid import PanelGrid, WatchedScrollArea

if TYPE_CHECKING:  # imports the chemistry
    from affinecal_gui.ui.dialogs.calibrators.calibrator_jobs import OpenedCalibrator


class EffectPanels(QWidget):
    """How the calibrated value changes with each descriptor, at the mean MD value of the training set."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("calibratorEffects")
        self.empty_state = label("", "muted", wrap=True)
        self.empty_state.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.canvas = ScrolledCanvas(lambda _area: None, "Coefficients of the calibrator")
        self.scroll_area = WatchedScrollArea()
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll_area.setWidget(self.canvas)
        self.grid = PanelGrid(self.canvas, self.scroll_area, self)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.scroll_area, 1)
        box.addWidget(self.empty_state, 1)
        with self.canvas.held():
            self.apply_theme(current_theme())

    def show_calibrator(self, opened: "OpenedCalibrator") -> None:
        """Draw the coefficients of a calibrator, or say that it has none."""
        facts, effects = opened.file.facts, opened.effects
        has_any = calibrator(facts.model).uses_descriptors and bool(np.any(effects))
        self.scroll_area.setVisible(has_any)
        self.empty_state.setVisible(not has_any)
        self.empty_state.setText("" if has_any else "It has no coefficients: it does not look at the descriptors.")
        if not has_any:
            return
        blocks, first, parts = opened.file.blocks, 0, []
        for block in blocks.blocks:
            own = effects[first : first + block.size]
            nothing = np.full(block.size, np.nan)
            parts.append(BlockCoefficients(block, own, nothing, nothing, nothing, sign=1))
            first += block.size
        scale = scale_of(parts)
        symbol = facts.quantity.symbol_html
        target = f"ln {symbol}" if facts.log_scale else f"{symbol}, {facts.quantity.unit},"
        times = f" × 10<sup>{scale.exponent}</sup>" if scale.exponent else ""
        with self.canvas.held():
            self.grid.set_range(scale.y_range)
            self.grid.need(len(parts))
            for panel, part in zip(tuple(self.grid.panels), parts, strict=True):
                panel.show_block(part, facts.model, scale.factor)
            self.grid.y_title.set_wordings(f"Change of {target} per standard unit{times}", f"Change of {target}{times}")
            self.grid.fit_canvas()
            self.canvas.lay_out()

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and fonts."""
        self.canvas.apply_theme(theme)
        self.grid.apply_theme(theme)
        self.canvas.lay_out()
