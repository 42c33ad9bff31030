"""How long a table of 200,000 rows and 150 columns takes from the file to polymers with values.

Run by hand: ``python -m tests.benchmarks.large_tables [ROWS [COLUMNS]]``. Prints seconds, the longest silence between two
progress reports, the peak of memory, and the ratio to Python's own csv module reading the same file.
"""

import csv
import random
import resource
import tempfile
import time
from pathlib import Path

from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from affinecal_gui.task import Task
from tests.benchmarks.options import Options


def write(path: Path, rows: int, columns: int) -> None:
    """Write a table like RadonPy's: id, repeat unit, temperature and many numbers."""
    generator = random.Random(0)
    names = ["monomer_ID", "smiles", "temp", "Cp", "density"]
    names += [f"quantity {chr(97 + i % 26)}{i}x" for i in range(columns - 5)]
    tail = [",".join(f"{generator.uniform(-5, 5):.6g}" for _ in range(columns - 5)) for _ in range(500)]
    with path.open("w") as file:
        file.write(",".join(names) + "\n")
        for row in range(rows):
            branch = "C" * (row % 40 + 1)
            value = f"{generator.uniform(1500, 5000):.2f},{generator.uniform(0.8, 1.5):.5f}"
            file.write(f"PI{row},*CC(*){branch}O{'N' * (row % 7)}C,300,{value},{tail[row % 500]}\n")


class Reports:
    """Notes the longest time between two progress reports."""

    def __init__(self) -> None:
        self.last = time.perf_counter()
        self.longest = 0.0
        self.count = 0

    def __call__(self, fraction: float, sentence: str) -> None:
        now = time.perf_counter()
        self.longest = max(self.longest, now - self.last)
        self.last = now
        self.count += 1


def peak() -> float:
    """Return the most memory used so far, in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2


def main() -> None:
    """Measure and print."""
    options = Options(__doc__)
    options.size("rows", 200_000, 300)
    options.size("columns", 150, 5)
    chosen = options.read()
    rows, columns = chosen.rows, chosen.columns
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.csv"
        write(path, rows, columns)
        size = path.stat().st_size / 1e6
        print(f"{rows:,} x {columns}, {size:.0f} MB")
        start = time.perf_counter()
        with path.open(newline="") as file:
            count = sum(1 for _ in csv.reader(file))
        plain = time.perf_counter() - start
        print(f"csv.reader, rows thrown away   {plain:6.2f} s  ({count:,} lines)")
        reports = Reports()
        start = time.perf_counter()
        raw = read_table(path, task=Task(reports))
        read = time.perf_counter() - start
        print(f"read_table                     {read:6.2f} s  ({read / plain:.2f} x csv.reader), peak {peak():.2f} GB")
        start = time.perf_counter()
        roles = guess_roles(raw)
        guess = time.perf_counter() - start
        print(f"guess_roles                    {guess:6.2f} s")
        start = time.perf_counter()
        table = to_polymer_table(raw, roles, task=Task(reports))
        made = time.perf_counter() - start
        print(f"to_polymer_table               {made:6.2f} s, peak {peak():.2f} GB")
        print(f"together                       {read + guess + made:6.2f} s, {len(table):,} rows used")
        print(f"longest silence                {reports.longest:6.2f} s over {reports.count} reports")


if __name__ == "__main__":
    main()
