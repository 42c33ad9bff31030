"""The calibrators as scikit-learn estimators, for scripts, pipelines and grid searches.

scikit-learn is not needed to use them, and never imported unless it asks for their tags. The first column of ``X`` is the
MD value, the others are descriptors. Values are used on the scale they come in: take logarithms before, or wrap the
estimator in ``TransformedTargetRegressor``.
"""

from collections.abc import Sequence
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from affinecal_gui.calibration.estimator_base import Estimator, target_array, weight_array
from affinecal_gui.calibration.fitted import Fitted, fit_calibrator, training_part
from affinecal_gui.calibration.results import Convergence, FloatArray, ModelName, Penalties
from affinecal_gui.calibration.scale import DescriptorScale, learn_scale


class _Calibrator(Estimator):
    """What the three calibrators share: parameters, validation, prediction."""

    _model: ModelName

    # What fit() learns.
    scale_: DescriptorScale
    fitted_: Fitted

    def _penalties(self) -> Penalties | None:
        return None

    def _sizes(self, d: int) -> tuple[int, ...]:
        return ()

    def _solver(self) -> tuple[Literal["direct", "block"], float]:
        return "direct", 1e-8

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the calibrator.

        Parameters
        ----------
        X
            (n, 1 + d) MD values, then descriptors (not scaled).
        y
            (n,) measured values on the scale of the MD values.
        sample_weight
            (n,) weight of each squared residual; doubling a weight equals repeating the row.
        """
        table = self._validated(X)
        target = target_array(y, len(table))
        if len(table) < 2:
            raise ValueError(f"Found array with n_samples={len(table)} while a minimum of 2 is required.")
        weights = None if sample_weight is None else weight_array(sample_weight, len(table))
        self._learn_names(X, table.shape[1])
        if weights is not None:
            table, target, weights = table[weights > 0.0], target[weights > 0.0], weights[weights > 0.0]
        f, descriptors = table[:, 0], np.ascontiguousarray(table[:, 1:])
        sizes = self._sizes(descriptors.shape[1])
        if not sizes:
            descriptors = descriptors[:, :0]
        self.scale_ = learn_scale(descriptors, sizes, weights)
        part = training_part(target, f, self.scale_.apply(descriptors), sizes, weights, log_scale=False)
        solver, tolerance = self._solver()
        self.fitted_ = fit_calibrator(self._model, part, self._penalties(), solver=solver, tolerance=tolerance)
        return self

    def predict(self, X: ArrayLike) -> FloatArray:
        """Return (k,) calibrated values of ``X`` (k, 1 + d)."""
        table = self._known_table(X)
        descriptors = table[:, 1 : 1 + len(self.scale_.mean)]
        return self.fitted_.predict(table[:, 0], self.scale_.apply(descriptors))

    @property
    def alpha_0_(self) -> float:
        """Offset on the natural scale of the MD value."""
        return self.fitted_.alpha_0

    @property
    def alpha_1_(self) -> float:
        """Weight of the MD value."""
        return self.fitted_.alpha_1


class OrdinaryCalibrator(_Calibrator):
    """Ordinary linear regression on the MD value, ``y = alpha_0 + alpha_1 f``; descriptors are not looked at."""

    _model: ModelName = "ordinary"


class LogDifferenceCalibrator(_Calibrator):
    """Fused ridge on the difference, ``y = f + intercept + z' gamma``; a log-difference when y and f are logarithms.

    Parameters
    ----------
    lambda_1
        Penalty on the size of gamma; it enters squared.
    lambda_2
        Penalty on the differences of neighbouring coefficients within a block; it enters squared.
    sizes
        Number of descriptors of each block; None: all descriptors are one block.
    """

    _model: ModelName = "log_difference"

    def __init__(self, lambda_1: float = 1.0, lambda_2: float = 1.0, sizes: Sequence[int] | None = None) -> None:
        self.lambda_1 = lambda_1
        self.lambda_2 = lambda_2
        self.sizes = sizes

    def _penalties(self) -> Penalties | None:
        return Penalties(self.lambda_1, self.lambda_2)

    def _sizes(self, d: int) -> tuple[int, ...]:
        return _block_sizes(self.sizes, d)

    @property
    def intercept_(self) -> float:
        """Mean difference, at average descriptors."""
        return self.fitted_.alpha_0

    @property
    def gamma_(self) -> FloatArray:
        """(d,) coefficients per standard unit of the descriptors (``scale_``)."""
        return self.fitted_.gamma


class AffineCalibrator(_Calibrator):
    """The affine calibrator, ``y = alpha_0 + alpha_1 f - (beta f + 1) z' gamma`` (Minami et al. 2023, section 3).

    Parameters
    ----------
    lambda_1, lambda_2, sizes
        As in :class:`LogDifferenceCalibrator`.
    lambda_beta
        Penalty of beta; multiplied by n.
    solver
        "direct" finds the optimum; "block" is the paper's block relaxation.
    tol
        Tolerance of the solver.
    """

    _model: ModelName = "affine"

    def __init__(
        self,
        lambda_1: float = 1.0,
        lambda_2: float = 1.0,
        lambda_beta: float = 1.0,
        sizes: Sequence[int] | None = None,
        solver: Literal["direct", "block"] = "direct",
        tol: float = 1e-8,
    ) -> None:
        self.lambda_1 = lambda_1
        self.lambda_2 = lambda_2
        self.lambda_beta = lambda_beta
        self.sizes = sizes
        self.solver = solver
        self.tol = tol

    def _penalties(self) -> Penalties | None:
        return Penalties(self.lambda_1, self.lambda_2, self.lambda_beta)

    def _sizes(self, d: int) -> tuple[int, ...]:
        return _block_sizes(self.sizes, d)

    def _solver(self) -> tuple[Literal["direct", "block"], float]:
        return self.solver, self.tol

    @property
    def beta_(self) -> float:
        """Coupling of the correction to the MD value, natural scale."""
        return self.fitted_.beta

    @property
    def gamma_(self) -> FloatArray:
        """(d,) coefficients per standard unit of the descriptors (``scale_``)."""
        return self.fitted_.gamma

    @property
    def convergence_(self) -> Convergence | None:
        """How the solver ended."""
        return self.fitted_.convergence


def _block_sizes(sizes: Sequence[int] | None, d: int) -> tuple[int, ...]:
    if sizes is None:
        return (d,) if d else ()
    found = tuple(int(size) for size in sizes)
    if sum(found) != d:
        raise ValueError(f"sizes add up to {sum(found)}, but X has {d} descriptors after the MD value")
    return found
