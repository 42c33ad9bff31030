"""Gaussian kernels of the descriptor blocks: how much a parameter value adds at each grid point."""

from collections.abc import Sequence

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
    """

    def __init__(self, blocks: Sequence[DescriptorBlock]) -> None:
        self._blocks = tuple(blocks)
        self._rows: dict[tuple[float, ...], int] = {}
        self._kernels: FloatArray = np.empty((0, sum(block.size for block in blocks)))
        self._waiting: list[tuple[float, ...]] = []

    def row(self, values: tuple[float, ...]) -> int:
        """Return the row of a parameter set, one value per block."""
        found = self._rows.get(values)
        if found is None:
            found = self._rows[values] = len(self._rows)
            self._waiting.append(values)
        return found

    @property
    def kernels(self) -> FloatArray:
        """(rows, p) kernels of all parameter sets so far."""
        if self._waiting:
            values = np.array(self._waiting)
            new = np.hstack([kernel(block, values[:, k]) for k, block in enumerate(self._blocks)])
            self._kernels = np.vstack([self._kernels, new])
            self._waiting.clear()
        return self._kernels
