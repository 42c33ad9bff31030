"""Training of stacked models: Adam on small batches, the same batches and the same dropout for all models of a stack.

The models of a stack differ in their data, or in where they start, and share what chance decides during the training. So
what becomes of one model does not depend on the others that happened to be trained beside it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from scipy.linalg.blas import get_blas_funcs

from affinecal_gui.calibration.networks.models import Batches, Model
from affinecal_gui.calibration.networks.perceptron import Reals

Slope = Callable[[Reals, Reals], Reals]
"""Gradient of the loss of each row by its output, from outputs and measured values."""


def squared_slope(outputs: Reals, y: Reals) -> Reals:
    """Gradient of the squared error of each row."""
    return 2.0 * (outputs - y)


_LARGEST_UNIT = 1e4


@dataclass(frozen=True, slots=True)
class Recipe:
    """How models are trained; the defaults are those of the published program where it has none of its own.

    The loss of a batch is the mean loss of its rows + l2 Σ w² over the weights + l1 Σ |w| over some of them.
    """

    rate: float = 1e-3  # step size of Adam
    batch: int = 2  # rows of a step
    l2: float = 0.01
    dropout: float = 0.0  # share of the hidden units that each step leaves out
    l1: float = 0.0  # of the numbers that ``train`` is told
    decay: tuple[float, float] = (0.9, 0.999)  # of Adam's means of gradients and of their squares
    epsilon: float = 1e-7
    optimiser: Literal["adam", "adagrad"] = "adam"


class Adam:
    """Adam (Kingma and Ba, 2015) on an array in place, in as few passes over it as may be.

    Both means are kept in units that grow with time, in which that of the squares need not decay: gradients are handed over
    times :attr:`unit`. The ε against division by zero is where the mean of the squares starts, and fades with it.

    A penalty on absolute values is not part of the gradient: each step ends in its proximal map, in the metric of the step,
    so that numbers become exactly zero and stay it.
    """

    def __init__(self, learned: Reals, recipe: Recipe) -> None:
        self._learned, self._recipe = learned, recipe
        self._add = adder(learned)
        # Sums of gradients and of their squares without the factors 1 - decay, which the step has instead.
        self._sum = np.zeros_like(learned)
        self._squares = np.full_like(learned, recipe.epsilon**2 / (1.0 - recipe.decay[1]))
        self._steps = 0
        self.unit = recipe.decay[1] ** -0.5
        """What the next gradient is to be multiplied by."""

    def step(self, gradient: Reals, sparse: slice | None = None) -> None:
        """Take a step along ``gradient``, times :attr:`unit`, which is written over."""
        recipe, kind = self._recipe, self._learned.dtype.type
        first, second = recipe.decay
        self._steps += 1
        self._sum *= kind(first / np.sqrt(second))
        self._sum += gradient
        gradient *= gradient
        self._squares += gradient
        rate = recipe.rate * np.sqrt((1.0 - second**self._steps) / (1.0 - second))
        np.sqrt(self._squares, out=gradient)
        reach = None if sparse is None else kind(rate * recipe.l1 * self.unit) / gradient[:, sparse]
        np.divide(self._sum, gradient, out=gradient)
        self._add(self._learned, gradient, -rate * (1.0 - first) / (1.0 - first**self._steps))
        if reach is not None:
            part = self._learned[:, sparse]
            part[...] = np.sign(part) * np.maximum(np.abs(part) - reach, kind(0.0))
        self.unit *= second**-0.5
        if self.unit > _LARGEST_UNIT:
            self._sum *= kind(1.0 / self.unit)
            self._squares *= kind(self.unit**-2)
            self.unit = 1.0


class Adagrad:
    """Adagrad (Duchi, Hazan and Singer, 2011) on an array in place: steps over the root of all squares so far."""

    unit = 1.0  # what gradients are to be multiplied by

    def __init__(self, learned: Reals, recipe: Recipe) -> None:
        self._learned, self._rate = learned, recipe.rate
        self._add = adder(learned)
        self._squares = np.full_like(learned, recipe.epsilon)

    def step(self, gradient: Reals, sparse: slice | None = None) -> None:
        """Take a step along ``gradient``, which is written over; a penalty on absolute values is Adam's alone."""
        self._squares += gradient * gradient
        gradient /= np.sqrt(self._squares)
        self._add(self._learned, gradient, -self._rate)


def adder(like: Reals) -> Callable[[Reals, Reals, float], None]:
    """Return the function that adds a multiple of an array to another in one pass, where NumPy makes two."""
    axpy = get_blas_funcs("axpy", dtype=like.dtype)

    def add(to: Reals, what: Reals, times: float) -> None:
        axpy(what.reshape(-1), to.reshape(-1), a=times)

    return add


def train(
    model: Model,
    learned: Reals,
    inputs: Sequence[Reals | Batches],
    y: Reals,
    recipe: Recipe,
    generator: np.random.Generator,
    *,
    slope: Slope = squared_slope,
    sparse: slice | None = None,
    towards: Reals | None = None,
    free: Reals | None = None,
) -> Iterator[int]:
    """Train ``learned`` (r, size) in place; after each epoch its number, from 1, is yielded, and whoever asks may stop.

    Parameters
    ----------
    model
        The shape of all models of the stack.
    learned
        Where they start; single or double precision, which all arrays share.
    inputs, y
        Of each model, (r, n, ...) and (r, n), or (r, n, outputs); inputs that all models share may be (1, n, ...).
    recipe
        Step size, batches, penalties, dropout.
    generator
        Draws the order of the rows of each epoch and what dropout leaves, the same for all models.
    slope
        Gradient of the loss of a row by the output.
    sparse
        The numbers that ``recipe.l1`` is for.
    towards
        (r, size) what ``recipe.l2`` draws everything learned towards, biases too (L2-SP); None for weights towards zero.
    free
        (r, size) or (1, size) 1 where a number may change, else 0; None for all.
    """
    rows = y.shape[1]
    gradient = np.empty_like(learned)
    run = model.bind(learned, gradient)
    adam = Adam(learned, recipe) if recipe.optimiser == "adam" else Adagrad(learned, recipe)
    add = adder(learned)
    biases = np.flatnonzero(~model.is_weight)
    masked = partial(model.masks, generator, recipe.dropout)
    epoch = 0
    while True:
        order = generator.permutation(rows)
        for at in range(0, rows, recipe.batch):
            chosen = order[at : at + recipe.batch]
            outputs, back = run([x[:, chosen] for x in inputs], masked(len(chosen)) if recipe.dropout else None)
            unit = adam.unit
            back(slope(outputs, y[:, chosen]) * learned.dtype.type(unit / len(chosen)))
            if recipe.l2:
                # Added to everything, and taken from the few biases again: that is quicker than to choose.
                pull = 2.0 * recipe.l2 * unit
                add(gradient, learned, pull)
                if towards is None:
                    gradient[:, biases] -= learned.dtype.type(pull) * learned[:, biases]
                else:
                    add(gradient, towards, -pull)
            if free is not None:
                gradient *= free
            adam.step(gradient, sparse if recipe.l1 else None)
        epoch += 1
        yield epoch
