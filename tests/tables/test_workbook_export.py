"""Workbooks: numbers stay numbers, texts stay texts, and what a sheet cannot hold is refused."""

import math
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affinecal_gui.tables.cells.formula_texts import restored
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.writing import workbook_export
from affinecal_gui.tables.writing.csv_export import cleaned_text
from affinecal_gui.tables.writing.workbook_export import WorkbookSheet, write_workbook
from tests.tries import tries

CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.floats(-1e307, 1e307),  # what a spreadsheet can hold
    st.sampled_from([math.nan, math.inf, -math.inf]),
    st.integers(-(10**9), 10**9),
    st.text(max_size=12),
    st.sampled_from(["=1+1", "-5.2", "http://example.org", "mailto:x@y", "_x0041_", "internal:'A'!A1", "+", "{=A1}"]),
)


@settings(max_examples=tries(40), deadline=None)
@given(rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=6))
def test_cells_come_back_as_they_were(
    rows: list[tuple[object, object]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("book") / "out.xlsx"
    write_workbook(path, [WorkbookSheet("A", ("one", "two"), rows)])  # type: ignore[list-item]
    sheet = openpyxl.load_workbook(path)["A"]
    assert [cell.value for cell in sheet[1]] == ["one", "two"]
    for line, row in enumerate(rows, start=2):
        for column, cell in enumerate(row, start=1):
            found = sheet.cell(line, column)
            assert found.data_type != "f"
            assert found.hyperlink is None
            if isinstance(cell, bool):
                assert found.value == ("yes" if cell else "no")
            elif isinstance(cell, str):
                expected = cleaned_text(cell).encode("utf-8", errors="replace").decode()
                assert restored(found.value or "") == expected
            elif cell is None or not math.isfinite(cell):  # type: ignore[arg-type]
                assert found.value is None
            else:
                assert found.value == pytest.approx(cell, rel=1e-14)


def test_a_table_that_is_too_long_for_a_sheet_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook_export, "MOST_ROWS", 3)
    with pytest.raises(TableError, match="more than a sheet can hold"):
        write_workbook(tmp_path / "out.xlsx", [WorkbookSheet("Predictions", ("a",), [(1.0,)] * 3)])
    assert list(tmp_path.iterdir()) == []
