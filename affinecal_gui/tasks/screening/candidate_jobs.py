"""The best rows of a screening as jobs for RadonPy: those that nobody has simulated yet."""

from collections.abc import Iterable, Sequence

from affinecal_gui.polymers.copolymers.composition import parse_composition
from affinecal_gui.tables.simulation_jobs import SimulationJob
from affinecal_gui.tasks.screening.identities import identity_code
from affinecal_gui.tasks.screening.results.so_far import Candidate

CONDITIONS = {"temp": "300.0", "press": "1.0"}
"""Kelvin and atmospheres: what RadonPy takes where it is told nothing."""


def to_simulate(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Leave out polymers that come again, and those that were simulated: for the library, or for the calibrator."""
    found: dict[bytes | int, Candidate] = {}
    for one in candidates:
        if one.origin != "md" and not one.known:
            found.setdefault(identity_code(one.smiles) or one.row, one)
    return list(found.values())


def candidate_jobs(candidates: Sequence[Candidate], why: str) -> list[SimulationJob]:
    """Make a job of each candidate; a copolymer names its units and their mole fractions."""
    return [_job(one, why) for one in candidates]


def _job(one: Candidate, why: str) -> SimulationJob:
    composition = parse_composition(one.smiles)
    run = {
        **CONDITIONS,
        "monomer_ID": one.id,
        "smiles_list": ",".join(unit.smiles for unit in composition.units),
        "copoly_ratio_list": ",".join(f"{fraction:.12g}" for fraction in composition.fractions),
        "copoly_type": "random" if composition.is_copolymer else "",
        "input_tacticity": "atactic",
    }
    return SimulationJob.of(run, one.id or f"row_{one.row}", why)
