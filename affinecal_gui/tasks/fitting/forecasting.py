"""The forecast of the error with more measurements, as a part of ``affinecal fit``."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from affinecal_gui.errors import UserError
from affinecal_gui.numbers import shortest
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.fitting.forecasting import with_forecast
from affinecal_gui.study.results.forecast_table import write_forecast
from affinecal_gui.study.results.study_figures import write_figures
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.words.forecast_words import forecast_sentences, needed_sentence
from affinecal_gui.tables.writing.csv_export import CsvStyle
from affinecal_gui.task import Task

FORECASTS = ("forecast.csv", "forecast.svg", "forecast.png")


@dataclass(frozen=True, slots=True)
class ForecastWish:
    """That the error with more measurements is to be forecast, and to what error measurements are to be counted."""

    wished_error: float | None = None  # target scale

    def __post_init__(self) -> None:
        wished = self.wished_error
        if wished is not None and not (math.isfinite(wished) and wished > 0.0):
            text = shortest(wished) if math.isfinite(wished) else str(wished)
            raise UserError(f"--wished-error must be a number above 0, for example 0.1; {text} is not.")

    def made(self, derived: Derived, task: Task) -> Derived:
        """Return a calibrated study with its forecast."""
        snapshot = derived.snapshot
        assert snapshot.calibration is not None
        return replace(derived, snapshot=replace(snapshot, calibration=with_forecast(snapshot.calibration, task=task)))

    def write(self, snapshot: Snapshot, folder: Path, style: CsvStyle) -> None:
        """Write table and figure."""
        write_forecast(snapshot, folder / FORECASTS[0], style=style)
        write_figures("forecast", snapshot, [folder / name for name in FORECASTS[1:]])

    def told(self, snapshot: Snapshot) -> Sequence[str]:
        """Return what was found, in sentences for a person."""
        calibration = snapshot.calibration
        assert calibration is not None
        needed = [] if self.wished_error is None else [needed_sentence(calibration, self.wished_error)]
        return [*forecast_sentences(calibration, snapshot.quantity), *needed]
