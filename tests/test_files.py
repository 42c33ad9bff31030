"""Files are written whole or not at all: over a file or nothing, never over a device, a pipe or a folder, through links."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from affinecal_gui.__main__ import main
from affinecal_gui.errors import UserError
from affinecal_gui.figures.saving import save_figure
from affinecal_gui.files import FileExists, destination, remove_unfinished, replacing, write_atomically
from affinecal_gui.tables.writing.workbook_export import WorkbookSheet, write_workbook
from affinecal_gui.tasks.writing.resumable_table import ResumableTable

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="devices, pipes and links")


def write_text(path: Path) -> None:
    write_atomically(path, b"data", overwrite=True)


def write_figure(path: Path) -> None:
    save_figure(Figure(), path, overwrite=True)


def write_rows(path: Path) -> None:
    with ResumableTable(path, ("a",), {}, overwrite=True) as table:
        table.add(b"1\n")


def write_sheet(path: Path) -> None:
    write_workbook(path, [WorkbookSheet("a", ("x",), [(1.0,)])], overwrite=True)


WRITERS = [write_text, write_figure, write_rows, write_sheet]


@pytest.fixture
def device() -> Iterator[Path]:
    """A device in a folder in which nobody can make files: a fault does no harm to this computer."""
    handles = os.openpty()
    yield Path(os.ttyname(handles[1]))
    for handle in handles:
        os.close(handle)


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("through", [False, True])
@pytest.mark.parametrize("kind", ["device", "pipe", "folder"])
def test_what_is_no_file_is_never_replaced(
    write: Callable[[Path], None], through: bool, kind: str, tmp_path: Path, device: Path
) -> None:
    path = tmp_path / "out.svg"
    if kind == "device":
        path = device
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    if through:
        (tmp_path / "link.svg").symlink_to(path)
        path = tmp_path / "link.svg"
    if kind == "device" and write is write_figure:  # figures are named by their suffix
        (tmp_path / "other.svg").symlink_to(path)
        path = tmp_path / "other.svg"
    before, names = path.lstat(), sorted(tmp_path.iterdir())
    with pytest.raises(UserError, match=r"(is a folder|is a device or a pipe).* Choose another file name\."):
        write(path)
    after = path.lstat()
    assert (after.st_mode, after.st_ino, after.st_rdev) == (before.st_mode, before.st_ino, before.st_rdev)
    assert sorted(tmp_path.iterdir()) == names


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("exists", [False, True])
def test_a_link_stays_a_link_and_what_it_points_at_is_written(
    write: Callable[[Path], None], exists: bool, tmp_path: Path
) -> None:
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "target.svg", tmp_path / "link.svg"
    if exists:
        target.write_bytes(b"old")
    link.symlink_to(Path("there") / "target.svg")
    write(link)
    assert link.is_symlink()
    assert target.read_bytes() not in (b"", b"old")
    assert [path.name for path in target.parent.iterdir()] == ["target.svg"]


def test_a_link_is_replaced_only_when_that_was_asked_for(tmp_path: Path) -> None:
    (tmp_path / "target.csv").write_bytes(b"old")
    (tmp_path / "link.csv").symlink_to(tmp_path / "target.csv")
    with pytest.raises(UserError, match="exists already"):
        write_atomically(tmp_path / "link.csv", b"new")
    assert (tmp_path / "target.csv").read_bytes() == b"old"


@pytest.mark.parametrize("write", WRITERS)
def test_a_link_that_points_at_itself_is_one_sentence(write: Callable[[Path], None], tmp_path: Path) -> None:
    (tmp_path / "loop.svg").symlink_to(tmp_path / "loop.svg")
    with pytest.raises(UserError):
        write(tmp_path / "loop.svg")


def test_a_new_name_is_itself(tmp_path: Path) -> None:
    assert destination(tmp_path / "new.csv") == tmp_path / "new.csv"


@pytest.mark.parametrize("command", ["describe", "predict"])
def test_commands_do_not_write_to_devices(
    command: str, examples: Path, tmp_path: Path, device: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    measured, md = str(examples / "heat_capacity_measured.csv"), str(examples / "md_radonpy.csv")
    words = [md] if command == "describe" else [md, "--experiment", measured, "--md", md, "--calibrator", "md"]
    (tmp_path / "link").symlink_to(device)
    for output in (str(device), str(tmp_path / "link")):
        assert main([command, "--quiet", *words, "--overwrite", "--output", output]) == 2
        assert "is a device or a pipe, and no file" in capsys.readouterr().err
    assert device.is_char_device()


def test_an_existing_file_is_kept_unless_replacing_was_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "predictions.csv"
    write_atomically(path, b"old")
    with pytest.raises(FileExists, match=r"predictions\.csv exists already"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    write_atomically(path, b"new", overwrite=True)
    assert path.read_bytes() == b"new"
    assert [p.name for p in tmp_path.iterdir()] == ["predictions.csv"]


def test_the_end_of_the_program_removes_what_is_half_written(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"before")

    def end_in_the_middle() -> None:
        with replacing(path, overwrite=True) as file:
            file.write(b"half")
            assert len(list(tmp_path.iterdir())) == 2
            remove_unfinished()
            assert [found.name for found in tmp_path.iterdir()] == ["a.csv"]

    with pytest.raises(UserError):
        end_in_the_middle()
    assert path.read_bytes() == b"before"
    remove_unfinished()  # there is nothing any more
    assert path.read_bytes() == b"before"


def test_a_full_disk_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UserError, match="No space left"):
        write_atomically(tmp_path / "out.csv", b"data")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("place", ["missing/out.csv", "."])
def test_impossible_places_are_one_sentence(tmp_path: Path, place: str) -> None:
    with pytest.raises(UserError, match=r"(does not exist|is a folder)"):
        write_atomically(tmp_path / place, b"data")


def test_a_read_only_folder_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(UserError, match="permission"):
        write_atomically(tmp_path / "out.csv", b"data")


def test_long_and_foreign_names_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("比熱 Wärme " + "x" * 100 + ".csv")
    write_atomically(path, b"data")
    assert path.read_bytes() == b"data"


def test_a_name_with_a_zero_byte_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be the name of a file"):
        write_atomically(f"{tmp_path}/a\0b.csv", b"data")
