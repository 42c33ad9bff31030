"""The front door of the window, as a program of its own."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from affinecal_gui.ui.application import run_window


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


@pytest.fixture
def picture_of(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., int]]:
    """Take a picture in this process, which needs no start of its own, and leave nothing of the program behind."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    pace, quits = sys.getswitchinterval(), qapp.quitOnLastWindowClosed()
    qapp.setQuitOnLastWindowClosed(False)  # the application outlives the window
    yield lambda files, example, picture: run_window(list(map(str, files)), example, picture)
    sys.setswitchinterval(pace)
    qapp.setQuitOnLastWindowClosed(quits)


@pytest.mark.parametrize("name", ["missing.csv", "empty.csv"])
def test_files_that_cannot_be_used_end_with_a_sentence(
    picture_of: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (tmp_path / "empty.csv").touch()
    assert picture_of([tmp_path / name], None, tmp_path / "picture.png") == 2
    said = capsys.readouterr().err
    assert name in said
    assert "Traceback" not in said


def test_a_picture_that_cannot_be_written_is_said(
    picture_of: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert picture_of([], None, tmp_path / "no such folder" / "picture.png") == 2
    assert "no such folder" in capsys.readouterr().err


def test_an_unknown_example_is_said(
    picture_of: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert picture_of([], "gold", tmp_path / "picture.png") == 2
    assert "heat_capacity" in capsys.readouterr().err


def test_several_tables_with_open_questions_are_all_taken_as_they_are_likely_meant(
    picture_of: Callable[..., int], examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (examples / "md_radonpy.csv").read_text(encoding="utf-8").splitlines()
    names = lines[0].split(",")
    rows = [dict(zip(names, line.split(","), strict=False)) for line in lines[1:21]]
    for name, factor in (("one_m.csv", 2e-18), ("one_d.csv", 1e-18)):
        cells = [f"{row['smiles']},{factor * float(row['Cp']) * (1 + 0.01 * n)}" for n, row in enumerate(rows)]
        (tmp_path / name).write_text("\n".join(["SMILES,permeability [Barrer]", *cells]) + "\n", encoding="utf-8")
    picture = tmp_path / "picture.png"
    status = picture_of([tmp_path / "one_m.csv", tmp_path / "one_d.csv"], None, picture)
    assert (status, capsys.readouterr().err) == (0, "")
    assert picture.exists()
