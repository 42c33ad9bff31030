"""How long a study with a table of 200,000 rows and 150 columns takes to be saved, autosaved and opened.

Run by hand: ``python -m tests.benchmarks.large_saving [ROWS [COLUMNS]]``. Prints seconds by the clock, processor seconds,
the size of the file, the longest time between two questions whether to stop, and the peak of memory.
"""

import dataclasses
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from affinecal_gui.study.state import LoadedTable, StudyState
from affinecal_gui.study.stored.recovery import RecoveryFile
from affinecal_gui.study.stored.study_file import open_study, save_study
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from affinecal_gui.task import Task
from tests.benchmarks.large_tables import peak, write
from tests.benchmarks.options import Options


class Questions:
    """Notes the longest time between two questions whether to stop."""

    def __init__(self) -> None:
        self.last = time.perf_counter()
        self.longest = 0.0

    def __call__(self) -> bool:
        now = time.perf_counter()
        self.longest = max(self.longest, now - self.last)
        self.last = now
        return False


def measured(name: str, work: Callable[[Questions], object], path: Path) -> None:
    """Do something and print how long it took."""
    questions = Questions()
    began, used = time.perf_counter(), time.process_time()
    work(questions)
    questions()
    seconds, processor = time.perf_counter() - began, time.process_time() - used
    size = path.stat().st_size / 1e6
    print(
        f"{name:44}{seconds:8.2f} s{processor:8.2f} s of processor{size:8.1f} MB"
        f"   not asked for {1e3 * questions.longest:6.0f} ms   peak {peak():.2f} GB",
        flush=True,
    )


def main() -> None:
    """Measure and print."""
    options = Options(__doc__)
    options.size("rows", 200_000, 300)
    options.size("columns", 150, 5)
    chosen = options.read()
    rows, columns = chosen.rows, chosen.columns
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source, path = folder / "large.csv", folder / "large.affinecal"
        write(source, rows, columns)
        raw = read_table(source)
        table = to_polymer_table(raw, guess_roles(raw))
        del raw
        print(f"{rows} rows, {columns} columns, {source.stat().st_size / 1e6:.0f} MB as a file; peak {peak():.2f} GB")
        state = StudyState((LoadedTable("t1", table),)).with_property_settled()
        other = dataclasses.replace(state, settings=dataclasses.replace(state.settings, model="ordinary"))
        recovery = RecoveryFile(folder / "recovery")

        def save(what: StudyState) -> Callable[[Questions], object]:
            return lambda asked: save_study(path, what, overwrite=True, task=Task(cancelled=asked))

        measured("saving", save(state), path)
        measured("saving after another choice", save(other), path)
        kept = recovery.path
        measured("autosaving", lambda asked: recovery.save(state, None, task=Task(cancelled=asked)), kept)
        measured(
            "autosaving after another choice",
            lambda asked: recovery.save(other, None, task=Task(cancelled=asked)),
            kept,
        )
        measured("opening", lambda asked: open_study(path, task=Task(cancelled=asked)), path)
        recovery.close()


if __name__ == "__main__":
    main()
