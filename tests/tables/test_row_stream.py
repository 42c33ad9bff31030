"""Rows one after another are the rows of the whole table."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.row_stream import StreamedRow, facts_of, open_rows
from tests.tries import tries

CELLS = [
    "*CC*",
    "*C(C*)c1ccccc1",
    "PE",
    "1.5",
    "2,5",
    "a b",
    "-",
    "",
    "π",
    'say "so"',
    "#5",
    "two\nlines",
    "*CC(",
    "10",
]
DELIMITERS = [",", ";", "\t", "|"]


def text_of(rows: list[list[str]], delimiter: str, ends: str) -> str:
    def cell(text: str) -> str:
        plain = not any(mark in text for mark in f'{delimiter}"\n')
        return text if plain else '"' + text.replace('"', '""') + '"'

    return ends.join(delimiter.join(cell(text) for text in row) for row in rows)


def both(path: Path) -> tuple[list[tuple[int, tuple[str, ...]]], list[StreamedRow]]:
    """Return the rows as a table and as a stream."""
    table = read_table(path)
    with open_rows(path, facts=facts_of(path)) as stream:
        assert stream.name == table.name
        rows = list(stream.rows)
        positions = [stream.sample.headings.index(heading) for heading in table.headings]
        if rows:
            assert stream.first_line <= rows[0].line
    whole = [(int(line), table.row(number)) for number, line in enumerate(table.lines)]
    good = [
        StreamedRow(row.line, tuple(row.cells[position] for position in positions)) for row in rows if not row.problem
    ]
    assert [row.line for row in rows if row.problem] == [row.line for row in table.skipped if row.kind == "ragged"]
    return whole, good


@settings(max_examples=tries(120), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.lists(st.sampled_from(CELLS), min_size=1, max_size=5), min_size=1, max_size=25),
    delimiter=st.sampled_from(DELIMITERS),
    ends=st.sampled_from(["\n", "\r\n", "\r"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1253"]),
    headings=st.booleans(),
)
def test_a_stream_has_the_rows_of_the_table(
    tmp_path: Path, rows: list[list[str]], delimiter: str, ends: str, encoding: str, headings: bool
) -> None:
    path = tmp_path / "in.csv"
    content = ([["smiles", "name", "Cp", "note"]] if headings else []) + rows
    path.write_bytes(text_of(content, delimiter, ends).encode(encoding))
    refused = refusal(lambda: read_table(path))
    assert refusal(lambda: streamed_rows(path)) == refused
    if not refused:
        whole, streamed = both(path)
        assert [(row.line, row.cells) for row in streamed] == whole


def streamed_rows(path: Path) -> list[StreamedRow]:
    with open_rows(path) as stream:
        return list(stream.rows)


def refusal(read: Callable[[], object]) -> str:
    """Return why a file is refused; nothing when it is not."""
    try:
        read()
    except TableError as error:
        return str(error)
    return ""


def test_a_long_file_passes_through_in_blocks(tmp_path: Path) -> None:
    choice = random.Random(4)
    rows = [["smiles", "name"]] + [
        [choice.choice(CELLS) or "*C*", f"number {number} {'x' * 200}"] for number in range(12_000)
    ]
    path = tmp_path / "in.csv"
    path.write_text(text_of(rows, ",", "\n"), encoding="utf-8")
    assert path.stat().st_size > 2 * (1 << 20)
    whole, streamed = both(path)
    assert [(row.line, row.cells) for row in streamed] == whole


def test_roles_are_guessed_from_the_first_rows(examples: Path) -> None:
    path = examples / "heat_capacity_measured.csv"
    with open_rows(path) as stream:
        roles = guess_roles(stream.sample)
    whole = guess_roles(read_table(path))
    assert [column.role for column in roles.columns] == [column.role for column in whole.columns]


def test_other_formats_are_streamed_from_the_table(tmp_path: Path) -> None:
    path = tmp_path / "in.json"
    path.write_text('[{"smiles": "*CC*", "name": "PE"}, {"smiles": "*CC(*)C", "name": "PP"}]')
    with open_rows(path) as stream:
        assert [tuple(row.cells) for row in stream.rows] == [("*CC*", "PE"), ("*CC(*)C", "PP")]
        assert stream.sample.headings == ("smiles", "name")


def test_ragged_rows_stand_where_they_are(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("smiles,name\n*CC*,PE\n*CC(*)C,PP,surplus\n*C*,PM\n")
    rows = streamed_rows(path)
    assert [(row.line, bool(row.problem)) for row in rows] == [(2, False), (3, True), (4, False)]
    assert rows[1].problem == "3 cells, but 2 headings"


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    for path, reason in ((tmp_path / "missing.csv", "There is no file missing.csv"), (tmp_path, "is a folder")):
        with pytest.raises(TableError, match=reason), open_rows(path):
            pass
        with pytest.raises(TableError, match=r"There is no file|is a folder"):
            facts_of(path)


def test_facts_know_a_file_again(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_bytes(b"a\nb\nc")
    before = facts_of(path)
    assert before.lines == 3
    path.write_bytes(b"a\nb\nd")
    assert facts_of(path) != before
