"""Ordinary regression on training parts."""

from affinecal_gui.calibration.calibrators.objectives.affine import AffineFit, Solver
from affinecal_gui.calibration.calibrators.objectives.ordinary import fit_ordinary
from affinecal_gui.calibration.calibrators.training import CLOSED_FORM, NOTHING, Fitted, LinearFitting, TrainingPart
from affinecal_gui.calibration.results import Penalties


class OrdinaryFitting(LinearFitting):
    """y = alpha_0 + alpha_1 f."""

    __slots__ = ()

    def fit(
        self,
        part: TrainingPart,
        penalties: Penalties | None,
        *,
        solver: Solver = "direct",
        tolerance: float = 1e-8,
        start: AffineFit | None = None,
    ) -> Fitted:
        """Fit the line; descriptors are not looked at."""
        del penalties, solver, tolerance, start
        line = fit_ordinary(part.t, part.y / part.unit, part.weights)
        constants = (part.f_mean, part.f_sd, part.unit)
        return Fitted(self.model, line.alpha_0, line.alpha_1, 0.0, NOTHING, *constants, 1, None, CLOSED_FORM)
