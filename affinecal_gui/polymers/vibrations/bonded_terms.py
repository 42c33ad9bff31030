"""The bonded energy of a chain near its minimum: internal coordinates with their force constants and gradients.

E = 1/2 sum F q^2 with F = 2K for a bond or angle of energy K (q - q0)^2, the curvature of the Fourier terms for a dihedral,
and 4k for an improper of energy k (1 - cos 2 phi). Gradients are those of Wilson's s-vectors (Wilson, Decius and Cross,
Molecular Vibrations, 1955), each given in the axes of the atom that it moves.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.polymers.descriptor_error import DescriptorError
from affinecal_gui.polymers.force_field.parameters import ForceField, load_force_field
from affinecal_gui.polymers.force_field.terms import oriented
from affinecal_gui.polymers.vibrations.explicit_chain import ExplicitChain
from affinecal_gui.polymers.vibrations.local_geometry import LocalGeometry, local_geometry

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

_STRAIGHT = 0.05  # sine of an angle below which it bends in two directions alike
_NO_DIHEDRAL = 0.1  # sine of an angle below which no dihedral goes through it
_ATOMS = 4  # of a coordinate at most; those of a shorter one are filled up with gradients of zero


@dataclass(frozen=True, slots=True, eq=False)
class Coordinates:
    """R internal coordinates, the bonds first; every coordinate of the chain belongs to one cell."""

    constant: FloatArray  # (R,) F in kcal/(mol Å²) or kcal/(mol rad²), not negative
    atoms: IntArray  # (R, 4)
    shifts: IntArray  # (R, 4) cells onwards along the chain
    gradients: FloatArray  # (R, 4, 3) in the atoms' own axes, in 1 or 1/Å
    bonds: int  # how many of the coordinates are bonds


class _Collected:
    """Coordinates as they are found."""

    def __init__(self) -> None:
        self.constant: list[float] = []
        self.atoms: list[tuple[int, ...]] = []
        self.shifts: list[tuple[int, ...]] = []
        self.gradients: list[FloatArray] = []

    def add(self, constant: FloatArray, atoms: IntArray, shifts: IntArray, gradients: FloatArray) -> None:
        """Add n coordinates of k <= 4 atoms each."""
        missing = _ATOMS - atoms.shape[1]
        self.constant.extend(constant)
        self.atoms.extend(np.pad(atoms, ((0, 0), (0, missing))))
        self.shifts.extend(np.pad(shifts, ((0, 0), (0, missing))))
        self.gradients.extend(np.pad(gradients, ((0, 0), (0, missing), (0, 0))))


@cache
def _known_terms(force_field: str, directed: bool) -> dict[str, dict[tuple[str, ...], tuple[Any, ...]]]:
    """Return where terms of all chains are kept once they are looked up, by kind and types."""
    del force_field, directed
    return {"bond": {}, "angle": {}, "dihedral": {}}


class BondedTerms:
    """Looks up the terms of one chain and arranges its atoms.

    Raises
    ------
    DescriptorError
        When a bond, angle or dihedral has no parameters; the text says which.
    """

    def __init__(self, explicit: ExplicitChain, force_field: str) -> None:
        self.explicit = explicit
        self.force_field = load_force_field(force_field)
        self._look_up: dict[str, Callable[..., tuple[Any, ...] | None]] = {
            "bond": self.force_field.bond,
            "angle": self.force_field.angle,
            "dihedral": self.force_field.fourier_terms,
        }
        self._known = _known_terms(force_field, explicit.directed)
        self.lengths = [
            [self._mean("bond", (atom, arm.atom), (0, arm.shift))[1] for arm in arms]
            for atom, arms in enumerate(explicit.arms)
        ]
        self.geometry: LocalGeometry = local_geometry(explicit, self._angle)

    def coordinates(self) -> Coordinates:
        """Return all internal coordinates."""
        collected = _Collected()
        bonds = self._add_bonds(collected)
        self._add_angles(collected)
        self._add_dihedrals(collected)
        self._add_impropers(collected)
        return Coordinates(
            np.array(collected.constant),
            np.array(collected.atoms),
            np.array(collected.shifts),
            np.array(collected.gradients),
            bonds,
        )

    def _angle(self, atom: int, one: int, other: int) -> float:
        first, second = sorted((one, other))
        return math.radians(self._angle_parameters(atom, first, second)[1])

    def _angle_parameters(self, atom: int, one: int, other: int) -> tuple[float, ...]:
        first, third = self.explicit.arms[atom][one], self.explicit.arms[atom][other]
        atoms, shifts = (first.atom, atom, third.atom), (first.shift, 0, third.shift)
        return self._mean("angle", atoms, shifts)

    def _mean(self, kind: str, atoms: tuple[int, ...], shifts: tuple[int, ...]) -> tuple[float, ...]:
        """Return the parameters of a bond or angle, their mean where types repeat only after several cells."""
        found = [self._of_types(kind, atoms, types) for types in self._types(atoms, shifts)]
        return found[0] if len(found) == 1 else tuple(sum(values) / len(found) for values in zip(*found, strict=True))

    def _curvature(self, atoms: tuple[int, ...], shifts: tuple[int, ...], phi: float) -> float:
        """Return the curvature of a dihedral's energy; 0 where it is negative, so that no mode is pushed away."""
        found = [self._of_types("dihedral", atoms, types) for types in self._types(atoms, shifts)]
        total: float = sum(term.curvature(phi) for terms in found for term in terms)
        return max(total / len(found), 0.0)

    def _types(self, atoms: tuple[int, ...], shifts: tuple[int, ...]) -> list[tuple[str, ...]]:
        """Return the types of atoms in each of the cells after which they repeat."""
        cells = self.explicit.types
        if len(cells) == 1:
            return [tuple([cells[0][atom] for atom in atoms])]
        return [
            tuple([cells[(cell + shift) % len(cells)][atom] for atom, shift in zip(atoms, shifts, strict=True)])
            for cell in range(len(cells))
        ]

    def _of_types(self, kind: str, atoms: tuple[int, ...], types: tuple[str, ...]) -> tuple[Any, ...]:
        known = self._known[kind].get(types)
        if known is None:
            known = self._look_up[kind](*(types if self.explicit.directed else oriented(types)))
            if known is None:
                where = ", ".join(self.explicit.cell.name_of(self.explicit.site[atom]) for atom in atoms)
                raise DescriptorError(
                    f"No {self.force_field.name} {kind} parameters for {'-'.join(types)} ({where}), "
                    "so the vibrations of the chain cannot be computed."
                )
            self._known[kind][types] = known
        return known

    def _add_bonds(self, collected: _Collected) -> int:
        constants, atoms, shifts, gradients = [], [], [], []
        for atom, arms in enumerate(self.explicit.arms):
            for number, arm in enumerate(arms):
                if (arm.atom, arm.back) < (atom, number) if arm.shift == 0 else arm.shift < 0:
                    continue
                pair, cells = (atom, arm.atom), (0, arm.shift)
                constants.append(2.0 * self._mean("bond", pair, cells)[0])
                atoms.append(pair)
                shifts.append(cells)
                along = self.geometry.directions[atom][number]
                gradients.append((-along, along @ self.geometry.rotations[atom][number]))
        collected.add(np.array(constants), np.array(atoms), np.array(shifts), np.array(gradients))
        return len(constants)

    def _add_angles(self, collected: _Collected) -> None:
        arms = self.explicit.arms
        found = [(atom, i, j) for atom, own in enumerate(arms) for j in range(len(own)) for i in range(j)]
        if not found:
            return
        constants = np.array([2.0 * self._angle_parameters(*one)[0] for one in found])
        first, third = self._ends([(atom, i) for atom, i, _ in found]), self._ends([(atom, j) for atom, _, j in found])
        cosine = np.sum(first.along * third.along, axis=1)
        sine = np.sqrt(np.maximum(1.0 - cosine**2, 0.0))
        atoms = np.column_stack([first.atoms, third.atoms, [atom for atom, _, _ in found]])
        shifts = np.column_stack([first.shifts, third.shifts, np.zeros(len(found), dtype=np.int64)])
        bent, straight = sine >= _STRAIGHT, sine < _STRAIGHT
        safe = np.where(bent, sine, 1.0)
        towards = [
            (cosine[:, None] * one.along - other.along) / safe[:, None]
            for one, other in ((first, third), (third, first))
        ]
        sideways = [(bent, towards)]
        if straight.any():
            axis = np.eye(3)[np.argmin(np.abs(first.along), axis=1)]
            one = np.cross(first.along, axis)
            one /= np.linalg.norm(one, axis=1)[:, None]
            sideways += [(straight, [one, one]), (straight, [other := np.cross(first.along, one), other])]
        for chosen, (of_first, of_third) in sideways:
            s_first, s_third = of_first / first.lengths[:, None], of_third / third.lengths[:, None]
            gradients = np.stack([first.carried(s_first), third.carried(s_third), -s_first - s_third], 1)
            collected.add(constants[chosen], atoms[chosen], shifts[chosen], gradients[chosen])

    def _add_dihedrals(self, collected: _Collected) -> None:
        arms = self.explicit.arms
        found = []
        for bond in self.explicit.cell.chain.bonds:
            second, third, shift = bond.begin, bond.end, bond.shift
            along = next(
                k for k, arm in enumerate(arms[second]) if (arm.atom, arm.shift) == (third, shift) and arm.bond >= 0
            )
            back = arms[second][along].back
            for i, before in enumerate(arms[second]):
                for j, after in enumerate(arms[third]):
                    if i == along or j == back or (before.atom, before.shift) == (after.atom, after.shift + shift):
                        continue
                    found.append((second, i, along, third, j, back))
        if not found:
            return
        first = self._ends([(second, i) for second, i, _, _, _, _ in found])
        middle = self._ends([(second, along) for second, _, along, _, _, _ in found])
        fourth = self._ends([(third, j) for _, _, _, third, j, _ in found])
        into = middle.rotations
        a = first.along * first.lengths[:, None]
        b = middle.along * middle.lengths[:, None]
        c = np.einsum("nij,nj->ni", into, fourth.along * fourth.lengths[:, None])
        bent, phi, gradients = _dihedral(-a, b, c)
        atoms = np.column_stack([first.atoms, [one[0] for one in found], middle.atoms, fourth.atoms])
        shifts = np.column_stack(
            [first.shifts, np.zeros(len(found), dtype=np.int64), middle.shifts, fourth.shifts + middle.shifts]
        )
        quartets, cells, angles = map(tuple, atoms.tolist()), map(tuple, shifts.tolist()), phi.tolist()
        constants = np.array([self._curvature(*one) for one in zip(quartets, cells, angles, strict=True)]) * bent
        chosen = constants > 0.0
        carried = np.stack(
            [
                first.carried(gradients[:, 0]),
                gradients[:, 1],
                middle.carried(gradients[:, 2]),
                fourth.carried(np.einsum("nij,ni->nj", into, gradients[:, 3])),
            ],
            1,
        )
        collected.add(constants[chosen], atoms[chosen], shifts[chosen], carried[chosen])

    def _add_impropers(self, collected: _Collected) -> None:
        found = []
        for atom, arms in enumerate(self.explicit.arms):
            if len(arms) != 3:
                continue
            (types, *_) = self._types((atom, *(arm.atom for arm in arms)), (0, *(arm.shift for arm in arms)))
            known = _improper(self.force_field, types)
            if known is not None:
                found.append((atom, *known))
        if not found:
            return
        first, second, third = (self._ends([(atom, order[k]) for atom, _, order in found]) for k in range(3))
        a, b, c = (one.along * one.lengths[:, None] for one in (first, second, third))
        bent, phi, gradients = _dihedral(a, b - a, c - b)
        atoms = np.column_stack([[one[0] for one in found], first.atoms, second.atoms, third.atoms])
        shifts = np.column_stack([np.zeros(len(found), dtype=np.int64), first.shifts, second.shifts, third.shifts])
        constants = np.array([4.0 * barrier for _, barrier, _ in found]) * np.cos(2.0 * phi)
        chosen = bent & (constants > 0.0)
        carried = np.stack(
            [
                gradients[:, 0],
                *(end.carried(gradients[:, k]) for k, end in enumerate((first, second, third), start=1)),
            ],
            1,
        )
        collected.add(constants[chosen], atoms[chosen], shifts[chosen], carried[chosen])

    def _ends(self, arms: list[tuple[int, int]]) -> "_Ends":
        """Collect the arms (atom, arm) as arrays."""
        records = [self.explicit.arms[atom][number] for atom, number in arms]
        return _Ends(
            np.array([record.atom for record in records]),
            np.array([record.shift for record in records]),
            np.array([self.geometry.directions[atom][number] for atom, number in arms]),
            np.array([self.lengths[atom][number] for atom, number in arms]),
            np.array([self.geometry.rotations[atom][number] for atom, number in arms]),
        )


@lru_cache(maxsize=4096)
def _improper(force_field: ForceField, types: tuple[str, ...]) -> tuple[float, tuple[int, ...]] | None:
    return force_field.improper(types[0], types[1:])


@dataclass(frozen=True, slots=True, eq=False)
class _Ends:
    """The far ends of n arms, seen from their atoms."""

    atoms: IntArray  # (n,)
    shifts: IntArray  # (n,)
    along: FloatArray  # (n, 3)
    lengths: FloatArray  # (n,) Å
    rotations: FloatArray  # (n, 3, 3)

    def carried(self, vectors: FloatArray) -> FloatArray:
        """Return vectors (n, 3) in the axes of the far ends."""
        return np.asarray(np.einsum("nij,ni->nj", self.rotations, vectors))


def _dihedral(b1: FloatArray, b2: FloatArray, b3: FloatArray) -> tuple[NDArray[np.bool_], FloatArray, FloatArray]:
    """Return the dihedral angles of successive vectors and their gradients.

    Returns
    -------
    (n,) bool
        Whether there is a dihedral: none of the two angles is straight.
    (n,) floats
        The angle in radians, 0 for cis.
    (n, 4, 3) floats
        Its gradients by the four points.
    """
    n1, n2 = np.cross(b1, b2), np.cross(b2, b3)
    length = np.linalg.norm(b2, axis=1)
    squared_1, squared_2 = np.sum(n1**2, axis=1), np.sum(n2**2, axis=1)
    limit = (_NO_DIHEDRAL * length) ** 2
    bent = (squared_1 > limit * np.sum(b1**2, axis=1)) & (squared_2 > limit * np.sum(b3**2, axis=1))
    squared_1, squared_2 = np.where(bent, squared_1, 1.0), np.where(bent, squared_2, 1.0)
    first = -(length / squared_1)[:, None] * n1
    fourth = (length / squared_2)[:, None] * n2
    s = (np.sum(b1 * b2, axis=1) / length**2)[:, None]
    t = (np.sum(b3 * b2, axis=1) / length**2)[:, None]
    second = -(1.0 + s) * first + t * fourth
    third = -(1.0 + t) * fourth + s * first
    phi = np.arctan2(length * np.sum(b1 * n2, axis=1), np.sum(n1 * n2, axis=1))
    return bent, phi, np.stack([first, second, third, fourth], 1)
