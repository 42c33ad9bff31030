"""Parquet files of any writer are read as text, and what a file of some kilobytes unpacks to is bounded."""

import decimal
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.formats import parquet_files
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table

SMILES = ["*CC*", "*CC(*)C", "*CCO*", "*CC(*)O"]
DENSITIES = [0.95, 1.0, 1.05, 1.1]


def written(folder: Path, columns: dict[str, Any], metadata: dict[bytes, bytes] | None = None) -> Path:
    path = folder / "rows.parquet"
    table = pa.table(columns)
    pq.write_table(table.replace_schema_metadata(metadata) if metadata else table, path)
    return path


def density_of(raw: RawTable) -> dict[str, float]:
    table = to_polymer_table(raw, guess_roles(raw))
    (column,) = table.values.values()
    return dict(zip(table.smiles, column.values.tolist(), strict=True))


TEXTS = [text.encode() for text in SMILES]


@pytest.mark.parametrize(
    "smiles",
    [
        pa.array(SMILES),
        pa.array(SMILES, pa.large_string()),
        pa.array(TEXTS, pa.binary()),
        pa.array(TEXTS, pa.large_binary()),
        pa.array([text.ljust(12, b"\0") for text in TEXTS], pa.binary(12)),
        pa.array(SMILES).dictionary_encode(),
        pa.array(TEXTS).dictionary_encode(),
        pa.array(SMILES, pa.string_view()),
    ],
    ids=lambda array: str(array.type),
)
@pytest.mark.parametrize(
    "density",
    [
        pa.array(DENSITIES),
        pa.array(DENSITIES, pa.float32()),
        pa.array([decimal.Decimal(str(value)) for value in DENSITIES], pa.decimal128(8, 3)),
        pa.array([str(value) for value in DENSITIES]),
        pa.array([str(value).encode() for value in DENSITIES]),
        pa.array(DENSITIES).dictionary_encode(),
    ],
    ids=lambda array: str(array.type),
)
def test_every_type_of_column_is_the_same_table(tmp_path: Path, smiles: pa.Array, density: pa.Array) -> None:
    raw = read_table(written(tmp_path, {"smiles": smiles, "density": density}))
    assert raw.notes == ()
    assert density_of(raw) == pytest.approx(dict(zip(SMILES, DENSITIES, strict=True)), rel=1e-12)


def test_narrow_numbers_keep_their_digits_and_missing_ones_are_empty(tmp_path: Path) -> None:
    values = pa.array([0.95, None, float("nan"), 1.1], pa.float32())
    raw = read_table(written(tmp_path, {"smiles": SMILES, "density": values, "ok": [True, False, None, True]}))
    assert list(raw.column("density")) == ["0.95", "", "", "1.1"]
    assert list(raw.column("ok")) == ["TRUE", "FALSE", "", "TRUE"]


@pytest.mark.parametrize(
    ("index", "heading"), [("__index_level_0__", "index"), ("polymer", "polymer"), ("__index_level_1__", "index")]
)
def test_the_index_of_pandas_is_kept_behind_the_columns(tmp_path: Path, index: str, heading: str) -> None:
    about = {b"pandas": json.dumps({"index_columns": [index]}).encode()}
    columns = {index: ["PE", "PP", "PEO", "PVOH"], "smiles": SMILES, "density": DENSITIES}
    raw = read_table(written(tmp_path, columns, about))
    assert raw.headings == ("smiles", "density", heading)
    assert list(raw.column(heading)) == ["PE", "PP", "PEO", "PVOH"]


@pytest.mark.parametrize(
    "about", [b"{}", b"not json", b"[1]", b'{"index_columns": [{"kind": "range"}]}', b'{"index_columns": 3}']
)
def test_what_a_file_says_about_pandas_may_be_anything(tmp_path: Path, about: bytes) -> None:
    raw = read_table(written(tmp_path, {"smiles": SMILES, "density": DENSITIES}, {b"pandas": about}))
    assert raw.headings == ("smiles", "density")


def test_lists_and_bytes_that_are_no_text_are_left_out_and_told(tmp_path: Path) -> None:
    columns = {
        "smiles": SMILES,
        "density": DENSITIES,
        "spectrum": [[1.0, 2.0]] * 4,
        "conditions": [{"T": 300}] * 4,
        "molecule": [b"\x80\x04\x95\xff"] * 4,
    }
    raw = read_table(written(tmp_path, columns))
    assert raw.headings == ("smiles", "density", "molecule")
    assert raw.notes == (
        "rows.parquet: spectrum, conditions hold lists or nested fields in place of single values, and are left out.",
        "rows.parquet: bytes in molecule are no text, and read as empty cells.",
    )
    assert density_of(raw) == pytest.approx(dict(zip(SMILES, DENSITIES, strict=True)))


def test_a_file_of_lists_only_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"rows\.parquet holds lists or nested fields only \(rows\)"):
        read_table(written(tmp_path, {"rows": [["*CC*", "0.95"]]}))


def test_very_many_equal_rows_are_refused_before_they_are_made(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    part = pa.table({"smiles": pa.DictionaryArray.from_arrays(pa.array([0] * 500_000, pa.int8()), ["*CC*"])})
    with pq.ParquetWriter(path, part.schema) as writer:
        for _ in range(40):
            writer.write_table(part)
    assert path.stat().st_size < 300_000
    tracemalloc.start()
    allocated = pa.total_allocated_bytes()
    try:
        with pytest.raises(TableError, match=r"rows\.parquet has 20,000,000 rows of 1 columns; up to 4,000,000 rows"):
            read_table(path)
        assert tracemalloc.get_traced_memory()[1] < 20 * 1024**2
        assert pa.total_allocated_bytes() - allocated < 20 * 1024**2
    finally:
        tracemalloc.stop()


def test_one_long_text_in_every_row_is_counted_before_it_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_files, "MAXIMUM_TEXT", 5_000_000)
    columns = {"smiles": ["*CC*"] * 2000, "note": ["x" * 50_000] * 2000}  # 100 MB in a file of some kilobytes
    path = written(tmp_path, columns)
    tracemalloc.start()
    try:
        with pytest.raises(TableError, match=r"rows\.parquet has more than 0 GB of text"):
            read_table(path)
        assert tracemalloc.get_traced_memory()[1] < 20 * 1024**2
    finally:
        tracemalloc.stop()


def test_a_cell_longer_than_any_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"a cell of 200,000 characters in column note"):
        read_table(written(tmp_path, {"smiles": ["*CC*"], "note": ["x" * 200_000]}))
