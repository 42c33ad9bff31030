"""A user without a plan at the real window, for many thousand actions: nothing may be raised, frozen, or said by Qt.

Run by hand: ``python -m tests.benchmarks.monkey [--events 20000] [--seed 1] [--pause 12] [--freeze 120] [--scale 1.5]
[--seconds 700]``; on a real display (``QT_QPA_PLATFORM=xcb``) with ``--compare 100``, which compares what the screen shows
with a fresh picture every 100 actions.
Prints every kind of fault with the actions before it, and how the memory went. The status is 1 if there was a fault.

Memory is told twice: what the system has given to this process, and of that what the C library has handed out (to Qt, to
NumPy, to Python's own pools). The user here never rests, so that what only a collection of everything finds stays for long
(``ui/event_loop/collector.py``); with ``--rest 1000`` mouse and keyboard are left alone for a good minute every so many
actions.
"""

import faulthandler
import os
import resource
import sys
import time
from pathlib import Path

from tests.benchmarks.options import Options
from tests.benchmarks.window_driving import FOLDER, REPOSITORY

REST = 70.0  # seconds, after which a window has looked through everything


def resident_megabytes() -> float:
    """Return the memory of this process; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * resource.getpagesize() / 1e6


def main() -> int:
    """Act and report; returns the exit status."""
    options = Options(__doc__)
    options.size("--events", 20_000, 40)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--pause", type=int, default=12, help="longest time between two actions, ms")
    options.add_argument(
        "--freeze", type=float, default=120.0, help="seconds without a turn of the event loop after which to give up"
    )
    options.add_argument("--scale", type=float, default=1.0, help="of the screen, as QT_SCALE_FACTOR")
    options.add_argument("--rest", type=int, default=0, help="actions between two rests; 0: none")
    options.add_argument(
        "--compare", type=int, default=0, help="actions between two comparisons of screen and fresh picture"
    )
    options.add_argument("--keep", type=Path, help="folder for both pictures where they differ")
    options.add_argument(
        "--seconds", type=float, default=float("inf"), help="time after which to end, whatever is done"
    )
    chosen = options.read()
    os.environ["QT_SCALE_FACTOR"] = f"{chosen.scale:g}"

    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from affinecal_gui.ui.running.memory import in_use
    from affinecal_gui.ui.running.worker import await_late_jobs
    from tests.benchmarks.window_driving import application
    from tests.ui.random_user import Faults, RandomUser, make_inputs

    app = application(["monkey"])
    app.setQuitOnLastWindowClosed(False)
    make_inputs(FOLDER, REPOSITORY)
    faults = Faults(aloud=True)
    faulthandler.enable()
    began = time.perf_counter()
    with faults.watching():
        user = RandomUser(
            FOLDER,
            faults,
            chosen.seed,
            chosen.events,
            pause=chosen.pause,
            compare=chosen.compare,
            kept=chosen.keep,
        )

        def tell() -> None:
            if chosen.rest and user.count % chosen.rest == 0:
                user.rest(REST)
            memory = f"{resident_megabytes():6.0f} MB, {in_use() / 1e6:4.0f} in use"
            done = f"{user.count:6} events {time.perf_counter() - began:7.0f} s {memory}"
            there = f"{len(QApplication.allWidgets()):5} widgets, {user.windows} windows"
            print(f"{done} {there}, {len(faults.found)} faults of {faults.kinds} kinds", flush=True)

        user.on_thousand = tell
        # Anew at every turn: a thousand actions take longer than any freeze on a machine that is busy otherwise.
        user.on_turn = lambda: faulthandler.dump_traceback_later(chosen.freeze, exit=True)
        if chosen.seconds < float("inf"):
            QTimer.singleShot(round(1000 * chosen.seconds), lambda: setattr(user, "limit", user.count))
        user.ended.connect(lambda: QApplication.exit(0))
        tell()
        with user.with_file_dialogs():
            user.start()
            app.exec()
        user.finish()
        app.processEvents()
        if not await_late_jobs(60.0):  # as the program does, with more patience
            faults.add("thread", "a job did not end within a minute after its window")
    faulthandler.cancel_dump_traceback_later()
    print(f"\nactions: {dict(user.kinds.most_common())}")
    print(f"notices: {dict(user.notices)}; windows: {user.windows}; with a result: {user.with_result}")
    print("slowest actions:", *(f"\n  {1e3 * spent:6.0f} ms {words}" for spent, words in sorted(user.slow)[-12:]))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    wall = time.perf_counter() - began
    print(
        f"{user.count} events, {user.compared} pictures compared, "
        f"{len(faults.found)} faults of {faults.kinds} kinds, {wall:.0f} s, most memory {peak:.0f} MB"
    )
    return 1 if faults.found else 0


if __name__ == "__main__":
    sys.exit(main())
