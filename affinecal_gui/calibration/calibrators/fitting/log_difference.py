"""The log-difference calibrator on training parts: one fit, many of equal size together, and refits with other weights."""

from collections.abc import Sequence

import numpy as np

from affinecal_gui.calibration.calibrators.objectives.affine import AffineFit, Solver
from affinecal_gui.calibration.calibrators.objectives.log_difference import fit_log_difference
from affinecal_gui.calibration.calibrators.training import (
    CLOSED_FORM,
    NOTHING,
    Fitted,
    LinearFitting,
    TrainingPart,
    penalties_of,
)
from affinecal_gui.calibration.results import FloatArray, Penalties
from affinecal_gui.calibration.solvers.dual_problems import is_kept_by_polymers
from affinecal_gui.calibration.solvers.fused_ridge import FusedRidge, from_modes, to_modes
from affinecal_gui.task import Task


class DifferenceFitting(LinearFitting):
    """y = f + intercept + z' gamma."""

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
        """Fit in closed form; without penalties or descriptors the mean difference alone."""
        del solver, tolerance, start
        if penalties is None or not part.Z.shape[1]:
            shift = float(np.average(part.y - part.f, weights=part.weights))
            return Fitted(self.model, shift, 1.0, 0.0, NOTHING, convergence=CLOSED_FORM)
        penalty = part.ridge(penalties.lambda_1, penalties.lambda_2)
        difference = fit_log_difference(part.Z, part.f, part.y, penalty, part.weights)
        return self._fitted(difference.intercept, difference.gamma, penalties)

    def batches(self, solver: Solver) -> bool:
        """Return True: all are solved in closed form."""
        del solver
        return True

    def fit_batch(self, chosen: Sequence[tuple[TrainingPart, Penalties]], tolerance: float, task: Task) -> list[Fitted]:
        """Fit b parts of few polymers each, as n equations per part."""
        del tolerance
        sizes = chosen[0][0].sizes
        weights = np.stack([part.weights for part, _ in chosen])
        difference = np.stack([part.y - part.f for part, _ in chosen])
        modes = to_modes(np.stack([part.Z for part, _ in chosen]), sizes)
        task.check()
        penalty = penalties_of(chosen)
        eigenvalues = np.stack([one.eigenvalues for one in ([penalty] if isinstance(penalty, FusedRidge) else penalty)])
        root = np.sqrt(weights)
        intercept = (weights * difference).sum(axis=1) / weights.sum(axis=1)
        smooth = modes / eigenvalues[:, None, :]
        system = root[:, :, None] * (smooth @ modes.transpose(0, 2, 1)) * root[:, None, :]
        task.check()
        _, n, d = modes.shape
        if n >= d and not is_kept_by_polymers(system):
            return [self.fit(part, own) for part, own in chosen]
        system[:, np.arange(n), np.arange(n)] += 1.0
        solved = np.linalg.solve(system, (root * (difference - intercept[:, None]))[:, :, None])[:, :, 0]
        task.check()
        gamma = from_modes(((root * solved)[:, None, :] @ smooth)[:, 0], sizes)
        return [self._fitted(float(intercept[k]), gamma[k], own) for k, (_, own) in enumerate(chosen)]

    def refit_with_weights(self, fitted: Fitted, part: TrainingPart, weights: FloatArray) -> list[Fitted]:
        """Refit in closed form, all together where there are fewer polymers than descriptors."""
        penalties = fitted.penalties
        if penalties is None or not len(fitted.c):
            return LinearFitting.refit_with_weights(self, fitted, part, weights)
        penalty = part.ridge(penalties.lambda_1, penalties.lambda_2)
        difference = part.y - part.f
        intercept = weights @ difference / weights.sum(axis=1)
        target = difference - intercept[:, None]
        modes = to_modes(part.Z, part.sizes)
        n, d = part.Z.shape
        if n < d:
            root = np.sqrt(weights)
            smooth = modes / penalty.eigenvalues
            system = root[:, :, None] * (smooth @ modes.T) * root[:, None, :]
            system[:, np.arange(n), np.arange(n)] += 1.0
            solved = np.linalg.solve(system, (root * target)[:, :, None])[:, :, 0]
            coefficients = (root * solved) @ smooth
        else:
            coefficients = np.empty((len(weights), d))
            for k, w in enumerate(weights):
                system = modes.T @ (w[:, None] * modes)
                system[np.diag_indices(d)] += penalty.eigenvalues
                coefficients[k] = np.linalg.solve(system, modes.T @ (w * target[k]))
        gamma = from_modes(coefficients, part.sizes)
        return [self._fitted(float(intercept[k]), gamma[k], penalties) for k in range(len(weights))]

    def _fitted(self, intercept: float, gamma: FloatArray, penalties: Penalties) -> Fitted:
        return Fitted(self.model, intercept, 1.0, 0.0, gamma, penalties=penalties, convergence=CLOSED_FORM)
