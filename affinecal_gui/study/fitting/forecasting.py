"""How many more measurements would help: the forecast that is made of a finished calibration when it is asked for."""

from dataclasses import replace

from affinecal_gui.calibration.checking.forecast import forecast_errors
from affinecal_gui.calibration.checking.learning_curve import can_learn
from affinecal_gui.calibration.kept_fit import KeptFit
from affinecal_gui.calibration.results import Calibration, ModelName
from affinecal_gui.errors import UserError
from affinecal_gui.task import UNWATCHED, Task


def forecast_calibrator(calibration: Calibration) -> ModelName:
    """Return whose error is forecast: the recommended calibrator, or the best of those that can be fitted to parts."""
    recommended = calibration.recommendation.recommended
    if can_learn(recommended):
        return recommended
    able = [name for name in calibration.models if can_learn(name)]
    return min(able, key=lambda name: calibration.models[name].metrics.rmse_target_scale)


def with_forecast(calibration: Calibration, *, task: Task = UNWATCHED) -> Calibration:
    """Return a calibration of this session with the forecast of its error.

    Raises
    ------
    UserError
        Too few measured polymers, or a calibration out of a file.
    Cancelled
        When asked to stop.
    """
    kept_fit = calibration.kept_fit
    if not isinstance(kept_fit, KeptFit):
        raise UserError("This calibration comes out of a study file: calibrate again before its error is forecast.")
    found = forecast_errors(kept_fit.problem, forecast_calibrator(calibration), task=task)
    return replace(calibration, forecast=found)
