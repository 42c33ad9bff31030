"""What a measured polymer without MD value may have been meant to be: the most similar polymers that have one."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rdkit import Chem, DataStructs, rdBase
from rdkit.Chem import rdFingerprintGenerator

from affinecal_gui.polymers.repeat_unit import InvalidRepeatUnit, RepeatUnit, parse_repeat_unit
from affinecal_gui.progress import CancelCheck, Progress, never, silent, stop_if
from affinecal_gui.tables.matching import MatchReport
from affinecal_gui.tables.polymer_table import PolymerTable

LARGEST_LIBRARY = 20_000
"""Above it the search would take minutes, and its result would be one of very many near ones."""
LEAST_SIMILARITY = 0.5
_UNITS = 3  # joined to a ring, so that a fingerprint of radius 2 never meets itself around a short unit
_GENERATOR = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=4096, includeRingMembership=False)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The polymer with an MD value that is most like a measured one without."""

    measured: int  # index into MatchReport.measured
    library: int  # index into MatchReport.library
    similarity: float  # Tanimoto similarity of Morgan fingerprints of the chain, 0 to 1
    sentence: str


def suggest(
    report: MatchReport,
    measured: PolymerTable,
    md: PolymerTable,
    *,
    progress: Progress = silent,
    cancelled: CancelCheck = never,
) -> tuple[Suggestion, ...]:
    """Find the nearest polymer with an MD value for every measured polymer without.

    Similarity is that of Morgan fingerprints (radius 2, bits) of the repeat unit as part of a chain, so that the way in
    which a unit is cut makes no difference.

    Parameters
    ----------
    report
        The result of matching ``measured`` with ``md``.
    """
    if not report.unmatched or not report.library or len(report.library) > LARGEST_LIBRARY:
        return ()
    library = []
    for number, polymer in enumerate(report.library):
        if number % 50 == 0:
            stop_if(cancelled)
            progress(0.9 * number / len(report.library), "Looking for similar polymers")
        library.append(_fingerprint(_smiles(md, polymer.rows)))
    known = [(number, print_) for number, print_ in enumerate(library) if print_ is not None]
    found = []
    for unmatched in report.unmatched:
        own = _fingerprint(_smiles(measured, report.measured[unmatched.measured].rows))
        if own is None or not known:
            continue
        similarities = np.array(DataStructs.BulkTanimotoSimilarity(own, [print_ for _, print_ in known]))
        best = int(np.argmax(similarities))
        if similarities[best] < LEAST_SIMILARITY:
            continue
        index = known[best][0]
        row = report.library[index].rows[0]
        label = md.label(row)
        smiles = "" if label == md.smiles[row] else f" {md.smiles[row]}"
        sentence = (
            f"The most similar polymer with an MD value is {label}{smiles} (similarity {similarities[best]:.2f})."
        )
        found.append(Suggestion(unmatched.measured, index, float(similarities[best]), sentence))
    progress(1.0, "Looked for similar polymers")
    return tuple(found)


def _smiles(table: PolymerTable, rows: Sequence[int]) -> str:
    return next((table.smiles[row] for row in rows if table.smiles[row]), "")


def _fingerprint(smiles: str) -> DataStructs.ExplicitBitVect | None:
    if not smiles:
        return None
    try:
        unit = parse_repeat_unit(smiles)
    except InvalidRepeatUnit:
        return None
    with rdBase.BlockLogs():
        try:
            found: DataStructs.ExplicitBitVect = _GENERATOR.GetFingerprint(_ring_of_units(unit))
        except (RuntimeError, ValueError):
            return None
    return found


def _ring_of_units(unit: RepeatUnit) -> Chem.Mol:
    """Return some units joined to a ring; aromaticity stays as perceived in the unit, so the ring adds none."""
    size = unit.molecule.GetNumAtoms()
    chain = Chem.RWMol(unit.molecule)
    for _ in range(_UNITS - 1):
        chain.InsertMol(unit.molecule)
    head, tail = unit.end_marks
    first = unit.molecule.GetAtomWithIdx(head).GetNeighbors()[0].GetIdx()
    last = unit.molecule.GetAtomWithIdx(tail).GetNeighbors()[0].GetIdx()
    order = unit.molecule.GetBondBetweenAtoms(head, first).GetBondType()
    for number in range(_UNITS):
        following = (number + 1) % _UNITS
        chain.AddBond(number * size + last, following * size + first, order)
    for number in reversed(range(_UNITS)):
        for mark in sorted((head, tail), reverse=True):
            chain.RemoveAtom(number * size + mark)
    chain.UpdatePropertyCache(strict=False)
    Chem.FastFindRings(chain)
    return chain.GetMol()
