"""The real window without a display, for scripts that measure it: a home of its own, scripted dialogs, waiting."""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[2]
SHARED_DATA = REPOSITORY.parent / "shared" / "data"
EXAMPLES = REPOSITORY / "resources" / "examples"

_HOME = tempfile.TemporaryDirectory(prefix="affinecal-benchmark-")
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
for _name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
    os.environ[_name] = str(Path(_HOME.name) / _name.lower())

# An installed program is compiled; so is the one that is measured, from the second run on.
sys.dont_write_bytecode = False
sys.pycache_prefix = str(Path(tempfile.gettempdir()) / "affinecal-benchmark-compiled")

FOLDER = Path(_HOME.name) / "files"
FOLDER.mkdir()


def application(words: list[str]) -> Any:
    """Return the application as the program makes it; several measurements in one process share it."""
    from affinecal_gui.ui.running.pyside_import import import_pyside

    import_pyside()
    from affinecal_gui.ui.application import make_application

    return make_application(words)


def spin(until: Callable[[], bool], seconds: float = 600.0) -> None:
    """Run the event loop, as it runs in the program, until something is true; give up after a while."""
    from PySide6.QtCore import QEventLoop, QTimer

    if until():
        return
    loop = QEventLoop()
    end = time.monotonic() + seconds
    look = QTimer(interval=20)
    look.timeout.connect(lambda: loop.quit() if until() or time.monotonic() > end else None)
    look.start()
    loop.exec()
    if not until():
        raise TimeoutError(f"the window was still at work after {seconds:g} s")


def rest(seconds: float) -> None:
    """Run the event loop for a while."""
    end = time.monotonic() + seconds
    spin(lambda: time.monotonic() >= end)


def large_tables() -> tuple[Path, Path] | None:
    """Return a table of 60 invented measured values and the table of 1,077 MD values they belong to, if that is here."""
    import csv
    import random

    source = SHARED_DATA / "PI1070.csv"
    if not source.is_file():
        return None
    chance = random.Random(5)
    with source.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["Cp"]]
    measured = FOLDER / "measured.csv"
    with measured.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["name", "smiles", "measured Cp [J/(kg K)]"])
        for number, row in enumerate(chance.sample(rows, 60)):
            value = float(row["Cp"]) * 0.45 * chance.lognormvariate(0.0, 0.1)
            writer.writerow([f"polymer {number + 1}", row["smiles"], f"{value:.1f}"])
    return measured, source


def small_tables(polymers: int = 30, library: int = 60) -> tuple[Path, Path]:
    """Return the first rows of the bundled example, for quick fits."""
    measured = (EXAMPLES / "heat_capacity_measured.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    simulated = (EXAMPLES / "md_radonpy.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    paths = FOLDER / "small measured.csv", FOLDER / "small md.csv"
    paths[0].write_text("".join(measured[: polymers + 1]), encoding="utf-8")
    paths[1].write_text("".join(simulated[: library + 1]), encoding="utf-8")
    return paths
