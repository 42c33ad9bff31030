"""Rows of results, as the files of a command have them -> data frames with units."""

from collections.abc import Iterable, Sequence

import pandas as pd

from affinecal_gui.study.results.exporting import coefficient_columns, coefficient_rows
from affinecal_gui.study.results.forecast_table import FORECAST_COLUMNS, forecast_rows
from affinecal_gui.study.results.left_out import COLUMNS as LEFT_OUT_COLUMNS
from affinecal_gui.study.results.left_out import LeftOutRow
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.words.forecast_words import forecast_sentences
from affinecal_gui.study.words.interval_words import PARTS
from affinecal_gui.tables.matching.match_report import MatchLine
from affinecal_gui.tables.writing.csv_export import (
    PREDICTION_COLUMNS,
    Cell,
    PredictionRow,
    coefficient_cells,
    prediction_cells,
)

_IN_THE_UNIT = (
    "MD value", "measured value", "calibrated value", "lower", "upper", "out-of-fold value", "final-fit value",
    "surrogate value",
)  # fmt: skip
"""Columns of predictions in the unit of the property."""


def frame_of_predictions(
    rows: Iterable[PredictionRow], unit: str, *, index: "pd.Index | None" = None, notes: Sequence[str] = ()
) -> pd.DataFrame:
    """Return predictions as a data frame with the columns of ``predictions.csv``; ``notes`` say what they are worth."""
    frame = _frame(PREDICTION_COLUMNS, map(prediction_cells, rows), index)
    frame.attrs["units"] = {**dict.fromkeys(_IN_THE_UNIT, unit), "residual, %": "%"}
    frame.attrs["notes"] = list(notes)
    return frame


def frame_of_coefficients(snapshot: Snapshot) -> pd.DataFrame:
    """Return coefficients, or average effects, as a data frame with the columns of ``coefficients.csv``.

    Raises
    ------
    UserError
        The calibrator has none.
    """
    frame = _frame(coefficient_columns(snapshot), map(coefficient_cells, coefficient_rows(snapshot)))
    calibration, quantity = snapshot.calibration, snapshot.quantity
    assert calibration is not None
    unit = "" if quantity is None or calibration.log_scale else quantity.unit
    frame.attrs["units"] = dict.fromkeys(frame.columns[-3:], unit)
    return frame


def frame_of_forecast(snapshot: Snapshot) -> pd.DataFrame:
    """Return the forecast of the error as a data frame with the columns of ``forecast.csv``."""
    frame = _frame(FORECAST_COLUMNS, forecast_rows(snapshot))
    assert snapshot.calibration is not None
    frame.attrs["notes"] = list(forecast_sentences(snapshot.calibration, snapshot.quantity))
    return frame


def frame_of_interval_parts(snapshot: Snapshot, model: str) -> pd.DataFrame:
    """Return what the interval of each polymer of the library is made of, as shares of its variance."""
    assert snapshot.calibration is not None
    parts = snapshot.calibration.models[model].parts
    rows = [row for row in snapshot.rows if row.library_index >= 0] if parts is not None else []
    columns = ("name", "id", "smiles", *PARTS, "narrower by five more runs")
    shares = [getattr(parts, name) for name in (*PARTS, "five_more_runs")] if parts is not None else []
    cells: list[list[Cell]] = [
        [row.name, row.id, row.smiles, *(float(one[row.library_index]) for one in shares)] for row in rows
    ]
    return _frame(columns, cells)


def frame_of_left_out(rows: Iterable[LeftOutRow]) -> pd.DataFrame:
    """Return the rows that were not used as a data frame with the columns of ``left_out.csv``."""
    cells = ((row.file, row.line, row.id, row.name, row.smiles, row.value, row.reason) for row in rows)
    return _frame(LEFT_OUT_COLUMNS, cells)


def frame_of_matches(lines: Iterable[MatchLine], unit: str, summary: str, notes: Sequence[str] = ()) -> pd.DataFrame:
    """Return one row for each measured polymer, with the MD value that was found for it or the reason why there is none."""
    columns = (
        "state", "name", "smiles", "measured value", "MD name", "MD smiles", "MD value", "matched by", "reason",
        "suggestion", "measured rows", "MD rows",
    )  # fmt: skip
    cells = (
        (
            line.state,
            line.measured_name,
            line.measured_smiles,
            line.measured_value,
            line.md_name,
            line.md_smiles,
            line.md_value,
            line.matched_by,
            line.reason,
            line.suggestion,
            line.measured_lines,
            line.md_lines,
        )
        for line in lines
    )
    frame = _frame(columns, cells)
    units = {"measured value": unit, "MD value": unit}
    frame.attrs.update({"units": units, "summary": summary, "notes": list(notes)})
    return frame


def _frame(
    columns: Sequence[str], rows: "Iterable[Sequence[Cell | tuple[int, ...]]]", index: "pd.Index | None" = None
) -> pd.DataFrame:
    return pd.DataFrame(list(rows), columns=list(columns), index=index)
