"""Every row of the tables that has no calibrated value or took no part in the fit: where it is, what it holds, and why."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from affinecal_gui.errors import UserError
from affinecal_gui.notes import Note, detail, limited
from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.study.importing.merging import MergedTable
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.headings.role_names import Role, ValueKind
from affinecal_gui.tables.problems import RowProblem
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.writing.csv_export import PLAIN, CsvStyle, number_text, write_table

LEFT_OUT = "left_out.csv"
COLUMNS = ("file", "line", "id", "name", "smiles", "value as written", "reason")
MOST_SHOWN = 5  # reasons for which rows are faulty
MOST_LISTED = 1000  # rows, for those who want to see all


@dataclass(frozen=True, slots=True)
class LeftOutRow:
    """One row of a file that was not used."""

    file: str
    line: int  # 1-based
    id: str
    name: str
    smiles: str
    value: str  # as written in the file where that is at hand
    reason: str  # a sentence
    is_faulty: bool = False  # the row itself is why: it can be corrected in the file

    def sentence(self) -> str:
        """Say it in a line of a report."""
        label = shortened(self.name or self.id or self.smiles)
        parts = [f"{self.file}, line {self.line}", label, shortened(self.value)]
        return f"{', '.join(part for part in parts if part)}: {self.reason}"


def left_out_rows(snapshot: Snapshot, assembly: Assembly, raws: Mapping[str, RawTable]) -> tuple[LeftOutRow, ...]:
    """List the rows of all tables that were not used, in the order of the tables and their lines.

    Parameters
    ----------
    snapshot
        The finished study: tells which polymers could not be fitted, or were left out by the user.
    assembly
        What was matched with what.
    raws
        The files as read, by path; where one is missing, values are given in the unit that the program works in.
    """
    found: dict[tuple[str, int], LeftOutRow] = {}
    for loaded in assembly.tables:
        listing = _Listing(loaded.table, assembly.quantity.key, raws.get(loaded.table.path))
        for row in listing.rows(_reasons(loaded.key, loaded.table, snapshot, assembly)):
            found.setdefault((loaded.key, row.line), row)
    return tuple(found.values())


def _reasons(key: str, table: PolymerTable, snapshot: Snapshot, assembly: Assembly) -> dict[int, str | RowProblem]:
    """Return why rows of one table are left out, by line."""
    reasons: dict[int, str | RowProblem] = {}
    for problem in table.problems:
        if problem.rejects_row:
            reasons.setdefault(problem.line, problem)
    for kind in ("measured", "md"):
        if table.has(kind, assembly.quantity.key):
            for problem in table.values[(kind, assembly.quantity.key)].problems:
                reasons.setdefault(problem.line, problem)
    for side in (assembly.measured_side, assembly.md_side):
        if side is not None:
            _of_side(key, side, snapshot, assembly, reasons)
    return reasons


def _of_side(
    key: str, side: MergedTable, snapshot: Snapshot, assembly: Assembly, reasons: dict[int, str | RowProblem]
) -> None:
    own = {row: side.table.lines[row] for row, name in enumerate(side.keys) if name.startswith(f"{key}.")}
    lines = set(own.values())
    if side.table.name in (loaded.table.name for loaded in assembly.tables if loaded.key == key):
        for problem in side.left_out:
            reasons.setdefault(problem.line, _sentence(problem))
    report = assembly.report
    if report is None:
        return
    is_measured = side is assembly.measured_side
    for problem in report.measured_invalid if is_measured else report.md_invalid:
        if problem.line in lines:
            reasons.setdefault(problem.line, problem)
    for position in report.measured_without_value if is_measured else report.md_without_value:
        if position in own and not _has_value_of_other_kind(side, assembly, position, is_measured=is_measured):
            reasons.setdefault(own[position], f"It holds no value of {assembly.quantity.title.lower()}.")
    count = len(report.measured)  # measured polymer i is row i; what follows has an MD value only
    for number, row in enumerate(snapshot.rows):
        if row.state not in ("no MD value", "invalid", "left out") or (number < count) != is_measured:
            continue
        if not is_measured and row.library_index < 0:
            continue
        polymer = report.measured[number] if is_measured else report.library[row.library_index]
        reason = snapshot.told_of(row) or (
            "You left it out of the fit." if row.state == "left out" else "It could not be used."
        )
        for position in polymer.rows:
            if position in own:
                reasons.setdefault(own[position], reason)


def _sentence(problem: RowProblem) -> str:
    return f"{problem.reason[:1].upper()}{problem.reason[1:]}."


def _has_value_of_other_kind(side: MergedTable, assembly: Assembly, row: int, *, is_measured: bool) -> bool:
    """Whether a file that holds both kinds of values has one of the other kind there: that polymer has its own place."""
    column = side.table.values.get(("md" if is_measured else "measured", assembly.quantity.key))
    return column is not None and bool(np.isfinite(column.values[row]))


def raw_tables(tables: Iterable[PolymerTable]) -> dict[str, RawTable]:
    """Return the files of tables as they are written, by path; what cannot be read any more is passed over."""
    found: dict[str, RawTable] = {}
    for table in tables:
        if table.path:
            with suppress(UserError):
                found[table.path] = read_table(table.path)
    return found


class _Listing:
    """Looks up what a row of one table holds."""

    def __init__(self, table: PolymerTable, property_key: str, raw: RawTable | None) -> None:
        self.table, self.key, self.raw = table, property_key, raw
        self.kind: ValueKind = "measured" if table.has("measured", property_key) else "md"
        self.row_of = {line: row for row, line in enumerate(table.lines)}
        self.raw_row = {} if raw is None else {line: row for row, line in enumerate(raw.lines.tolist())}

    def rows(self, reasons: Mapping[int, str | RowProblem]) -> Iterator[LeftOutRow]:
        for line in sorted(reasons):
            reason = reasons[line]
            outside: dict[str, str] = {}  # what is known of a row that is in neither table
            if isinstance(reason, RowProblem):
                sentence = _sentence(reason)
                if line not in self.row_of and line not in self.raw_row:
                    outside[self._place(reason)] = reason.text
            else:
                sentence = reason
            yield LeftOutRow(
                self.table.name,
                line,
                self._text(line, "id", self.table.ids),
                outside.get("name", "") or self._text(line, "name", self.table.names),
                outside.get("smiles", "") or self._text(line, "smiles", self.table.smiles),
                outside.get("value", "") or self._value(line),
                sentence,
                isinstance(reason, RowProblem) and not reason.is_total,
            )

    def _place(self, problem: RowProblem) -> str:
        """Return what the text of a problem is: a repeat unit, a value, or else whatever names the row."""
        roles = self.table.roles
        unit = roles.first("smiles") if roles is not None else None
        if unit is not None and problem.column == unit.heading:
            return "smiles" if "*" in problem.text or problem.suggestion == "Edit the repeat unit" else "name"
        return "value" if problem.column or problem.suggestion else "name"

    def _cell(self, line: int, column: int) -> str:
        return "" if self.raw is None else self.raw.columns[column][self.raw_row[line]]

    def _text(self, line: int, role: Role, of_table: Sequence[str]) -> str:
        if line in self.row_of:
            return of_table[self.row_of[line]]
        column = self.table.roles.first(role) if self.table.roles is not None else None
        return self._cell(line, column.column) if column is not None and line in self.raw_row else ""

    def _value(self, line: int) -> str:
        roles = self.table.roles
        if line in self.raw_row and roles is not None:
            column = next((c for c in roles.values if c.quantity is not None and c.quantity.key == self.key), None)
            return "" if column is None else self._cell(line, column.column)
        values = self.table.values.get((self.kind, self.key))
        if line not in self.row_of or values is None or not np.isfinite(values.values[self.row_of[line]]):
            return ""
        unit = f" {values.quantity.unit}" if values.quantity.unit else ""
        return number_text(float(f"{values.values[self.row_of[line]]:.12g}")) + unit


def write_left_out(path: Path, rows: Iterable[LeftOutRow], *, style: CsvStyle = PLAIN, overwrite: bool = False) -> None:
    """Write the rows as CSV; see :func:`affinecal_gui.files.write_atomically` for the errors."""
    cells = ((row.file, row.line, row.id, row.name, row.smiles, row.value, row.reason) for row in rows)
    write_table(path, COLUMNS, cells, style=style, overwrite=overwrite)


def left_out_lines(rows: Sequence[LeftOutRow]) -> list[str]:
    """Say on the screen what was left out: how many rows, and which of them could be corrected in their file."""
    if not rows:
        return []
    count = f"{len(rows)} {'row was' if len(rows) == 1 else 'rows were'} left out"
    return [f"{count}; {LEFT_OUT} says which, and why.", *limited(map(_note, rows[:MOST_LISTED]), MOST_SHOWN)]


def _note(row: LeftOutRow) -> Note:
    if not row.is_faulty:
        return detail(row.sentence())
    return Note(row.sentence(), subject=f"line {row.line}", of_several=f"rows of {row.file}: {row.reason}")
