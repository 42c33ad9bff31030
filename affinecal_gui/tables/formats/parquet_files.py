"""Parquet -> raw tables."""

import contextlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np

from affinecal_gui.tables.errors import TableError, shortened
from affinecal_gui.tables.formats.stated_units import unit_in, units_in
from affinecal_gui.tables.raw_table import CELL_SEPARATOR, RawTable
from affinecal_gui.tables.text.options import ReadOptions
from affinecal_gui.tables.text.table_builder import TableBuilder, unique_headings
from affinecal_gui.task import Task

MAXIMUM_ROWS = 4_000_000
"""A file of some kilobytes may hold any number of equal rows; so many are also the most that a study stores."""
MAXIMUM_CELLS = 40_000_000
MAXIMUM_TEXT = 1024**3
"""Characters of all cells together; they are counted before they are put together."""
MAXIMUM_CELL = 131_072
ROWS_AT_ONCE = 1024
COLUMNS_TOLD = 4


def read_parquet(path: str, name: str, options: ReadOptions, *, task: Task) -> RawTable:
    """Read a Parquet file group by group.

    Bytes are read as the text that they hold in UTF-8. Columns of lists, of fields within fields, and of bytes that are
    no text, are left out and told. The index that pandas keeps beside the columns comes last, as in JSON.

    Raises
    ------
    TableError
        The file is damaged or too large, or no column has single values.
    """
    with open_parquet(path, name) as opened:
        _check_size(opened.row_count, opened.column_count, name)
        builder = TableBuilder(unique_headings(opened.headings), opened.headings, opened.units)
        for number, cells in enumerate(opened.rows(task), 1):
            builder.add(number, cells)
            if number % ROWS_AT_ONCE == 0:
                task.report(number / max(opened.row_count, 1), f"Reading {name}")
        notes = opened.notes()
    return builder.table(path=path, name=name, format="parquet", header_line=1, notes=notes, options=options)


class OpenedParquet:
    """A Parquet file whose rows can be taken once, without ever being in memory together."""

    def __init__(self, source: IO[bytes], name: str) -> None:
        import pyarrow.parquet  # type: ignore[import-untyped, unused-ignore]  # heavy, and few files need it

        file = pyarrow.parquet.ParquetFile(source)
        self.row_count: int = file.metadata.num_rows
        self.column_count = len(file.schema_arrow.names)
        # A page of one text again and again packs to nearly nothing.
        groups = (file.metadata.row_group(number) for number in range(file.metadata.num_row_groups))
        if sum(group.total_byte_size for group in groups) > 4 * MAXIMUM_TEXT:
            raise _too_much_text(name)
        # Texts that come again stay in their dictionary: a batch of them takes no more memory than the file.
        texts = [field.name for field in file.schema_arrow if _is_text(field.type)]
        self._file = pyarrow.parquet.ParquetFile(source, read_dictionary=texts)
        self._columns = _Columns(file.schema_arrow, name)
        self.headings = self._columns.headings
        self.units = self._columns.units

    def rows(self, task: Task) -> Iterator[tuple[str, ...]]:
        """Yield the cells of each row."""
        for batch in self._file.iter_batches(batch_size=ROWS_AT_ONCE):
            task.check()
            yield from zip(*self._columns.cells_of(batch), strict=True)

    def notes(self) -> list[str]:
        """Say what was left out of the rows that were taken."""
        return self._columns.notes()


@contextlib.contextmanager
def open_parquet(path: str, name: str) -> Iterator[OpenedParquet]:
    """Open a Parquet file for taking its rows.

    Raises
    ------
    TableError
        The file is damaged, or no column has single values; also while rows are taken.
    """
    import pyarrow  # type: ignore[import-untyped, unused-ignore]

    try:
        with Path(path).open("rb") as source:
            yield OpenedParquet(source, name)
    except (pyarrow.ArrowException, OSError):
        raise TableError(f"{name} is a damaged Parquet file. Save it again, or save the data as CSV.") from None
    except RecursionError:
        raise TableError(f"{name} is nested too deeply for a table. Save single values in its columns.") from None


def _check_size(rows: int, columns: int, name: str) -> None:
    if rows > MAXIMUM_ROWS or rows * columns > MAXIMUM_CELLS:
        raise TableError(
            f"{name} has {rows:,} rows of {columns} columns; up to {MAXIMUM_ROWS:,} rows and {MAXIMUM_CELLS:,} cells can be "
            "read. Leave rows that come again or columns out, or save parts."
        )


def _too_much_text(name: str) -> TableError:
    return TableError(
        f"{name} has more than {MAXIMUM_TEXT / 1024**3:.0f} GB of text. Leave columns out, or save parts."
    )


def _is_text(kind: Any) -> bool:
    import pyarrow  # type: ignore[import-untyped, unused-ignore]

    return any(
        is_kind(kind)
        for is_kind in (
            pyarrow.types.is_string,
            pyarrow.types.is_large_string,
            pyarrow.types.is_binary,
            pyarrow.types.is_large_binary,
        )
    )


class _Columns:
    """The columns of a file that hold single values, and what was left out of the others."""

    def __init__(self, schema: Any, name: str) -> None:
        import pyarrow  # type: ignore[import-untyped, unused-ignore]

        self._name = name
        self._nested = [field.name for field in schema if pyarrow.types.is_nested(_plain_type(field.type))]
        used = [number for number, field in enumerate(schema) if not pyarrow.types.is_nested(_plain_type(field.type))]
        if not used and self._nested:
            raise TableError(
                f"{name} holds lists or nested fields only ({_listed(self._nested)}). Save single values in its columns."
            )
        index = _index_names(schema)
        self._used = [number for number in used if schema.names[number] not in index]
        self._used += [number for number in used if schema.names[number] in index]
        self.headings = [index.get(schema.names[number], schema.names[number]) for number in self._used]
        units = _stated_units(schema)
        stated = [units.get(schema.names[number], "") for number in self._used]
        self.units = tuple(stated) if any(stated) else ()
        self._bytes: dict[str, None] = {}  # columns with bytes that are no text
        self._left = MAXIMUM_TEXT

    def cells_of(self, batch: Any) -> list[list[str]]:
        """Return the cells of a batch, column by column."""
        return [
            self._cells(batch.column(number), heading)
            for number, heading in zip(self._used, self.headings, strict=True)
        ]

    def notes(self) -> list[str]:
        """Say what was left out."""
        found = []
        if self._nested:
            verb = "hold" if len(self._nested) > 1 else "holds"
            what = "lists or nested fields in place of single values"
            found.append(
                f"{self._name}: {_listed(self._nested)} {verb} {what}, and {'are' if verb == 'hold' else 'is'} left out."
            )
        if self._bytes:
            found.append(f"{self._name}: bytes in {_listed(list(self._bytes))} are no text, and read as empty cells.")
        return found

    def _cells(self, column: Any, heading: str) -> list[str]:
        import pyarrow  # type: ignore[import-untyped, unused-ignore]

        if pyarrow.types.is_dictionary(column.type):
            places = column.indices.to_pylist()
            used = sorted({place for place in places if place is not None})
            text_of = dict(
                zip(used, self._texts(column.dictionary.take(pyarrow.array(used, "int64")), heading), strict=True)
            )
            self._count(sum(len(text_of[place]) for place in places if place is not None))
            return ["" if place is None else text_of[place] for place in places]
        texts = self._texts(column, heading)
        self._count(sum(map(len, texts)))
        return texts

    def _texts(self, values: Any, heading: str) -> list[str]:
        text_of = _writer(values.type)
        texts = []
        for value in values.to_pylist():
            text = "" if value is None else text_of(value)
            if text is None:
                self._bytes[heading] = None
            elif len(text) > MAXIMUM_CELL:
                raise TableError(
                    f"{self._name} has a cell of {len(text):,} characters in column {shortened(heading)}; up to "
                    f"{MAXIMUM_CELL:,} can be read. Leave that column out."
                )
            texts.append(text or "")
        return texts

    def _count(self, characters: int) -> None:
        self._left -= characters
        if self._left < 0:
            raise TableError(
                f"{self._name} has more than {MAXIMUM_TEXT // 1024**3} GB of text. Leave columns out, or save parts."
            )


def _plain_type(kind: Any) -> Any:
    """Return the type of the values of a column, whatever they are wrapped in."""
    import pyarrow  # type: ignore[import-untyped, unused-ignore]

    if isinstance(kind, pyarrow.BaseExtensionType):
        kind = kind.storage_type
    return kind.value_type if pyarrow.types.is_dictionary(kind) else kind


def _stated_units(schema: Any) -> dict[str, str]:
    """Return the units that the fields of a file state, or the attributes of a data frame of pandas, by column."""
    found: dict[str, str] = {}
    with contextlib.suppress(ValueError, AttributeError, TypeError, RecursionError):
        found |= units_in(json.loads((schema.metadata or {}).get(b"pandas", b"{}")).get("attributes"))
    for name, value in (schema.metadata or {}).items():
        with contextlib.suppress(ValueError, RecursionError):  # {"units": '{"Tg": "K"}'}
            found |= units_in({name.decode("utf-8"): json.loads(value)}) if name != b"pandas" else {}
    for field in schema:
        stated = {key.decode("utf-8", "replace"): value for key, value in (field.metadata or {}).items()}
        unit = unit_in({key: value.decode("utf-8", "replace") for key, value in stated.items()})
        if unit:
            found[field.name] = unit
    return found


def _index_names(schema: Any) -> dict[str, str]:
    """Return the columns that pandas keeps its index in, and what to head them with."""
    try:
        about = json.loads((schema.metadata or {}).get(b"pandas", b"{}"))
        named = [text for text in about.get("index_columns", ()) if isinstance(text, str)]
    except (ValueError, AttributeError, TypeError, RecursionError):
        named = []
    named += [text for text in schema.names if text.startswith("__index_level_") and text not in named]
    return {text: "index" if text.startswith("__index_level_") else text for text in named}


def _writer(kind: Any) -> Callable[[Any], str | None]:
    """Return what writes a value of a type as a person would; None for bytes that are no text."""
    import pyarrow  # type: ignore[import-untyped, unused-ignore]

    kind = _plain_type(kind)
    if pyarrow.types.is_float32(kind) or pyarrow.types.is_float16(kind):
        narrow = np.float32 if pyarrow.types.is_float32(kind) else np.float16
        return lambda value: "" if value != value else str(narrow(value))
    if pyarrow.types.is_floating(kind):
        return lambda value: "" if value != value else repr(value)
    if pyarrow.types.is_boolean(kind):
        return lambda value: "TRUE" if value else "FALSE"
    return _text


def _text(value: object) -> str | None:
    if isinstance(value, bytes):
        try:
            value = value.rstrip(b"\x00").decode("utf-8")
        except UnicodeDecodeError:
            return None
        if not all(character.isprintable() or character.isspace() for character in value):
            return None
    return str(value).replace(CELL_SEPARATOR, " ").strip()


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(shortened(name) for name in names[:COLUMNS_TOLD])
    return shown + (" and others" if len(names) > COLUMNS_TOLD else "")
