"""The service behind ``affinecal describe``: a table of repeat units in, a table of descriptors out, row by row.

Neither table is ever in memory as a whole, and a run that was stopped, however it was stopped, can be continued. The bytes
of the result depend on the input alone: not on the number of processes, nor on whether the run was continued.
"""

import contextlib
import csv
import itertools
import json
from collections import OrderedDict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.progress import CancelCheck, Progress, never, silent, stop_if
from affinecal_gui.study.describing import (
    CHUNK,
    FORCE_FIELD,
    SECONDS_PER_POLYMER,
    blocks_of,
    describe_text,
    engine_of,
    reason_of,
)
from affinecal_gui.study.pace import Pace
from affinecal_gui.study.resumable_table import ResumableTable, UnfinishedExists
from affinecal_gui.study.worker_processes import Failed, results_in_order
from affinecal_gui.tables.copolymer_columns import PolymerColumns, columns_called, polymer_columns
from affinecal_gui.tables.export import FileExists, csv_bytes, number_text
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.roles import guess_roles
from affinecal_gui.tables.row_stream import FileFacts, RowStream, StreamedRow, facts_of, open_rows

MOST_WAITING = 20_000  # rows that wait for one before them
REMEMBERED_BYTES = 64 << 20  # of results, so that a polymer that comes again is not described again
REASONS_SHOWN = 3

DescribedCells = tuple[bytes | None, str]
"""The cells of the descriptors as they stand in the file, or None and the reason why there are none."""


def describe_file(
    source: Path,
    output: Path,
    *,
    smiles_columns: Sequence[str] = (),
    fraction_columns: Sequence[str] = (),
    jobs: int = 1,
    overwrite: bool = False,
    resume: bool = False,
    progress: Progress = silent,
    cancelled: CancelCheck = never,
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
    jobs
        Worker processes.
    overwrite
        Replace the output, and a part that is not continued.
    resume
        Continue the part that an earlier run of the same left behind.

    Returns
    -------
    str
        How many rows were described, and why the first of the others were not.

    Raises
    ------
    UserError
        The file cannot be read, has no such column, or the output exists already and ``overwrite`` is false.
    Cancelled
        The run was stopped; the text says how much is finished, and how to continue.
    """
    progress(0.0, f"Reading {source.name}")
    facts = facts_of(source, cancelled=cancelled)
    tally = _Tally()
    try:
        with open_rows(source, facts=facts, cancelled=cancelled) as stream:
            columns = _Columns.of(stream.sample, smiles_columns, fraction_columns)
            writer = ResumableTable(
                output,
                ("id", "smiles", *blocks_of(FORCE_FIELD).columns, "status", "message"),
                _made_from(facts, columns, stream),
                overwrite=overwrite,
                resume=resume,
                found=lambda line: tally.take_finished(line, progress, cancelled),
            )
            with writer:
                _Run(stream, columns, writer, tally, progress, cancelled).describe(jobs)
    except UnfinishedExists:
        raise UserError(
            f"{output.name}.part holds rows of this very table that an earlier run has finished. Add --resume to "
            "continue it, or --overwrite to begin anew."
        ) from None
    except FileExists as error:
        raise UserError(f"{error} Name another file, or add --overwrite.") from None
    except (Cancelled, KeyboardInterrupt):
        if not tally.rows:
            raise
        raise Cancelled(
            f"Stopped with {tally.rows:,} rows finished; {output.name}.part keeps them. Add --resume to continue."
        ) from None
    return tally.report(output)


def described_cells(text: str, force_field: str = FORCE_FIELD) -> DescribedCells:
    """Describe a polymer and write its numbers as they stand in the file; runs in worker processes."""
    values, reason = describe_text(text, force_field)
    return None if values is None else ",".join(map(number_text, values.tolist())).encode(), reason


def _made_from(facts: FileFacts, columns: "_Columns", stream: RowStream) -> dict[str, str]:
    used = {"units": columns.polymer.units, "fractions": columns.polymer.fractions, "id": columns.identifier}
    return {
        "input": facts.digest,
        "choice of columns": json.dumps([used, stream.sample.headings, columns.polymer.by_weight]),
        "version of the program": engine_of(FORCE_FIELD),
    }


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where a row says what its polymer is, and what it is called."""

    polymer: PolymerColumns
    identifier: int | None

    @classmethod
    def of(cls, table: RawTable, smiles: Sequence[str], fractions: Sequence[str]) -> "_Columns":
        roles = guess_roles(table)
        polymer = columns_called(table, roles, smiles, fractions) if smiles or fractions else polymer_columns(roles)
        if polymer is None:
            raise UserError(
                f"{table.name} has no column of repeat units among {', '.join(table.headings[:6])}. "
                "Name it with --smiles-column."
            )
        named = roles.first("id") or roles.first("name")
        taken = {*polymer.units, *polymer.fractions}
        return cls(polymer, named.column if named is not None and named.column not in taken else None)


@dataclass(slots=True)
class _Tally:
    """What became of the rows, for the report."""

    rows: int = 0
    errors: int = 0
    reasons: list[str] = field(default_factory=list)
    _unplaced: list[tuple[int, str, str]] = field(default_factory=list)  # row number, polymer, reason: of which line?

    def take(self, line: int, text: str, reason: str) -> None:
        self.rows += 1
        if reason:
            self.errors += 1
            self._note(line, text, reason)

    def take_finished(self, line: bytes, progress: Progress, cancelled: CancelCheck) -> None:
        """Count a row that an earlier run has written."""
        if self.rows % 10_000 == 0:
            stop_if(cancelled)
            progress(0.0, f"Found {self.rows:,} finished rows")
        if not line.endswith(b",ok,\n"):
            self.errors += 1
            if len(self._unplaced) < REASONS_SHOWN:
                cells = next(csv.reader([line.decode("utf-8")]))
                self._unplaced.append((self.rows, cells[1], cells[-1]))
        self.rows += 1

    def place(self, number: int, line: int) -> None:
        """Learn in which line of the input a finished row stands."""
        if self._unplaced and self._unplaced[0][0] == number:
            _, text, reason = self._unplaced.pop(0)
            self._note(line, text, reason)

    def _note(self, line: int, text: str, reason: str) -> None:
        if len(self.reasons) < REASONS_SHOWN:
            self.reasons.append(f"line {line}, {text or 'empty'}: {reason}")

    def report(self, output: Path) -> str:
        lines = [f"{self.rows - self.errors} of {self.rows} rows described; written to {output}."]
        if self.errors:
            lines.append(f"{self.errors} rows have status error; the column “message” says why. The first:")
            lines += [f"  {reason}" for reason in self.reasons]
        return "\n".join(lines)


@dataclass(slots=True, eq=False)
class _Polymer:
    """A polymer of the file, and its description once there is one."""

    text: str
    described: DescribedCells | None = None


class _Run:
    """One run over the rows: each different polymer goes to the workers once, and all rows are written in order."""

    def __init__(
        self,
        stream: RowStream,
        columns: _Columns,
        writer: ResumableTable,
        tally: _Tally,
        progress: Progress,
        cancelled: CancelCheck,
    ) -> None:
        self._stream, self._columns, self._writer, self._tally = stream, columns, writer, tally
        self._cancelled = cancelled
        self._waiting: deque[tuple[StreamedRow, _Polymer]] = deque()
        self._handed_out: deque[_Polymer] = deque()
        self._known: OrderedDict[str, _Polymer] = OrderedDict()  # the latest come last
        self._known_bytes = 0
        self._pace = Pace(stream.first_line, stream.last_line, progress)

    def describe(self, jobs: int) -> None:
        """Describe the rows that are not finished yet."""
        for number, row in enumerate(itertools.islice(self._stream.rows, self._writer.lines)):
            if number % 10_000 == 0:
                stop_if(self._cancelled)
            self._tally.place(number, row.line)
            self._pace.start(row.line, number + 1)
        results = results_in_order(
            partial(described_cells, force_field=FORCE_FIELD),
            self._chunks(),
            processes=jobs,
            seconds=SECONDS_PER_POLYMER,
            cancelled=self._cancelled,
        )
        with contextlib.closing(results):
            for result in results:
                polymer = self._handed_out.popleft()
                self._finish(polymer, (None, reason_of(result)) if isinstance(result, Failed) else result)
                self._write_finished()
        self._write_finished()

    def _chunks(self) -> Iterator[tuple[str, ...]]:
        """Take rows; yield the polymers among them that were not seen before, some at a time."""
        chunk: list[str] = []
        for row in self._stream.rows:
            polymer = self._polymer_of(row)
            self._waiting.append((row, polymer))
            if polymer.described is None and polymer.text not in self._known:
                self._known[polymer.text] = polymer
                self._handed_out.append(polymer)
                chunk.append(polymer.text)
            while len(chunk) == CHUNK or len(self._waiting) > MOST_WAITING:
                self._write_finished()
                if len(chunk) == CHUNK or len(self._waiting) > MOST_WAITING:
                    yield tuple(chunk)  # none, where all rows wait for one that is being described
                    chunk = []
        yield tuple(chunk)

    def _polymer_of(self, row: StreamedRow) -> _Polymer:
        if row.problem:
            return _Polymer("", (None, f"{row.problem[:1].upper()}{row.problem[1:]}."))
        text = self._columns.polymer.text(row.cells)
        polymer = self._known.get(text)
        if polymer is None:
            return _Polymer(text)
        self._known.move_to_end(text)
        return polymer

    def _finish(self, polymer: _Polymer, described: DescribedCells) -> None:
        polymer.described = described
        self._known_bytes += _size(polymer)
        while self._known_bytes > REMEMBERED_BYTES:
            text, oldest = self._known.popitem(last=False)
            if oldest.described is None:
                self._known[text] = oldest  # is waited for
                self._known.move_to_end(text)
            else:
                self._known_bytes -= _size(oldest)

    def _write_finished(self) -> None:
        """Write the rows that wait for nothing any more."""
        while self._waiting and self._waiting[0][1].described is not None:
            row, polymer = self._waiting.popleft()
            described = polymer.described
            assert described is not None
            cells, reason = described
            identifier = self._columns.identifier
            called = row.cells[identifier] if identifier is not None and row.cells else ""
            self._writer.add(_line(called, polymer.text, cells, reason))
            self._tally.take(row.line, polymer.text, reason)
            self._pace.report(row.line, self._tally.rows)


def _size(polymer: _Polymer) -> int:
    assert polymer.described is not None
    return 400 + len(polymer.text) + len(polymer.described[0] or b"")


def _line(called: str, text: str, cells: bytes | None, reason: str) -> bytes:
    if cells is None:
        return csv_bytes((called, text, *[""] * len(blocks_of(FORCE_FIELD).columns), "error", reason), ())
    return csv_bytes((called, text), ()).removesuffix(b"\n") + b"," + cells + b",ok,\n"
