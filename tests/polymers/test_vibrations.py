"""Normal modes of infinite chains: finite differences, formulas of small molecules, polyethylene, other ways of writing."""

import math
import random
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from affinecal_gui.polymers.chain.infinite_chain import unroll
from affinecal_gui.polymers.copolymers.composition_spectrum import spectrum_of
from affinecal_gui.polymers.descriptor_error import DescriptorError
from affinecal_gui.polymers.force_field.parameters import load_force_field
from affinecal_gui.polymers.reading.repeat_unit import parse_repeat_unit
from affinecal_gui.polymers.vibrations.bonded_terms import BondedTerms, Coordinates
from affinecal_gui.polymers.vibrations.explicit_chain import ExplicitChain, explicit_chain
from affinecal_gui.polymers.vibrations.heat_capacity import classical_surplus
from affinecal_gui.polymers.vibrations.normal_modes import MOST_ATOMS, branches, chains_of, modes_of, vibrations
from tests.polymers.chain_rewriting import rewritten
from tests.polymers.polymers_to_try import ORDINARY

FloatArray = NDArray[np.float64]

CM = math.sqrt(4184e23) / (2 * math.pi * 2.99792458e10)  # cm^-1 for 1 kcal/(mol Å²) and 1 g/mol
GAFF2_MOD = load_force_field("GAFF2_mod")
CELLS = range(-2, 3)


def chain_of(text: str) -> ExplicitChain:
    return explicit_chain(unroll(parse_repeat_unit(text)), "GAFF2_mod")


class Oligomer:
    """Five cells of a chain in space, put together bond by bond."""

    def __init__(self, text: str) -> None:
        self.explicit = chain_of(text)
        self.terms = BondedTerms(self.explicit, "GAFF2_mod")
        geometry = self.terms.geometry
        self.axes = {(0, 0): np.eye(3)}
        self.position = {(0, 0): np.zeros(3)}
        waiting = [(0, 0)]
        while waiting:
            atom, cell = waiting.pop()
            for number, arm in enumerate(self.explicit.arms[atom]):
                other = (arm.atom, cell + arm.shift)
                if other in self.position or other[1] not in CELLS:
                    continue
                own = self.axes[atom, cell]
                length = self.terms.lengths[atom][number]
                self.position[other] = self.position[atom, cell] + own @ geometry.directions[atom][number] * length
                self.axes[other] = own @ geometry.rotations[atom][number]
                waiting.append(other)


def value_of(points: FloatArray) -> float:
    """Return a length, an angle at the last of three points, or a dihedral, by textbook formulas."""
    if len(points) == 2:
        return float(np.linalg.norm(points[1] - points[0]))
    if len(points) == 3:
        first, third = points[0] - points[2], points[1] - points[2]
        return math.acos(first @ third / np.linalg.norm(first) / np.linalg.norm(third))
    along = points[2] - points[1]
    along /= np.linalg.norm(along)
    first, last = points[0] - points[1], points[3] - points[2]
    first, last = first - (first @ along) * along, last - (last @ along) * along
    return math.atan2(np.cross(along, first) @ last, first @ last)


def change(after: float, before: float) -> float:
    return (after - before + math.pi) % (2 * math.pi) - math.pi


def number_of_atoms(coordinates: Coordinates, row: int) -> int:
    return int(np.any(coordinates.gradients[row] != 0.0, axis=1).sum())


@pytest.mark.parametrize("text", ["*CC*", "*CC(*)(C)C(=O)OC", "*CC(*)C#N", "*NC(=O)CC*", "*CC=CC*"])
def test_gradients_are_those_of_an_explicit_oligomer_by_finite_differences(text: str) -> None:
    oligomer = Oligomer(text)
    coordinates = oligomer.terms.coordinates()
    tried = 0
    for row in range(len(coordinates.constant)):
        size = number_of_atoms(coordinates, row)
        members = list(
            zip(coordinates.atoms[row, :size].tolist(), coordinates.shifts[row, :size].tolist(), strict=True)
        )
        points = np.array([oligomer.position[one] for one in members])
        if size == 3 and abs(math.pi - value_of(points)) < 0.1:
            continue  # a straight angle has no derivative: it bends in two directions instead
        for (place, member), axis in product(enumerate(members), range(3)):
            step = np.zeros_like(points)
            step[place] = 1e-5 * oligomer.axes[member][:, axis]
            slope = change(value_of(points + step), value_of(points - step)) / 2e-5
            assert coordinates.gradients[row, place, axis] == pytest.approx(slope, abs=2e-6)
            tried += 1
    assert tried > 300


@pytest.mark.parametrize(("phase", "signs"), [(0.0, 1.0), (math.pi, -1.0)])
def test_polyethylene_has_the_modes_of_its_energy_by_finite_differences(phase: float, signs: float) -> None:
    """The bonded energy of one cell as a function of its 18 coordinates, repeated with or against its neighbours."""
    oligomer = Oligomer("*CC*")
    coordinates = oligomer.terms.coordinates()
    sizes = [number_of_atoms(coordinates, row) for row in range(len(coordinates.constant))]
    rows = [
        list(zip(coordinates.atoms[row, :size].tolist(), coordinates.shifts[row, :size].tolist(), strict=True))
        for row, size in enumerate(sizes)
    ]
    rest = [value_of(np.array([oligomer.position[one] for one in row])) for row in rows]

    def energy(moved: FloatArray) -> float:
        total = 0.0
        for constant, row, at_rest in zip(coordinates.constant, rows, rest, strict=True):
            points = np.array([oligomer.position[one] + signs ** one[1] * moved[one[0]] for one in row])
            total += 0.5 * constant * change(value_of(points), at_rest) ** 2
        return total

    step = 1e-3
    shifts = step * np.eye(18).reshape(18, 6, 3)
    hessian = np.zeros((18, 18))
    for i, a in enumerate(shifts):
        for j, b in enumerate(shifts[: i + 1]):
            mixed = energy(a + b) - energy(a - b) - energy(b - a) + energy(-a - b)
            hessian[i, j] = hessian[j, i] = mixed / (4 * step**2)
    weight = np.repeat(1 / np.sqrt(oligomer.explicit.masses), 3)
    expected = CM * np.sqrt(np.maximum(np.linalg.eigvalsh(hessian * np.outer(weight, weight)), 0.0))
    found = branches("*CC*", np.array([phase]))[0]
    assert found == pytest.approx(expected, abs=0.5)


def only(coordinates: Coordinates, atoms: set[int]) -> Coordinates:
    """Leave the coordinates between some atoms."""
    size = [number_of_atoms(coordinates, row) for row in range(len(coordinates.constant))]
    chosen = np.array(
        [
            set(row[:k].tolist()) <= atoms and not shifts[:k].any()
            for row, shifts, k in zip(coordinates.atoms, coordinates.shifts, size, strict=True)
        ]
    )
    return replace(
        coordinates,
        constant=coordinates.constant[chosen],
        atoms=coordinates.atoms[chosen],
        shifts=coordinates.shifts[chosen],
        gradients=coordinates.gradients[chosen],
        bonds=int(chosen[: coordinates.bonds].sum()),
    )


def test_a_single_bond_vibrates_as_a_diatomic_molecule() -> None:
    explicit = chain_of("*CC*")
    found = modes_of(explicit, only(BondedTerms(explicit, "GAFF2_mod").coordinates(), {0, 1}))
    bond = GAFF2_MOD.bond("c3", "c3")
    assert bond is not None
    stretch = CM * math.sqrt(2 * bond[0] * (2 / 12.011))  # nu = sqrt(F / mu) / (2 pi c)
    assert found.spectrum.wavenumbers[found.spectrum.wavenumbers > 1.0] == pytest.approx(stretch, rel=1e-9)


def test_two_bonds_and_an_angle_vibrate_as_a_bent_triatomic_molecule() -> None:
    """Valence forces of XY2: Herzberg, Infrared and Raman Spectra (1945), equations II,187 to II,189."""
    explicit = chain_of("*C*")
    terms = BondedTerms(explicit, "GAFF2_mod")
    found = modes_of(explicit, only(terms.coordinates(), {0, 1, 2}))
    bond, angle = GAFF2_MOD.bond("c3", "hc"), GAFF2_MOD.angle("hc", "c3", "hc")
    assert bond is not None
    assert angle is not None
    places = [number for number, arm in enumerate(explicit.arms[0]) if arm.bond < 0]
    one, other = terms.geometry.directions[0][places]
    half = 0.5 * math.acos(one @ other)  # of the angle as it is in the chain
    k, k_bend, m_y, m_x = 2 * bond[0], 2 * angle[0] / bond[1] ** 2, 1.008, 12.011
    antisymmetric = (1 + 2 * m_y / m_x * math.sin(half) ** 2) * k / m_y
    total = (1 + 2 * m_y / m_x * math.cos(half) ** 2) * k / m_y + 2 * (
        1 + 2 * m_y / m_x * math.sin(half) ** 2
    ) * k_bend / m_y
    product_ = 2 * (1 + 2 * m_y / m_x) * k * k_bend / m_y**2
    root = math.sqrt(total**2 / 4 - product_)
    expected = CM * np.sqrt(sorted([total / 2 - root, total / 2 + root, antisymmetric]))
    at_zero = np.sort(found.spectrum.wavenumbers[:9])
    assert at_zero[-3:] == pytest.approx(expected, rel=1e-9)


def test_polyethylene_has_its_known_branches() -> None:
    """Measured bands of polyethylene (Snyder and Schachtschneider 1963; Tasumi and Shimanouchi 1965).

    GAFF2 has the bends at 1483 and 1569 (measured about 1440 to 1473), the rocks from 740 (measured 720), the C-C stretches
    at 1036 and 1049 (measured 1061 and 1131): within some 8 %.
    """
    at_zero = branches("*CC*", np.array([0.0]))[0]
    assert at_zero[:4] == pytest.approx(0.0, abs=0.1)  # three translations and the rotation about the axis
    assert at_zero[4] == pytest.approx(720, rel=0.05)  # CH2 rocking
    assert ((at_zero > 1000) & (at_zero < 1150)).sum() >= 2  # C-C stretches, and the other rock
    assert [round(one) for one in at_zero[11:14]] == pytest.approx([1463, 1463, 1463], rel=0.08)  # bends and a wag
    assert np.all((at_zero[14:] > 2800) & (at_zero[14:] < 3200))
    assert np.all(at_zero[:14] < 1600)


@pytest.mark.parametrize("text", ["*C*", "*CC(*)C", "*OCC*", "*CC(*)(C)C(=O)OC", "*CC(*)c1ccccc1"])
def test_no_mode_is_pushed_away_and_some_branch_is_acoustic(text: str) -> None:
    found = branches(text, np.linspace(0.0, math.pi, 33))
    assert np.all(found >= 0.0)
    assert found[0][0] == pytest.approx(0.0, abs=1.0)  # the translation along the axis


def test_a_doubled_unit_has_the_modes_at_the_folded_phases() -> None:
    phases = np.array([0.0, 0.7])
    single = np.stack([branches("*CC(*)C", phases / 2), branches("*CC(*)C", phases / 2 + math.pi)], 1)
    double = branches("*CC(C)CC(*)C", phases)
    # Rounding of eigenvalues near zero is what remains of the acoustic ones.
    assert double == pytest.approx(np.sort(single.reshape(2, -1), axis=1), abs=0.01)


@pytest.mark.parametrize("text", ORDINARY)
def test_the_surplus_is_the_same_however_the_unit_is_cut_doubled_or_numbered(text: str) -> None:
    choice = random.Random(text)
    expected = classical_surplus(vibrations(text).spectrum, 300.0).heat_capacity
    for _ in range(2):
        other = rewritten(parse_repeat_unit(text), choice)
        assert classical_surplus(vibrations(other).spectrum, 300.0).heat_capacity == pytest.approx(
            expected, rel=5e-5
        ), other


@pytest.mark.parametrize("text", ["*CC*", "*C=CC=C*", "*c1ccc(*)cc1", "*CC1(C*)CC1", "*N=P(*)(OC)OC"])
def test_weights_count_the_modes_of_the_unit_and_shares_add_up(text: str) -> None:
    found = vibrations(text)
    atoms = len(chain_of(text).site)
    assert found.spectrum.weights.sum() == pytest.approx(3 * atoms)
    assert found.shares.sum(axis=1) == pytest.approx(1.0)
    assert np.all(found.shares >= 0.0)
    # Summed over all modes, every atom has three.
    assert found.spectrum.weights @ found.shares == pytest.approx(3.0 * np.bincount(chain_of(text).site))


def test_a_constraint_on_hydrogens_leaves_one_mode_less_for_each_bond_but_not_for_deuterium() -> None:
    light, heavy = vibrations("*CC*").spectrum, vibrations("*C([2H])([2H])C([2H])([2H])*").spectrum
    assert light.weights @ light.moved("hydrogen") == pytest.approx(18 - 4)
    assert light.wavenumbers[light.moved("hydrogen")].max() < 2000
    assert heavy.moved("hydrogen").all()
    assert heavy.weights @ heavy.moved("all") == pytest.approx(18 - 6)
    assert light.moved("none").all()


def test_a_triple_bond_is_moved_although_it_vibrates_above_the_bends() -> None:
    found = vibrations("*CC(*)C#N").spectrum
    moved = found.wavenumbers[found.moved("hydrogen")]
    assert 1850 < moved.max() < 2300  # measured nitriles are at about 2,240; GAFF2 has 1,919


def test_modes_are_the_same_bits_every_time() -> None:
    one, other = vibrations("*Oc1ccc(cc1)C(C)(C)c1ccc(cc1)OC(*)=O"), vibrations("*Oc1ccc(cc1)C(C)(C)c1ccc(cc1)OC(*)=O")
    assert np.array_equal(one.spectrum.wavenumbers, other.spectrum.wavenumbers)
    assert np.array_equal(one.shares, other.shares)


def test_an_atom_without_constants_is_named() -> None:
    with pytest.raises(DescriptorError, match=r"No GAFF2_mod type for boron atom 2"):
        vibrations("*CB(*)C")


def test_too_many_atoms_have_no_modes_by_their_number_and_not_by_the_time() -> None:
    def chain(groups: int) -> str:  # of CH2, three atoms each
        return f"*{'C' * groups}*"

    assert len(chains_of([chain(333)], "GAFF2_mod")[0].site) == MOST_ATOMS - 1
    with pytest.raises(DescriptorError, match=r"unit has 1,002 atoms, hydrogens included; .* of at most 1,000\."):
        vibrations(chain(334))
    assert len(chains_of([chain(166), chain(167)], "GAFF2_mod")) == 2
    with pytest.raises(DescriptorError, match="The repeat units have together 1,003 atoms"):
        spectrum_of(f"{chain(167)}|*O{chain(167)[1:]}|0.5|0.5")
