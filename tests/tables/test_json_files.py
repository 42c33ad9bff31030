"""JSON is read in every orientation of pandas and every encoding, and never makes more cells than it may."""

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.row_stream import open_rows
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from affinecal_gui.tables.values.polymer_table import PolymerTable

SMILES = ["*CC*", "*CC(*)C", "*CCO*", "*CC(*)O"]
DENSITIES = [0.95, 1.0, 1.05, 1.1]
NAMES = ["PE", "PP", "PEO", "PVOH"]
HEADINGS = ["smiles", "density"]
ROWS = [[s, d] for s, d in zip(SMILES, DENSITIES, strict=True)]
RECORDS = [dict(zip(HEADINGS, row, strict=True)) for row in ROWS]
FIELDS = [
    {"name": "index", "type": "integer"},
    {"name": "smiles", "type": "string"},
    {"name": "density", "type": "number"},
]

# As DataFrame.to_json(orient=...) of pandas 2 writes them, and as people do.
ORIENTATIONS: dict[str, Any] = {
    "records": RECORDS,
    "columns": {h: {str(i): row[n] for i, row in enumerate(ROWS)} for n, h in enumerate(HEADINGS)},
    "columns with names": {h: {NAMES[i]: row[n] for i, row in enumerate(ROWS)} for n, h in enumerate(HEADINGS)},
    "index": {str(i): record for i, record in enumerate(RECORDS)},
    "index with names": dict(zip(NAMES, RECORDS, strict=True)),
    "index of leftover rows": {str(3 * i + 2): record for i, record in enumerate(RECORDS)},
    "split": {"columns": HEADINGS, "index": [0, 1, 2, 3], "data": ROWS},
    "split with names": {"columns": HEADINGS, "index": NAMES, "data": ROWS},
    "table": {
        "schema": {"fields": FIELDS, "primaryKey": ["index"], "pandas_version": "1.4.0"},
        "data": [{"index": i, **record} for i, record in enumerate(RECORDS)],
    },
    "values": ROWS,
    "values with headings": [HEADINGS, *ROWS],
    "values with a title": [["Results", None], HEADINGS, *ROWS],
    "lists": {"smiles": SMILES, "density": DENSITIES},
    "headings and rows": {"headings": HEADINGS, "rows": ROWS},
    "records in an envelope": {"source": "laboratory", "data": RECORDS},
    "rows in an envelope": {"data": [HEADINGS, *ROWS]},
    "lists in an envelope": {"source": "laboratory", "count": 4, "data": {"smiles": SMILES, "density": DENSITIES}},
    "a series": dict(zip(SMILES, DENSITIES, strict=True)),
    "records by name in a list": [{name: record} for name, record in zip(NAMES, RECORDS, strict=True)],
}
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]


def read(path: Path) -> PolymerTable:
    raw = read_table(path)
    assert raw.format == "json"
    return to_polymer_table(raw, guess_roles(raw))


def density_of(table: PolymerTable) -> dict[str, float]:
    (column,) = table.values.values()
    return dict(zip(table.smiles, column.values.tolist(), strict=True))


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_orientation_in_every_encoding_is_the_same_table(tmp_path: Path, orientation: str, encoding: str) -> None:
    path = tmp_path / "rows.json"
    path.write_bytes(json.dumps(ORIENTATIONS[orientation], ensure_ascii=False, indent=1).encode(encoding))
    assert density_of(read(path)) == pytest.approx(dict(zip(SMILES, DENSITIES, strict=True)))


@pytest.mark.parametrize("rows", [RECORDS, [HEADINGS, *ROWS], ROWS, [row[::-1] for row in ROWS]])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_one_record_per_line_is_read(tmp_path: Path, rows: list[Any], encoding: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes("\n".join(json.dumps(row) for row in rows).encode(encoding))
    assert density_of(read(path)) == pytest.approx(dict(zip(SMILES, DENSITIES, strict=True)))


@pytest.mark.parametrize(
    "orientation", ["columns with names", "index with names", "split with names", "records by name in a list"]
)
def test_what_names_the_rows_is_kept(tmp_path: Path, orientation: str) -> None:
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(ORIENTATIONS[orientation]), encoding="utf-8")
    assert list(read(path).ids) == NAMES


def test_a_column_of_ids_comes_before_the_index(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    split = {"columns": ["id", *HEADINGS], "index": [5, 7], "data": [["P1", *ROWS[0]], ["P2", *ROWS[1]]]}
    path.write_text(json.dumps(split), encoding="utf-8")
    assert list(read(path).ids) == ["P1", "P2"]


@pytest.mark.parametrize("content", [ROWS, [HEADINGS, *ROWS], SMILES, [[text] for text in SMILES]])
def test_no_polymer_of_a_list_becomes_the_headings(tmp_path: Path, content: list[Any]) -> None:
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    with open_rows(path) as stream:
        assert [row.cells[0] for row in stream.rows] == SMILES


def test_a_name_twice_in_a_record_is_told(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text(
        '[{"smiles": "*CC*", "density": 0.9, "density": 0.95}, {"smiles": "*CCO*", "density": 1.1}]', encoding="utf-8"
    )
    assert read_table(path).notes == (
        "rows.json: “density” stands twice in the record that begins “smiles *CC*”; the last was read.",
    )


def test_lists_of_different_lengths_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text(json.dumps({"smiles": SMILES, "density": DENSITIES[1:]}), encoding="utf-8")
    with pytest.raises(TableError, match=r"“smiles” has 4 values, “density” 3"):
        read_table(path)


@pytest.mark.parametrize("records", [5_000, 16_000, 30_000])
def test_records_of_ever_other_fields_are_refused_before_they_fill_memory(tmp_path: Path, records: int) -> None:
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([{"smiles": "*CC*", f"Cp{i}": i} for i in range(records)]), encoding="utf-8")
    tracemalloc.start()
    try:
        with pytest.raises(TableError, match=r"rows\.json has .* different fields"):
            read_table(path)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # The table of 16,000 records would have had 256 million cells, and taken 2.9 GB.
    assert most < 60 * 1024**2


def test_records_that_fill_a_large_table_sparsely_take_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([{"smiles": "*CC*", f"Cp{i}": i} for i in range(1_200)]), encoding="utf-8")
    tracemalloc.start()
    try:
        raw = read_table(path)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (raw.row_count, len(raw.headings)) == (1_200, 1_201)
    assert most < 30 * 1024**2  # 1.4 million cells, held a million at most one by one, at 8 bytes each


@given(
    content=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
        max_leaves=12,
    )
)
def test_any_json_is_a_table_or_one_sentence(tmp_path_factory: pytest.TempPathFactory, content: Any) -> None:
    path = tmp_path_factory.mktemp("json") / "any.json"
    path.write_text(
        json.dumps({"smiles": content} if not isinstance(content, list | dict) else content), encoding="utf-8"
    )
    try:
        raw = read_table(path)
    except TableError as error:
        assert "any.json" in str(error)  # noqa: PT017 - either way is right
    else:
        assert all(len(column) == raw.row_count for column in raw.columns)


def test_infinity_is_told_like_any_other_word_and_nan_is_no_value(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    cells = [1.1, float("inf"), float("-inf"), float("nan"), 1.2]
    path.write_text(json.dumps([{"smiles": f"*{'C' * n}O*", "density": cells[n]} for n in range(5)]), encoding="utf-8")
    problems = read(path).problems
    assert [problem.reason for problem in problems][:2] == ["“Infinity” is not a number", "“-Infinity” is not a number"]


@pytest.mark.parametrize("levels", [60, 600, 6_000, 60_000])
@pytest.mark.parametrize(("begin", "end"), [("[", "]"), ('{"a":', "}")])
def test_what_is_nested_deeper_than_a_table_is_refused_by_every_python(
    tmp_path: Path, levels: int, begin: str, end: str
) -> None:
    path = tmp_path / "deep.json"
    inner = begin * levels + "1" + end * levels
    path.write_text(f'[{{"smiles": "*CC*", "density": 0.95, "more": {inner}}}]', encoding="utf-8")
    with pytest.raises(TableError, match=r"deep\.json is nested too deeply for a table\. Save a list of records\."):
        read_table(path)
