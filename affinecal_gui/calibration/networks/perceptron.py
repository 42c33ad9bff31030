"""Perceptrons of one shape, stacked: all of them run forward and backward in the same few matrix products.

Everything that is learned of one perceptron lies in one row of an array, layer by layer, the weights of a layer before its
biases. So an optimiser works on plain arrays, and a network is its shape and a row of numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.floating[Any]]
"""Single or double precision: networks keep what they are given."""

LEAK = 0.01
"""Slope of the activation (leaky rectifier) below zero, as published."""


@dataclass(frozen=True, slots=True)
class Tape:
    """What the way back needs of the way forward."""

    entered: tuple[Reals, ...]  # of each layer, (r, h, n, width): what came in
    slopes: tuple[Reals, ...]  # of each hidden layer, (r, h, n, width): of the activation, times what dropout left


@dataclass(frozen=True)
class Perceptron:
    """The shape of a perceptron, or of several side by side that read the same input.

    Parameters
    ----------
    widths
        Inputs, then the width of each hidden layer. No hidden layer makes a linear function.
    heads
        Perceptrons side by side, each with weights of its own.
    outputs
        Of each: tasks that share all but the last layer.
    """

    widths: tuple[int, ...]
    heads: int = 1
    outputs: int = 1

    @cached_property
    def layers(self) -> tuple[tuple[int, int], ...]:
        """Inputs and outputs of each layer."""
        return tuple(zip(self.widths, (*self.widths[1:], self.outputs), strict=True))

    @cached_property
    def size(self) -> int:
        """How many numbers are learned."""
        return self.heads * sum((inputs + 1) * outputs for inputs, outputs in self.layers)

    @cached_property
    def is_weight(self) -> NDArray[np.bool_]:
        """(size,) which of the numbers are weights, not biases."""
        parts = [
            np.repeat([True, False], [self.heads * inputs * outputs, self.heads * outputs])
            for inputs, outputs in self.layers
        ]
        return np.concatenate(parts)

    def parts(self, learned: Reals) -> list[tuple[Reals, Reals]]:
        """Return weights (r, heads, inputs, outputs) and biases (r, heads, 1, outputs) of each layer.

        They are views of ``learned`` (r, size): what is written to them is written there.
        """
        found, at = [], 0
        rows = len(learned)
        for inputs, outputs in self.layers:
            weights, biases = self.heads * inputs * outputs, self.heads * outputs
            found.append(
                (
                    learned[:, at : at + weights].reshape(rows, self.heads, inputs, outputs),
                    learned[:, at + weights : at + weights + biases].reshape(rows, self.heads, 1, outputs),
                )
            )
            at += weights + biases
        return found

    def start(self, generator: np.random.Generator, count: int = 1) -> NDArray[np.float64]:
        """(count, size) weights by Glorot and Bengio's rule, uniform within ±√(6 / (inputs + outputs)), and no biases."""
        learned = np.zeros((count, self.size))
        for (weights, _), (inputs, outputs) in zip(self.parts(learned), self.layers, strict=True):
            reach = np.sqrt(6.0 / (inputs + outputs))
            weights[...] = generator.uniform(-reach, reach, weights.shape)
        return learned

    def masks(self, generator: np.random.Generator, dropout: float, rows: int) -> list[NDArray[np.float32]] | None:
        """Draw what dropout leaves of each hidden layer, (heads, rows, width) of 0 or 1 / (1 - dropout); None without."""
        if not dropout:
            return None
        return [
            (generator.random((self.heads, rows, width), dtype=np.float32) >= dropout)
            * np.float32(1.0 / (1.0 - dropout))
            for width in self.widths[1:]
        ]

    def forward(
        self, parts: Sequence[tuple[Reals, Reals]], x: Reals, masks: Sequence[Reals] | None = None
    ) -> tuple[Reals, Tape]:
        """Return the outputs of ``x``, (r or 1, n, inputs), and the tape for the way back.

        Outputs are (r, heads, n), or (r, heads, n, outputs) of several.
        """
        inside: Reals = x[:, None]
        entered, slopes = [], []
        last = len(parts) - 1
        for layer, (weights, biases) in enumerate(parts):
            entered.append(inside)
            out = inside @ weights
            out += biases
            if layer < last:
                slope = np.where(out > 0.0, out.dtype.type(1.0), out.dtype.type(LEAK))
                if masks is not None:
                    slope *= masks[layer]
                # The activation is its slope times its argument, with or without dropout.
                out *= slope
                slopes.append(slope)
            inside = out
        return inside[..., 0] if self.outputs == 1 else inside, Tape(tuple(entered), tuple(slopes))

    def backward(
        self,
        parts: Sequence[tuple[Reals, Reals]],
        tape: Tape,
        above: Reals,
        gradient: Sequence[tuple[Reals, Reals]],
    ) -> None:
        """Write the gradient of a loss to ``gradient`` (views like ``parts``), given that by the outputs."""
        delta = above[..., None] if self.outputs == 1 else above
        for layer in range(len(parts) - 1, -1, -1):
            to_weights, to_biases = gradient[layer]
            np.matmul(tape.entered[layer].swapaxes(-1, -2), delta, out=to_weights)
            np.sum(delta, axis=-2, keepdims=True, out=to_biases)
            if layer:
                delta = delta @ parts[layer][0].swapaxes(-1, -2)
                delta *= tape.slopes[layer - 1]

    def hidden(self, learned: Reals, x: Reals, layer: int) -> Reals:
        """(n, width) values of hidden layer ``layer``, from 1, of one perceptron (1, size) at ``x`` (n, inputs)."""
        _, tape = self.forward(self.parts(learned), x[None])
        values: Reals = tape.entered[layer][0, 0]
        return values
