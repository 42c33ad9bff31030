"""Tables are found in files that hold more than a table: titles above, empty columns and stray cells beside it."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affinecal_gui.tables.headings.column_roles import Roles
from affinecal_gui.tables.headings.role_names import ValueKind
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.row_stream import open_rows
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from tests.tables.making import pasted

ROWS = [("*CC*", "0.95"), ("*CC(*)C", "1.0"), ("*CCO*", "1.05"), ("*CC(*)O", "1.1"), ("*CC(*)Cl", "1.15")]
DENSITIES = [0.95, 1.0, 1.05, 1.1, 1.15]
MARKS = [",", ";", "\t"]


def text_of(mark: str, padding: str = "", above: tuple[str, ...] = (), heading: str = "density [g/cm3]") -> str:
    """Return the table of densities, with decimal commas where semicolons divide it."""
    rows = [("smiles", heading), *((s, d.replace(".", ",") if mark == ";" else d) for s, d in ROWS)]
    return "\n".join([*above, *(mark.join(row) + padding for row in rows)]) + "\n"


def values_of(raw: RawTable) -> dict[tuple[ValueKind, str], list[float]]:
    table = to_polymer_table(raw, guess_roles(raw))
    return {key: column.values.tolist() for key, column in table.values.items()}


EXPECTED = {("measured", "density"): pytest.approx(DENSITIES)}


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("columns", [0, 3, 24])
@pytest.mark.parametrize(
    "above",
    [
        (),
        ("Results|",),
        ("Results",),
        ("|Results",),
        ("Density|",),
        ("Results of 2024, measured by DSC",),
        ("Densities of polymers|", "A. Author, 2024-05-05|", "|"),
        ("sep=|",),
        ("sep=||",),
        ("sep=|", "Results|"),
        ("sep=|", "|", "Results|"),
    ],
)
def test_titles_and_empty_columns_leave_the_table_what_it_is(mark: str, columns: int, above: tuple[str, ...]) -> None:
    padding = columns * mark
    raw = pasted(text_of(mark, padding, tuple(line.replace("|", mark) + padding for line in above)))
    assert raw.headings == ("smiles", "density [g/cm3]")
    assert raw.delimiter == mark
    assert values_of(raw) == EXPECTED
    assert [skipped.kind for skipped in raw.skipped] == ["title"] * len([line for line in above if line.strip("|")])


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("note", ["checked", "42"])
@pytest.mark.parametrize("padded", [True, False])
def test_a_stray_cell_beside_the_table_is_told_and_costs_no_row(mark: str, note: str, padded: bool) -> None:
    lines = text_of(mark, 24 * mark if padded else "").splitlines()
    lines[3] += note if padded else 5 * mark + note
    raw = pasted("\n".join(lines) + "\n")
    assert raw.headings == ("smiles", "density [g/cm3]")
    assert values_of(raw) == EXPECTED
    assert raw.notes == (f"pasted.csv: “{note}” (line 4) stands beside the table and is not read.",)


def test_a_cell_that_touches_the_table_makes_its_row_doubtful() -> None:
    """It may be the decimals of a number with a comma."""
    raw = pasted("smiles,density [g/cm3]\n*CC*,0,95\n*CC(*)C,1.0\n*CCO*,1.05\n*CC(*)O,1.1\n")
    assert raw.row_count == 3
    assert [skipped.line for skipped in raw.skipped] == [2]


def test_a_word_over_one_column_is_part_of_its_heading_but_a_title_is_not() -> None:
    raw = pasted(",MD\nsmiles,Tg [K]\n*CC*,250\n*CC(*)C,300\n*CCO*,310\n")
    assert raw.headings == ("smiles", "MD Tg [K]")
    raw = pasted(",Results,\nsmiles,density,note\n*CC*,0.95,a\n*CC(*)C,1.0,b\n*CCO*,1.05,c\n")
    assert raw.headings == ("smiles", "density", "note")


def test_a_mark_that_the_file_does_not_use_is_not_believed() -> None:
    raw = pasted("sep=;\nsmiles,density\n*CC*,0.95\n*CC(*)C,1.0\n*CCO*,1.05\n")
    assert raw.headings == ("smiles", "density")
    assert raw.row_count == 3


@given(columns=st.integers(0, 30), mark=st.sampled_from(MARKS), lines=st.integers(0, 4))
def test_any_number_of_empty_columns_and_lines_changes_nothing(columns: int, mark: str, lines: int) -> None:
    padding = columns * mark
    text = (mark + padding + "\n") * lines + text_of(mark, padding) + (mark + padding + "\n") * lines
    plain, padded = pasted(text_of(mark)), pasted(text)
    assert (padded.headings, padded.columns) == (plain.headings, plain.columns)


@pytest.mark.parametrize("above", [(), ("sep=;",), ("Results;;;;",)])
def test_rows_one_after_another_are_those_of_the_whole_table(tmp_path: Path, above: tuple[str, ...]) -> None:
    path = tmp_path / "padded.csv"
    lines = text_of(";", ";;;", above).splitlines()
    lines[-2] += "checked"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with open_rows(path) as stream:
        cells = [(row.cells[0], row.problem) for row in stream.rows]
    assert cells == [(smiles, "") for smiles, _ in ROWS]


@pytest.mark.parametrize("other", ["Tm [K]", "density [kg/m3]"])
def test_rows_below_other_headings_are_not_mixed_with_those_of_the_table(other: str) -> None:
    below = "".join(f"{smiles},{900 + row}\n" for row, (smiles, _) in enumerate(ROWS))
    table = to_polymer_table(*_read(text_of(",") + f"smiles,{other}\n" + below))
    assert table.values[("measured", "density")].values.tolist() == DENSITIES
    assert table.rows_rejected == len(ROWS) + 1
    assert any("line 7: another table begins here" in note and f"“{other}”" in note for note in table.notes)
    assert all(f"under “{other}”" in problem.reason for problem in table.problems)


@pytest.mark.parametrize("first", [2, 3, 4])
def test_of_two_tables_below_each_other_the_first_is_read_and_the_other_told_of(first: int) -> None:
    above, below = ROWS[:first], ROWS[first:]
    text = "smiles,density (g/cm3)\n" + "".join(f"{smiles},{value}\n" for smiles, value in above)
    text += "smiles,density (kg/m3)\n" + "".join(f"{smiles},{1000 * float(value):g}\n" for smiles, value in below)
    table = to_polymer_table(*_read(text))
    assert table.values[("measured", "density")].values.tolist() == DENSITIES[:first]
    assert any(f"line {first + 2}: another table begins here" in note for note in table.notes)


@pytest.mark.parametrize("said", ["kg/m3", "density (kg/m3)", "Density, kg/m3"])
def test_rows_below_another_unit_are_not_read_in_that_of_the_heading(said: str) -> None:
    below = "".join(f"{smiles},{900 + row}\n" for row, (smiles, _) in enumerate(ROWS))
    table = to_polymer_table(*_read(text_of(",", heading="density (g/cm3)") + f',"{said}"\n' + below))
    assert table.values[("measured", "density")].values.tolist() == DENSITIES
    assert any("line 7: another unit begins here, “kg/m3” under “density (g/cm3)”" in note for note in table.notes)
    assert all("below another unit" in problem.reason for problem in table.problems)


def test_a_row_with_the_unit_of_the_heading_changes_nothing() -> None:
    again = "".join(f"*{'C' * length}*,0.9\n" for length in (5, 6))
    table = to_polymer_table(*_read(text_of(",", heading="density (g/cm3)") + ",g/cm3\n" + again))
    assert table.values[("measured", "density")].values.tolist() == [*DENSITIES, 0.9, 0.9]


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Calculated", "MD values"),
        ("MD results:", "MD values"),
        ("Values in kg/m3", "values in kg/m3"),
        ("glassy polymers (kg/m3)", "values in kg/m3"),
    ],
)
def test_rows_below_a_title_of_other_values_are_not_mixed_with_those_above(title: str, said: str) -> None:
    below = "".join(f"{smiles},{900 + row}\n" for row, (smiles, _) in enumerate(ROWS))
    table = to_polymer_table(*_read(text_of(",", heading="density (g/cm3)") + f"{title},\n" + below))
    assert table.values[("measured", "density")].values.tolist() == DENSITIES
    assert any(f"line 7: below the title “{title}” stand {said}" in note for note in table.notes)


@pytest.mark.parametrize("title", ["Experimental", "Values in g/cm3", "vinyl polymers", "Handbook values"])
def test_rows_below_any_other_title_are_used(title: str) -> None:
    again = "".join(f"*{'C' * length}*,0.9\n" for length in (5, 6))
    table = to_polymer_table(*_read(text_of(",", heading="density (g/cm3)") + f"{title},\n" + again))
    assert table.values[("measured", "density")].values.tolist() == [*DENSITIES, 0.9, 0.9]


@pytest.mark.parametrize("first", [2, 4])
@pytest.mark.parametrize("begins", ["smiles,Tg (°C)", "smiles,Tg [K]", ",°C", "Values in °C,"])
@pytest.mark.parametrize("shift", [0.0, -273.15])
def test_rows_of_another_table_below_help_in_no_guess_of_a_unit_that_is_not_named(
    first: int, begins: str, shift: float
) -> None:
    kelvin = (333.0, 354.0, 370.0, 358.0, 378.0)
    rows = [(smiles, value) for (smiles, _), value in zip(ROWS, kelvin, strict=True)]
    other = 0.0 if "K" in begins else -273.15
    text = "smiles,Tg\n" + "".join(f"{smiles},{value + shift:.2f}\n" for smiles, value in rows[:first])
    text += f"{begins}\n" + "".join(f"{smiles},{value + other:.2f}\n" for smiles, value in rows[first:])
    values = to_polymer_table(*_read(text)).values[("measured", "glass_transition")].values.tolist()
    assert values[:first] == [value for _, value in rows[:first]]
    assert values[first:] in ([], [value for _, value in rows[first:]])


def _read(text: str) -> tuple[RawTable, Roles]:
    raw = pasted(text)
    return raw, guess_roles(raw)


@pytest.mark.parametrize("again", ["id.1", "id"])
def test_tables_beside_each_other_with_different_ids_are_asked_about(again: str) -> None:
    rows = "".join(f"P{row},{300 + row},,P{6 - row},{1 + row / 10}\n" for row in range(1, 6))
    roles = guess_roles(pasted(f"id,Tg [K],,{again},density [g/cm3]\n{rows}"))
    assert "stand side by side with different polymers" in roles.refusal


@pytest.mark.parametrize(
    ("head", "below", "headings"),
    [
        (("smiles", "Tg (°C)", ""), ("", "exp", "MD"), ("smiles", "Tg (°C) exp", "Tg (°C) MD")),
        (("smiles", "Tg", ""), ("", "MD (°C)", "exp. (°C)"), ("smiles", "Tg MD (°C)", "Tg exp. (°C)")),
        (("smiles", "Tg (°C)", "Tg (°C)"), ("", "gemessen", "simuliert"), None),
        (("smiles", "Tg (°C)", ""), ("", "mean", "std"), ("smiles", "Tg (°C) mean", "Tg (°C) std")),
    ],
)
def test_words_below_one_heading_divide_it(
    head: tuple[str, ...], below: tuple[str, ...], headings: tuple[str, ...] | None
) -> None:
    rows = [(unit, number, number + 9) for number, unit in enumerate(("*CC*", "*CCO*", "*CC(*)C"), 20)]
    raw = pasted("".join("\t".join(map(str, row)) + "\n" for row in (head, below, *rows)))
    assert raw.headings == (headings or ("smiles", "Tg (°C) gemessen", "Tg (°C) simuliert"))
    assert list(raw.columns[1]) == ["20", "21", "22"]
