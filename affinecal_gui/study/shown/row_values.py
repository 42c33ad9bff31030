"""The numbers shown for each polymer: one place from which table, inspector and exported files take them."""

from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.calibrators.quantum_corrected import QUANTUM_CORRECTED
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.study.data.row_columns import columns_of
from affinecal_gui.study.md_origin import MD_ORIGINS, md_origin
from affinecal_gui.study.snapshot import PolymerRow, Snapshot

_Array = TypeVar("_Array", bound="np.ndarray[Any, Any]")


@dataclass(frozen=True, slots=True)
class RowValues:
    """Values of r rows of a snapshot in property unit, in the order of the rows; nan where there is none."""

    measured: FloatArray  # (r,)
    md: FloatArray  # (r,)
    calibrated: FloatArray  # (r,) out of fold for polymers of the fit, else by the fit to all of them
    lower: FloatArray  # (r,) interval of the calibrated value, at the level of the calibration
    upper: FloatArray  # (r,)
    residual_percent: FloatArray  # (r,) 100 (calibrated / measured - 1)
    out_of_fold: NDArray[np.bool_]  # (r,) whether the calibrated value was made without the polymer's own measurement
    from_predicted: NDArray[np.bool_]  # (r,) whether it comes from a predicted MD value


def largest_value(snapshot: Snapshot) -> float:
    """Return the largest measured value of a snapshot, of MD without one: with how many places values are written.

    nan when there are no values.
    """
    columns = columns_of(snapshot)
    for values in (columns.measured, columns.md):
        finite = np.abs(values[np.isfinite(values)])
        if finite.size:
            return float(finite.max())
    return float("nan")


def row_values(snapshot: Snapshot, rows: tuple[PolymerRow, ...] | None = None) -> RowValues:
    """Collect the values of ``rows`` (all rows of the snapshot if None) under the calibrator of the settings.

    Where there are MD values alone, the calibrated ones are those corrected for quantum effects, if these can be had.

    A polymer of the fit is shown with its out-of-fold value, because the fitted one has seen the measurement it would
    be compared with; any other polymer with an MD value is shown with the value of the final fit.
    """
    if rows is None:
        columns = columns_of(snapshot)
        measured, md = columns.measured, columns.md
        training, library = columns.training_index, columns.library_index
        count = len(snapshot.rows)
    else:
        count = len(rows)
        measured = np.fromiter((row.measured for row in rows), np.float64, count)
        md = np.fromiter((row.md for row in rows), np.float64, count)
        training = np.fromiter((row.training_index for row in rows), np.intp, count)
        library = np.fromiter((row.library_index for row in rows), np.intp, count)
    calibrated, lower, upper = (np.full(count, np.nan) for _ in range(3))
    in_fit = np.zeros(count, dtype=np.bool_)
    corrected = snapshot.corrected
    if corrected is not None and corrected.values.size == len(snapshot.rows):
        every = range(count) if rows is None else [columns_of(snapshot).number_of.get(row.key, -1) for row in rows]
        places = np.fromiter(every, np.intp, count)
        shown = places >= 0
        for target, values in ((calibrated, corrected.values), (lower, corrected.lower), (upper, corrected.upper)):
            target[shown] = values[places[shown]]
    calibration = snapshot.calibration
    result = None if calibration is None else calibration.models.get(snapshot.settings.model)
    if result is not None:
        # Rows may be ahead of a stale calibration; an index it does not know has no value yet.
        known = (library >= 0) & (library < result.library.size)
        in_fit = (training >= 0) & (training < result.out_of_fold.size)
        for target, of_library, of_training in (
            (calibrated, result.library, result.out_of_fold),
            (lower, result.library_lower, result.out_of_fold_lower),
            (upper, result.library_upper, result.out_of_fold_upper),
        ):
            target[known] = of_library[library[known]]
            target[in_fit] = of_training[training[in_fit]]
    with np.errstate(all="ignore"):
        residual = 100.0 * (calibrated / measured - 1.0)
    residual[~np.isfinite(residual)] = np.nan
    for array in (measured, md, calibrated, lower, upper, residual, in_fit):
        array.flags.writeable = False
    nowhere = _read_only(np.zeros(count, dtype=np.bool_))
    return RowValues(measured, md, calibrated, lower, upper, residual, in_fit, nowhere)


def shown_values(snapshot: Snapshot) -> RowValues:
    """Collect the values of all rows with those that follow from predicted MD values."""
    values, found = row_values(snapshot), snapshot.predicted_md
    if found is None or found.values.size != len(snapshot.rows):
        return values
    there = np.isfinite(found.values) & ~np.isfinite(values.calibrated)
    calibrated = np.where(there, found.values, values.calibrated)
    with np.errstate(all="ignore"):
        residual = np.where(there, 100.0 * (found.values / values.measured - 1.0), values.residual_percent)
    residual[~np.isfinite(residual)] = np.nan
    return replace(
        values,
        calibrated=_read_only(calibrated),
        lower=_read_only(np.where(there, found.lower, values.lower)),
        upper=_read_only(np.where(there, found.upper, values.upper)),
        residual_percent=_read_only(residual),
        out_of_fold=_read_only(np.where(there, found.out_of_fold, values.out_of_fold)),
        from_predicted=_read_only(there),
    )


def md_origins(snapshot: Snapshot, values: RowValues) -> NDArray[np.int8]:
    """(r,) what MD value each calibrated one comes from: a position in MD_ORIGINS, -1 where there is no value."""
    model = snapshot.settings.model if snapshot.calibration is not None else QUANTUM_CORRECTED.key
    found = snapshot.predicted_md
    simulated = predicted = MD_ORIGINS.index(md_origin(model, simulated=True))
    if found is not None and found.model is not None:
        predicted = MD_ORIGINS.index(md_origin(found.model, simulated=False))
    of_all = np.where(values.from_predicted, predicted, simulated)
    return _read_only(np.where(np.isfinite(values.calibrated), of_all, -1).astype(np.int8))


def origin_text(number: int) -> str:
    """Return the word for one of :func:`md_origins`; empty without a value."""
    return MD_ORIGINS[number] if number >= 0 else ""


def _read_only(array: _Array) -> _Array:
    array.flags.writeable = False
    return array
