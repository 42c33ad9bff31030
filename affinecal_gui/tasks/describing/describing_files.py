"""The service behind ``affinecal describe``: a table of repeat units in, a table of descriptors out, row by row.

Neither table is ever in memory as a whole, and a run that was stopped, however it was stopped, can be continued. The bytes
of the result depend on the input alone: not on the number of processes, on the cache, nor on whether a run was continued.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from affinecal_gui.errors import UserError
from affinecal_gui.study.describing.describing import FORCE_FIELD, blocks_of, engine_of
from affinecal_gui.study.describing.describing_rows import DescribedCells, RowToDescribe, describe_rows
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.describing.estimates import estimates_of
from affinecal_gui.study.describing.pace import Pace
from affinecal_gui.tables.evidence.column_evidence import refuse_turned
from affinecal_gui.tables.evidence.copolymer_columns import PolymerColumns, columns_called, polymer_columns
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.row_stream import FileFacts, RowStream, StreamedRow, facts_of, open_rows
from affinecal_gui.tables.writing.csv_export import csv_bytes
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.tasks.describing.describing_tally import Tally
from affinecal_gui.tasks.reading.sheets import options_by_file
from affinecal_gui.tasks.writing.finished_rows import counting, finished_rows
from affinecal_gui.tasks.writing.own_inputs import keep_inputs
from affinecal_gui.tasks.writing.resumable_table import (
    ResumableTable,
    part_of_table,
    place_of_table,
    told_how_to_go_on,
)


def describe_file(
    source: Path,
    output: Path,
    *,
    smiles_columns: Sequence[str] = (),
    fraction_columns: Sequence[str] = (),
    sheet: str | None = None,
    jobs: int = 1,
    cache: DescriptorCache | None = None,
    overwrite: bool = False,
    resume: bool = False,
    task: Task = UNWATCHED,
) -> str:
    """Describe every row of a file.

    Parameters
    ----------
    source
        Any table with a column of repeat units, or with several and their mole fractions.
    output
        CSV with one row per input row, in order: id, smiles, the 190 descriptors, status ("ok" or "error"), message. It
        appears complete or not at all; until then its finished rows are in a file with ``.part`` at the end of its name.
    smiles_columns
        Headings of the repeat units; found from headings and contents when there are none.
    fraction_columns
        Headings of the mole fractions of copolymers; likewise.
    sheet
        Sheet of a workbook; the first that looks like a table of polymers when it is None.
    jobs
        Worker processes.
    cache
        Where results of earlier runs are found and new ones are kept; not used for files that it could not hold.
    overwrite
        Replace the output, and a part that is not continued.
    resume
        Continue the part that an earlier run of the same left behind.

    Returns
    -------
    str
        Which columns were taken where there was a choice, how many rows were described, and why the first of the others were
        not.

    Raises
    ------
    UserError
        The file cannot be read, has no such column, the output is the source, or exists already and ``overwrite``
        is false.
    Cancelled
        The run was stopped; the text says how much is finished, and how to continue.
    """
    output = place_of_table(output)
    keep_inputs((output, part_of_table(output)), (source,))
    task.report(0.0, f"Reading {source.name}")
    facts = facts_of(source, task=task)
    tally = Tally()
    with told_how_to_go_on(output, lambda: tally.rows):
        options = options_by_file(sheet, [source], task=task)[source]
        with open_rows(source, options, facts=facts, task=task) as stream:
            if not smiles_columns:
                refuse_turned(stream.sample)
            columns = _Columns.of(stream.sample, smiles_columns, fraction_columns)
            writer = ResumableTable(
                output,
                ("id", "smiles", *blocks_of(FORCE_FIELD).columns, "status", "message"),
                _made_from(facts, columns, stream),
                overwrite=overwrite,
                resume=resume,
                found=counting(tally.take_finished, task),
            )
            if cache is not None and facts.lines > cache.most_polymers:
                cache = None
            with writer:
                _describe(stream, columns, writer, tally, jobs, cache, task)
    notes = (*stream.sample.notes, *(f"{source.name}: {note}" for note in columns.notes))
    return "\n".join([*notes, tally.report(output)])


def _made_from(facts: FileFacts, columns: "_Columns", stream: RowStream) -> dict[str, str]:
    used = {**asdict(columns.polymer), "id": columns.identifier}
    sheet = {"sheet": stream.sample.sheet} if stream.sample.sheet else {}
    return {
        "input": facts.digest,
        **sheet,
        "choice of columns": json.dumps([used, stream.sample.headings]),
        "version of the program": engine_of(FORCE_FIELD),
    }


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where a row says what its polymer is, and what it is called."""

    polymer: PolymerColumns
    identifier: int | None
    notes: tuple[str, ...] = ()  # which columns were taken, where there was a choice

    @classmethod
    def of(cls, table: RawTable, smiles: Sequence[str], fractions: Sequence[str]) -> "_Columns":
        roles = guess_roles(table)
        polymer = columns_called(table, roles, smiles, fractions) if smiles or fractions else polymer_columns(roles)
        if polymer is None:
            raise UserError(
                f"{table.name} has no column of repeat units among {', '.join(table.headings[:6])}. "
                "Name it with --smiles-column."
            )
        if not smiles and not fractions and roles.refusal_of_polymers:
            raise UserError(
                f"{table.name}: {roles.refusal_of_polymers} The column to describe can be named with --smiles-column."
            )
        named = roles.first("id") or roles.first("name")
        taken = set(polymer.all)
        notes = tuple(note for column in roles.all("smiles") for note in column.notes) if not smiles else ()
        return cls(polymer, named.column if named is not None and named.column not in taken else None, notes)

    def row(self, row: StreamedRow) -> RowToDescribe:
        """Take from a row what describing it needs."""
        if row.problem:
            return RowToDescribe(row.line, "", "", f"{row.problem[:1].upper()}{row.problem[1:]}.")
        called = row.cells[self.identifier] if self.identifier is not None else ""
        return RowToDescribe(row.line, called, self.polymer.text(row.cells))


def _describe(
    stream: RowStream,
    columns: _Columns,
    writer: ResumableTable,
    tally: Tally,
    jobs: int,
    cache: DescriptorCache | None,
    task: Task,
) -> None:
    """Describe the rows that an earlier run has not finished."""
    pace = Pace(stream.first_line, stream.last_line, task)
    for number, row in enumerate(finished_rows(stream.rows, writer.lines, pace, task)):
        tally.place(number, row.line)

    def write(row: RowToDescribe, described: DescribedCells) -> None:
        cells, reason = described
        writer.add(_line(row, cells, reason))
        tally.take(row.line, row.text, reason)
        pace.report(row.line, tally.rows)

    rows: Iterator[RowToDescribe] = map(columns.row, stream.rows)
    describe_rows(rows, write, jobs=jobs, cache=cache, task=task)


def _line(row: RowToDescribe, cells: bytes | None, reason: str) -> bytes:
    if cells is None:
        nothing = [""] * len(blocks_of(FORCE_FIELD).columns)
        return csv_bytes((row.called, row.text, *nothing, "error", reason), ())
    told = csv_bytes(("ok", estimates_of(row.text)), ())
    return csv_bytes((row.called, row.text), ()).removesuffix(b"\n") + b"," + cells + b"," + told
