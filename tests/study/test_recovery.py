"""Autosaves of windows that are gone are offered again, those of running ones are not; and killing loses nothing."""

import os
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.study.records.file_lock import try_lock
from affinecal_gui.study.stored.recovery import Recoverable, RecoveryFile, find_recoverable, remove_given_up
from affinecal_gui.study.stored.study_file import open_study
from affinecal_gui.task import Task
from tests.study.small_study import assert_same, small_result, small_state

REPOSITORY = Path(__file__).resolve().parents[2]

WINDOW = """
import sys
from pathlib import Path
from affinecal_gui.study.stored.recovery import RecoveryFile, find_recoverable
from affinecal_gui.study.snapshot import Settings
from affinecal_gui.study.state import StudyState
"""


def program(body: str, folder: Path) -> "subprocess.Popen[str]":
    """Start another program that works with the recovery folder and tells by a line when it is ready."""
    script = WINDOW + f"folder = Path({str(folder)!r})\n" + textwrap.dedent(body)
    return subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )


AUTOSAVING = """
    window = RecoveryFile(folder)
    window.save(StudyState((), Settings(seed=7)), None, original="/home/me/heat.affinecal")
    print(window.path.name, flush=True)
    sys.stdin.read()
"""


def leave_all(found: tuple[Recoverable, ...]) -> None:
    for recoverable in found:
        recoverable.leave()


def test_nothing_to_recover(tmp_path: Path) -> None:
    assert find_recoverable(tmp_path / "missing") == ()
    assert find_recoverable(tmp_path) == ()


def test_a_window_that_closes_leaves_nothing(tmp_path: Path) -> None:
    window = RecoveryFile(tmp_path)
    window.save(small_state(), small_result())
    assert window.path.exists()
    window.close()
    window.close()
    assert list(tmp_path.iterdir()) == []


def test_what_was_kept_is_the_study(tmp_path: Path) -> None:
    window = RecoveryFile(tmp_path)
    window.save(small_state(), None)
    window.save(small_state(), small_result(), original="/home/me/heat.affinecal")
    opened = open_study(window.path)
    assert_same(small_state().tables, opened.state.tables)
    assert opened.derived is not None
    assert_same(small_result().snapshot, opened.derived.snapshot)
    assert opened.manifest.original == "/home/me/heat.affinecal"
    assert opened.manifest.process == os.getpid()
    window.clear()
    assert not window.path.exists()
    window.close()


def test_the_study_of_a_running_program_is_not_offered_that_of_a_killed_one_is(tmp_path: Path) -> None:
    other = program(AUTOSAVING, tmp_path)
    try:
        assert other.stdout is not None
        name = other.stdout.readline().strip()
        assert name.startswith(f"{other.pid}-")
        assert find_recoverable(tmp_path) == ()
    finally:
        other.kill()
        other.communicate()
    (found,) = find_recoverable(tmp_path)
    assert found.path.name == name
    assert found.original == "/home/me/heat.affinecal"
    assert found.title == "heat"
    assert found.manifest.time is not None
    assert found.when.endswith(f", {found.manifest.time:%H:%M}")  # after midnight not of today
    # As long as this program offers it, another one does not.
    asking = program("print(len(find_recoverable(folder)), flush=True)", tmp_path)
    assert asking.communicate()[0].strip() == "0"
    assert find_recoverable(tmp_path) == ()
    found.leave()
    (again,) = find_recoverable(tmp_path)
    again.discard()
    assert list(tmp_path.iterdir()) == []


def test_two_windows_of_one_program_keep_two_files(tmp_path: Path) -> None:
    one, two = RecoveryFile(tmp_path), RecoveryFile(tmp_path)
    one.save(small_state(), None)
    two.save(small_state(), None)
    assert one.path != two.path
    assert find_recoverable(tmp_path) == ()
    one.close()
    assert two.path.exists()
    two.close()


def abandoned(folder: Path) -> Recoverable:
    """Return the study of a window that is gone, as it is found."""
    window = RecoveryFile(folder)
    window.save(small_state(), None)
    assert window.lock is not None
    window.lock.release(remove=False)  # as the system does
    (found,) = find_recoverable(folder)
    return found


def test_a_recovered_study_goes_on_in_its_file(tmp_path: Path) -> None:
    found = abandoned(tmp_path)
    window = RecoveryFile(tmp_path)
    window.save(small_state(), None)
    window.adopt(found)
    assert window.path == found.path
    assert [path.suffix for path in sorted(tmp_path.iterdir())] == [".affinecal", ".lock"]
    window.save(small_state(), small_result())
    assert find_recoverable(tmp_path) == ()
    window.close()
    assert list(tmp_path.iterdir()) == []


def test_who_was_cancelled_neither_writes_nor_removes(tmp_path: Path) -> None:
    window = RecoveryFile(tmp_path)
    window.save(small_state(), None)
    before = window.path.read_bytes()
    for action in (
        lambda: window.save(small_state(), small_result(), task=Task(cancelled=lambda: True)),
        lambda: window.clear(task=Task(cancelled=lambda: True)),
    ):
        with pytest.raises(Cancelled):
            action()
    assert window.path.read_bytes() == before
    window.close()


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(UserError, match=r"cannot be autosaved: .*file.* cannot be written"):
        RecoveryFile(tmp_path / "file").save(small_state(), None)
    assert find_recoverable(tmp_path / "file") == ()


def test_what_is_no_study_is_left_alone_and_crumbs_are_removed(tmp_path: Path) -> None:
    (tmp_path / "1-bad.affinecal").write_bytes(b"PK\x03\x04 half a file")
    (tmp_path / "2-alone.lock").touch()
    old, new = tmp_path / ".0123456789ab.part", tmp_path / ".456789abcdef.part"
    for part in (old, new):
        part.write_bytes(b"PK")
    os.utime(old, (time.time() - 9000, time.time() - 9000))
    assert find_recoverable(tmp_path) == ()
    left = {path.name for path in tmp_path.iterdir()}
    assert {"1-bad.affinecal", ".456789abcdef.part"} <= left <= {"1-bad.affinecal", "1-bad.lock", ".456789abcdef.part"}


def test_newest_first_and_not_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("affinecal_gui.study.stored.recovery.MOST_KEPT", 2)
    paths = []
    for age in (300, 100, 200):
        window = RecoveryFile(tmp_path)
        window.save(small_state(), None)
        os.utime(window.path, (time.time() - age, time.time() - age))
        assert window.lock is not None
        window.lock.release(remove=False)
        paths.append(window.path)
    found = find_recoverable(tmp_path)
    assert [recoverable.path for recoverable in found] == [paths[1], paths[2]]
    assert not paths[0].exists()
    leave_all(found)


def test_a_lock_belongs_to_one(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    first = try_lock(path)
    assert first is not None
    assert try_lock(path) is None
    first.release()
    first.release()
    assert not path.exists()
    second = try_lock(path)
    assert second is not None
    second.release(remove=False)
    assert path.exists()
    with pytest.raises(OSError, match="No such file"):
        try_lock(tmp_path / "missing" / "a.lock")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the script forks the program that it kills")
def test_killing_before_any_line_of_saving() -> None:
    """The same with 200 kills after random times: ``python -m tests.benchmarks.kill_saving``."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.kill_saving", "10", "2", "--at-lines"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    assert "10 kills" in done.stdout


@pytest.fixture
def slow_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[threading.Event, threading.Event]]:
    """Saving reaches a point (first event) from which on it cannot be stopped, until the disk has done (second event)."""
    reached, done = threading.Event(), threading.Event()
    flush = os.fsync

    def slow(handle: int) -> None:
        reached.set()
        done.wait(300)
        flush(handle)

    monkeypatch.setattr("affinecal_gui.files.os.fsync", slow)
    yield reached, done
    done.set()


def saving(recovery: RecoveryFile, reached: threading.Event) -> threading.Thread:
    """Begin to save in a thread, and wait until it cannot be stopped."""
    thread = threading.Thread(target=recovery.save, args=(small_state(), None))
    thread.start()
    assert reached.wait(300)
    return thread


def test_a_window_that_closes_does_not_wait_for_the_disk(
    tmp_path: Path, slow_disk: tuple[threading.Event, threading.Event]
) -> None:
    recovery = RecoveryFile(tmp_path)
    thread = saving(recovery, slow_disk[0])
    recovery.close()  # does not hang here: the disk has not done
    assert thread.is_alive()
    slow_disk[1].set()
    thread.join()
    assert list(tmp_path.iterdir()) == []  # removed by who wrote it last


def test_a_program_that_ends_while_the_disk_is_at_work_leaves_nothing_that_was_given_up(
    tmp_path: Path, slow_disk: tuple[threading.Event, threading.Event]
) -> None:
    recovery = RecoveryFile(tmp_path)
    thread = saving(recovery, slow_disk[0])
    recovery.close()
    remove_given_up()
    assert [path.suffix for path in tmp_path.iterdir()] == [".part"]  # which the end of the program removes as well
    slow_disk[1].set()
    thread.join()
