"""The three members of a table in a study file -> the table as it was understood when it was saved."""

import dataclasses
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np

from affinecal_gui.study.records.archive import Archive
from affinecal_gui.study.records.stored_csv import (
    FloatArray,
    StoredRows,
    integers_of,
    numbers_of,
    texts_of,
)
from affinecal_gui.study.records.stored_errors import DamagedContent
from affinecal_gui.study.records.stored_records import from_plain, without_markup
from affinecal_gui.study.state import LoadedTable
from affinecal_gui.study.stored.manifest import table_names
from affinecal_gui.study.stored.table_description import Meaning, StoredTable, key_of
from affinecal_gui.tables.headings.stated_pressures import pressure_in_heading
from affinecal_gui.tables.headings.stated_temperatures import temperature_in_heading
from affinecal_gui.tables.problems import RowProblem
from affinecal_gui.tables.units.units import UnitProblem, conversion
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.reading_pressures import read_pressures
from affinecal_gui.tables.values.value_columns import ValueColumn, ValueColumns, none_stated
from affinecal_gui.task import UNWATCHED, Task

MOST_ROWS = 4_000_000  # of one table
MOST_CELLS = 40_000_000  # of all tables of a study
MOST_LINES = 2**53  # of the file that a table came from


_ONCE: tuple[Meaning, ...] = ("line", "id", "name", "smiles")
_OF_A_VALUE: tuple[Meaning, ...] = ("uncertainty", "lowest", "highest", "repeats", "note")
_IN_UNIT: tuple[Meaning, ...] = ("value", "uncertainty", "lowest", "highest")
_TEXTS: tuple[Meaning, ...] = ("id", "name", "smiles", "note", "detail", "phase")


def read_stored_table(
    archive: Archive,
    key: str,
    description: object,
    folder: Path,
    *,
    task: Task = UNWATCHED,
) -> LoadedTable:
    """Return the table with this key.

    Parameters
    ----------
    archive
        The study file.
    key
        The key of the table.
    description
        What its JSON member holds, in the present format.
    folder
        Where the study lies.

    Raises
    ------
    DamagedContent
        A member is missing or is not what it should be; the text names member and line.
    """
    meaning, rows_name, problems_name = table_names(key)
    stored = from_plain(StoredTable, description, meaning)
    _check(stored, meaning)
    width = len(stored.columns)
    if archive.size(rows_name) < stored.rows * width:  # a delimiter or a line end for every cell, before space is made
        raise DamagedContent(f"{rows_name} is shorter than {stored.rows} rows")
    with archive.stream(rows_name) as stream:
        rows = StoredRows(stream, rows_name, width, stored.rows, task=task)
        rows.headings()
        cells = _Cells(stored, rows_name)
        for start, part in rows.parts():
            cells.take(start, part)
    of_table, of_values = _read_problems(archive, problems_name, stored, task)
    return LoadedTable(key, cells.table(_path_of(stored, folder), of_table, of_values))


def cells_of(description: object, where: str) -> int:
    """Return how many cells a table has by its description."""
    stored = from_plain(StoredTable, description, where)
    if not (0 <= stored.rows <= MOST_ROWS and 0 <= stored.problems <= MOST_ROWS):
        raise DamagedContent(f"{where}: a table of {max(stored.rows, stored.problems)} rows cannot be opened")
    return stored.rows * len(stored.columns) + 7 * stored.problems


def _check(stored: StoredTable, where: str) -> None:
    """Refuse meanings that contradict each other."""
    columns = stored.columns
    for holds in _ONCE:
        if sum(column.holds == holds for column in columns) != 1:
            raise DamagedContent(f"{where}: there must be one column of the kind “{holds}”")
    for holds in ("temperature", "phase"):
        if sum(column.holds == holds for column in columns) > 1:
            raise DamagedContent(f"{where}: there is more than one column of the kind “{holds}”")
    if stored.rows_read < 0 or stored.rows_rejected < 0:
        raise DamagedContent(f"{where}: the numbers of rows cannot be negative")
    seen: set[object] = set()
    for number, column in enumerate(columns):
        place = f"{where}: column {number}"
        identity: object = None
        if column.holds == "value":
            if column.kind is None or column.quantity is None:
                raise DamagedContent(f"{place} does not say what it is a value of")
            identity = key_of(column)
        elif column.holds in _OF_A_VALUE:
            if column.of is None or not 0 <= column.of < len(columns) or columns[column.of].holds != "value":
                raise DamagedContent(f"{place} belongs to no value")
            identity = (column.holds, column.of)
        elif column.holds == "detail":
            identity = (column.holds, column.heading)
        if identity is not None and identity in seen:
            raise DamagedContent(f"{place} stands there twice")
        seen.add(identity)


class _Cells:
    """The columns of a table, filled part by part."""

    def __init__(self, stored: StoredTable, where: str) -> None:
        self._stored, self._where = stored, where
        self._lines: list[int] = []
        self._texts: dict[int, list[str]] = {}
        self._known: dict[int, dict[str, str]] = {}  # equal texts of a column are kept once
        self._numbers: dict[int, FloatArray] = {}
        self._convert: dict[int, Callable[[FloatArray], FloatArray]] = {}
        for number, column in enumerate(stored.columns):
            if column.holds in _TEXTS:
                self._texts[number], self._known[number] = [], {}
            elif column.holds != "line":
                self._numbers[number] = np.full(stored.rows, np.nan)
                self._convert[number] = _conversion(stored, number, where)

    def take(self, start: int, part: Sequence[Sequence[str]]) -> None:
        for number, (column, cells) in enumerate(zip(self._stored.columns, part, strict=True)):
            where = f"{self._where}, column {number}"
            if column.holds == "line":
                self._lines += integers_of(cells, where, 0, MOST_LINES)
            elif number in self._texts:
                known = self._known[number]
                self._texts[number] += [known.setdefault(text, text) for text in texts_of(cells)]
            else:
                values = self._convert[number](numbers_of(cells, where))
                self._numbers[number][start : start + len(values)] = values

    def table(
        self, path: str, problems: tuple[RowProblem, ...], of_values: dict[int, list[RowProblem]]
    ) -> PolymerTable:
        stored, columns = self._stored, self._stored.columns
        for array in self._numbers.values():
            array.setflags(write=False)
        position = {column.holds: number for number, column in enumerate(columns)}
        values = {
            key_of(column): self._value(number, of_values.get(number, []))
            for number, column in enumerate(columns)
            if column.holds == "value"
        }
        descriptors = [number for number, column in enumerate(columns) if column.holds == "descriptor"]
        details = {c.heading: tuple(self._texts[n]) for n, c in enumerate(columns) if c.holds == "detail"}
        return PolymerTable(
            name=without_markup(stored.name),
            path=without_markup(path),
            lines=tuple(self._lines),
            ids=tuple(self._texts[position["id"]]),
            names=tuple(self._texts[position["name"]]),
            smiles=tuple(self._texts[position["smiles"]]),
            values=ValueColumns(tuple(values), values, {}),
            details=MappingProxyType(details),
            temperature=self._numbers[position["temperature"]] if "temperature" in position else None,
            phase=tuple(self._texts[position["phase"]]) if "phase" in position else None,
            descriptor_names=tuple(columns[number].heading for number in descriptors),
            descriptors=self._together(descriptors),
            problems=problems,
            rows_read=stored.rows_read,
            rows_rejected=stored.rows_rejected,
            notes=stored.notes,
            roles=stored.roles,
            again=stored.again,
            flagged=stored.flagged,
            pressure=read_pressures(details, stored.roles)[0],
        )

    def _value(self, number: int, problems: list[RowProblem]) -> ValueColumn:
        column = self._stored.columns[number]
        assert column.quantity is not None
        beside = {c.holds: n for n, c in enumerate(self._stored.columns) if c.of == number and c.holds in _OF_A_VALUE}

        def found(holds: Meaning) -> FloatArray | None:
            return self._numbers[beside[holds]] if holds in beside else None

        uncertainty = found("uncertainty")
        if uncertainty is None:
            uncertainty = none_stated(self._stored.rows)
        notes = self._texts[beside["note"]] if "note" in beside else []
        return ValueColumn(
            column.quantity,
            self._numbers[number],
            uncertainty,
            column.heading,
            column.unit_as_written,
            found("lowest"),
            found("highest"),
            found("repeats"),
            MappingProxyType({row: note for row, note in enumerate(notes) if note}),
            tuple(problems),
            tuple(map(without_markup, column.remarks)),
            column.unit_is_named,
            temperature_in_heading(column.heading),
            pressure_in_heading(column.heading),
        )

    def _together(self, descriptors: list[int]) -> FloatArray | None:
        if not descriptors:
            return None
        array = np.column_stack([self._numbers.pop(number) for number in descriptors])
        array.setflags(write=False)
        return array


def _conversion(stored: StoredTable, number: int, where: str) -> Callable[[FloatArray], FloatArray]:
    """Return how stored numbers become numbers in the canonical unit, which a later version may have changed."""
    column = stored.columns[number]
    if column.holds not in _IN_UNIT:
        return lambda values: values
    of = number if column.of is None else column.of
    quantity = stored.columns[of].quantity
    assert quantity is not None
    if column.unit == quantity.unit:
        return lambda values: values
    try:
        way = conversion(column.unit, quantity)
    except UnitProblem as problem:
        raise DamagedContent(f"{where}, column {number}: {problem}") from None
    if way.needs_molar_mass:
        raise DamagedContent(f"{where}, column {number}: “{column.unit}” is a unit per mole")
    if column.holds == "uncertainty":
        way = dataclasses.replace(way, offset=0.0)
    return way.apply


def _read_problems(
    archive: Archive, name: str, stored: StoredTable, task: Task
) -> tuple[tuple[RowProblem, ...], dict[int, list[RowProblem]]]:
    """Return the problems of the table, and those of single values by the column of the value."""
    of_table: list[RowProblem] = []
    of_values: dict[int, list[RowProblem]] = {}
    with archive.stream(name) as stream:
        rows = StoredRows(stream, name, 7, stored.problems, task=task)
        rows.headings()
        for _, (ofs, lines, columns, texts, reasons, suggestions, rejects) in rows.parts():
            for of, line, column, text, reason, suggestion, rejecting in zip(
                integers_of(ofs, name, -1, len(stored.columns)),
                integers_of(lines, name, 0, MOST_LINES),
                texts_of(columns),
                texts_of(texts),
                texts_of(reasons),
                texts_of(suggestions),
                integers_of(rejects, name, 0, 1),
                strict=True,
            ):
                listed = of_table if of < 0 else of_values.setdefault(of, [])
                listed.append(RowProblem(line, column, text, reason, suggestion, bool(rejecting)))
    return tuple(of_table), of_values


def _path_of(stored: StoredTable, folder: Path) -> str:
    """Undo :func:`_stored_path`.

    The path is shown, compared with those of files that are dropped, and read if the user asks for that. A study from a
    stranger must not make this computer call another one: such a path is forgotten.
    """
    path = os.path.normpath(folder / stored.path) if stored.path_is_relative else stored.path
    return stored.name if _is_remote(path) and not _is_remote(str(folder)) else path


def _is_remote(path: str) -> bool:
    return path.startswith(("\\\\", "//", "\\/", "/\\")) or "://" in path
