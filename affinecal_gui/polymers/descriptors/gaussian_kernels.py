"""Gaussian kernels of the descriptor blocks: how much a parameter value adds at each grid point."""

from collections.abc import Iterable, Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.polymers.descriptors.blocks import DescriptorBlock

FloatArray = NDArray[np.float64]


class GaussianKernels:
    """exp(-(v - c_j)^2 / (2 s^2)) at each centre of a block.

    Parameters
    ----------
    block : DescriptorBlock
        With p columns.
    """

    def __init__(self, block: DescriptorBlock) -> None:
        self.size = block.size
        # The exponent is -(slope v - offset_j)^2.
        per_width = 1 / (np.sqrt(2) * block.width)
        self._slope = float(per_width / (block.maximum - block.minimum))
        self._offset = per_width * np.asarray(block.centres) + self._slope * block.minimum

    def __call__(self, values: FloatArray) -> FloatArray:
        """Return the (n, p) kernels of n values in the block's unit."""
        distance = (self._slope * values)[:, None] - self._offset
        distance *= -distance
        found: FloatArray = np.exp(distance, out=distance)
        return found


class KernelTable:
    """Kernels of the parameters of one kind of term, computed once per distinct set of parameters.

    Parameters
    ----------
    blocks : sequence of DescriptorBlock
        The blocks that share the terms, e.g. bond constant and bond length; p columns in all.
    known : iterable of tuple
        Parameter sets that are certain to be asked for, one value per block.
    """

    def __init__(self, blocks: Sequence[DescriptorBlock], known: Iterable[tuple[float, ...]] = ()) -> None:
        self._kernels_of = [GaussianKernels(block) for block in blocks]
        self._lock = Lock()
        self._rows = {values: row for row, values in enumerate(dict.fromkeys(known))}
        self._kernels = self._evaluate(list(self._rows))

    def _evaluate(self, parameters: list[tuple[float, ...]]) -> FloatArray:
        values = np.array(parameters, dtype=np.float64).reshape(-1, len(self._kernels_of))
        return np.hstack([kernels(values[:, k]) for k, kernels in enumerate(self._kernels_of)])

    def row(self, values: tuple[float, ...]) -> int:
        """Return the row of a parameter set, one value per block."""
        found = self._rows.get(values)
        if found is None:
            with self._lock:
                found = self._rows.get(values)
                if found is None:
                    found = self._new_row(values)
        return found

    def _new_row(self, values: tuple[float, ...]) -> int:
        row = len(self._rows)
        if row == len(self._kernels):  # room for as many again, so that growing stays cheap
            self._kernels = np.vstack([self._kernels, np.empty((max(row, 16), self._kernels.shape[1]))])
        self._kernels[row] = self._evaluate([values])[0]
        self._rows[values] = row
        return row

    def kernels(self, rows: Sequence[int] | NDArray[np.int64]) -> FloatArray:
        """Return the (n, p) kernels of n rows."""
        return self._kernels.take(rows, axis=0)
