"""An export that was cancelled changes nothing, however late the wish comes; a disk that is full costs no file either."""

import errno
import io
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.task import Task, never
from affinecal_gui.ui.dialogs.exporting.exports import (
    ExportCoefficients,
    ExportFigure,
    ExportMeasureNext,
    ExportPredictions,
    ExportReport,
    ExportWorkbook,
)
from affinecal_gui.ui.running.job import AnyJob
from affinecal_gui.ui.session.file_jobs import SaveStudy, WrittenParts
from tests.study.small_study import small_result, small_state

MAKERS: dict[str, Callable[[Snapshot, Path], AnyJob]] = {
    "predictions.csv": ExportPredictions,
    "coefficients.csv": ExportCoefficients,
    "next.csv": ExportMeasureNext,
    "tables.xlsx": ExportWorkbook,
    "report.html": lambda snapshot, path: ExportReport(small_state(), "", snapshot, path),
    "parity.svg": lambda snapshot, path: ExportFigure("parity", None, 300.0, snapshot, path),
    "study.affinecal": lambda _snapshot, path: SaveStudy(str(path), small_state(), small_result(), WrittenParts()),
}
BEFORE = b"what was there before"


def run(name: str, path: Path, cancelled: Callable[[], bool] = never) -> None:
    MAKERS[name](small_result().snapshot, path).run(Task(cancelled=cancelled), lambda _part: None)


@pytest.fixture(autouse=True)
def nothing_is_drawn(blank_figures: None) -> None:
    """What is in the files of figures and reports is not looked at."""


@pytest.fixture(params=MAKERS)
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / str(request.param)
    path.write_bytes(BEFORE)
    return path


def test_the_last_moment(target: Path) -> None:
    """Cancelled at every question in turn, of which the last stands just before the file takes its place."""
    asked = 0

    def count() -> bool:
        nonlocal asked
        asked += 1
        return False

    run(target.name, target, count)
    assert asked > 0, "nobody asked"
    assert target.read_bytes() != BEFORE
    last = asked
    target.write_bytes(BEFORE)
    asked = 0

    def at_last() -> bool:
        count()
        return asked >= last

    with pytest.raises(Cancelled):
        run(target.name, target, at_last)
    assert target.read_bytes() == BEFORE
    assert [path.name for path in target.parent.iterdir()] == [target.name], "half a file was left"


class FullDisk(io.FileIO):
    """A file on a disk with room for a few bytes."""

    def write(self, content: Any) -> int:
        if self.tell() + len(content) > 100:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(content)


def test_a_full_disk_is_one_sentence_and_the_old_file_stays(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path.open

    def opened(path: Path, mode: str = "r", *words: Any, **named: Any) -> Any:
        if path.suffix == ".part":
            return io.BufferedWriter(FullDisk(path, mode.replace("b", "")))
        return real(path, mode, *words, **named)

    monkeypatch.setattr(Path, "open", opened)
    with pytest.raises(UserError) as caught:
        run(target.name, target)
    monkeypatch.undo()
    assert "No space left" in str(caught.value) or "disk is full" in str(caught.value)
    assert target.name in str(caught.value)
    assert target.read_bytes() == BEFORE
    assert [path.name for path in target.parent.iterdir()] == [target.name], "half a file was left"


def test_a_folder_that_goes_meanwhile_is_one_sentence(target: Path) -> None:
    shutil.rmtree(target.parent)
    with pytest.raises(UserError, match="folder"):
        run(target.name, target)


def test_a_read_only_folder_is_one_sentence(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path.open

    def opened(path: Path, *words: Any, **named: Any) -> Any:
        if path.suffix == ".part":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))  # also to an administrator
        return real(path, *words, **named)

    monkeypatch.setattr(Path, "open", opened)
    with pytest.raises(UserError, match=r"may not be written|no permission"):
        run(target.name, target)
    monkeypatch.undo()
    assert target.read_bytes() == BEFORE
