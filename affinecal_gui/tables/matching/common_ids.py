"""Which polymers of the MD table an id of the measured table names, and whether it names only one."""

from collections.abc import Collection

from affinecal_gui.tables.matching.ids import id_key, same_id, shared_letters
from affinecal_gui.tables.matching.polymer_reports import POLYMERS_AT_ONCE, ReportedPolymers, listed_lines
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.task import Task


class IdsOfTwoTables:
    """Which polymers of the MD table a measured id names, and whether it names only one."""

    def __init__(self, measured: ReportedPolymers, md: ReportedPolymers, task: Task) -> None:
        self._measured, self._md = measured, md
        self._of_measured = _polymers_by_id(measured, task)
        self._of_md = _polymers_by_id(md, task)
        self._letters = [shared_letters(task.each(found)) for found in (self._of_measured, self._of_md)]
        self._taken_for: dict[str, str] = {}  # measured id -> MD id: bare numbers and those with letters before them

    def candidates(self, text: str) -> list[int]:
        """Return the MD polymers that an id of the measured table may mean."""
        spelled = self._of_md.get(self._md_key(text), {})
        if len(spelled) > 1 and spelled.keys() == self._of_measured[id_key(text)].keys():
            return spelled[same_id(text)]  # both tables have 1 and 01, say, and tell them apart
        return list(dict.fromkeys(index for found in spelled.values() for index in found))

    def several(self, text: str, measured: int, *, by_id_alone: bool = True) -> str:
        """Say in a clause that an id names several polymers; "" when it does not.

        Where repeat units do not tell which polymer is meant (``by_id_alone``), it must also name one measured polymer only.
        """
        key = self._md_key(text)
        spelled = self._of_md[key]
        exact = len(spelled) > 1 and spelled.keys() == self._of_measured[id_key(text)].keys()
        used = [same_id(text)] if exact else list(spelled)
        rows = {self._md.polymers[index].rows[0] for known in used for index in spelled[known]}
        rows |= {row for known in used for row in self._elsewhere(known)}
        if len(rows) > 1:
            return self._clause(text, self._md.table, rows)
        if by_id_alone:
            found = self._of_measured[id_key(text)]
            own = [same_id(text)] if exact else list(found)
            indices = {measured, *(index for known in own for index in found[known])}
            if len(indices) > 1:
                return self._clause(
                    text, self._measured.table, {self._measured.polymers[index].rows[0] for index in indices}
                )
        return ""

    def _elsewhere(self, known: str) -> list[int]:
        """Return rows of the MD table without a value where an id names a polymer that no row with a value is."""
        return [row for row in self._md.called.get(known, {}).values() if row not in self._md.of_row]

    def notes(self) -> list[str]:
        """Say which ids were taken for others that are not written alike."""
        if not self._taken_for:
            return []
        shown = ", ".join(f"{one} for {other}" for one, other in list(self._taken_for.items())[:3])
        more = ", and so on" if len(self._taken_for) > 3 else ""
        return [f"Ids of {self._measured.table.name} were taken for those of {self._md.table.name}: {shown}{more}."]

    def _md_key(self, text: str) -> str:
        """Return the key under which the MD table has an id; a bare number may stand for the one with letters before it."""
        key = id_key(text)
        own, other = self._letters
        if key in self._of_md or own is None or other is None or own == other or (own and other):
            return key
        number = key.removeprefix(own)
        if not number.isdecimal() or f"{other}{number}" not in self._of_md:
            return key
        index = next(iter(self._of_md[f"{other}{number}"].values()))[0]
        self._taken_for[text] = self._md.polymers[index].id
        return f"{other}{number}"

    @staticmethod
    def _clause(text: str, table: PolymerTable, rows: Collection[int]) -> str:
        lines = listed_lines(sorted(table.lines[row] for row in rows))
        return f"the id {text} stands for {len(rows)} polymers in {table.name} (lines {lines})"


def _polymers_by_id(side: ReportedPolymers, task: Task) -> dict[str, dict[str, list[int]]]:
    """Return, by :func:`id_key` and then by :func:`same_id`, the polymers of a table that have an id."""
    found: dict[str, dict[str, list[int]]] = {}
    for index, polymer in enumerate(task.each(side.polymers, POLYMERS_AT_ONCE)):
        for text in dict.fromkeys(side.table.ids[row] for row in polymer.rows):
            if text.strip():
                found.setdefault(id_key(text), {}).setdefault(same_id(text), []).append(index)
    return found
