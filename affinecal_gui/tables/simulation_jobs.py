"""Polymers to simulate again, as RadonPy takes its jobs: the columns of its ``input_data.csv``."""

from collections.abc import Mapping
from dataclasses import dataclass

JOB_COLUMNS = (
    "DBID",
    "monomer_ID",
    "smiles_list",
    "copoly_ratio_list",
    "copoly_type",
    "input_tacticity",
    "temp",
    "press",
    "simulate_again_because",
)
"""All but the last are read by RadonPy; what it does not know it hands on."""


@dataclass(frozen=True, slots=True)
class SimulationJob:
    """One polymer to simulate again."""

    cells: tuple[str, ...]  # under JOB_COLUMNS

    @classmethod
    def of(cls, run: Mapping[str, str], job_id: str, reason: str) -> "SimulationJob":
        """Make a job of the input that a run was made with."""
        given = {
            **run,
            "DBID": job_id,
            # RadonPy cannot read its own input where this is empty.
            "monomer_ID": run.get("monomer_ID", "") or job_id,
            "input_tacticity": run.get("input_tacticity", "") or run.get("tacticity", ""),
            "simulate_again_because": reason,
        }
        return cls(tuple(given.get(column, "") for column in JOB_COLUMNS))
