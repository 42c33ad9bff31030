"""Applying calibrator files: polymers a second and memory against the number of rows, and how long opening takes.

    python -m tests.benchmarks.apply_calibrator [rows, 1000 20000 ...] [--jobs 1 2] [--polymers TABLE.csv]

The calibrators are those of the bundled heat capacities: affine and combined, open and closed. Every line is one run of
``affinecal apply``, without a cache, on a table of rows that all differ: repeat units of the bundled table, or of the column
``smiles`` of ``--polymers``, each with a few atoms more. What takes the time is describing them: "describe" is the same table
without calibrating it. Figures are as those of ``describe_files``.
"""

import csv
import os
import statistics
import sys
import tempfile
import time
from functools import cache
from itertools import count, islice
from pathlib import Path

from affinecal_gui.study.calibrator_files.calibrator_file import open_calibrator, save_calibrator_file
from affinecal_gui.study.calibrator_files.making import calibrator_file_of
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.fitting.choices import Choices
from affinecal_gui.tasks.fitting.fitting import derive_as_told
from affinecal_gui.tasks.reading.data_files import DataFiles, read_study
from tests.benchmarks.describe_files import PARTS, report, timed
from tests.benchmarks.options import Options

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "resources" / "examples"
MODELS, GRADES = ("affine", "combined"), ("open", "closed")


def main() -> None:
    """Run and report."""
    parser = Options(__doc__)
    parser.size("rows", [1_000, 10_000], [2])
    parser.size("--jobs", [1, 2], [1])
    parser.size("--openings", 20, 2)
    parser.add_argument("--polymers", type=Path, default=EXAMPLES / "md_radonpy.csv", help="table with repeat units")
    options = parser.read()
    print(f"load of the machine: {', '.join(f'{load:.1f}' for load in os.getloadavg())}; {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        calibrators = made(folder, MODELS[:1], GRADES[:1]) if options.smoke else made(folder, MODELS, GRADES)
        for path in calibrators:
            print(
                f"{path.stem:<16} {path.stat().st_size / 1e3:6.0f} kB, opened in {opening(path, options.openings):.1f} ms"
            )
        source, output = folder / "in.csv", folder / "out.csv"
        for rows in dict.fromkeys((2, *options.rows)):
            write(source, options.polymers, rows)
            for jobs in options.jobs:
                words = [sys.executable, "-m", "affinecal_gui", "describe", str(source)]
                measured(f"{rows:>9,} rows, {jobs} jobs, describe", rows, words, jobs, output)
                for path in calibrators:
                    words = [sys.executable, "-m", "affinecal_gui", "apply", str(path), str(source)]
                    measured(f"{rows:>9,} rows, {jobs} jobs, {path.stem}", rows, words, jobs, output)


@cache
def calibrated() -> Derived:
    """Return the study of the bundled heat capacities."""
    files = DataFiles(EXAMPLES / "heat_capacity_measured.csv", EXAMPLES / "md_radonpy.csv", property_key="Cp")
    state, _ = read_study(files)
    return derive_as_told(state, Choices(), files.experiment.name)


def made(folder: Path, models: tuple[str, ...], grades: tuple[str, ...]) -> list[Path]:
    """Return calibrator files of the bundled heat capacities."""
    derived, paths = calibrated(), []
    for model in models:
        for grade in grades:
            path = folder / f"{model} {grade}.affinecal-model"
            save_calibrator_file(path, calibrator_file_of(derived, model, grade))  # type: ignore[arg-type]
            paths.append(path)
    return paths


def opening(path: Path, times: int) -> float:
    """Return the median time of opening a file, ms."""
    found = []
    for _ in range(times):
        started = time.perf_counter()
        open_calibrator(path)
        found.append(1e3 * (time.perf_counter() - started))
    return statistics.median(found)


def measured(name: str, rows: int, words: list[str], jobs: int, output: Path) -> None:
    """Run a command and print what it took."""
    report(name, rows, timed([*words, "--output", str(output), "--no-cache", "--quiet", "--jobs", str(jobs)]), output)


def write(path: Path, polymers: Path, rows: int) -> None:
    """Write a table of MD values."""
    with polymers.open(encoding="utf-8-sig", newline="") as file:
        texts = [row["smiles"] for row in csv.DictReader(file)]
    texts = [text for text in texts if text.startswith("*") and text[1] not in "=#("]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "smiles", "Cp [J/(kg K)]"])
        for number in islice(count(), rows):
            more, code = "", number // len(texts)
            while code:
                more, code = more + PARTS[code % len(PARTS)], code // len(PARTS)
            writer.writerow([f"p{number}", f"*{more}{texts[number % len(texts)][1:]}", 2500 + number % 2000])


if __name__ == "__main__":
    main()
