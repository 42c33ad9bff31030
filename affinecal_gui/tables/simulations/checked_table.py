"""A table with a row for each run of RadonPy, such as PolyOmics: its rows and values that failed a check are set aside."""

import dataclasses
import math
from collections.abc import Mapping, Sequence

import numpy as np

from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.problems import RowProblem
from affinecal_gui.tables.raw_table import RawTable, TextColumn
from affinecal_gui.tables.simulation_jobs import JOB_COLUMNS, SimulationJob
from affinecal_gui.tables.simulations.checks import (
    CHECK_COLUMNS,
    FAILED,
    Flag,
    are_possible,
    check_columns,
    flags_of,
    may_be_other_check,
    numbers_of,
    reason_against,
    say_yes_or_no,
)
from affinecal_gui.tables.simulations.reasons import REASON_WORDS, NoValue, Reason
from affinecal_gui.tables.simulations.run_columns import value_quantity
from affinecal_gui.tables.simulations.set_aside import SetAside, advice_on
from affinecal_gui.tables.simulations.units_of_runs import with_units_of_runs
from affinecal_gui.tables.text.options import ReadOptions
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.task import UNWATCHED, Task

_CHECKS = frozenset(("check_eq", "check_tc", "do_TC"))
_OF_RADONPY = frozenset(("DBID", "UUID", "monomer_ID", "smiles_list"))

_ROWS_AT_ONCE = 5000


def columns_of_runs(raw: RawTable) -> frozenset[int]:
    """Return the columns that tell a table of runs, or what became of one: whoever leaves them out loses the checks."""
    ids = (number for number, heading in enumerate(raw.headings) if heading in _OF_RADONPY)
    return frozenset((*check_columns(raw.headings).values(), *_other_checks(raw).values(), *ids))


def with_runs_checked(raw: RawTable, options: ReadOptions, *, task: Task = UNWATCHED) -> RawTable:
    """Return a table of runs without the values that failed a check; any other table is returned itself.

    Rows that failed as a whole are listed to be rejected; of single values the cells are emptied and listed. Whatever the
    user has waved through in ``options.use_flagged`` stays, with a note. Of other programs than RadonPy only the check of the
    equilibrium is known, not the units of their values.
    """
    raw = with_units_of_runs(raw, task=task)
    checks = check_columns(raw.headings)
    is_of_runs = checks.keys() & _CHECKS or (checks and _OF_RADONPY.intersection(raw.headings))
    checks = checks if is_of_runs else _other_checks(raw)
    if not checks:
        return raw
    return _Checking(raw, checks, frozenset(options.use_flagged or ()), task).table(with_values=bool(is_of_runs))


def _other_checks(raw: RawTable) -> dict[str, int]:
    """Return the column of another program that says whether a run reached equilibrium, as that of RadonPy."""
    for number, heading in enumerate(raw.headings):
        if may_be_other_check(heading) and say_yes_or_no(set(raw.columns[number].all_cells())):
            return {"check_eq": number}
    return {}


class _Checking:
    def __init__(self, raw: RawTable, checks: Mapping[str, int], use: frozenset[str], task: Task) -> None:
        self.raw, self.checks, self.use, self.task = raw, checks, use, task
        self.tally = SetAside()
        self.problems: list[RowProblem] = []
        self.reasons: dict[int, list[str]] = {}  # by row, why a value of it is missing
        self.lines: list[int] = raw.lines.tolist()
        self.labels = self._labels()

    def table(self, *, with_values: bool) -> RawTable:
        raw = self.raw
        flags = self._flags()
        rejected = self._reject(flags)
        counted: set[tuple[int, str]] = set()
        columns = list(raw.columns)
        for number, heading in enumerate(raw.headings):
            quantity = value_quantity(heading) if with_values else None
            if quantity is not None:
                columns[number] = self._checked(heading, columns[number], quantity, flags, rejected, counted)
        if not self.problems and not self.tally.notes(raw.name):
            return raw
        return dataclasses.replace(
            raw,
            columns=tuple(columns),
            notes=(*raw.notes, *self.tally.notes(raw.name)),
            set_aside=(*raw.set_aside, *self.problems),
            again=(*raw.again, *self._jobs()),
            flagged=(*raw.flagged, *self.tally.counts()),
        )

    def _labels(self) -> TextColumn | list[int]:
        for heading in ("DBID", "monomer_ID", "UUID", "id", "name"):
            if heading in self.raw.headings and not self.raw.column(heading).are_empty():
                return self.raw.column(heading)
        return self.lines

    def _label(self, row: int) -> str:
        return shortened(str(self.labels[row])) or f"line {self.lines[row]}"

    def _flags(self) -> dict[int, tuple[Flag, ...]]:
        given = [check for check in CHECK_COLUMNS if check in self.checks]
        cells = zip(*(self.raw.columns[self.checks[check]].all_cells(task=self.task) for check in given), strict=True)
        called = {check: self.raw.headings[number] for check, number in self.checks.items()}
        found = {}
        for row, texts in enumerate(self.task.each(cells, _ROWS_AT_ONCE)):
            flags = flags_of(dict(zip(given, texts, strict=True)), called)
            if flags:
                found[row] = flags
        return found

    def _reject(self, flags: dict[int, tuple[Flag, ...]]) -> set[int]:
        rejected = set()
        for row, of_row in flags.items():
            whole = [flag for flag in of_row if not flag.conductivity_only]
            against = next((flag for flag in whole if flag.reason not in self.use), None)
            if against is not None:
                rejected.add(row)
                self.tally.add(against.reason, self._label(row))
                self._list(row, "", self._label(row), against.reason, against.sign)
            elif whole:
                self.tally.add_used(whole[0].reason)
        return rejected

    def _checked(
        self,
        heading: str,
        column: TextColumn,
        quantity: Property,
        flags: dict[int, tuple[Flag, ...]],
        rejected: set[int],
        counted: set[tuple[int, str]],
    ) -> TextColumn:
        """Return the column without the values that are set aside."""
        emptied: dict[int, str] = {}
        cells: Sequence[str] = column.all_cells(task=self.task)
        values = numbers_of(cells)
        sound = are_possible(values, quantity) & (values != FAILED) & (values != 0)
        doubtful = set(np.flatnonzero(np.isfinite(values) & ~sound).tolist())
        doubtful |= {
            row for row, of_row in flags.items() if any(f.conductivity_only and f.concerns(heading) for f in of_row)
        }
        for row in self.task.each(sorted(doubtful - rejected), _ROWS_AT_ONCE):
            text, value = cells[row], float(values[row])
            if not math.isfinite(value):
                continue
            concerning = tuple(flag for flag in flags.get(row, ()) if flag.conductivity_only and flag.concerns(heading))
            reason, sign = reason_against(heading, text, value, quantity, concerning, self.use)
            if reason is None:
                continue
            if reason in self.use:
                self.tally.add_used(reason)
                continue
            emptied[row] = ""
            if (row, reason) not in counted:
                counted.add((row, reason))
                self.tally.add(reason, self._label(row))
            self._list(row, heading, text, reason, sign)
        return TextColumn.of(emptied.get(row, cell) for row, cell in enumerate(cells)) if emptied else column

    def _list(self, row: int, heading: str, text: str, reason: Reason | NoValue, sign: str) -> None:
        why = f"{self._label(row)} {REASON_WORDS[reason]} ({shortened(sign, 80)})"
        self.reasons.setdefault(row, []).append(why)
        self.problems.append(RowProblem(self.lines[row], heading, text, why, advice_on(reason), not heading))

    def _jobs(self) -> list[SimulationJob]:
        given = [
            heading for heading in (*JOB_COLUMNS, "smiles", "smiles_1", "tacticity") if heading in self.raw.headings
        ]
        columns = [self.raw.column(heading) for heading in given]
        jobs = []
        for row in self.task.each(sorted(self.reasons)):
            run = {heading: column[row] for heading, column in zip(given, columns, strict=True)}
            run.setdefault("smiles_list", run.get("smiles", "") or run.get("smiles_1", ""))
            jobs.append(SimulationJob.of(run, self._label(row), "; ".join(dict.fromkeys(self.reasons[row]))))
        return jobs
