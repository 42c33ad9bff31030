"""How long the first window takes, against an empty window of PySide6 and one that holds an empty plot.

Run by hand: ``python -m tests.benchmarks.start_up [rounds]``. The programs are started in turn, another one first in each
round, so that the load of the machine and what a start leaves to the next meet all of them alike. Prints wall-clock and
processor time from the start of the interpreter to the first painted window: medians, and the shortest, to which nothing
else on the machine has added. All are compiled by the starts before the first that counts.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.options import Options

EMPTY = """
import os, sys, time
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication(sys.argv[:1])
window = QMainWindow()
window.resize(1500, 950)
window.show()
app.processEvents()
print(time.time(), time.process_time(), len(sys.modules))
sys.stdout.flush()
os._exit(0)
"""

WITH_PLOT = """
import os, sys, time
import pyqtgraph as pg
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication(sys.argv[:1])
window = QMainWindow()
window.setCentralWidget(pg.PlotWidget())
window.resize(1500, 950)
window.show()
app.processEvents()
print(time.time(), time.process_time(), len(sys.modules))
sys.stdout.flush()
os._exit(0)
"""

REAL = """
import os, sys, time
from affinecal_gui.__main__ import load_window, main
application = load_window()
from PySide6.QtCore import QTimer
from affinecal_gui.ui.window import main_window
def report():
    print(time.time(), time.process_time(), len(sys.modules))
    sys.stdout.flush()
    os._exit(0)
class Window(main_window.MainWindow):
    def paintEvent(self, event):
        QTimer.singleShot(0, report)  # when all of the window is painted, before what is made behind it begins
        super().paintEvent(event)
application.MainWindow = Window
main([])
"""

TARGET = 1.5


def first_window(program: str, folder: Path, compiled: bool = True) -> tuple[float, float, int]:
    """Start a program; return seconds of the clock and of the processor until its window is there, and its modules."""
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    if compiled:
        environment["PYTHONPYCACHEPREFIX"] = str(folder / "compiled")
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program is compiled, as its libraries are
    environment |= {
        name: str(folder) for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
    }
    start = time.time()
    said = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=120, check=True
    )
    shown, processor, modules = said.stdout.split()
    return float(shown) - start, float(processor), int(modules)


def main() -> None:
    """Measure and print."""
    options = Options(__doc__)
    options.size("rounds", 7, 1)
    chosen = options.read()
    rounds, begin = chosen.rounds, 1 if chosen.smoke else -1
    programs = [("empty", EMPTY), ("with a plot", WITH_PLOT), ("AffineCal", REAL)]
    with tempfile.TemporaryDirectory() as name:
        results: dict[str, list[tuple[float, float, int]]] = {title: [] for title, _ in programs}
        for number in range(begin, rounds + 1):
            programs.append(programs.pop(0))
            for title, program in programs:
                measured = first_window(program, Path(name), compiled=not chosen.smoke)
                if number > 0:  # the first starts compile, and read the files of the libraries from disk
                    results[title].append(measured)
    for way, of in (("medians", statistics.median), ("the shortest", min)):
        print(f"{'':12}{'clock, s':>12}{'processor, s':>14}{'modules':>10}   ({way} of {rounds} starts)")
        taken = {title: [of(column) for column in zip(*rows, strict=True)] for title, rows in results.items()}
        for title, (clock, processor, modules) in taken.items():
            print(f"{title:12}{clock:12.2f}{processor:14.2f}{modules:10.0f}")
        for title in ("empty", "with a plot"):
            ratios = [taken["AffineCal"][i] / taken[title][i] for i in range(2)]
            print(f"{'/ ' + title:13}{ratios[0]:11.2f}{ratios[1]:14.2f}   (target {TARGET})")


if __name__ == "__main__":
    main()
