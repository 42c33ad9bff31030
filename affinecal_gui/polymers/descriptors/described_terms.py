"""Every term of a polymer with its kernels: what descriptors average and what attribution splits."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.polymers.chain.cell import Cell, cell_of
from affinecal_gui.polymers.chain.infinite_chain import InfiniteChain, unroll
from affinecal_gui.polymers.descriptor_error import DescriptorError
from affinecal_gui.polymers.descriptors.block_definitions import force_field_blocks
from affinecal_gui.polymers.descriptors.gaussian_kernels import GaussianKernels, KernelTable
from affinecal_gui.polymers.force_field.atom_types import heavy_atom_types, hydrogen_type
from affinecal_gui.polymers.force_field.gasteiger import gasteiger_charges
from affinecal_gui.polymers.force_field.parameters import ForceField, load_force_field
from affinecal_gui.polymers.force_field.terms import BondTerms, PatternTerms, Terms, TypedCell, oriented
from affinecal_gui.polymers.reading.repeat_unit import RepeatUnit, parse_repeat_unit

FloatArray = NDArray[np.float64]
Types = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DescribedTerms:
    """The terms of one kind: M rows."""

    terms: Terms
    weight: FloatArray  # (M,) number of terms per repeat unit behind the row
    count: float  # number of terms per repeat unit, of all rows
    kernels: tuple[FloatArray, ...]  # (M, p) each; side by side, the columns of all blocks over this kind

    @property
    def sites(self) -> list[tuple[int, ...]]:
        """(M,) the sites of each term."""
        return self.terms.sites


@dataclass(frozen=True, slots=True)
class DescribedPolymer:
    """All terms of one repeat unit."""

    cell: Cell
    atoms: DescribedTerms  # mass; charge; epsilon, sigma
    bonds: DescribedTerms  # k_bond, r0; polar
    angles: DescribedTerms  # k_angle, theta0
    dihedrals: DescribedTerms  # k_dih

    @property
    def kinds(self) -> tuple[DescribedTerms, ...]:
        """The four kinds of term, in the order of the blocks."""
        return self.atoms, self.bonds, self.angles, self.dihedrals


def described_terms(unit: RepeatUnit | str, force_field: str) -> DescribedPolymer:
    """Return every term of the infinite chain of a repeat unit with its kernels.

    Raises
    ------
    InvalidRepeatUnit
        When a text is not a repeat unit.
    DescriptorError
        When an atom or term has no parameters; the text says which.
    """
    parameters = _parameters(force_field)
    typed = _typed(unroll(parse_repeat_unit(unit) if isinstance(unit, str) else unit), force_field)
    cell = typed.cell
    charge = gasteiger_charges(cell)

    bonds, angles, dihedrals = typed.bonds(), typed.angles(), typed.dihedrals()
    bond_rows = parameters.bond_rows[typed.directed].of_bonds(cell, bonds)
    angle_rows = parameters.angle_rows[typed.directed].of_patterns(cell, angles)
    dihedral_rows = parameters.dihedral_rows[typed.directed].of_patterns(cell, dihedrals)
    begin, end = charge.take(cell.bond_ends)
    polarity = parameters.polarity(np.abs(begin - end))
    period = typed.period
    return DescribedPolymer(
        cell,
        _described_atoms(parameters, typed, charge),
        _described(bonds, period, parameters.bonds.kernels(bond_rows), _in_all_cells(polarity, period)),
        _described(angles, period, parameters.angles.kernels(angle_rows)),
        _described(dihedrals, period, parameters.dihedrals.kernels(dihedral_rows)),
    )


def _typed(chain: InfiniteChain, force_field: str) -> TypedCell:
    """Return the cell of a chain with the types of all its atoms."""
    heavy = heavy_atom_types(chain, force_field)
    cell = cell_of(chain)
    hydrogens = [hydrogen_type(chain, carrier, force_field) for carrier in cell.carriers]
    return TypedCell(cell, [[*types, *hydrogens] for types in heavy.cells], heavy.walked)


def estimated_terms(unit: RepeatUnit | str, force_field: str = "GAFF2_mod") -> tuple[str, ...]:
    """Return the terms of a polymer whose parameters are those of similar types, as "bond si-ca as si-ci".

    Raises
    ------
    InvalidRepeatUnit, DescriptorError
        As :func:`described_terms`.
    """
    chain = unroll(parse_repeat_unit(unit) if isinstance(unit, str) else unit)
    if not any(atom.symbol == "Si" for atom in chain.atoms):
        return ()
    typed = _typed(chain, force_field)
    tables = load_force_field(force_field)
    found: dict[str, None] = {}
    for kind, terms in (("bond", typed.bonds()), ("angle", typed.angles()), ("dihedral", typed.dihedrals())):
        for types in sorted({oriented(types) for types in terms.types}):
            similar = tables.stands_in(types)
            if similar is not None:
                found[f"{kind} {'-'.join(types)} as {'-'.join(similar)}"] = None
    return tuple(found)


def _in_all_cells(kernels: FloatArray, period: int) -> FloatArray:
    """Return the kernels of values that do not depend on types, for all cells after which the types repeat."""
    return kernels if period == 1 else np.tile(kernels, (period, 1))


def _described(terms: Terms, period: int, *kernels: FloatArray) -> DescribedTerms:
    number = terms.multiplicity
    return DescribedTerms(terms, number if period == 1 else number / period, terms.count / period, kernels)


def _described_atoms(parameters: "_Parameters", typed: TypedCell, charge: FloatArray) -> DescribedTerms:
    """Return the atoms of all cells of the typing's period."""
    cell, period = typed.cell, typed.period
    of_types = parameters.rows_of_types
    row_of_mass = {mass: parameters.masses.row((mass,)) for mass in set(cell.masses)}
    masses = parameters.masses.kernels([row_of_mass[mass] for mass in cell.masses] * period)
    # None of the ten masses stands for silicon: it counts among the atoms and adds to no column.
    silicon = [site for site, atom in enumerate(cell.chain.atoms) if atom.symbol == "Si"]
    for k in range(period if silicon else 0):
        masses[[k * len(cell.masses) + site for site in silicon]] = 0.0
    return _described(
        typed.atoms(),
        period,
        masses,
        _in_all_cells(parameters.charge(charge), period),
        parameters.atoms.kernels([of_types[name] for types in typed.types for name in types]),
    )


class _Parameters:
    """Rows of kernel tables by mass, atom type and term types."""

    def __init__(self, name: str) -> None:
        blocks = {block.name: block for block in force_field_blocks(name).blocks}
        force_field = load_force_field(name)
        known = force_field.all_parameters()
        self.charge, self.polarity = GaussianKernels(blocks["charge"]), GaussianKernels(blocks["polar"])
        self.masses = KernelTable([blocks["mass"]])
        self.atoms = KernelTable([blocks["epsilon"], blocks["sigma"]], force_field.lennard_jones.values())
        self.bonds = KernelTable([blocks["k_bond"], blocks["r0"]], known["bond"])
        self.angles = KernelTable([blocks["k_angle"], blocks["theta0"]], known["angle"])
        self.dihedrals = KernelTable([blocks["k_dih"]], known["dihedral"])
        self.rows_of_types = {name: self.atoms.row(pair) for name, pair in force_field.lennard_jones.items()}
        either = (False, True)  # by whether terms are directed
        self.bond_rows = [_TermRows(force_field, "bond", self.bonds, directed) for directed in either]
        self.angle_rows = [_TermRows(force_field, "angle", self.angles, directed) for directed in either]
        self.dihedral_rows = [_TermRows(force_field, "dihedral", self.dihedrals, directed) for directed in either]


_parameters = cache(_Parameters)


class _TermRows:
    """Kernel-table rows of one kind of term; each distinct set of types is looked up once.

    Parameters
    ----------
    directed : bool
        Whether the direction in which types are listed means something.
    """

    def __init__(
        self, force_field: ForceField, kind: Literal["bond", "angle", "dihedral"], table: KernelTable, directed: bool
    ) -> None:
        self._force_field = force_field.name
        self._kind = kind
        self._table = table
        self._look_up: Callable[..., tuple[float, ...] | None] = getattr(force_field, kind)
        self._directed = directed
        self._known: dict[Types, int] = {}

    def of_bonds(self, cell: Cell, bonds: BondTerms) -> list[int]:
        """Return the row of every bond."""
        return self._rows(cell, bonds.types, lambda: bonds.sites)

    def of_patterns(self, cell: Cell, terms: PatternTerms) -> NDArray[np.int64]:
        """Return the row of every angle or dihedral."""
        try:
            return np.frombuffer(b"".join([pattern.rows[self] for pattern in terms.patterns]), dtype=np.int64)
        except KeyError:
            for number, pattern in enumerate(terms.patterns):
                if self not in pattern.rows:
                    rows = self._rows(cell, pattern.types, partial(terms.sites_of, number))
                    pattern.rows[self] = np.array(rows, dtype=np.int64).tobytes()
            return self.of_patterns(cell, terms)

    def _rows(self, cell: Cell, types: Sequence[Types], list_sites: Callable[[], list[tuple[int, ...]]]) -> list[int]:
        """Return the rows of terms; their sites are listed only where there are new ones, which a message may name."""
        known = self._known
        try:
            return [known[one] for one in types]
        except KeyError:
            for sites, one in zip(list_sites(), types, strict=True):
                if one not in known:
                    known[one] = self._new_row(cell, sites, one if self._directed else oriented(one))
            return [known[one] for one in types]

    def _new_row(self, cell: Cell, sites: tuple[int, ...], types: Types) -> int:
        values = self._look_up(*types)
        if values is None:
            where = ", ".join(cell.name_of(site) for site in sites)
            raise DescriptorError(f"No {self._force_field} {self._kind} parameters for {'-'.join(types)} ({where}).")
        return self._table.row(values)
