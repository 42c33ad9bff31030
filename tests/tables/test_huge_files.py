"""Files far larger than a table is: read in steps that do not multiply, stopped soon, refused where no memory would do.

Steps are counted, not timed: how often Python functions are called.
"""

import io
import json
import multiprocessing
import sys
import zipfile
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xlsxwriter import Workbook  # type: ignore[import-untyped, unused-ignore]

from affinecal_gui.errors import Cancelled
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.formats.text_tables import MAXIMUM_ROWS, read_pasted_text, read_text_table
from affinecal_gui.tables.formats.workbooks import LONGEST_TEXT
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.row_stream import open_rows
from affinecal_gui.tables.text.plain_blocks import PlainBlocks
from affinecal_gui.task import Task


def steps(work: Callable[[], Any]) -> int:
    """How many functions written in Python are called."""
    count = 0

    def called(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


class Stopping:
    """Asks for a stop from the given question on."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.asked = 0

    def __call__(self) -> bool:
        self.asked += 1
        return self.asked >= self.at


def cells_of(table: RawTable) -> list[tuple[str, ...]]:
    return list(zip(*table.columns, strict=True))


@pytest.mark.parametrize("blank", ["\n", " \n", "\t \n", ",\n", " , \n", "\r\n", "\u3000\n", "\n,\n \n"])
def test_blank_lines_cost_no_steps_of_their_own_and_are_counted(blank: str, tmp_path: Path) -> None:
    lines = 100_000
    text = "smiles,Cp\n*CC*,1500\n" + blank * lines + "*CC(C)*,1600\n"
    path = tmp_path / "blank.csv"
    path.write_bytes(text.encode())
    found: list[RawTable] = []
    assert steps(lambda: found.append(read_table(path))) < 50_000
    table = found[0]
    assert cells_of(table) == [("*CC*", "1500"), ("*CC(C)*", "1600")]
    blank_lines = lines * blank.count("\n")
    assert table.lines.tolist() == [2, 3 + blank_lines]
    # Those at the beginning, from which the headings are guessed, are counted with the others.
    assert table.blank_rows == blank_lines

    streamed: list[tuple[int, tuple[str, ...]]] = []

    def stream() -> None:
        with open_rows(path) as opened:
            streamed.extend((row.line, tuple(row.cells)) for row in opened.rows)

    assert steps(stream) < 50_000
    assert streamed == [(2, ("*CC*", "1500")), (3 + blank_lines, ("*CC(C)*", "1600"))]


@pytest.mark.parametrize(
    "text",
    [
        '"smiles,Cp\n' + "a\n" * 100_000,
        "name\n" + 'a5"x\n' * 100_000,
        '"smiles,Cp\n' + "*CC*,1500\n" * 100_000,
        "P1\n" + "*CC*\n" * 100_000,
    ],
    ids=["open mark, one column", "marks within cells", "open mark, two columns", "one column"],
)
def test_rows_without_quoted_cells_are_taken_in_blocks(text: str) -> None:
    # Some are those of the first 400 rows, by which it is guessed what the file is.
    found: list[RawTable] = []
    assert steps(lambda: found.append(read_pasted_text(text))) < 100_000  # not one for a row
    assert len(found[0].lines) >= 99_999


# Each line whose mark stays open is followed by as many lines as a cell may have, with pairs of marks in them.
OPEN_AND_PAIRS = ['"open\n', *['x""' * 100 + "\n"] * 205]


@pytest.mark.parametrize("longest", [10, 65_000, 70_000])
def test_cells_of_lines_of_any_length_are_found(longest: int) -> None:
    lines = [["ab", "", "é" * (number % 2), "x" * (longest if number == 2 else number)] for number in range(6)]
    text = "".join(",".join(cells) + "\n" for cells in lines)
    block = PlainBlocks(",", ["a", "b", "c", "d"]).take_apart(text)
    assert block is not None
    assert len(block) == 6
    assert [column.cells() for column in block.columns()] == [list(cells) for cells in zip(*lines, strict=True)]
    assert [column.are_empty() for column in block.columns()] == [False, True, False, False]


def test_marks_of_a_quoted_cell_are_looked_at_a_fixed_number_of_times() -> None:
    def work(times: int) -> Callable[[], Any]:
        return lambda: read_pasted_text("name,Cp\n" + "".join(OPEN_AND_PAIRS * times))

    few, many = steps(work(5)), steps(work(20))
    assert many < 4.2 * few
    lines = 20 * len(OPEN_AND_PAIRS)
    assert many < 40 * lines


CELL_TEXTS = st.sampled_from(
    ["a", "", " ", '"', '""', '"a"', '"a,b"', '"a\n', 'b"', "1", "#", '="x"', "name", ",", "\n", ";"]
)


@given(pieces=st.lists(st.tuples(CELL_TEXTS, st.sampled_from([",", "\n", ""])), max_size=40))
def test_blocks_and_single_records_give_the_same_rows(pieces: list[tuple[str, str]]) -> None:
    """A blank at the start of a block has all of it read record by record."""
    body = "".join(chain.from_iterable(pieces))
    head = "name,Cp\n" + "*CC*,1\n" * 12
    plain = read_pasted_text(head + body)
    by_records = read_pasted_text("name,Cp\n" + " *CC*,1\n" + "*CC*,1\n" * 11 + body)
    assert cells_of(plain) == cells_of(by_records)
    assert plain.lines.tolist() == by_records.lines.tolist()
    assert plain.blank_rows == by_records.blank_rows


def test_reading_line_by_line_asks_every_ten_thousand_lines_whether_to_stop() -> None:
    data = ("name,Cp\n" + '"a,b",1500\n' * 60_000).encode()  # one block
    asked = Stopping(at=sys.maxsize)
    read_text_table(io.BytesIO(data), "a.csv", task=Task(cancelled=asked))
    assert asked.asked >= 6
    with pytest.raises(Cancelled):
        read_text_table(io.BytesIO(data), "a.csv", task=Task(cancelled=Stopping(at=4)))


@pytest.mark.parametrize("lines", [False, True])
def test_parsing_json_asks_whether_to_stop(tmp_path: Path, lines: bool) -> None:
    records = [{"smiles": "*CC*", "Cp": 1500 + number} for number in range(20_000)]
    path = tmp_path / "a.json"
    path.write_text("\n".join(map(json.dumps, records)) if lines else json.dumps(records))
    asked = Stopping(at=sys.maxsize)
    table = read_table(path, task=Task(cancelled=asked))
    assert cells_of(table)[-1] == ("*CC*", "21499")
    assert asked.asked >= 19
    with pytest.raises(Cancelled):
        read_table(path, task=Task(cancelled=Stopping(at=5)))  # long before the end of the text


def test_a_text_of_more_rows_than_a_study_keeps_is_refused() -> None:
    assert MAXIMUM_ROWS == 4_000_000
    data = io.BytesIO(b"name\n" + b"a\n" * (MAXIMUM_ROWS + 2_000_000))
    with pytest.raises(TableError, match="has more than 4,000,000 rows; up to so many can be read"):
        read_text_table(data, "a.csv")
    assert data.read(1)  # it was not read to the end


@pytest.mark.parametrize("inline", [False, True])
def test_a_workbook_with_a_cell_that_no_spreadsheet_allows_is_refused_before_it_is_opened(
    inline: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, plain = tmp_path / "huge.xlsx", tmp_path / "plain.xlsx"
    with Workbook(str(plain)) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["smiles", "Tg (K)"])
        sheet.write_row(1, 0, ["*CC*", "LONG"])
    text = b"x" * (LONGEST_TEXT + (3 << 20))
    with zipfile.ZipFile(plain) as read, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as written:
        for member in read.infolist():
            content = read.read(member)
            if inline and member.filename == "xl/worksheets/sheet1.xml":
                content = content.replace(
                    b"</sheetData>", b'<row r="3"><c r="A3" t="str"><v>' + text + b"</v></c></row></sheetData>"
                )
            written.writestr(member, content if inline else content.replace(b"LONG", text))
    monkeypatch.setattr(multiprocessing, "get_context", None)  # no process is started for it
    with pytest.raises(TableError, match="a cell of more than 4 MB of text"):
        read_table(path)
