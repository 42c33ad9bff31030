"""Force-field parameters: the tables of resources/force_fields, and what stands in when an entry is missing.

A bond, angle or dihedral without an entry of its own takes that of an alternative type (``alternative_types.csv``: "ce"
inner sp2 carbon -> "c2" sp2 carbon); an angle without any takes the empirical rule of GAFF (Wang et al., J. Comput.
Chem. 25, 1157 (2004)), as RadonPy applies them.
"""

import csv
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from typing import Literal

from affinecal_gui.bundled import resources
from affinecal_gui.polymers.descriptor_error import DescriptorError
from affinecal_gui.polymers.force_field.silicon import similar_terms

ForceFieldName = Literal["GAFF2_mod", "GAFF2"]

FORCE_FIELDS: dict[str, tuple[str, ...]] = {"GAFF2_mod": ("gaff2", "gaff2_mod"), "GAFF2": ("gaff2",)}
"""The selectable force fields, and the table sets that make up each; a later set adds to the earlier ones."""

SILICON: dict[str, str] = {"GAFF2_mod": "gaff2_mod_silicon"}
"""Table sets that came to a force field later: they take no part in the scaling, so that nothing else changes by them."""

SMALLEST_SCALING_CONSTANT = 20.0  # kcal/mol: softer bonds and angles in the tables do not count for the scaling range

NOT_FOR_SCALING = {"hw", "n4", "nx", "ny", "nz", "n+"}  # water and ammonium: extreme Lennard-Jones parameters


@dataclass(frozen=True, slots=True)
class Range:
    """The smallest and largest value of a parameter, which are scaled to 0 and 1."""

    minimum: float
    maximum: float


@dataclass(frozen=True, slots=True)
class FourierTerm:
    """One term of a dihedral's energy, barrier (1 + cos(periodicity phi - phase))."""

    barrier: float  # kcal/mol
    periodicity: int
    phase: float  # degrees

    def curvature(self, phi: float) -> float:
        """Return the second derivative by phi, in kcal/(mol rad²), at phi in radians."""
        return -self.barrier * self.periodicity**2 * math.cos(self.periodicity * phi - math.radians(self.phase))


class ForceField:
    """Parameters by atom type.

    Attributes
    ----------
    name : str
        "GAFF2_mod" or "GAFF2".
    elements : dict
        Element symbol of every atom type.
    lennard_jones : dict
        (well depth epsilon in kcal/mol, diameter sigma in Å) of every atom type.
    ranges : dict
        Scaling range of each descriptor block that the tables decide, by block name.
    """

    def __init__(self, name: str) -> None:
        if name not in FORCE_FIELDS:
            raise DescriptorError(f"There is no force field named {name!r}; choose one of {', '.join(FORCE_FIELDS)}.")
        self.name = name
        self.elements: dict[str, str] = {}
        self.lennard_jones: dict[str, tuple[float, float]] = {}
        self._bonds: dict[tuple[str, ...], tuple[float, float]] = {}
        self._angles: dict[tuple[str, ...], tuple[float, float]] = {}
        self._dihedrals: dict[tuple[str, ...], tuple[float]] = {}
        self._fourier: dict[tuple[str, ...], tuple[FourierTerm, ...]] = {}
        self._impropers: dict[tuple[str, ...], float] = {}
        self._alternatives = {row[0]: row[1] for row in _rows("alternative_types.csv")}
        self._empirical = {row[0]: (float(row[1]), float(row[2])) for row in _rows("empirical_angles.csv")}
        for tables in FORCE_FIELDS[name]:
            self._read(tables)
        self.ranges = self._scaling_ranges()
        if name in SILICON:
            self._read(SILICON[name])

    def _read(self, tables: str) -> None:
        """Add a set of tables."""
        for row in _rows(f"{tables}_atom_types.csv"):
            self.elements[row[0]] = row[1]
            self.lennard_jones[row[0]] = (float(row[2]), float(row[3]))
        for row in _rows(f"{tables}_bond_types.csv"):
            self._bonds[tuple(row[:2])] = self._bonds[row[1], row[0]] = (float(row[2]), float(row[3]))
        for row in _rows(f"{tables}_angle_types.csv"):
            self._angles[tuple(row[:3])] = self._angles[tuple(row[2::-1])] = (float(row[3]), float(row[4]))
        for row in _rows(f"{tables}_dihedral_types.csv"):
            self._dihedrals[tuple(row[:4])] = self._dihedrals[tuple(row[3::-1])] = (float(row[4]),)
        for row in _rows(f"{tables}_fourier_terms.csv"):
            term = FourierTerm(float(row[4]), int(row[5]), float(row[6]))
            terms = (*self._fourier.get(tuple(row[:4]), ()), term)
            self._fourier[tuple(row[:4])] = self._fourier[tuple(row[3::-1])] = terms
        for row in _rows(f"{tables}_improper_types.csv"):
            self._impropers[tuple(row[:4])] = float(row[4])

    def all_parameters(self) -> dict[str, list[tuple[float, ...]]]:
        """Return the parameters of every tabulated bond, angle and dihedral."""
        return {
            "bond": list(self._bonds.values()),
            "angle": list(self._angles.values()),
            "dihedral": list(self._dihedrals.values()),
        }

    def bond(self, first: str, second: str) -> tuple[float, float] | None:
        """Return (constant in kcal/(mol Å²), length in Å), or None when not even alternatives have the bond."""
        for types in self._tried((first, second)):
            for found in self._entries(self._bonds, types):
                return found
        return None

    def angle(self, first: str, centre: str, third: str) -> tuple[float, float] | None:
        """Return (constant in kcal/(mol rad²), angle in degrees), from the tables or by the empirical rule."""
        for types in self._tried((first, centre, third)):
            for found in self._entries(self._angles, types):
                return found
        return self._empirical_angle(first, centre, third)

    def stands_in(self, types: tuple[str, ...]) -> tuple[str, ...] | None:
        """Return the similar types whose parameters a bond, an angle or a dihedral with silicon takes; None for its own."""
        own, *similar = self._tried(types)
        if self._has(own):
            return None
        return next((one for one in similar if self._has(one)), None)

    def _has(self, types: tuple[str, ...]) -> bool:
        if len(types) == 4:
            return self._tabulated_dihedral(types) is not None
        table = self._bonds if len(types) == 2 else self._angles
        return next(self._entries(table, types), None) is not None

    def _tried(self, types: tuple[str, ...]) -> "Iterator[tuple[str, ...]]":
        """Yield the types of a term, then those that stand in near silicon."""
        yield types
        yield from similar_terms(types, self._alternatives)

    def dihedral(self, first: str, second: str, third: str, fourth: str) -> tuple[float] | None:
        """Return (largest barrier in kcal/mol,); a general entry (X, second, third, X) stands in for a special one."""
        key = self._dihedral_key(first, second, third, fourth)
        return None if key is None else self._dihedrals[key]

    def fourier_terms(self, first: str, second: str, third: str, fourth: str) -> "tuple[FourierTerm, ...] | None":
        """Return the terms of a dihedral's energy, of the entry whose largest barrier :meth:`dihedral` returns."""
        key = self._dihedral_key(first, second, third, fourth)
        return None if key is None else self._fourier[key]

    def improper(self, centre: str, around: Sequence[str]) -> tuple[float, tuple[int, ...]] | None:
        """Return what keeps an atom in the plane of its three neighbours: E = k (1 - cos 2 phi).

        As RadonPy does: the first order of the neighbours that has an entry, which is one of its own, one with alternative
        types, or a general one (X in the place of the first neighbour, or of the first two).

        Returns
        -------
        tuple or None
            k in kcal/mol, and the order of the neighbours: phi is the angle of centre, first, second, third as a dihedral.
        """
        for order in permutations(range(3)):
            for key in self._with_alternatives((centre, *(around[i] for i in order))):
                for known in (key, (key[0], "X", *key[2:]), (key[0], "X", "X", key[3])):
                    if known in self._impropers:
                        return self._impropers[known], order
        return None

    def _dihedral_key(self, *types: str) -> tuple[str, ...] | None:
        return next((key for one in self._tried(types) if (key := self._tabulated_dihedral(one)) is not None), None)

    def _tabulated_dihedral(self, types: tuple[str, ...]) -> tuple[str, ...] | None:
        first, second, third, fourth = types
        for inner in self._with_alternatives((second, third)):
            for key in (
                (first, *inner, fourth),
                ("X", *inner, "X"),
                ("X", *inner, fourth),
                (first, *inner, "X"),
            ):
                if key in self._dihedrals:
                    return key
        return None

    def _with_alternatives(self, types: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """Yield the types themselves, then with one, two, ... of them replaced by their alternatives."""
        replaceable = [i for i, name in enumerate(types) if name in self._alternatives]
        for number in range(len(replaceable) + 1):
            for chosen in combinations(replaceable, number):
                yield tuple(self._alternatives[name] if i in chosen else name for i, name in enumerate(types))

    def _entries(
        self, table: dict[tuple[str, ...], tuple[float, float]], types: Sequence[str]
    ) -> Iterator[tuple[float, float]]:
        """Yield the table's entries for the types, their own first."""
        for key in self._with_alternatives(types):
            if key in table:
                yield table[key]

    def _empirical_angle(self, first: str, centre: str, third: str) -> tuple[float, float] | None:
        """Return the angle of GAFF's empirical rule, or None where the rule lacks a part."""
        symbols = [self.elements[name] for name in (first, centre, third)]
        if any(symbol not in self._empirical for symbol in symbols):
            return None
        if self._empirical[symbols[1]][0] == 0.0:  # the rule knows no such central atom (hydrogen, halogens)
            return None
        left = self._symmetric_angle(first, centre)
        right = self._symmetric_angle(third, centre)
        left_bond, right_bond = self.bond(first, centre), self.bond(centre, third)
        if left is None or right is None or left_bond is None or right_bond is None:
            return None
        theta = (left[1] + right[1]) / 2
        total = left_bond[1] + right_bond[1]
        distortion = ((left_bond[1] - right_bond[1]) / total) ** 2
        z_first, c_centre, z_third = (
            self._empirical[symbols[0]][1],
            self._empirical[symbols[1]][0],
            self._empirical[symbols[2]][1],
        )
        constant = 143.9 * z_first * c_centre * z_third / total / math.sqrt(math.radians(theta))
        return constant * math.exp(-2 * distortion), theta

    def _symmetric_angle(self, outer: str, centre: str) -> tuple[float, float] | None:
        """Return the tabulated angle outer-centre-outer, or that of alternative types."""
        for outer_type, centre_type in self._with_alternatives((outer, centre)):
            if (outer_type, centre_type, outer_type) in self._angles:
                return self._angles[outer_type, centre_type, outer_type]
        return None

    def _scaling_ranges(self) -> dict[str, Range]:
        """Return the range of every parameter over the force field's own types (science: descriptor blocks)."""

        def over(values: list[tuple[float, float]], column: int) -> Range:
            chosen = [value[column] for value in values]
            return Range(min(chosen), max(chosen))

        atoms = [value for name, value in self.lennard_jones.items() if name not in NOT_FOR_SCALING]
        bonds = [value for value in self._bonds.values() if value[0] >= SMALLEST_SCALING_CONSTANT]
        angles = [value for value in self._angles.values() if value[0] >= SMALLEST_SCALING_CONSTANT]
        barriers = [barrier for (barrier,) in self._dihedrals.values()]
        return {
            "epsilon": over(atoms, 0),
            "sigma": over(atoms, 1),
            "k_bond": over(bonds, 0),
            "r0": over(bonds, 1),
            "k_angle": over(angles, 0),
            "theta0": over(angles, 1),
            "k_dih": Range(min(barriers), max(barriers)),
        }


load_force_field: Callable[[str], ForceField] = cache(ForceField)
"""Return the force field of a name, read once."""


def _rows(name: str) -> list[list[str]]:
    """Return the rows of a table below its header; a table set that adds nothing to a kind of term has no file."""
    path = resources() / "force_fields" / name
    if not path.is_file():
        return []
    return list(csv.reader(path.read_text(encoding="utf-8").splitlines()))[1:]
