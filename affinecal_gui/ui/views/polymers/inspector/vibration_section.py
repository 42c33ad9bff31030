"""The vibrations of the inspected polymer: their spectrum beside its heat capacity over temperature."""

import math

import numpy as np
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from affinecal_gui.study.shown.inspector_content import InspectorContent
from affinecal_gui.ui.parts.selectable import make_selectable
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.parts.widgets.labels import label
from affinecal_gui.ui.parts.widgets.section_heading import SectionHeading
from affinecal_gui.ui.views.plots.line_chart import ChartLine, LineChart
from affinecal_gui.ui.views.plots.spectrum_key import SpectrumKey

BESIDE = 460  # below this width the two charts stand one below the other


class VibrationSection(QWidget):
    """Two charts and a sentence; hidden where there is nothing to draw."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("vibrationSection")
        self._head = SectionHeading("Vibrations")
        self.spectrum = LineChart("Spectrum of the vibrations", 2)
        self.curve = LineChart("Heat capacity over temperature", 2)
        self._key = SpectrumKey()
        self.words = label("", "note", wrap=True)
        make_selectable(self.words)
        self._charts = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._charts.setSpacing(10)
        self._charts.addWidget(self.spectrum, 1)
        self._charts.addWidget(self.curve, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 4, 0, 4)
        box.setSpacing(2)
        box.addWidget(self._head)
        box.addWidget(self._key)
        box.addLayout(self._charts)
        box.addWidget(self.words)
        self.hide()

    def show_content(self, content: InspectorContent) -> None:
        """Show the vibrations of a polymer, or nothing."""
        found = content.vibrations
        self.setVisible(found is not None)
        if found is None:
            return
        self.spectrum.show_lines(
            (
                ChartLine(found.wavenumbers, found.moved, "grey", filled=True),
                ChartLine(found.wavenumbers, found.quantum, "teal", filled=True),
            ),
            "wavenumber (cm⁻¹)",
            "modes / 100 cm⁻¹",
            found.sentence,
        )
        kelvin, value = found.measured
        has_curve = bool(np.isfinite(found.heat_capacity).any())
        self.curve.setVisible(has_curve)
        if has_curve:
            self.curve.show_lines(
                (
                    ChartLine(found.temperatures, found.heat_capacity, "teal"),
                    ChartLine(np.array([kelvin]), np.array([value]), "selected_point", symbol="o"),
                ),
                "temperature (K)",
                f"{content.symbol_html} ({content.unit})",
                "Heat capacity corrected for quantum effects, over temperature, and the measured value.",
            )
        self._key.show_key(measured=has_curve and math.isfinite(value))
        self.words.setText(" ".join(part for part in (found.sentence, found.note) if part))

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        for chart in (self.spectrum, self.curve):
            chart.apply_theme(theme)
        self._key.apply_theme(theme)

    def place(self, width: int) -> None:
        """Stand the charts side by side where that width has room for them."""
        self._charts.setDirection(
            QBoxLayout.Direction.LeftToRight if width >= BESIDE else QBoxLayout.Direction.TopToBottom
        )
