"""JSON -> raw tables, in any of the shapes that :mod:`affinecal_gui.tables.formats.json_shapes` knows."""

import codecs
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from affinecal_gui.tables.errors import TableError, shortened
from affinecal_gui.tables.formats.json_shapes import Lists, shape_of
from affinecal_gui.tables.formats.stated_units import UNIT_NAMES, units_in
from affinecal_gui.tables.raw_table import CELL_SEPARATOR, RawTable
from affinecal_gui.tables.text.cell_rows import table_of_rows
from affinecal_gui.tables.text.encodings import guess_encoding, with_byte_order
from affinecal_gui.tables.text.options import ReadOptions
from affinecal_gui.tables.text.table_builder import TableBuilder, unique_headings
from affinecal_gui.task import Task

MAXIMUM_BYTES = 100 * 1024**2
"""JSON takes many times its size in memory while it is read."""
ROWS_AT_ONCE = 2000
REPEATED_TOLD = 3
MOST_NESTED = 50
"""Levels of lists and objects in one another; a table has two or three, and some versions of Python read a million."""

_BEGINNING = re.compile(r'\{|\[\s*(?:[{["\]]|(?:-?\d[\d.eE+\-]*|null|true|false)\s*,)')
_BYTE_ORDER_MARKS = (
    codecs.BOM_UTF8,
    codecs.BOM_UTF16_LE,
    codecs.BOM_UTF16_BE,
    codecs.BOM_UTF32_LE,
    codecs.BOM_UTF32_BE,
)


def is_json(head: bytes) -> bool:
    """Whether a file begins as JSON does, in any encoding of Unicode: an object, or a list of objects or cells."""
    # Elsewhere the characters that tell it are those of ASCII.
    wide = head.startswith(_BYTE_ORDER_MARKS) or 0 in head[:4]
    start = head.decode(guess_encoding(head[:4096]).encoding if wide else "latin-1", errors="replace")
    return _BEGINNING.match(start.lstrip("\ufeff \t\r\n")) is not None


def read_json(path: str, name: str, options: ReadOptions, *, task: Task) -> RawTable:
    """Read a table from JSON; numbers keep the digits that stand in the file.

    Raises
    ------
    TableError
        The file is too large, is no JSON, holds no records, or would make too many cells.
    """
    size = Path(path).stat().st_size
    if size > MAXIMUM_BYTES:
        raise TableError(f"{name} has {size / 1024**2:.0f} MB of JSON; up to 100 MB can be read. Save it as CSV.")
    task.report(0.0, f"Reading {name}")
    data = Path(path).read_bytes()
    encoding = with_byte_order(options.encoding or guess_encoding(data[:100_000]).encoding, data[:4096])
    text = data.decode(encoding, errors="replace").lstrip("\ufeff")
    del data
    parser = _Parser(task)
    content = parser.content(text, name)
    del text
    task.check()
    stated, content = _units_apart(content)
    shape = shape_of(content, name)
    if isinstance(shape, Lists):
        cells = [[_text(cell) for cell in row] for row in task.each(shape.rows, ROWS_AT_ONCE)]
        return table_of_rows(cells, path=path, name=name, format="json", options=options, notes=parser.notes(name))
    units = tuple(stated.get(heading, "") for heading in shape.headings) if stated.keys() & set(shape.headings) else ()
    builder = TableBuilder(unique_headings(shape.headings), shape.headings, units)
    for number, row in enumerate(shape.rows, 1):
        if number % ROWS_AT_ONCE == 0:
            task.check()
            task.report(number / shape.count, f"Reading {name}")
        builder.add(number, [_text(cell) for cell in row])
    return builder.table(path=path, name=name, format="json", header_line=1, notes=parser.notes(name), options=options)


def _units_apart(content: Any) -> tuple[dict[str, str], Any]:
    """Return the units that a schema or a list states beside the rows, by heading, and the content without the list."""
    if not isinstance(content, Mapping):
        return {}, content
    lists = {name: value for name, value in content.items() if str(name).casefold() in UNIT_NAMES and _are_units(value)}
    if len(lists) == len(content):
        return {}, content
    return units_in(content.get("schema")) | units_in(lists), {n: v for n, v in content.items() if n not in lists}


def _are_units(value: Any) -> bool:
    return isinstance(value, Mapping) and all(unit is None or isinstance(unit, str) for unit in value.values())


class _Parser:
    """Parses JSON, or one JSON text per line, and remembers which records have a name twice."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._objects = 0
        self._repeated: list[str] = []
        self._count = 0

    def content(self, text: str, name: str) -> Any:
        try:
            found = self._loaded(text)
        except json.JSONDecodeError as error:
            self._repeated, self._count = [], 0
            lines = self._lines(text)
            if lines is None:
                raise TableError(
                    f"{name} is not complete JSON: line {error.lineno} cannot be read. Save it again."
                ) from None
            found = lines
        except RecursionError:
            raise _nested_too_deeply(name) from None
        if isinstance(found, list | dict) and _levels(found) > MOST_NESTED:
            raise _nested_too_deeply(name)
        return found

    def notes(self, name: str) -> list[str]:
        """Say which names stood twice in a record."""
        if not self._count:
            return []
        more = f", and {self._count - REPEATED_TOLD} others" if self._count > REPEATED_TOLD else ""
        return [f"{name}: {'; '.join(self._repeated)}{more}; the last was read."]

    def _lines(self, text: str) -> list[Any] | None:
        """Return one record per line, or None when the lines are not JSON."""
        try:
            lines = self._task.each(text.split("\n"), ROWS_AT_ONCE)
            return [self._loaded(line) for line in lines if line.strip()]
        except (json.JSONDecodeError, RecursionError):
            return None

    def _loaded(self, text: str) -> Any:
        """Parse JSON; numbers stay text with the digits of the file, NaN becomes nothing and Infinity stays a word."""
        return json.loads(
            text,
            parse_float=str,
            parse_int=str,
            parse_constant=lambda name: None if name == "NaN" else name,
            object_pairs_hook=self._object,
        )

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        self._objects += 1
        if self._objects % ROWS_AT_ONCE == 0:
            self._task.check()
        found = dict(pairs)
        if len(found) < len(pairs):
            self._count += 1
            if len(self._repeated) < REPEATED_TOLD:
                names = [key for key, _ in pairs]
                twice = next(key for key in names if names.count(key) > 1)
                first = f"{pairs[0][0]} {_text(pairs[0][1])}"
                self._repeated.append(
                    f"“{shortened(twice)}” stands twice in the record that begins “{shortened(first)}”"
                )
        return found


def _nested_too_deeply(name: str) -> TableError:
    return TableError(f"{name} is nested too deeply for a table. Save a list of records.")


def _levels(content: list[Any] | dict[str, Any]) -> int:
    """Return how many lists and objects lie in one another; what is deeper than can be read is not gone through."""
    levels, level = 0, [content]
    while level and levels <= MOST_NESTED:
        level = [
            inner
            for outer in level
            for inner in (outer.values() if type(outer) is dict else outer)
            if type(inner) is dict or type(inner) is list
        ]
        levels += 1
    return levels


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell.replace(CELL_SEPARATOR, " ").strip()
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    return json.dumps(cell, ensure_ascii=False)[:10_000]
