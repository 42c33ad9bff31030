"""What a command says of the tables it works with: what was read as what, what was matched, and what is in doubt."""

from collections.abc import Sequence

from affinecal_gui.notes import Note
from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.study.importing.unit_doubts import doubts_in_words
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tasks.reading.tables_read import columns_taken, remarks_of


def reading_notes(tables: Sequence[PolymerTable], assembly: Assembly) -> list[str]:
    """Return it in sentences; whatever was guessed, or may be wrong, is among them."""
    key = assembly.quantity.key
    return [
        *columns_taken(tables, key),
        assembly.summary,
        *assembly.notes,
        *map(Note, remarks_of(tables, key)),
        *doubts_in_words(assembly.unit_doubts, assembly.tables),
    ]
