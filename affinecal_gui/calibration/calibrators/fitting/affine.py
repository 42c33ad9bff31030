"""The affine calibrator on training parts: one fit, many of equal size together, and refits with other weights."""

from collections.abc import Sequence

import numpy as np

from affinecal_gui.calibration.calibrators.objectives.affine import (
    AffineFit,
    AffineFits,
    Solver,
    fit_affine,
    fit_affine_many,
)
from affinecal_gui.calibration.calibrators.objectives.ordinary import fit_ordinary
from affinecal_gui.calibration.calibrators.training import (
    CLOSED_FORM,
    NOTHING,
    Fitted,
    LinearFitting,
    TrainingPart,
    penalties_of,
)
from affinecal_gui.calibration.results import Convergence, FloatArray, Penalties
from affinecal_gui.task import Task


class AffineFitting(LinearFitting):
    """y = alpha_0 + alpha_1 f - (1 + beta f) z' gamma."""

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
        """Minimise J; without penalties or descriptors there is the line alone."""
        if penalties is None or not part.Z.shape[1]:
            line = fit_ordinary(part.t, part.y / part.unit, part.weights)
            constants = (part.f_mean, part.f_sd, part.unit)
            return Fitted(self.model, line.alpha_0, line.alpha_1, 0.0, NOTHING, *constants, -1, None, CLOSED_FORM)
        affine = fit_affine(
            part.Z,
            part.t,
            part.y / part.unit,
            part.ridge(penalties.lambda_1, penalties.lambda_2),
            penalties.lambda_beta,
            solver=solver,
            tolerance=tolerance,
            start=start,
            weights=part.weights,
        )
        return self._fitted(affine, part, penalties, affine.convergence)

    def batches(self, solver: Solver) -> bool:
        """With the direct solver, which needs no start."""
        return solver == "direct"

    def fit_batch(self, chosen: Sequence[tuple[TrainingPart, Penalties]], tolerance: float, task: Task) -> list[Fitted]:
        """Fit b parts of few polymers each by the direct solver."""
        fits = fit_affine_many(
            np.stack([part.Z for part, _ in chosen]),
            np.stack([part.t for part, _ in chosen]),
            np.stack([part.y / part.unit for part, _ in chosen]),
            penalties_of(chosen),
            chosen[0][1].lambda_beta,
            tolerance=tolerance,
            weights=np.stack([part.weights for part, _ in chosen]),
            task=task.silent,
        )
        return [self._of_many(fits, k, part, own) for k, (part, own) in enumerate(chosen)]

    def refit_with_weights(self, fitted: Fitted, part: TrainingPart, weights: FloatArray) -> list[Fitted]:
        """Refit by the direct solver, all together."""
        penalties = fitted.penalties
        if penalties is None or not len(fitted.c):
            return LinearFitting.refit_with_weights(self, fitted, part, weights)
        penalty = part.ridge(penalties.lambda_1, penalties.lambda_2)
        fits = fit_affine_many(part.Z, part.t, part.y / part.unit, penalty, penalties.lambda_beta, weights=weights)
        return [self._of_many(fits, k, part, penalties) for k in range(len(weights))]

    def _of_many(self, fits: AffineFits, k: int, part: TrainingPart, penalties: Penalties) -> Fitted:
        how = Convergence("direct", int(fits.iterations[k]), bool(fits.converged[k]))
        return self._fitted(fits[k], part, penalties, how)

    def _fitted(self, fit: AffineFit, part: TrainingPart, penalties: Penalties, how: Convergence) -> Fitted:
        return Fitted(
            self.model,
            fit.alpha_0,
            fit.alpha_1,
            fit.beta,
            fit.gamma,
            part.f_mean,
            part.f_sd,
            part.unit,
            -1,
            penalties,
            how,
        )
