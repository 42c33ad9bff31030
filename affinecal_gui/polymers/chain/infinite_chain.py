"""The infinite chain of a repeat unit as ONE periodic cell: atoms, links to the neighbouring cells, what each atom is.

Joining the two ends of the unit gives a graph whose links carry the cell they lead to: a neighbour is (atom, shift).
All rings of the chain lie inside one unit, because two units are joined by a single link; so ring membership and
aromaticity can be read from the unit with its attachment points in place, and no artificial ring is ever closed. Conjugation
and hybridisation reach across the link and are completed here by RDKit's own rules (Code/GraphMol/ConjugHybrid.cpp).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import permutations
from typing import NamedTuple

from rdkit import Chem

from affinecal_gui.polymers.descriptor_error import DescriptorError
from affinecal_gui.polymers.pattern_search import holds
from affinecal_gui.polymers.reading.atom_queries import CHARGED_OR_LABELLED, atoms_of
from affinecal_gui.polymers.reading.repeat_unit import RepeatUnit

_PERIODIC_TABLE = Chem.GetPeriodicTable()
_SYMBOLS = [_PERIODIC_TABLE.GetElementSymbol(number) for number in range(119)]
_MASSES = [_PERIODIC_TABLE.GetAtomicWeight(number) for number in range(119)]  # g/mol

_CARBON = 6

_HYBRIDISATIONS = {
    Chem.HybridizationType.SP: "sp",
    Chem.HybridizationType.SP2: "sp2",
    Chem.HybridizationType.SP3: "sp3",
    Chem.HybridizationType.SP2D: "sp2d",
    Chem.HybridizationType.SP3D: "sp3d",
    Chem.HybridizationType.SP3D2: "sp3d2",
    Chem.HybridizationType.S: "s",
}

# Aromatic atoms that the MDL model may see otherwise: all but those of a benzene, pyridine ... ring that shares no atom with
# another ring and has no double bond out of it.
_TOLD_APART = Chem.MolFromSmarts("[a;!#6!#7,#7!X2,!+0,!R1,!r6,$(a=*)]")

_ELEMENT_NAMES = {
    "H": "hydrogen",
    "B": "boron",
    "C": "carbon",
    "N": "nitrogen",
    "O": "oxygen",
    "P": "phosphorus",
    "S": "sulfur",
    "Si": "silicon",
    "Se": "selenium",
    "Te": "tellurium",
    "Ge": "germanium",
    "Sn": "tin",
    "As": "arsenic",
    "Na": "sodium",
    "K": "potassium",
    "Li": "lithium",
    "Mg": "magnesium",
    "Ca": "calcium",
    "Al": "aluminium",
    "Fe": "iron",
    "Zn": "zinc",
    "Cu": "copper",
    "Pt": "platinum",
    "F": "fluorine",
    "Cl": "chlorine",
    "Br": "bromine",
    "I": "iodine",
}


class Neighbour(NamedTuple):
    """One end of a bond, seen from the other."""

    atom: int
    shift: int  # cells onwards along the chain
    order: float  # 1, 1.5 (aromatic in the MDL sense), 2, 3
    bond: int  # index into the chain's bonds


class Bond(NamedTuple):
    """One bond per repeat unit; ``shift`` is the cell of ``end`` relative to that of ``begin``."""

    begin: int
    end: int
    shift: int
    order: float  # 1, 1.5 (aromatic in the MDL sense), 2, 3
    in_molecule: int  # index in the repeat unit's molecule


# Calling the classes themselves takes twice as long, three times for every bond.
_neighbour: Callable[[tuple[int, int, float, int]], Neighbour] = partial(tuple.__new__, Neighbour)
_bond: Callable[[tuple[int, int, int, float, int]], Bond] = partial(tuple.__new__, Bond)


@dataclass(slots=True)
class ChainAtom:
    """An atom of the cell: everything the force field asks about it, apart from its neighbours."""

    in_molecule: int  # index in the repeat unit's molecule
    number: int  # atomic number
    symbol: str
    mass: float  # g/mol
    charge: int  # formal charge
    hydrogens: int  # attached hydrogens that are not atoms of the cell themselves
    all_hydrogens: int  # attached hydrogens, whether or not they are atoms of the cell
    degree: int  # bonded atoms, hydrogens included
    hybridisation: str  # "sp", "sp2", "sp3" ...
    aromatic: bool  # in the MDL sense
    smallest_ring: int  # atoms of the smallest ring that it is part of; 0 outside of rings


@dataclass(frozen=True)
class InfiniteChain:
    """One cell of the chain; atoms are numbered without the attachment points, in the order of the unit's molecule.

    The last bond is the link from the cell to the next one.
    """

    unit: RepeatUnit
    molecule: Chem.Mol  # the unit's molecule, in RDKit's own model of aromaticity
    atoms: tuple[ChainAtom, ...]
    bonds: tuple[Bond, ...]
    neighbours: tuple[tuple[Neighbour, ...], ...]
    places: tuple[tuple[int, int], ...]
    """Of each bond: which of the neighbours of its first atom the second one is, and which of the second the first."""

    @cached_property
    def delocalised_orders(self) -> tuple[float, ...]:
        """(B,) :meth:`delocalised_order` of all bonds."""
        return tuple(self.delocalised_order(bond) for bond in range(len(self.bonds)))

    def delocalised_order(self, bond: int) -> float:
        """Return the order of a bond in RDKit's own, wider model of aromaticity."""
        return float(self.molecule.GetBondWithIdx(self.bonds[bond].in_molecule).GetBondTypeAsDouble())

    @cached_property
    def conjugated_bonds(self) -> frozenset[int]:
        """Indices of the conjugated bonds."""
        perceived = {
            i for i, bond in enumerate(self.bonds) if self.molecule.GetBondWithIdx(bond.in_molecule).GetIsConjugated()
        }
        perceived.discard(len(self.bonds) - 1)  # its attachment point is no atom
        return frozenset(perceived | _conjugated_across_link(self))

    @cached_property
    def ring_bonds(self) -> frozenset[int]:
        """Indices of the bonds that are part of a ring."""
        in_rings = {bond for ring in self.molecule.GetRingInfo().BondRings() for bond in ring}
        return frozenset(number for number, bond in enumerate(self.bonds) if bond.in_molecule in in_rings)


def unroll(unit: RepeatUnit) -> InfiniteChain:
    """Join the ends of a repeat unit and perceive what each atom of the infinite chain is.

    Raises
    ------
    DescriptorError
        When the two ends ask for different bond orders, or there is no atom between them.
    """
    molecule = unit.molecule
    first_bond, last_bond = (molecule.GetAtomWithIdx(mark).GetBonds()[0] for mark in unit.attachment_points)
    head_index, tail_index = (
        bond.GetOtherAtomIdx(mark) for bond, mark in zip((first_bond, last_bond), unit.attachment_points, strict=True)
    )
    if head_index in unit.attachment_points:
        raise DescriptorError("There is no atom between the two attachment points.")
    link_order = float(first_bond.GetBondTypeAsDouble())
    if link_order != last_bond.GetBondTypeAsDouble():
        raise DescriptorError(
            "The bonds at the two ends differ in order; both ends of a repeat unit need the same bond."
        )
    rings = molecule.GetRingInfo()
    if link_order > 1 and (rings.NumAtomRings(head_index) or rings.NumAtomRings(tail_index)):
        molecule = _with_real_ends(unit, head_index, tail_index)
    plain = _in_mdl_model(molecule) if rings.NumRings() and holds(molecule, _TOLD_APART) else molecule

    kept = [index for index in range(molecule.GetNumAtoms()) if index not in unit.attachment_points]
    bonds = _bonds(plain, kept, {first_bond.GetIdx(), last_bond.GetIdx()})
    bonds.append(Bond(kept.index(tail_index), kept.index(head_index), 1, link_order, last_bond.GetIdx()))
    neighbours, places = _neighbours(len(kept), bonds)
    atoms = _atoms(molecule, plain, kept, neighbours)
    chain = InfiniteChain(unit, molecule, atoms, tuple(bonds), neighbours, places)
    _complete_hybridisation(chain)
    return chain


def _with_real_ends(unit: RepeatUnit, head: int, tail: int) -> Chem.Mol:
    """Put the elements of the neighbouring cells in the place of doubly bonded attachment points.

    Whether a ring with an exocyclic double bond is aromatic depends on the element at its other side.
    """
    editable = Chem.RWMol(unit.molecule)
    for mark, opposite in zip(unit.attachment_points, (tail, head), strict=True):
        editable.GetAtomWithIdx(mark).SetAtomicNum(unit.molecule.GetAtomWithIdx(opposite).GetAtomicNum())
    try:
        Chem.SanitizeMol(editable)
    except ValueError as error:  # RDKit's sanitisation errors
        raise DescriptorError(f"The two ends cannot be joined by a double bond ({error}).") from error
    return editable


def _in_mdl_model(molecule: Chem.Mol) -> Chem.Mol:
    """Return the molecule in the MDL model: six-membered and fused rings of C and N aromatic, others in Kekulé form."""
    plain = Chem.Mol(molecule)
    try:
        Chem.Kekulize(plain, clearAromaticFlags=True)
    except Chem.KekulizeException as error:
        raise DescriptorError("The aromatic rings have no Kekulé structure.") from error
    Chem.SetAromaticity(plain, Chem.AromaticityModel.AROMATICITY_MDL)
    return plain


def _bonds(plain: Chem.Mol, kept: list[int], to_marks: set[int]) -> list[Bond]:
    """Return the bonds between atoms of the cell; ``to_marks`` are those that lead out of it."""
    number_of = {index: number for number, index in enumerate(kept)}
    inner = [index for index in range(plain.GetNumBonds()) if index not in to_marks]
    return [
        _bond(
            (number_of[bond.GetBeginAtomIdx()], number_of[bond.GetEndAtomIdx()], 0, bond.GetBondTypeAsDouble(), index)
        )
        for index, bond in zip(inner, map(plain.GetBondWithIdx, inner), strict=True)
    ]


def _neighbours(
    number_of_atoms: int, bonds: list[Bond]
) -> tuple[tuple[tuple[Neighbour, ...], ...], tuple[tuple[int, int], ...]]:
    """Return the neighbours of every atom, in the order of the bonds, and where the ends of each bond stand among them."""
    found: list[list[Neighbour]] = [[] for _ in range(number_of_atoms)]
    places = []
    for index, (begin, end, shift, order, _) in enumerate(bonds):
        onwards = len(found[begin])
        found[begin].append(_neighbour((end, shift, order, index)))
        back = len(found[end])
        found[end].append(_neighbour((begin, -shift, order, index)))
        places.append((onwards, back))
    return tuple(map(tuple, found)), tuple(places)


def _atoms(
    molecule: Chem.Mol, plain: Chem.Mol, kept: list[int], neighbours: tuple[tuple[Neighbour, ...], ...]
) -> tuple[ChainAtom, ...]:
    """Read the atoms of the cell."""
    rings = sorted(molecule.GetRingInfo().AtomRings(), key=len, reverse=True)
    smallest_ring = {index: len(ring) for ring in rings for index in ring}  # the smaller ones come last
    charges, masses = {}, {}
    for atom in atoms_of(molecule, CHARGED_OR_LABELLED):
        charges[atom.GetIdx()] = atom.GetFormalCharge()
        masses[atom.GetIdx()] = atom.GetMass()
    atoms = []
    # The atoms of the two molecules differ in nothing but their aromaticity.
    for index, atom, around in zip(kept, map(plain.GetAtomWithIdx, kept), neighbours, strict=True):
        element = atom.GetAtomicNum()
        hydrogens = atom.GetTotalNumHs()
        degree = len(around) + hydrogens
        aromatic = atom.GetIsAromatic()
        atoms.append(
            ChainAtom(  # in the order of its fields: naming them would take as long as asking RDKit for them
                index,
                element,
                _SYMBOLS[element],
                masses.get(index, _MASSES[element]),
                charges.get(index, 0),
                hydrogens,
                hydrogens,
                degree,
                _hybridisation(atom, element, degree, aromatic),
                aromatic,
                smallest_ring.get(index, 0),
            )
        )
    for carried, around in zip(atoms, neighbours, strict=True):
        if carried.number == 1:
            for neighbour in around:
                atoms[neighbour.atom].all_hydrogens += 1
    return tuple(atoms)


def _hybridisation(atom: Chem.Atom, element: int, degree: int, aromatic: bool) -> str:
    """Return what RDKit has found; most atoms are carbons of a kind that leaves no choice, and asking takes its time."""
    if element == _CARBON:
        if degree == 4:
            return "sp3"
        if aromatic:
            return "sp2"
    return _HYBRIDISATIONS.get(atom.GetHybridization(), "unspecified")


def _complete_hybridisation(chain: InfiniteChain) -> None:
    """Set the hybridisation of atoms that take part in conjugation only because of the link."""
    for bond in _conjugated_across_link(chain):
        for number in (chain.bonds[bond].begin, chain.bonds[bond].end):
            atom = chain.atoms[number]
            # Four electron pairs make an sp3 atom, unless one of them can take part in conjugation.
            if atom.hybridisation == "sp3" and atom.degree <= 3:
                atom.hybridisation = "sp2"


def _conjugated_across_link(chain: InfiniteChain) -> set[int]:
    """Return the bonds that are conjugated through the link, where RDKit saw only an attachment point.

    A multiple bond and a bond beside it are conjugated when their common atom and the atoms at their far ends have
    electrons to share.
    """
    link = len(chain.bonds) - 1
    found: set[int] = set()
    ends = {chain.bonds[link].begin, chain.bonds[link].end}
    if any(chain.atoms[end].degree > 3 for end in ends):
        return found  # no electrons to share at one end of the link
    for here in ends:
        for multiple, beside in permutations(chain.neighbours[here], 2):
            if (
                link in (multiple.bond, beside.bond)
                and chain.delocalised_order(multiple.bond) >= 1.5
                and all(_may_conjugate(chain, atom) for atom in (here, multiple.atom, beside.atom))
            ):
                found |= {multiple.bond, beside.bond}
    return found


def _may_conjugate(chain: InfiniteChain, number: int) -> bool:
    """Tell whether an atom has electrons for conjugation (RDKit: isAtomConjugCand, countAtomElec)."""
    atom = chain.atoms[number]
    outer = _PERIODIC_TABLE.GetNOuterElecs(atom.number)
    if atom.number > 10 and (outer == 5 or (outer == 6 and atom.degree >= 2)):
        return False
    default_valence = _PERIODIC_TABLE.GetDefaultValence(atom.number)
    if default_valence <= 1 or atom.degree > 3:
        return False
    lone_pairs = max(outer - default_valence - atom.charge, 0)
    radicals = chain.molecule.GetAtomWithIdx(atom.in_molecule).GetNumRadicalElectrons()
    return bool(default_valence - atom.degree + lone_pairs - radicals > 0)


def atom_name(chain: InfiniteChain, number: int) -> str:
    """Return the name of an atom for messages: its element and its place along the text, attachment points not counted."""
    symbol = chain.atoms[number].symbol
    return f"{_ELEMENT_NAMES.get(symbol, symbol)} atom {number + 1}"
