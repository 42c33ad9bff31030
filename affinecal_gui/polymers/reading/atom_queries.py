"""Atoms of a kind, found by RDKit at once: asking each atom from Python takes longer than reading its molecule."""

from typing import Final

from rdkit import Chem
from rdkit.Chem import rdqueries

ATTACHMENT_POINT: Final = rdqueries.AtomNumEqualsQueryAtom(0)
HYDROGEN: Final = rdqueries.AtomNumEqualsQueryAtom(1)
CHARGED: Final = rdqueries.FormalChargeEqualsQueryAtom(0, negate=True)
ISOTOPE: Final = rdqueries.IsotopeEqualsQueryAtom(0, negate=True)
CHARGED_OR_LABELLED: Final = rdqueries.FormalChargeEqualsQueryAtom(0, negate=True)
CHARGED_OR_LABELLED.ExpandQuery(ISOTOPE, Chem.CompositeQueryType.COMPOSITE_OR)
RADICAL: Final = rdqueries.NumRadicalElectronsEqualsQueryAtom(0, negate=True)
STEREOCENTRE: Final = rdqueries.HasChiralTagQueryAtom()


def count_of(molecule: Chem.Mol, query: Chem.QueryAtom) -> int:
    """Return how many atoms fit."""
    return len(molecule.GetAtomsMatchingQuery(query))


def atoms_of(molecule: Chem.Mol, query: Chem.QueryAtom) -> list[Chem.Atom]:
    """Return the atoms that fit, in order; meant for a few."""
    found = molecule.GetAtomsMatchingQuery(query)
    # Its own iterator would end with an exception of C++, which costs as much as 100 atoms.
    return [found[number] for number in range(len(found))]
