"""What a calibration hands back: frozen dataclasses with read-only arrays.

Shapes: n measured polymers used for fitting, m polymers of the library (every polymer with an MD value), d descriptors.
"Target scale" is the natural logarithm of the property when the settings say so, else the property itself; "property unit"
is the canonical unit of the property.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.numbers import decimal

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class KeyOf:
    """Says of a text that it is a key of the registry of calibrators, so that files are read accordingly."""

    kernels_only: bool = False


ModelName = Annotated[str, KeyOf()]
"""Key of a calibrator in :mod:`affinecal_gui.calibration.calibrators.registry`, which knows all of them."""

TransferName = Annotated[str, KeyOf(kernels_only=True)]
"""Key of a method with kernels."""

ERROR_LEVEL = 0.95
"""Of intervals of errors and of their differences: one that does not hold 0 goes with p < 0.05."""

UNKNOWN = (float("nan"), float("nan"))
"""An interval that was not computed."""

KernelName = Literal["rbf", "linear", "matern12", "matern32", "matern52"]


@dataclass(frozen=True, slots=True)
class Metrics:
    """Agreement of predicted with measured values over n polymers."""

    n: int
    rmse: float  # property unit
    mae: float  # property unit
    r2: float  # in property unit
    rmse_target_scale: float  # target scale
    rmse_standard_error: float  # of rmse_target_scale, over the out-of-fold repetitions; nan with one repetition
    within_ten_percent: int  # number of polymers with |predicted / measured - 1| <= 0.1
    # Over polymers, at :data:`ERROR_LEVEL`; nan where not told.
    rmse_interval: tuple[float, float] = UNKNOWN  # property unit
    mae_interval: tuple[float, float] = UNKNOWN  # property unit
    rmse_target_scale_interval: tuple[float, float] = UNKNOWN


@dataclass(frozen=True, slots=True)
class Estimate:
    """A fitted number with its interval at the level of the settings; bounds are nan where none was computed."""

    value: float
    lower: float = float("nan")
    upper: float = float("nan")


@dataclass(frozen=True, slots=True)
class Penalties:
    """The penalties of objective J (science: they enter squared; lambda_beta is multiplied by n)."""

    lambda_1: float
    lambda_2: float
    lambda_beta: float = 1.0


@dataclass(frozen=True, slots=True)
class Convergence:
    """How the solver ended."""

    solver: Literal["direct", "block", "closed form"]
    iterations: int
    converged: bool
    slope: float = 0.0  # dJ/dbeta at the end; 0 for the closed forms
    trace: tuple[float, ...] = ()  # objective J after every block sweep


@dataclass(frozen=True, slots=True)
class PenaltySurface:
    """Cross-validated root mean squared error (target scale) over the penalty grid."""

    lambda_1: FloatArray  # (a,)
    lambda_2: FloatArray  # (b,)
    rmse: FloatArray  # (a, b)
    chosen: tuple[int, int]  # indices into lambda_1, lambda_2
    on_edge: tuple[Literal["lambda_1", "lambda_2"], ...] = ()  # which penalties ended on an edge of the grid


@dataclass(frozen=True, slots=True)
class CoefficientEstimates:
    """gamma, one value per descriptor, in target scale per standard unit of the descriptor.

    ``correction(x) = -(1 + beta f) * sum_j gamma_j (x_j - mean_j) / scale_j`` is what is added to alpha_0 + alpha_1 f
    (affine); log-difference: ``+ sum_j gamma_j (x_j - mean_j) / scale_j``. ``sign`` is -1 or +1 accordingly, so that
    ``sign * gamma`` is the change of the calibrated value (target scale) per standard unit.

    A method with kernels has no coefficients. Where ``average`` is true, gamma is its average effect: the mean over the
    polymers of the fit of the derivative of the calibrated value by each descriptor, at the same MD value.
    """

    gamma: FloatArray  # (d,)
    lower: FloatArray  # (d,) nan where no band was computed
    upper: FloatArray  # (d,)
    mean: FloatArray  # (d,) subtracted from the descriptors
    scale: FloatArray  # (d,) the standard unit: divides the descriptors
    sign: int
    average: bool = False


@dataclass(frozen=True, slots=True)
class IntervalParts:
    """What the intervals of m library polymers are made of: shares of the variance, which add up to one; nan without any."""

    measurement: FloatArray  # (m,) stated errors of measured values; 0 where none are stated
    simulation: FloatArray  # (m,) noise of the MD value; 0 where it is not known
    few_polymers: FloatArray  # (m,) what more measured polymers would tell of the parameters
    model_form: (
        FloatArray  # (m,) the rest: what the calibrator leaves out, and errors of measurement that are not stated
    )
    five_more_runs: FloatArray  # (m,) share by which five more runs would narrow the interval; nan where not told


@dataclass(frozen=True, slots=True)
class ModelResult:
    """One calibrator, fitted and checked."""

    model: ModelName
    parameters: Mapping[
        str, Estimate
    ]  # alpha_0, alpha_1, beta on the natural, unscaled MD scale; intercept; may be empty
    coefficients: CoefficientEstimates | None
    penalties: Penalties | None
    surface: PenaltySurface | None
    convergence: Convergence | None
    fitted: FloatArray  # (n,) property unit
    out_of_fold: FloatArray  # (n,) property unit; over repetitions the mean on the target scale
    out_of_fold_lower: FloatArray  # (n,) property unit
    out_of_fold_upper: FloatArray  # (n,)
    library: FloatArray  # (m,) calibrated value of every polymer of the library, property unit
    library_lower: FloatArray  # (m,)
    library_upper: FloatArray  # (m,)
    metrics: Metrics  # out of fold
    fitted_metrics: Metrics
    parts: IntervalParts | None = None  # of the library's intervals


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """Two calibrators compared on the same held-out polymers."""

    better: ModelName
    worse: ModelName
    difference: float  # of the RMSE, target scale, >= 0
    welch_p_value: float  # Welch's t-test over the repetitions, as in the paper
    # paired over polymers, and the interval of the difference at :data:`ERROR_LEVEL`; nan where not told
    paired_p_value: float = float("nan")
    lower: float = float("nan")
    upper: float = float("nan")


@dataclass(frozen=True, slots=True)
class Recommendation:
    """Which calibrator to use; see :func:`affinecal_gui.calibration.checking.comparison.compare` for the rule."""

    best: ModelName
    recommended: ModelName
    sentence: str  # plain English, with the numbers
    comparisons: tuple[PairedComparison, ...]
    structure_p_value: float = float("nan")  # that polymers of like structure depart alike from a line; nan: not told


@dataclass(frozen=True, slots=True)
class Validity:
    """Whether a library polymer lies inside the range of the training data."""

    inside: NDArray[np.bool_]  # (m,)
    md_inside: NDArray[np.bool_]  # (m,) the MD value lies within the training range
    descriptors_inside: NDArray[np.int64]  # (m,) how many of the d descriptors lie within the training range
    distance: FloatArray  # (m,) to the nearest training polymer, root mean square over the scaled descriptors
    distance_limit: float  # above it a polymer counts as far from the training data
    nearest: NDArray[np.int64]  # (m, k) indices of the k nearest training polymers, nearest first
    nearest_distance: FloatArray  # (m, k)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One polymer worth measuring next."""

    library_index: int
    mean_width_before: float  # mean interval width of the library, target scale, before and after measuring it
    mean_width_after: float


@dataclass(frozen=True, slots=True)
class MeasurementsNeeded:
    """How many measured polymers, those there are included, bring an error down to what is wished for."""

    fewest: float  # where the lower end of the band gets there; infinite where it does not, as far as is forecast
    most: float  # where the upper end does


@dataclass(frozen=True, slots=True)
class ErrorForecast:
    """The error of a calibrator against the number of measured polymers, found and forecast; errors on the target scale."""

    model: ModelName
    polymers: int  # that are measured
    level: float  # of all bands, e.g. 0.8
    sizes: FloatArray  # (s,) polymers in the parts that were calibrated, ascending
    found: FloatArray  # (s,) errors of fits to them
    floor: float  # what remains of the error, however many are measured
    exponent: float  # a of floor + D n ** -a; 0 where nothing falls
    exponent_lower: float
    exponent_upper: float
    numbers: FloatArray  # (k,) of measured polymers, ascending, from the smallest part to the farthest forecast
    error: FloatArray  # (k,)
    lower: FloatArray  # (k,)
    upper: FloatArray  # (k,)

    @property
    def falls(self) -> bool:
        """Whether the band of the exponent excludes 0, so that more measurements are known to help."""
        return self.exponent_lower > 0.0

    @property
    def farthest(self) -> int:
        """The largest number of measured polymers that is forecast for."""
        return int(self.numbers[-1] + 0.5)

    def at(self, n: float) -> tuple[float, float, float]:
        """Return the error with n measured polymers and its band: forecast, lower, upper."""
        place, places = np.log(n), np.log(self.numbers)
        error, lower, upper = (float(np.interp(place, places, some)) for some in (self.error, self.lower, self.upper))
        return error, lower, upper

    def needed(self, wished: float) -> MeasurementsNeeded:
        """Return how many measured polymers bring the error down to ``wished``."""
        return MeasurementsNeeded(self._first(self.lower, wished), self._first(self.upper, wished))

    def _first(self, errors: FloatArray, wished: float) -> float:
        below = np.flatnonzero(errors <= wished)
        if not len(below):
            return float("inf")
        after = int(below[0])
        if after == 0:
            return float(self.numbers[0])
        some = slice(after - 1, after + 1)
        return float(np.exp(np.interp(-wished, -errors[some], np.log(self.numbers[some]))))


@dataclass(frozen=True, slots=True)
class FarValue:
    """A measured value that the others do not let expect."""

    row: int  # position among the n polymers of the fit
    studentised: float  # residual in standard deviations of what the others let expect; positive: measured above that
    p_value: float  # that among n polymers one is so far away by chance, at most 1
    influence: (
        float  # how far fitted values of the others move without it, target scale, root mean square; nan: unknown
    )


@dataclass(frozen=True, slots=True)
class Decay:
    """The eigenvalues of one Gram matrix."""

    eigenvalues: FloatArray  # (n,) largest first; 0 where they are rounding
    frobenius: float  # ||K||_F
    rate: float  # the smallest s of (D1) in transfer.overlap; 0 with a single eigenvalue above rounding

    def bound(self, i: FloatArray) -> FloatArray:
        """Return the right side of (D1) for numbers i of eigenvalues, from 1."""
        if self.rate <= 0.0:
            return np.where(i <= 1.0, self.frobenius**2, 0.0)
        return np.asarray(self.frobenius**2 * i ** (-1.0 / self.rate))


@dataclass(frozen=True, slots=True)
class Overlap:
    """The decay of the kernels of one data set, and what it says of the overlap of source and descriptors."""

    source: Decay  # K1 (= K2)
    target: Decay  # K3
    product: Decay  # K2 o K3
    shuffled: FloatArray  # (k,) rates of K2 o K3 with the source features dealt to other rows

    @property
    def p_value(self) -> float:
        """Share of the dealings that fall as fast as the data do, the data counted among them."""
        return (1.0 + float((self.shuffled <= self.product.rate).sum())) / (1.0 + len(self.shuffled))

    @property
    def overlaps(self) -> bool:
        """Whether the product falls faster than nearly all shuffled ones."""
        return self.p_value <= 0.05

    @property
    def sentence(self) -> str:
        """What it means, in plain words."""
        rates = (
            f"the eigenvalues of K₂∘K₃ fall with s = {decimal(self.product.rate, 3)}, with the source features shuffled "
            f"among the polymers s = {decimal(float(self.shuffled.mean()), 3)} ± {decimal(float(self.shuffled.std()), 3)}"
        )
        if self.overlaps:
            return (
                f"Source and descriptors overlap: {rates}. Much of what the source says is in the descriptors too, so that "
                f"the transfer has fewer directions to learn."
            )
        return (
            f"No overlap of source and descriptors can be told: {rates}. The source adds what the descriptors do not say, "
            f"and how the two combine has to be learned from the measurements."
        )


@dataclass(frozen=True, slots=True)
class Calibration:
    """A finished calibration: every number that any view, file or report shows comes from here."""

    measured: FloatArray  # (n,) property unit
    md: FloatArray  # (n,)
    library_md: FloatArray  # (m,)
    log_scale: bool
    interval_level: float  # e.g. 0.9
    protocol: str  # e.g. "leak-free, 5 x 5-fold"
    models: Mapping[ModelName, ModelResult]
    recommendation: Recommendation
    validity: Validity
    measure_next: tuple[Suggestion, ...]
    seed: int
    seconds: float
    overlap: Overlap | None = None  # where methods with kernels were compared
    forecast: ErrorForecast | None = None  # where it was asked for
    far_values: tuple[FarValue, ...] | None = None  # farthest first; None where only held-out residuals tell them
    notes: tuple[str, ...] = ()  # what the user should know, in sentences
    settings: Mapping[str, object] = field(default_factory=dict)  # everything needed to run it again
    made_with: Mapping[str, str] = field(default_factory=dict)  # versions of the programs, if it comes out of a file
    kept_fit: object | None = field(default=None, repr=False, compare=False)
    # what calibrate() worked with, kept for refit() alone, which follows a slider; never saved, None in an opened study
