"""How long each stage of work on a large table keeps the interpreter to itself, and how long it does not ask whether to stop.

Run by hand: ``python -m tests.benchmarks.interpreter_kept [ROWS [COLUMNS]]``. A thread that sleeps for a millisecond again
and again notes when it comes late although the process had the processor all the time: then a single call has kept the
interpreter. Between two questions whether to stop a thread does not let the main thread go first; that is told as processor
time.
"""

import dataclasses
import gc
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import TypeVar

from affinecal_gui.calibration.results import Penalties
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.stored.recovery import RecoveryFile
from affinecal_gui.task import Task
from tests.benchmarks.large_tables import write
from tests.benchmarks.options import Options

TOLD_FROM = 0.006  # seconds
MOST_TOLD = 6  # places of each stage
_NAP = 0.001  # seconds

Made = TypeVar("Made")


def _place(frame: FrameType | None) -> str:
    names: list[str] = []
    while frame is not None and len(names) < 4:
        code = frame.f_code
        if Path(code.co_filename).stem not in ("interpreter_kept", "task"):
            names.append(f"{Path(code.co_filename).stem}.{code.co_name}:{frame.f_lineno}")
        frame = frame.f_back
    return " < ".join(names)


class Watch:
    """Watches the main thread, in which the work is done here."""

    def __init__(self) -> None:
        self._main = threading.get_ident()
        self._kept: dict[str, list[float]] = defaultdict(list)
        self._unasked: dict[str, list[float]] = defaultdict(list)
        self._last = 0.0
        self._ended = threading.Event()
        self._watching = threading.Thread(target=self._nap)

    def __enter__(self) -> "Watch":
        self._before = sys.getswitchinterval(), gc.isenabled()
        sys.setswitchinterval(2e-5)  # as the window does
        gc.disable()  # the window collects in its main thread
        self._watching.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        self._watching.join()
        sys.setswitchinterval(self._before[0])
        if self._before[1]:
            gc.enable()

    def _nap(self) -> None:
        while not self._ended.is_set():
            began, used = time.perf_counter(), time.process_time()
            time.sleep(_NAP)
            late, used = time.perf_counter() - began - _NAP, time.process_time() - used
            if late > TOLD_FROM and used > 0.8 * late:
                self._kept[_place(sys._current_frames().get(self._main))].append(late)

    def asked(self) -> bool:
        """Answer the question whether to stop."""
        now = time.thread_time()
        if threading.get_ident() == self._main:
            if now - self._last > TOLD_FROM:
                self._unasked[_place(sys._getframe(1))].append(now - self._last)
            self._last = now
        return False

    def stage(self, name: str, work: Callable[[], Made]) -> Made:
        """Do something, and tell what was seen."""
        self._kept.clear()
        self._unasked.clear()
        began = self._last = time.thread_time()
        made = work()
        print(f"\n{name}: {time.thread_time() - began:.2f} s of processor", flush=True)
        for title, found in (("kept", self._kept), ("not asked, until", self._unasked)):
            for place, times in sorted(found.items(), key=lambda item: -max(item[1]))[:MOST_TOLD]:
                print(f"    {title} {1e3 * max(times):4.0f} ms, {len(times)} times over 6 ms: {place}")
        return made


def main() -> None:
    """Go through the stages."""
    options = Options(__doc__)
    options.size("rows", 200_000, 60)
    options.size("columns", 150, 5)
    chosen = options.read()
    rows, columns = chosen.rows, chosen.columns
    with tempfile.TemporaryDirectory() as name, Watch() as watch:
        folder = Path(name)
        large, few = folder / "simulated.csv", folder / "measured.csv"
        write(large, rows, columns)
        lines = ["name,smiles,measured Cp [J/(kg K)]"]
        lines += [
            f"polymer {i},*CC(*){'C' * (i + 1)}O{'N' * (i % 7)}C,{1500 + 10 * i + 37 * (i % 5)}" for i in range(40)
        ]
        few.write_text("\n".join(lines) + "\n", encoding="utf-8")
        load = watch.stage("reading", lambda: load_tables([large], task=Task(cancelled=watch.asked)))
        alone = StudyState().with_tables(load.tables)
        first = watch.stage(
            "putting one table together", lambda: derive(alone, Derived(), task=Task(cancelled=watch.asked))
        )
        both = alone.with_tables(load_tables([few], beside=load.tables).tables)
        second = watch.stage(
            "both tables, with the calibration", lambda: derive(both, first, task=Task(cancelled=watch.asked))
        )
        moved = dataclasses.replace(
            both, settings=dataclasses.replace(both.settings, penalties=Penalties(7.0, 3.0, 1.0))
        )
        watch.stage("a refit", lambda: derive(moved, second, task=Task(cancelled=watch.asked)))
        recovery = RecoveryFile(folder / "recovery")
        watch.stage(
            "autosaving for the first time", lambda: recovery.save(both, second, task=Task(cancelled=watch.asked))
        )
        watch.stage("autosaving again", lambda: recovery.save(moved, None, task=Task(cancelled=watch.asked)))
        recovery.close()


if __name__ == "__main__":
    main()
