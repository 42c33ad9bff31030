"""The service behind the import preview: a table as it would be read under the present choices."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from affinecal_gui.errors import UserError
from affinecal_gui.study.importing.column_choices import settled_roles
from affinecal_gui.study.importing.merging import merge_tables, wanted_rows
from affinecal_gui.study.snapshot import AS_IT_COMES
from affinecal_gui.study.state import LoadedTable
from affinecal_gui.study.table_source import ImportChoices, TableSource
from affinecal_gui.tables.advice import OTHER_COLUMN
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.headings.column_roles import ColumnRole, Roles
from affinecal_gui.tables.matching.matching import MatchReport, match
from affinecal_gui.tables.matching.unit_suspicion import suspected_unit
from affinecal_gui.tables.meaning.remembered import shape_of
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.problems import RowProblem
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.units.properties import Property, is_known_property
from affinecal_gui.tables.values.doubtful_cells import EXPLAINED
from affinecal_gui.tables.values.making_polymer_table import FAR_OFF, OWN_AT_ONCE, to_polymer_table
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.value_columns import ValueKey, cells_of
from affinecal_gui.task import UNWATCHED, Task

ROWS_SHOWN = 200
"""First rows of the table that the preview shows."""

MATCHED_AT_ONCE = 20_000
"""Rows of both sides together up to which the preview says how many polymers have a partner; working out the identity of
more would take longer than anybody waits for a preview."""

Tint = Literal["", "good", "caution", "bad"]


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """One of the first rows."""

    line: int
    cells: tuple[str, ...]
    used: bool
    tints: Mapping[int, tuple[Tint, str]]  # by column: how it is marked, and why
    read_as: Mapping[int, float]  # by value column, canonical unit; nan where there is no value


@dataclass(frozen=True, slots=True)
class PartnerCount:
    """How many polymers of the table have a value in the other tables of the study."""

    kind: Literal["check", "caution", "info"]
    sentence: str
    suspected_unit: str = ""  # of the measured values of this table
    suspicion: str = ""  # why, as a question
    column: int = -1  # that the suspicion is about


NO_COUNT = PartnerCount("info", "")


@dataclass(frozen=True, slots=True, eq=False)
class Examined:
    """What a table is under some choices. ``table`` is None where it cannot be used at all; ``error`` then says why."""

    source: TableSource
    choices: ImportChoices
    raw: RawTable  # as in the file, without the user's edits
    guess: Roles
    roles: Roles
    shape: str  # of the file as it is read without any choice
    table: PolymerTable | None
    error: str
    rows: tuple[PreviewRow, ...]
    notes: tuple[str, ...] = ()  # what was understood in cells that are more than a number, in sentences
    partners: PartnerCount = NO_COUNT
    complete: bool = True  # False: only the first rows have been looked at so far
    beside: tuple[Roles, ...] = field(default=(), repr=False)

    @property
    def used(self) -> int:
        """Number of rows that will be used."""
        return 0 if self.table is None else self.table.row_count

    @property
    def total(self) -> int:
        """Number of rows of the file."""
        return self.raw.row_count + self.raw.ragged_rows

    @property
    def problems(self) -> tuple[RowProblem, ...]:
        """Rows, and single values, that will not be used, in the order of the file."""
        return () if self.table is None else self.table.problems

    @property
    def questions(self) -> tuple[str, ...]:
        """What the file does not say."""
        return self.roles.questions

    @property
    def value_columns(self) -> tuple[ColumnRole, ...]:
        """The value columns that the preview can show as read."""
        return _shown_values(self.roles)


def examine(
    source: TableSource,
    choices: ImportChoices,
    *,
    beside: Sequence[LoadedTable] = (),
    previous: Examined | None = None,
    raw: RawTable | None = None,
    guess: Roles | None = None,
    publish: Callable[[Examined], None] = lambda _partial: None,
    task: Task = UNWATCHED,
) -> Examined:
    """Read a table as far as an import would.

    Parameters
    ----------
    source, choices
        The table, and what the user chose.
    beside
        Tables of the study already. They tell whether values are measured or from MD, and partners are counted in them.
    previous
        The result under earlier choices; what does not change is taken over.
    raw, guess
        The table as read with ``choices.options``, and its guessed roles, when they are known.
    publish
        Is handed partial results: at first the first rows of a long table, then everything but the partners.

    Raises
    ------
    UserError
        The file cannot be read.
    """
    others = tuple(
        loaded.table.roles for loaded in beside if loaded.table.roles is not None and loaded.table.path != source.path
    )
    shape = ""
    if previous is not None and previous.source == source:
        shape = previous.shape
        if raw is None and previous.choices.options == choices.options:
            raw = previous.raw
            if previous.beside == others and previous.choices.edits == choices.edits:
                guess = previous.guess
    if raw is None:
        raw = _held(source, choices, beside) or source.read(choices.options, task=task.part(0.0, 0.5))
    edited = raw.edited(choices.edits)
    if guess is None:
        task.report(0.5, f"Understanding {raw.name}")
        guess = guess_roles(edited, others=others, task=task)
    if not shape:
        shape = _shape_without_choices(source, choices, raw, task)
    roles = settled_roles(edited, guess, choices)
    made = _Made(source, choices, raw, guess, roles, shape, others)
    if raw.row_count > 5 * ROWS_SHOWN:
        publish(made.examined(edited.head(ROWS_SHOWN), task.silent, complete=False))
    found = made.examined(edited, task.part(0.6, 0.9))
    task.check()
    if found.table is None or not found.table.row_count:
        return found
    publish(found)
    partners = count_partners(found, beside, task=task.part(0.9, 1.0))
    return dataclasses.replace(found, partners=partners)


def _held(source: TableSource, choices: ImportChoices, beside: Sequence[LoadedTable]) -> RawTable | None:
    """Return the cells of the file that its table in the study still holds, if reading it would give the same.

    Of a large file they are read in seconds and take hundreds of megabytes.
    """
    cells = next((cells_of(loaded.table.values) for loaded in beside if loaded.table.path == source.path), None)
    if cells is None or cells.origin is None or cells.origin != source.origin(choices.options):
        return None
    return cells


def _shape_without_choices(source: TableSource, choices: ImportChoices, raw: RawTable, task: Task) -> str:
    """Return the shape by which the file will be known the next time it is read, before anything is chosen."""
    if not choices.options.chosen:
        return shape_of(raw)
    try:
        return shape_of(source.read(task=task.silent))
    except UserError:
        return shape_of(raw)


@dataclass(frozen=True, slots=True, eq=False)
class _Made:
    """The parts of a result that do not depend on how many rows are looked at."""

    source: TableSource
    choices: ImportChoices
    raw: RawTable
    guess: Roles
    roles: Roles
    shape: str
    beside: tuple[Roles, ...]

    def examined(self, rows: RawTable, task: Task, *, complete: bool = True) -> Examined:
        """Read rows by the roles."""
        table, error = None, ""
        try:
            table = to_polymer_table(rows, self.roles, allow_empty=True, task=task)
        except UserError as problem:
            error = str(problem)
        return Examined(
            self.source,
            self.choices,
            self.raw,
            self.guess,
            self.roles,
            self.shape,
            table,
            error,
            _preview_rows(rows, self.roles, table, _typed_cells(self.raw, self.choices)),
            _notes(self.roles, table) if table is not None else (),
            complete=complete,
            beside=self.beside,
        )


def _shown_values(roles: Roles) -> tuple[ColumnRole, ...]:
    known = tuple(column for column in roles.values if column.is_known)
    return known or roles.values[:OWN_AT_ONCE]


def value_key(column: ColumnRole) -> ValueKey:
    """Return by what a table knows the values of a column."""
    assert column.quantity is not None
    return ("md" if column.role == "md" else "measured", column.quantity.key)


def _typed_cells(file: RawTable, choices: ImportChoices) -> dict[tuple[int, int], str]:
    """Return which cells of the first rows the user typed, by line and column, and what the file has in their place."""
    row_of = {line: row for row, line in enumerate(file.lines[:ROWS_SHOWN].tolist())}
    typed = {}
    for line, heading, text in choices.edits:
        if line in row_of and heading in file.headings:
            number = file.headings.index(heading)
            written = file.columns[number][row_of[line]]
            if text.strip() != written:
                typed[line, number] = f"typed in place of “{written}”" if written else "typed into an empty cell"
    return typed


def _preview_rows(
    raw: RawTable, roles: Roles, table: PolymerTable | None, typed: Mapping[tuple[int, int], str]
) -> tuple[PreviewRow, ...]:
    count = min(raw.row_count, ROWS_SHOWN)
    head = raw.head(count)
    lines = [int(line) for line in head.lines]
    number_of = {heading: number for number, heading in enumerate(raw.headings)}
    tints: dict[int, dict[int, tuple[Tint, str]]] = {line: {} for line in lines}
    values: dict[int, dict[int, float]] = {line: {} for line in lines}
    used: set[int] = set()
    if table is not None:
        used = set(table.lines[:count])  # in the order of the file: these are all that can be among the first rows
        columns = {column.column: table.values.get(value_key(column)) for column in _shown_values(roles)}
        for row, line in enumerate(table.lines[:count]):
            if line not in tints:
                continue
            for number, column in columns.items():
                if column is None or column.heading != raw.headings[number]:
                    continue
                values[line][number] = float(column.values[row])
                if row in column.notes:
                    tints[line][number] = ("caution", column.notes[row])
        for problem in table.problems:
            if problem.line in tints and problem.column in number_of:
                tints[problem.line][number_of[problem.column]] = ("bad", problem.reason)
    for (line, number), reason in typed.items():
        if line in tints:
            tints[line].setdefault(number, ("good", reason))
    cells = [column[:count] for column in head.columns]
    return tuple(
        PreviewRow(
            line,
            tuple(column[row] for column in cells),
            table is None or line in used,
            MappingProxyType(tints[line]),
            MappingProxyType(values[line]),
        )
        for row, line in enumerate(lines)
    )


def _notes(roles: Roles, table: PolymerTable) -> tuple[str, ...]:
    """Say how cells were read that are more than a plain number, and what was put right while reading."""
    sentences = []
    for column in _shown_values(roles):
        values = table.values.get(value_key(column))
        if values is None or values.heading != column.heading or not values.notes:
            continue
        groups: dict[str, list[int]] = {}
        for row, note in values.notes.items():
            for part in note.split(", "):
                if part == FAR_OFF or part in EXPLAINED:
                    continue  # a remark of the column says more
                kind = (
                    "a footnote mark, read without it"
                    if part.startswith("read without")
                    else _NOTE_WORDS.get(part, part)
                )
                groups.setdefault(kind, []).append(table.lines[row])
        for kind, lines in groups.items():
            where = f"line{'s' if len(lines) > 1 else ''} {_listed(lines)}"
            carries = "carries" if len(lines) == 1 else "carry"
            verb = carries if kind.startswith("a footnote") else "is" if len(lines) == 1 else "are"
            sentences.append(f"{len(lines)} value{'s' if len(lines) > 1 else ''} {verb} {kind} ({where}).")
    keys = [value_key(column) for column in _shown_values(roles)]
    remarks = [remark for key in dict.fromkeys(keys) if key in table.values for remark in table.values[key].remarks]
    # Who looks at the preview chooses above the columns.
    return (*table.notes, *(remark.removesuffix(OTHER_COLUMN).rstrip() for remark in remarks), *sentences)


_NOTE_WORDS: Mapping[str, str] = {
    "value with its range": "given with a range, taken as its uncertainty",
}


def _listed(lines: Sequence[int]) -> str:
    ordered = sorted(lines)
    if len(ordered) <= 3:
        return " and ".join(", ".join(map(str, ordered)).rsplit(", ", 1))
    return ", ".join(map(str, ordered[:3])) + " …"


def count_partners(
    found: Examined,
    beside: Sequence[LoadedTable],
    *,
    task: Task = UNWATCHED,
) -> PartnerCount:
    """Count the polymers that have a value of the other kind in the tables of the study."""
    table = found.table
    assert table is not None
    others = [loaded for loaded in beside if loaded.table.path != table.path]
    for own, other in (("measured", "md"), ("md", "measured")):
        for quantity in table.properties(own):  # type: ignore[arg-type]
            if table.has(other, quantity.key):  # type: ignore[arg-type]
                continue
            try:
                partner = merge_tables(wanted_rows(others, AS_IT_COMES), other, quantity)  # type: ignore[arg-type]
            except UserError as problem:  # their units cannot be converted
                return PartnerCount("caution", str(problem))
            if partner is None:
                continue
            if len(table) + len(partner.table) > MATCHED_AT_ONCE:
                return PartnerCount("info", "Which of them have a partner is worked out after the import.")
            measured, md = (table, partner.table) if own == "measured" else (partner.table, table)
            report = match(measured, md, quantity.key, task=task)
            if own == "md":
                return _counted(
                    len(report.links), len(report.measured), f"measured polymers of {partner.table.name}", "here"
                )
            return _with_suspicion(
                _counted(len(report.links), len(report.measured), "polymers", f"in {partner.table.name}"),
                report,
                found,
                quantity,
            )
    return NO_COUNT


def _counted(found: int, total: int, what: str, where: str) -> PartnerCount:
    verb = "has" if found == 1 else "have"
    number = "None" if found == 0 else str(found)
    return PartnerCount(
        "check" if found else "caution", f"{number} of these {total} {what} {verb} an MD value {where}."
    )


def _with_suspicion(count: PartnerCount, report: MatchReport, found: Examined, quantity: Property) -> PartnerCount:
    table = found.table
    assert table is not None
    if found.roles.first("unit") is not None:
        return count
    suspicion = suspected_unit(report, table)
    number = next(
        (
            c.column
            for c in found.roles.values
            if c.role == "measured" and c.quantity and c.quantity.key == quantity.key
        ),
        -1,
    )
    if suspicion is None or number < 0:
        return count
    return dataclasses.replace(count, suspected_unit=suspicion.unit, suspicion=suspicion.sentence, column=number)


REMARKS_TOLD = 2
"""Remarks about a table that are told when it is loaded; all of them stand in the preview."""


def doubts_about(table: PolymerTable, property_key: str) -> str:
    """Say what was assumed of a table that is loaded without asking, where its numbers would be wrong if that were not so.

    Simulated values usually have no units in their headings; that alone is not worth a message.

    Parameters
    ----------
    property_key
        The property in use: what concerns the others is :func:`other_doubts`.
    """
    notes = tuple(named(table, note) for note in table.notes)
    listed = (*notes, *_doubts(table, lambda key: key == property_key))
    more = len(listed) - REMARKS_TOLD
    told = " ".join(listed[:REMARKS_TOLD])
    return told + (f" {more} more: see Adjust… in the list of tables." if more > 0 else "")


def other_doubts(table: PolymerTable, property_key: str) -> tuple[str, ...]:
    """Return the sentences like those of :func:`doubts_about` that concern other known properties than the one in use."""
    return _doubts(table, lambda key: key != property_key)


def _doubts(table: PolymerTable, concerns: Callable[[str], bool]) -> tuple[str, ...]:
    remarks = [
        remark
        for kind, key in table.values
        if is_known_property(key) and concerns(key)  # the others may not be read yet, which is no work for this moment
        for remark in table.values[(kind, key)].remarks
        if kind == "measured" or not remark.startswith("No unit is named")
    ]
    return tuple(named(table, remark) for remark in dict.fromkeys(remarks))


def named(table: PolymerTable, remark: str) -> str:
    """Return a remark about a table as it can stand beside those of other tables."""
    return remark if table.name in remark else f"{table.name}: {remark}"


def summary_of_table(table: PolymerTable, property_key: str = "") -> str:
    """Say in one line what was loaded: "measured.csv: 81 rows with measured Cp, J/(kg K); 3 rows not used.".

    Of many properties the one in use is named, where the table has it.
    """
    parts = []
    for kind, word in (("measured", "measured"), ("md", "MD")):
        found = sorted(table.properties(kind), key=lambda quantity: quantity.key != property_key)  # type: ignore[arg-type]
        if found:
            unit = f" in {found[0].unit}" if found[0].unit else ""
            written = table.values[(kind, found[0].key)].unit_as_written if found[0].is_known else ""  # type: ignore[index]
            if written and written != found[0].unit:
                unit = f" in {shortened(written)}"
            more = f" and {len(found) - 1} more" if len(found) > 1 else ""
            parts.append(f"{word} {shortened(found[0].symbol)}{unit}{more}")
    if table.descriptors is not None:
        parts.append(f"{len(table.descriptor_names)} descriptors")
    rows = f"{table.row_count:,} {'row' if table.row_count == 1 else 'rows'}"
    text = f"{table.name}: {rows} with {' and '.join(parts) or 'repeat units'}"
    if table.rows_rejected:
        text += f"; {table.rows_rejected:,} {'row' if table.rows_rejected == 1 else 'rows'} not used"
    return text + "."
