"""What stays behind when a study is loaded, calibrated and cleared, over and over, in the real window.

Run by hand: ``python -m tests.benchmarks.memory_cycles [--cycles 500] [--kinds]``. After a tenth of the cycles, which fill
caches, memory, widgets, objects and threads must not grow. Prints them at some points, and the growth of memory; ``--kinds``
says which Python objects have become more.
"""

import contextlib
import ctypes
import gc
import sys
import threading
import time
from collections import Counter
from pathlib import Path

from tests.benchmarks.monkey import resident_megabytes
from tests.benchmarks.options import Options
from tests.benchmarks.window_driving import FOLDER, rest, small_tables, spin


def give_back() -> None:
    """Let the C library return what it holds in reserve, where it can: that is no leak, but what threads leave behind."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def census() -> dict[str, float]:
    """Count what should stay the same."""
    from PySide6.QtCore import QObject
    from PySide6.QtWidgets import QApplication

    gc.collect()
    kept = resident_megabytes()
    give_back()
    objects = gc.get_objects()
    tasks = Path("/proc/self/task")
    return {
        "MB": kept,
        "MB in use": resident_megabytes(),
        "widgets": len(QApplication.allWidgets()),
        "QObjects": sum(len(widget.findChildren(QObject)) + 1 for widget in QApplication.topLevelWidgets()),
        "objects": len(objects),
        "Python threads": threading.active_count(),
        "threads": len(list(tasks.iterdir())) if tasks.is_dir() else 0,
    }


def kinds() -> "Counter[str]":
    """Count the objects of each type."""
    return Counter(f"{type(thing).__module__}.{type(thing).__qualname__}" for thing in gc.get_objects())


def main() -> int:
    """Cycle and report; the status is 1 if memory grew by more than a tenth after the warm-up."""
    options = Options(__doc__)
    options.size("--cycles", 500, 1)
    options.add_argument("--kinds", action="store_true", help="say which Python objects have become more")
    chosen = options.read()

    from PySide6.QtCore import QSettings

    from affinecal_gui.ui.parts.theme.theme_keeper import ThemeKeeper
    from affinecal_gui.ui.session.dialogs import NoDialogs
    from affinecal_gui.ui.window.main_window import MainWindow
    from tests.benchmarks.window_driving import application

    app = application(["memory_cycles"])
    settings = QSettings(str(FOLDER / "settings.ini"), QSettings.Format.IniFormat)
    window = MainWindow(ThemeKeeper(app, "light"), NoDialogs(), settings, FOLDER / "user")
    window.show()
    rest(0.5)
    spin(lambda: window.is_at_rest)
    paths = tuple(map(str, small_tables(30, 60)))
    warm = max(chosen.cycles // 10, 1)
    points = {0, 1, warm, *(chosen.cycles * share // 5 for share in (1, 2, 3, 4, 5))}
    began = time.perf_counter()
    first: dict[str, float] = {}
    before: Counter[str] = Counter()
    counts: dict[str, float] = {}
    for cycle in range(chosen.cycles + 1):
        if cycle in points:
            counts = census()
            words = "  ".join(f"{name} {count:.0f}" for name, count in counts.items())
            print(f"{cycle:5} cycles {time.perf_counter() - began:6.0f} s  {words}", flush=True)
            if cycle == warm:
                first, before = counts, kinds()
        if cycle == chosen.cycles:
            break
        window.open_files(paths)
        spin(lambda: window.session.study.snapshot().calibration is not None and window.is_at_rest, 120)
        window.session.new_study()
        spin(lambda: window.is_at_rest, 120)
    gc.unfreeze()  # what the window's own collection has set aside
    held = len(gc.get_objects())
    print(f"{gc.collect()} of {held} Python objects were garbage that had not been collected")
    if chosen.kinds:
        for name, more in (kinds() - before).most_common(25):
            print(f"  {more:7} more of {name}")
    window.close()
    if chosen.smoke:
        return 0  # the first cycles fill caches
    growth = counts["MB in use"] - first["MB in use"]
    print(
        f"from cycle {warm} to {chosen.cycles}: {growth:+.1f} MB, {1e3 * growth / (chosen.cycles - warm):+.1f} kB a cycle"
    )
    return 1 if growth > 0.1 * first["MB in use"] or counts["widgets"] > first["widgets"] else 0


if __name__ == "__main__":
    sys.exit(main())
