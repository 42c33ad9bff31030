"""A study as an Excel workbook: predictions, coefficients, metrics, what was not matched, and how it was made."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from affinecal_gui.calibration.names import calibrator_name
from affinecal_gui.calibration.results import Calibration, ModelResult
from affinecal_gui.study.finished import finished, model_with_coefficients
from affinecal_gui.study.results.exporting import (
    NEXT_COLUMNS,
    coefficient_columns,
    coefficient_rows,
    next_rows,
    prediction_rows,
)
from affinecal_gui.study.results.forecast_table import FORECAST_COLUMNS, forecast_rows
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.stored.study_file import programs
from affinecal_gui.tables.writing.csv_export import (
    COEFFICIENT_COLUMNS,
    PREDICTION_COLUMNS,
    Cell,
    coefficient_cells,
    prediction_cells,
)
from affinecal_gui.tables.writing.workbook_export import WorkbookSheet, write_workbook
from affinecal_gui.task import UNWATCHED, Task

UNMATCHED_COLUMNS = ("name", "id", "smiles", "measured value", "MD value", "unit", "state", "reason")


def write_study_workbook(
    snapshot: Snapshot,
    path: Path,
    *,
    overwrite: bool = False,
    task: Task = UNWATCHED,
) -> Path:
    """Write everything that a calibration found as an XLSX file, one sheet per table.

    Raises
    ------
    UserError
        There is no calibration, the file exists, or it cannot be written.
    Cancelled
        The caller asked for a stop; nothing was written.
    """
    write_workbook(path, workbook_sheets(snapshot), overwrite=overwrite, task=task)
    return path


def workbook_sheets(snapshot: Snapshot) -> list[WorkbookSheet]:
    """Return the sheets; tables that the study has nothing for are left out."""
    calibration = finished(snapshot)
    sheets = [
        WorkbookSheet("Predictions", PREDICTION_COLUMNS, [prediction_cells(row) for row in prediction_rows(snapshot)])
    ]
    if snapshot.blocks is not None and calibration.models[model_with_coefficients(snapshot)].coefficients is not None:
        rows = [coefficient_cells(row) for row in coefficient_rows(snapshot)]
        columns = coefficient_columns(snapshot)
        title = "Coefficients" if columns == COEFFICIENT_COLUMNS else "Average effects"
        sheets.append(WorkbookSheet(title, columns, rows))
    sheets += [
        _metrics(snapshot, calibration),
        _parameters(calibration),
        _comparisons(calibration),
        WorkbookSheet("Unmatched", UNMATCHED_COLUMNS, _unmatched(snapshot)),
    ]
    if calibration.measure_next:
        sheets.append(WorkbookSheet("Measure next", NEXT_COLUMNS, next_rows(snapshot)))
    if calibration.forecast is not None:
        sheets.append(WorkbookSheet("Forecast", FORECAST_COLUMNS, forecast_rows(snapshot)))
    sheets.append(_about(snapshot, calibration))
    return [sheet for sheet in sheets if sheet.rows or sheet.name == "Unmatched"]


def _metrics(snapshot: Snapshot, calibration: Calibration) -> WorkbookSheet:
    symbol = snapshot.quantity.symbol if snapshot.quantity is not None else "value"
    unit = f" [{snapshot.quantity.unit}]" if snapshot.quantity is not None and snapshot.quantity.unit else ""
    target = f"ln {symbol}" if calibration.log_scale else symbol
    columns = (
        "calibrator",
        "chosen",
        "lowest error",
        "recommended",
        "n",
        f"RMSE of {target}, out of fold",
        "95 % interval from",
        "95 % interval to",
        "standard error of folds",
        f"RMSE{unit}, out of fold",
        f"MAE{unit}, out of fold",
        "R², out of fold",
        "within ±10 %",
        f"inside the {100 * calibration.interval_level:g} % interval",
        f"RMSE of {target}, fitted",
        f"RMSE{unit}, fitted",
        "λ₁",
        "λ₂",
        "λ_β",
    )
    return WorkbookSheet(
        "Metrics", columns, [_errors(snapshot, calibration, one) for one in calibration.models.values()]
    )


def _errors(snapshot: Snapshot, calibration: Calibration, result: ModelResult) -> tuple[Cell, ...]:
    held_out, fitted, penalties = result.metrics, result.fitted_metrics, result.penalties
    inside: Cell = None
    if np.isfinite(result.out_of_fold_lower).any():
        measured = calibration.measured
        inside = int(np.sum((result.out_of_fold_lower <= measured) & (measured <= result.out_of_fold_upper)))
    return (
        calibrator_name(result.model, log_scale=calibration.log_scale),
        result.model == snapshot.settings.model,
        result.model == calibration.recommendation.best,
        result.model == calibration.recommendation.recommended,
        held_out.n,
        held_out.rmse_target_scale,
        *held_out.rmse_target_scale_interval,
        held_out.rmse_standard_error,
        held_out.rmse,
        held_out.mae,
        held_out.r2,
        held_out.within_ten_percent,
        inside,
        fitted.rmse_target_scale,
        fitted.rmse,
        None if penalties is None else penalties.lambda_1,
        None if penalties is None else penalties.lambda_2,
        None if penalties is None else penalties.lambda_beta,
    )


def _parameters(calibration: Calibration) -> WorkbookSheet:
    rows: list[Sequence[Cell]] = [
        (
            calibrator_name(result.model, log_scale=calibration.log_scale),
            name,
            found.value,
            found.lower,
            found.upper,
            f"{100 * calibration.interval_level:g} %",
        )
        for result in calibration.models.values()
        for name, found in result.parameters.items()
    ]
    return WorkbookSheet("Parameters", ("calibrator", "parameter", "value", "lower", "upper", "interval"), rows)


def _comparisons(calibration: Calibration) -> WorkbookSheet:
    columns = (
        "lower error",
        "higher error",
        "difference of RMSE, target scale",
        "95 % interval from",
        "95 % interval to",
        "p, paired test",
        "p, Welch’s test",
    )
    rows: list[Sequence[Cell]] = [
        (
            calibrator_name(pair.better, log_scale=calibration.log_scale),
            calibrator_name(pair.worse, log_scale=calibration.log_scale),
            pair.difference,
            pair.lower,
            pair.upper,
            pair.paired_p_value,
            pair.welch_p_value,
        )
        for pair in calibration.recommendation.comparisons
    ]
    return WorkbookSheet("Comparison", columns, rows)


def _unmatched(snapshot: Snapshot) -> list[tuple[Cell, ...]]:
    """Return the polymers that the predictions do not hold: those without an MD value, and what could not be used."""
    unit = snapshot.quantity.unit if snapshot.quantity is not None else ""
    return [
        (row.name, row.id, row.smiles, row.measured, row.md, unit, row.state, snapshot.told_of(row))
        for row in snapshot.rows
        if row.library_index < 0
    ]


def _about(snapshot: Snapshot, calibration: Calibration) -> WorkbookSheet:
    quantity = snapshot.quantity
    rows: list[Sequence[Cell]] = [
        ("property", "" if quantity is None else quantity.title),
        ("unit", "" if quantity is None else quantity.unit),
        ("scale of the fit", "natural logarithm" if calibration.log_scale else "linear"),
        ("protocol", calibration.protocol),
        ("seed", calibration.seed),
        ("recommendation", calibration.recommendation.sentence),
        ("match", snapshot.match_summary),
        *(("table", f"{table.file_name}: {table.gives}, {table.rows} rows") for table in snapshot.tables),
        *(("note", note) for note in calibration.notes),
        *((f"version of {name}", version) for name, version in (calibration.made_with or programs()).items()),
    ]
    return WorkbookSheet("About", ("", ""), rows)
