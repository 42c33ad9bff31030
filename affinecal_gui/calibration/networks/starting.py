"""Where the methods start that go on training a source network: as it is, pruned (PAC-Net), or made easy to adapt (MAML)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.networks.candidates import MAML, PAC_NET, NeuralMethod, WarmStart
from affinecal_gui.calibration.networks.models import Model
from affinecal_gui.calibration.networks.perceptron import Reals
from affinecal_gui.calibration.networks.source_networks import SourceNetworks
from affinecal_gui.calibration.networks.training import Adam, Recipe, train
from affinecal_gui.task import UNWATCHED, Task

PRUNED = 0.1
"""Share of the weights that PAC-Net gives to the target: those nearest zero."""

RETRAINED = 50
"""Most epochs for which what is left is trained again, on the source."""


@dataclass(frozen=True, slots=True)
class Adapting:
    """How MAML looks for weights that few steps adapt to a new task (Finn, Abbeel and Levine, 2017), to first order.

    Each round draws tasks, takes some steps of plain gradient descent on the support rows of each, and moves the weights
    along the mean of the gradients by the adapted weights on the query rows. The derivative of the adaptation itself, a
    matrix of second derivatives, is taken for one: that is the first-order variant.
    """

    rounds: int = 200
    tasks: int = 4
    support: int = 20
    query: int = 20
    steps: int = 5
    inner_rate: float = 0.01
    rate: float = 1e-4


def starts_of(
    method: NeuralMethod, sources: SourceNetworks, *, most_epochs: int = RETRAINED, task: Task = UNWATCHED
) -> list[WarmStart]:
    """Return what a method that goes on training the source networks starts from; of other methods nothing."""
    if method.uses != "weights":
        return []
    found = []
    for model, learned, x, y, number in zip(
        sources.models, sources.learned, sources.x, sources.y, sources.numbers, strict=True
    ):
        task.check()
        if method == PAC_NET:
            found.append(pruned(model, learned, x, y, sources.recipe, min(RETRAINED, most_epochs), number))
        elif method == MAML:
            adapting = Adapting(rounds=min(Adapting().rounds, 4 * most_epochs))
            found.append(WarmStart(adaptable(model, learned, x, y, adapting, number)))
        else:
            found.append(WarmStart(learned))
    return found


def pruned(model: Model, learned: Reals, x: Reals, y: Reals, recipe: Recipe, epochs: int, seed: int) -> WarmStart:
    """Set the weights nearest zero to zero, train the others again on the source, and leave the former to the target.

    Parameters
    ----------
    model, learned
        The source network, (1, size).
    x, y
        (n, inputs) and (n,) or (n, outputs) what it was trained with.
    recipe, epochs, seed
        How and how long the others are trained again.
    """
    weights = np.flatnonzero(model.is_weight)
    order = np.argsort(np.abs(learned[0, weights]), kind="stable")
    given = weights[order[: int(PRUNED * len(weights))]]
    free = np.zeros_like(learned)
    free[0, given] = 1.0
    left = learned * (1.0 - free)
    steps = train(model, left, (x[None],), y[None], recipe, np.random.default_rng(seed), free=1.0 - free)
    for epoch in steps if epochs else ():
        if epoch == epochs:
            break
    return WarmStart(left, free)


def adaptable(model: Model, learned: Reals, x: Reals, y: Reals, how: Adapting, seed: int) -> Reals:
    """Return weights (1, size) that adapt to a few rows, starting from ``learned``.

    Tasks are random samples of the rows, of one column of ``y``, which is (n,) or (n, tasks).
    """
    kinds = y.reshape(len(y), -1)
    generator = np.random.default_rng(seed)
    found = learned.copy()
    adam = Adam(found, Recipe(rate=how.rate))
    adapted = np.empty((how.tasks, learned.shape[1]), dtype=learned.dtype)
    gradient = np.empty_like(adapted)
    run = model.bind(adapted, gradient)
    support = min(how.support, len(y) // 2)
    query = min(how.query, len(y) - support)

    def slope(rows: NDArray[np.int64], kind: NDArray[np.int64]) -> None:
        outputs, back = run((x[rows],), None)
        back((outputs - kinds[rows, kind]) * learned.dtype.type(2.0 / rows.shape[1]))

    for _ in range(how.rounds):
        rows = np.stack([generator.permutation(len(y))[: support + query] for _ in range(how.tasks)])
        kind = generator.integers(kinds.shape[1], size=(how.tasks, 1))
        adapted[...] = found
        for _ in range(how.steps):
            slope(rows[:, :support], kind)
            adapted -= learned.dtype.type(how.inner_rate) * gradient
        slope(rows[:, support:], kind)
        adam.step(gradient.mean(axis=0, keepdims=True) * learned.dtype.type(adam.unit))
    return found
