"""What a study gives away: tables and figures of a finished calibration. The window and the command line call the same."""

from collections.abc import Mapping
from pathlib import Path

from affinecal_gui.calibration.results import ModelName
from affinecal_gui.errors import UserError
from affinecal_gui.study.finished import finished, model_with_coefficients
from affinecal_gui.study.row_values import row_values
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.study_figures import FIGURES, FigureOptions, write_figure
from affinecal_gui.tables.export import CoefficientRow, PredictionRow
from affinecal_gui.tables.export import write_coefficients as write_coefficient_rows
from affinecal_gui.tables.export import write_predictions as write_prediction_rows

__all__ = (
    "FIGURES",
    "MODEL_TITLES",
    "FigureOptions",
    "coefficient_rows",
    "prediction_rows",
    "write_coefficients",
    "write_figure",
    "write_predictions",
)

MODEL_TITLES: Mapping[ModelName, str] = {
    "md": "MD as it is",
    "ordinary": "ordinary",
    "log_difference": "log-difference",
    "affine": "affine",
}


def prediction_rows(snapshot: Snapshot) -> list[PredictionRow]:
    """Return the calibrated value of every polymer with an MD value, as the window shows it."""
    calibration = finished(snapshot)
    rows = tuple(row for row in snapshot.rows if row.library_index >= 0)
    values = row_values(snapshot, rows)
    unit = snapshot.quantity.unit if snapshot.quantity is not None else ""
    model = snapshot.settings.model
    library = calibration.models[model].library
    title = MODEL_TITLES[model] if calibration.log_scale else MODEL_TITLES[model].removeprefix("log-")
    return [
        PredictionRow(
            id=row.id,
            name=row.name,
            smiles=row.smiles,
            md_value=float(values.md[i]),
            measured_value=float(values.measured[i]),
            calibrated_value=float(values.calibrated[i]),
            unit=unit,
            used_for_fitting=row.state == "used",
            model=title,
            lower=float(values.lower[i]),
            upper=float(values.upper[i]),
            out_of_fold_value=float(values.calibrated[i]) if values.out_of_fold[i] else float("nan"),
            final_fit_value=float(library[row.library_index]),
            residual_percent=float(values.residual_percent[i]),
            inside_training_range=bool(calibration.validity.inside[row.library_index]),
            note=row.reason,
        )
        for i, row in enumerate(rows)
    ]


def coefficient_rows(snapshot: Snapshot) -> list[CoefficientRow]:
    """Return the coefficients of the chosen calibrator; of the affine one when the chosen one has none."""
    calibration = finished(snapshot)
    estimates = calibration.models[model_with_coefficients(snapshot)].coefficients
    if estimates is None or snapshot.blocks is None:
        raise UserError("This calibration has no coefficients.")
    rows = []
    position = 0
    for block in snapshot.blocks.blocks:
        for column, physical, label in zip(
            block.columns, block.physical_values, block.labels or (None,) * block.size, strict=True
        ):
            rows.append(
                CoefficientRow(
                    block=block.name,
                    feature=column,
                    physical_value=label if label is not None else float(physical),
                    physical_unit="element" if label is not None else block.unit,
                    coefficient=float(estimates.gamma[position]),
                    lower=float(estimates.lower[position]),
                    upper=float(estimates.upper[position]),
                )
            )
            position += 1
    return rows


def write_predictions(snapshot: Snapshot, path: Path, *, overwrite: bool = False) -> Path:
    """Write the calibrated values as CSV; raise TableError when the file cannot be written or is there already."""
    write_prediction_rows(path, prediction_rows(snapshot), overwrite=overwrite)
    return path


def write_coefficients(snapshot: Snapshot, path: Path, *, overwrite: bool = False) -> Path:
    """Write the coefficients as CSV; raise TableError when the file cannot be written or is there already."""
    write_coefficient_rows(path, coefficient_rows(snapshot), overwrite=overwrite)
    return path
