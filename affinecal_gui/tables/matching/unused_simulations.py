"""Why a measured polymer has no MD value though the MD table knows it: its simulation was set aside, or holds no value."""

from collections.abc import Iterator

from affinecal_gui.polymers.chain.composition_ratio import Ratio, composition_ratio
from affinecal_gui.polymers.chain.identity import PolymerIdentity
from affinecal_gui.polymers.copolymers.composition import identity_of
from affinecal_gui.polymers.copolymers.composition_text import SEPARATOR
from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit
from affinecal_gui.tables.matching.polymer_reports import ROWS_AT_ONCE, ReportedPolymers
from affinecal_gui.tables.simulation_jobs import JOB_COLUMNS
from affinecal_gui.task import Task

_UNIT, _WHY = JOB_COLUMNS.index("smiles_list"), JOB_COLUMNS.index("simulate_again_because")


class UnusedSimulations:
    """The polymers of an MD table that give no value; they are looked through when one of them is asked for."""

    def __init__(self, md: ReportedPolymers, task: Task) -> None:
        self._md, self._task = md, task
        self._by_atoms: dict[Ratio | None, list[tuple[str, str]]] | None = None  # repeat units, as written, and why

    def reason(self, name: str, smiles: str, identity: PolymerIdentity) -> str:
        """Say why a measured polymer has no partner among the polymers with a value."""
        table = self._md.table.name
        for text, why in self._like(smiles):
            if _is(text, identity):
                return f"{table} has {name}, but {why}."
        return f"{table} has no polymer with the repeat unit of {name}."

    def _like(self, smiles: str) -> Iterator[tuple[str, str]]:
        """Yield what can be the polymer by its atoms: working out the identities of a long table would take minutes."""
        if self._by_atoms is None:
            self._by_atoms = {}
            for text, why in self._task.each(self._all(), ROWS_AT_ONCE):
                self._by_atoms.setdefault(_atoms(text), []).append((text, why))
        for atoms in self._by_atoms if (own := _atoms(smiles)) is None else (own, None):
            yield from self._by_atoms.get(atoms, ())

    def _all(self) -> Iterator[tuple[str, str]]:
        for job in self._md.table.again:
            yield job.cells[_UNIT], f"its simulation was set aside: {job.cells[_WHY]}"
        lines = self._md.table.lines
        for row in self._md.without_value:
            if text := self._md.table.smiles[row]:
                yield text, f"line {lines[row]} holds no MD value of this property"


def _atoms(text: str) -> Ratio | None:
    return None if SEPARATOR in text else composition_ratio(text)


def _is(text: str, identity: PolymerIdentity) -> bool:
    try:
        return identity_of(text).key == identity.key
    except InvalidRepeatUnit:
        return False
