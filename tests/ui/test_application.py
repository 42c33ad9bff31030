"""The front door of the window, as a program of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from affinecal_gui.__main__ import COMMANDS, main
from affinecal_gui.study.importing.examples import EXAMPLES
from affinecal_gui.ui.running.lost_display import missing_libraries
from affinecal_gui.window_words import window_parser


def run(*words: str | Path, folder: Path) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "TMPDIR": str(folder / "temporary")}
    environment.pop("DISPLAY", None)
    environment.pop("QT_QPA_PLATFORM", None)
    (folder / "temporary").mkdir(exist_ok=True)
    command = [sys.executable, "-m", "affinecal_gui", *map(str, words)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=250, check=False)


def test_a_picture_of_the_example_needs_no_display(tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    done = run("--example", "optical", "--screenshot", picture, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    image = QImage(str(picture))
    assert (image.width(), image.height()) == (1500, 950)
    colours = {image.pixel(x, y) for x in range(0, 1500, 7) for y in range(0, 950, 7)}
    assert len(colours) > 100  # not an empty window
    assert list((tmp_path / "temporary").iterdir()) == []


def test_files_that_cannot_be_used_end_with_a_sentence_each(tmp_path: Path) -> None:
    (tmp_path / "empty.csv").touch()
    names = ("missing.csv", "empty.csv")
    done = run(*(tmp_path / name for name in names), "--screenshot", tmp_path / "picture.png", folder=tmp_path)
    assert done.returncode == 2
    assert all(name in done.stderr for name in names)
    assert "Traceback" not in done.stderr


def test_words_that_cannot_be_followed_are_told_before_the_window_is_loaded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, said in (
        (["--screenshot", str(tmp_path / "no such folder" / "picture.png")], "no such folder"),
        (["--example", "gold"], "heat_capacity"),
    ):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 2
        assert said in capsys.readouterr().err


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a display")
def test_without_a_display_the_program_says_so_and_names_what_needs_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert main([]) == 2
    said = capsys.readouterr().err
    assert "no display" in said
    assert "predict" in said


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a display")
def test_a_display_that_does_not_answer_is_told_in_a_sentence(tmp_path: Path) -> None:
    environment = {**os.environ, "DISPLAY": ":97531", "QT_QPA_PLATFORM": "xcb"}
    environment.pop("WAYLAND_DISPLAY", None)
    command = [sys.executable, "-m", "affinecal_gui"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=250, check=False)
    assert done.returncode == 2  # and not that of an abort
    (line,) = done.stderr.splitlines()
    assert line.startswith("affinecal: the window cannot be opened")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a display")
def test_a_wish_for_windows_that_qt_does_not_have_is_told_as_such() -> None:
    environment = {**os.environ, "DISPLAY": ":97531", "QT_QPA_PLATFORM": "cocoa"}
    command = [sys.executable, "-m", "affinecal_gui"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=250, check=False)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "QT_QPA_PLATFORM" in line
    assert "“cocoa”" in line


def test_a_picture_is_taken_without_a_word_in_every_locale(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LC_") and name != "LANG"}
    command = [sys.executable, "-m", "affinecal_gui", "--screenshot", tmp_path / "picture.png"]
    done = subprocess.run(
        command, env={**environment, "LC_ALL": "C"}, capture_output=True, text=True, timeout=250, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("cc") is None or shutil.which("ldd") is None, reason="makes a library of Linux")
def test_libraries_that_the_system_lacks_are_named(tmp_path: Path) -> None:
    (tmp_path / "empty.c").touch()
    lost, library = tmp_path / "liblost.so", tmp_path / "library.so"
    for made, more in ((lost, ["-Wl,-soname,liblost.so"]), (library, ["-Wl,--no-as-needed", lost])):
        subprocess.run(["cc", "-shared", tmp_path / "empty.c", "-o", made, *more], check=True)
    assert missing_libraries(lost) == []
    assert missing_libraries(library) == ["liblost.so"]  # it lies where the system does not look


def test_the_help_names_the_examples() -> None:
    said = window_parser(COMMANDS).format_help()
    assert all(example.key in said for example in EXAMPLES)


def test_several_tables_with_open_questions_are_all_taken_as_they_are_likely_meant(
    examples: Path, tmp_path: Path
) -> None:
    lines = (examples / "md_radonpy.csv").read_text(encoding="utf-8").splitlines()
    names = lines[0].split(",")
    rows = [dict(zip(names, line.split(","), strict=False)) for line in lines[1:13]]
    for name, factor in (("one_m.csv", 2e-18), ("one_d.csv", 1e-18)):
        cells = [f"{row['smiles']},{factor * float(row['Cp']) * (1 + 0.01 * n)}" for n, row in enumerate(rows)]
        (tmp_path / name).write_text("\n".join(["SMILES,permeability [Barrer]", *cells]) + "\n", encoding="utf-8")
    picture = tmp_path / "picture.png"
    done = run(tmp_path / "one_m.csv", tmp_path / "one_d.csv", "--screenshot", picture, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert picture.exists()
