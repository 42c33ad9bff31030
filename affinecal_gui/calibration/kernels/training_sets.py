"""Training sets of equal size, standardised and with their Gram matrices, and how cross-validation divides them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.data.scale import DescriptorScale, centre_and_spread, learn_scale, sample_ratio, z_scores
from affinecal_gui.calibration.kernels.gram import default_length, gram_matrix
from affinecal_gui.calibration.kernels.methods import TransferOptions
from affinecal_gui.calibration.results import FloatArray


@dataclass(frozen=True, slots=True)
class Scaling:
    """The constants learned from one training set, and its standardised features."""

    source: DescriptorScale  # (p,)
    target: DescriptorScale  # (d,)
    y_mean: float
    y_sd: float  # 1 without variation
    S: FloatArray  # (n, p) standardised source features
    Z: FloatArray  # (n, d) standardised descriptors
    dimension: float  # of the descriptors, in which blocks with a factor count less or more
    weights: FloatArray | None = None  # (n,) of the rows; None: all count the same

    def grams(self, S: FloatArray, X: FloatArray, options: TransferOptions) -> "CrossGrams":
        """Kernels between k other rows, with raw features S (k, p) and X (k, d), and the training rows."""
        return cross_grams(self.source.apply(S), self.target.apply(X), self, options)


@dataclass(frozen=True, slots=True)
class CrossGrams:
    """Kernels between k rows and n training rows, each (k, n)."""

    source: FloatArray  # K1
    factor: FloatArray  # K2, of the same features
    target: FloatArray  # K3
    both: FloatArray
    S: FloatArray  # (k, p) standardised source features of the k rows


@dataclass(frozen=True, slots=True)
class TransferSets:
    """s training sets of n rows each."""

    source: FloatArray  # (s, n, n) Gram matrices of the source features, K1
    factor: FloatArray  # (s, n, n) with the kernel K2
    target: FloatArray  # (s, n, n) of the descriptors
    both: FloatArray  # (s, n, n) of both side by side
    y: FloatArray  # (s, n) standardised
    scalings: tuple[Scaling, ...]  # (s,)
    root: FloatArray | None = None  # (s, n) square roots of the weights of the rows; None: all count the same

    def gram(self, features: str) -> FloatArray:
        """Gram matrices of "source", "target" or "both"."""
        return {"source": self.source, "target": self.target, "both": self.both}[features]


def learn_scaling(
    S: FloatArray,
    X: FloatArray,
    y: FloatArray,
    sizes: Sequence[int] | None,
    factors: Sequence[float] = (),
    weights: FloatArray | None = None,
) -> Scaling:
    """Learn how one training set is standardised.

    Parameters
    ----------
    S, X, y
        (n, p), (n, d), (n,) source features, descriptors and target.
    sizes
        Block sizes of the descriptors, whose standard units then have a floor
        (:func:`affinecal_gui.calibration.data.scale.learn_scale`); None for plain z-scores, as published.
    factors
        One per block: the coordinates of a block are divided by its factor, and count for 1 / factor² of a dimension in
        the default length scale, so that a huge factor is the block switched off. Empty for 1.
    weights
        (n,) positive weights of the rows.
    """
    source = z_scores(S, weights)
    target = z_scores(X, weights) if sizes is None else learn_scale(X, sizes, weights)
    dimension = float(X.shape[1])
    if factors and sizes is not None:
        of_column = np.repeat(np.asarray(factors, dtype=np.float64), sizes)
        target = DescriptorScale(target.mean, target.scale * of_column)
        dimension = float(np.sum(of_column**-2.0))
    mean, spread = centre_and_spread(y[:, None], weights)
    sd = float(spread[0]) * sample_ratio(len(y), weights) or 1.0
    return Scaling(source, target, float(mean[0]), sd, source.apply(S), target.apply(X), dimension, weights)


def cross_grams(S: FloatArray, Z: FloatArray, scaling: Scaling, options: TransferOptions) -> CrossGrams:
    """Kernels between rows with standardised features S (k, p), Z (k, d) and the training rows of ``scaling``."""
    one, other, both = lengths(scaling, options)
    # A length set for the parts is kept for both together: the features are divided by theirs, times the default.
    first = 1.0 if options.length_source is None else default_length(S.shape[1]) / one
    second = 1.0 if options.length_target is None else default_length(scaling.dimension) / other
    source = gram_matrix(options.kernel_source, S, scaling.S, one)
    return CrossGrams(
        source,
        source if options.factor == options.kernel_source else gram_matrix(options.factor, S, scaling.S, one),
        gram_matrix(options.kernel_target, Z, scaling.Z, other),
        gram_matrix(
            options.kernel_target,
            np.hstack([S * first, Z * second]),
            np.hstack([scaling.S * first, scaling.Z * second]),
            both,
        ),
        S,
    )


def lengths(scaling: Scaling, options: TransferOptions) -> tuple[float, float, float]:
    """Return the length scales of the source features, of the descriptors, and of both side by side."""
    p = scaling.S.shape[1]
    return (
        default_length(p) if options.length_source is None else float(options.length_source),
        default_length(scaling.dimension) if options.length_target is None else float(options.length_target),
        default_length(p + scaling.dimension),
    )


def make_sets(
    S: Sequence[FloatArray],
    X: Sequence[FloatArray],
    y: Sequence[FloatArray],
    options: TransferOptions,
    sizes: Sequence[int] | None = None,
    *,
    factors: Sequence[float] = (),
    weights: Sequence[FloatArray] | None = None,
) -> TransferSets:
    """Standardise training sets of equal size and compute their Gram matrices, once for all methods and folds.

    ``factors`` are those of the descriptor blocks, ``weights`` those of the rows of every set: :func:`learn_scaling`.
    """
    of_rows: Sequence[FloatArray | None] = [None] * len(y) if weights is None else weights
    scalings = tuple(
        learn_scaling(source, target, values, sizes, factors, own)
        for source, target, values, own in zip(S, X, y, of_rows, strict=True)
    )
    grams = [cross_grams(one.S, one.Z, one, options) for one in scalings]
    source = np.stack([one.source for one in grams])
    return TransferSets(
        source,
        source if options.factor == options.kernel_source else np.stack([one.factor for one in grams]),
        np.stack([one.target for one in grams]),
        np.stack([one.both for one in grams]),
        np.stack([(values - own.y_mean) / own.y_sd for values, own in zip(y, scalings, strict=True)]),
        scalings,
        None if weights is None else np.sqrt(np.stack(weights)),
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

    def training(self, values: FloatArray | None) -> FloatArray | None:
        """(b, m) parts of values (s, n) of the training rows; None of None."""
        return None if values is None else np.asarray(values[self.which[:, None], self.train])

    def mean_squares(self, errors: FloatArray, root: FloatArray | None) -> FloatArray:
        """(b, g) mean squares of errors (b, g, t) of the held-out rows, weighted by the squares of ``root`` (s, n)."""
        if root is None:
            return np.asarray(np.mean(errors**2, axis=2))
        w = root[self.which[:, None], self.test] ** 2
        w = w / w.sum(axis=1, keepdims=True)
        return np.asarray(np.einsum("bgt,bt->bg", errors**2, w))

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
