"""Screening a library: time and memory against the number of rows and of processes, and what Dask adds.

    python -m tests.benchmarks.screen_library [rows, 2000 20000 ...] [--jobs 1 2] [--calibrator NAME.affinecal-model]
                                              [--library TABLE.csv] [--dask]

The calibrator is the combined one of the bundled heat capacities, which predicts the MD values: the library has none. Its
repeat units all differ; ``--library`` gives others, of which the first so many rows are taken. "processor" and memory are
those of ``describe_files``. With ``--dask`` each run is done again by a local cluster of as many workers; of that only what a
watch shows is told, without the time in which the workers start.
"""

import itertools
import os
import sys
import tempfile
from pathlib import Path
from shutil import rmtree

from affinecal_gui.tasks.screening.engines.dask_engine import FOR_WORKERS
from tests.benchmarks.apply_calibrator import made
from tests.benchmarks.describe_files import timed, write
from tests.benchmarks.options import Options


def main() -> None:
    """Run and report."""
    parser = Options(__doc__)
    parser.size("rows", [2_000, 20_000], [2])
    parser.size("--jobs", [1, 2], [1])
    parser.add_argument("--calibrator", type=Path, default=None, help="instead of that of the bundled heat capacities")
    parser.add_argument("--library", type=Path, default=None, help="instead of bundled repeat units with more atoms")
    parser.add_argument("--dask", action="store_true", help="also with a local Dask cluster")
    options = parser.read()
    print(f"load of the machine: {', '.join(f'{load:.1f}' for load in os.getloadavg())}; {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        calibrator = options.calibrator or made(folder, ("combined",), ("open",))[0]
        source, output = folder / "in.csv", folder / "out"
        for rows in options.rows:
            if options.library is None:
                write(source, rows, 1.0)
            else:
                with options.library.open(encoding="utf-8") as lines:
                    source.write_text("".join(itertools.islice(lines, rows + 1)), encoding="utf-8")
            words = [sys.executable, "-m", "affinecal_gui", "screen", str(source), "--calibrator", str(calibrator)]
            words += ["--output", str(output), "--quiet"]
            for jobs in options.jobs:
                report(f"{rows:>9,} rows, {jobs} jobs", rows, [*words, "--jobs", str(jobs)], output)
                if options.dask:
                    with_dask(f"{rows:>9,} rows, {jobs} workers of Dask", jobs, words, output)


def report(name: str, rows: int, words: list[str], output: Path) -> None:
    """Run a command, print what it took, and remove its output."""
    found = timed(words)
    size = sum(file.stat().st_size for file in output.rglob("*.parquet"))
    print(
        f"{name}: processor {found.processor:8.2f} s ({1e3 * found.processor / rows:6.2f} ms a row), "
        f"wall {found.wall:8.2f} s, output {size / 1e6:6.1f} MB, program {found.program:4.0f} MB, "
        f"worker {found.worker:4.0f} MB",
        flush=True,
    )
    rmtree(output)


def with_dask(name: str, jobs: int, words: list[str], output: Path) -> None:
    """Do the same with workers of Dask."""
    from distributed import LocalCluster

    os.environ.update(FOR_WORKERS)
    with LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
        found = timed([*words, "--scheduler", cluster.scheduler_address])
    print(f"{name}: wall {found.wall:8.2f} s, program {found.program:4.0f} MB", flush=True)
    rmtree(output)


if __name__ == "__main__":
    main()
