"""Units that stand in the metadata of a file, and not in its headings, count as if they stood below the headings."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from affinecal_gui.errors import UserError
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from affinecal_gui.tables.values.value_columns import ValueColumn

SMILES = ["*CC*", "*CC(*)C", "*CCO*", "*CC(*)O"]
TG = [-78.0, -13.0, -67.0, 85.0]
KELVIN = pytest.approx([195.15, 260.15, 206.15, 358.15])
RECORDS = [{"smiles": unit, "Tg": value} for unit, value in zip(SMILES, TG, strict=True)]
FIELDS = [{"name": "smiles", "type": "string"}, {"name": "Tg", "type": "number", "unit": "°C"}]


def read(path: Path) -> ValueColumn:
    raw = read_table(path)
    return to_polymer_table(raw, guess_roles(raw)).values[("measured", "glass_transition")]


@pytest.mark.parametrize("name", ["unit", "units", "Units", "pint_unit"])
def test_the_field_of_a_parquet_file_may_state_the_unit(tmp_path: Path, name: str) -> None:
    schema = pa.schema([pa.field("smiles", pa.string()), pa.field("Tg", pa.float64(), metadata={name: "°C"})])
    pq.write_table(pa.table({"smiles": SMILES, "Tg": TG}, schema), tmp_path / "a.parquet")
    column = read(tmp_path / "a.parquet")
    assert column.values.tolist() == KELVIN
    assert column.unit_is_named


@pytest.mark.parametrize("attributes", [{"units": {"Tg": "°C"}}, {"Tg": {"unit": "°C"}}])
def test_the_attributes_of_a_data_frame_may_state_units(tmp_path: Path, attributes: dict[str, Any]) -> None:
    frame = pd.DataFrame(RECORDS)
    frame.attrs = attributes
    frame.to_parquet(tmp_path / "a.parquet")
    assert read(tmp_path / "a.parquet").values.tolist() == KELVIN


@pytest.mark.parametrize(
    "content",
    [
        {"schema": {"fields": FIELDS}, "data": RECORDS},
        {"units": {"Tg": "°C"}, "data": RECORDS},
        {"data": RECORDS, "unit": {"Tg": "°C", "smiles": ""}},
        {"units": {"Tg": "°C"}, "smiles": SMILES, "Tg": TG},
        {"units": {"Tg": "°C"}, "data": {"smiles": SMILES, "Tg": TG}},
        {
            "Units": {"Tg": "°C", "smiles": None},
            "columns": ["smiles", "Tg"],
            "data": list(zip(SMILES, TG, strict=True)),
        },
    ],
)
def test_the_schema_of_a_json_table_may_state_units(tmp_path: Path, content: Any) -> None:
    (tmp_path / "a.json").write_text(json.dumps(content), encoding="utf-8")
    assert read(tmp_path / "a.json").values.tolist() == KELVIN


def test_a_stated_unit_that_contradicts_the_heading_is_refused(tmp_path: Path) -> None:
    schema = pa.schema([pa.field("smiles", pa.string()), pa.field("Tg (K)", pa.float64(), metadata={"unit": "°C"})])
    pq.write_table(pa.table({"smiles": SMILES, "Tg (K)": TG}, schema), tmp_path / "a.parquet")
    with pytest.raises(UserError, match="the row of units below it"):
        read(tmp_path / "a.parquet")


@pytest.mark.parametrize("metadata", [{b"pandas": b"{"}, {b"units": b"K"}, {b"\xff": b"[]"}, {b"pandas": b"[]"}])
def test_metadata_of_another_kind_are_passed_over(tmp_path: Path, metadata: dict[bytes, bytes]) -> None:
    table = pa.table({"smiles": SMILES, "Tg (°C)": TG}).replace_schema_metadata(metadata)
    pq.write_table(table, tmp_path / "a.parquet")
    assert read(tmp_path / "a.parquet").values.tolist() == KELVIN
