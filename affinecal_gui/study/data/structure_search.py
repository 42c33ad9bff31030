"""Which polymers hold a substructure, given as SMARTS: sought in the chain, so also across the ends of repeat units."""

import math
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.errors import UserError
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
    """Whether one of the words of a filter may write a structure, which takes longer to find than a text."""
    return _SIGNS.search(text) is not None


def structure_of(text: str) -> "Chem.Mol | None":
    """Return the pattern that a word of a filter writes as SMARTS or SMILES; None where it is only a text."""
    if not may_be_structure(text):
        return None
    from rdkit import Chem, rdBase

    with rdBase.BlockLogs():  # what is no structure is a text
        pattern: Any = Chem.MolFromSmarts(text)  # None, though the stubs do not say so
    return pattern if pattern is not None and pattern.GetNumAtoms() > 1 else None


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
