"""The methods with kernels as scikit-learn estimators, each choosing its penalties by its own cross-validation.

One column of ``X`` or more are source features (MD values), the others descriptors. Everything is standardised inside, from
the training rows alone. Values are used on the scale they come in: take logarithms before, or wrap the estimator in
``TransformedTargetRegressor``.
"""

from collections.abc import Sequence
from typing import Self

from numpy.typing import ArrayLike

from affinecal_gui.calibration.data.folds import contiguous_folds
from affinecal_gui.calibration.estimators.base import Estimator
from affinecal_gui.calibration.estimators.columns import Blocks, Column
from affinecal_gui.calibration.estimators.refusals import user_errors_as_value_errors
from affinecal_gui.calibration.kernels.calibrators.affine_tl_const import AFFINE_TL_CONST
from affinecal_gui.calibration.kernels.calibrators.affine_tl_full import AFFINE_TL_FULL
from affinecal_gui.calibration.kernels.calibrators.augmented import AUGMENTED
from affinecal_gui.calibration.kernels.calibrators.cokriging import COKRIGING
from affinecal_gui.calibration.kernels.calibrators.direct import DIRECT
from affinecal_gui.calibration.kernels.calibrators.htl_offset import HTL_OFFSET
from affinecal_gui.calibration.kernels.calibrators.htl_scale import HTL_SCALE
from affinecal_gui.calibration.kernels.calibrators.only_source import ONLY_SOURCE
from affinecal_gui.calibration.kernels.fits import AffineTLFits
from affinecal_gui.calibration.kernels.fitting import fit_methods
from affinecal_gui.calibration.kernels.gram import KernelName
from affinecal_gui.calibration.kernels.method_fit import FittedMethod
from affinecal_gui.calibration.kernels.methods import (
    PAPER_FOLDS,
    PAPER_L1,
    PAPER_L2,
    PAPER_L3,
    PAPER_RIDGE,
    Solver,
    TransferName,
    TransferOptions,
)
from affinecal_gui.calibration.kernels.training_sets import TransferSets, make_sets
from affinecal_gui.calibration.results import FloatArray


class _TransferEstimator(Estimator):
    """What all share: columns, kernels, folds, prediction.

    Attributes
    ----------
    penalties_
        The chosen penalties by name.
    cv_errors_
        (g,) mean squared error of every penalty of the grid ``cv_grid_`` (g, q), in units of the variance of y.
    """

    _method: TransferName

    md_column: Column | Sequence[Column] | None
    kernel_source: KernelName
    kernel_target: KernelName
    length_source: float | None
    length_target: float | None
    blocks: Blocks | None
    block_factors: Sequence[float] | None
    folds: int

    # What fit() learns.
    fitted_: FittedMethod
    sets_: TransferSets
    penalties_: dict[str, float]
    cv_grid_: FloatArray
    cv_errors_: FloatArray

    def _options(self) -> TransferOptions:
        return TransferOptions(
            kernel_source=self.kernel_source,
            kernel_target=self.kernel_target,
            length_source=self.length_source,
            length_target=self.length_target,
            folds=self.folds,
        )

    @user_errors_as_value_errors()
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Choose the penalties by contiguous folds and fit.

        Parameters
        ----------
        X
            (n, p + d) source features and descriptors, not scaled, as array or data frame.
        y
            (n,) measured values.
        sample_weight
            (n,) weight of each squared residual, in the fits, the standardisation and the errors that choose the
            penalties. Given the penalties, doubling a weight equals repeating the row; the folds are those of the rows, so
            that repeated rows may choose other penalties. Rows of weight 0 are left out.
        """
        table, target, weights = self._training(X, y, sample_weight)
        sizes = None if self.blocks is None else self.columns_.sizes
        factors = self._factors(sizes)
        options = self._options()
        options.check()
        sources, descriptors = self._parts(table)
        self.sets_ = make_sets(
            [sources],
            [descriptors],
            [target],
            options,
            sizes,
            factors=factors,
            weights=None if weights is None else [weights],
        )
        folds = contiguous_folds(len(table), min(options.folds, len(table)))[None]
        found = fit_methods(self.sets_, folds, (self._method,), options)[self._method]
        self.penalties_ = dict(zip(found.search.names, map(float, found.search.penalties[0]), strict=True))
        self.cv_grid_, self.cv_errors_ = found.search.grid, found.search.errors[0]
        self.fitted_ = found
        return self

    def _blocks(self) -> Blocks | None:
        return self.blocks

    def _parts(self, table: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the source features (n, p) and the descriptors (n, d), block by block."""
        return table[:, self.columns_.sources], table[:, self.columns_.descriptors]

    def _factors(self, sizes: tuple[int, ...] | None) -> tuple[float, ...]:
        if self.block_factors is None:
            return ()
        factors = tuple(float(factor) for factor in self.block_factors)
        if sizes is None or len(factors) != len(sizes):
            raise ValueError(f"block_factors has {len(factors)} numbers; it needs one for each of blocks")
        if not all(0.0 < factor < float("inf") for factor in factors):
            raise ValueError("block_factors must be positive numbers")
        return factors

    def predict(self, X: ArrayLike) -> FloatArray:
        """Return (k,) predictions of ``X`` (k, p + d)."""
        sources, descriptors = self._parts(self._known_table(X))
        grams = self.sets_.scalings[0].grams(sources, descriptors, self._options())
        return self.fitted_.predict(self.sets_, 0, grams)


class _RidgeEstimator(_TransferEstimator):
    """The five made of kernel ridge regressions, and co-kriging."""

    def __init__(
        self,
        *,
        md_column: Column | Sequence[Column] | None = None,
        ridge: Sequence[float] = PAPER_RIDGE,
        kernel_source: KernelName = "rbf",
        kernel_target: KernelName = "rbf",
        length_source: float | None = None,
        length_target: float | None = None,
        blocks: Blocks | None = None,
        block_factors: Sequence[float] | None = None,
        folds: int = PAPER_FOLDS,
    ) -> None:
        self.md_column = md_column
        self.ridge = ridge
        self.kernel_source = kernel_source
        self.kernel_target = kernel_target
        self.length_source = length_source
        self.length_target = length_target
        self.blocks = blocks
        self.block_factors = block_factors
        self.folds = folds

    def _options(self) -> TransferOptions:
        return TransferOptions(
            kernel_source=self.kernel_source,
            kernel_target=self.kernel_target,
            length_source=self.length_source,
            length_target=self.length_target,
            ridge=tuple(float(penalty) for penalty in self.ridge),
            folds=self.folds,
        )


class OnlySourceRegressor(_RidgeEstimator):
    """Kernel ridge regression on the source features alone.

    Parameters
    ----------
    md_column
        Name or position of the column of MD values, or several of them; None for the first column.
    ridge
        Penalties to choose from.
    kernel_source, kernel_target, length_source, length_target
        Kernels and their length scales; None for the square root of the dimension.
    blocks
        The columns of each block of descriptors by name or position, or the numbers of columns of blocks that stand side by
        side; None for plain z-scores of all.
    block_factors
        One per block of ``blocks``: the larger, the less the block counts in the kernel of the descriptors. None for 1.
    folds
        Of the cross-validation that chooses the penalty.
    """

    _method = ONLY_SOURCE.key


class DirectRegressor(_RidgeEstimator):
    """Kernel ridge regression on the descriptors alone: no transfer. Parameters: :class:`OnlySourceRegressor`."""

    _method = DIRECT.key


class AugmentedRegressor(_RidgeEstimator):
    """Kernel ridge regression on source features and descriptors together. Parameters: :class:`OnlySourceRegressor`."""

    _method = AUGMENTED.key


class HtlOffsetRegressor(_RidgeEstimator):
    """Only source first, then its residuals from the descriptors. Parameters: :class:`OnlySourceRegressor`."""

    _method = HTL_OFFSET.key


class HtlScaleRegressor(_RidgeEstimator):
    """Only source first, then the ratio of y to it from the descriptors. Parameters: :class:`OnlySourceRegressor`."""

    _method = HTL_SCALE.key


class CokrigingRegressor(_RidgeEstimator):
    """Co-kriging, ``y = d + ρ f + g(x)``: a line in the source features and a smooth function of the descriptors.

    ``ridge`` are penalties of g, over which the mean is taken, weighed by how well each predicts; ``penalties_`` has their
    geometric mean. Parameters: :class:`OnlySourceRegressor`; ``kernel_source`` and ``length_source`` are not looked at.
    """

    _method = COKRIGING.key


class KernelAffineConstRegressor(_TransferEstimator):
    """AffineTL-const, ``y = g1(f) + g3(x) + d``.

    Parameters
    ----------
    l1, l3
        Penalties to choose from.
    md_column, kernel_source, kernel_target, length_source, length_target, blocks, block_factors, folds
        As in :class:`OnlySourceRegressor`.
    """

    _method = AFFINE_TL_CONST.key

    def __init__(
        self,
        *,
        md_column: Column | Sequence[Column] | None = None,
        l1: Sequence[float] = PAPER_L1,
        l3: Sequence[float] = PAPER_L3,
        kernel_source: KernelName = "rbf",
        kernel_target: KernelName = "rbf",
        length_source: float | None = None,
        length_target: float | None = None,
        blocks: Blocks | None = None,
        block_factors: Sequence[float] | None = None,
        folds: int = PAPER_FOLDS,
    ) -> None:
        self.md_column = md_column
        self.l1 = l1
        self.l3 = l3
        self.kernel_source = kernel_source
        self.kernel_target = kernel_target
        self.length_source = length_source
        self.length_target = length_target
        self.blocks = blocks
        self.block_factors = block_factors
        self.folds = folds

    def _options(self) -> TransferOptions:
        return TransferOptions(
            kernel_source=self.kernel_source,
            kernel_target=self.kernel_target,
            length_source=self.length_source,
            length_target=self.length_target,
            l1=tuple(float(penalty) for penalty in self.l1),
            l3=tuple(float(penalty) for penalty in self.l3),
            folds=self.folds,
        )


class KernelAffineRegressor(_TransferEstimator):
    """AffineTL-full, ``y = g1(f) + (g2(f) + 1) g3(x) + d``.

    Parameters
    ----------
    l1, l2, l3
        Penalties to choose from.
    starts
        Starts of the final fit; the best is kept.
    random_state
        Seed of the random starts.
    kernel_factor
        Kernel K2 of the source features in g2; None for ``kernel_source``, which is then that of g1 and g2.
    solver
        "newton", or "block" for the paper's block updates (one random start).
    md_column, kernel_source, kernel_target, length_source, length_target, blocks, block_factors, folds
        As in :class:`OnlySourceRegressor`.
    """

    _method = AFFINE_TL_FULL.key

    def __init__(
        self,
        *,
        md_column: Column | Sequence[Column] | None = None,
        l1: Sequence[float] = PAPER_L1,
        l2: Sequence[float] = PAPER_L2,
        l3: Sequence[float] = PAPER_L3,
        starts: int = 5,
        random_state: int = 0,
        solver: Solver = "newton",
        kernel_source: KernelName = "rbf",
        kernel_target: KernelName = "rbf",
        kernel_factor: KernelName | None = None,
        length_source: float | None = None,
        length_target: float | None = None,
        blocks: Blocks | None = None,
        block_factors: Sequence[float] | None = None,
        folds: int = PAPER_FOLDS,
    ) -> None:
        self.md_column = md_column
        self.l1 = l1
        self.l2 = l2
        self.l3 = l3
        self.starts = starts
        self.random_state = random_state
        self.solver = solver
        self.kernel_source = kernel_source
        self.kernel_target = kernel_target
        self.kernel_factor = kernel_factor
        self.length_source = length_source
        self.length_target = length_target
        self.blocks = blocks
        self.block_factors = block_factors
        self.folds = folds

    def _options(self) -> TransferOptions:
        return TransferOptions(
            kernel_source=self.kernel_source,
            kernel_target=self.kernel_target,
            kernel_factor=self.kernel_factor,
            length_source=self.length_source,
            length_target=self.length_target,
            l1=tuple(float(penalty) for penalty in self.l1),
            l2=tuple(float(penalty) for penalty in self.l2),
            l3=tuple(float(penalty) for penalty in self.l3),
            folds=self.folds,
            starts=self.starts,
            seed=int(self.random_state),
            solver=self.solver,
        )

    @property
    def objectives_(self) -> FloatArray:
        """(starts,) the objective where each start of the final fit ended; their spread tells of local optima."""
        objectives: FloatArray = self._affine().objectives[0]
        return objectives

    @property
    def converged_(self) -> bool:
        """Whether the start that was kept converged."""
        return bool(self._affine().converged[0])

    def _affine(self) -> AffineTLFits:
        fits = self.fitted_.fits
        assert isinstance(fits, AffineTLFits)
        return fits
