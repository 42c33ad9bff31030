"""What linear calibrators learn from and become: training parts, fits, and the steps that each of them fills in."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from affinecal_gui.calibration.calibrators.objectives.affine import AffineFit, Solver
from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.data.scale import DescriptorScale, learn_scale
from affinecal_gui.calibration.results import Convergence, FloatArray, ModelName, Penalties
from affinecal_gui.calibration.solvers.fused_ridge import FusedRidge
from affinecal_gui.task import Task

CLOSED_FORM = Convergence("closed form", 0, True)
NOTHING: FloatArray = np.zeros(0)


@dataclass(frozen=True, slots=True)
class TrainingPart:
    """The polymers a calibrator learns from, and all constants that are learned from them before it is fitted.

    The affine model sees ``(f - f_mean) / f_sd`` and ``y / unit``. f is standardised as in the paper, so that beta and
    its penalty mean the same for every property; ``unit`` is 1 on a logarithmic scale and the root mean square of y on a
    linear one, so that the result does not depend on the unit of the property.
    """

    y: FloatArray  # (n,) target scale
    f: FloatArray  # (n,)
    Z: FloatArray  # (n, d) standardised descriptors
    sizes: tuple[int, ...]
    weights: FloatArray  # (n,)
    f_mean: float
    f_sd: float
    unit: float
    block_factors: tuple[float, ...] = ()  # by which the penalties of each block are multiplied; empty for 1
    noise: FloatArray | None = None  # (n,) standard errors of f; None where f is taken as exact

    def rows(self, rows: IntArray) -> "TrainingPart":
        """Return some of its polymers with all constants as they are."""
        return replace(
            self,
            y=self.y[rows],
            f=self.f[rows],
            Z=self.Z[rows],
            weights=self.weights[rows],
            noise=None if self.noise is None else self.noise[rows],
        )

    def by_polymer(self, groups: IntArray) -> "TrainingPart":
        """Return one row for each polymer: weighted means, and sums of the weights; ``groups`` (n,) tell polymers apart."""
        _, codes = np.unique(groups, return_inverse=True)
        total = np.bincount(codes, weights=self.weights).astype(np.float64)

        def mean(values: FloatArray) -> FloatArray:
            return np.bincount(codes, weights=self.weights * values) / total

        Z = np.zeros((len(total), self.Z.shape[1]))
        np.add.at(Z, codes, self.weights[:, None] * self.Z)
        noise = None if self.noise is None else np.sqrt(mean(self.noise**2))
        return replace(self, y=mean(self.y), f=mean(self.f), Z=Z / total[:, None], weights=total, noise=noise)

    @property
    def typical_weight(self) -> float:
        """The weight of a measurement of mean variance."""
        return 1.0 / float(np.mean(1.0 / self.weights))

    def ridge(self, lambda_1: float, lambda_2: float) -> FusedRidge:
        """Return the penalty of gamma."""
        if not self.block_factors:
            return FusedRidge(self.sizes, lambda_1, lambda_2)
        factors = np.array(self.block_factors)
        return FusedRidge(self.sizes, lambda_1 * factors, lambda_2 * factors)

    @property
    def t(self) -> FloatArray:
        """(n,) standardised MD values."""
        return (self.f - self.f_mean) / self.f_sd


def training_part(
    y: FloatArray,
    f: FloatArray,
    Z: FloatArray,
    sizes: tuple[int, ...],
    weights: FloatArray | None,
    log_scale: bool,
    md_scale: DescriptorScale | None = None,
    block_factors: tuple[float, ...] = (),
    noise: FloatArray | None = None,
) -> TrainingPart:
    """Collect a training part and learn its constants, unless ``md_scale`` (of one column) gives those of f."""
    w = np.ones(len(y)) if weights is None else weights
    if md_scale is None:
        md_scale = learn_scale(f[:, None], (1,), weights)
    unit = 1.0
    if not log_scale and y.any():
        largest = float(np.abs(y).max())
        unit = largest * float(np.sqrt(np.average((y / largest) ** 2, weights=w)))
    return TrainingPart(
        y, f, Z, sizes, w, float(md_scale.mean[0]), float(md_scale.scale[0]), unit, block_factors, noise
    )


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted calibrator: ``y = unit (a0 + a1 t + sign (1 + b t) z' c)``, t the standardised MD value.

    z are standardised descriptors. ``alpha_0``, ``alpha_1``, ``beta`` and ``gamma`` are the same model on natural
    scales: ``y = alpha_0 + alpha_1 f + sign (1 + beta f) z' gamma``.
    """

    model: ModelName
    a0: float
    a1: float
    b: float
    c: FloatArray  # (d,) empty without descriptors
    f_mean: float = 0.0
    f_sd: float = 1.0
    unit: float = 1.0
    sign: int = 1
    penalties: Penalties | None = None
    convergence: Convergence | None = None

    def predict(self, f: FloatArray, Z: FloatArray) -> FloatArray:
        """(k,) calibrated values, target scale; Z is not looked at by calibrators without descriptors."""
        return self.value(f, Z @ self.c if len(self.c) else 0.0)

    def value(self, f: FloatArray, zc: FloatArray | float) -> FloatArray:
        """(k,) calibrated values, target scale, of polymers whose ``z' c`` is known."""
        t = (f - self.f_mean) / self.f_sd
        return np.asarray(self.unit * (self.a0 + self.a1 * t + self.sign * (1.0 + self.b * t) * zc))

    @property
    def natural_factor(self) -> float:
        """1 + b t = factor (1 + beta f)."""
        return 1.0 - self.b * self.f_mean / self.f_sd

    @property
    def alpha_1(self) -> float:
        """Weight of the MD value."""
        return self.unit * self.a1 / self.f_sd

    @property
    def alpha_0(self) -> float:
        """Offset, target scale."""
        return self.unit * (self.a0 - self.a1 * self.f_mean / self.f_sd)

    @property
    def beta(self) -> float:
        """Coupling of the correction to the MD value; infinite when the correction vanishes at f = 0."""
        return self.b / self.f_sd / self.natural_factor if self.natural_factor else float("inf") * np.sign(self.b)

    @property
    def gamma(self) -> FloatArray:
        """(d,) coefficients, target scale per standard unit."""
        return self.unit * self.natural_factor * self.c


@dataclass(frozen=True, slots=True)
class LinearFitting:
    """How a linear calibrator is fitted. As it stands nothing is fitted: it is the MD value as it is.

    A calibrator of its own overrides :meth:`fit`. The other steps work for all; override them where many fits together are
    faster than one after the other.
    """

    model: ModelName

    def fit(
        self,
        part: TrainingPart,
        penalties: Penalties | None,
        *,
        solver: Solver = "direct",
        tolerance: float = 1e-8,
        start: AffineFit | None = None,
    ) -> Fitted:
        """Fit to one training part; without penalties, or without descriptors, to the MD values alone.

        ``solver``, ``tolerance`` and ``start`` are for calibrators without a closed form.
        """
        del part, penalties, solver, tolerance, start
        return Fitted(self.model, 0.0, 1.0, 0.0, NOTHING)

    def batches(self, solver: Solver) -> bool:
        """Whether :meth:`fit_batch` fits parts of equal size together, of fewer polymers than descriptors or few of both."""
        del solver
        return False

    def fit_batch(self, chosen: Sequence[tuple[TrainingPart, Penalties]], tolerance: float, task: Task) -> list[Fitted]:
        """Fit parts of equal size, with the same penalty of beta, together."""
        del task
        return [self.fit(part, own, tolerance=tolerance) for part, own in chosen]

    def refit_with_weights(self, fitted: Fitted, part: TrainingPart, weights: FloatArray) -> list[Fitted]:
        """Refit with the penalties of ``fitted`` and other weights (b, n)."""
        return [self.fit(replace(part, weights=w), fitted.penalties) for w in weights]


def penalties_of(chosen: Sequence[tuple[TrainingPart, Penalties]]) -> FusedRidge | list[FusedRidge]:
    """Build one penalty for all parts if they share it, else one for each."""
    made: dict[tuple[float, float], FusedRidge] = {}
    for part, own in chosen:
        if (own.lambda_1, own.lambda_2) not in made:
            made[own.lambda_1, own.lambda_2] = part.ridge(own.lambda_1, own.lambda_2)
    if len(made) == 1:
        return next(iter(made.values()))
    return [made[own.lambda_1, own.lambda_2] for _, own in chosen]
