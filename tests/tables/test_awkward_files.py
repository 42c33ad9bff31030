"""Every awkward file of tests/data/tables comes out as its line in expected.csv says: loaded, asked about or refused."""

import csv
from pathlib import Path

import pytest

from affinecal_gui.tables.column_roles import Roles
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.polymer_table import PolymerTable, to_polymer_table
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.roles import guess_roles

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
