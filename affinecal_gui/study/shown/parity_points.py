"""What a parity plot draws, picked out of a snapshot: measured values and what each calibrator says about them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.results import Calibration, FloatArray, Metrics, ModelName
from affinecal_gui.study.data.row_columns import RowColumns
from affinecal_gui.study.snapshot import FromPredictedMD

Stage = Literal["out_of_fold", "fitted"]


@dataclass(frozen=True, slots=True)
class Predictions:
    """What one calibrator says about k polymers, in property unit; nan where it says nothing."""

    value: FloatArray  # (k,)
    lower: FloatArray  # (k,) nan where there is no interval
    upper: FloatArray  # (k,)
    metrics: Metrics


@dataclass(frozen=True, slots=True)
class ParityPoints:
    """The k polymers of a parity plot: those of the fit, those left out that have an MD value, those with a predicted one."""

    rows: NDArray[np.intp]  # (k,) positions among the rows of the snapshot
    measured: FloatArray  # (k,) property unit
    left_out: NDArray[np.bool_]  # (k,) of the fit: by hand, or because there is no simulation
    from_predicted: NDArray[np.bool_]  # (k,) of those, the polymers whose MD value is predicted
    models: Mapping[ModelName, Predictions]
    log: bool  # draw log10 of the values

    def point_of(self, key: str, columns: RowColumns) -> int:
        """Return the point of the row with this key; -1 if none shows it. ``columns``: of the rows of these points."""
        number = columns.number_of.get(key, -1)
        point = int(np.searchsorted(self.rows, number))
        return point if number >= 0 and point < self.rows.size and self.rows[point] == number else -1


def parity_points(
    rows: RowColumns, calibration: Calibration, stage: Stage, predicted: FromPredictedMD | None = None
) -> ParityPoints:
    """Pick the values of a stage out of a calibration, and with ``predicted`` those that nobody simulated.

    Polymers of the fit show their out-of-fold or their fitted value. Polymers left out show the value of the final fit,
    which has not seen them. Polymers with a predicted MD value have one of the calibrator that it was made for, nan for
    all others. The intervals belong to the value shown.
    """
    training, library, measured = rows.training_index, rows.library_index, rows.measured
    out = rows.in_state("left out")
    # Rows may be ahead of a calibration that is being replaced; an index it does not know has no value.
    in_fit = (training >= 0) & (training < calibration.measured.size)
    in_library = (library >= 0) & (library < calibration.library_md.size)
    no_md = np.zeros(measured.size, dtype=np.bool_)
    if predicted is not None and predicted.model in calibration.models and predicted.values.size == measured.size:
        no_md = np.isfinite(predicted.values) & ~in_fit & ~in_library
    shown = np.isfinite(measured) & (in_fit | (out & in_library) | no_md)
    if calibration.log_scale:
        shown &= measured > 0.0
    chosen = np.flatnonzero(shown)
    in_fit, in_library = in_fit[chosen], in_library[chosen]
    training, library, measured = training[chosen], library[chosen], measured[chosen]
    measured[in_fit] = calibration.measured[training[in_fit]]

    models: dict[ModelName, Predictions] = {}
    for model, result in calibration.models.items():
        value, lower, upper = (np.full(chosen.size, np.nan) for _ in range(3))
        value[in_library] = result.library[library[in_library]]
        lower[in_library] = result.library_lower[library[in_library]]
        upper[in_library] = result.library_upper[library[in_library]]
        if stage == "out_of_fold":
            value[in_fit] = result.out_of_fold[training[in_fit]]
            lower[in_fit] = result.out_of_fold_lower[training[in_fit]]
            upper[in_fit] = result.out_of_fold_upper[training[in_fit]]
            metrics = result.metrics
        else:
            value[in_fit] = result.fitted[training[in_fit]]
            metrics = result.fitted_metrics
        if predicted is not None and model == predicted.model:
            of_points = no_md[chosen]
            for target, values in ((value, predicted.values), (lower, predicted.lower), (upper, predicted.upper)):
                target[of_points] = values[chosen[of_points]]
        models[model] = Predictions(value, lower, upper, metrics)
    return ParityPoints(chosen, measured, ~in_fit, no_md[chosen], models, calibration.log_scale)


def coordinates(values: FloatArray, log: bool) -> FloatArray:
    """Return where values lie on an axis: themselves, or their log10; nan where they have no place."""
    if not log:
        return values
    with np.errstate(divide="ignore", invalid="ignore"):
        placed: FloatArray = np.log10(np.where(values > 0.0, values, np.nan))
    return placed
