"""The polymers of a table that is to be calibrated: their MD values, where there are any, and their descriptors."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.errors import UserError
from affinecal_gui.polymers.chain.identity import PolymerIdentity
from affinecal_gui.polymers.copolymers.composition import identity_of
from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit
from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.study.describing.describing import FORCE_FIELD, blocks_of, describe_polymers
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.fitting.calibrating import DescribedLibrary
from affinecal_gui.tables.matching.ids import id_key
from affinecal_gui.tables.matching.matching import count_rows
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.task import UNWATCHED, Task

NO_REPEAT_UNIT = "The table gives no repeat unit for it"


@dataclass(frozen=True, slots=True, eq=False)
class Newcomers:
    """The p polymers of the table that is to be calibrated."""

    md: FloatArray  # (p,) unit of the property; nan without
    descriptors: FloatArray  # (p, d)
    problems: tuple[str, ...]  # (p,) why there are no descriptors, or why the MD value cannot be used
    far: Mapping[int, str] = field(
        default_factory=dict
    )  # whose MD value holds elsewhere than those of the fit, and why

    @property
    def unsimulated(self) -> NDArray[np.bool_]:
        """(p,) described polymers that the table has no MD value of."""
        return np.asarray(np.isnan(self.md) & np.array([not problem for problem in self.problems], dtype=bool))

    def with_problems(self, problems: Sequence[str]) -> "Newcomers":
        """Say of polymers why something is missing; what is said already stays where nothing new is."""
        told = tuple(problem or own for own, problem in zip(self.problems, problems, strict=True))
        return replace(self, problems=told)


def newcomers(
    table: PolymerTable,
    quantity: Property,
    described: DescribedLibrary,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> Newcomers:
    """Bring a table into the descriptors of the study: its own ones if they are the same columns, else computed.

    Raises
    ------
    UserError
        The study uses descriptors of its own, and the table does not have them.
    """
    columns = described.blocks.columns
    md = np.full(len(table), np.nan)
    if table.has("md", quantity.key):
        md = table.values[("md", quantity.key)].values
    if table.descriptors is not None and tuple(table.descriptor_names) == tuple(columns):
        complete = np.asarray(np.isfinite(table.descriptors).all(axis=1))
        problems = ["" if full else "It has no complete descriptors." for full in complete]
        return _with_bad_values(Newcomers(md, table.descriptors, tuple(problems)), table, quantity)
    if described.blocks != blocks_of(FORCE_FIELD):
        raise UserError(
            f"The study uses descriptors of its own ({columns[0]} ...), and {table.name} does not have these columns. Add "
            "them."
        )
    wanted = [row for row, smiles in enumerate(table.smiles) if smiles]
    computed = describe_polymers([table.smiles[row] for row in wanted], cache=cache, task=task)
    values = np.full((len(table), len(columns)), np.nan)
    values[wanted] = computed.values
    problems = [f"{NO_REPEAT_UNIT}."] * len(table)
    for row, problem in zip(wanted, computed.problems, strict=True):
        problems[row] = problem
    return _with_bad_values(Newcomers(md, values, tuple(problems)), table, quantity)


@dataclass(frozen=True, slots=True, eq=False)
class NamedByStudy:
    """A table whose polymers without a repeat unit have that of the polymer with their id in the MD table of a study."""

    table: PolymerTable
    notes: tuple[str, ...] = ()  # how many were found there
    problems: tuple[str, ...] = ()  # (p,) why none was found for a polymer; "" where one was, or none was needed


def named_by_study(assembly: Assembly, table: PolymerTable) -> NamedByStudy:
    """Give the polymers of a table that have ids alone the repeat units that the MD table of the study has for these."""
    wanted = {id_key(text) for text, smiles in zip(table.ids, table.smiles, strict=True) if text and not smiles}
    if not wanted or assembly.md_side is None:
        return NamedByStudy(table, problems=("",) * len(table))
    md = assembly.md_side.table
    known: dict[str, dict[str, str]] = {}  # by id: a repeat unit of each polymer that it names, by its identity
    for text, smiles in zip(md.ids, md.smiles, strict=True):
        if smiles and text and (key := id_key(text)) in wanted and smiles not in known.get(key, {}).values():
            identity = _identity(smiles)
            known.setdefault(key, {}).setdefault(smiles if identity is None else identity.stereo_key, smiles)
    units, problems, count = list(table.smiles), [""] * len(table), 0
    for row, text in enumerate(table.ids):
        if units[row] or not text:
            continue
        found = list(known.get(id_key(text), {}).values())
        if len(found) == 1:
            units[row], count = found[0], count + 1
        elif found:
            problems[row] = (
                f"The table gives no repeat unit for it, and its id stands for {len(found)} polymers in {md.name}."
            )
        else:
            problems[row] = f"{NO_REPEAT_UNIT}, and {md.name} has none with its id."
    notes = []
    if count:
        have, those = ("1 polymer", "that") if count == 1 else (f"{count} polymers", "those")
        notes.append(
            f"{have} of {table.name} without a repeat unit {'has' if count == 1 else 'have'} {those} that {md.name} gives "
            f"for {'its id' if count == 1 else 'their ids'}."
        )
        if count_rows(table):
            notes.append(
                f"The ids of {table.name} count its rows. If they number rows and not polymers, give repeat units instead."
            )
    return NamedByStudy(replace(table, smiles=tuple(units)), tuple(notes), tuple(problems))


def _with_bad_values(new: Newcomers, table: PolymerTable, quantity: Property) -> Newcomers:
    """Say of polymers whose MD value is written, but cannot be used, why: nothing is predicted in its place."""
    if not table.has("md", quantity.key):
        return new
    bad = {problem.line: problem.reason for problem in table.values[("md", quantity.key)].problems}
    why = (bad.get(line, "") if np.isnan(md) else "" for line, md in zip(table.lines, new.md.tolist(), strict=True))
    return new.with_problems([f"The MD value cannot be used: {reason}." if reason else "" for reason in why])


def simulated_elsewhere(assembly: Assembly, table: PolymerTable, rows: Collection[int]) -> dict[int, int]:
    """Find rows of a table whose polymer has an MD value in the study.

    Returns
    -------
    dict
        The library index of each; marks of double bonds and stereocentres must be the same.
    """
    if assembly.report is None or not len(rows):
        return {}
    library: dict[str, int] = {}
    for index, polymer in enumerate(assembly.report.library):
        if polymer.identity is not None:
            library.setdefault(polymer.identity.stereo_key, index)
    found = {}
    for row in rows:
        identity = _identity(table.smiles[row])
        if identity is not None and identity.stereo_key in library:
            found[row] = library[identity.stereo_key]
    return found


def _identity(smiles: str) -> PolymerIdentity | None:
    if not smiles:
        return None
    try:
        return identity_of(smiles)
    except InvalidRepeatUnit:
        return None
