"""What a measured polymer without MD value may have been meant to be: the most similar polymers that have one."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rdkit import Chem, rdBase
from rdkit.Chem import rdFingerprintGenerator

from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit, RepeatUnit, parse_repeat_unit
from affinecal_gui.tables.matching.matching import MatchReport
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.task import UNWATCHED, Task

LARGEST_LIBRARY = 20_000
"""Above it the search would take minutes, and its result would be one of very many near ones."""
LEAST_SIMILARITY = 0.5
_UNITS = 3  # joined to a ring, so that a fingerprint of radius 2 never meets itself around a short unit
_GENERATOR = rdFingerprintGenerator.GetMorganGenerator(radius=2, includeRingMembership=False)


@dataclass(frozen=True, slots=True)
class SuggestedPartner:
    """The polymer with an MD value that is most like a measured one without."""

    measured: int  # index into MatchReport.measured
    library: int  # index into MatchReport.library
    similarity: float  # of the frequencies of atom environments, 0 to 1
    sentence: str


def suggest(
    report: MatchReport,
    measured: PolymerTable,
    md: PolymerTable,
    *,
    task: Task = UNWATCHED,
) -> tuple[SuggestedPartner, ...]:
    """Find the nearest polymer with an MD value for every measured polymer without.

    Similarity compares how often each atom environment of radius 2 (Morgan) occurs per heavy atom of the chain: the sum
    of the smaller frequencies over the sum of the larger ones. So neither the cut of a unit nor the number of periods
    written makes a difference, but the length of a side chain does.

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
            task.check()
            task.report(0.9 * number / len(report.library), "Looking for similar polymers")
        library.append(_environments(_smiles(md, polymer.rows)))
    found = []
    for unmatched in report.unmatched:
        own = _environments(_smiles(measured, report.measured[unmatched.measured].rows))
        similarities = [_similarity(own, other) for other in library]
        best = int(np.argmax(similarities))
        if similarities[best] < LEAST_SIMILARITY:
            continue
        row = report.library[best].rows[0]
        label = md.label(row)
        smiles = "" if label == md.smiles[row] else f" {md.smiles[row]}"
        sentence = (
            f"The most similar polymer with an MD value is {label}{smiles} (similarity {similarities[best]:.2f})."
        )
        found.append(SuggestedPartner(unmatched.measured, best, similarities[best], sentence))
    task.report(1.0, "Looked for similar polymers")
    return tuple(found)


def _smiles(table: PolymerTable, rows: Sequence[int]) -> str:
    return next((table.smiles[row] for row in rows if table.smiles[row]), "")


def _environments(smiles: str) -> dict[int, float]:
    """Return how often each atom environment occurs per heavy atom; nothing when the repeat unit cannot be read."""
    if not smiles:
        return {}
    try:
        ring = _ring_of_units(parse_repeat_unit(smiles))
        with rdBase.BlockLogs():
            counts = _GENERATOR.GetSparseCountFingerprint(ring).GetNonzeroElements()
    except (InvalidRepeatUnit, RuntimeError, ValueError):
        return {}
    return {environment: count / ring.GetNumAtoms() for environment, count in counts.items()}


def _similarity(one: dict[int, float], other: dict[int, float]) -> float:
    """Return the sum of the smaller over the sum of the larger frequencies."""
    common = sum(min(share, other[environment]) for environment, share in one.items() if environment in other)
    total = sum(one.values()) + sum(other.values()) - common
    return common / total if total else 0.0


def _ring_of_units(unit: RepeatUnit) -> Chem.Mol:
    """Return some units joined to a ring; aromaticity stays as perceived in the unit, so the ring adds none."""
    size = unit.molecule.GetNumAtoms()
    chain = Chem.RWMol(unit.molecule)
    for _ in range(_UNITS - 1):
        chain.InsertMol(unit.molecule)
    head, tail = unit.attachment_points
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
