"""Runs -> one table with a row for each polymer and condition: means of its runs, their spread and number.

A value that failed a check takes no part, unless the user says so; what is left out is listed with its reason.
"""

import math
import statistics
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from affinecal_gui.polymers.copolymers.composition_text import composition_text
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.problems import RowProblem
from affinecal_gui.tables.raw_table import RawTable, TextColumn
from affinecal_gui.tables.simulation_jobs import SimulationJob
from affinecal_gui.tables.simulations.checks import flags_of, number_of, reason_against
from affinecal_gui.tables.simulations.reasons import REASON_WORDS, NoValue, Reason
from affinecal_gui.tables.simulations.result_folders import Run, find_runs
from affinecal_gui.tables.simulations.run_columns import value_quantity
from affinecal_gui.tables.simulations.set_aside import SetAside, advice_on, listed
from affinecal_gui.tables.text.options import ReadOptions
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.words import is_missing_word
from affinecal_gui.task import UNWATCHED, Task

PROBLEMS_TOLD = 20

_CONDITIONS = ("tacticity", "temp", "press", "forcefield")


def read_result_folder(path: str, name: str, options: ReadOptions, *, task: Task = UNWATCHED) -> RawTable:
    """Read a folder of RadonPy results as a table with a row for each polymer and condition.

    Parameters
    ----------
    path, name
        The folder, and what to call it.
    options
        ``use_flagged``: reasons of :data:`~affinecal_gui.tables.simulations.checks.REASONS` for which values are used all
        the same.

    Raises
    ------
    TableError
        There is no result that can be read.
    OSError
        The folder cannot be read.
    """
    found = find_runs(Path(path), task=task.part(0.0, 0.9))
    runs, copies = _without_copies(found.runs)
    notes = [f"{name}: {problem}" for problem in found.problems[:PROBLEMS_TOLD]]
    if len(found.problems) > PROBLEMS_TOLD:
        notes.append(f"{name}: {len(found.problems) - PROBLEMS_TOLD} more files cannot be used either.")
    if copies:
        notes.append(
            f"{name}: {_counted(len(copies))} the same, cell by cell, as another and counted once: {listed(copies)}."
        )
    return _Combining(runs, frozenset(options.use_flagged or ()), task).table(path, name, notes)


def _without_copies(runs: Sequence[Run]) -> tuple[list[Run], list[str]]:
    known: dict[tuple[tuple[str, str], ...], Run] = {}
    copies = []
    for run in runs:
        key = tuple(sorted(run.cells.items()))
        if key in known:
            copies.append(run.path)
        known.setdefault(key, run)
    return list(known.values()), copies


def _counted(count: int) -> str:
    return "1 result is" if count == 1 else f"{count} results are"


def _unit(run: Mapping[str, str]) -> str:
    """Return the repeat unit of a run, or the composition of a copolymer; "" where it names none."""
    units = [unit.strip() for unit in run.get("smiles_list", "").split(",") if unit.strip()]
    if not units:
        numbered = (run.get(f"smiles_{number}", "") for number in range(1, 10))
        units = [unit for unit in numbered if not is_missing_word(unit)] or [run.get("smiles", "")]
    if len(units) == 1:
        return units[0]
    return composition_text(units, [ratio.strip() for ratio in run.get("copoly_ratio_list", "").split(",")])


def _condition(text: str) -> str:
    """Return a condition as it is compared: 300 and 300.0 are the same."""
    value = number_of(text)
    return f"{value:g}" if math.isfinite(value) else text.strip()


@dataclass(slots=True)
class _Value:
    """One value of one run."""

    text: str
    value: float
    reason: Reason | NoValue | None  # None: sound
    sign: str


@dataclass(slots=True)
class _Polymer:
    """The runs of one polymer under one condition."""

    runs: list[Run] = field(default_factory=list)
    values: dict[str, list[_Value]] = field(default_factory=lambda: defaultdict(list))

    @property
    def id(self) -> str:
        ids = {run.cells.get("monomer_ID", "") for run in self.runs}
        return ids.pop() if len(ids) == 1 and "" not in ids else self.runs[0].id


class _Combining:
    def __init__(self, runs: Sequence[Run], use: Collection[str], task: Task) -> None:
        self.runs, self.use, self.task = runs, use, task
        self.quantities: dict[str, Property] = {}
        for heading in dict.fromkeys(heading for run in runs for heading in run.cells):
            quantity = value_quantity(heading)
            if quantity is not None:
                self.quantities[heading] = quantity
        self.tally = SetAside()

    def table(self, path: str, name: str, notes: Sequence[str]) -> RawTable:
        polymers: dict[tuple[str, ...], _Polymer] = defaultdict(_Polymer)
        for run in self.task.each(self.runs):
            key = (
                _unit(run.cells),
                run.cells.get("copoly_type", ""),
                *(_condition(run.cells.get(c, "")) for c in _CONDITIONS),
            )
            polymers[key].runs.append(run)
        columns: dict[str, list[str]] = {}
        for heading in ("id", "smiles", *_CONDITIONS, "folder"):
            columns[heading] = []
        for heading in self.quantities:
            for statistic in ("", "_std", "_count"):
                columns[f"{heading}{statistic}"] = []
        problems: list[RowProblem] = []
        jobs: list[SimulationJob] = []
        for line, (key, polymer) in enumerate(polymers.items(), 1):
            for run in polymer.runs:
                self._judge(polymer, run)
            cells = [polymer.id, key[0], *key[2:], listed([run.path for run in polymer.runs])]
            for heading, cell in zip(("id", "smiles", *_CONDITIONS, "folder"), cells, strict=True):
                columns[heading].append(cell)
            missing = self._combine(line, polymer, columns)
            problems += missing
            if missing:
                reason = "; ".join(dict.fromkeys(problem.reason for problem in missing))
                jobs.append(SimulationJob.of(polymer.runs[0].cells, polymer.runs[0].id, reason))
        kept = {
            heading: cells
            for heading, cells in columns.items()
            if any(cells) or heading in ("smiles", "id") or heading in self.quantities
        }
        return RawTable(
            path,
            name,
            "radonpy",
            tuple(kept),
            tuple(map(TextColumn.of, kept.values())),
            np.arange(1, len(polymers) + 1, dtype=np.int64),
            header_line=0,
            decimal=".",
            notes=(*notes, *self._summary(name, polymers)),
            set_aside=tuple(problems),
            again=tuple(jobs),
            flagged=self.tally.counts(),
        )

    def _judge(self, polymer: _Polymer, run: Run) -> None:
        flags = flags_of(run.cells)
        told: set[Reason | NoValue] = set()
        for heading, quantity in self.quantities.items():
            text = run.cells.get(heading, "")
            value = number_of(text)
            reason: Reason | NoValue | None
            if math.isfinite(value):
                reason, sign = reason_against(heading, text, value, quantity, flags, self.use)
            elif is_missing_word(text):
                continue
            else:
                reason, sign = "unreadable", f"{heading} is {text}"
            if heading == run.cut_off:
                reason, sign = "unfinished", f"the file ends within {heading}"
            if reason is not None and reason in self.use:
                self.tally.add_used(reason)
                reason = None
            polymer.values[heading].append(_Value(text, value, reason, sign))
            if reason is not None:
                told.add(reason)
        if all(is_missing_word(run.cells.get(heading, "")) for heading in self.quantities):
            told.add("pending")
        for reason in told:
            self.tally.add(reason, run.id)

    def _combine(self, line: int, polymer: _Polymer, columns: Mapping[str, list[str]]) -> list[RowProblem]:
        """Add the cells of a polymer; return the values that are missing because all that there were are set aside."""
        missing = []
        label = shortened(polymer.id)
        for heading in self.quantities:
            values = polymer.values.get(heading, [])
            sound = [value for value in values if value.reason is None]
            mean, deviation = "", ""
            if len(sound) == 1:
                mean = sound[0].text
            elif sound:
                mean = repr(statistics.fmean(value.value for value in sound))
                deviation = repr(statistics.stdev([value.value for value in sound]))
            columns[heading].append(mean)
            columns[f"{heading}_std"].append(deviation)
            columns[f"{heading}_count"].append(str(len(sound)) if sound else "")
            if values and not sound:
                first = values[0]
                assert first.reason is not None
                reason = f"{label} {REASON_WORDS[first.reason]} ({shortened(first.sign, 80)})"
                missing.append(
                    RowProblem(line, heading, first.text, reason, advice_on(first.reason), rejects_row=False)
                )
        if not polymer.values:
            reason = f"{label} {REASON_WORDS['pending']} (it holds no value yet)"
            missing.append(RowProblem(line, "", polymer.runs[0].path, reason, "Simulate it to the end"))
        return missing

    def _summary(self, name: str, polymers: Mapping[tuple[str, ...], _Polymer]) -> list[str]:
        notes = []
        repeated = sum(len(polymer.runs) > 1 for polymer in polymers.values())
        if repeated:
            what = "1 polymer has" if repeated == 1 else f"{repeated} polymers have"
            notes.append(f"{name}: {what} several results of one condition; their mean is used, with its spread.")
        return [*notes, *self.tally.notes(name)]
