"""The result of a study as a sentence to copy into a text."""

import numpy as np

from affinecal_gui import __version__
from affinecal_gui.calibration.calibrators.registry import RAW
from affinecal_gui.calibration.names import calibrator_in_sentence
from affinecal_gui.numbers import significant
from affinecal_gui.study.snapshot import Snapshot


def result_sentence(snapshot: Snapshot) -> str:
    """Return how well the shown calibrator predicts, and how that was found out; empty while there is no result."""
    calibration, quantity = snapshot.calibration, snapshot.quantity
    if calibration is None or quantity is None or snapshot.settings.model not in calibration.models:
        return ""
    shown, unit = calibration.models[snapshot.settings.model], f" {quantity.unit}" if quantity.unit else ""
    errors, n = shown.metrics, len(calibration.measured)
    words = [
        f"The {quantity.title.lower()} of {n} polymers is predicted out-of-fold ({calibration.protocol}) by "
        f"{calibrator_in_sentence(snapshot.settings.model, log_scale=calibration.log_scale)} with RMSE "
        f"{significant(errors.rmse, 3)}{unit}, MAE {significant(errors.mae, 3)}{unit} and R² = {errors.r2:.2f}"
    ]
    if calibration.log_scale:
        words.append(f" (RMSE of the natural logarithm {significant(errors.rmse_target_scale, 3)})")
    if snapshot.settings.model != RAW and RAW in calibration.models:
        raw = significant(calibration.models[RAW].metrics.rmse, 3)
        words.append(f"; the uncorrected molecular-dynamics values have RMSE {raw}{unit}")
    inside = (shown.out_of_fold_lower <= calibration.measured) & (calibration.measured <= shown.out_of_fold_upper)
    if np.isfinite(shown.out_of_fold_lower).any():
        words.append(f"; {int(inside.sum())} of {n} measured values lie inside their {_level(snapshot)} % intervals")
    return f"{''.join(words)} (AffineCal {__version__}, seed {snapshot.settings.seed})."


def _level(snapshot: Snapshot) -> str:
    assert snapshot.calibration is not None
    return f"{100.0 * snapshot.calibration.interval_level:g}"
