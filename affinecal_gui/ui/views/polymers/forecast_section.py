"""How many more measurements would help: the forecast of the error beside the list of what to measure next."""

from html import escape

import numpy as np
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from affinecal_gui.calibration.results import ErrorForecast
from affinecal_gui.errors import UserError
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.words.forecast_words import error_title, forecast_sentences, needed_sentence
from affinecal_gui.ui.parts.selectable import make_selectable
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.parts.typed_number import typed_number
from affinecal_gui.ui.parts.widgets.info_line import InfoLine
from affinecal_gui.ui.parts.widgets.labels import label
from affinecal_gui.ui.parts.widgets.tool_buttons import LinkButton
from affinecal_gui.ui.views.plots.line_chart import ChartLine, LineChart

FARTHEST = 4.0
"""Times the polymers there are, up to which the forecast is drawn."""


class ForecastSection(QWidget):
    """A button that asks for the forecast; when it is there, a small chart, what it says, and a field for a wished error."""

    wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("forecastSection")
        self.setAccessibleName("Error with more measurements")
        self._snapshot = Snapshot()
        self._drawn: ErrorForecast | None = None
        self.button = LinkButton("Forecast the error with more measurements")
        self.button.setObjectName("forecastButton")
        self.button.setToolTip(
            "Calibrates parts of the measured polymers, each with penalties of its own, and follows how the error falls."
        )
        self.chart = LineChart("Error against the number of measured polymers", 4)
        self.words = InfoLine("info", note=True)
        self.words.setObjectName("forecastWords")
        self.wish = QLineEdit()
        self.wish.setObjectName("wishedError")
        self.wish.setAccessibleName("Error that is wished for")
        self.wish.setMaximumWidth(80)
        self._wish_title = label("Wished RMSE", "note-text")
        self.answer = InfoLine("info", note=True)
        self.answer.setObjectName("forecastAnswer")
        make_selectable(self.words, self.answer)
        self._found = QWidget()
        asked = QHBoxLayout()
        asked.setSpacing(6)
        asked.addWidget(self._wish_title)
        asked.addWidget(self.wish)
        asked.addStretch(1)
        found = QVBoxLayout(self._found)
        found.setContentsMargins(0, 0, 0, 0)
        found.setSpacing(4)
        found.addWidget(self.chart)
        found.addWidget(self.words)
        found.addLayout(asked)
        found.addWidget(self.answer)
        box = QVBoxLayout(self)
        box.setContentsMargins(8, 0, 8, 6)
        box.setSpacing(4)
        box.addWidget(self.button)
        box.addWidget(self._found)
        self.button.clicked.connect(self.wanted)
        self.wish.textChanged.connect(self._answer)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the forecast of a snapshot, or the way to one."""
        self._snapshot = snapshot
        calibration = snapshot.calibration
        forecast = calibration.forecast if calibration is not None else None
        self.button.setVisible(forecast is None)
        self.button.setEnabled(calibration is not None and not snapshot.stale)
        self._found.setVisible(forecast is not None)
        if forecast is None or calibration is None:
            self._drawn = None
            return
        if forecast is self._drawn:
            return
        self._drawn = forecast
        sentences = " ".join(forecast_sentences(calibration, snapshot.quantity))
        self.words.set_message("info" if forecast.falls else "caution", escape(sentences))
        self.chart.show_lines(
            _lines(forecast), "measured polymers", error_title(calibration, snapshot.quantity), sentences
        )
        self._answer()

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        self.chart.apply_theme(theme)

    @Slot()
    def _answer(self) -> None:
        calibration, text = self._snapshot.calibration, self.wish.text().strip()
        if calibration is None or calibration.forecast is None or not text:
            self.answer.set_message("info", "")
            return
        try:
            wished = typed_number(text)
        except UserError as problem:
            self.answer.set_message("bad", escape(str(problem)))
            return
        self.answer.set_message("info", escape(needed_sentence(calibration, wished)))


def _lines(forecast: ErrorForecast) -> tuple[ChartLine, ...]:
    """Return the band, the curve and the errors found; beyond the frame of these a band is of no interest."""
    shown = forecast.numbers <= FARTHEST * forecast.polymers
    x = forecast.numbers[shown]
    most = 1.2 * max(float(forecast.found.max()), forecast.at(forecast.polymers)[2])
    upper = np.where(forecast.upper[shown] <= most, forecast.upper[shown], np.nan)
    return (
        ChartLine(x, forecast.lower[shown], "grey"),
        ChartLine(x, upper, "grey"),
        ChartLine(x, forecast.error[shown], "blue"),
        ChartLine(forecast.sizes, forecast.found, "blue", symbol="o"),
    )
