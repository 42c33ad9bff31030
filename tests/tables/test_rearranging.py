"""Rearranging tables loses no cell and no line, whatever they hold."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affinecal_gui.tables.evidence.composition_columns import share_of, stem_and_mark
from affinecal_gui.tables.evidence.copolymer_columns import PolymerColumns
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.raw_table import RawTable, TextColumn
from affinecal_gui.tables.shapes.comonomer_rows import joined
from affinecal_gui.tables.shapes.long_tables import spread
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from tests.tables.making import pasted

NAMES = ("Tg", "density", "Cp", "gloss")
VALUES = st.floats(-1e6, 1e6).map("{:.6g}".format) | st.sampled_from(("", "n/a", "<3"))
TEXTS = st.text(alphabet="0123456789.-eE± <>n/a", max_size=8).map(str.strip)


def table(headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> RawTable:
    lines = np.arange(5, 5 + 2 * len(rows), 2, dtype=np.int64)
    columns = tuple(TextColumn.of(row[number] for row in rows) for number in range(len(headings)))
    return RawTable("t.csv", "t.csv", "text", headings, columns, lines)


@settings(max_examples=30)
@given(st.lists(st.tuples(st.sampled_from(NAMES), VALUES), max_size=40))
def test_every_value_of_a_long_table_stands_under_its_property_in_its_line(rows: list[tuple[str, str]]) -> None:
    known = [("*CC*", "Tg", "1"), ("*CC*", "density", "2"), ("*CO*", "Tg", "3"), ("*CO*", "density", "4")]
    given_rows = [*known, *(("*CC*", name, value) for name, value in rows)]
    raw = table(("smiles", "property", "value"), given_rows)
    found = spread(raw)
    assert found.lines.tolist() == raw.lines.tolist()
    assert set(found.headings) == {"smiles", *(name for _, name, _ in given_rows)}
    for row, (unit, name, value) in enumerate(given_rows):
        cells = dict(zip(found.headings, found.row(row), strict=True))
        assert (cells.pop("smiles"), cells.pop(name)) == (unit, value)
        assert set(cells.values()) <= {""}


@settings(max_examples=30)
@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), max_size=20))
def test_other_tables_stay_as_they_are(rows: list[tuple[str, str, str]]) -> None:
    raw = table(("smiles", "density", "source"), rows)
    assert spread(raw) is raw
    assert joined(raw) is raw


@settings(max_examples=30)
@given(st.lists(st.integers(2, 4), min_size=1, max_size=6), st.sampled_from([1, 100]))
def test_the_rows_of_every_sample_become_one_at_the_line_of_the_first(sizes: list[int], whole: int) -> None:
    units = ("*CC*", "*CO*", "*CCO*", "*CC(*)C")
    rows = [
        (f"S{number}", units[part], f"{whole / size:.6g}", f"{number}.5")
        for number, size in enumerate(sizes)
        for part in range(size)
    ]
    rows.append(("alone", "*CS*", str(whole), "7"))
    found = joined(table(("sample", "smiles", "fraction", "density"), rows))
    starts = np.concatenate([[0], np.cumsum(sizes)])
    assert found.lines.tolist() == (5 + 2 * starts).tolist()
    assert [len(cell.split("|")) for cell in found.column("smiles")] == [*sizes, 1]
    assert list(found.column("density")) == [*(f"{number}.5" for number in range(len(sizes))), "7"]


@settings(max_examples=30)
@given(st.floats(0, 1), st.sampled_from([1.0, 100.0]), st.sampled_from([0, 1]))
def test_a_fraction_and_the_rest_make_the_whole(share: float, whole: float, rest: int) -> None:
    columns = PolymerColumns((0, 1), (2,), rest=rest, whole=whole)
    text = columns.text(["*CC*", "*CO*", f"{share * whole:.9f}"])
    *_, first, second = text.split("|")
    assert float((first, second)[1 - rest]) == pytest.approx(share * whole, abs=1e-8)
    assert float(first) + float(second) == pytest.approx(whole)


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("c1", ("c", 1)), ("phi_1", ("phi", 1)), ("x_A", ("x", 1)), ("wt_frac_B", ("wt frac", 2)),
        ("Weight 2", ("weight", 2)),
        ("mol% A", ("mol %", 1)), ("SMILES", ("smiles", None)), ("smiles.1", ("smiles", 1)), ("c_a", ("c", 1)),
        ("ratio A/B", ("ratio a b", None)), ("composition 1 (mol%)", ("composition", 1)), ("x 1 of 2", ("x 1 of 2", None)),
    ],
)  # fmt: skip
def test_headings_are_divided_into_what_is_common_and_what_counts(
    heading: str, expected: tuple[str, int | None]
) -> None:
    assert stem_and_mark(heading) == expected


@pytest.mark.parametrize(
    ("cell", "expected"),
    [("0.7", 0.7), ("0,7", 0.7), ("70 %", 70), ("70 mol%", 70), ("７０", 70), ("−1", -1), ("70/30", None), ("", None)],
)
def test_fractions_are_read_as_numbers(cell: str, expected: float | None) -> None:
    assert share_of(cell) == expected


def test_units_that_are_the_same_for_a_property_come_into_its_heading() -> None:
    raw = pasted("smiles,property,value,unit\n*CC*,Tg,1,K\n*CC*,density,2,g/cm3\n*CO*,Tg,3,K\n*CO*,density,4,g/cm3\n")
    assert spread(raw).headings == ("smiles", "Tg [K]", "density [g/cm3]")


def test_units_that_differ_stay_in_their_column() -> None:
    raw = pasted("smiles,property,value,unit\n*CC*,Tg,1,K\n*CC*,density,2,g/cm3\n*CO*,Tg,3,°C\n*CO*,density,4,g/cm3\n")
    assert spread(raw).headings == ("smiles", "Tg", "density", "unit")


@pytest.mark.parametrize("names", [["Tg", "Tg", "Tg"], ["glass transition temperature"] * 3, ["Tg (K)"] * 3])
def test_a_long_table_may_hold_a_single_property(names: list[str]) -> None:
    rows = zip(("*CC*", "*CO*", "*CS*"), names, (200, 300, 250), ("K", "K", "K"), strict=True)
    text = "".join(",".join(map(str, row)) + "\n" for row in rows)
    raw = spread(pasted(f"smiles,quantity,result,unit\n{text}"))
    table = to_polymer_table(raw, guess_roles(raw))
    assert table.values[("measured", "glass_transition")].values.tolist() == [200, 300, 250]


def test_units_of_a_long_table_of_one_property_may_change_from_row_to_row() -> None:
    raw = spread(pasted("smiles,parameter,value,unit\n*CC*,Tg,-73.15,°C\n*CO*,Tg,300,K\n*CS*,Tg,-23.15,deg C\n"))
    table = to_polymer_table(raw, guess_roles(raw))
    assert table.values[("measured", "glass_transition")].values.tolist() == pytest.approx([200, 300, 250])
