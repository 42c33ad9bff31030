"""A table that survives any end: what is continued, what is not, and that nothing is ever half."""

import csv
import io
import json
import os
import random
from pathlib import Path

import pytest

from affinecal_gui.errors import UserError
from affinecal_gui.files import FileExists
from affinecal_gui.tables.writing.csv_export import csv_bytes
from affinecal_gui.tasks.writing.resumable_table import ResumableTable, UnfinishedExists

COLUMNS = ("id", "text", "status")
MADE_FROM = {"input": "abc", "version": "1"}
LINES = [csv_bytes((f"{number}", f'a "quoted"\nline {number}, with a comma', "ok"), ()) for number in range(200)]
WHOLE = csv_bytes(COLUMNS, ()) + b"".join(LINES)


def table(path: Path, **options: bool) -> ResumableTable:
    return ResumableTable(path, COLUMNS, MADE_FROM, **options)


def write(path: Path, until: int | None = None, **options: bool) -> None:
    """Write the lines that are missing; stop before the line ``until``."""
    with table(path, **options) as writer:
        for number in range(writer.lines, len(LINES)):
            if number == until:
                raise InterruptedError("stopped")
            writer.add(LINES[number])


def stop_at(path: Path, until: int, **options: bool) -> None:
    with pytest.raises((InterruptedError, UserError)):
        write(path, until, **options)


def test_the_destination_appears_complete_and_alone(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    with table(path) as writer:
        for line in LINES:
            writer.add(line)
            assert not path.exists()
    assert path.read_bytes() == WHOLE
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.csv"]


def test_a_stopped_table_keeps_whole_lines_and_is_continued(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    stop_at(path, 50)
    part = tmp_path / "out.csv.part"
    assert part.read_bytes() == csv_bytes(COLUMNS, ()) + b"".join(LINES[:50])
    found: list[bytes] = []
    with ResumableTable(path, COLUMNS, MADE_FROM, resume=True, found=found.append) as writer:
        assert writer.lines == 50
        assert found == LINES[:50]
        for line in LINES[50:]:
            writer.add(line)
    assert path.read_bytes() == WHOLE
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.csv"]


@pytest.mark.parametrize("seed", range(12))
def test_a_part_cut_off_anywhere_is_continued_to_the_same_bytes(tmp_path: Path, seed: int) -> None:
    path, part = tmp_path / "out.csv", tmp_path / "out.csv.part"
    stop_at(path, 150)
    size = random.Random(seed).randrange(part.stat().st_size + 1)
    os.truncate(part, size)
    write(path, resume=True)
    assert path.read_bytes() == WHOLE


@pytest.mark.parametrize("rubbish", [b"\0" * 300, b'7,"open', b"7,two\n", b"\n\n", b"\xff\xfe,,\n"[:2]])
def test_what_a_lost_machine_leaves_behind_whole_lines_is_cut_away(tmp_path: Path, rubbish: bytes) -> None:
    path, part = tmp_path / "out.csv", tmp_path / "out.csv.part"
    stop_at(path, 10)
    with part.open("ab") as file:
        file.write(rubbish)
    write(path, resume=True)
    assert path.read_bytes() == WHOLE


def test_a_part_is_never_continued_or_replaced_unasked(tmp_path: Path) -> None:
    path, part = tmp_path / "out.csv", tmp_path / "out.csv.part"
    stop_at(path, 50)
    before = part.read_bytes()
    with pytest.raises(UnfinishedExists):
        write(path)
    assert part.read_bytes() == before
    stop_at(path, 20, overwrite=True)
    assert part.read_bytes() == csv_bytes(COLUMNS, ()) + b"".join(LINES[:20])


@pytest.mark.parametrize("resume", [False, True])
def test_a_part_made_from_something_else_is_never_continued(tmp_path: Path, resume: bool) -> None:
    path = tmp_path / "out.csv"
    stop_at(path, 50)
    other = {"input": "abc", "version": "2"}
    with pytest.raises(FileExists, match="another version"), ResumableTable(path, COLUMNS, other, resume=resume):
        pass
    with ResumableTable(path, COLUMNS, other, resume=resume, overwrite=True) as writer:
        assert writer.lines == 0
        writer.add(LINES[0])
    assert path.read_bytes() == csv_bytes(COLUMNS, ()) + LINES[0]


@pytest.mark.parametrize("notes", [b"", b"{", b"[1]", b"\xff" * 10, None])
def test_a_part_of_unknown_origin_is_never_continued(tmp_path: Path, notes: bytes | None) -> None:
    path, beside = tmp_path / "out.csv", tmp_path / "out.csv.part.json"
    stop_at(path, 50)
    if notes is None:
        beside.unlink()
    else:
        beside.write_bytes(notes)
    with pytest.raises(FileExists, match=r"nothing says|another"):
        write(path, resume=True)
    write(path, resume=True, overwrite=True)
    assert path.read_bytes() == WHOLE


def test_the_notes_say_what_the_part_was_made_from(tmp_path: Path) -> None:
    stop_at(tmp_path / "out.csv", 5)
    assert json.loads((tmp_path / "out.csv.part.json").read_text()) == MADE_FROM


def test_an_existing_destination_stands_until_the_new_one_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_bytes(b"old")
    with pytest.raises(FileExists):
        write(path)
    stop_at(path, 20, overwrite=True)
    assert path.read_bytes() == b"old"
    write(path, overwrite=True, resume=True)
    assert path.read_bytes() == WHOLE


def test_a_destination_that_appears_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    writer = table(path)
    writer.__enter__()
    writer.add(LINES[0])
    path.write_bytes(b"somebody else's")
    with pytest.raises(FileExists):
        writer.__exit__(None, None, None)
    assert path.read_bytes() == b"somebody else's"
    assert (tmp_path / "out.csv.part").exists()


@pytest.mark.skipif(not hasattr(os, "link"), reason="no second names for a file")
def test_a_part_with_the_destination_as_second_name_is_not_emptied(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    write(path)
    os.link(path, tmp_path / "out.csv.part")  # as a program leaves it that is killed while it gives the file its name
    stop_at(path, 3, overwrite=True)
    assert path.read_bytes() == WHOLE


def test_nothing_is_left_of_a_run_without_a_line(tmp_path: Path) -> None:
    stop_at(tmp_path / "out.csv", 0)
    assert list(tmp_path.iterdir()) == []


def test_two_writers_of_one_file_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    with table(path) as writer:
        writer.add(LINES[0])
        with pytest.raises(UserError, match="another program"):
            write(path, overwrite=True)
        writer.add(LINES[1])
    assert path.read_bytes() == csv_bytes(COLUMNS, ()) + LINES[0] + LINES[1]


def test_a_folder_that_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="does not exist"):
        write(tmp_path / "nowhere" / "out.csv")


def test_the_lines_of_the_tests_hold_line_ends() -> None:
    assert len(list(csv.reader(io.StringIO(WHOLE.decode(), newline="")))) == 201
    assert WHOLE.count(b"\n") > 300
