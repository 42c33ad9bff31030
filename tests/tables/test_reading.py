"""Text files of every shape become headings and cells of text, unchanged and with their line numbers."""

import bz2
import codecs
import csv
import gzip
import io
import multiprocessing
import os
import threading
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from affinecal_gui.errors import Cancelled
from affinecal_gui.files import file_name
from affinecal_gui.invisible import without_invisible
from affinecal_gui.tables import reading
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.formats import text_tables, workbooks
from affinecal_gui.tables.formats.text_tables import read_pasted_text, read_text_table
from affinecal_gui.tables.raw_table import RawTable, TextColumn
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.row_stream import facts_of, open_rows
from affinecal_gui.tables.text import packed_text
from affinecal_gui.tables.text.encodings import guess_encoding
from affinecal_gui.tables.text.options import ReadOptions
from affinecal_gui.tables.text.table_builder import unique_headings
from affinecal_gui.task import Task
from tests.tables.making import die, hang, pasted

DATA = Path(__file__).resolve().parent.parent / "data" / "tables"
HEADING = "name,smiles,Cp\n"
ROWS = "PE,*CC*,2300\nPS,*CC(*)c1ccccc1,1250\nPP,*CC(*)C,1930\n"


def cells(raw: RawTable) -> list[tuple[str, ...]]:
    return [raw.row(index) for index in range(raw.row_count)]


def test_cells_are_never_changed() -> None:
    raw = pasted('id,smiles,Cp\n007,*C/C=C\\C*,1.50\n1e5,*CC(*)C#N,"1,5"\nNA,*CC*,TRUE\n')
    assert cells(raw) == [
        ("007", "*C/C=C\\C*", "1.50"),
        ("1e5", "*CC(*)C#N", "1,5"),
        ("NA", "*CC*", "TRUE"),
    ]


def test_line_numbers_are_those_of_the_file() -> None:
    raw = pasted('title\n\n# remark\nname,smiles,Cp\nPE,*CC*,1\n\n"two\nlines",*CC*,2\n# end\nPP,*CC(*)C,3\n')
    assert raw.header_line == 4
    assert raw.lines.tolist() == [5, 7, 10]
    assert [(skipped.line, skipped.kind) for skipped in raw.skipped] == [(1, "title"), (3, "comment"), (9, "comment")]
    assert not raw.lines.flags.writeable


def test_names_that_begin_like_comments_are_kept_where_there_are_no_comments() -> None:
    raw = pasted(HEADING + "#5,*CC*,2300\n" + ROWS)
    assert raw.row(0) == ("#5", "*CC*", "2300")
    commented = pasted("# our values\n" + HEADING + ROWS + "#PVC,*CC(*)Cl,950\n")
    assert commented.row_count == 3
    assert [skipped.text for skipped in commented.skipped] == ["# our values", "#PVC,*CC(*)Cl,950"]


def test_headings_that_come_again_before_more_rows_lose_nothing() -> None:
    raw = pasted(HEADING + "PE,*CC*,2300\n" + HEADING + ROWS)
    assert raw.header_line == 1
    assert raw.row_count == 4


def test_a_row_without_values_is_no_heading() -> None:
    assert pasted("name,smiles,Cp,density\nn0,,n.d.,n.d.\nn1,*CC*,2300,0.9\n").header_line == 1
    assert pasted("name,smiles,Cp\nPE,,\nPP,*CC(*)C,1930\nPVC,,\n").header_line == 1


def test_a_heading_may_be_spelled_like_a_word_for_no_value() -> None:
    raw = pasted("Series 3,,,\n,,,\nNr,Polymer,SMILES,cp / J g-1 K-1\n1,PE,*CC*,2.3\n2,PS,*CC(*)c1ccccc1,1.2\n")
    assert raw.header_line == 3
    assert raw.headings == ("Nr", "Polymer", "SMILES", "cp / J g-1 K-1")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_encodings_and_line_ends(tmp_path: Path, encoding: str, end: str) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes((HEADING + ROWS).replace("\n", end).encode(encoding))
    assert cells(read_table(path)) == cells(pasted(HEADING + ROWS))


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Tg (°C)", "cp1252"),
        ("Wärmekapazität für Proben", "cp1252"),
        ("10 ± 2 µm, café", "cp1252"),
        ("“quoted” – dash", "cp1252"),
        ("比熱容量", "cp932"),
        ("ポリエチレンの密度 [g/cm3]", "cp932"),
        ("ガラス転移温度（℃）", "cp932"),
        ("聚乙烯的密度", "gb18030"),
        ("玻璃化转变温度（℃）", "gb18030"),
    ],
)
def test_old_encodings_are_told_apart(text: str, encoding: str) -> None:
    data = f"name,smiles,{text}\nPE,*CC*,1\n".encode(encoding)
    assert guess_encoding(data, complete=True).encoding == encoding


@given(st.text(max_size=200))
def test_utf8_is_never_mistaken(text: str) -> None:
    data = text.encode("utf-8", errors="ignore")
    guess = guess_encoding(data, complete=True)
    if not data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and b"\x00" not in data:
        assert guess.encoding == "utf-8"


@given(st.binary(max_size=300))
def test_any_bytes_have_an_encoding_that_exists(data: bytes) -> None:
    codecs.lookup(guess_encoding(data).encoding)


def test_characters_cut_in_two_by_blocks_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    text = HEADING + "".join(f"ポリ{i},*CC*,{i}\r\n" for i in range(300))
    for size in (1, 2, 3, 7, 64):
        monkeypatch.setattr(text_tables, "BLOCK_BYTES", size)
        monkeypatch.setattr(text_tables, "SAMPLE_BYTES", 4)
        raw = read_text_table(io.BytesIO(text.encode()), "x.csv", options=ReadOptions(encoding="utf-8"))
        assert raw.row_count == 300
        assert raw.row(299) == ("ポリ299", "*CC*", "299")


CELL = st.text(st.characters(exclude_categories=("Cs", "Cc")) | st.sampled_from("\n,;\"'| *#="), max_size=8).map(
    lambda text: without_invisible(text).strip()
)
NUMBERED = st.lists(st.tuples(CELL, CELL), min_size=1, max_size=30)


@given(rows=NUMBERED, delimiter=st.sampled_from([",", ";", "\t", "|"]), block=st.sampled_from([5, 64, 1 << 20]))
@settings(deadline=None)
def test_what_the_csv_module_writes_is_read(rows: list[tuple[str, str]], delimiter: str, block: int) -> None:
    assume(not any(name.startswith(("#", "//", "%")) for name, _ in rows))  # comments are another test's matter
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter)
    writer.writerow(["name", "smiles", "Cp", "remark"])
    for number, (name, remark) in enumerate(rows):
        writer.writerow([name, "*CC*", 1000 + number, remark])
    before, text_tables.BLOCK_BYTES = text_tables.BLOCK_BYTES, block
    try:
        raw = read_text_table(io.BytesIO(text.getvalue().encode()), "x.csv")
    finally:
        text_tables.BLOCK_BYTES = before
    assert raw.row_count == len(rows)
    for index, (name, remark) in enumerate(rows):
        found = dict(zip(raw.headings, raw.row(index), strict=True))
        assert (found["name"], found["Cp"], found.get("remark", "")) == (name, str(1000 + index), remark)


def test_quick_and_careful_ways_agree() -> None:
    rng = np.random.default_rng(0)
    lines = [f"p{i},*CC*,{rng.normal():.4f},é{i}" for i in range(3000)]
    quick = pasted("name,smiles,Cp,remark\n" + "\n".join(lines))
    careful = pasted("name,smiles,Cp,remark\n" + "\n".join(line.replace(",*CC*,", ', "*CC*" ,') for line in lines))
    assert cells(quick) == cells(careful)
    assert quick.lines.tolist() == careful.lines.tolist()


def test_irregular_lines_among_many_plain_ones_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_tables, "BLOCK_BYTES", 1000)
    lines = [f"p{i},*CC*,{i}" for i in range(2000)]
    lines[500] = "name,smiles,Cp"
    lines[700] = ",,"
    lines[900] = '"a\nb",*CC*,900'
    lines[1100] = "too,many,cells,here"
    lines[1300] = "p1300,*CC*"
    lines[1500] = " p1500 , *CC* , 1500 "
    raw = pasted(HEADING + "\n".join(lines))
    assert raw.row_count == 1997
    assert (raw.blank_rows, raw.ragged_rows) == (1, 1)
    assert {(skipped.line, skipped.kind) for skipped in raw.skipped} == {(502, "heading"), (1103, "ragged")}
    assert raw.column("name")[898] == "a\nb"
    assert "p1500" in list(raw.column("name"))
    assert raw.lines[-1] == 2002


def test_one_stray_quotation_mark_does_not_swallow_the_file() -> None:
    lines = [f"p{i},*CC*,{i}" for i in range(1000)]
    lines[10] = '"p10,*CC*,10'
    raw = pasted(HEADING + "\n".join(lines))
    assert raw.row_count == 1000
    assert raw.row(10) == ('"p10', "*CC*", "10")


def test_options_overrule_every_guess(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes("x;y\nné;*CC*\n1;2\n".encode("cp1252"))
    raw = read_table(path, ReadOptions(encoding="latin-1", delimiter=";", header_line=2, decimal=",", thousands="."))
    assert raw.headings == ("né", "*CC*")
    assert cells(raw) == [("1", "2")]
    assert (raw.decimal, raw.thousands) == (",", ".")
    assert raw.chosen >= {"encoding", "delimiter", "header_line", "decimal", "thousands"}
    assert read_table(path, ReadOptions(header_line=0, delimiter=";", encoding="cp1252")).row_count == 3


def test_an_unknown_encoding_is_one_sentence() -> None:
    with pytest.raises(TableError, match="no text encoding"):
        read_text_table(io.BytesIO(b"a,b\n1,2\n"), "x.csv", options=ReadOptions(encoding="klingon"))


@pytest.mark.parametrize("encoding", ["utf-16", "UTF_16", "utf-32"])
@pytest.mark.parametrize("order", ["-le", "-be", "", None])
def test_a_byte_order_is_found_or_assumed(encoding: str, order: str | None) -> None:
    """Chosen by hand, the encoding may fit the file or not; it never ends in anything but a table or a sentence."""
    text = "name,smiles,Cp [J/(kg K)]\npolyethylene,*CC*,1900\npolypropylene,*CC(*)C,1930\n"
    written = "utf-8" if order is None else encoding.lower().replace("_", "-") + order
    content = io.BytesIO(text.encode(written))
    try:
        raw = read_text_table(content, "x.csv", options=ReadOptions(encoding=encoding))
    except TableError:
        assert not written.startswith("utf-16")  # four bytes for a letter look like no text to us
    else:
        assert written in ("utf-8", "utf-32-be") or raw.headings[:2] == ("name", "smiles")


def test_pasted_text_reads_like_a_file(tmp_path: Path) -> None:
    text = HEADING.replace(",", "\t") + ROWS.replace(",", "\t")
    path = tmp_path / "pasted table"
    path.write_text(text)
    assert cells(read_pasted_text(text)) == cells(read_table(path))


def test_progress_moves_and_ends_at_the_whole(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(HEADING + ROWS * 50_000)
    seen: list[float] = []
    read_table(path, task=Task(lambda fraction, sentence: seen.append(fraction)))
    assert len(seen) > 3
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_reading_can_be_cancelled(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(HEADING + ROWS * 50_000)
    asked = iter([False, False, True])
    with pytest.raises(Cancelled):
        read_table(path, task=Task(cancelled=lambda: next(asked, True)))


def test_missing_file_folder_and_impossible_path(tmp_path: Path) -> None:
    for path, words in (
        (tmp_path / "gone.csv", f"There is no file gone.csv in {tmp_path}. Was it moved or renamed?"),
        (tmp_path / "fodler" / "gone.csv", f"its folder {tmp_path / 'fodler'} is not there"),
        (tmp_path, "is a folder"),
        ("a\x00b.csv", "not a possible path"),
        ("x" * 5000, "cannot be opened"),
        ("", "No file is named"),
    ):
        with pytest.raises(TableError, match=words):
            read_table(path)


def test_a_misspelt_name_is_answered_with_the_one_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "Heat_capacity.csv").write_text(HEADING + ROWS)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        TableError, match=rf"^There is no file heat_capacty.csv in {tmp_path}. Is it Heat_capacity.csv\?$"
    ):
        read_table("heat_capacty.csv")
    with pytest.raises(TableError, match=r"Was it moved or renamed\?$"):
        read_table("density.csv")


@pytest.mark.parametrize(
    ("there", "asked", "is_meant"),
    [
        ("foo_m.csv", "foo.csv", False),
        ("measured_2024.csv", "measured.csv", False),
        ("md.csv", "mf.csv", True),
        ("a.csv", "b.csv", False),
        ("exp.csv", "epx.csv", True),
        ("measured values.csv", "measured_values.csv", True),
        ("measured.csv.gz", "measured.csv", True),
        ("measured.xlsx", "measured.csv", True),
        ("heat_capacity_2.csv", "heat_capacity_1.csv", True),
        ("refractive_index.csv", "refractve_indx.csv", True),
        ("density.csv", "viscosity.csv", False),
    ],
)
def test_only_names_that_are_close_are_suggested(tmp_path: Path, there: str, asked: str, is_meant: bool) -> None:
    (tmp_path / there).write_text(HEADING + ROWS)
    with pytest.raises(TableError) as refused:
        read_table(tmp_path / asked)
    assert (f"Is it {there}?" in str(refused.value)) == is_meant


def packed(text: str, suffix: str) -> bytes:
    data = text.encode("utf-8")
    return gzip.compress(data, mtime=0) if suffix == ".gz" else bz2.compress(data)


@pytest.mark.parametrize("suffix", [".gz", ".bz2"])
def test_a_packed_text_table_is_read_like_the_text(tmp_path: Path, suffix: str) -> None:
    plain, path = tmp_path / "table.tsv", tmp_path / f"table.tsv{suffix}"
    text = (HEADING + ROWS).replace(",", "\t")
    plain.write_bytes(text.encode())
    path.write_bytes(packed(text, suffix))
    one, other = read_table(plain), read_table(path)
    assert one.headings == other.headings
    assert one.columns == other.columns
    assert other.delimiter == "\t"
    with open_rows(path, facts=facts_of(path)) as rows, open_rows(plain, facts=facts_of(plain)) as expected:
        assert [row.cells for row in rows.rows] == [row.cells for row in expected.rows]
        assert rows.last_line == expected.last_line


@pytest.mark.parametrize("suffix", [".gz", ".bz2"])
def test_a_packed_file_that_is_damaged_or_made_to_do_harm_is_refused(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"table.csv{suffix}"
    good = packed(HEADING + "".join(f"*CC*,polymer {number**7},{number}\n" for number in range(4_000)), suffix)
    # Packed piece by piece, which both formats allow, and in long cells: 17 MB of short ones are slow to pack and to read.
    bomb = packed(HEADING, suffix) + packed(f"*CC*,{'one' * 1000},1\n" * 350, suffix) * 16
    inner = packed('[{"smiles": "*CC*"}]', suffix)
    twice = gzip.compress(good, mtime=0) if suffix == ".gz" else bz2.compress(good)
    for content, words in (
        (good[: len(good) // 2], "is damaged"),
        (good[:8] + b"x" * 200, "is damaged"),
        (bomb, "more than 200 times its size"),
        (inner, "something else than a table of text"),
        (twice, "packed twice"),
    ):
        path.write_bytes(content)
        with pytest.raises(TableError, match=words):
            read_table(path)
        with pytest.raises(TableError, match=words), open_rows(path) as rows:
            list(rows.rows)
    path.write_bytes(bomb)
    with pytest.raises(TableError, match="more than 200 times its size"):
        facts_of(path)


def test_an_unpacked_text_larger_than_memory_allows_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_text, "MOST_BYTES", 1000)
    path = tmp_path / "table.csv.gz"
    path.write_bytes(packed(HEADING + ROWS * 100, ".gz"))
    with pytest.raises(TableError, match="unpacks to more than"):
        read_table(path)
    with open_rows(path) as rows:  # of which nothing is kept
        assert len(list(rows.rows)) > 100


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are a matter of Unix")
def test_a_pipe_is_refused_and_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(TableError, match="is not a file"):
        read_table(tmp_path / "pipe.csv")


def test_a_file_in_use_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.csv"
    path.write_text(HEADING + ROWS)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(TableError, match="another program"):
        read_table(path)


def test_a_drive_that_vanishes_while_reading_is_one_sentence() -> None:
    class Vanishing(io.BytesIO):
        reads = 0

        def read(self, size: int | None = -1) -> bytes:
            self.reads += 1
            if self.reads > 2:
                raise OSError(5, "Input/output error")
            return super().read(size)

    with pytest.raises(TableError, match="drive"):
        read_text_table(Vanishing((HEADING + ROWS * 100_000).encode()), "far.csv")


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.csv"
    with path.open("wb") as file:
        file.truncate(5 * 1024**3)  # a sparse file: nothing is written
    with pytest.raises(TableError, match=r"huge\.csv has 5\.0 GB"):
        read_table(path)


def test_one_endless_line_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "endless.csv"
    path.write_bytes(b"x" * 20_000_000)
    with pytest.raises(TableError, match="line of more than"):
        read_table(path)


def test_a_workbook_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    for _ in range(3000):
        book.active.append(["polyethylene", "*CC*", 2300])
    book.save(tmp_path / "big.xlsx")
    monkeypatch.setattr(workbooks, "MAXIMUM_UNPACKED", 100_000)
    with pytest.raises(TableError, match="unpacks to more than"):
        read_table(tmp_path / "big.xlsx")


@pytest.mark.parametrize("member", ["xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "content.xml"])
def test_a_workbook_whose_directory_states_too_much_is_refused_without_unpacking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, member: str
) -> None:
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype" if member == "content.xml" else "xl/workbook.xml", "opendocument.spreadsheet")
        archive.writestr(member, b" " * 200_000)
    monkeypatch.setattr(workbooks, "MAXIMUM_UNPACKED", 100_000)
    monkeypatch.setattr(workbooks, "unpacked", lambda *_: pytest.fail("unpacked"))
    with pytest.raises(TableError, match="unpacks to more than"):
        read_table(path)


@pytest.mark.parametrize("between", [b" " * 3_000_000, b"<text:p>" + b"x" * (1 << 20)])
def test_repeated_cells_of_an_ods_are_counted_behind_any_text(tmp_path: Path, between: bytes) -> None:
    path = tmp_path / "far.ods"
    cell = b'<table:table-cell office:value-type="float" table:number-columns-repeated="16000"/>'
    row = b'<table:table-row table:number-rows-repeated="1000000">' + cell + b"</table:table-row>"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr(
            "content.xml", between[: (1 << 20) - 30] + row + between
        )  # a tag over the border of two blocks
    with pytest.raises(TableError, match="has a sheet of 16,000,000,000 cells"):
        read_table(path)


def test_pictures_in_a_workbook_may_be_of_any_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "pictured.xlsx"
    path.write_bytes((DATA / "plain.xlsx").read_bytes())
    expected = cells(read_table(path))
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/media/photograph.png", b" " * 200_000)
    monkeypatch.setattr(workbooks, "MAXIMUM_UNPACKED", 100_000)
    assert cells(read_table(path)) == expected


def test_a_workbook_whose_directory_states_too_little_is_not_unpacked_any_further(tmp_path: Path) -> None:
    path = tmp_path / "liar.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"<workbook/>")
        archive.writestr("xl/worksheets/sheet1.xml", b" " * 200_000)
    path.write_bytes(path.read_bytes().replace((200_000).to_bytes(4, "little"), (1000).to_bytes(4, "little")))
    with pytest.raises(TableError, match="damaged workbook"):
        read_table(path)


def test_a_sheet_can_be_chosen(tmp_path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.active.title = "First"
    book.active.append(["name", "smiles", "Cp"])
    book.active.append(["PE", "*CC*", 2300])
    book.create_sheet("Second").append(["a", "b"])
    book["Second"].append([1.5, "*CC*"])
    book.save(tmp_path / "two.xlsx")
    assert read_table(tmp_path / "two.xlsx").sheet == "First"
    raw = read_table(tmp_path / "two.xlsx", ReadOptions(sheet="Second"))
    assert (raw.sheet, raw.sheets, raw.headings) == ("Second", ("First", "Second"), ("a", "b"))
    assert raw.row(0) == ("1.5", "*CC*")
    with pytest.raises(TableError, match="no sheet “Third”"):
        read_table(tmp_path / "two.xlsx", ReadOptions(sheet="Third"))


def test_a_workbook_that_crashes_its_reader_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbooks, "serve", die)
    with pytest.raises(TableError, match=r"plain\.xlsx is a damaged workbook"):
        read_table(DATA / "plain.xlsx")


def test_reading_a_workbook_can_be_cancelled_at_any_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbooks, "serve", hang)
    asked: list[int] = []
    before = multiprocessing.active_children()  # workers that other tests left to those after them
    with pytest.raises(Cancelled):
        read_table(DATA / "plain.xlsx", task=Task(cancelled=lambda: asked.append(0) or len(asked) > 20))  # type: ignore[func-returns-value]
    assert set(multiprocessing.active_children()) <= set(before)


def test_every_format_is_offered_in_the_file_dialog() -> None:
    suffixes = [suffix for known in reading.FORMATS for suffix in known.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    assert {".csv", ".xlsx", ".ods", ".parquet", ".json", ".sdf", ".smi"} <= set(suffixes)


@given(st.lists(st.text(max_size=6), max_size=12))
def test_headings_become_unique_and_keep_their_number(headings: list[str]) -> None:
    unique = unique_headings(headings)
    assert len(set(unique)) == len(unique) == len(headings)
    assert all(unique)


@given(st.lists(st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x1f"), max_size=5), max_size=50))
def test_a_column_is_a_sequence_of_its_cells(listed: list[str]) -> None:
    column = TextColumn.of(listed)
    assert list(column) == listed
    assert len(column) == len(listed)
    assert column[1:] == listed[1:]
    assert column[::-1] == listed[::-1]
    assert [column[i] for i in range(-len(listed), len(listed))] == listed + listed


def test_columns_can_be_read_by_several_threads() -> None:
    column = pasted(HEADING + "".join(f"p{i},*CC*,{i}\n" for i in range(20_000))).column("name")
    wrong: list[str] = []

    def read(step: int) -> None:
        wrong.extend(column[i] for i in range(0, 20_000, step) if column[i] != f"p{i}")

    threads = [threading.Thread(target=read, args=(step,)) for step in (37, 41, 43)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.parametrize(
    ("path", "name"), [("/data/a.csv", "a.csv"), ("C:\\data\\b.csv", "b.csv"), ("c.csv", "c.csv"), ("/", "/")]
)
def test_files_are_called_by_their_last_part(path: str, name: str) -> None:
    assert file_name(path) == name


def test_a_preview_reads_the_first_rows_only() -> None:
    raw = pasted(HEADING + ROWS * 100)
    head = raw.head(10)
    assert head.row_count == 10
    assert cells(head) == cells(raw)[:10]
    assert head.lines.tolist() == raw.lines[:10].tolist()


def test_cells_can_be_corrected_by_line_and_heading() -> None:
    raw = pasted(HEADING + ROWS)
    edited = raw.with_cells({(3, "Cp"): " 1240 ", (2, "smiles"): "*CCCC*", (99, "Cp"): "1", (3, "none"): "2"})
    assert cells(edited) == [("PE", "*CCCC*", "2300"), ("PS", "*CC(*)c1ccccc1", "1240"), ("PP", "*CC(*)C", "1930")]
    assert raw.column("Cp")[1] == "1250"


@pytest.mark.parametrize(
    ("heading", "row", "name"),
    [
        ("name,smiles,Cp", "cis-1,4-polybutadiene,*CC=CC*,1909.7", "cis-1,4-polybutadiene"),
        ("No.,name,smiles,Cp", "7,poly(N,N-dimethylacrylamide),*CC(*)C(=O)N(C)C,1500", "poly(N,N-dimethylacrylamide)"),
        ("smiles,name,Cp", "*CC(CCl)(CCl)CO*,poly(3,3-bis(chloromethyl)oxetane),1141.8", None),
        ("Polymer;SMILES;Cp", "poly(a;b;c);*CC*;1900", "poly(a;b;c)"),
        ("name,smiles,Cp,", "cis-1,4-polybutadiene,*CC=CC*,1909.7,", "cis-1,4-polybutadiene"),
    ],
)
def test_names_with_delimiters_and_without_quotation_marks_are_put_together(
    heading: str, row: str, name: str | None
) -> None:
    mark = ";" if ";" in heading else ","
    plain = {"name": "PE", "Polymer": "PE", "smiles": "*CC*", "SMILES": "*CC*", "Cp": "1900", "No.": "1", "": ""}
    good = mark.join(plain[word] for word in heading.split(mark))
    raw = read_pasted_text("\n".join((heading, good, row, good)) + "\n", "table.csv")
    name = name or "poly(3,3-bis(chloromethyl)oxetane)"
    column = "Polymer" if "Polymer" in heading else "name"
    assert raw.ragged_rows == 0
    assert list(raw.column(column)) == ["PE", name, "PE"]
    assert raw.column("Cp")[1] == row.rstrip(",").rpartition(mark)[2]
    assert raw.notes[0].endswith("put together (line 3).")


@pytest.mark.parametrize(
    "text",
    [
        "name,smiles,Cp\nPE,*CC*,1900\nPP,*CC(*)C,1,80\nPS,*CC(*)c1ccccc1,1250\n",  # a decimal comma
        "smiles,name,Cp\n*CC*,PE,1900\n*CC(*)C,PP,1,80\n*CC(*)Cl,PVC,950\n",
        "name,id,Cp\nPE,a,1900\ncis-1,4-PB,b,1800\nPS,c,1250\n",  # no repeat unit to go by
        "name,smiles,Cp\nPE,*CC*,1900\na,b,c,d\nPS,*CC(*)c1ccccc1,1250\n",
    ],
)
def test_what_could_be_divided_in_several_ways_stays_listed(text: str) -> None:
    raw = read_pasted_text(text, "table.csv")
    assert raw.ragged_rows == 1
    assert raw.notes == ()


def test_decimal_commas_in_columns_that_blanks_divide() -> None:
    raw = read_pasted_text("smiles Tg density\n*CC* 153,15 0,85\n*CC(C)* 253,15 0,9\n*CCO* 216,15 1,1\n", "a.txt")
    assert raw.delimiter == "whitespace"
    assert list(raw.column("Tg")) == ["153,15", "253,15", "216,15"]
    raw = read_pasted_text("poly ethylene,1,2,3\npoly propylene,4,5,6\npoly styrene,7,8,9\n", "a.csv")
    assert raw.delimiter == ","
