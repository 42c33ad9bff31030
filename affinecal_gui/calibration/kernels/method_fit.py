"""How each method with kernels is fitted to s training sets of equal size, its penalties chosen by cross-validation."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.data.scale import VARIATION, centre_and_spread, sample_ratio
from affinecal_gui.calibration.kernels.cokriging import SMALLEST_PENALTY, CokrigingFits, contrasts
from affinecal_gui.calibration.kernels.constant import fit_constant
from affinecal_gui.calibration.kernels.fits import (
    AffineTLFits,
    Features,
    OffsetFits,
    RidgeFits,
    ScaleFits,
    TransferFits,
)
from affinecal_gui.calibration.kernels.full.fitting import fit_full
from affinecal_gui.calibration.kernels.full.objective import FullProblem
from affinecal_gui.calibration.kernels.methods import TransferName, TransferOptions
from affinecal_gui.calibration.kernels.ridge import fit_ridge
from affinecal_gui.calibration.kernels.search import (
    PenaltySearch,
    search_constant,
    search_full,
    search_ridge,
    shares_of_grid,
)
from affinecal_gui.calibration.kernels.tasks import work_through
from affinecal_gui.calibration.kernels.training_sets import CrossGrams, TransferSets
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.task import Task

_FULL_NUMBERS = 500_000


@dataclass(frozen=True, slots=True)
class FittedMethod:
    """One method, with its penalties, fitted to every training set."""

    name: TransferName
    search: PenaltySearch  # of the method's own last step
    fits: TransferFits

    def predict(self, sets: TransferSets, s: int, grams: CrossGrams) -> FloatArray:
        """(k,) predictions on the scale of the target, by the fit to training set s."""
        own = sets.scalings[s]
        return np.asarray(self.fits.predict(s, grams) * own.y_sd + own.y_mean)


@dataclass(frozen=True, slots=True)
class MethodTask:
    """One method to fit, and what was fitted before it on the same training sets."""

    name: TransferName
    title: str
    sets: TransferSets
    folds: IntArray  # (s, n) inner fold of every row
    options: TransferOptions
    watched: Task  # whom the fit tells how far it is
    before: Mapping[TransferName, FittedMethod] = field(default_factory=dict)  # those it builds on


class KernelFitting(Protocol):
    """How a method with kernels is fitted."""

    def fit(self, task: MethodTask) -> FittedMethod:
        """Choose its penalties by cross-validation and fit it to every training set."""


@dataclass(frozen=True, slots=True)
class RidgeFitting:
    """Direct, Only source or Augmented: one kernel ridge regression."""

    features: Features

    def fit(self, task: MethodTask) -> FittedMethod:
        """Fit the ridge regression."""
        search, fits = _ridge(task, self.features, task.sets.y)
        return FittedMethod(task.name, search, fits)


@dataclass(frozen=True, slots=True)
class OffsetFitting:
    """HTL-offset: what a first ridge regression leaves is learned from the descriptors."""

    first: TransferName

    def fit(self, task: MethodTask) -> FittedMethod:
        """Fit what is left."""
        source = _before(task, self.first)
        rest = task.sets.y - _in_sample(task.sets, source)
        mean, sd = _centre(rest, task.sets.root)
        search, fits = _ridge(task, "target", (rest - mean[:, None]) / sd[:, None])
        return FittedMethod(task.name, search, OffsetFits(source, fits, mean, sd))


@dataclass(frozen=True, slots=True)
class ScaleFitting:
    """HTL-scale: the ratio of the target to a first ridge regression is learned from the descriptors."""

    first: TransferName

    def fit(self, task: MethodTask) -> FittedMethod:
        """Fit the ratio."""
        source = _before(task, self.first)
        sets = task.sets
        y_mean = np.array([one.y_mean for one in sets.scalings])
        y_sd = np.array([one.y_sd for one in sets.scalings])
        predicted = _in_sample(sets, source) * y_sd[:, None] + y_mean[:, None]
        divisor, guarded = guard(predicted, task.options.smallest_share)
        ratio = (sets.y * y_sd[:, None] + y_mean[:, None]) / divisor
        mean, sd = _centre(ratio, sets.root)
        search, fits = _ridge(task, "target", (ratio - mean[:, None]) / sd[:, None])
        return FittedMethod(task.name, search, ScaleFits(source, fits, mean, sd, y_mean, y_sd, guarded))


class ConstantFitting:
    """AffineTL-const, in closed form."""

    def fit(self, task: MethodTask) -> FittedMethod:
        """Fit both parts together."""
        sets = task.sets
        search = search_constant(sets, task.folds, task.options, task=task.watched)
        l1, l3 = search.penalties.T
        u, d = fit_constant(sets.source, sets.target, sets.y, l1, l3, sets.root)
        count = len(d)
        fits = AffineTLFits(
            u / l1[:, None],
            np.zeros_like(u),
            u / l3[:, None],
            d,
            np.zeros(count, dtype=np.int64),
            np.ones(count, dtype=bool),
            np.zeros((count, 0)),
        )
        return FittedMethod(task.name, search, fits)


class CokrigingFitting:
    """Co-kriging: the mean over all penalties, weighed by how well each predicts."""

    def fit(self, task: MethodTask) -> FittedMethod:
        """Fit line and smooth part together."""
        sets, n = task.sets, task.sets.y.shape[1]
        penalties = np.maximum(np.array(task.options.ridge), SMALLEST_PENALTY)

        def one_set(s: int) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
            root = None if sets.root is None else sets.root[s]
            own = contrasts(sets.target[s], sets.scalings[s].S, sets.y[s], root)
            errors = own.held_out_errors(penalties, task.folds[s])
            shares = shares_of_grid(errors, n)
            return errors, np.exp(shares @ np.log(penalties))[None], *own.fit(penalties, shares)

        found = work_through(one_set, range(len(sets.y)), n, task.watched, f"Fitting {task.title}")
        errors, averaged, c, line = (np.stack([one[k] for one in found]) for k in range(4))
        search = PenaltySearch(("λ",), penalties[:, None], errors, averaged=averaged)
        return FittedMethod(task.name, search, CokrigingFits(c, line))


class FullFitting:
    """AffineTL-full, from one start or several."""

    def fit(self, task: MethodTask) -> FittedMethod:
        """Fit the three parts; the best start is kept."""
        sets, options = task.sets, task.options
        search = search_full(sets, task.folds, options, task=task.watched.part(0.0, 0.95))
        l1, l2, l3 = search.penalties.T
        s, n = sets.y.shape
        most = max(1, _FULL_NUMBERS // n**2)
        pieces = [slice(start, min(start + most, s)) for start in range(0, s, most)]

        def fit(part: slice) -> AffineTLFits:
            problem = FullProblem(
                sets.source[part],
                sets.factor[part],
                sets.target[part],
                sets.y[part],
                np.arange(part.stop - part.start),
                l1[part],
                l2[part],
                l3[part],
            )
            starts = options.starts if options.solver == "newton" else 1
            found = fit_full(
                problem,
                root=None if sets.root is None else sets.root[part],
                solver=options.solver,
                starts=starts,
                seed=options.seed,
                task=task.watched.silent,
            )
            own = found.weights
            return AffineTLFits(own.a, own.b, own.c, own.d, found.iterations, found.converged, found.objectives)

        sentence = f"Fitting {task.title}"
        parts = work_through(fit, pieces, n, task.watched.part(0.95, 1.0), sentence)
        columns = ("a", "b", "c", "d", "iterations", "converged", "objectives")
        fits = AffineTLFits(*(np.concatenate([getattr(one, column) for one in parts]) for column in columns))
        return FittedMethod(task.name, search, fits)


def _before(task: MethodTask, name: TransferName) -> RidgeFits:
    source = task.before[name].fits
    assert isinstance(source, RidgeFits)
    return source


def _ridge(task: MethodTask, features: Features, target: FloatArray) -> tuple[PenaltySearch, RidgeFits]:
    search = search_ridge(task.sets, features, target, task.folds, task.options, task=task.watched)
    a, d = fit_ridge(task.sets.gram(features), target, search.penalties[:, 0], task.sets.root)
    return search, RidgeFits(features, a, d)


def guard(predicted: FloatArray, smallest_share: float) -> tuple[FloatArray, NDArray[np.int64]]:
    """Keep divisors away from zero.

    Values (s, n) below ``smallest_share`` of the largest of their row become that share, with their sign (positive for
    zero). A row of zeros becomes ones.

    Returns
    -------
    The divisors and, per row, how many were changed.
    """
    floor = smallest_share * np.abs(predicted).max(axis=1, keepdims=True)
    floor = np.where(floor > 0.0, floor, 1.0)
    small = np.abs(predicted) < floor
    return np.where(small, np.where(predicted < 0.0, -floor, floor), predicted), small.sum(axis=1)


def _in_sample(sets: TransferSets, fits: RidgeFits) -> FloatArray:
    """(s, n) predictions of the training rows themselves."""
    return np.asarray((sets.gram(fits.features) @ fits.a[:, :, None])[:, :, 0] + fits.d[:, None])


def _centre(values: FloatArray, root: FloatArray | None) -> tuple[FloatArray, FloatArray]:
    """(s,) means and sample standard deviations of the rows; rounding is no variation, and no variation gives 1.

    ``root`` (s, n) are square roots of weights, None without.
    """
    if root is not None:
        found = [centre_and_spread(own[:, None], w**2) for own, w in zip(values, root, strict=True)]
        mean = np.array([float(centre[0]) for centre, _ in found])
        sd = np.array(
            [float(spread[0]) * sample_ratio(len(w), w**2) for (_, spread), w in zip(found, root, strict=True)]
        )
        return mean, np.where(sd > VARIATION * np.maximum(1.0, np.abs(values).max(axis=1)), sd, 1.0)
    n = values.shape[1]
    mean = values.mean(axis=1)
    sd = values.std(axis=1) * np.sqrt(n / max(n - 1, 1))
    return mean, np.where(sd > VARIATION * np.maximum(1.0, np.abs(values).max(axis=1)), sd, 1.0)
