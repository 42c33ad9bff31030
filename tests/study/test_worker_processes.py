"""Worker processes: results in order whatever happens to the workers, one item to blame, and nobody left behind."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import pytest

from affinecal_gui.errors import Cancelled
from affinecal_gui.fresh_process import FreshProcess
from affinecal_gui.study.describing import worker_pool as worker_processes
from affinecal_gui.study.describing.worker_pool import Failed, WorkersCannotStart, results_in_order
from affinecal_gui.task import Task
from tests.study.working import doubled

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals")


@pytest.fixture(autouse=True)
def workers_that_start_quickly(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    worker_processes.shut_down()
    monkeypatch.setattr(worker_processes, "NEEDED", "json")
    yield
    worker_processes.shut_down()


def chunked(items: Sequence[object], size: int = 7) -> Iterator[tuple[object, ...]]:
    waiting = iter(items)
    while chunk := tuple(islice(waiting, size)):
        yield chunk


def results(items: Sequence[object], processes: int = 1, seconds: float = 5.0) -> list[object]:
    return list(results_in_order(doubled, chunked(items), processes=processes, seconds=seconds))


@pytest.mark.parametrize("processes", [1, 2])
def test_results_come_in_order(processes: int) -> None:
    assert results(range(300), processes) == [(number, number) for number in range(300)]


def test_nothing_to_do_starts_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_processes, "FreshProcess", None)
    assert results([]) == []


def test_an_empty_chunk_is_no_end() -> None:
    def chunks() -> Iterator[tuple[int, ...]]:
        yield (1, 2)
        yield ()
        yield (3,)
        yield ()

    assert list(results_in_order(doubled, chunks(), processes=2, seconds=5)) == [(1, 1), (2, 2), (3, 3)]


@pytest.mark.parametrize("processes", [1, 2])
def test_only_the_item_that_ends_its_process_fails(processes: int) -> None:
    items: list[object] = list(range(30))
    items[10] = "die"
    found = results(items, processes)
    assert found[10] == Failed(took_too_long=False, detail="exit status 7")
    assert [found[i] for i in range(30) if i != 10] == [(i, i) for i in range(30) if i != 10]


@POSIX
def test_only_the_item_that_takes_too_long_fails() -> None:
    items: list[object] = [1, 2, "spin", 3]
    found = results(items, seconds=0.3)
    assert isinstance(found[2], Failed)
    assert found[2].took_too_long
    assert [found[0], found[1], found[3]] == [(1, 1), (2, 2), (3, 3)]


def test_an_item_that_waits_for_ever_fails_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_processes, "WAITING_FACTOR", 2)
    found = results([1, "sleep", 2], seconds=0.4)
    assert found == [(1, 1), Failed(took_too_long=True, detail=found[1].detail), (2, 2)]  # type: ignore[attr-defined]


@POSIX
def test_an_item_is_not_blamed_for_one_kill_from_outside(tmp_path: Path) -> None:
    assert results([("die once", str(tmp_path / "mark"))]) == ["die once"]


@POSIX
def test_workers_that_are_killed_lose_nothing() -> None:
    found: list[object] = []
    for result in results_in_order(doubled, chunked(range(2_000), 5), processes=2, seconds=5):
        if len(found) % 500 == 100:
            for worker in workers():
                os.kill(worker, signal.SIGKILL)
        found.append(result)
    assert found == [(number, number) for number in range(2_000)]


def workers() -> list[int]:
    children = multiprocessing.active_children()
    return [child.pid for child in children if child.name == "affinecal worker" and child.pid]


def test_a_wish_to_stop_is_granted_and_workers_are_kept() -> None:
    before = set(results(["process"] * 3))
    stop = threading.Event()
    work = results_in_order(
        doubled, chunked(["process"] * 1000, 4), processes=1, seconds=5, task=Task(cancelled=stop.is_set)
    )
    next(work)
    stop.set()
    with pytest.raises(Cancelled):
        list(work)
    assert set(results(["process"] * 3)) == before  # the worker ends its chunk and is used again


def test_results_of_what_was_stopped_never_turn_up_elsewhere() -> None:
    for size in (1, 5, 40):
        work = results_in_order(doubled, chunked(["process"] * 100, size), processes=2, seconds=5)
        next(work)
        work.close()
        assert results(range(50), 2) == [(number, number) for number in range(50)]


def test_only_so_many_items_are_taken_ahead() -> None:
    taken = 0

    def chunks() -> Iterator[tuple[object, ...]]:
        nonlocal taken
        yield ("process",)
        for number in range(100_000):
            taken += 1
            yield (number,)

    work = results_in_order(doubled, chunks(), processes=2, seconds=5)
    for given in range(1, 50):
        next(work)
        assert taken <= given + worker_processes.AHEAD
    work.close()


def test_workers_that_cannot_start_are_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_worker: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(FreshProcess, "start", refuse)
    with pytest.raises(WorkersCannotStart, match="Resource temporarily unavailable"):
        results([1])


def test_workers_that_end_while_they_start_are_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_processes, "NEEDED", "a_module_that_is_not_there")
    with pytest.raises(WorkersCannotStart, match="exit status 1"):
        results([1])


SCRIPT_WITHOUT_GUARD = """
    import sys
    sys.path[:0] = {path!r}
    print("begins")
    from tests.study.working import doubled
    from affinecal_gui.study.describing.worker_pool import results_in_order
    print(list(results_in_order(doubled, iter([(1, 2)]), processes=1, seconds=5)))
"""


@pytest.mark.parametrize("as_file", [True, False], ids=["script that starts again when imported", "no file at all"])
def test_workers_do_not_need_the_main_module(tmp_path: Path, as_file: bool) -> None:
    script = textwrap.dedent(SCRIPT_WITHOUT_GUARD).format(path=[str(Path(__file__).parents[2])])
    path = tmp_path / "script.py"
    path.write_text(script)
    words = [sys.executable, str(path)] if as_file else [sys.executable, "-"]
    done = subprocess.run(words, input=script, capture_output=True, text=True, timeout=100, check=False, cwd=tmp_path)
    assert done.stdout.splitlines() == ["begins", "[(1, 1), (2, 2)]"], done.stderr


ORPHAN = """
    import os, sys
    sys.path[:0] = {path!r}
    from tests.study.working import doubled
    from affinecal_gui.study.describing import worker_pool
    from affinecal_gui.study.describing.worker_pool import results_in_order
    worker_pool.NEEDED = "json"
    items = [(("meet", {place!r}, os.O_RDONLY),), (("meet", {place!r}, os.O_WRONLY),), ({last!r},), ({last!r},)]
    work = results_in_order(doubled, iter(items), processes=2, seconds=1.0)
    next(work), next(work)
    if {last!r} == "nothing":
        sys.stdin.read()
    list(work)
"""


@POSIX
@pytest.mark.parametrize("last", ["nothing", "spin"], ids=["idle", "never ending"])
def test_no_worker_outlives_a_killed_program(last: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "meeting")
    path = [str(Path(__file__).parents[2])]
    script = textwrap.dedent(ORPHAN).format(path=path, place=str(tmp_path / "meeting"), last=last)
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        assert len({program.stdout.readline() for _ in range(2)}) == 2
        program.kill()
        # It is the workers that write to this stream; it ends when the last of them is gone.
        program.stdout.read()
