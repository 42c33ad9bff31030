"""What stands in the place of measured against calibrated where there are MD values alone: MD against corrected."""

import numpy as np
from PySide6.QtWidgets import QVBoxLayout, QWidget

from affinecal_gui.study.data.row_columns import columns_of
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.parts.selectable import make_selectable
from affinecal_gui.ui.parts.terms import QUANTUM_CORRECTED
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.parts.widgets.labels import label
from affinecal_gui.ui.views.plots.line_chart import ChartLine, LineChart


class CorrectedChart(QWidget):
    """The corrected over the MD values, the line on which nothing would be taken off, and what the values rest on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("correctedChart")
        self.chart = LineChart("MD against quantum-corrected values", 3, lowest=180)
        self.chart.setToolTip(QUANTUM_CORRECTED)
        self.words = label("", "note", wrap=True)
        make_selectable(self.words)
        box = QVBoxLayout(self)
        box.setContentsMargins(8, 4, 8, 4)
        box.addWidget(self.chart, 1)
        box.addWidget(self.words)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the corrected values of a study of MD values alone, or hide."""
        corrected = snapshot.corrected
        self.setVisible(corrected is not None)
        if corrected is None:
            return
        md = columns_of(snapshot).md
        quantity = snapshot.quantity
        symbol, unit = ("", "") if quantity is None else (quantity.symbol_html, quantity.unit)
        finite = md[np.isfinite(md)]
        ends = np.array([finite.min(), finite.max()]) if finite.size else np.zeros(2)
        self.chart.show_lines(
            (
                ChartLine(ends, ends, "grey"),
                ChartLine(md, corrected.values, "teal", symbol="o"),
            ),
            f"{symbol} by MD ({unit})",
            f"{symbol} corrected ({unit})",
            f"{int(np.isfinite(corrected.values).sum())} MD values against their quantum-corrected values.",
        )
        self.words.setText(" ".join(corrected.notes))

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and fonts."""
        self.chart.apply_theme(theme)
