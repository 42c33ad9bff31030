"""A study in a few words, for lists of studies."""

from affinecal_gui.calibration.names import calibrator_name
from affinecal_gui.numbers import significant
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.state import StudyState


def summary_of(state: StudyState, derived: Derived | None) -> str:
    """Return, for example, "61 polymers, affine, RMSE 258 J/(kg K)"."""
    calibration = derived.snapshot.calibration if derived is not None and derived.state == state else None
    if calibration is None:
        count = len(state.tables)
        return f"{count} table{'s' if count != 1 else ''}, not calibrated yet"
    model = state.settings.shown_for(calibration).model
    if model not in calibration.models:
        return f"{len(calibration.measured)} polymers, not compared yet"
    name = calibrator_name(model, log_scale=calibration.log_scale)
    error = f"{significant(calibration.models[model].metrics.rmse)} {state.quantity.unit}".rstrip()
    return f"{len(calibration.measured)} polymers, {name}, RMSE {error}"
