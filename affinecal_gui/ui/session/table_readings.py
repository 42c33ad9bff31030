"""How each table of a study was read, so that it can be read in another way."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from affinecal_gui.study.state import LoadedTable
from affinecal_gui.study.table_source import NOTHING_CHOSEN, ImportChoices, TableSource
from affinecal_gui.tables.flagged_runs import used_reasons

if TYPE_CHECKING:  # imports the chemistry, which the first window does not wait for
    from affinecal_gui.tables.values.polymer_table import PolymerTable

LARGEST_PASTED = 32_000_000  # characters of pasted text that are kept so that it can be read in another way


class TableReadings:
    """Sources and choices of the tables that were read in this window."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[TableSource, ImportChoices]] = {}  # by the path of the table

    def __iter__(self) -> Iterator[str]:
        """Go through the paths."""
        return iter(self._known)

    def keep(self, source: TableSource, choices: ImportChoices) -> None:
        """Remember how a table was read, and of pasted text, which is nowhere else, as much as there is room for."""
        self._known.pop(source.path, None)
        self._known[source.path] = (source, choices)
        room = LARGEST_PASTED
        for path, (known, made) in reversed(list(self._known.items())):
            room -= len(known.text or "")
            if room < 0 and known.text:
                self._known[path] = (TableSource(path, ""), made)

    def of(self, table: "PolymerTable") -> tuple[TableSource, ImportChoices]:
        """Return where a table came from, and how it was read."""
        # Of a table out of a study file only its path is known; pasted text does not come back.
        is_file = Path(table.path).is_absolute()
        source = TableSource(table.path) if is_file else TableSource(table.path, "")
        as_stored = NOTHING_CHOSEN.using_flagged(used_reasons(table.flagged))
        known, choices = self._known.get(table.path, (source, as_stored))
        return known, replace(choices, base=table.roles, columns=(), kind=None, known_shape="", known_content="")

    def are_as_they_come(self, tables: tuple[LoadedTable, ...]) -> bool:
        """Whether reading the files of these tables again, with nothing chosen, gives the same tables."""
        for loaded in tables:
            reading = self._known.get(loaded.table.path)
            if reading is None or reading[0].text is not None:
                return False
            choices, roles = reading[1], loaded.table.roles
            # Of values that failed a check the commands and the lines of Python say which are used.
            chosen = choices.options.chosen - {"use_flagged"} or choices.base or choices.columns or choices.edits
            # A unit that was corrected later is in the roles alone.
            if chosen or (roles is not None and any(column.reason == "chosen" for column in roles.columns)):
                return False
        return True
