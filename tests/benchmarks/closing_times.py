"""How long the program takes to end when its window is closed in the middle of a job, for each kind of job.

Run by hand: ``python -m tests.benchmarks.closing_times [--times 3] [--only NAME ...]``. The real program runs and closes its
own window; what is measured is the time from the wish to close until the window is hidden, and until the process has ended.
The status is 1 if a program ended with another status than 0 or said anything.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.options import Options

PROGRAM = Path(__file__).resolve().parents[1] / "ui" / "close_during.py"
HOMES = ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
OF_NO_SCREEN = "This plugin does not support "  # said by Qt's platform without a screen
JOBS = (
    "start", "import_of_packages", "load", "describe", "fit", "bootstrap", "export_report", "export_workbook",
    "figure_preview", "matching_report", "thumbnails", "import_preview", "save", "autosave", "open",
)  # fmt: skip


def end_during(job: str) -> tuple[float, float, str]:
    """Return seconds until the window is hidden and until the program has ended, and what is wrong."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        environment = os.environ | {home: str(folder / home.lower()) for home in HOMES} | {"TMPDIR": name}
        environment.setdefault("QT_QPA_PLATFORM", "offscreen")
        environment["CLOSING_ROWS"] = "200000"  # as large as tables are; the tests content themselves with fewer
        command = [sys.executable, str(PROGRAM), job, "close", name]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
        ended = time.time()
        told = {line.split()[0]: float(line.split()[1]) for line in done.stdout.splitlines() if len(line.split()) == 2}
        said = [line for line in done.stderr.splitlines() if not line.startswith(OF_NO_SCREEN)]
        left = [path.name for path in folder.rglob("*") if path.name.endswith(".part")]
        wrong = "; ".join([*([f"status {done.returncode}"] if done.returncode else []), *said[-2:], *left])
        asked = told.get("ends", ended)
        return told.get("hidden", ended) - asked, ended - asked, wrong


def main() -> int:
    """Measure every kind of job."""
    options = Options(__doc__)
    options.size("--times", 3, 1)
    options.size("--only", [], ["start"])
    chosen = options.read()
    fine = True
    print(f"{'ms until':24}{'hidden':>9}{'worst':>9}{'ended':>9}{'worst':>9}")
    for job in JOBS:
        if chosen.only and job not in chosen.only:
            continue
        runs = [end_during(job) for _ in range(chosen.times)]
        hidden, ended = [1e3 * run[0] for run in runs], [1e3 * run[1] for run in runs]
        wrong = "; ".join(dict.fromkeys(run[2] for run in runs if run[2]))
        print(
            f"{job:24}{statistics.median(hidden):9.0f}{max(hidden):9.0f}{statistics.median(ended):9.0f}{max(ended):9.0f}"
            f"   {wrong}",
            flush=True,
        )
        fine = fine and not wrong
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
