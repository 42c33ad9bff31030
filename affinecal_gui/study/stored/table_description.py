"""What a study file says of a table beside its rows: name, path, and what each column holds."""

from dataclasses import dataclass
from typing import Literal

from affinecal_gui.tables.flagged_runs import FlaggedRuns
from affinecal_gui.tables.headings.column_roles import Roles
from affinecal_gui.tables.headings.role_names import ValueKind
from affinecal_gui.tables.simulation_jobs import SimulationJob
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.values.value_columns import ValueKey

Meaning = Literal[
    "line",
    "id",
    "name",
    "smiles",
    "value",
    "uncertainty",
    "lowest",
    "highest",
    "repeats",
    "note",
    "detail",
    "temperature",
    "phase",
    "descriptor",
]


@dataclass(frozen=True, slots=True)
class StoredColumn:
    """What one column of the CSV file holds."""

    holds: Meaning
    title: str = ""  # in the first line of the CSV file
    heading: str = ""  # in the user's file
    kind: ValueKind | None = None  # of a value: measured or md
    quantity: Property | None = None  # of a value
    unit: str = ""  # of the stored numbers
    unit_as_written: str = ""  # of a value: in the user's file
    of: int | None = None  # which value it belongs to: the position of that column, from 0
    remarks: tuple[str, ...] = ()  # of a value: what was assumed about the column
    unit_is_named: bool = True  # of a value: by the user's file or by the user


@dataclass(frozen=True, slots=True)
class StoredTable:
    """Everything about a table that is not in its rows."""

    name: str
    path: str
    path_is_relative: bool  # to the folder of the study, so that it stays right when both are moved
    rows: int
    rows_read: int
    rows_rejected: int
    notes: tuple[str, ...]
    columns: tuple[StoredColumn, ...]
    problems: int  # rows of the list of problems
    roles: Roles | None = None
    again: tuple[SimulationJob, ...] = ()
    flagged: tuple[FlaggedRuns, ...] = ()


def key_of(column: StoredColumn) -> ValueKey:
    """Return what a column of values holds values of."""
    assert column.kind is not None
    assert column.quantity is not None
    return column.kind, column.quantity.key
