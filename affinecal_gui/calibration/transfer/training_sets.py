"""Training sets of equal size, standardised and with their Gram matrices, and how cross-validation divides them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from affinecal_gui.calibration.folds import IntArray
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.scale import DescriptorScale, centre_and_spread, learn_scale, z_scores
from affinecal_gui.calibration.transfer.kernels import default_length, gram_matrix
from affinecal_gui.calibration.transfer.methods import TransferOptions


@dataclass(frozen=True, slots=True)
class Scaling:
    """The constants learned from one training set, and its standardised features."""

    source: DescriptorScale  # (p,)
    target: DescriptorScale  # (d,)
    y_mean: float
    y_sd: float  # 1 without variation
    S: FloatArray  # (n, p) standardised source features
    Z: FloatArray  # (n, d) standardised descriptors

    def grams(self, S: FloatArray, X: FloatArray, options: TransferOptions) -> "CrossGrams":
        """Kernels between k other rows, with raw features S (k, p) and X (k, d), and the training rows."""
        return cross_grams(self.source.apply(S), self.target.apply(X), self, options)


@dataclass(frozen=True, slots=True)
class CrossGrams:
    """Kernels between k rows and n training rows, each (k, n)."""

    source: FloatArray
    target: FloatArray
    both: FloatArray


@dataclass(frozen=True, slots=True)
class TransferSets:
    """s training sets of n rows each."""

    source: FloatArray  # (s, n, n) Gram matrices of the source features
    target: FloatArray  # (s, n, n) of the descriptors
    both: FloatArray  # (s, n, n) of both side by side
    y: FloatArray  # (s, n) standardised
    scalings: tuple[Scaling, ...]  # (s,)

    def gram(self, features: str) -> FloatArray:
        """Gram matrices of "source", "target" or "both"."""
        return {"source": self.source, "target": self.target, "both": self.both}[features]


def learn_scaling(S: FloatArray, X: FloatArray, y: FloatArray, sizes: Sequence[int] | None) -> Scaling:
    """Learn how one training set is standardised.

    Parameters
    ----------
    S, X, y
        (n, p), (n, d), (n,) source features, descriptors and target.
    sizes
        Block sizes of the descriptors, whose standard units then have a floor
        (:func:`affinecal_gui.calibration.scale.learn_scale`); None for plain z-scores, as published.
    """
    source = z_scores(S)
    target = z_scores(X) if sizes is None else learn_scale(X, sizes)
    mean, spread = centre_and_spread(y[:, None])
    sd = float(spread[0]) * float(np.sqrt(len(y) / max(len(y) - 1, 1))) or 1.0
    return Scaling(source, target, float(mean[0]), sd, source.apply(S), target.apply(X))


def cross_grams(S: FloatArray, Z: FloatArray, scaling: Scaling, options: TransferOptions) -> CrossGrams:
    """Kernels between rows with standardised features S (k, p), Z (k, d) and the training rows of ``scaling``."""
    p, d = S.shape[1], Z.shape[1]
    # A length set for the parts is kept for both together: the features are divided by theirs, times the default.
    first = 1.0 if options.length_source is None else default_length(p) / options.length_source
    second = 1.0 if options.length_target is None else default_length(d) / options.length_target
    return CrossGrams(
        gram_matrix(options.kernel_source, S, scaling.S, options.length_source),
        gram_matrix(options.kernel_target, Z, scaling.Z, options.length_target),
        gram_matrix(
            options.kernel_target,
            np.hstack([S * first, Z * second]),
            np.hstack([scaling.S * first, scaling.Z * second]),
        ),
    )


def make_sets(
    S: Sequence[FloatArray],
    X: Sequence[FloatArray],
    y: Sequence[FloatArray],
    options: TransferOptions,
    sizes: Sequence[int] | None = None,
) -> TransferSets:
    """Standardise training sets of equal size and compute their Gram matrices, once for all methods and folds."""
    scalings = tuple(learn_scaling(*one, sizes) for one in zip(S, X, y, strict=True))
    grams = [cross_grams(one.S, one.Z, one, options) for one in scalings]
    return TransferSets(
        np.stack([one.source for one in grams]),
        np.stack([one.target for one in grams]),
        np.stack([one.both for one in grams]),
        np.stack([(values - own.y_mean) / own.y_sd for values, own in zip(y, scalings, strict=True)]),
        scalings,
    )


@dataclass(frozen=True, slots=True)
class Splits:
    """b divisions of training sets into m rows that train and t rows that are held out."""

    which: IntArray  # (b,) training set
    train: IntArray  # (b, m)
    test: IntArray  # (b, t)

    def within(self, K: FloatArray) -> FloatArray:
        """(b, m, m) parts of K (s, n, n) among training rows."""
        return np.asarray(K[self.which[:, None, None], self.train[:, :, None], self.train[:, None, :]])

    def across(self, K: FloatArray) -> FloatArray:
        """(b, t, m) parts of K (s, n, n) between held-out and training rows."""
        return np.asarray(K[self.which[:, None, None], self.test[:, :, None], self.train[:, None, :]])

    def pieces(self, most: int) -> Iterator["Splits"]:
        """Cut into pieces of at most ``most`` divisions."""
        for start in range(0, len(self.which), most):
            part = slice(start, start + most)
            yield Splits(self.which[part], self.train[part], self.test[part])


def divide(folds: IntArray) -> list[Splits]:
    """Return the divisions that ``folds`` (s, n) describe, those of equal sizes together; empty folds do not count."""
    found: dict[tuple[int, int], list[tuple[int, IntArray, IntArray]]] = {}
    for s, row in enumerate(folds):
        for fold in np.unique(row):
            test, train = np.flatnonzero(row == fold), np.flatnonzero(row != fold)
            if len(train):
                found.setdefault((len(train), len(test)), []).append((s, train, test))
    return [
        Splits(
            np.array([one[0] for one in members]),
            np.stack([one[1] for one in members]),
            np.stack([one[2] for one in members]),
        )
        for members in found.values()
    ]
