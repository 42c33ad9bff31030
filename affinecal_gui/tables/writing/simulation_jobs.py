"""Writes polymers to simulate again as RadonPy takes its jobs."""

from collections.abc import Iterable
from pathlib import Path

from affinecal_gui.tables.simulation_jobs import JOB_COLUMNS, SimulationJob
from affinecal_gui.tables.writing.csv_export import write_table
from affinecal_gui.task import UNWATCHED, Task


def write_simulation_jobs(
    path: Path, jobs: Iterable[SimulationJob], *, overwrite: bool = False, task: Task = UNWATCHED
) -> None:
    """Write jobs as CSV; see :func:`affinecal_gui.files.write_atomically` for the errors.

    Numbers keep their points and cells their commas, whatever the style of other results: RadonPy reads this.
    """
    write_table(path, JOB_COLUMNS, (job.cells for job in jobs), overwrite=overwrite, task=task)
