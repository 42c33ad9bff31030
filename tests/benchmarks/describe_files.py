"""Describing files: time and memory against the number of rows, and against the number of processes.

    python -m tests.benchmarks.describe_files [rows, 1000 10000 ...] [--jobs 1 2] [--distinct 1.0] [--cache]

Every line is one run of ``affinecal describe`` on a file of its own, of repeat units that differ from row to row (with
``--distinct 0.1`` every tenth does). "processor" is the time that the program and its workers used together, so that other
work on the machine disturbs little; "wall" is what a watch shows. "start" is the same for a file of two rows, of which most
is Python and RDKit being loaded once per process. Memory is the largest resident size of the program itself and of one
worker, looked at ten times a second (Linux only). With ``--cache`` every file is described twice more, with a cache that
is empty at first.
"""

import csv
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.options import Options

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "resources" / "examples" / "md_radonpy.csv"
PARTS = ("C", "C(C)", "CO", "C(F)", "C=C", "CN", "CS")


def repeat_units(count: int, distinct: float) -> Iterator[str]:
    """Yield published repeat units, each with a few atoms more at its beginning that no other row has."""
    with EXAMPLES.open(encoding="utf-8-sig", newline="") as file:
        texts = [row["smiles"] for row in csv.DictReader(file)]
    texts = [text for text in texts if text.startswith("*") and text[1] not in "=#("]
    for number in range(count):
        number = int(number * distinct)
        more, code = "", number // len(texts)
        while code:
            more += PARTS[code % len(PARTS)]
            code //= len(PARTS)
        yield f"*{more}{texts[number % len(texts)][1:]}"


@dataclass
class Run:
    """What one run took."""

    wall: float
    processor: float
    program: float  # MB
    worker: float  # MB


def run(source: Path, output: Path, jobs: int, cache: Path | None = None) -> Run:
    """Describe a file in a program of its own."""
    words = [sys.executable, "-m", "affinecal_gui", "describe", str(source), "--output", str(output), "--quiet"]
    words += [] if cache else ["--no-cache"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)} if cache else None
    return timed([*words, "--jobs", str(jobs)], environment)


def timed(words: Sequence[str], environment: Mapping[str, str] | None = None) -> Run:
    """Run a program, and look at what it and its workers take."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    peaks = {"program": 0.0, "worker": 0.0}
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, env=environment) as program:
        watcher = threading.Thread(target=watch, args=(program, peaks))
        watcher.start()
        status = program.wait()
        wall = time.monotonic() - started
        watcher.join()
    if status:
        sys.exit(f"{words[3]} ended with status {status}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(wall, processor, peaks["program"], peaks["worker"])


def watch(program: "subprocess.Popen[bytes]", peaks: dict[str, float]) -> None:
    """Note the largest sizes until the program has ended."""
    while program.poll() is None:
        peaks["program"] = max(peaks["program"], megabytes(program.pid))
        for child in children(program.pid):
            peaks["worker"] = max(peaks["worker"], megabytes(child))
        time.sleep(0.1)


def megabytes(process: int) -> float:
    """Return the resident size of a process; 0 where it is gone, or the system does not tell."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * resource.getpagesize() / 1e6


def children(process: int) -> list[int]:
    """Return the processes that a process has started."""
    try:
        return [int(text) for text in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


def main() -> None:
    """Run and report."""
    parser = Options(__doc__)
    parser.size("rows", [1_000, 10_000], [3])
    parser.size("--jobs", [1, 2], [1])
    parser.add_argument("--distinct", type=float, default=1.0, help="share of the rows with a polymer of their own")
    parser.add_argument("--cache", action="store_true", help="also with a cache, empty and filled")
    options = parser.read()
    print(f"load of the machine: {', '.join(f'{load:.1f}' for load in os.getloadavg())}; {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory() as folder:
        source, output = Path(folder) / "in.csv", Path(folder) / "out.csv"
        for rows in options.rows if options.smoke else (2, *options.rows):
            write(source, rows, options.distinct)
            for jobs in options.jobs:
                report(f"{rows:>9,} rows, {jobs} jobs", rows, run(source, output, jobs), output)
            if options.cache and rows > 2:
                for name in ("empty", "filled"):
                    found = run(source, output, 1, Path(folder) / f"cache-{rows}")
                    report(f"{rows:>9,} rows, 1 jobs, cache {name}", rows, found, output)


def report(name: str, rows: int, found: Run, output: Path) -> None:
    """Print one line, and remove the output."""
    each = f"{1e3 * found.processor / rows:6.2f} ms a row" if rows > 2 else "      start     "
    print(
        f"{name}: processor {found.processor:8.2f} s ({each}), wall {found.wall:8.2f} s, "
        f"output {output.stat().st_size / 1e6:8.1f} MB, program {found.program:4.0f} MB, worker {found.worker:4.0f} MB",
        flush=True,
    )
    output.unlink()


def write(path: Path, rows: int, distinct: float) -> None:
    """Write the table."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "smiles"])
        writer.writerows((f"p{number}", text) for number, text in enumerate(repeat_units(rows, distinct)))


if __name__ == "__main__":
    main()
