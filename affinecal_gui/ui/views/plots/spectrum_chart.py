"""What stands in the place of coefficients where nothing is fitted: the vibrations by which MD values are corrected."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from affinecal_gui.study.shown.inspector_content import InspectorContent
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.parts.selectable import make_selectable
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.parts.widgets.labels import label
from affinecal_gui.ui.views.plots.line_chart import ChartLine, FloatArray, LineChart
from affinecal_gui.ui.views.plots.spectrum_key import SpectrumKey


class SpectrumChart(QWidget):
    """The spectrum of the chosen polymer, or the mean of all, as the simulation has it and as quantum mechanics does."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("spectrumChart")
        self.key = SpectrumKey()
        self.chart = LineChart("Spectrum of the vibrations", 2, lowest=160)
        self.words = label("", "note", wrap=True)
        make_selectable(self.words)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(6)
        box.addWidget(self.key)
        box.addWidget(self.chart, 1)
        box.addWidget(self.words)
        self.hide()

    def show_snapshot(self, snapshot: Snapshot) -> bool:
        """Show the vibrations of a study of MD values alone, or hide; returns whether there are any."""
        modes = snapshot.corrected.modes if snapshot.corrected is not None else None
        self.setVisible(modes is not None)
        if modes is None:
            return False
        of = "one polymer" if modes.polymers == 1 else f"the repeat units of {modes.polymers:,} polymers, mean"
        words = (
            f"Vibrations of {of}. In the simulation each that is not held rigid takes up the same heat; by quantum mechanics "
            "those of high wavenumber hardly take up any. What lies between the two curves is taken off the MD values. The "
            "inspector draws the vibrations of the chosen polymer."
        )
        self._show(modes.wavenumbers, modes.moved, modes.quantum, words)
        return True

    def show_polymer(self, content: InspectorContent | None) -> bool:
        """Show the vibrations of one polymer, or hide; returns whether there are any."""
        found = content.vibrations if content is not None else None
        self.setVisible(found is not None)
        if content is None or found is None:
            return False
        self._show(found.wavenumbers, found.moved, found.quantum, f"{content.label}: {found.sentence}")
        return True

    def _show(self, wavenumbers: FloatArray, moved: FloatArray, quantum: FloatArray, words: str) -> None:
        self.chart.show_lines(
            (ChartLine(wavenumbers, moved, "grey", filled=True), ChartLine(wavenumbers, quantum, "teal", filled=True)),
            "wavenumber (cm⁻¹)",
            "modes per repeat unit / 100 cm⁻¹",
            words,
        )
        self.key.show_key(measured=False)
        self.words.setText(words)

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and fonts."""
        self.chart.apply_theme(theme)
        self.key.apply_theme(theme)
