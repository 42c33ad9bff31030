"""What a study gives away: tables and figures of a finished calibration. The window and the command line call the same."""

import math
from pathlib import Path

from affinecal_gui.calibration.calibrators.quantum_corrected import QUANTUM_CORRECTED
from affinecal_gui.calibration.names import calibrator_name
from affinecal_gui.calibration.results import Calibration, ModelName
from affinecal_gui.errors import UserError
from affinecal_gui.study.finished import finished, model_with_coefficients
from affinecal_gui.study.md_origin import md_origin
from affinecal_gui.study.shown.next_measurements import next_measurements
from affinecal_gui.study.shown.row_values import row_values, shown_values
from affinecal_gui.study.snapshot import CorrectedValues, PolymerRow, Snapshot
from affinecal_gui.study.words.comparison_words import not_recommended
from affinecal_gui.study.words.validity_words import validity_sentence
from affinecal_gui.tables.writing.csv_export import (
    COEFFICIENT_COLUMNS,
    PLAIN,
    Cell,
    CoefficientRow,
    CsvStyle,
    PredictionRow,
    write_table,
)
from affinecal_gui.tables.writing.csv_export import write_coefficients as write_coefficient_rows
from affinecal_gui.tables.writing.csv_export import write_predictions as write_prediction_rows
from affinecal_gui.task import UNWATCHED, Task


def prediction_rows(snapshot: Snapshot) -> list[PredictionRow]:
    """Return the calibrated value of every polymer with an MD value, as the window shows it.

    Polymers without one follow, if theirs have been predicted.
    """
    if snapshot.corrected is not None:
        return _corrected_rows(snapshot, snapshot.corrected)
    calibration = finished(snapshot)
    rows = tuple(row for row in snapshot.rows if row.library_index >= 0)
    values = row_values(snapshot, rows)
    unit = snapshot.quantity.unit if snapshot.quantity is not None else ""
    model = snapshot.settings.model
    library = calibration.models[model].library
    title = calibrator_name(model, log_scale=calibration.log_scale)
    advised = not_recommended(calibration, model)
    md_has_ids = any(row.md_id for row in rows)
    return [
        PredictionRow(
            # One kind of id in a column: that of the MD table, or where it has none that of the measured one.
            id=row.md_id if md_has_ids else row.id,
            measured_id=row.measured_id,
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
            note=" ".join(
                part for part in (snapshot.told_of(row), _validity(calibration, model, row), advised) if part
            ),
            md_origin=md_origin(model, simulated=True) if math.isfinite(values.calibrated[i]) else "",
        )
        for i, row in enumerate(rows)
    ] + _rows_from_predicted(snapshot, unit, md_has_ids=md_has_ids)


def _rows_from_predicted(snapshot: Snapshot, unit: str, *, md_has_ids: bool) -> list[PredictionRow]:
    """Return the measured polymers that nobody simulated, once their MD values have been predicted."""
    found, calibration = snapshot.predicted_md, snapshot.calibration
    values = shown_values(snapshot)
    if found is None or found.model is None or calibration is None:
        return []
    title = calibrator_name(found.model, log_scale=calibration.log_scale)
    origin = md_origin(found.model, simulated=False)
    nan = float("nan")
    return [
        PredictionRow(
            id="" if md_has_ids else row.id,
            measured_id=row.measured_id,
            name=row.name,
            smiles=row.smiles,
            md_value=nan,
            measured_value=float(values.measured[i]),
            calibrated_value=float(values.calibrated[i]),
            unit=unit,
            used_for_fitting=False,
            model=title,
            lower=float(values.lower[i]),
            upper=float(values.upper[i]),
            out_of_fold_value=float(values.calibrated[i]) if found.out_of_fold[i] else nan,
            residual_percent=float(values.residual_percent[i]),
            note=snapshot.told_of(row),
            md_origin=origin,
            surrogate_value=nan if origin == "no MD used" else float(found.md[i]),
        )
        for i, row in enumerate(snapshot.rows)
        if values.from_predicted[i]
    ]


def _corrected_rows(snapshot: Snapshot, corrected: CorrectedValues) -> list[PredictionRow]:
    """Return the corrected MD value of every polymer of a study that is not calibrated."""
    unit = snapshot.quantity.unit if snapshot.quantity is not None else ""
    values = row_values(snapshot)
    return [
        PredictionRow(
            id=row.id,
            measured_id=row.measured_id,
            name=row.name,
            smiles=row.smiles,
            md_value=row.md,
            measured_value=row.measured,
            calibrated_value=float(corrected.values[i]),
            unit=unit,
            used_for_fitting=False,
            model=QUANTUM_CORRECTED.name,
            lower=float(corrected.lower[i]),
            upper=float(corrected.upper[i]),
            residual_percent=float(values.residual_percent[i]),
            note=corrected.problems[i],
            md_origin=md_origin(QUANTUM_CORRECTED.key, simulated=True) if math.isfinite(corrected.values[i]) else "",
        )
        for i, row in enumerate(snapshot.rows)
        if row.library_index >= 0 or not snapshot.compared
    ]


def _validity(calibration: Calibration, model: ModelName, row: PolymerRow) -> str:
    """Say how far the final fit can be trusted; a polymer of the fit is shown with a value that was checked."""
    return "" if row.state in ("used", "invalid") else validity_sentence(calibration, model, row.library_index)


def coefficient_rows(snapshot: Snapshot) -> list[CoefficientRow]:
    """Return the coefficients of the chosen calibrator, or its average effects; of the affine one when it has neither."""
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


def write_predictions(
    snapshot: Snapshot, path: Path, *, style: CsvStyle = PLAIN, overwrite: bool = False, task: Task = UNWATCHED
) -> Path:
    """Write the calibrated values as CSV; raise UserError when the file cannot be written or is there already."""
    _needs_csv(path)
    write_prediction_rows(path, prediction_rows(snapshot), style=style, overwrite=overwrite, task=task)
    return path


def write_coefficients(
    snapshot: Snapshot, path: Path, *, style: CsvStyle = PLAIN, overwrite: bool = False, task: Task = UNWATCHED
) -> Path:
    """Write the coefficients as CSV; raise UserError when the file cannot be written or is there already."""
    _needs_csv(path)
    rows, columns = coefficient_rows(snapshot), coefficient_columns(snapshot)
    write_coefficient_rows(path, rows, columns=columns, style=style, overwrite=overwrite, task=task)
    return path


def coefficient_columns(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the headings of :func:`coefficient_rows`; a method with kernels has average effects, not coefficients."""
    estimates = finished(snapshot).models[model_with_coefficients(snapshot)].coefficients
    if estimates is None or not estimates.average:
        return COEFFICIENT_COLUMNS
    return tuple("average effect" if name == "coefficient" else name for name in COEFFICIENT_COLUMNS)


NEXT_COLUMNS = (
    "rank",
    "id",
    "name",
    "smiles",
    "MD value",
    "calibrated value",
    "lower",
    "upper",
    "unit",
    "model",
    "narrows the mean interval by, %",
    "with those above, %",
    "mean interval before",
    "mean interval after",
    "interval scale",
    "md_origin",
)


def next_rows(snapshot: Snapshot) -> list[tuple[Cell, ...]]:
    """Return the polymers to measure next, in the columns of :data:`NEXT_COLUMNS`; raise UserError when none is known."""
    calibration = finished(snapshot)
    found = next_measurements(snapshot)
    if not found:
        raise UserError("There is nothing to suggest: every polymer with an MD value is measured, or takes no part.")
    values = row_values(snapshot, tuple(one.row for one in found))
    unit = snapshot.quantity.unit if snapshot.quantity is not None else ""
    title = calibrator_name(snapshot.settings.model, log_scale=calibration.log_scale)
    scale = "natural logarithm" if calibration.log_scale else "value"
    return [
        (
            one.rank,
            one.row.id,
            one.row.name,
            one.row.smiles,
            float(values.md[i]),
            float(values.calibrated[i]),
            float(values.lower[i]),
            float(values.upper[i]),
            unit,
            title,
            one.narrower,
            one.narrower_in_all,
            one.mean_width_before,
            one.mean_width_after,
            scale,
            md_origin(snapshot.settings.model, simulated=True),
        )
        for i, one in enumerate(found)
    ]


def write_measure_next(snapshot: Snapshot, path: Path, *, overwrite: bool = False, task: Task = UNWATCHED) -> Path:
    """Write the polymers to measure next as CSV; raise TableError when the file cannot be written or is there already."""
    write_table(path, NEXT_COLUMNS, next_rows(snapshot), overwrite=overwrite, task=task)
    return path


def _needs_csv(path: Path) -> None:
    """Refuse a name under which another program would take the text for something else."""
    if path.suffix.lower() not in {"", ".csv", ".txt"}:
        raise UserError(
            f"{path.name}: tables are written as CSV. Give the name the ending .csv, or export the workbook for Excel."
        )
