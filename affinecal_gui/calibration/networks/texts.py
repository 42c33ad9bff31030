"""Scores or classes of texts from embeddings and counts of phrases: the affine model of networks beside linear ones.

The model is that of the paper's review scores: ``y = g1(f) + g2(f) g3(x)`` with networks g1 and g2 of the embedding, g2
positive, and g3 linear in the counts with a penalty on absolute values, whose coefficients are read as phrases.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from time import thread_time
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.linalg import LinearOperator, lsqr

from affinecal_gui.calibration.data.scale import z_scores
from affinecal_gui.calibration.networks.fitting import AffineNetwork, Loss, NetworkOptions, fit_affine_network
from affinecal_gui.calibration.networks.source_networks import Ints
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.threads import one_thread_each

HELD_OUT = 0.2
"""Share of the texts that is predicted."""

FEWEST = 25
"""Texts; of fewer there would be less than four to choose the penalties with."""

PAPER_L1 = 0.01
L1_CHOICES = (PAPER_L1, 0.003, 0.001)
"""Penalties on the phrases: the published one, and lower ones, which a logistic loss wants."""

L2_CHOICES = (0.01, 0.001)
"""Penalties on the squares of all weights: many numbers in an embedding of few texts want the larger one."""

STARTS = 3

RIDGE_CHOICES = tuple(float(one) for one in np.logspace(-1.0, 4.0, 6))
"""Penalties of ridge regression on standardised embeddings and counts as they are."""

AFFINE, EMBEDDINGS, BOTH, NOTHING = "affine", "ridge_embeddings", "ridge_both", "mean"
TEXT_METHODS = {
    AFFINE: "Affine transfer with networks",
    EMBEDDINGS: "Ridge regression, embeddings",
    BOTH: "Ridge regression, embeddings and counts",
    NOTHING: "The mean alone",
}


@dataclass(frozen=True, slots=True)
class TextData:
    """What is known of n texts."""

    embeddings: FloatArray  # (n, p)
    counts: csr_array  # (n, d)
    y: FloatArray  # (n,) scores, or classes 0 and 1
    loss: Loss


@dataclass(frozen=True, slots=True)
class TextErrors:
    """How a method did: RMSE of scores, or the share of texts that were put into the wrong class."""

    error: FloatArray  # (partitions,)
    chosen: FloatArray  # (partitions,) penalties
    seconds: float = field(compare=False)  # of processor time


@dataclass(frozen=True, slots=True)
class TextPartition:
    """One partition: who was predicted, and what the affine model said of them."""

    held: Ints  # (k,)
    network: AffineNetwork
    terms: tuple[FloatArray, FloatArray, FloatArray]  # (k,) each: g1, g2, g3
    mean_factor: float  # mean of g2 over the texts that were fitted


@dataclass(frozen=True, slots=True)
class TextBenchmark:
    """Errors of every method on the same held-out texts, and the phrases."""

    methods: Mapping[str, TextErrors]
    partitions: tuple[TextPartition, ...]

    @property
    def coefficients(self) -> FloatArray:
        """(partitions, d) of g3, in the unit of y, or of the logarithm of the odds, for each further count."""
        return np.stack([_coefficients(one.network) for one in self.partitions])


def _coefficients(network: AffineNetwork) -> FloatArray:
    found = network.coefficients
    if found is None:
        raise ValueError("g3 is not linear")
    return found


def run_texts(
    data: TextData,
    *,
    repetitions: int = 1,
    options: NetworkOptions | None = None,
    task: Task = UNWATCHED,
) -> TextBenchmark:
    """Fit every method to four fifths of the texts and predict the others, for one or more random partitions.

    Parameters
    ----------
    data
        At least :data:`FEWEST` texts.
    repetitions
        Random partitions.
    options
        Of the networks; the loss is that of the data, g2 positive, g3 linear, and the penalties are chosen
        among :data:`L1_CHOICES` and :data:`L2_CHOICES` by the rows that networks hold out.

    Raises
    ------
    ValueError
        The training of the networks diverges.
    Cancelled
        When asked to stop.
    """
    how = replace(options or NetworkOptions(starts=STARTS), loss=data.loss, factor="positive", hidden_target=0)
    # Batches are small: the threads of the linear algebra library would only wait for one another.
    with one_thread_each(0):
        return _run(data, repetitions, how, task)


def _run(data: TextData, repetitions: int, how: NetworkOptions, task: Task) -> TextBenchmark:
    errors: dict[str, list[tuple[float, float]]] = {key: [] for key in TEXT_METHODS}
    seconds = dict.fromkeys(TEXT_METHODS, 0.0)
    partitions = []
    for seed in range(repetitions):
        part = task.part(seed / repetitions, (seed + 1) / repetitions)
        order = np.random.default_rng(seed).permutation(len(data.y))
        size = max(1, round(HELD_OUT * len(order)))
        held, told = order[:size], order[size:]

        begun = thread_time()
        network, chosen = _choose_network(data, told, how, part)
        terms = network.terms(data.embeddings[held], data.counts[held])
        seconds[AFFINE] += thread_time() - begun
        factor = float(network.terms(data.embeddings[told], data.counts[told])[1].mean())
        partitions.append(TextPartition(held, network, terms, factor))
        errors[AFFINE].append((_error(data, held, terms[0] + terms[1] * terms[2]), chosen))

        for key, tables in ((EMBEDDINGS, False), (BOTH, True)):
            begun = thread_time()
            said, penalty = _ridge(data, told, held, counts=tables, task=part.silent)
            seconds[key] += thread_time() - begun
            errors[key].append((_error(data, held, said), penalty))
        mean = np.full(len(held), data.y[told].mean() - (0.5 if data.loss == "logistic" else 0.0))
        errors[NOTHING].append((_error(data, held, mean), np.nan))
    return TextBenchmark(
        {
            key: TextErrors(
                np.array([one for one, _ in found]), np.array([chosen for _, chosen in found]), seconds[key]
            )
            for key, found in errors.items()
        },
        tuple(partitions),
    )


def _choose_network(data: TextData, told: Ints, how: NetworkOptions, task: Task) -> tuple[AffineNetwork, float]:
    """Return the network with the lowest loss on the rows that it holds out, and its penalty on the phrases."""
    found: list[tuple[float, float, AffineNetwork]] = []
    grid = list(product(L1_CHOICES, L2_CHOICES))
    for place, (l1, l2) in enumerate(grid):
        part = task.part(place / len(grid), (place + 1) / len(grid))
        network = fit_affine_network(
            data.embeddings[told], data.counts[told], data.y[told], replace(how, l1=l1, l2=l2), task=part
        )
        found.append((float(network.losses.min()), l1, network))
    _, chosen, best = min(found, key=lambda one: one[0])
    return best, chosen


def _error(data: TextData, held: Ints, said: FloatArray) -> float:
    """RMSE of scores, or the share of wrong classes: those that ``said``, positive for class 1, has on the other side."""
    if data.loss == "squared":
        return float(np.sqrt(np.mean((said - data.y[held]) ** 2)))
    return float(np.mean((said > 0.0) != (data.y[held] > 0.5)))


def _ridge(data: TextData, told: Ints, held: Ints, *, counts: bool, task: Task) -> tuple[FloatArray, float]:
    """Return what ridge regression says of the held-out texts, and its penalty, chosen on a fifth of the others.

    Classes are regressed as ±½: the sign says which.
    """
    y = data.y - 0.5 if data.loss == "logistic" else data.y
    size = max(1, round(HELD_OUT * len(told)))
    asked, known = told[:size], told[size:]
    errors = []
    for penalty in RIDGE_CHOICES:
        task.check()
        said = _fit_ridge(data, known, y, penalty, counts=counts)(asked)
        errors.append(float(np.mean((said - y[asked]) ** 2)))
    best = RIDGE_CHOICES[int(np.argmin(errors))]
    return _fit_ridge(data, told, y, best, counts=counts)(held), best


def _fit_ridge(
    data: TextData, rows: Ints, y: FloatArray, penalty: float, *, counts: bool
) -> Callable[[Ints], FloatArray]:
    """Minimise ``‖y − Zb − Xc − d‖² + penalty (‖b‖² + ‖c‖²)`` and return the function that predicts rows.

    Z are the standardised embeddings, X the counts, which stay sparse: conjugate gradients need products with them alone.
    """
    scale = z_scores(data.embeddings[rows])
    Z = scale.apply(data.embeddings[rows])
    p = Z.shape[1]
    X = data.counts[rows] if counts else csr_array((len(rows), 0))
    mean = np.concatenate([np.zeros(p), np.asarray(X.mean(axis=0)).ravel() if counts else np.zeros(0)])

    def forward(v: Any) -> FloatArray:
        found: FloatArray = Z @ v[:p] + X @ v[p:] - mean @ v
        return found

    def backward(u: Any) -> FloatArray:
        found: FloatArray = np.concatenate([Z.T @ u, X.T @ u]) - mean * u.sum()
        return found

    centre = float(y[rows].mean())
    shape = len(rows), p + X.shape[1]
    operator = LinearOperator(shape, matvec=forward, rmatvec=backward, dtype=np.float64)
    v = lsqr(operator, y[rows] - centre, damp=float(np.sqrt(penalty)), atol=1e-8, btol=1e-8, iter_lim=1000)[0]

    def predict(asked: Ints) -> FloatArray:
        found: FloatArray = scale.apply(data.embeddings[asked]) @ v[:p] + centre - mean @ v
        if counts:
            found = found + data.counts[asked] @ v[p:]
        return found

    return predict


def phrases_of(coefficients: FloatArray, names: Sequence[str]) -> list[tuple[str, float, int]]:
    """Return phrase, mean coefficient and in how many partitions it is not zero, of those with any, the largest first.

    Parameters
    ----------
    coefficients
        (partitions, d).
    names
        (d,) the phrases.
    """
    mean, often = coefficients.mean(axis=0), np.count_nonzero(coefficients, axis=0)
    order = np.argsort(-np.abs(mean), kind="stable")
    return [(names[place], float(mean[place]), int(often[place])) for place in order if often[place]]
