"""The ten descriptor blocks: names, sizes, units, and the physical value at each grid point."""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

TermKind = Literal["atom", "bond", "angle", "dihedral"]
TERM_KINDS: Final[tuple[TermKind, ...]] = ("atom", "bond", "angle", "dihedral")


@dataclass(frozen=True, slots=True)
class DescriptorBlock:
    """The distribution of one force-field parameter over the atoms, bonds, angles or dihedrals of a polymer.

    Column j is the mean over the terms of exp(-(v - c_j)^2 / (2 s^2)), with v and c_j scaled to 0-1 by ``minimum`` and
    ``maximum``.
    """

    name: str  # column prefix: "k_bond"
    title: str  # "Bond constant"
    symbol: str  # "k", "r₀" ... for labels
    unit: str  # "kcal/(mol Å²)"; "" for the masses, whose axis shows element symbols
    over: TermKind
    columns: tuple[str, ...]  # "k_bond_0" ...
    minimum: float  # physical value that is scaled to 0
    maximum: float  # physical value that is scaled to 1
    centres: tuple[float, ...]  # scaled, 0-1
    width: float  # kernel width s, scaled
    labels: tuple[str, ...] | None = None  # per column: element symbols for the masses, else None

    @property
    def size(self) -> int:
        """Number of columns."""
        return len(self.columns)

    @property
    def physical_values(self) -> NDArray[np.float64]:
        """(size,) the parameter value at each grid point, in ``unit``."""
        return self.minimum + (self.maximum - self.minimum) * np.asarray(self.centres)


@dataclass(frozen=True, slots=True)
class DescriptorBlocks:
    """An ordered set of blocks; own descriptor tables have own blocks."""

    blocks: tuple[DescriptorBlock, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of all columns, in order."""
        return tuple(column for block in self.blocks for column in block.columns)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of columns of each block."""
        return tuple(block.size for block in self.blocks)

    @property
    def slices(self) -> dict[str, slice]:
        """Where each block lies among the columns, by block name."""
        found: dict[str, slice] = {}
        start = 0
        for block in self.blocks:
            found[block.name] = slice(start, start + block.size)
            start += block.size
        return found
