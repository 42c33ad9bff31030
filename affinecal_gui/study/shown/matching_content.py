"""The matching report: what became of every row of the measured tables, and what can be done about it."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.study.importing.merging import MergedTable
from affinecal_gui.study.snapshot import MatchingChoices, Snapshot
from affinecal_gui.tables.matching.match_report import MatchLine, MatchState, match_lines
from affinecal_gui.tables.matching.matching import MatchReport
from affinecal_gui.tables.matching.polymer_reports import Polymer
from affinecal_gui.tables.matching.suggestions import suggest
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.values.filters import phases_of
from affinecal_gui.task import UNWATCHED, Task

SUGGESTED_FOR = 500
"""Polymers without partner for which a similar one is looked for; more would be a table that has no partners at all."""


class LibraryPolymer(NamedTuple):
    """A polymer with an MD value, as a partner to choose."""

    key: str  # of its first row
    label: str
    smiles: str
    value: float  # canonical unit


class Report(NamedTuple):
    """One of several reports of a measured polymer."""

    key: str  # of its row
    line: int  # of the file
    value: float  # canonical unit
    counts: bool  # whether the user wants it


@dataclass(frozen=True, slots=True)
class ReportLine:
    """One line of the report."""

    line: MatchLine
    key: str = ""  # of the measured row; "" where there is nothing to link
    partner: LibraryPolymer | None = None  # the MD polymer it is, when one was found
    candidates: tuple[LibraryPolymer, ...] = ()  # those it may be: stereoisomers, or the most similar one
    similarity: float = math.nan  # of the first candidate, 0 to 1
    reports: tuple[Report, ...] = ()  # where there are several

    @property
    def state(self) -> MatchState:
        """What became of it."""
        return self.line.state


@dataclass(frozen=True, slots=True, eq=False)
class MatchingContent:
    """Everything that the report shows."""

    lines: tuple[ReportLine, ...]
    library: tuple[LibraryPolymer, ...]
    quantity: Property
    summary: str
    choices: MatchingChoices
    counts: Mapping[MatchState, int]
    several: int = 0  # measured polymers with more than one report
    temperatures: tuple[float, float] | None = (
        None  # K, lowest and highest of the measured tables; None: no such column
    )
    phases: Mapping[str, int] | None = None  # rows by phase as written, "" where none is given; None: no such column
    notes: tuple[str, ...] = ()
    md_sources: tuple[str, ...] = ()  # how MD values from several sources lie to each other, in sentences

    @property
    def match_lines(self) -> tuple[MatchLine, ...]:
        """The lines as they are exported."""
        return tuple(line.line for line in self.lines)


def matching_content(assembly: Assembly, snapshot: Snapshot, *, task: Task = UNWATCHED) -> MatchingContent:
    """Put the report together.

    Parameters
    ----------
    assembly
        The assembled study.
    snapshot
        Tells which rows the user has left out.
    """
    temperatures, phases = _filters(assembly)
    report, measured, md = assembly.report, assembly.measured_side, assembly.md_side
    if report is None or measured is None or md is None:
        return MatchingContent(
            (), (), assembly.quantity, assembly.summary, assembly.choices, {}, 0, temperatures, phases
        )
    few = replace(report, unmatched=report.unmatched[:SUGGESTED_FOR])
    suggestions = suggest(few, measured.table, md.table, task=task)
    library = tuple(_library_polymer(md, polymer) for polymer in report.library)
    nearest = {found.measured: found for found in suggestions}
    candidates = {entry.measured: entry.candidates for entry in report.unmatched}
    left_out_lines = {(problem.line, problem.text) for problem in measured.left_out}
    lines = []
    for line in match_lines(report, measured.table, md.table, suggestions):
        if line.measured < 0:
            if line.state == "invalid" and (line.measured_lines[0], line.measured_name) in left_out_lines:
                line = replace(line, state="left out")
            lines.append(ReportLine(line))
            continue
        polymer = report.measured[line.measured]
        key = measured.keys[polymer.rows[0]]
        links = assembly.choices.links
        linked = next((measured.keys[row] for row in polymer.rows if measured.keys[row] in links), key)
        if key in snapshot.settings.left_out:
            line = replace(line, state="left out", reason=f"You left it out of the fit. {line.reason}".strip())
        found = nearest.get(line.measured)
        listed = candidates.get(line.measured, ())
        similarity = math.nan
        if not listed and found is not None:
            listed, similarity = (found.library,), found.similarity
        lines.append(
            ReportLine(
                line,
                linked if line.state == "linked by hand" else key,
                library[line.library] if line.library >= 0 else None,
                tuple(library[index] for index in listed),
                similarity,
                _reports(measured, report, polymer),
            )
        )
    return MatchingContent(
        tuple(lines),
        library,
        assembly.quantity,
        assembly.summary,
        assembly.choices,
        MappingProxyType(Counter(line.state for line in lines)),
        sum(len(polymer.rows) > 1 for polymer in report.measured),
        temperatures,
        phases,
        assembly.notes,
        tuple(one.told(assembly.quantity) for one in assembly.md_sources),
    )


def _library_polymer(md: MergedTable, polymer: Polymer) -> LibraryPolymer:
    row = polymer.rows[0]
    return LibraryPolymer(md.keys[row], md.table.label(row), md.table.smiles[row], polymer.value)


def _reports(measured: MergedTable, report: MatchReport, polymer: Polymer) -> tuple[Report, ...]:
    if len(polymer.rows) < 2:
        return ()
    column = measured.table.values[("measured", report.property_key)]
    return tuple(
        Report(measured.keys[row], measured.table.lines[row], float(column.values[row]), row not in polymer.unused_rows)
        for row in polymer.rows
    )


def _filters(assembly: Assembly) -> tuple[tuple[float, float] | None, Mapping[str, int] | None]:
    """Return temperatures and phases that occur in the measured tables, before any row is left out."""
    tables = [loaded.table for loaded in assembly.tables if loaded.table.has("measured", assembly.quantity.key)]
    known = [table.temperature[np.isfinite(table.temperature)] for table in tables if table.temperature is not None]
    kelvin = np.concatenate(known) if known else np.zeros(0)
    phases: Counter[str] = Counter()
    for table in tables:
        phases.update(phases_of(table))
    has_phases = any(table.phase is not None for table in tables)
    return (
        (float(kelvin.min()), float(kelvin.max())) if kelvin.size else None,
        MappingProxyType(dict(phases.most_common())) if has_phases else None,
    )
