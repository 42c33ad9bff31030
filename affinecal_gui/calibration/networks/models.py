"""What is made of perceptrons: one alone, or the affine combination ``y = g1(f) + g2(f) g3(x)`` of three, learned together.

A model knows its inputs, a tuple of arrays (r, n, ...) or (1, n, ...), and nothing of how it is trained.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.networks.perceptron import Perceptron, Reals


class Batches(Protocol):
    """What is not an array, but hands out rows as one does: ``[:, rows]`` is an array (1, b, ...)."""

    def __getitem__(self, place: tuple[slice, Any], /) -> Reals: ...


Inputs = Sequence[Reals]
Masks = Sequence[Sequence[Reals] | None]
Back = Callable[[Reals], None]
"""Takes the gradient of the loss by the outputs (r, n) and writes that by everything learned."""


class Model(Protocol):
    """What training needs of a model; ``learned`` are arrays (r, size)."""

    @property
    def size(self) -> int:
        """How many numbers are learned."""

    @property
    def is_weight(self) -> NDArray[np.bool_]:
        """(size,) which of the numbers are weights, not biases."""

    def start(self, generator: np.random.Generator, count: int = 1) -> NDArray[np.float64]:
        """(count, size) random numbers to start from."""

    def masks(self, generator: np.random.Generator, dropout: float, rows: int) -> Masks:
        """Draw what dropout leaves in each perceptron, the same for all models of a stack."""

    def bind(self, learned: Reals, gradient: Reals) -> Callable[[Inputs, Masks | None], tuple[Reals, Back]]:
        """Return the function from inputs to outputs (r, n) and the way back, which writes to ``gradient``."""


def predict(model: Model, learned: Reals, inputs: Inputs) -> Reals:
    """(r, n) outputs of the models ``learned`` (r, size), without dropout."""
    outputs, _ = model.bind(learned, learned)(inputs, None)
    return outputs


@dataclass(frozen=True)
class Alone:
    """One perceptron of one input: no transfer, or feature extraction, or the network of the source."""

    perceptron: Perceptron

    @property
    def size(self) -> int:
        """How many numbers are learned."""
        return self.perceptron.size

    @property
    def is_weight(self) -> NDArray[np.bool_]:
        """(size,) which of the numbers are weights."""
        return self.perceptron.is_weight

    def start(self, generator: np.random.Generator, count: int = 1) -> NDArray[np.float64]:
        """(count, size) random numbers to start from."""
        return self.perceptron.start(generator, count)

    def masks(self, generator: np.random.Generator, dropout: float, rows: int) -> Masks:
        """Draw what dropout leaves."""
        return (self.perceptron.masks(generator, dropout, rows),)

    def bind(self, learned: Reals, gradient: Reals) -> Callable[[Inputs, Masks | None], tuple[Reals, Back]]:
        """Return the function from inputs to outputs and the way back."""
        net = self.perceptron
        parts, slopes = net.parts(learned), net.parts(gradient)

        def run(inputs: Inputs, masks: Masks | None) -> tuple[Reals, Back]:
            out, tape = net.forward(parts, inputs[0], None if masks is None else masks[0])
            return out[:, 0], lambda above: net.backward(parts, tape, above[:, None], slopes)

        return run


@dataclass(frozen=True)
class Affine:
    """``y = g1(f) + g2(f) g3(x)``; inputs are the source features f and the descriptors x.

    Parameters
    ----------
    source
        The shape of g1 and of g2, which read f side by side: a perceptron of two heads.
    target
        The shape of g3, which reads x.
    factor
        What is made of the output u of the second head: "free" is g2 = u, as published for conductivities; "positive" is
        g2 = 1 / (1 + exp(-u)), as published for texts, so that the sign of g3 can be read.
    """

    source: Perceptron
    target: Perceptron
    factor: Literal["free", "positive"] = "free"

    @cached_property
    def size(self) -> int:
        """How many numbers are learned; those of g1 and g2 come first."""
        return self.source.size + self.target.size

    @cached_property
    def is_weight(self) -> NDArray[np.bool_]:
        """(size,) which of the numbers are weights."""
        return np.concatenate([self.source.is_weight, self.target.is_weight])

    def start(self, generator: np.random.Generator, count: int = 1) -> NDArray[np.float64]:
        """(count, size) random numbers to start from."""
        return np.concatenate([self.source.start(generator, count), self.target.start(generator, count)], axis=1)

    def masks(self, generator: np.random.Generator, dropout: float, rows: int) -> Masks:
        """Draw what dropout leaves in g1 and g2, and in g3."""
        return tuple(net.masks(generator, dropout, rows) for net in (self.source, self.target))

    def split(self, learned: Reals) -> tuple[Reals, Reals]:
        """Return the numbers of g1 and g2, and those of g3, as views."""
        return learned[:, : self.source.size], learned[:, self.source.size :]

    def terms(self, learned: Reals, inputs: Inputs) -> tuple[Reals, Reals, Reals]:
        """(r, n) each: g1, g2 and g3, without dropout."""
        sources, targets = self.split(learned)
        heads, _ = self.source.forward(self.source.parts(sources), inputs[0])
        other, _ = self.target.forward(self.target.parts(targets), inputs[1])
        return heads[:, 0], self._factor(heads[:, 1]), other[:, 0]

    def _factor(self, u: Reals) -> Reals:
        return sigmoid(u) if self.factor == "positive" else u

    def bind(self, learned: Reals, gradient: Reals) -> Callable[[Inputs, Masks | None], tuple[Reals, Back]]:
        """Return the function from inputs to outputs and the way back."""
        source, target = self.source, self.target
        of_source, of_target = (
            net.parts(part) for net, part in zip((source, target), self.split(learned), strict=True)
        )
        to_source, to_target = (
            net.parts(part) for net, part in zip((source, target), self.split(gradient), strict=True)
        )

        def run(inputs: Inputs, masks: Masks | None) -> tuple[Reals, Back]:
            of_heads, of_other = (None, None) if masks is None else masks
            heads, tape = source.forward(of_source, inputs[0], of_heads)
            other, other_tape = target.forward(of_target, inputs[1], of_other)
            g2, g3 = self._factor(heads[:, 1]), other[:, 0]

            def back(above: Reals) -> None:
                by_factor = above * g3
                if self.factor == "positive":
                    by_factor *= g2 * (1.0 - g2)
                source.backward(of_source, tape, np.stack([above, by_factor], axis=1), to_source)
                target.backward(of_target, other_tape, (above * g2)[:, None], to_target)

            return heads[:, 0] + g2 * g3, back

        return run


def sigmoid(u: Reals) -> Reals:
    """1 / (1 + exp(-u)), without overflow."""
    small = np.exp(-np.abs(u))
    found: Reals = np.where(u >= 0.0, 1.0, small) / (1.0 + small)
    return found.astype(u.dtype, copy=False)
