"""Every awkward file of tests/data/tables comes out as its line in expected.csv says: loaded, asked about or refused."""

import csv
from pathlib import Path

import pytest

from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.headings.column_roles import Roles
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from affinecal_gui.tables.values.polymer_table import PolymerTable

FOLDER = Path(__file__).resolve().parent.parent / "data" / "tables"
DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", "whitespace": "blanks", "none": "one column"}

with (FOLDER / "expected.csv").open(encoding="utf-8", newline="") as _file:
    EXPECTED = list(csv.DictReader(_file))


def outcome(path: Path) -> tuple[str, list[str], RawTable | None, Roles | None, PolymerTable | None]:
    """Return what becomes of a file, everything that is said about it, and the stages it reached."""
    try:
        raw = read_table(path)
    except TableError as error:
        return "refused", [str(error)], None, None, None
    roles = guess_roles(raw)
    first = "loads" if roles.certain else "asks"
    said = [*roles.questions, *raw.notes, *(skipped.reason for skipped in raw.skipped)]
    try:
        table = to_polymer_table(raw, roles)
    except TableError as error:
        return f"{first}, then refused", [*said, str(error)], raw, roles, None
    said += [*table.remarks(), *(problem.reason for problem in table.problems)]
    return first, said, raw, roles, table


@pytest.mark.parametrize("expected", EXPECTED, ids=[row["file"] for row in EXPECTED])
def test_file_comes_out_as_expected(expected: dict[str, str]) -> None:
    path = FOLDER / expected["file"]
    found, said, raw, _, table = outcome(path)
    assert found == expected["outcome"]
    assert any(expected["says"] in sentence for sentence in said) or not expected["says"]
    if raw is not None:
        read_as = f"{DELIMITERS[raw.delimiter]} {raw.encoding}" if raw.format == "text" else raw.format
        assert read_as == expected["read as"]
    if table is not None:
        assert (len(table), table.rows_rejected) == (int(expected["rows"]), int(expected["rejected"]))
        assert len(table) + table.rows_rejected == table.rows_read
        rejecting = [problem for problem in table.problems if problem.rejects_row]
        assert len(rejecting) == table.rows_rejected
        if expected["property"]:
            (kind, key), column = next(iter(table.values.items()))
            assert f"{kind} {key}" == expected["property"]
            assert column.values[0] == pytest.approx(float(expected["first value"]), rel=1e-5)


@pytest.mark.parametrize(
    ("file", "values"),
    [
        ("iso_slash_headings.csv", {"glass_transition": 373.0, "specific_volume": 0.952, "Cp": 1220.0}),
        ("power_beside_the_symbol.csv", {"linear_expansion": 70e-6, "density": 1.05}),
        ("latex_headings.csv", {"glass_transition": 373.0, "Cp": 1220.0, "density": 1.05}),
        ("french_headings.csv", {"glass_transition": 373.15, "density": 1.05, "refractive_index": 1.59}),
        ("spanish_headings.csv", {"density": 1.05, "Cp": 1220.0, "glass_transition": 373.15}),
        ("italian_headings.csv", {"density": 1.05, "refractive_index": 1.59}),
        ("chinese_slashes.csv", {"glass_transition": 373.15, "density": 1.05, "Cp": 1220.0}),
        ("japanese_export_cp932.csv", {"glass_transition": 373.15, "density": 1.05}),
        ("index_at_the_sodium_line.csv", {"refractive_index": 1.592, "abbe_number": 30.9}),
        ("index_in_superscripts.csv", {"refractive_index": 1.592, "density": 1.05}),
        ("groups_and_units_above.xlsx", {"glass_transition": 373.15, "Cp": 1220.0, "refractive_index": 1.59}),
        ("onset_and_midpoint.csv", {"glass_transition": 370.35, "Δcp": 0.28}),
        ("gases_in_brackets.csv", {"P(O2)": 2.6, "P(N2)": 0.59}),
        ("year_beside_values.csv", {"glass_transition": 377.15}),
        ("property_named_by_row.csv", {"Cp": 1220.0}),
    ],
)
def test_every_property_of_a_table_is_found_with_its_unit(file: str, values: dict[str, float]) -> None:
    """Of the first polymer, polystyrene, in the units in which properties are kept: K, g/cm³, J/(kg K), 1/K."""
    *_, table = outcome(FOLDER / file)
    assert table is not None
    found = {key: float(column.values[0]) for (_, key), column in table.values.items()}
    assert found == pytest.approx(values)


def test_both_kinds_of_values_in_one_file_have_their_own_units() -> None:
    *_, table = outcome(FOLDER / "measured_celsius_simulated_kelvin.csv")
    assert table is not None
    assert table.values["measured", "glass_transition"].values.tolist() == pytest.approx([373.15, 378.15, 354.15])
    assert table.values["md", "glass_transition"].values.tolist() == pytest.approx([420.0, 431.0, 402.0])
    assert table.values["md", "glass_transition"].uncertainty.tolist() == pytest.approx([8.0, 11.0, 9.0])


def test_uncertainties_and_their_notes_are_told_apart() -> None:
    *_, table = outcome(FOLDER / "notes_behind_uncertainties.csv")
    assert table is not None
    column = table.values["measured", "Cp"]
    assert column.values.tolist() == pytest.approx([1223.0, 1420.0, 950.0, 2300.0])
    assert column.uncertainty.tolist() == pytest.approx([12.0, 20.0, 30.0, 50.0])


def test_every_file_has_a_line_and_every_line_a_file() -> None:
    present = {path.name for path in FOLDER.iterdir() if path.suffix != ".py"} - {"expected.csv", "__pycache__"}
    assert present == {row["file"] for row in EXPECTED}
    assert len(present) >= 40


@pytest.mark.parametrize(
    "expected", [row for row in EXPECTED if "refused" in row["outcome"]], ids=lambda row: row["file"]
)
def test_refusals_are_one_or_two_sentences_that_name_the_file(expected: dict[str, str]) -> None:
    _, said, *_ = outcome(FOLDER / expected["file"])
    sentence = said[-1]
    assert expected["file"] in sentence
    assert 20 < len(sentence) < 330
    assert "Traceback" not in sentence
    assert "Error" not in sentence
