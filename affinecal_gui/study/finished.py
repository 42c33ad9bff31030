"""What every export asks of a study first: its finished calibration, its property, a calibrator with coefficients."""

from typing import TYPE_CHECKING

from affinecal_gui.calibration.calibrators.registry import DEFAULT, calibrator
from affinecal_gui.calibration.names import calibrator_title
from affinecal_gui.calibration.results import Calibration, ModelName
from affinecal_gui.errors import UserError
from affinecal_gui.study.snapshot import Snapshot

if TYPE_CHECKING:  # matplotlib is imported when a figure is drawn
    from affinecal_gui.figures.quantity import Quantity


NO_PROPERTY = "There is no property yet: load a table with values first."
NO_CALIBRATION = "There is no calibration yet: load measured and MD values first."


def finished(snapshot: Snapshot) -> Calibration:
    """Return the calibration of a snapshot; raise UserError when there is none, or none of the chosen calibrator."""
    calibration, model = snapshot.calibration, snapshot.settings.model
    if calibration is None:
        raise UserError(NO_CALIBRATION)
    if model not in calibration.models:
        if calibrator(model).combines:
            raise UserError(
                "The paper’s protocol combines no calibrators: choose another one, or the default protocol."
            )
        title = calibrator_title(model, log_scale=calibration.log_scale)
        raise UserError(
            f"{title} has not been compared yet: wait for it, calibrate again, or choose another calibrator."
        )
    return calibration


def quantity_alone(snapshot: Snapshot) -> "Quantity":
    """Return the property of a study without a calibration as figures want it; raise UserError when there is none."""
    from affinecal_gui.figures.quantity import Quantity

    quantity = snapshot.quantity
    if quantity is None:
        raise UserError(NO_PROPERTY)
    return Quantity(quantity.title, quantity.symbol, quantity.symbol_math, quantity.unit)


def quantity_of(snapshot: Snapshot) -> "Quantity":
    """Return the property as figures want it; raise UserError when there is none, or no calibration."""
    from affinecal_gui.figures.quantity import Quantity

    quantity = snapshot.quantity
    if quantity is None:
        raise UserError(NO_PROPERTY)
    return Quantity(quantity.title, quantity.symbol, quantity.symbol_math, quantity.unit, finished(snapshot).log_scale)


def model_with_coefficients(snapshot: Snapshot) -> ModelName:
    """Return the chosen calibrator; the affine one when the chosen one has no coefficients."""
    chosen = snapshot.settings.model
    return chosen if finished(snapshot).models[chosen].coefficients is not None else DEFAULT
