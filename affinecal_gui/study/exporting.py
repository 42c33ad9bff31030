"""What a study gives away: tables and figures of a finished calibration. The window and the command line call the same."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from affinecal_gui.calibration.results import Calibration, ModelName
from affinecal_gui.errors import UserError
from affinecal_gui.study.row_values import row_values
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.tables.export import CoefficientRow, PredictionRow
from affinecal_gui.tables.export import write_coefficients as write_coefficient_rows
from affinecal_gui.tables.export import write_predictions as write_prediction_rows

if TYPE_CHECKING:  # matplotlib is imported when a figure is drawn
    from matplotlib.figure import Figure

    from affinecal_gui.figures.quantity import Quantity

MODEL_TITLES: Mapping[ModelName, str] = {
    "md": "MD as it is",
    "ordinary": "ordinary",
    "log_difference": "log-difference",
    "affine": "affine",
}


def finished(snapshot: Snapshot) -> Calibration:
    """Return the calibration of a snapshot; raise UserError when there is none."""
    if snapshot.calibration is None:
        raise UserError("There is no calibration yet: load measured and MD values first.")
    return snapshot.calibration


def prediction_rows(snapshot: Snapshot) -> list[PredictionRow]:
    """Return the calibrated value of every polymer with an MD value, as the window shows it."""
    calibration = finished(snapshot)
    rows = tuple(row for row in snapshot.rows if row.library_index >= 0)
    values = row_values(snapshot, rows)
    unit = snapshot.quantity.unit if snapshot.quantity is not None else ""
    model = snapshot.settings.model
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
            model=MODEL_TITLES[model],
            lower=float(values.lower[i]),
            upper=float(values.upper[i]),
            out_of_fold_value=float(values.calibrated[i]) if values.out_of_fold[i] else float("nan"),
            inside_training_range=bool(calibration.validity.inside[row.library_index]),
            note=row.reason,
        )
        for i, row in enumerate(rows)
    ]


def coefficient_rows(snapshot: Snapshot) -> list[CoefficientRow]:
    """Return the coefficients of the chosen calibrator; of the affine one when the chosen one has none."""
    calibration = finished(snapshot)
    estimates = calibration.models[_model_with_coefficients(snapshot)].coefficients
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


def write_figure(name: str, snapshot: Snapshot, path: Path, *, overwrite: bool = False, dpi: float = 300) -> Path:
    """Draw one of :data:`FIGURES` into a file; the suffix says in which format.

    Raises
    ------
    UserError
        Unknown format, existing file, or a folder that cannot be written to.
    """
    from affinecal_gui.figures.saving import save_figure

    return save_figure(FIGURES[name](snapshot), path, dpi=dpi, overwrite=overwrite)


def _parity(snapshot: Snapshot) -> "Figure":
    from affinecal_gui.figures.parity import parity_figure

    return parity_figure(finished(snapshot), quantity_of(snapshot))


def _coefficients(snapshot: Snapshot) -> "Figure":
    from affinecal_gui.figures.coefficients import coefficient_figure

    calibration = finished(snapshot)
    if snapshot.blocks is None:
        raise UserError("This calibration has no coefficients.")
    model = _model_with_coefficients(snapshot)
    return coefficient_figure(calibration, snapshot.blocks, quantity_of(snapshot), model=model)


FIGURES: Mapping[str, Callable[[Snapshot], "Figure"]] = {"parity": _parity, "coefficients": _coefficients}
"""What can be drawn, by name."""


def quantity_of(snapshot: Snapshot) -> "Quantity":
    """Return the property as figures want it."""
    from affinecal_gui.figures.quantity import Quantity

    quantity = snapshot.quantity
    if quantity is None:
        raise UserError("There is no property yet: load a table with values first.")
    return Quantity(quantity.title, quantity.symbol, quantity.symbol_math, quantity.unit, finished(snapshot).log_scale)


def _model_with_coefficients(snapshot: Snapshot) -> ModelName:
    chosen = snapshot.settings.model
    return chosen if finished(snapshot).models[chosen].coefficients is not None else "affine"
