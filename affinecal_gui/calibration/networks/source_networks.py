"""Networks for a property that all crystals have, of which the best are the sources of a transfer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.checking.paper_protocol import shuffled_split
from affinecal_gui.calibration.kernels.tasks import work_through
from affinecal_gui.calibration.networks.models import Alone, Model, predict
from affinecal_gui.calibration.networks.perceptron import Perceptron, Reals
from affinecal_gui.calibration.networks.training import Recipe, train
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.task import UNWATCHED, Task

LAYERS = 3  # hidden layers of a source network
NARROWEST, WIDEST = 50, 100  # their width, drawn from NARROWEST ... WIDEST - 1
SOURCE_RECIPE = Recipe(rate=1e-4, batch=8, l2=0.01)
MOST_EPOCHS, PATIENCE = 1000, 50
SOURCE_TEST = 0.2  # share of all crystals on which source networks are judged
HELD_OUT = 0.2  # share of their training crystals that says when to stop

Ints = NDArray[np.int64]

_TOGETHER = 4  # networks trained at a time: what they need should stay in a processor's cache


@dataclass(frozen=True, slots=True)
class Crystals:
    """What is known of N crystals."""

    descriptors: FloatArray  # (N, d)
    source: FloatArray  # (N,) positive, of all
    target: FloatArray  # (N,) positive, nan where unknown


@dataclass(frozen=True, slots=True)
class SourceNetworks:
    """The source networks that were kept, the best first."""

    numbers: tuple[int, ...]  # the seeds of their splits
    models: tuple[Alone, ...]
    learned: tuple[Reals, ...]  # each (1, size), single precision
    x: tuple[Reals, ...]  # of each, (n, d): the descriptors it was trained with
    y: tuple[Reals, ...]  # (n,) and the standardised logarithms of the source property
    recipe: Recipe  # how
    error: FloatArray  # (s,) RMSE on the crystals that they were tested on, in the unit of the source property
    trained: int  # how many they are the best of
    all_errors: FloatArray  # (trained,)
    epochs: Ints  # (trained,) when each stopped

    def only(self, place: int) -> "SourceNetworks":
        """Return the one at ``place``."""
        one = slice(place, place + 1)
        return replace(
            self,
            numbers=self.numbers[one],
            models=self.models[one],
            learned=self.learned[one],
            x=self.x[one],
            y=self.y[one],
            error=self.error[one],
        )


def standardised(values: FloatArray) -> FloatArray:
    """Z-scores of the columns (sample standard deviation)."""
    found: FloatArray = (values - values.mean(axis=0)) / values.std(axis=0, ddof=1)
    return found


def train_sources(
    crystals: Crystals, networks: int, keep: int, *, most_epochs: int = MOST_EPOCHS, task: Task = UNWATCHED
) -> SourceNetworks:
    """Train networks for ln SPS, each with a partition of its own, and keep those with the lowest error on its test part.

    Networks of the same width are trained together.
    """
    x = standardised(crystals.descriptors).astype(np.float32)
    log_sps = np.log(crystals.source)
    mean, sd = float(log_sps.mean()), float(log_sps.std(ddof=1))
    y = ((log_sps - mean) / sd).astype(np.float32)
    widths = [int(np.random.RandomState(number).randint(NARROWEST, WIDEST)) for number in range(networks)]
    stacks = [
        chunk
        for width in sorted(set(widths))
        for chunk in _chunks([number for number, one in enumerate(widths) if one == width], _TOGETHER)
    ]
    test = max(1, round(SOURCE_TEST * len(x)))

    def work(numbers: Sequence[int]) -> list[tuple[int, Alone, Reals, float, int]]:
        model = Alone(Perceptron((x.shape[1], *[widths[numbers[0]]] * LAYERS)))
        splits = [shuffled_split(len(x), len(x) - test, test, number) for number in numbers]
        known = int((len(x) - test) * (1.0 - HELD_OUT))
        learned = np.concatenate([model.start(np.random.default_rng(number)) for number in numbers]).astype(np.float32)
        rows = np.stack([training for training, _ in splits])
        kept, epochs = _train_until(
            model,
            learned,
            (x[rows[:, :known]],),
            y[rows[:, :known]],
            (x[rows[:, known:]],),
            y[rows[:, known:]],
            most_epochs,
            task,
        )
        tested = np.stack([held for _, held in splits])
        said = np.exp(predict(model, kept, (x[tested],)) * sd + mean)
        errors = np.sqrt(np.mean((said - crystals.source[tested]) ** 2, axis=1))
        return [
            (number, model, kept[place : place + 1].copy(), float(errors[place]), int(epochs[place]))
            for place, number in enumerate(numbers)
        ]

    found = [one for stack in work_through(work, stacks, 0, task, "Training source networks") for one in stack]
    by_number = sorted(found, key=lambda one: one[0])
    best = sorted(by_number, key=lambda one: one[3])[:keep]
    known_to = [shuffled_split(len(x), len(x) - test, test, one[0])[0] for one in best]
    return SourceNetworks(
        tuple(one[0] for one in best),
        tuple(one[1] for one in best),
        tuple(one[2] for one in best),
        tuple(x[rows] for rows in known_to),
        tuple(y[rows] for rows in known_to),
        SOURCE_RECIPE,
        np.array([one[3] for one in best]),
        networks,
        np.array([one[3] for one in by_number]),
        np.array([one[4] for one in by_number]),
    )


def _train_until(
    model: Model,
    learned: Reals,
    inputs: Sequence[Reals],
    y: Reals,
    held_inputs: Sequence[Reals],
    held_y: Reals,
    most_epochs: int,
    task: Task,
) -> tuple[Reals, Ints]:
    """Return what was learned when each network stopped (r, size), and the epoch (r,).

    A network stops when its error on the held-out rows has not fallen for :data:`PATIENCE` epochs; as published, what it
    has learned by then is kept, not what was best.
    """
    best, since = np.full(len(learned), np.inf), np.zeros(len(learned), dtype=np.int64)
    kept, stopped = learned.copy(), np.zeros(len(learned), dtype=np.int64)
    for epoch in train(model, learned, inputs, y, SOURCE_RECIPE, np.random.default_rng(0)):
        task.check()
        error = np.mean((predict(model, learned, held_inputs) - held_y) ** 2, axis=1)
        since = np.where(error < best, 0, since + 1)
        best = np.minimum(best, error)
        ends = (stopped == 0) & ((since >= PATIENCE) | (epoch >= most_epochs))
        kept[ends], stopped[ends] = learned[ends], epoch
        if stopped.all():
            break
    return kept, stopped


def _chunks(items: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    for at in range(0, len(items), size):
        yield items[at : at + size]
