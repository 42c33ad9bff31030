"""What is written is a zip archive that the standard library reads, also with members taken over from another one."""

import io
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.errors import Cancelled
from affinecal_gui.study.records.archive import ALWAYS_EXPANDED, Archive, LargeMember, Member, new_archive
from affinecal_gui.study.records.zip_writing import AT_ONCE, Packing, ZipWriter
from affinecal_gui.task import Task

NUMBERS = np.random.default_rng(1).bytes(3 * AT_ONCE + 17)
CONTENTS = {
    "a.csv": b"1,2,3\r\n" * 1000,
    "empty": b"",
    "ordner/\u00e4.csv": "\u00e4\u2013\u03b2".encode(),
    "b": NUMBERS,
}


def in_parts(content: bytes) -> list[bytes]:
    """The content, cut somewhere."""
    return [content[:5], b"", content[5:]]


@pytest.mark.parametrize("packing", ["none", "quick", "small"])
def test_the_standard_library_reads_what_is_written(packing: Packing) -> None:
    file = io.BytesIO()
    written = ZipWriter(file)
    for name, content in CONTENTS.items():
        written.add(name, in_parts(content), packing)
    written.finish()
    with zipfile.ZipFile(file) as archive:
        assert archive.testzip() is None
        assert {info.filename: archive.read(info) for info in archive.infolist()} == CONTENTS
        assert {info.external_attr >> 16 for info in archive.infolist()} == {0o100644}


def large(name: str, content: Callable[[], bytes], made: list[str]) -> LargeMember:
    """A member that notes when it is made."""

    def parts(_task: Task) -> list[bytes]:
        made.append(name)
        return in_parts(content())

    return LargeMember(name, parts)


def written_once(path: Path, members: list[LargeMember]) -> list[LargeMember]:
    """Write an archive; returns the same members, which now know where they lie."""
    with new_archive(path, overwrite=True) as archive:
        for member in members:
            archive.add(member)
    return [LargeMember(m.name, m.parts, m.is_large, archive.written[m.name]) for m in members]


def contents(path: Path) -> dict[str, bytes]:
    """What an archive holds, without the mark of its kind."""
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist() if name != "mimetype"}


def test_members_are_taken_over_from_a_file_that_is_as_it_was(tmp_path: Path) -> None:
    made: list[str] = []
    path, other = tmp_path / "a.zip", tmp_path / "b.zip"
    members = [large("a", lambda: NUMBERS, made), large("b", lambda: b"x,y\r\n" * 9999, made)]
    members = written_once(path, members)
    members = written_once(path, members[::-1])  # over itself, in another order
    members = written_once(other, members)
    assert made == ["a", "b"]
    assert contents(path) == contents(other) == {"a": NUMBERS, "b": b"x,y\r\n" * 9999}


@pytest.mark.parametrize("change", ["removed", "written", "replaced", "damaged"])
def test_members_are_made_anew_where_the_file_has_changed(tmp_path: Path, change: str) -> None:
    made: list[str] = []
    path = tmp_path / "a.zip"
    members = written_once(path, [large("a", lambda: NUMBERS, made)])
    before = path.stat()
    if change == "removed":
        path.unlink()
    elif change == "written":
        path.write_bytes(path.read_bytes()[:-30])
    elif change == "replaced":
        path.with_name("b").write_bytes(b"something else")
        path.with_name("b").replace(path)
    else:  # the disk is at fault: nobody has written to it
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        with path.open("r+b") as file:
            file.write(content)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    written_once(tmp_path / "c.zip", members)
    assert made == ["a", "a"]
    assert contents(tmp_path / "c.zip") == {"a": NUMBERS}


def test_a_member_that_looks_like_an_attack_is_packed_less(tmp_path: Path) -> None:
    content = b"0," * (ALWAYS_EXPANDED // 2 + 1)
    path = tmp_path / "a.zip"
    with new_archive(path, overwrite=False) as archive:
        archive.add(Member("a.csv", content))
        archive.add(LargeMember("b.csv", lambda _task: [content], is_large=False))
        archive.add(Member("c.csv", b"c"))
    with Archive(path) as opened:
        assert [opened.size(name) for name in ("a.csv", "b.csv")] == 2 * [len(content)]
        assert opened.read("c.csv", 10) == b"c"
    assert contents(path) == {"a.csv": content, "b.csv": content, "c.csv": b"c"}


@pytest.mark.parametrize("is_known", [False, True])
def test_stopping_leaves_the_file_of_before(tmp_path: Path, is_known: bool) -> None:
    path = tmp_path / "a.zip"
    (member,) = written_once(path, [large("a", lambda: NUMBERS, [])])
    before = path.read_bytes()
    asked = iter([False, False, True])
    with (
        pytest.raises(Cancelled),
        new_archive(path, overwrite=True, task=Task(cancelled=lambda: next(asked, True))) as archive,
    ):
        archive.add(member if is_known else LargeMember("a", member.parts))
    assert path.read_bytes() == before
    assert [found.name for found in tmp_path.iterdir()] == ["a.zip"]
