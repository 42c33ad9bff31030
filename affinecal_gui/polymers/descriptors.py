"""Force-field descriptors of a polymer: 190 numbers that say how its force-field parameters are distributed."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.polymers.atom_types import heavy_atom_types, hydrogen_type
from affinecal_gui.polymers.blocks import DescriptorBlock, DescriptorBlocks, TermKind
from affinecal_gui.polymers.cell import Cell, cell_of
from affinecal_gui.polymers.descriptor_error import DescriptorError
from affinecal_gui.polymers.force_field import ForceField, Range, load_force_field
from affinecal_gui.polymers.gasteiger import gasteiger_charges
from affinecal_gui.polymers.infinite_chain import unroll
from affinecal_gui.polymers.kernels import KernelTable, kernel
from affinecal_gui.polymers.repeat_unit import RepeatUnit, parse_repeat_unit
from affinecal_gui.polymers.terms import Terms, angles_of, atoms_of, bonds_of, dihedrals_of

__all__ = ["DescriptorError", "describe", "describe_copolymer", "force_field_blocks"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

_ELEMENTS = {  # symbol: standard atomic mass in g/mol, as RadonPy takes them for its mass block
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
_GRID = 20


@cache
def force_field_blocks(force_field: str = "GAFF2_mod") -> DescriptorBlocks:
    """Return the ten descriptor blocks: names, units, scaling ranges and grid points.

    Parameters
    ----------
    force_field : str
        "GAFF2_mod" or "GAFF2"; it decides the scaling ranges.

    Returns
    -------
    DescriptorBlocks
        190 columns.
    """
    ranges = load_force_field(force_field).ranges
    masses = np.array(list(_ELEMENTS.values()))
    scaled_masses = (masses - masses.min()) / (masses.max() - masses.min())
    mass = DescriptorBlock(
        name="mass",
        title="Atomic mass",
        symbol="m",
        unit="",
        over="atom",
        columns=tuple(f"mass_{symbol}" for symbol in _ELEMENTS),
        minimum=float(masses.min()),
        maximum=float(masses.max()),
        centres=tuple(map(float, scaled_masses)),
        width=_WIDTH_OF_MASSES,
        labels=tuple(_ELEMENTS),
    )
    return DescriptorBlocks(
        (
            mass,
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


def _grid_block(name: str, title: str, symbol: str, unit: str, over: TermKind, scaling: Range) -> DescriptorBlock:
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


class _Typing:
    """Force-field lookups for whole arrays of atom types."""

    def __init__(self, name: str) -> None:
        self.force_field: ForceField = load_force_field(name)
        self.blocks = {block.name: block for block in force_field_blocks(name).blocks}
        elements = self.force_field.elements
        self.names = sorted(elements, key=lambda name: (elements[name] == "H", name))
        self.codes = {name: code for code, name in enumerate(self.names)}
        pairs = [self.force_field.lennard_jones[name] for name in self.names]
        self.atom_kernels = np.hstack(
            [kernel(self.blocks[name], np.array([pair[k] for pair in pairs])) for k, name in enumerate(("epsilon", "sigma"))]
        )
        self.tables = {
            2: KernelTable([self.blocks["k_bond"], self.blocks["r0"]]),
            3: KernelTable([self.blocks["k_angle"], self.blocks["theta0"]]),
            4: KernelTable([self.blocks["k_dih"]]),
        }
        self.rows: dict[int, dict[int, int]] = {2: {}, 3: {}, 4: {}}

    def rows_of(self, cell: Cell, terms: Terms, types: IntArray) -> IntArray:
        """Return the kernel-table row of every term from (M, k) type codes."""
        size = len(self.names)
        k = types.shape[1]
        flip = types[:, 0] > types[:, -1]
        if k == 4:
            flip = (types[:, 1] > types[:, 2]) | ((types[:, 1] == types[:, 2]) & flip)
        oriented = np.where(flip[:, None], types[:, ::-1], types)
        keys = oriented @ (size ** np.arange(k))
        distinct, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        known = self.rows[k]
        rows = []
        for key, where in zip(distinct.tolist(), first.tolist(), strict=True):
            row = known.get(key)
            if row is None:
                row = known[key] = self._new_row(cell, terms.sites[where], [self.names[t] for t in oriented[where]])
            rows.append(row)
        found: IntArray = np.array(rows, dtype=np.int64)[inverse]
        return found

    def _new_row(self, cell: Cell, sites: IntArray, names: list[str]) -> int:
        force_field = self.force_field
        values: tuple[float, ...] | None
        if len(names) == 2:
            values = force_field.bond(*names)
        elif len(names) == 3:
            values = force_field.angle(*names)
        else:
            barrier = force_field.dihedral(*names)
            values = None if barrier is None else (barrier,)
        if values is None:
            kind = {2: "bond", 3: "angle", 4: "dihedral"}[len(names)]
            where = ", ".join(_site_name(cell, int(site)) for site in sites)
            raise DescriptorError(
                f"{cell.chain.unit.text}: no {force_field.name} {kind} parameters for {'-'.join(names)} ({where})."
            )
        return self.tables[len(names)].row(values)


_typing = cache(_Typing)


def _site_name(cell: Cell, site: int) -> str:
    parent = cell.chain.atoms[cell.parent[site]]
    name = f"{parent.symbol} atom {parent.index + 1}"
    return name if cell.parent[site] == site else f"H of {name}"


def _block_sums(unit: RepeatUnit | str, force_field: str) -> tuple[FloatArray, FloatArray]:
    """Return the kernel sums (190,) of a repeat unit, and the number of terms (190,) behind each column."""
    if isinstance(unit, str):
        unit = parse_repeat_unit(unit)
    typing = _typing(force_field)
    chain = unroll(unit)
    cells_of_types = heavy_atom_types(chain, force_field)
    cell = cell_of(chain)
    hydrogens = [hydrogen_type(chain, int(i), force_field) for i in cell.parent[len(chain.atoms) :]]
    types = np.array([[typing.codes[name] for name in (*heavy, *hydrogens)] for heavy in cells_of_types])
    charge = gasteiger_charges(cell)

    atoms, bonds, angles, dihedrals = (of(cell) for of in (atoms_of, bonds_of, angles_of, dihedrals_of))
    sums = [
        atoms.count @ kernel(typing.blocks["mass"], cell.mass),
        atoms.count @ kernel(typing.blocks["charge"], charge),
        _weighted(typing.atom_kernels, types[:, atoms.sites[:, 0]], atoms.count),
    ]
    for terms in (bonds, angles, dihedrals):
        rows = np.stack(
            [
                typing.rows_of(cell, terms, types[(terms.shifts + k) % len(types), terms.sites])
                for k in range(len(types))
            ]
        )
        sums.append(_weighted(typing.tables[terms.sites.shape[1]].kernels, rows, terms.count))
        if terms is bonds:
            difference = np.abs(charge[terms.sites[:, 0]] - charge[terms.sites[:, 1]])
            sums.append(terms.count @ kernel(typing.blocks["polar"], difference))
    number = {
        kind: terms.count.sum()
        for kind, terms in zip(("atom", "bond", "angle", "dihedral"), (atoms, bonds, angles, dihedrals), strict=True)
    }
    counts = np.concatenate([np.full(block.size, number[block.over]) for block in typing.blocks.values()])
    return np.concatenate(sums), counts


def _weighted(kernels: FloatArray, rows: IntArray, count: FloatArray) -> FloatArray:
    """Return the count-weighted sum of table rows, averaged over the cells of the typing's period."""
    weights = np.bincount(rows.ravel(), weights=np.tile(count, len(rows)), minlength=len(kernels)) / len(rows)
    used = np.nonzero(weights)[0]
    found: FloatArray = weights[used] @ kernels[used]
    return found


def describe(unit: RepeatUnit | str, force_field: str = "GAFF2_mod") -> FloatArray:
    """Return the 190 force-field descriptors of a polymer.

    Parameters
    ----------
    unit : RepeatUnit or str
        The repeat unit, with its two ends marked.
    force_field : str
        "GAFF2_mod" (default) or "GAFF2".

    Returns
    -------
    NDArray
        (190,) kernel means, in the order of :func:`force_field_blocks`.

    Raises
    ------
    InvalidRepeatUnit
        When a text is not a repeat unit.
    DescriptorError
        When an atom or term has no parameters; the text says which.
    """
    sums, counts = _block_sums(unit, force_field)
    return sums / counts


def describe_copolymer(
    units: Sequence[RepeatUnit | str], fractions: Sequence[float], force_field: str = "GAFF2_mod"
) -> FloatArray:
    """Return the descriptors of a copolymer: the distribution over all terms, each unit weighted by its mole fraction.

    Parameters
    ----------
    units : sequence
        The repeat units.
    fractions : sequence of float
        Mole fraction of each; only their ratios matter.
    force_field : str
        "GAFF2_mod" (default) or "GAFF2".

    Returns
    -------
    NDArray
        (190,) kernel means.
    """
    parts = [_block_sums(unit, force_field) for unit in units]
    weights = np.asarray(fractions, dtype=np.float64)
    sums = sum(weight * part[0] for weight, part in zip(weights, parts, strict=True))
    counts = sum(weight * part[1] for weight, part in zip(weights, parts, strict=True))
    return np.asarray(sums / counts)
