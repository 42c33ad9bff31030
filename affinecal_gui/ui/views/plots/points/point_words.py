"""What the card beside a point says: the numbers of one polymer under one calibrator."""

from affinecal_gui.calibration.calibrators.registry import RAW
from affinecal_gui.calibration.names import calibrator_title
from affinecal_gui.calibration.results import ModelName
from affinecal_gui.study.shown.parity_points import ParityPoints, Stage
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.parts.number_text import MISSING, decimals_for, number_text, range_text


def numbers_of_point(
    snapshot: Snapshot, points: ParityPoints, point: int, model: ModelName, stage: Stage
) -> list[tuple[str, str]]:
    """Return what the card says, as pairs of words and number.

    Parameters
    ----------
    point
        Its number among the points.
    model, stage
        Which prediction is shown.
    """
    quantity, calibration = snapshot.quantity, snapshot.calibration
    row = snapshot.rows[int(points.rows[point])]
    unit = f" {quantity.unit}" if quantity is not None and quantity.unit else ""
    predictions = points.models[model]
    measured, value = float(points.measured[point]), float(predictions.value[point])
    decimals = decimals_for((measured,), 4)
    numbers = [("Measured", number_text(measured, decimals) + unit), ("MD", number_text(row.md, decimals))]
    if points.from_predicted[point]:
        numbers[-1] = ("MD", "not simulated; predicted")
    if model != RAW:
        log_scale = calibration is not None and calibration.log_scale
        numbers.append((calibrator_title(model, log_scale=log_scale), number_text(value, decimals)))
        interval = range_text(float(predictions.lower[point]), float(predictions.upper[point]), decimals)
        if interval != MISSING and calibration is not None:
            level = number_text(100.0 * calibration.interval_level)
            numbers.append((f"{level} % interval", interval))
    if measured != 0.0:
        numbers.append(("Residual", f"{number_text(100.0 * (value / measured - 1.0), 1, signed=True)} %"))
    numbers.append(("", _part(points, point, stage)))
    return numbers


def _part(points: ParityPoints, point: int, stage: Stage) -> str:
    """Say what part a polymer has in the fit."""
    if points.from_predicted[point]:
        return "from a predicted MD value"
    return "left out of the fit" if points.left_out[point] else stage_words(stage)


def stage_words(stage: Stage) -> str:
    """Return what kind of prediction is shown."""
    return "out-of-fold" if stage == "out_of_fold" else "fitted"
