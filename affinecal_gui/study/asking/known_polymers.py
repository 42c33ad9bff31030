"""Which polymers the tables of a study hold, by identity and by name."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from affinecal_gui.polymers.chain.identity import PolymerIdentity
from affinecal_gui.polymers.chain.same_polymer import Agreement, same_polymer
from affinecal_gui.polymers.copolymers.composition import identity_of
from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit
from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.study.snapshot import PolymerRow
from affinecal_gui.task import UNWATCHED, Task

_NOTES: dict[Agreement, str] = {
    "own marks ignored": "The tables do not mark its double bonds or stereocentres, so the marks were ignored.",
    "its marks ignored": "The tables mark its double bonds or stereocentres; here none are given.",
    "several": "The tables have it with several marks of double bonds or stereocentres: {names}. None is given here.",
    "other marks": "The tables have it only with other marks of double bonds or stereocentres: {names}.",
}
NAMES_TOLD = 4


@dataclass(frozen=True, slots=True)
class Found:
    """What the tables know of a polymer."""

    row: int = -1  # number of its row; -1 without one
    note: str = ""  # how far marks of stereochemistry agree, as a sentence


@dataclass(frozen=True, slots=True, eq=False)
class KnownPolymers:
    """The polymers of the tables, to be found quickly."""

    rows: tuple[PolymerRow, ...]
    by_chain: dict[str, list[tuple[int, PolymerIdentity]]]  # simulated ones first
    by_name: dict[str, int]  # names and ids, without capitals

    def find(self, identity: PolymerIdentity) -> Found:
        """Find a polymer by its infinite chain."""
        same_chain = self.by_chain.get(identity.key, [])
        if not same_chain:
            return Found()
        place, agreement = same_polymer(identity, [known for _, known in same_chain])
        names = ", ".join(self.rows[row].label for row, _ in same_chain[:NAMES_TOLD])
        return Found(same_chain[place][0] if place >= 0 else -1, _NOTES.get(agreement, "").format(names=names))

    def called(self, name: str) -> int:
        """Return the row of the polymer that is called so; -1 without one."""
        return self.by_name.get(name.strip().casefold(), -1)


def known_polymers(assembly: Assembly, *, task: Task = UNWATCHED) -> KnownPolymers:
    """Gather the polymers of a study."""
    by_chain: dict[str, list[tuple[int, PolymerIdentity]]] = {}
    for number, identity in task.each(_identities(assembly, task)):
        by_chain.setdefault(identity.key, []).append((number, identity))
    by_name: dict[str, int] = {}
    for number, row in enumerate(task.each(assembly.rows)):
        for name in (row.name, row.id, row.md_id, row.measured_id):
            if name:
                by_name.setdefault(name.casefold(), number)
    return KnownPolymers(assembly.rows, by_chain, by_name)


def _identities(assembly: Assembly, task: Task) -> Iterator[tuple[int, PolymerIdentity]]:
    """Yield the rows of polymers with a repeat unit; those with an MD value come first."""
    report = assembly.report
    if report is None:
        yield from _of_texts([row.smiles for row in assembly.rows], task)
        return
    for row, polymer in zip(assembly.library_rows.tolist(), report.library, strict=True):
        if polymer.identity is not None:
            yield row, polymer.identity
    for row, (polymer, library) in enumerate(zip(report.measured, assembly.measured_library.tolist(), strict=True)):
        is_told = library >= 0 and report.library[library].identity is not None
        if polymer.identity is not None and not is_told:
            yield row, polymer.identity


def _of_texts(texts: Sequence[str], task: Task) -> Iterator[tuple[int, PolymerIdentity]]:
    for row, text in enumerate(texts):
        task.check()
        try:
            yield row, identity_of(text)
        except InvalidRepeatUnit:
            continue
