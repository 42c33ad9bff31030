"""Under which conditions the rows of one polymer were measured, where a column tells: temperature, frequency, pressure."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.headings.heading_words import HEADINGS
from affinecal_gui.tables.headings.role_names import VALUE_ROLES
from affinecal_gui.tables.units.property_names import simplified
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.value_columns import ValueColumn, column_of
from affinecal_gui.tables.words import is_missing_word
from affinecal_gui.task import UNWATCHED, Task

MOST_COLUMNS = 40
MOST_TOLD = 4
"""Different values of a column that are named; of more, the first ones and how many there are."""

_NO_CONDITIONS = frozenset(
    (
        *HEADINGS["source"],
        *HEADINGS["name"],
        *HEADINGS["id"],
        "comment",
        "comments",
        "remark",
        "remarks",
        "note",
        "notes",
    )
)
_OF_CONDITIONS = re.compile(
    r"freq|frequ|fréq|wave|wellen|longueur d.onde|press|druck|pression|presión|temp|rate|geschwind|humid|feuchte|strain|time"
    r"|zeit|phase|state|tacticity|method|anneal|thick|dicke|field|feld|Mn\b|Mw\b|molecular weight|molar mass|\bDP\b|\bN\b"
    r"|周波数|频率|波長|波长|圧力|压力|温度|湿度|速度|Hz\b|\bnm\b|\bbar\b|Pa\b|\bK\b|°C|^[tTpPfλνω]$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Conditions:
    """The column in which the rows of single polymers differ; empty texts where none does."""

    heading: str = ""
    cells: tuple[str, ...] = ()  # by row of the table
    listed: tuple[str, ...] = ()  # the different cells of all these rows

    def told_of(self, rows: Sequence[int]) -> str:
        """Say in which column these rows differ, as the middle of a note; "" where they do not."""
        own = _different(self.cells[row] for row in rows) if self.heading else ()
        return _sentence(self.heading, own) if len(own) > 1 else ""

    def told_of_all(self) -> str:
        """Do as :meth:`told_of` of all polymers with several rows together."""
        return _sentence(self.heading, self.listed)


NO_CONDITIONS = Conditions()


def find_conditions(
    table: PolymerTable, groups: Sequence[Sequence[int]], values: ValueColumn, *, task: Task = UNWATCHED
) -> Conditions:
    """Find the column that says under which conditions the rows of a polymer differ.

    Parameters
    ----------
    table
        The table.
    groups
        The rows of every polymer with several.
    values
        The values that are put together; they are no condition of themselves.
    """
    best, best_score = NO_CONDITIONS, 0.0
    together = [row for rows in groups for row in rows]
    for heading, cells in islice(_columns(table, values, task), MOST_COLUMNS):
        task.check()
        if len({cells[row] for row in together}) < 2:
            continue
        differing = [rows for rows in groups if len(_different(cells[row] for row in rows)) > 1]
        if not differing or simplified(heading) in _NO_CONDITIONS:
            continue
        counted = Counter(cells[row] for rows in differing for row in rows if not is_missing_word(cells[row]))
        is_called_so = _OF_CONDITIONS.search(heading) is not None
        # A condition has few values, which come again from polymer to polymer; another measured property has not.
        if not is_called_so and 2 * len(counted) > sum(counted.values()):
            continue
        score = len(differing) / len(groups) + (1.0 if is_called_so else 0.0) + 1.0 / len(counted)
        if score > best_score:
            best, best_score = Conditions(heading, cells, tuple(counted)), score
    return best


def _columns(table: PolymerTable, values: ValueColumn, task: Task) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Yield the columns of a table that may name a condition, as texts: numbers of no known property among them.

    Where it is known what a column of numbers holds, that is no condition: the columns with conditions are details then.
    """
    yield from table.details.items()
    if table.roles is None:
        return
    unknown = {c.heading for c in table.roles.columns if c.role in VALUE_ROLES and not c.is_known and not c.meaning}
    for key in table.values:
        if key[1] in unknown or any(key[1] in heading for heading in unknown):
            column = column_of(table.values, key, task)
            if column.heading != values.heading and column.heading in unknown:
                yield (
                    column.heading,
                    tuple("" if value != value else f"{value:.6g}" for value in column.values.tolist()),
                )


def _different(cells: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(cell for cell in cells if not is_missing_word(cell)))


def _sentence(heading: str, cells: Sequence[str]) -> str:
    shown = [shortened(cell) for cell in cells[:MOST_TOLD]]
    more = len(cells) - MOST_TOLD
    listed = f"{', '.join(shown)} and {more} more" if more > 0 else f"{', '.join(shown[:-1])} and {shown[-1]}"
    return f" Their rows differ in “{shortened(heading)}” ({listed})."
