"""One form for groups that can be written with or without charges: S=O and [S+][O-], azides, diazo groups, ylides.

Sulfur, phosphorus and their heavier relatives get double bonds in place of neighbouring charges, nitrogen keeps the
charges that it needs (RDKit brings nitro groups, N-oxides and azides without charges into that form while it reads them).
Charges that are not on neighbouring atoms are those of a salt or betaine and stay.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rdkit import Chem

from affinecal_gui.polymers.reading.atom_queries import CHARGED, atoms_of

_SINGLE, _DOUBLE, _TRIPLE = Chem.BondType.SINGLE, Chem.BondType.DOUBLE, Chem.BondType.TRIPLE
_RAISED: Final = {_SINGLE: _DOUBLE, _DOUBLE: _TRIPLE}
_SIGNS: Final = {_SINGLE: "", _DOUBLE: "=", _TRIPLE: "#"}
_CARBON, _NITROGEN, _OXYGEN = 6, 7, 8
_TAKES_DOUBLE_BONDS: Final = frozenset({6, 15, 16, 33, 34, 51, 52})  # C, P, S, As, Se, Sb, Te
_GIVES: Final = {8: 0, 7: 1, 16: 2, 34: 3, 6: 4}  # O, N, S, Se, C: which of several anions the double bond goes to


@dataclass(frozen=True, slots=True)
class _Pair:
    """A cation with a neighbouring anion; ``bonds`` is the one between them, or both bonds to the attachment points."""

    cation: Chem.Atom
    anion: Chem.Atom
    bonds: tuple[Chem.Bond, ...]


def formal_charges(molecule: Chem.Mol) -> dict[int, int]:
    """Return the formal charge of every atom that has one, by its index."""
    return {atom.GetIdx(): atom.GetFormalCharge() for atom in atoms_of(molecule, CHARGED)}


def join_separated_charges(molecule: Chem.Mol, attachment_points: tuple[int, int]) -> list[str]:
    """Bring every group into its one form, in place, before valences are perceived; atoms keep their order.

    The bond between two units, which the bonds to both attachment points stand for, counts as any other, so that it makes no
    difference where the unit is cut. Time is linear in the number of bonds.

    Returns
    -------
    list of str
        A sentence about each kind of group that was written otherwise.
    """
    found: dict[str, str] = {}
    for atom in list(molecule.GetAtoms()):
        while (
            atom.GetFormalCharge() > 0 and (pair := _neighbouring_anion(molecule, atom, attachment_points)) is not None
        ):
            _neutralise(pair, found)
    for atom in list(molecule.GetAtoms()):
        _turn_dipole(atom, found)
    return [f"{written} was read as {meant}, which is the same group." for written, meant in found.items()]


def uncharged_groups(before: Mapping[int, int], molecule: Chem.Mol) -> list[str]:
    """Say that RDKit has given charges to groups that were written without, such as N(=O)=O.

    Parameters
    ----------
    before
        :func:`formal_charges` as written.
    """
    after = formal_charges(molecule)
    if not after and not before:
        return []
    elements = {
        molecule.GetAtomWithIdx(index).GetSymbol()
        for index in before.keys() | after.keys()
        if after.get(index, 0) > before.get(index, 0)
    }
    return [
        f"A group of {element} with more bonds than it can have was read as the same group with charges, as in "
        f"{'[N+](=O)[O-]' if element == 'N' else f'[{element}+][O-]'}."
        for element in sorted(elements)
    ]


def _neighbouring_anion(molecule: Chem.Mol, cation: Chem.Atom, attachment_points: tuple[int, int]) -> _Pair | None:
    """Return the anion beside a cation that its double bond goes to."""
    joinable = cation.GetAtomicNum() in _TAKES_DOUBLE_BONDS or (
        cation.GetAtomicNum() == _NITROGEN and cation.GetFormalCharge() > 1
    )
    if not joinable or cation.GetIsAromatic():
        return None
    pairs = [
        _Pair(cation, bond.GetOtherAtom(cation), (bond,)) for bond in cation.GetBonds() if bond.GetBondType() in _RAISED
    ]
    ends = [(mark.GetNeighbors()[0], mark.GetBonds()[0]) for mark in map(molecule.GetAtomWithIdx, attachment_points)]
    for (own, own_bond), (other, other_bond) in (ends, ends[::-1]):
        if own.GetIdx() == cation.GetIdx() != other.GetIdx() and own_bond.GetBondType() in _RAISED:
            pairs.append(_Pair(cation, other, (own_bond, other_bond)))
    anions = [
        pair
        for pair in pairs
        if pair.anion.GetFormalCharge() < 0 and pair.anion.GetAtomicNum() in _GIVES and not pair.anion.GetIsAromatic()
    ]
    return min(anions, key=lambda pair: _GIVES[pair.anion.GetAtomicNum()], default=None)


def _neutralise(pair: _Pair, found: dict[str, str]) -> None:
    cation, anion, old = pair.cation, pair.anion, pair.bonds[0].GetBondType()
    written = f"[{cation.GetSymbol()}+]{_SIGNS[old]}[{anion.GetSymbol()}-]"
    found[written] = f"{cation.GetSymbol()}{_SIGNS[_RAISED[old]]}{anion.GetSymbol()}"
    cation.SetFormalCharge(cation.GetFormalCharge() - 1)
    anion.SetFormalCharge(anion.GetFormalCharge() + 1)
    for bond in pair.bonds:
        bond.SetBondType(_RAISED[old])


def _turn_dipole(middle: Chem.Atom, found: dict[str, str]) -> None:
    """Give an azide, a diazo group and a nitrile oxide the one of their forms that is usual."""
    if middle.GetAtomicNum() != _NITROGEN or middle.GetFormalCharge() != 1 or middle.GetDegree() != 2:
        return
    bonds = sorted(middle.GetBonds(), key=lambda bond: bond.GetBondTypeAsDouble())
    first, second = (bond.GetOtherAtom(middle) for bond in bonds)
    orders = tuple(bond.GetBondType() for bond in bonds)
    if (
        orders == (_SINGLE, _TRIPLE)
        and first.GetAtomicNum() in (_CARBON, _NITROGEN)
        and first.GetFormalCharge() == -1
        and not first.GetIsAromatic()
        and (second.GetAtomicNum(), second.GetDegree(), second.GetFormalCharge()) == (_NITROGEN, 1, 0)
    ):
        first.SetFormalCharge(0)
        second.SetFormalCharge(-1)
        second.SetNoImplicit(True)
        for bond in bonds:
            bond.SetBondType(_DOUBLE)
        symbol = first.GetSymbol()
        found[f"[{symbol}-][N+]#N"] = f"{symbol}=[N+]=[N-]"
    elif orders == (_DOUBLE, _DOUBLE):
        for inner, outer in (bonds, bonds[::-1]):
            carbon, end = inner.GetOtherAtom(middle), outer.GetOtherAtom(middle)
            if (carbon.GetAtomicNum(), carbon.GetFormalCharge()) == (_CARBON, -1) and (
                end.GetAtomicNum() in (_NITROGEN, _OXYGEN) and end.GetFormalCharge() == 0
            ):
                carbon.SetFormalCharge(0)
                end.SetFormalCharge(-1)
                inner.SetBondType(_TRIPLE)
                outer.SetBondType(_SINGLE)
                found[f"[C-]=[N+]={end.GetSymbol()}"] = f"C#[N+][{end.GetSymbol()}-]"
                return
