"""Tables with several rows for what is one value or one polymer -> tables that are read row by row."""

from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.shapes.comonomer_rows import joined
from affinecal_gui.tables.shapes.long_tables import spread
from affinecal_gui.task import UNWATCHED, Task


def with_polymer_by_row(raw: RawTable, *, task: Task = UNWATCHED) -> RawTable:
    """Return a table in which each row speaks of one polymer, and each column of one property.

    What had to be rearranged is in its notes. A table that is so already, as most are, is returned itself.
    """
    return joined(spread(raw, task=task), task=task)
