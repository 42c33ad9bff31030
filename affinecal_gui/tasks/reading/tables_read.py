"""How the tables of a command were read, as sentences for somebody at a terminal."""

from collections.abc import Sequence

from affinecal_gui.study.importing.importing import named
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.headings.role_names import ValueKind
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.reading_values import unit_assumed

_WORDS: dict[ValueKind, str] = {"measured": "Measured values", "md": "MD values"}


def columns_taken(tables: Sequence[PolymerTable], key: str | None) -> list[str]:
    """Say which column of which file was read as what, where several files or columns could have been."""
    found = []
    for kind, word in _WORDS.items():
        for table in tables:
            if key is not None and table.has(kind, key):
                column = table.values[(kind, key)]
                unit = column.unit_as_written
                if unit_assumed(column.heading, unit) in column.remarks:
                    unit = ""  # a remark says so
                read_as = f", read as {unit}" if unit else ""
                found.append(f"{word}: {table.name}, column “{shortened(column.heading)}”{read_as}.")
    return found


def remarks_of(tables: Sequence[PolymerTable], key: str | None) -> list[str]:
    """Return what was put right or assumed when the tables were read, and which columns were chosen among several."""
    return [named(table, remark) for table in tables for remark in table.remarks(key)]
