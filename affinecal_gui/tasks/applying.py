"""The service behind ``affinecal apply``: a calibrator file and a table of MD values in, calibrated values out, row by row.

Neither table is ever in memory as a whole if it is long, and a run that was stopped can be continued, as one that describes.
"""

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from affinecal_gui.calibration.names import calibrator_name
from affinecal_gui.errors import UserError
from affinecal_gui.notes import Note
from affinecal_gui.study.calibrator_files.calibrator_file import CalibratorFile, open_calibrator
from affinecal_gui.study.describing.describing import FORCE_FIELD, blocks_of, engine_of
from affinecal_gui.study.describing.describing_rows import DescribedCells, RowToDescribe, describe_rows
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.describing.pace import Pace
from affinecal_gui.study.importing.unit_doubts import unit_notes_of
from affinecal_gui.study.words.validity_words import NO_VALUE, range_sentence
from affinecal_gui.tables.row_stream import FileFacts, facts_of
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.writing.csv_export import PREDICTION_COLUMNS, csv_line, prediction_cells
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.tasks.applying_tally import ApplyingTally
from affinecal_gui.tasks.own_inputs import keep_inputs
from affinecal_gui.tasks.predicted_rows import Prediction, predicted_row, without_md_value
from affinecal_gui.tasks.resumable_table import ResumableTable, part_of_table, place_of_table, told_how_to_go_on
from affinecal_gui.tasks.rows_to_apply import RowToApply, TableToApply, open_table
from affinecal_gui.tasks.sheets import options_by_file
from affinecal_gui.tasks.tables_read import columns_taken, remarks_of

ROWS_TOGETHER = 1_000
"""Rows that are calibrated at once: enough for what is done once for all of them not to count."""

ROWS_BETWEEN_CHECKS = 10_000  # of rows that are only counted


def apply_file(
    calibrator: Path,
    source: Path,
    output: Path,
    *,
    sheet: str | None = None,
    jobs: int = 1,
    cache: DescriptorCache | None = None,
    overwrite: bool = False,
    resume: bool = False,
    task: Task = UNWATCHED,
) -> list[str]:
    """Calibrate the MD values of a table with a calibrator file, and write one row for each row of it, in order.

    Parameters
    ----------
    calibrator
        A ``.affinecal-model`` file.
    source
        Table of MD values of the property that it calibrates.
    output
        CSV with the columns of ``predictions.csv``. It appears complete or not at all; until then its finished rows are in a
        file with ``.part`` at the end of its name.
    sheet
        Sheet of a workbook; the first that looks like a table of polymers when it is None.
    jobs
        Worker processes that describe polymers.
    cache
        Where descriptors of earlier runs are found and new ones are kept; not used for files that it could not hold.
    overwrite
        Replace the output, and a part that is not continued.
    resume
        Continue the part that an earlier run of the same left behind.

    Returns
    -------
    list of str
        What was done, for a person.

    Raises
    ------
    UserError
        A file cannot be read, the table has no MD values of the property, or the output exists already and ``overwrite`` is
        false.
    Cancelled
        The run was stopped; the text says how much is finished, and how to continue.
    """
    output = place_of_table(output)
    keep_inputs((output, part_of_table(output)), (source, calibrator))
    opened = open_calibrator(calibrator)
    task.report(0.0, f"Reading {source.name}")
    facts, whose = facts_of(source, task=task), facts_of(calibrator, task=task)
    options = options_by_file(sheet, [source], task=task)[source]
    tally = ApplyingTally()
    wanted = opened.facts.descriptors.names
    with (
        told_how_to_go_on(output, lambda: tally.rows),
        open_table(source, options, facts, opened.facts.quantity, wanted, calibrator.name, task) as table,
    ):
        _check_descriptors(opened, table.first, calibrator.name)
        writer = ResumableTable(
            output,
            PREDICTION_COLUMNS,
            _made_from(facts, whose, table),
            overwrite=overwrite,
            resume=resume,
            found=lambda line: _take_finished(tally, line, task),
        )
        if cache is not None and facts.lines > cache.most_polymers:
            cache = None
        with writer:
            _apply(opened, table, writer, tally, jobs, cache, task)
        notes = _notes(opened, table.first)
    task.report(1.0, "Done")
    count, *reasons = tally.lines(_name(opened))
    return [count, *notes, *reasons, f"Written to {output}."]


def _name(opened: CalibratorFile) -> str:
    return calibrator_name(opened.facts.model, log_scale=opened.facts.log_scale)


def _notes(opened: CalibratorFile, table: PolymerTable) -> list[str]:
    """Say how the table was read, and what the calibrator's own file says against it."""
    facts = opened.facts
    column = table.values[("md", facts.quantity.key)]
    return [
        *columns_taken([table], facts.quantity.key),
        *map(Note, remarks_of([table], facts.quantity.key)),
        *unit_notes_of(table.name, column, facts.quantity, facts.typical_md),
    ]


def _check_descriptors(opened: CalibratorFile, table: PolymerTable, name: str) -> None:
    """Refuse a table without the descriptors of the calibrator's own, which nothing can compute."""
    columns = opened.facts.descriptors.names
    if tuple(table.descriptor_names) == columns or columns == blocks_of(FORCE_FIELD).columns:
        return
    raise UserError(
        f"{name} uses descriptors of its own ({columns[0]} ...), and {table.name} does not have these columns. Add them."
    )


def _made_from(facts: FileFacts, calibrator: FileFacts, table: TableToApply) -> dict[str, str]:
    roles = table.first.roles
    used = [] if roles is None else [[one.heading, one.role, one.unit] for one in roles.columns]
    return {
        "input": facts.digest,
        "calibrator": calibrator.digest,
        "choice of columns": json.dumps([table.first.name, used]),
        "version of the program": engine_of(FORCE_FIELD),
    }


def _take_finished(tally: ApplyingTally, line: bytes, task: Task) -> None:
    if tally.rows % ROWS_BETWEEN_CHECKS == 0:
        task.check()
        task.report(0.0, f"Found {tally.rows:,} finished rows")
    tally.take(line)


def _apply(
    opened: CalibratorFile,
    table: TableToApply,
    writer: ResumableTable,
    tally: ApplyingTally,
    jobs: int,
    cache: DescriptorCache | None,
    task: Task,
) -> None:
    """Calibrate the rows that an earlier run has not finished."""
    pace = Pace(table.first_line, table.last_line, task)
    rows = table.rows
    for number, row in enumerate(itertools.islice(rows, writer.lines)):
        if number % ROWS_BETWEEN_CHECKS == 0:
            task.check()
        pace.start(row.line, number + 1)

    def write(line: int, content: bytes) -> None:
        writer.add(content)
        tally.take(content)
        pace.report(line, tally.rows)

    together = _Together(opened, write)
    if tuple(table.first.descriptor_names) == opened.facts.descriptors.names:
        for row in task.each(rows):
            together.take(row, (None, row.problem) if row.problem else (b"", ""))
    else:
        describe_rows(rows, together.take, jobs=jobs, cache=cache, task=task)
    together.finish()


class _Together:
    """Collects described rows, calibrates them together, and hands their lines on in order."""

    def __init__(self, opened: CalibratorFile, write: Callable[[int, bytes], None]) -> None:
        self._opened, self._write = opened, write
        self._name, self._width = _name(opened), len(opened.facts.descriptors.names)
        self._waiting: list[tuple[RowToApply, DescribedCells]] = []

    def take(self, row: RowToDescribe, described: DescribedCells) -> None:
        """Take a row with its descriptors as they stand in a file, or the reason why there are none."""
        assert isinstance(row, RowToApply)
        self._waiting.append((row, described))
        if len(self._waiting) >= ROWS_TOGETHER:
            self.finish()

    def finish(self) -> None:
        """Calibrate and hand on what waits."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        md = np.array([row.md for row, _ in waiting])
        descriptors = np.full((len(waiting), self._width), np.nan)
        for number, (row, (described, _)) in enumerate(waiting):
            if row.descriptors is not None:
                descriptors[number] = row.descriptors
            elif described is not None:
                descriptors[number] = np.array(described.split(b","), dtype=np.float64)
        for (row, _), prediction in zip(waiting, self._predictions(waiting, md, descriptors), strict=True):
            unit = self._opened.facts.quantity.unit
            made = predicted_row(row.called, row.name, row.smiles, row.md, prediction, unit, self._name)
            self._write(row.line, csv_line(prediction_cells(made)))

    def _predictions(
        self, waiting: list[tuple[RowToApply, DescribedCells]], md: np.ndarray, descriptors: np.ndarray
    ) -> Iterator[Prediction]:
        facts, found = self._opened.facts, self._opened.calibrator.apply(md, descriptors)
        withheld = found.withheld
        for number, (row, (_, problem)) in enumerate(waiting):
            if problem:
                note = problem
            elif not found.usable[number]:
                note = without_md_value(row.md)
            else:
                said = range_sentence(
                    facts.model,
                    inside=bool(found.inside[number]),
                    md_inside=bool(found.md_inside[number]),
                    structure_inside=bool(found.structure_inside[number]),
                )
                note = " ".join(part for part in (NO_VALUE if withheld[number] else said, facts.advice) if part)
            yield Prediction(
                float(found.values[number]),
                float(found.lower[number]),
                float(found.upper[number]),
                None if note.startswith("Not used: ") else bool(found.inside[number]),
                note,
            )
