"""A table of a study -> its three members in a study file: meanings (JSON), rows (CSV) and problems (CSV).

The values are stored as they were understood, in canonical units, and not as the cells that they were read from: a later
version of the program that reads tables in another way still opens the study with the same numbers.
"""

import dataclasses
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from affinecal_gui.study.records.archive import LargeMember, Member
from affinecal_gui.study.records.stored_csv import (
    LARGE_TABLE,
    CsvColumn,
    csv_parts,
    integer_column,
    number_column,
    text_column,
)
from affinecal_gui.study.records.stored_errors import StudyFileError
from affinecal_gui.study.records.stored_records import to_json, to_plain
from affinecal_gui.study.state import LoadedTable
from affinecal_gui.study.stored.manifest import table_names
from affinecal_gui.study.stored.table_description import StoredColumn, StoredTable, key_of
from affinecal_gui.tables.problems import RowProblem
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.value_columns import column_of
from affinecal_gui.task import UNWATCHED, Task


def table_members(loaded: LoadedTable, folder: Path, *, task: Task = UNWATCHED) -> tuple[Member | LargeMember, ...]:
    """Return the members that hold a table.

    Parameters
    ----------
    loaded
        The table and its key.
    folder
        Where the study will lie.

    Raises
    ------
    StudyFileError
        A cell is too long to be stored; also by the parts of the members when they are made.
    """
    table = loaded.table
    meaning, rows, problems = table_names(loaded.key)
    columns, cells = _columns(table, task=task)
    listed = [(-1, problem) for problem in table.problems]
    for number, column in enumerate(columns):
        if column.holds == "value":
            assert column.kind is not None
            assert column.quantity is not None
            listed += [(number, problem) for problem in table.values[key_of(column)].problems]
    path, is_relative = _stored_path(table.path, folder)
    stored = StoredTable(
        name=table.name,
        path=path,
        path_is_relative=is_relative,
        rows=len(table),
        rows_read=table.rows_read,
        rows_rejected=table.rows_rejected,
        notes=table.notes,
        columns=columns,
        problems=len(listed),
        roles=table.roles,
        again=table.again,
        flagged=table.flagged,
    )
    return (
        Member(meaning, to_json(_readable(to_plain(stored)))),
        _large(table.name, rows, cells, len(table)),
        _large(table.name, problems, _problem_columns(listed), len(listed)),
    )


def _large(table: str, name: str, columns: Sequence[CsvColumn], rows: int) -> LargeMember:
    def parts(task: Task) -> Iterator[bytes]:
        try:
            yield from csv_parts(columns, rows, task=task)
        except ValueError as error:
            raise StudyFileError(f"{table} cannot be saved with the study: {error}. Shorten it in the file.") from None

    return LargeMember(name, parts, is_large=rows * len(columns) > LARGE_TABLE)


def _readable(plain: dict[str, Any]) -> dict[str, Any]:
    """Leave out what a column does not have."""
    columns = [
        {name: item for name, item in column.items() if item not in (None, "", [])} for column in plain["columns"]
    ]
    stored = {**plain, "columns": columns}
    for of_few_tables in ("again", "flagged"):
        if not stored[of_few_tables]:
            del stored[of_few_tables]  # earlier versions open the other tables
    return stored


def _columns(table: PolymerTable, *, task: Task) -> tuple[tuple[StoredColumn, ...], list[CsvColumn]]:
    columns: list[StoredColumn] = []
    cells: list[CsvColumn] = []

    def add(column: StoredColumn, written: CsvColumn) -> None:
        columns.append(dataclasses.replace(column, title=written.heading))
        cells.append(written)

    add(StoredColumn("line"), integer_column("line", table.lines))
    add(StoredColumn("id"), text_column("id", table.ids))
    add(StoredColumn("name"), text_column("name", table.names))
    add(StoredColumn("smiles"), text_column("smiles", table.smiles))
    for done, key in enumerate(table.values):
        task.check()
        task.report(done / len(table.values), f"Reading the columns of {table.name}")
        kind, values = key[0], column_of(table.values, key, task)
        quantity, number = values.quantity, len(columns)
        title = f"{'MD' if kind == 'md' else 'measured'} {quantity.title}"
        unit = f" [{quantity.unit}]" if quantity.unit else ""
        stored = StoredColumn(
            "value",
            heading=values.heading,
            kind=kind,
            quantity=quantity,
            unit=quantity.unit,
            unit_as_written=values.unit_as_written,
            remarks=values.remarks,
            unit_is_named=values.unit_is_named,
        )
        add(stored, number_column(f"{title}{unit}", values.values))
        if np.isfinite(values.uncertainty).any():
            stored = StoredColumn("uncertainty", unit=quantity.unit, of=number)
            add(stored, number_column(f"{title}, uncertainty{unit}", values.uncertainty))
        for holds, array in (("lowest", values.lowest), ("highest", values.highest), ("repeats", values.repeats)):
            if array is not None:
                in_unit = unit if holds != "repeats" else ""
                stored = StoredColumn(holds, unit=quantity.unit if in_unit else "", of=number)  # type: ignore[arg-type]
                add(stored, number_column(f"{title}, {holds}{in_unit}", array))
        if values.notes:
            notes = [values.notes.get(row, "") for row in range(len(table))]
            add(StoredColumn("note", of=number), text_column(f"{title}, note", notes))
    for heading, texts in table.details.items():
        add(StoredColumn("detail", heading=heading), text_column(heading, texts))
    if table.temperature is not None:
        add(StoredColumn("temperature", unit="K"), number_column("temperature [K]", table.temperature))
    if table.phase is not None:
        add(StoredColumn("phase"), text_column("phase", table.phase))
    for position, heading in enumerate(table.descriptor_names):
        assert table.descriptors is not None
        add(StoredColumn("descriptor", heading=heading), number_column(heading, table.descriptors[:, position]))
    return tuple(columns), cells


def _problem_columns(listed: Sequence[tuple[int, RowProblem]]) -> list[CsvColumn]:
    return [
        integer_column("value column", [of for of, _ in listed]),
        integer_column("line", [problem.line for _, problem in listed]),
        text_column("column", [problem.column for _, problem in listed]),
        text_column("text", [problem.text for _, problem in listed]),
        text_column("reason", [problem.reason for _, problem in listed]),
        text_column("suggestion", [problem.suggestion for _, problem in listed]),
        integer_column("rejects row", [problem.rejects_row for _, problem in listed]),
    ]


def _stored_path(path: str, folder: Path) -> tuple[str, bool]:
    """Return a path relative to the folder of the study, which also keeps the user's name out of it, and True.

    What is no path ("pasted table 1"), or lies on another drive, stays as it is.
    """
    if Path(path).is_absolute():
        try:
            return Path(os.path.relpath(path, folder)).as_posix(), True
        except ValueError:  # another drive
            pass
    return path, False
