"""Choose the penalties of the methods and fit them to s training sets of equal size."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.data.scale import VARIATION, centre_and_spread, sample_ratio
from affinecal_gui.calibration.kernels.constant import fit_constant
from affinecal_gui.calibration.kernels.fits import AffineFits, Features, OffsetFits, RidgeFits, ScaleFits, TransferFits
from affinecal_gui.calibration.kernels.full import fit_full
from affinecal_gui.calibration.kernels.full_objective import FullProblem
from affinecal_gui.calibration.kernels.methods import TRANSFER_NAMES, TRANSFER_TITLES, TransferName, TransferOptions
from affinecal_gui.calibration.kernels.ridge import fit_ridge
from affinecal_gui.calibration.kernels.search import PenaltySearch, search_constant, search_full, search_ridge
from affinecal_gui.calibration.kernels.tasks import work_through
from affinecal_gui.calibration.kernels.training_sets import CrossGrams, TransferSets
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.progress import CancelCheck, Progress, never, part_of, silent

_SHARE = {"affine_tl_full": 20.0, "affine_tl_const": 1.0}
"""How much longer than a kernel ridge regression a method takes, for the progress bar."""

_FULL_NUMBERS = 500_000

FEATURES: Mapping[str, Features] = {"only_source": "source", "direct": "target", "augmented": "both"}


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


def fit_methods(
    sets: TransferSets,
    folds: IntArray,
    methods: Sequence[TransferName],
    options: TransferOptions,
    *,
    progress: Progress = silent,
    cancelled: CancelCheck = never,
) -> dict[TransferName, FittedMethod]:
    """Choose penalties by cross-validation and fit.

    Parameters
    ----------
    sets
        s training sets.
    folds
        (s, n) inner fold of every row.
    methods
        Which; HTL-offset and HTL-scale fit Only source first, whether it is asked for or not.

    Returns
    -------
    In the order of :data:`TRANSFER_NAMES`.
    """
    wanted = [name for name in TRANSFER_NAMES if name in methods]
    needed = [name for name in TRANSFER_NAMES if name in wanted or (name == "only_source" and _builds_on(wanted))]
    shares = np.cumsum([0.0] + [_SHARE.get(name, 1.0) for name in needed])
    found: dict[TransferName, FittedMethod] = {}
    for position, name in enumerate(needed):
        part = part_of(progress, shares[position] / shares[-1], shares[position + 1] / shares[-1])
        fit = _Fit(sets, folds, options, part, cancelled)
        if name in FEATURES:
            found[name] = fit.ridge(name, FEATURES[name])
        elif name in ("htl_offset", "htl_scale"):
            source = found["only_source"].fits
            assert isinstance(source, RidgeFits)
            found[name] = fit.offset(source) if name == "htl_offset" else fit.scale(source)
        elif name == "affine_tl_const":
            found[name] = fit.constant()
        else:
            found[name] = fit.full()
    return {name: found[name] for name in wanted}


def _builds_on(wanted: Sequence[TransferName]) -> bool:
    return "htl_offset" in wanted or "htl_scale" in wanted


@dataclass(frozen=True, slots=True)
class _Fit:
    """One method after the other on the same training sets."""

    sets: TransferSets
    folds: IntArray
    options: TransferOptions
    progress: Progress
    cancelled: CancelCheck

    def ridge(self, name: TransferName, features: Features) -> FittedMethod:
        search, fits = self._ridge(features, self.sets.y)
        return FittedMethod(name, search, fits)

    def offset(self, source: RidgeFits) -> FittedMethod:
        rest = self.sets.y - _in_sample(self.sets, source)
        mean, sd = _centre(rest, self.sets.root)
        search, fits = self._ridge("target", (rest - mean[:, None]) / sd[:, None])
        return FittedMethod("htl_offset", search, OffsetFits(source, fits, mean, sd))

    def scale(self, source: RidgeFits) -> FittedMethod:
        sets = self.sets
        y_mean = np.array([one.y_mean for one in sets.scalings])
        y_sd = np.array([one.y_sd for one in sets.scalings])
        predicted = _in_sample(sets, source) * y_sd[:, None] + y_mean[:, None]
        divisor, guarded = guard(predicted, self.options.smallest_share)
        ratio = (sets.y * y_sd[:, None] + y_mean[:, None]) / divisor
        mean, sd = _centre(ratio, sets.root)
        search, fits = self._ridge("target", (ratio - mean[:, None]) / sd[:, None])
        return FittedMethod("htl_scale", search, ScaleFits(source, fits, mean, sd, y_mean, y_sd, guarded))

    def constant(self) -> FittedMethod:
        sets = self.sets
        search = search_constant(sets, self.folds, self.options, progress=self.progress, cancelled=self.cancelled)
        l1, l3 = search.penalties.T
        u, d = fit_constant(sets.source, sets.target, sets.y, l1, l3, sets.root)
        count = len(d)
        fits = AffineFits(
            u / l1[:, None],
            np.zeros_like(u),
            u / l3[:, None],
            d,
            np.zeros(count, dtype=np.int64),
            np.ones(count, dtype=bool),
            np.zeros((count, 0)),
        )
        return FittedMethod("affine_tl_const", search, fits)

    def full(self) -> FittedMethod:
        sets, options = self.sets, self.options
        progress = part_of(self.progress, 0.0, 0.95)
        search = search_full(sets, self.folds, options, progress=progress, cancelled=self.cancelled)
        l1, l2, l3 = search.penalties.T
        s, n = sets.y.shape
        most = max(1, _FULL_NUMBERS // n**2)
        pieces = [slice(start, min(start + most, s)) for start in range(0, s, most)]

        def fit(part: slice) -> AffineFits:
            problem = FullProblem(
                sets.source[part],
                sets.source[part],
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
                cancelled=self.cancelled,
            )
            own = found.weights
            return AffineFits(own.a, own.b, own.c, own.d, found.iterations, found.converged, found.objectives)

        sentence = f"Fitting {TRANSFER_TITLES['affine_tl_full']}"
        parts = work_through(fit, pieces, n, part_of(self.progress, 0.95, 1.0), sentence, self.cancelled)
        columns = ("a", "b", "c", "d", "iterations", "converged", "objectives")
        fits = AffineFits(*(np.concatenate([getattr(one, column) for one in parts]) for column in columns))
        return FittedMethod("affine_tl_full", search, fits)

    def _ridge(self, features: Features, target: FloatArray) -> tuple[PenaltySearch, RidgeFits]:
        search = search_ridge(
            self.sets, features, target, self.folds, self.options, progress=self.progress, cancelled=self.cancelled
        )
        a, d = fit_ridge(self.sets.gram(features), target, search.penalties[:, 0], self.sets.root)
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
