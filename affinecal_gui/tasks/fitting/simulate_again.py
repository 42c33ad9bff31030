"""The polymers whose simulations failed a check, written as RadonPy takes its jobs."""

from collections.abc import Iterable
from pathlib import Path

from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.writing.simulation_jobs import write_simulation_jobs

SIMULATE_AGAIN = "simulate_again.csv"


def write_simulate_again(folder: Path, tables: Iterable[PolymerTable]) -> list[str]:
    """Write the polymers of all tables that are to be simulated again, if there are any, and say so."""
    jobs = [job for table in tables for job in table.again]
    if not jobs:
        return []
    write_simulation_jobs(folder / SIMULATE_AGAIN, jobs)
    count = "1 polymer lacks a value" if len(jobs) == 1 else f"{len(jobs)} polymers lack a value"
    return [f"{count} because a simulation failed a check; {SIMULATE_AGAIN} lists what to simulate again, for RadonPy."]
