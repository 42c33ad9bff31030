"""The infinite chain of a repeat unit as ONE periodic cell: atoms, links to the neighbouring cells, and what each atom is.

Joining the two ends of the unit gives a graph whose links carry the cell they lead to: a neighbour is (atom, cell shift).
All rings of the chain lie inside one unit, because two units are joined by a single link; so ring membership and
aromaticity can be read from the unit with its end marks in place, and no artificial ring is ever closed. Conjugation and
hybridisation reach across the link and are completed here by RDKit's own rules (Code/GraphMol/ConjugHybrid.cpp).
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

from rdkit import Chem

from affinecal_gui.polymers.descriptor_error import DescriptorError
from affinecal_gui.polymers.repeat_unit import RepeatUnit

_PERIODIC_TABLE = Chem.GetPeriodicTable()
_LARGEST_CONJUGATED_RING = 14  # an sp2 atom of a larger ring counts as a chain atom (RadonPy's typing rules)

_HYBRIDISATIONS = {
    Chem.HybridizationType.SP: "sp",
    Chem.HybridizationType.SP2: "sp2",
    Chem.HybridizationType.SP3: "sp3",
    Chem.HybridizationType.SP2D: "sp2d",
    Chem.HybridizationType.SP3D: "sp3d",
    Chem.HybridizationType.SP3D2: "sp3d2",
    Chem.HybridizationType.S: "s",
}


class Neighbour(NamedTuple):
    """One end of a bond, seen from the other."""

    atom: int
    shift: int  # cells onwards along the chain
    order: float  # 1, 1.5 (aromatic in the MDL sense), 2, 3
    delocalised_order: float  # 1.5 wherever RDKit's wider model of aromaticity sees an aromatic bond
    conjugated: bool
    in_ring: bool


@dataclass(frozen=True, slots=True)
class Bond:
    """One bond per repeat unit; ``shift`` is the cell of ``end`` relative to that of ``begin``."""

    begin: int
    end: int
    shift: int
    order: float
    delocalised_order: float
    conjugated: bool
    in_ring: bool


@dataclass(slots=True)
class ChainAtom:
    """An atom of the cell: everything the force field asks about it, apart from its neighbours."""

    index: int  # in the repeat unit's molecule
    symbol: str
    number: int  # atomic number
    mass: float  # g/mol
    charge: int  # formal charge
    hydrogens: int  # attached hydrogens that are not atoms of the cell themselves
    all_hydrogens: int  # attached hydrogens, whether or not they are atoms of the cell
    degree: int  # bonded atoms, hydrogens included
    hybridisation: str  # "sp", "sp2", "sp3" ...
    aromatic: bool  # in the MDL sense
    in_ring: bool  # of at most 14 atoms
    in_three_ring: bool
    in_four_ring: bool


@dataclass(frozen=True, slots=True)
class InfiniteChain:
    """One cell of the chain; atoms are numbered without the end marks, in the order of the unit's molecule."""

    unit: RepeatUnit
    atoms: tuple[ChainAtom, ...]
    bonds: tuple[Bond, ...]
    neighbours: tuple[tuple[Neighbour, ...], ...]


def unroll(unit: RepeatUnit) -> InfiniteChain:
    """Join the ends of a repeat unit and perceive what each atom of the infinite chain is.

    Raises
    ------
    DescriptorError
        When the two ends ask for different bond orders, or there is no atom between them.
    """
    molecule = unit.molecule
    ends = [atom for atom in molecule.GetAtoms() if atom.GetAtomicNum() == 0]
    head, tail = (end.GetNeighbors()[0] for end in ends)
    if head.GetAtomicNum() == 0:
        raise DescriptorError(f"{unit.text}: there is no atom between the two end marks.")
    end_bonds = [end.GetBonds()[0] for end in ends]
    orders = [bond.GetBondTypeAsDouble() for bond in end_bonds]
    if orders[0] != orders[1]:
        raise DescriptorError(
            f"{unit.text}: one end asks for a bond of order {orders[0]:g}, the other for one of order {orders[1]:g}; "
            "both ends of a repeat unit must have the same bond."
        )
    if orders[0] > 1 and (head.IsInRing() or tail.IsInRing()):
        molecule = _with_real_ends(unit, ends, head, tail)
    kekulised = _mdl_aromatic(molecule, unit)

    number_of = {}
    for atom in unit.molecule.GetAtoms():
        if atom.GetAtomicNum() != 0:
            number_of[atom.GetIdx()] = len(number_of)
    head_number, tail_number = number_of[head.GetIdx()], number_of[tail.GetIdx()]

    bonds = [
        Bond(
            number_of[begin],
            number_of[end],
            0,
            plain.GetBondTypeAsDouble(),
            bond.GetBondTypeAsDouble(),
            bond.GetIsConjugated(),
            bond.IsInRing(),
        )
        for bond, plain in zip(molecule.GetBonds(), kekulised.GetBonds(), strict=True)
        if (begin := bond.GetBeginAtomIdx()) in number_of and (end := bond.GetEndAtomIdx()) in number_of
    ]
    link_conjugated = any(molecule.GetBondWithIdx(bond.GetIdx()).GetIsConjugated() for bond in end_bonds)
    bonds.append(Bond(tail_number, head_number, 1, orders[0], orders[0], link_conjugated, in_ring=False))
    atoms = [_atom(molecule, kekulised, index) for index in number_of]
    _conjugate_across_link(molecule, atoms, bonds, head_number, tail_number)
    return InfiniteChain(unit, tuple(atoms), tuple(bonds), _neighbours(len(atoms), bonds))


def _with_real_ends(unit: RepeatUnit, ends: list[Chem.Atom], head: Chem.Atom, tail: Chem.Atom) -> Chem.Mol:
    """Put the elements of the neighbouring cells in the place of doubly bonded end marks.

    Whether a ring with an exocyclic double bond is aromatic depends on the element at its other side.
    """
    editable = Chem.RWMol(unit.molecule)
    for end, opposite in zip(ends, (tail, head), strict=True):
        editable.GetAtomWithIdx(end.GetIdx()).SetAtomicNum(opposite.GetAtomicNum())
    try:
        Chem.SanitizeMol(editable)
    except ValueError as error:  # RDKit's sanitisation errors
        raise DescriptorError(f"{unit.text}: its two ends cannot be joined by a double bond ({error}).") from error
    return editable


def _mdl_aromatic(molecule: Chem.Mol, unit: RepeatUnit) -> Chem.Mol:
    """Return the molecule with bond orders of the MDL model: six-membered and fused C, N rings aromatic, others Kekulé."""
    plain = Chem.Mol(molecule)
    try:
        Chem.Kekulize(plain, clearAromaticFlags=True)
    except Chem.KekulizeException as error:
        raise DescriptorError(f"{unit.text}: its aromatic rings have no Kekulé structure.") from error
    Chem.SetAromaticity(plain, Chem.AromaticityModel.AROMATICITY_MDL)
    return plain


def _atom(molecule: Chem.Mol, kekulised: Chem.Mol, index: int) -> ChainAtom:
    """Read one atom."""
    atom = molecule.GetAtomWithIdx(index)
    rings = molecule.GetRingInfo()
    sizes = rings.AtomRingSizes(index)
    return ChainAtom(
        index=index,
        symbol=atom.GetSymbol(),
        number=atom.GetAtomicNum(),
        mass=atom.GetMass(),
        charge=atom.GetFormalCharge(),
        hydrogens=atom.GetTotalNumHs(),
        all_hydrogens=atom.GetTotalNumHs(includeNeighbors=True),
        degree=atom.GetTotalDegree(),
        hybridisation=_HYBRIDISATIONS.get(atom.GetHybridization(), "unspecified"),
        aromatic=kekulised.GetAtomWithIdx(index).GetIsAromatic(),
        in_ring=bool(sizes) and min(sizes) <= _LARGEST_CONJUGATED_RING,
        in_three_ring=3 in sizes,
        in_four_ring=4 in sizes,
    )


def _conjugate_across_link(
    molecule: Chem.Mol, atoms: list[ChainAtom], bonds: list[Bond], head: int, tail: int
) -> None:
    """Complete conjugation and hybridisation at both ends of the link, where RDKit saw an end mark."""
    link = len(bonds) - 1
    for here, there in ((head, tail), (tail, head)):
        atom, partner = (molecule.GetAtomWithIdx(atoms[number].index) for number in (here, there))
        if not (2 <= atoms[here].degree <= 3 and atoms[there].degree <= 3):
            continue
        if not (_may_conjugate(atom) and _may_conjugate(partner)):
            continue
        multiple = [
            i
            for i, bond in enumerate(bonds)
            if here in (bond.begin, bond.end) and (i != link or head == tail) and bond.delocalised_order >= 1.5
        ]
        for i in {*multiple, link} if multiple else ():
            bonds[i] = replace(bonds[i], conjugated=True)
    for bond in bonds:
        if bond.conjugated and {bond.begin, bond.end} & {head, tail}:
            for number in (bond.begin, bond.end):
                # Four electron pairs make an sp3 atom, unless one of them can take part in conjugation.
                if atoms[number].hybridisation == "sp3" and atoms[number].degree <= 3:
                    atoms[number].hybridisation = "sp2"


def _may_conjugate(atom: Chem.Atom) -> bool:
    """Tell whether an atom has electrons for conjugation (RDKit: isAtomConjugCand, countAtomElec)."""
    number = atom.GetAtomicNum()
    outer = _PERIODIC_TABLE.GetNOuterElecs(number)
    if number > 10 and (outer == 5 or (outer == 6 and atom.GetTotalDegree() >= 2)):
        return False
    default_valence = _PERIODIC_TABLE.GetDefaultValence(number)
    degree = atom.GetTotalDegree()
    if default_valence <= 1 or degree > 3:
        return False
    lone_pairs = max(outer - default_valence - atom.GetFormalCharge(), 0)
    return default_valence - degree + lone_pairs - atom.GetNumRadicalElectrons() > 0


def _neighbours(number_of_atoms: int, bonds: list[Bond]) -> tuple[tuple[Neighbour, ...], ...]:
    """Return the neighbours of every atom, in the order of the bonds."""
    found: list[list[Neighbour]] = [[] for _ in range(number_of_atoms)]
    for bond in bonds:
        kind = (bond.order, bond.delocalised_order, bond.conjugated, bond.in_ring)
        found[bond.begin].append(Neighbour(bond.end, bond.shift, *kind))
        found[bond.end].append(Neighbour(bond.begin, -bond.shift, *kind))
    return tuple(map(tuple, found))
