"""JSON -> raw tables: a list of records, columns by name, or pandas' split form."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from affinecal_gui.progress import CancelCheck, Progress, stop_if
from affinecal_gui.tables.encodings import guess_encoding
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.options import ReadOptions
from affinecal_gui.tables.raw_table import CELL_SEPARATOR, RawTable
from affinecal_gui.tables.table_builder import TableBuilder, unique_headings

MAXIMUM_BYTES = 100 * 1024**2
"""JSON takes many times its size in memory while it is read."""
MAXIMUM_COLUMNS = 16_384


def is_json(head: bytes) -> bool:
    """Whether a file begins as JSON records do."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return start.startswith(b"{") or (start[:1] == b"[" and start[1:].lstrip()[:1] in (b"{", b"[", b"]"))


def read_json(path: str, name: str, options: ReadOptions, *, progress: Progress, cancelled: CancelCheck) -> RawTable:
    """Read records from JSON; numbers keep the digits that stand in the file.

    Raises
    ------
    TableError
        The file is too large, is no JSON, or holds no records.
    """
    size = Path(path).stat().st_size
    if size > MAXIMUM_BYTES:
        raise TableError(f"{name} has {size / 1024**2:.0f} MB of JSON; up to 100 MB can be read. Save it as CSV.")
    progress(0.0, f"Reading {name}")
    data = Path(path).read_bytes()
    text = data.decode(options.encoding or guess_encoding(data[:100_000]).encoding, errors="replace").lstrip("\ufeff")
    try:
        content = _loaded(text)
    except json.JSONDecodeError as error:
        lines = _json_lines(text)
        if lines is None:
            raise TableError(
                f"{name} is not complete JSON: line {error.lineno} cannot be read. Save it again."
            ) from None
        content = lines
    except RecursionError:
        raise TableError(f"{name} is nested too deeply for a table. Save a list of records.") from None
    stop_if(cancelled)
    headings, rows = _as_table(content, name)
    if len(headings) > MAXIMUM_COLUMNS:
        raise TableError(f"{name} has {len(headings)} different fields; up to {MAXIMUM_COLUMNS} can be read.")
    builder = TableBuilder(unique_headings(headings), headings)
    for number, row in enumerate(rows, 1):
        if number % 2000 == 0:
            stop_if(cancelled)
            progress(number / len(rows), f"Reading {name}")
        builder.add(number, [_text(cell) for cell in row])
    return builder.table(path=path, name=name, format="json", header_line=1, options=options)


def _json_lines(text: str) -> list[Any] | None:
    """Return one record per line, or None when the lines are not JSON."""
    try:
        return [_loaded(line) for line in text.split("\n") if line.strip()]
    except (json.JSONDecodeError, RecursionError):
        return None


def _loaded(text: str) -> Any:
    """Parse JSON; numbers stay text with the digits of the file, NaN and Infinity become nothing."""
    return json.loads(text, parse_float=str, parse_int=str, parse_constant=lambda _: None)


def _as_table(content: Any, name: str) -> tuple[list[str], Sequence[Sequence[Any]]]:
    if isinstance(content, Mapping):
        nested = [value for value in content.values() if isinstance(value, list) and value]
        if isinstance(content.get("columns"), list) and isinstance(content.get("data"), list):
            return [str(column) for column in content["columns"]], [
                row if isinstance(row, list) else [row] for row in content["data"]
            ]
        if content and all(isinstance(value, list) for value in content.values()) and not _are_records(nested[:1]):
            headings = [str(key) for key in content]
            length = max(len(value) for value in content.values())
            columns = [[*value, *[None] * (length - len(value))] for value in content.values()]
            return headings, [list(row) for row in zip(*columns, strict=True)]
        if content and all(isinstance(value, Mapping) for value in content.values()):
            # pandas' default: {"column": {"0": ..., "1": ...}}
            keys = list(dict.fromkeys(key for value in content.values() for key in value))
            return [str(key) for key in content], [[value.get(key) for value in content.values()] for key in keys]
        content = nested[0] if len(nested) == 1 and isinstance(nested[0][0], Mapping) else [content]
    if not isinstance(content, list) or not content:
        raise TableError(f"{name} holds no records. Save a list like [{{“smiles”: “*CC*”, “Cp”: 2300}}, ...].")
    if all(isinstance(record, Mapping) for record in content):
        headings = list(dict.fromkeys(str(key) for record in content for key in record))
        return headings, [[record.get(heading) for heading in headings] for record in content]
    if all(isinstance(record, list) for record in content) and content[0]:
        return [_text(cell) for cell in content[0]], content[1:]
    raise TableError(f"{name} holds no records. Save a list like [{{“smiles”: “*CC*”, “Cp”: 2300}}, ...].")


def _are_records(lists: Sequence[Any]) -> bool:
    return any(isinstance(item, Mapping) for values in lists for item in values[:1])


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell.replace(CELL_SEPARATOR, " ").strip()
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    return json.dumps(cell, ensure_ascii=False)[:10_000]
