"""How long a folder of RadonPy results takes to a table, beside Python's own csv module reading the same files.

Run by hand: ``python -m tests.benchmarks.radonpy_folders [FOLDERS]``.
"""

import csv
import tempfile
import time
from pathlib import Path

from affinecal_gui.tables.reading import read_table
from tests.benchmarks.options import Options
from tests.tables.radonpy_folders import write_result


def main() -> None:
    """Measure and print."""
    options = Options(__doc__)
    options.size("folders", 1000, 5)
    count = options.read().folders
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = [
            write_result(folder, f"batch {number // 100}/P{number}", smiles_list=f"*CC(*){'C' * (number // 2 % 300)}")
            for number in range(count)
        ]
        began = time.perf_counter()
        for path in files:
            with path.open(newline="", encoding="utf-8") as file:
                list(csv.DictReader(file))
        plain = time.perf_counter() - began
        began = time.perf_counter()
        table = read_table(folder)
        took = time.perf_counter() - began
    print(f"{count:,} folders, {table.row_count:,} polymers: {took:.2f} s ({took / plain:.1f} x csv.DictReader)")


if __name__ == "__main__":
    main()
