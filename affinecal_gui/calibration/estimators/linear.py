"""The linear calibrators as scikit-learn estimators, for scripts, pipelines and grid searches.

One column of ``X`` holds the MD value, the others descriptors. In a data frame both are found by name, and the descriptors
form blocks by their names; in an array the MD value is the first column, if nothing else is said. Values are used on the
scale they come in: take logarithms before, or wrap the estimator in ``TransformedTargetRegressor``.
"""

from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from affinecal_gui.calibration.calibrators.fitted import fit_calibrator
from affinecal_gui.calibration.calibrators.linear.affine import AFFINE
from affinecal_gui.calibration.calibrators.linear.log_difference import LOG_DIFFERENCE
from affinecal_gui.calibration.calibrators.linear.ordinary import ORDINARY
from affinecal_gui.calibration.calibrators.training import Fitted, training_part
from affinecal_gui.calibration.data.scale import DescriptorScale, learn_scale
from affinecal_gui.calibration.estimators.base import Estimator
from affinecal_gui.calibration.estimators.columns import Blocks, Column
from affinecal_gui.calibration.estimators.refusals import user_errors_as_value_errors
from affinecal_gui.calibration.results import Convergence, FloatArray, ModelName, Penalties


class _Calibrator(Estimator):
    """What the three calibrators share: parameters, fit, prediction."""

    _model: ModelName
    md_column: Column | None
    _most_sources = 1

    # What fit() learns.
    scale_: DescriptorScale
    fitted_: Fitted

    def _penalties(self) -> Penalties | None:
        return None

    def _solver(self) -> tuple[Literal["direct", "block"], float]:
        return "direct", 1e-8

    @user_errors_as_value_errors()
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the calibrator.

        Parameters
        ----------
        X
            (n, 1 + d) MD values and descriptors (not scaled), as array or data frame.
        y
            (n,) measured values on the scale of the MD values.
        sample_weight
            (n,) weight of each squared residual; doubling a weight equals repeating the row.

        Raises
        ------
        ValueError
            A value is missing or no number, there are fewer than two rows, or a column that was named is not there.
        """
        table, target, weights = self._training(X, y, sample_weight)
        f, descriptors = self._parts(table)
        sizes = self.columns_.sizes if descriptors.shape[1] else ()
        self.scale_ = learn_scale(descriptors, sizes, weights)
        part = training_part(target, f, self.scale_.apply(descriptors), sizes, weights, log_scale=False)
        solver, tolerance = self._solver()
        self.fitted_ = fit_calibrator(self._model, part, self._penalties(), solver=solver, tolerance=tolerance)
        return self

    def predict(self, X: ArrayLike) -> FloatArray:
        """Return (k,) calibrated values of ``X`` (k, 1 + d)."""
        f, descriptors = self._parts(self._known_table(X))
        return self.fitted_.predict(f, self.scale_.apply(descriptors))

    def _parts(self, table: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the MD values (n,) and the descriptors (n, d), block by block."""
        (md,) = self.columns_.sources
        return table[:, md], np.ascontiguousarray(table[:, self.columns_.descriptors])

    @property
    def alpha_0_(self) -> float:
        """Offset on the natural scale of the MD value."""
        return self.fitted_.alpha_0

    @property
    def alpha_1_(self) -> float:
        """Weight of the MD value."""
        return self.fitted_.alpha_1


class OrdinaryRegressor(_Calibrator):
    """Ordinary linear regression on the MD value, ``y = alpha_0 + alpha_1 f``; descriptors are not looked at.

    Parameters
    ----------
    md_column
        Name or position of the column of MD values; None for the first.
    """

    _model = ORDINARY.key

    def __init__(self, *, md_column: Column | None = None) -> None:
        self.md_column = md_column

    def _parts(self, table: FloatArray) -> tuple[FloatArray, FloatArray]:
        (md,) = self.columns_.sources
        return table[:, md], table[:, :0]


class _BlockCalibrator(_Calibrator):
    """What the two calibrators with descriptors share: their blocks and coefficients."""

    blocks: Blocks | None

    def _blocks(self) -> Blocks | None:
        return self.blocks

    @property
    def gamma_(self) -> FloatArray:
        """(d,) coefficients per standard unit of the descriptors, in the order of the columns of X."""
        return self.fitted_.gamma[self.columns_.ranks]


class LogDifferenceRegressor(_BlockCalibrator):
    """Fused ridge on the difference, ``y = f + intercept + z' gamma``; a log-difference when y and f are logarithms.

    Parameters
    ----------
    lambda_1
        Penalty on the size of gamma; it enters squared.
    lambda_2
        Penalty on the differences of neighbouring coefficients within a block; it enters squared.
    md_column
        Name or position of the column of MD values; None for the first.
    blocks
        The columns of each block, ``{"mass": ["mass_H", "mass_C"], ...}``, by name or position; or the number of columns of
        each of the blocks that stand side by side. None: columns of a data frame form blocks by what precedes their number or
        last word (``k_bond_0, k_bond_1``; the 190 force-field descriptors form their ten), those of an array are one block.
    """

    _model = LOG_DIFFERENCE.key

    def __init__(
        self,
        lambda_1: float = 1.0,
        lambda_2: float = 1.0,
        *,
        md_column: Column | None = None,
        blocks: Blocks | None = None,
    ) -> None:
        self.lambda_1 = lambda_1
        self.lambda_2 = lambda_2
        self.md_column = md_column
        self.blocks = blocks

    def _penalties(self) -> Penalties | None:
        return Penalties(self.lambda_1, self.lambda_2)

    @property
    def intercept_(self) -> float:
        """Mean difference, at average descriptors."""
        return self.fitted_.alpha_0


class AffineRegressor(_BlockCalibrator):
    """The affine calibrator, ``y = alpha_0 + alpha_1 f - (beta f + 1) z' gamma`` (Minami et al. 2023, section 3).

    Parameters
    ----------
    lambda_1, lambda_2, md_column, blocks
        As in :class:`LogDifferenceRegressor`.
    lambda_beta
        Penalty of beta; multiplied by n.
    solver
        "direct" finds the optimum; "block" is the paper's block relaxation.
    tol
        Tolerance of the solver.
    """

    _model = AFFINE.key

    def __init__(
        self,
        lambda_1: float = 1.0,
        lambda_2: float = 1.0,
        lambda_beta: float = 1.0,
        *,
        md_column: Column | None = None,
        blocks: Blocks | None = None,
        solver: Literal["direct", "block"] = "direct",
        tol: float = 1e-8,
    ) -> None:
        self.lambda_1 = lambda_1
        self.lambda_2 = lambda_2
        self.lambda_beta = lambda_beta
        self.md_column = md_column
        self.blocks = blocks
        self.solver = solver
        self.tol = tol

    def _penalties(self) -> Penalties | None:
        return Penalties(self.lambda_1, self.lambda_2, self.lambda_beta)

    def _solver(self) -> tuple[Literal["direct", "block"], float]:
        return self.solver, self.tol

    @property
    def beta_(self) -> float:
        """Coupling of the correction to the MD value, natural scale."""
        return self.fitted_.beta

    @property
    def convergence_(self) -> Convergence | None:
        """How the solver ended."""
        return self.fitted_.convergence
