"""The forecast of an error as a table: what was found with parts of the measured polymers, and what is to be expected."""

from pathlib import Path

import numpy as np

from affinecal_gui.calibration.names import calibrator_name
from affinecal_gui.calibration.results import ErrorForecast
from affinecal_gui.errors import UserError
from affinecal_gui.study.finished import finished
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.tables.writing.csv_export import PLAIN, Cell, CsvStyle, write_table
from affinecal_gui.task import UNWATCHED, Task

FORECAST_COLUMNS = ("measured polymers", "kind", "RMSE", "lower", "upper", "band, %", "model", "error scale", "unit")

SHARES = (1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0)
"""Times the polymers there are, for which the table has a line."""


def forecast_numbers(forecast: ErrorForecast) -> list[int]:
    """Return the numbers of measured polymers that are listed, ascending."""
    return [int(number) for number in np.unique(np.round(np.array(SHARES) * forecast.polymers))]


def forecast_rows(snapshot: Snapshot) -> list[tuple[Cell, ...]]:
    """Return the forecast in the columns of :data:`FORECAST_COLUMNS`; raise UserError where none was made."""
    calibration = finished(snapshot)
    forecast = calibration.forecast
    if forecast is None:
        raise UserError("How the error falls with more measurements has not been forecast yet.")
    unit = snapshot.quantity.unit if snapshot.quantity is not None and not calibration.log_scale else ""
    about = (
        100.0 * forecast.level,
        calibrator_name(forecast.model, log_scale=calibration.log_scale),
        "natural logarithm" if calibration.log_scale else "value",
        unit,
    )
    nothing = float("nan")
    return [
        *(
            (int(size), "found", float(error), nothing, nothing, *about)
            for size, error in zip(forecast.sizes, forecast.found, strict=True)
        ),
        *((number, "forecast", *forecast.at(number), *about) for number in forecast_numbers(forecast)),
    ]


def write_forecast(
    snapshot: Snapshot, path: Path, *, style: CsvStyle = PLAIN, overwrite: bool = False, task: Task = UNWATCHED
) -> Path:
    """Write the forecast as CSV; raise UserError when there is none, or the file cannot be written or is there already."""
    write_table(path, FORECAST_COLUMNS, forecast_rows(snapshot), style=style, overwrite=overwrite, task=task)
    return path
