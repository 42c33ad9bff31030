"""Normal modes of an infinite chain at a few wave numbers k along it, with the share of every atom in each.

The dynamical matrix is that of Gauss and Newton: sum F g g' over the internal coordinates, mass-weighted, with the factor
e^(ik) for every cell that a gradient reaches onwards. It has no negative eigenvalue by construction. k is a phase in the
axes that go along with the chain, so a screw axis is turned out of it: in an all-trans chain the translations across it are
found at k = pi of one backbone atom.

What is computed of the modes is a smooth function of k, whose mean over k is taken by the trapezoidal rule, which converges
faster than any power of the number of points. A doubled cell has half as many of them, and so the same modes.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.polymers.chain.infinite_chain import unroll
from affinecal_gui.polymers.descriptor_error import DescriptorError
from affinecal_gui.polymers.reading.repeat_unit import RepeatUnit, parse_repeat_unit
from affinecal_gui.polymers.vibrations.bonded_terms import BondedTerms, Coordinates
from affinecal_gui.polymers.vibrations.constraint import Constraint
from affinecal_gui.polymers.vibrations.explicit_chain import ExplicitChain, explicit_chain
from affinecal_gui.threads import one_thread_each

FloatArray = NDArray[np.float64]

_WAVENUMBER = math.sqrt(4184e23) / (2.0 * math.pi * 2.99792458e10)  # cm^-1 for 1 kcal/(mol Å²) and 1 g/mol
_ATOMS_OF_ALL_POINTS = (
    48  # atoms of a cell times intervals of k: with them, heat capacities are right to 1e-4 and better
)
_LARGE, _HUGE = 96, 192  # atoms of cells for which two points of k, and one, do the same
MOST_ATOMS = 1_000
"""Atoms, with all hydrogens, of a repeat unit whose modes are computed, or of all units of a copolymer together.

The time goes with the cube of the atoms, and the memory with their square: so many take some 5 s of processor time, as long
as a polymer may be described, and 0.7 GB. By their number the same polymers have modes on every computer.
"""
_HEAVIEST_HELD = 1.1  # g/mol: the masses that LAMMPS takes for 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Spectrum:
    """Normal modes per repeat unit: m of them from all points of k, each standing for ``weights`` modes."""

    wavenumbers: FloatArray  # (m,) cm^-1, in ascending order at each point of k
    weights: FloatArray  # (m,) their sum is three times the number of atoms of the unit
    to_hydrogen: NDArray[np.bool_]  # (m,) stretching of a bond to hydrogen (not to deuterium)
    stretching: NDArray[np.bool_]  # (m,) stretching of any bond
    molar_mass: float  # of the repeat unit, g/mol

    def moved(self, constraint: Constraint) -> NDArray[np.bool_]:
        """(m,) which modes a simulation moves."""
        if constraint == "none":
            return np.ones(len(self.wavenumbers), dtype=np.bool_)
        return np.asarray(~(self.to_hydrogen if constraint == "hydrogen" else self.stretching))


@dataclass(frozen=True, slots=True, eq=False)
class Vibrations:
    """The normal modes of a chain, and who takes part in them."""

    spectrum: Spectrum
    shares: FloatArray  # (m, S) of each site of the cell: its atoms' part of the squared eigenvector; rows add up to 1
    atoms: tuple[int, ...]  # (S,) the atom that each site is or hangs on, by its index in the repeat unit's molecule


def mixed(spectra: Sequence[Spectrum], fractions: Sequence[float]) -> Spectrum:
    """Return the modes per mean repeat unit of chains side by side, by their mole fractions."""
    present = [(fraction, one) for fraction, one in zip(fractions, spectra, strict=True) if fraction > 0.0]
    return Spectrum(
        np.concatenate([one.wavenumbers for _, one in present]),
        np.concatenate([fraction * one.weights for fraction, one in present]),
        np.concatenate([one.to_hydrogen for _, one in present]),
        np.concatenate([one.stretching for _, one in present]),
        sum(fraction * one.molar_mass for fraction, one in present),
    )


def vibrations(unit: RepeatUnit | str, force_field: str = "GAFF2_mod") -> Vibrations:
    """Return the normal modes of the infinite chain of a repeat unit, from the bonded terms of the force field.

    Parameters
    ----------
    unit : RepeatUnit or str
        The repeat unit, with its two ends marked. Stereo marks are not looked at.
    force_field : str
        "GAFF2_mod" (default) or "GAFF2".

    Raises
    ------
    InvalidRepeatUnit
        When a text is not a repeat unit.
    DescriptorError
        When an atom or term has no parameters, or there are more atoms than :data:`MOST_ATOMS`; the text says which.
    """
    (chain,) = chains_of([unit], force_field)
    return vibrations_of_chain(chain, force_field)


def vibrations_of_chain(chain: ExplicitChain, force_field: str) -> Vibrations:
    """Return the normal modes of a chain, from the bonded terms of the force field; DescriptorError as above."""
    return modes_of(chain, BondedTerms(chain, force_field).coordinates())


def chains_of(units: Sequence[RepeatUnit | str], force_field: str) -> list[ExplicitChain]:
    """Return the chain of each unit of one polymer, with every atom.

    Raises
    ------
    InvalidRepeatUnit
        When a text is not a repeat unit.
    DescriptorError
        When an atom has no type, or there are more atoms than :data:`MOST_ATOMS`.
    """
    chains = [
        explicit_chain(unroll(parse_repeat_unit(unit) if isinstance(unit, str) else unit), force_field)
        for unit in units
    ]
    atoms = sum(len(chain.site) for chain in chains)
    if atoms > MOST_ATOMS:
        which = "repeat unit has" if len(chains) == 1 else "repeat units have together"
        raise DescriptorError(
            f"The {which} {atoms:,} atoms, hydrogens included; vibrations are computed of at most {MOST_ATOMS:,}."
        )
    return chains


def modes_of(explicit: ExplicitChain, coordinates: Coordinates) -> Vibrations:
    """Return the normal modes of a chain with these internal coordinates."""
    masses = explicit.masses
    matrices = _force_constants(coordinates, masses)
    hydrogen = _bonds_to_hydrogen(explicit, coordinates)
    with one_thread_each(1):  # the largest take as long on one thread as on several, and these wait actively
        found = [_at(phase, matrices, coordinates, masses, hydrogen) for phase, _ in _points(len(masses))]
    weights = [np.full(3 * len(masses), weight) for _, weight in _points(len(masses))]
    number_of_sites = len(explicit.cell.masses)
    to_site = np.zeros((len(masses), number_of_sites))
    to_site[np.arange(len(masses)), list(explicit.site)] = 1.0
    spectrum = Spectrum(
        np.concatenate([one.wavenumbers for one in found]),
        np.concatenate(weights),
        np.concatenate([one.to_hydrogen for one in found]),
        np.concatenate([one.stretching for one in found]),
        float(masses.sum()),
    )
    cell = explicit.cell
    atoms = tuple(cell.chain.atoms[cell.atom_of(site)].in_molecule for site in range(number_of_sites))
    return Vibrations(spectrum, np.concatenate([one.shares @ to_site for one in found]), atoms)


def branches(unit: RepeatUnit | str, phases: FloatArray, force_field: str = "GAFF2_mod") -> FloatArray:
    """Return the wavenumbers (p, 3A) in cm^-1 at p phases k between successive units, ascending at each."""
    chain = unroll(parse_repeat_unit(unit) if isinstance(unit, str) else unit)
    explicit = explicit_chain(chain, force_field)
    coordinates = BondedTerms(explicit, force_field).coordinates()
    matrices = _force_constants(coordinates, explicit.masses)
    return np.array([_wavenumbers(_eigenvalues(matrices, float(phase))) for phase in phases])


def _eigenvalues(matrices: dict[int, FloatArray], phase: float) -> FloatArray:
    return np.asarray(np.linalg.eigvalsh(_dynamical(matrices, phase)), dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class _AtPoint:
    wavenumbers: FloatArray  # (3A,)
    shares: FloatArray  # (3A, A)
    to_hydrogen: NDArray[np.bool_]  # (3A,)
    stretching: NDArray[np.bool_]  # (3A,)


def _points(atoms: int) -> list[tuple[float, float]]:
    """Return the phases k and the weight of each, for a cell of so many atoms."""
    if atoms >= _HUGE:
        return [(0.0, 1.0)]
    intervals = 1 if atoms >= _LARGE else max(2, math.ceil(_ATOMS_OF_ALL_POINTS / atoms))
    inner = [(math.pi * j / intervals, 1.0 / intervals) for j in range(1, intervals)]
    return [(0.0, 0.5 / intervals), *inner, (math.pi, 0.5 / intervals)]


def _force_constants(coordinates: Coordinates, masses: FloatArray) -> dict[int, FloatArray]:
    """Return the mass-weighted force constants (3A, 3A) between a cell and that so many cells onwards."""
    size = 3 * len(masses)
    scaled = coordinates.gradients / np.sqrt(masses)[coordinates.atoms][:, :, None]
    products = coordinates.constant[:, None, None, None, None] * np.einsum("rai,rbj->raibj", scaled, scaled)
    index = (3 * coordinates.atoms)[:, :, None] + np.arange(3)
    place = index[:, :, :, None, None] * size + index[:, None, None, :, :]
    onwards = coordinates.shifts[:, None, :] - coordinates.shifts[:, :, None]
    onwards = np.broadcast_to(onwards[:, :, None, :, None], products.shape)
    found = {}
    for step in range(int(onwards.max()) + 1):
        chosen = onwards == step
        flat = np.bincount(place[chosen], weights=products[chosen], minlength=size * size).astype(np.float64)
        found[step] = flat.reshape(size, size)
    return found


def _dynamical(matrices: dict[int, FloatArray], phase: float) -> NDArray[Any]:
    """Return the dynamical matrix at a phase k; real at 0 and pi."""
    real = phase in (0.0, math.pi)
    total: NDArray[Any] = matrices[0] if real else matrices[0].astype(np.complex128)
    for step, matrix in matrices.items():
        if step:
            factor = math.cos(step * phase) if real else complex(math.cos(step * phase), math.sin(step * phase))
            onwards = factor * matrix
            total = total + onwards + onwards.conj().T
    return total


def _at(
    phase: float,
    matrices: dict[int, FloatArray],
    coordinates: Coordinates,
    masses: FloatArray,
    hydrogen: NDArray[np.bool_],
) -> _AtPoint:
    """Return the modes at one phase."""
    values, vectors = np.linalg.eigh(_dynamical(matrices, phase))
    shares = np.abs(vectors.reshape(len(masses), 3, -1)) ** 2
    energies = _bond_energies(phase, vectors, coordinates, masses) / np.maximum(values, 1e-6 * values[-1])
    return _AtPoint(
        _wavenumbers(values),
        shares.sum(axis=1).T,
        _largest(energies[hydrogen]),
        _largest(energies),
    )


def _wavenumbers(values: FloatArray) -> FloatArray:
    """Return wavenumbers in cm^-1 of eigenvalues, which are not negative but for rounding."""
    return _WAVENUMBER * np.sqrt(np.maximum(values, 0.0))


def _bond_energies(phase: float, vectors: NDArray[Any], coordinates: Coordinates, masses: FloatArray) -> FloatArray:
    """Return the energy (bonds, 3A) that each mode of unit amplitude puts into stretching each bond."""
    some = slice(0, coordinates.bonds)
    atoms, shifts = coordinates.atoms[some, :2], coordinates.shifts[some, :2]
    gradients = coordinates.gradients[some, :2] / np.sqrt(masses)[atoms][:, :, None]
    by_atom = vectors.reshape(len(masses), 3, -1)
    stretched = sum(
        np.exp(1j * phase * shifts[:, k])[:, None] * np.einsum("ri,rim->rm", gradients[:, k], by_atom[atoms[:, k]])
        for k in range(2)
    )
    return np.asarray(coordinates.constant[some, None] * np.abs(stretched) ** 2)


def _bonds_to_hydrogen(explicit: ExplicitChain, coordinates: Coordinates) -> NDArray[np.bool_]:
    """(bonds,) which bonds a constraint on hydrogens holds."""
    ends = coordinates.atoms[: coordinates.bonds, :2]
    return np.asarray((explicit.masses[ends] < _HEAVIEST_HELD).any(axis=1))


def _largest(energies: FloatArray) -> NDArray[np.bool_]:
    """Return as many modes as there are bonds (bonds, 3A): those that put the largest part of their energy into them."""
    chosen = np.zeros(energies.shape[1], dtype=np.bool_)
    if len(energies):
        chosen[np.argsort(-energies.sum(axis=0), kind="stable")[: len(energies)]] = True
    return chosen
