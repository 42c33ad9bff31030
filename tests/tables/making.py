"""Small tables for the tests, made from text as a user would."""

import os
import time
from collections.abc import Sequence

from affinecal_gui.tables.formats.text_tables import read_pasted_text
from affinecal_gui.tables.headings.role_names import ValueKind
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from affinecal_gui.tables.values.polymer_table import PolymerTable


def pasted(text: str, name: str = "pasted.csv") -> RawTable:
    """Return the raw table of a text."""
    return read_pasted_text(text, name)


def polymers(
    rows: Sequence[tuple[str, ...]], kind: ValueKind, heading: str = "name,smiles,Cp", name: str = ""
) -> PolymerTable:
    """Return a table of polymers with values of one kind."""
    text = "\n".join([heading, *(",".join(row) for row in rows)])
    raw = pasted(text, name or f"{kind}.csv")
    return to_polymer_table(raw, guess_roles(raw).with_kind(kind))


def die(*_: object) -> None:
    """End the process at once, as a crash of a compiled library does."""
    os._exit(134)


def hang(*_: object) -> None:
    """Never answer."""
    time.sleep(300)
