"""Fits one affine model of networks to measured values: several starts, each ended where the held-out loss was lowest."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from affinecal_gui.calibration.data.scale import DescriptorScale, z_scores
from affinecal_gui.calibration.networks.models import Affine, predict, sigmoid
from affinecal_gui.calibration.networks.perceptron import Perceptron, Reals
from affinecal_gui.calibration.networks.training import Recipe, Slope, squared_slope, train
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.threads import one_thread_each

Loss = Literal["squared", "logistic"]


@dataclass(frozen=True, slots=True)
class NetworkOptions:
    """What an affine model of networks is, and how it is fitted."""

    loss: Loss = "squared"
    factor: Literal["free", "positive"] = "free"  # of g2: any number, or 1 / (1 + exp(-u))
    hidden_source: int = 16  # width of the hidden layer of g1 and of g2; 0: linear
    hidden_target: int = 0  # of g3; 0: linear
    l1: float = 0.0  # on the weights of the first layer of g3
    l2: float = 0.01
    dropout: float = 0.0
    rate: float = 0.003
    batch: int = 32
    most_epochs: int = 500
    patience: int = 30  # epochs without a lower held-out loss after which a start ends
    held_out: float = 0.2  # share of the rows
    starts: int = 5
    seed: int = 0


class BatchRows:
    """Descriptors, or sparse counts, that hand out the rows of a batch as networks take them."""

    def __init__(self, values: Any, scale: DescriptorScale | None, kind: type[np.floating[Any]]) -> None:
        """Take ``values`` (n, d), an array, or a sparse matrix, which is not standardised."""
        self._kind = kind
        self._values = values if scale is None or issparse(values) else scale.apply(values)

    def __getitem__(self, place: tuple[slice, Any]) -> Reals:
        """(1, b, d) the rows ``place[1]``."""
        rows: Any = self._values[place[1]]
        found: Reals = np.asarray(rows if isinstance(rows, np.ndarray) else rows.toarray(), dtype=self._kind)[None]
        return found

    def take(self, rows: NDArray[np.int64]) -> "BatchRows":
        """Return a table of some rows."""
        return BatchRows(self._values[rows], None, self._kind)

    @property
    def whole(self) -> Reals:
        """(1, n, d) all rows."""
        return self[:, :]


@dataclass(frozen=True, slots=True)
class AffineNetwork:
    """A fitted model: ``y = g1(f) + g2(f) g3(x)``, of which classes are told apart by the sign."""

    model: Affine
    learned: Reals  # (1, size)
    source: DescriptorScale  # (p,)
    target: DescriptorScale | None  # (d,); None for counts, which are used as they are
    y_mean: float
    y_sd: float
    losses: (
        FloatArray  # (starts,) lowest held-out loss of each start, in units of the variance of y where it is squared
    )
    epochs: FloatArray  # (starts,) where it was
    converged: bool  # the start that was kept ended by patience, not because the epochs did

    def terms(self, S: FloatArray, X: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(k,) each: g1 and g3 in the unit of y, g2 without one; their mean, y_mean, is part of g1."""
        g1, g2, g3 = (part[0].astype(np.float64) for part in self.model.terms(self.learned, self._inputs(S, X)))
        return g1 * self.y_sd + self.y_mean, g2, g3 * self.y_sd

    def predict(self, S: FloatArray, X: Any) -> FloatArray:
        """(k,) predictions; of a logistic loss the logarithm of the odds."""
        found: FloatArray = predict(self.model, self.learned, self._inputs(S, X))[0] * self.y_sd + self.y_mean
        return found.astype(np.float64)

    @property
    def coefficients(self) -> FloatArray | None:
        """(d,) of a linear g3, in the unit of y per unit of x; None of another."""
        if self.model.target.widths[1:]:
            return None
        weights = self.model.target.parts(self.model.split(self.learned)[1])[0][0][0, 0, :, 0].astype(np.float64)
        found: FloatArray = weights * self.y_sd / (1.0 if self.target is None else self.target.scale)
        return found

    def _inputs(self, S: FloatArray, X: Any) -> tuple[Reals, Reals]:
        kind = self.learned.dtype.type
        return self.source.apply(S).astype(kind)[None], BatchRows(X, self.target, kind).whole


def fit_affine_network(
    S: FloatArray,
    X: Any,
    y: FloatArray,
    options: NetworkOptions,
    *,
    scaled: bool = True,
    task: Task = UNWATCHED,
) -> AffineNetwork:
    """Fit.

    Parameters
    ----------
    S
        (n, p) source features.
    X
        (n, d) descriptors, or counts as a sparse matrix, which are not standardised.
    y
        (n,) measured values, or classes 0 and 1.
    options
        The model and its training.
    scaled
        Whether descriptors are standardised.

    Raises
    ------
    ValueError
        The loss has no bound: the step is too large for these values.
    Cancelled
        When asked to stop.
    """
    kind: type[np.floating[Any]] = np.float32 if issparse(X) else np.float64
    generator = np.random.default_rng(options.seed)
    source = z_scores(S)
    target = None if issparse(X) or not scaled else z_scores(X)
    logistic = options.loss == "logistic"
    mean = 0.0 if logistic else float(y.mean())
    sd = 1.0 if logistic else float(y.std()) or 1.0
    model = Affine(
        Perceptron((S.shape[1], *_hidden(options.hidden_source)), heads=2),
        Perceptron((X.shape[1], *_hidden(options.hidden_target))),
        options.factor,
    )
    order = generator.permutation(len(y))
    held = min(max(1, round(options.held_out * len(y))), len(y) - 1)
    told, asked = order[held:], order[:held]
    features: Reals = source.apply(S).astype(kind)
    table = BatchRows(X, target, kind)
    values: Reals = ((y - mean) / sd).astype(kind)
    learned: Reals = model.start(generator, options.starts).astype(kind)
    held_out = features[asked][None], table.take(asked).whole
    recipe = Recipe(options.rate, min(options.batch, len(told)), options.l2, options.dropout, options.l1)
    first = model.target.layers[0]
    begin = model.source.size
    steps = train(
        model,
        learned,
        (features[told][None], table.take(told)),
        np.repeat(values[told][None], options.starts, axis=0),
        recipe,
        generator,
        slope=_SLOPES[options.loss],
        sparse=slice(begin, begin + first[0] * first[1]) if options.l1 else None,
    )
    best, since = np.full(options.starts, np.inf), np.zeros(options.starts, dtype=np.int64)
    kept, at = learned.copy(), np.zeros(options.starts)
    with one_thread_each(options.batch):
        for epoch in steps:
            task.check()
            task.report(epoch / options.most_epochs, "Training networks")
            loss = _loss(options.loss, predict(model, learned, held_out), values[asked])
            if not np.isfinite(loss).any():
                raise ValueError("The training of the network diverges: choose a smaller learning rate.")
            better = loss < best
            kept[better], at[better] = learned[better], epoch
            best, since = np.where(better, loss, best), np.where(better, 0, since + 1)
            if epoch >= options.most_epochs or np.all(since >= options.patience):
                break
    winner = int(np.argmin(best))
    return AffineNetwork(
        model,
        kept[winner : winner + 1],
        source,
        target,
        mean,
        sd,
        best,
        at,
        bool(since[winner] >= options.patience),
    )


def _hidden(width: int) -> Sequence[int]:
    return (width,) if width else ()


def _logistic_slope(outputs: Reals, y: Reals) -> Reals:
    return sigmoid(outputs) - y


_SLOPES: dict[Loss, Slope] = {"squared": squared_slope, "logistic": _logistic_slope}


def _loss(kind: Loss, outputs: Reals, y: Reals) -> FloatArray:
    """(r,) mean loss of each start."""
    if kind == "squared":
        found: FloatArray = np.mean((outputs - y) ** 2, axis=1, dtype=np.float64)
        return found
    # ln(1 + exp(-z)) of the margin z, without overflow.
    margin = np.where(y > 0.5, outputs, -outputs).astype(np.float64)
    losses: FloatArray = np.mean(np.maximum(-margin, 0.0) + np.log1p(np.exp(-np.abs(margin))), axis=1)
    return losses
