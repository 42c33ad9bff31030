"""How the content of a JSON file is a table: records, columns or rows by name, split form, or lists of cells.

These are the orientations in which pandas writes JSON, and the ways in which people write it by hand.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.text.layout import usual_words
from affinecal_gui.tables.words import looks_like_repeat_unit

MAXIMUM_COLUMNS = 16_384
MAXIMUM_CELLS = 20_000_000
"""Records times the names that any of them has: so many cells the table would have, most of them empty."""
INDEX = "index"
"""Heading of what pandas calls the index; it names the rows."""


@dataclass(frozen=True, slots=True)
class Records:
    """Rows whose cells stand under names; they are made one after another, so that no more of them are in memory."""

    headings: Sequence[str]
    rows: Iterable[Sequence[Any]]
    count: int


@dataclass(frozen=True, slots=True)
class Lists:
    """Rows of cells whose first may be the headings."""

    rows: Sequence[Sequence[Any]]


def shape_of(content: Any, name: str) -> Records | Lists:
    """Return the rows that the content of a file has.

    Parameters
    ----------
    content
        What was parsed.
    name
        Of the file.

    Raises
    ------
    TableError
        It holds no rows, lists of different lengths, or more cells than can be read.
    """
    if isinstance(content, Mapping):
        found = _of_mapping(content, name)
        if found is not None:
            return found
        content = [content]
    if not isinstance(content, list) or not content:
        raise _no_records(name)
    if all(isinstance(record, Mapping) for record in content):
        if all(len(record) == 1 and _is_mapping(next(iter(record.values()))) for record in content):
            named = [next(iter(record.items())) for record in content]
            return _by_row([key for key, _ in named], [record for _, record in named], name)
        return _records(content, name)
    if all(isinstance(record, list) for record in content):
        return _lists(content, name)
    if not any(isinstance(record, Mapping | list) for record in content):
        return Lists([[cell] for cell in content])
    raise _no_records(name)


def _of_mapping(content: Mapping[str, Any], name: str) -> Records | Lists | None:
    values = list(content.values())
    lists = [value for value in values if isinstance(value, list) and value]
    tables = [value for value in lists if isinstance(value[0], list | Mapping)]
    names = [value for value in lists if not isinstance(value[0], list | Mapping)]
    columns, data = content.get("columns"), content.get("data")
    if isinstance(columns, list) and isinstance(data, list):
        return _split(columns, data, content.get("index"), name)
    is_headed = len(tables) == len(names) == 1 and isinstance(tables[0][0], list) and len(names[0]) == len(tables[0][0])
    if is_headed:  # headings and rows, whatever they are called
        return _split(names[0], tables[0], None, name)
    if len(tables) == 1 and not names:
        return _with_index_last(shape_of(tables[0], name), content.get("schema"))
    if content and all(isinstance(value, list) for value in values) and not tables:
        return _of_columns(content, name)
    if content and all(map(_is_mapping, values)) and not (len(values) == 1 and _holds_lists(values[0])):
        if _is_by_row(content):
            return _by_row(list(content), values, name)
        # pandas' default: {"column": {"0": ..., "1": ...}}
        keys = list(dict.fromkeys(key for value in values for key in value))
        _check_size(len(keys), len(values), name)
        rows = ([value.get(key) for value in values] for key in keys)
        return _named([str(key) for key in content], rows, keys)
    inner = [value for value in values if _is_mapping(value)]
    if len(inner) == 1 and not lists and _holds_lists(inner[0]):
        return shape_of(inner[0], name)  # {"source": ..., "data": {"smiles": [...], "Tg": [...]}}
    if content and not inner and not lists and all(looks_like_repeat_unit(str(key)) for key in content):
        return _named(["value"], ([value] for value in values), list(content))  # a pandas Series by repeat unit
    return None


def _is_mapping(value: Any) -> bool:
    return isinstance(value, Mapping)


def _holds_lists(value: Mapping[str, Any]) -> bool:
    return bool(value) and all(isinstance(cells, list) for cells in value.values())


def _is_by_row(content: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether the outer names of a mapping of mappings are those of the rows, as in pandas' orientation "index"."""
    outer = [str(key) for key in islice(content, 200)]
    inner = list(dict.fromkeys(str(key) for value in islice(content.values(), 200) for key in value))[:200]
    known = usual_words(outer, most=200), usual_words(inner, most=200)
    if known[0] != known[1]:
        return known[0] < known[1]
    columns = [list(islice(value.values(), 50)) for value in islice(content.values(), 50)]
    if any(column and all(looks_like_repeat_unit(str(cell)) for cell in column) for column in columns):
        return False
    return all(key.lstrip("-").isdigit() for key in outer) and not all(key.lstrip("-").isdigit() for key in inner)


def _by_row(keys: Sequence[str], records: Sequence[Mapping[str, Any]], name: str) -> Records:
    found = _records(records, name)
    return _named(found.headings, found.rows, keys)


def _records(records: Sequence[Mapping[str, Any]], name: str) -> Records:
    names: dict[str, None] = {}
    for record in records:
        names.update(dict.fromkeys(record))
        if len(names) > MAXIMUM_COLUMNS or len(names) * len(records) > MAXIMUM_CELLS:
            _check_size(len(records), len(names), name)
    headings = list(names)
    rows = ([record.get(heading) for heading in headings] for record in records)
    return Records([str(heading) for heading in headings], rows, len(records))


def _check_size(records: int, headings: int, name: str) -> None:
    """Refuse a table of which nearly all cells would be empty, before it is made."""
    if headings > MAXIMUM_COLUMNS:
        raise TableError(
            f"{name} has more than {MAXIMUM_COLUMNS:,} different fields. Save a list of records with the same fields."
        )
    if records * headings > MAXIMUM_CELLS:
        raise TableError(
            f"{name} has {records:,} records of at least {headings:,} different fields; together up to {MAXIMUM_CELLS:,} "
            "cells can be read. Save a list of records with the same fields."
        )


def _of_columns(content: Mapping[str, list[Any]], name: str) -> Records:
    lengths = {str(key): len(value) for key, value in content.items()}
    shortest, longest = min(lengths, key=lengths.__getitem__), max(lengths, key=lengths.__getitem__)
    if lengths[shortest] != lengths[longest]:
        raise TableError(
            f"The columns of {name} are not of one length: “{longest}” has {lengths[longest]:,} values, “{shortest}” "
            f"{lengths[shortest]:,}. Which belong together cannot be told; write null where a value is missing."
        )
    count = lengths[longest]
    _check_size(count, len(lengths), name)
    return Records(list(lengths), zip(*content.values(), strict=True), count)


def _split(columns: Sequence[Any], data: Sequence[Any], index: Any, name: str) -> Records:
    headings = [" ".join(map(str, column)) if isinstance(column, list) else str(column) for column in columns]
    _check_size(len(data), len(headings), name)
    rows = (row if isinstance(row, list) else [row] for row in data)
    if isinstance(index, list) and len(index) == len(data):
        return _named(headings, rows, index)
    return Records(headings, rows, len(data))


def _named(headings: Sequence[str], rows: Iterable[Sequence[Any]], keys: Sequence[Any]) -> Records:
    """Add what the rows are called, as the last column; where that only counts them, nothing."""
    if all(str(key) == str(number) for number, key in enumerate(keys)):
        return Records(headings, rows, len(keys))
    width = len(headings)
    called = (" ".join(map(str, key)) if isinstance(key, list) else key for key in keys)

    def longer() -> Iterator[Sequence[Any]]:
        for row, key in zip(rows, called, strict=True):
            yield [*row, *[None] * (width - len(row)), key] if len(row) <= width else row

    return Records([*headings, INDEX], longer(), len(keys))


def _with_index_last(found: Records | Lists, schema: Any) -> Records | Lists:
    """Put the index behind the columns, in pandas' orientation "table": a column named id comes before it as the id."""
    key = schema.get("primaryKey") if isinstance(schema, Mapping) else None
    if not isinstance(found, Records) or not isinstance(key, list) or len(key) != 1 or key[0] not in found.headings[:1]:
        return found
    return Records([*found.headings[1:], found.headings[0]], ([*row[1:], row[0]] for row in found.rows), found.count)


def _lists(rows: Sequence[list[Any]], name: str) -> Lists:
    _check_size(len(rows), max(map(len, rows)), name)
    return Lists(rows)


def _no_records(name: str) -> TableError:
    return TableError(f"{name} holds no records. Save a list like [{{“smiles”: “*CC*”, “Cp”: 2300}}, ...].")
