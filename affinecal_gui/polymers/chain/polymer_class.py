"""The class of a polymer, by the groups in its main chain: polyester, polyamide, polyolefin and the like.

Classes are those of polymer handbooks, told from the repeat unit alone. The first that fits counts: a poly(ester amide) is a
polyamide, a poly(ether sulfone) a polysulfone.
"""

from functools import cache, lru_cache

from rdkit import Chem

from affinecal_gui.errors import UserError
from affinecal_gui.polymers.pattern_search import matches_of
from affinecal_gui.polymers.reading.repeat_unit import RepeatUnit, parse_repeat_unit

OTHER = "other"

# Every atom of a pattern with an atom map number must lie in the main chain.
_IN_THE_CHAIN: tuple[tuple[str, str], ...] = (
    ("polyimide", "[#7X3:1]([#6X3]=O)[#6X3]=O"),
    ("polyurethane", "[NX3:1][CX3:2](=O)[OX2:3]"),
    ("polyurea", "[NX3:1][CX3:2](=O)[NX3:3]"),
    ("polyamide", "[NX3:1][CX3:2]=O"),
    ("polycarbonate", "[OX2:1][CX3:2](=O)[OX2:3]"),
    ("polyanhydride", "[CX3:1](=O)[OX2:2][CX3:3]=O"),
    ("polyester", "[CX3:1](=O)[OX2:2]"),
    ("polysiloxane", "[Si:1][O:2]"),
    ("polysilane", "[Si:1]"),
    ("polyphosphazene", "[P:1]~[N:2]"),
    ("polysulfone", "[S:1](=O)=O"),
    ("polyketone", "[#6:1][CX3:2](=O)[#6:3]"),
    ("polysulfide", "[SX2:1]"),
    ("polyether", "[OX2:1]"),
    ("polyamine", "[#7:1]"),
    ("polyarylene", "[c:1]"),
    ("polydiene", "[#6:1]=,#[#6:2]"),
)
# Of a chain of carbon alone, by what stands beside it.
_BESIDE: tuple[tuple[str, str], ...] = (
    ("polyacrylic", "[CX4:1][CX3](=O)[O,N]"),
    ("polyacrylic", "[CX4:1]C#N"),
    ("polyhaloolefin", "[CX4:1][F,Cl,Br,I]"),
    ("polystyrene", "[CX4:1][c]"),
    ("polyvinyl", "[CX4:1][O,N,S,Si,P]"),
)


@lru_cache(maxsize=20_000)
def polymer_class(smiles: str) -> str:
    """Return the class of a repeat unit, :data:`OTHER` where none fits, and nothing where the text cannot be read."""
    try:
        unit = parse_repeat_unit(smiles)
    except UserError:
        return ""
    pair, main = _two_units(unit)
    for name, pattern in _patterns(_IN_THE_CHAIN):
        if _fits(pair, pattern, main):
            return name
    elements = {pair.GetAtomWithIdx(atom).GetAtomicNum() for atom in main} - {0}
    if elements != {6}:
        return OTHER
    for name, pattern in _patterns(_BESIDE):
        if _fits(pair, pattern, main):
            return name
    every = {atom.GetAtomicNum() for atom in pair.GetAtoms()} - {0, 1}
    return "polyolefin" if every == {6} else OTHER


@cache
def _patterns(texts: tuple[tuple[str, str], ...]) -> tuple[tuple[str, Chem.Mol], ...]:
    return tuple((name, Chem.MolFromSmarts(text)) for name, text in texts)


def _two_units(unit: RepeatUnit) -> tuple[Chem.Mol, frozenset[int]]:
    """Return two units in a row, which hold what lies across their bond, and the atoms of their main chain."""
    one, (first, last) = unit.molecule, unit.attachment_points
    size = one.GetNumAtoms()
    joined = Chem.RWMol(Chem.CombineMols(one, one))
    mark, other = one.GetAtomWithIdx(last), one.GetAtomWithIdx(first)
    left, right = mark.GetNeighbors()[0].GetIdx(), other.GetNeighbors()[0].GetIdx() + size
    joined.AddBond(left, right, mark.GetBonds()[0].GetBondType())
    gone = (last, first + size)
    for number in sorted(gone, reverse=True):
        joined.RemoveAtom(number)

    def moved(atom: int) -> int:
        return atom - sum(atom > number for number in gone)

    molecule = joined.GetMol()
    Chem.SanitizeMol(molecule)
    main = set(Chem.GetShortestPath(molecule, moved(first), moved(last + size)))
    for ring in molecule.GetRingInfo().AtomRings():
        if len(main & set(ring)) > 1:
            main |= set(ring)  # a ring that the chain goes through is of the chain
    return molecule, frozenset(main - {moved(first), moved(last + size)})


def _fits(molecule: Chem.Mol, pattern: Chem.Mol, main: frozenset[int]) -> bool:
    mapped = [atom.GetIdx() for atom in pattern.GetAtoms() if atom.GetAtomMapNum()]
    return any(all(match[number] in main for number in mapped) for match in matches_of(molecule, pattern))
