"""Gaussian kernels of the descriptor blocks: how much a parameter value adds at each grid point."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.polymers.blocks import DescriptorBlock

FloatArray = NDArray[np.float64]


def kernel(block: DescriptorBlock, values: FloatArray) -> FloatArray:
    """Return exp(-(v - c_j)^2 / (2 s^2)) of each value at each centre of a block.

    Parameters
    ----------
    block : DescriptorBlock
        With p columns.
    values : NDArray
        (n,) in the block's unit.

    Returns
    -------
    NDArray
        (n, p).
    """
    scaled = (values - block.minimum) / (block.maximum - block.minimum)
    distance = (scaled[:, None] - np.asarray(block.centres)) / block.width
    found: FloatArray = np.exp(-0.5 * distance * distance)
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
        self._blocks = tuple(blocks)
        self._rows = {values: row for row, values in enumerate(dict.fromkeys(known))}
        self._kernels = self._evaluate(list(self._rows))

    def _evaluate(self, parameters: list[tuple[float, ...]]) -> FloatArray:
        values = np.array(parameters, dtype=np.float64).reshape(-1, len(self._blocks))
        return np.hstack([kernel(block, values[:, k]) for k, block in enumerate(self._blocks)])

    def row(self, values: tuple[float, ...]) -> int:
        """Return the row of a parameter set, one value per block."""
        found = self._rows.get(values)
        if found is None:
            found = len(self._rows)
            if found == len(self._kernels):  # room for as many again, so that growing stays cheap
                self._kernels = np.vstack([self._kernels, np.empty((max(found, 16), self._kernels.shape[1]))])
            self._kernels[found] = self._evaluate([values])[0]
            self._rows[values] = found
        return found

    def kernels(self, rows: Sequence[int]) -> FloatArray:
        """Return the (n, p) kernels of n rows."""
        found: FloatArray = self._kernels[np.asarray(rows, dtype=np.int64)]
        return found
