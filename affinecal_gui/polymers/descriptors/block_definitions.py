"""The ten force-field blocks: what each describes, its unit, and its grid."""

from functools import cache

import numpy as np

from affinecal_gui.polymers.descriptors.blocks import DescriptorBlock, DescriptorBlocks, TermKind
from affinecal_gui.polymers.force_field.parameters import Range, load_force_field

_ELEMENTS = {  # standard atomic masses in g/mol, as the reference takes them for the centres of its mass block
    "H": 1.008,
    "C": 12.011,
    "N": 14.007,
    "O": 15.999,
    "F": 18.998,
    "P": 30.974,
    "S": 32.067,
    "Cl": 35.453,
    "Br": 79.904,
    "I": 126.904,
}
_WIDTH_OF_MASSES = 0.05
_GRID = 20  # points of every other block


@cache
def force_field_blocks(force_field: str = "GAFF2_mod") -> DescriptorBlocks:
    """Return the ten descriptor blocks: names, units, scaling ranges and grid points.

    Parameters
    ----------
    force_field : str
        "GAFF2_mod" or "GAFF2"; its tables decide the scaling ranges.

    Returns
    -------
    DescriptorBlocks
        190 columns.

    Raises
    ------
    DescriptorError
        When there is no such force field.
    """
    ranges = load_force_field(force_field).ranges
    return DescriptorBlocks(
        (
            _mass_block(),
            _grid_block("charge", "Partial charge", "q", "e", "atom", Range(-1.0, 1.0)),
            _grid_block("epsilon", "Well depth ε", "ε", "kcal/mol", "atom", ranges["epsilon"]),
            _grid_block("sigma", "Diameter σ", "σ", "Å", "atom", ranges["sigma"]),
            _grid_block("k_bond", "Bond constant", "k", "kcal/(mol Å²)", "bond", ranges["k_bond"]),
            _grid_block("r0", "Bond length r₀", "r₀", "Å", "bond", ranges["r0"]),
            _grid_block("polar", "Bond polarity", "|Δq|", "e", "bond", Range(0.0, 2.0)),
            _grid_block("k_angle", "Angle constant", "k", "kcal/(mol rad²)", "angle", ranges["k_angle"]),
            _grid_block("theta0", "Angle θ₀", "θ₀", "degrees", "angle", ranges["theta0"]),
            _grid_block("k_dih", "Torsion barrier", "V", "kcal/mol", "dihedral", ranges["k_dih"]),
        )
    )


def _mass_block() -> DescriptorBlock:
    """Return the mass block, whose grid points are the masses of ten elements."""
    masses = np.array(list(_ELEMENTS.values()))
    return DescriptorBlock(
        name="mass",
        title="Atomic mass",
        symbol="m",
        unit="",
        over="atom",
        columns=tuple(f"mass_{symbol}" for symbol in _ELEMENTS),
        minimum=float(masses.min()),
        maximum=float(masses.max()),
        centres=tuple(map(float, (masses - masses.min()) / (masses.max() - masses.min()))),
        width=_WIDTH_OF_MASSES,
        labels=tuple(_ELEMENTS),
    )


def _grid_block(name: str, title: str, symbol: str, unit: str, over: TermKind, scaling: Range) -> DescriptorBlock:
    """Return a block with equally spaced grid points, the middles of equal steps from 0 to 1."""
    return DescriptorBlock(
        name=name,
        title=title,
        symbol=symbol,
        unit=unit,
        over=over,
        columns=tuple(f"{name}_{j}" for j in range(_GRID)),
        minimum=scaling.minimum,
        maximum=scaling.maximum,
        centres=tuple((2 * j + 1) / (2 * _GRID) for j in range(_GRID)),
        width=1 / (2 * _GRID),
    )
