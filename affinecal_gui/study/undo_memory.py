"""What the steps of undo keep in memory beyond the present state: tables that were removed or replaced, and long selections.

States share what did not change, so that a step costs next to nothing; but a table that was removed lives on in the step
before, and each change of 200,000 rows that are left out is a set of its own. Sizes are estimates: of texts some are looked
at.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from affinecal_gui.study.state import StudyState

if TYPE_CHECKING:  # imports the chemistry, which the first window does not wait for
    from affinecal_gui.tables.values.polymer_table import PolymerTable

TEXT_BYTES = 57  # of a Python text beside its characters, with the reference to it
REFERENCE_BYTES = 8  # to an object
NUMBER_BYTES = 40  # of a whole number of Python, with the reference to it
OF_A_VALUE = 24  # bytes: the value, its uncertainty, and the text that both are read from
LOOKED_AT = 50  # texts of a column


def steps_to_keep(steps: Sequence[StudyState], present: StudyState, most: int) -> int:
    """Return how many of the last steps keep at most so many bytes together beyond what the present state holds.

    Parameters
    ----------
    steps
        States to go back to, the oldest first.
    present
        The state of now.
    most
        Bytes; the last step is always kept.
    """
    seen = set(map(id, _things(present)))
    total = 0
    for kept, state in enumerate(reversed(steps)):
        for thing in _things(state):
            if id(thing) not in seen:
                seen.add(id(thing))
                total += sys.getsizeof(thing) if isinstance(thing, frozenset) else table_bytes(thing)
        if total > most:
            return max(kept, 1)
    return len(steps)


def _things(state: StudyState) -> "Iterator[PolymerTable | frozenset[Any]]":
    """Yield what a state holds and may share with others."""
    for loaded in state.tables:
        yield loaded.table
    matching = state.settings.matching
    yield from (state.settings.left_out, state.settings.notes, matching.by_hand, matching.reports_off)


def table_bytes(table: "PolymerTable") -> int:
    """Return about how many bytes a table takes."""
    rows = len(table)
    texts: Iterable[Sequence[str]] = (table.ids, table.names, table.smiles, *table.details.values(), table.phase or ())
    arrays = sum(array.nbytes for array in (table.descriptors, table.temperature) if array is not None)
    of_a_row = NUMBER_BYTES + sum(map(_text_bytes, texts)) + OF_A_VALUE * len(table.values)
    return round(of_a_row * rows) + arrays


def _text_bytes(column: Sequence[str]) -> float:
    """Return about how many bytes a text of a column takes; equal ones are mostly there once."""
    looked_at = column[:LOOKED_AT]
    own = {id(text): text for text in looked_at}.values()
    if not own:
        return 0.0
    each = TEXT_BYTES - REFERENCE_BYTES + sum(map(len, own)) / len(own)
    return REFERENCE_BYTES + each * len(own) / len(looked_at) if len(own) > 1 else REFERENCE_BYTES
