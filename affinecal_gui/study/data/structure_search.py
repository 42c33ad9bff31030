"""Which polymers hold a substructure, given as SMARTS: sought in the chain, so also across the ends of repeat units."""

import math
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.errors import UserError
from affinecal_gui.study.data.row_columns import CHUNK, RowColumns
from affinecal_gui.study.snapshot import PolymerRow
from affinecal_gui.task import UNWATCHED, Task

if TYPE_CHECKING:  # a list of polymers is there before anybody seeks a structure in it
    from rdkit import Chem

    from affinecal_gui.polymers.reading.repeat_unit import RepeatUnit

_KEPT = 20_000  # repeat units that are read once
_AT_ONCE = 50  # repeat units between two questions whether to stop
_MOST_UNITS = 12  # in a row; longer patterns are hardly typed by hand
_SIGNS = re.compile(r"[()\[\]=#@:~]|[a-z]\d")
"""What a text must hold to be taken for a structure: letters alone are a name or a part of one."""


def may_be_structure(text: str) -> bool:
    """Whether a text, or one of its words, may write a structure, which takes longer to find than a text."""
    return _SIGNS.search(text) is not None


def structure_of(text: str) -> "Chem.Mol | None":
    """Return the pattern that a text writes as SMARTS or SMILES; None where it is only a text."""
    if not may_be_structure(text):
        return None
    from rdkit import Chem, rdBase

    with rdBase.BlockLogs():  # what is no structure is a text
        pattern: Any = Chem.MolFromSmarts(text)  # None, though the stubs do not say so
    return pattern if pattern is not None and pattern.GetNumAtoms() > 1 else None


def rows_holding(rows: RowColumns, text: str, among: NDArray[np.bool_], *, task: Task = UNWATCHED) -> NDArray[np.bool_]:
    """Return which of some rows hold a text in name, id or SMILES, or a structure that it writes in their chains.

    Small letters are aromatic in a structure, so that one is a part of a SMILES only letter for letter: else ``c1ccccc1``
    would be found in a cyclohexane ring.

    Parameters
    ----------
    among
        (r,) the rows that matter; what is returned of the others means nothing.

    Raises
    ------
    Cancelled
        When the task was cancelled.
    """
    found = rows.texts.containing(text, task=task)
    pattern = structure_of(text)
    if pattern is not None:
        hits = np.flatnonzero(among & found).tolist()
        found[hits] = [_holds_letters(rows.rows[number], text) for number in task.each(hits, CHUNK)]
        others = np.flatnonzero(among & ~found)
        found[others] = holding(pattern, [rows.rows[number].smiles for number in others.tolist()], task=task)
    return found


def _holds_letters(row: PolymerRow, text: str) -> bool:
    return text in row.smiles or any(text.casefold() in name.casefold() for name in (row.name, row.id))


def holding(pattern: "Chem.Mol", smiles: Iterable[str], *, task: Task = UNWATCHED) -> NDArray[np.bool_]:
    """Return which of these repeat units make chains that hold a pattern; one that cannot be read holds none.

    Raises
    ------
    Cancelled
        When the task was cancelled.
    """
    from affinecal_gui.polymers.pattern_search import holds

    found = []
    for text in task.each(smiles, _AT_ONCE):
        chain = _chain(text, pattern.GetNumAtoms()) if text else None
        found.append(chain is not None and holds(chain, pattern))
    return np.array(found, dtype=np.bool_)


def _chain(text: str, atoms: int) -> "Chem.Mol | None":
    unit = _unit(text)
    if unit is None:
        return None
    own = max(unit.molecule.GetNumAtoms() - 2, 1)
    return _joined(text, min(math.ceil(atoms / own) + 1, _MOST_UNITS))


@lru_cache(maxsize=_KEPT)
def _joined(text: str, count: int) -> "Chem.Mol | None":
    from affinecal_gui.polymers.chain.segment import segment

    unit = _unit(text)
    if unit is None:
        return None
    try:
        return segment(unit, count)
    except UserError:
        return unit.molecule


@lru_cache(maxsize=_KEPT)
def _unit(text: str) -> "RepeatUnit | None":
    from affinecal_gui.polymers.reading.repeat_unit import parse_repeat_unit

    try:
        return parse_repeat_unit(text)
    except UserError:
        return None
