"""The list of studies used last: newest first, bounded, and never a reason to fail."""

import datetime
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from affinecal_gui.study.records.file_lock import alone_with
from affinecal_gui.study.stored.recent import MOST_RECENT, RecentStudies, RecentStudy, day_in_words


@pytest.fixture
def recent(tmp_path: Path) -> RecentStudies:
    return RecentStudies(tmp_path / "config" / "recent.json")


def study(folder: Path, name: str) -> Path:
    path = folder / f"{name}.affinecal"
    path.touch()
    return path


def test_newest_first_each_once(recent: RecentStudies, tmp_path: Path) -> None:
    assert recent.listed() == ()
    heat, density = study(tmp_path, "heat"), study(tmp_path, "density at 300 K")
    recent.remember(heat, "not calibrated yet")
    recent.remember(density, "57 polymers, log-difference, RMSE 0.033 g/cm³")
    listed = recent.remember(heat, "61 polymers, affine, RMSE 258 J/(kg K)")
    assert [(entry.path, entry.title, entry.subtitle) for entry in listed] == [
        (str(heat), "heat", "61 polymers, affine, RMSE 258 J/(kg K)"),
        (str(density), "density at 300 K", "57 polymers, log-difference, RMSE 0.033 g/cm³"),
    ]
    assert recent.listed() == listed
    assert listed[0].day() == "today"


def test_missing_files_are_dropped(recent: RecentStudies, tmp_path: Path) -> None:
    gone, there = study(tmp_path, "gone"), study(tmp_path, "there")
    recent.remember(gone, "")
    recent.remember(there, "")
    gone.unlink()
    assert [entry.title for entry in recent.listed()] == ["there"]
    recent.remember(there, "")
    assert len(json.loads(recent.path.read_text(encoding="utf-8"))["studies"]) == 1
    assert recent.forget(there) == ()


def test_files_of_other_computers_are_not_asked_for(recent: RecentStudies, tmp_path: Path) -> None:
    recent.path.parent.mkdir()
    far = {"path": "\\\\server\\share\\a.affinecal", "title": "a", "subtitle": "", "used": "2025-01-01T00:00:00+00:00"}
    recent.path.write_text(json.dumps({"version": 1, "studies": [far]}), encoding="utf-8")
    assert [entry.title for entry in recent.listed()] == ["a"]


def test_the_list_is_bounded(recent: RecentStudies, tmp_path: Path) -> None:
    for number in range(MOST_RECENT + 5):
        recent.remember(study(tmp_path, f"s{number}"), "")
    assert [entry.title for entry in recent.listed()] == [f"s{MOST_RECENT + 4 - i}" for i in range(MOST_RECENT)]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b'{"version": 1}',
        b'{"version": 1, "studies": [1]}',
        b'{"version": 1, "studies": [{"path": 5, "title": "", "subtitle": "", "used": ""}]}',
        b"[" * 100_000,
        b" " * 2_000_000,
    ],
)
def test_a_damaged_list_is_an_empty_one(recent: RecentStudies, tmp_path: Path, content: bytes) -> None:
    recent.path.parent.mkdir()
    recent.path.write_bytes(content)
    assert recent.listed() == ()
    assert len(recent.remember(study(tmp_path, "a"), "")) == 1
    assert len(recent.listed()) == 1


def test_a_folder_that_cannot_be_written_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    recent = RecentStudies(tmp_path / "file" / "recent.json")
    assert [entry.title for entry in recent.remember(study(tmp_path, "a"), "")] == ["a"]
    assert recent.listed() == ()


def test_a_lock_that_is_not_given_back_does_not_hold_the_list_for_ever(
    recent: RecentStudies, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("affinecal_gui.study.stored.recent.SECONDS_TO_WAIT", 0.0)
    recent.path.parent.mkdir()
    with alone_with(recent.path, 0.0):
        recent.remember(study(tmp_path, "one"), "")
    assert [known.title for known in recent.listed()] == ["one"]
    assert not recent.path.with_suffix(".lock").exists()


def test_many_at_once_lose_nothing(recent: RecentStudies, tmp_path: Path) -> None:
    paths = [study(tmp_path, f"s{number}") for number in range(MOST_RECENT)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda path: RecentStudies(recent.path).remember(path, ""), paths))
    assert {entry.path for entry in recent.listed()} == set(map(str, paths))


@pytest.mark.parametrize(
    ("day", "words"),
    [
        ((2025, 5, 14), "today"),
        ((2025, 5, 13), "yesterday"),
        ((2025, 5, 12), "12 May"),
        ((2024, 12, 31), "31 December 2024"),
        ((2025, 5, 15), "15 May"),
    ],
)
def test_days(day: tuple[int, int, int], words: str) -> None:
    assert day_in_words(datetime.date(*day), datetime.date(2025, 5, 14)) == words


def test_a_time_that_cannot_be_read_is_no_day() -> None:
    assert RecentStudy("a", "a", "", "the other day").day() == ""
