"""The service behind ``affinecal apply``: a calibrator file and a table of MD values in, calibrated values out, row by row.

Neither table is ever in memory as a whole if it is long, and a run that was stopped can be continued, as one that describes.
"""

import json
from dataclasses import replace
from pathlib import Path

from affinecal_gui.notes import Note
from affinecal_gui.study.calibrator_files.calibrator_file import CalibratorFile, open_calibrator
from affinecal_gui.study.describing.describing import FORCE_FIELD, engine_of
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.describing.pace import Pace
from affinecal_gui.study.fitting.choices import check_tolerance
from affinecal_gui.study.importing.unit_doubts import unit_notes_of
from affinecal_gui.tables.advice import of_no_study
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.row_stream import FileFacts, facts_of
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.writing.csv_export import PREDICTION_COLUMNS, PredictionRow, csv_line, prediction_cells
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.tasks.predicting.applying_tally import PREDICTED, ApplyingTally, told_predicted
from affinecal_gui.tasks.predicting.calibrated_rows import calibrate_rows, check_descriptors, name_of
from affinecal_gui.tasks.predicting.corrected_rows import temperature_notes
from affinecal_gui.tasks.predicting.predicting import Predicted
from affinecal_gui.tasks.predicting.rows_to_apply import TableToApply, WantedValues, open_table, whole_table
from affinecal_gui.tasks.reading.missing_md import told_without_md
from affinecal_gui.tasks.reading.sheets import options_by_file
from affinecal_gui.tasks.reading.tables_read import columns_taken, remarks_of
from affinecal_gui.tasks.writing.finished_rows import counting, finished_rows
from affinecal_gui.tasks.writing.own_inputs import keep_inputs
from affinecal_gui.tasks.writing.resumable_table import ResumableTable, part_of_table, place_of_table, told_how_to_go_on


def apply_file(
    calibrator: Path,
    source: Path,
    output: Path,
    *,
    md_column: str | None = None,
    temperature_tolerance: float | None = None,
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
        Table of MD values of the property that it calibrates. Those of polymers without one are predicted, if the calibrator
        can do that.
    output
        CSV with the columns of ``predictions.csv``. It appears complete or not at all; until then its finished rows are in a
        file with ``.part`` at the end of its name.
    md_column
        Heading of the column of MD values, where the table has several that could be it.
    temperature_tolerance
        How far the temperature of an MD value may be from those of the fit, K; None: as far as in the study.
    sheet, jobs, cache, overwrite, resume
        As for :func:`affinecal_gui.tasks.describing.describing_files.describe_file`, which goes through a table likewise.

    Returns
    -------
    list of str
        What was done, for a person.

    Raises
    ------
    UserError
        A file cannot be read, the table has no MD values of the property and none can be predicted, or the output exists
        already and ``overwrite`` is false.
    Cancelled
        The run was stopped; the text says how much is finished, and how to continue.
    """
    output = place_of_table(output)
    keep_inputs((output, part_of_table(output)), (source, calibrator))
    opened = _with_tolerance(open_calibrator(calibrator), temperature_tolerance)
    task.report(0.0, f"Reading {source.name}")
    facts, whose = facts_of(source, task=task), facts_of(calibrator, task=task)
    options = options_by_file(sheet, [source], task=task)[source]
    tally = ApplyingTally()
    wanted = _wanted(opened, calibrator.name)
    with (
        told_how_to_go_on(output, lambda: tally.rows),
        open_table(
            source,
            options,
            facts,
            wanted,
            task,
            named={md_column: "md"} if md_column else {},
        ) as table,
    ):
        check_descriptors(opened, table.first, calibrator.name)
        writer = ResumableTable(
            output,
            PREDICTION_COLUMNS,
            _made_from(facts, whose, table, temperature_tolerance),
            overwrite=overwrite,
            resume=resume,
            found=counting(tally.take, task),
        )
        if cache is not None and facts.lines > cache.most_polymers:
            cache = None
        with writer:
            _apply(opened, table, writer, tally, jobs, cache, task)
        notes = _notes(opened, table.first)
    task.report(1.0, "Done")
    count, *reasons = tally.lines(name_of(opened))
    return [count, *notes, *reasons, f"Written to {output}."]


def apply_source(opened: CalibratorFile, name: str, source: RawTable, *, task: Task = UNWATCHED) -> Predicted:
    """Calibrate the MD values of a table that was read already.

    Parameters
    ----------
    opened, name
        The calibrator, and what to call it in a sentence.
    source
        Has MD values of the property that it calibrates; those that are missing are predicted, if the calibrator can.

    Raises
    ------
    UserError
        It has none and none can be predicted, or has them in a unit that cannot be converted.
    """
    table = whole_table(source, _wanted(opened, name), task=task)
    check_descriptors(opened, table.first, name)
    rows: list[tuple[int, PredictionRow]] = []
    calibrate_rows(opened, table, lambda line, row: rows.append((line, row)), task=task)
    quantity = opened.facts.quantity
    predicted = sum(row.md_origin == PREDICTED for _, row in rows)
    md_notes = (
        *_without_md(opened, table.first),
        *temperature_notes(opened, table.first),
        *opened.md_conditions.notes_on(table.first, quantity.key),
        *([told_predicted(predicted)] if predicted else []),
    )
    return Predicted(table.first, (), rows, quantity, tuple(_unit_notes(opened, table.first)), md_notes)


def _notes(opened: CalibratorFile, table: PolymerTable) -> list[str]:
    """Say how the table was read, and what the calibrator's own file says against it."""
    key = opened.facts.quantity.key
    return [
        *_without_md(opened, table),
        *columns_taken([table], key),
        *(Note(of_no_study(remark, md_column=True)) for remark in remarks_of([table], key)),
        *_unit_notes(opened, table),
        *temperature_notes(opened, table),
        *opened.md_conditions.notes_on(table, key),
    ]


def _without_md(opened: CalibratorFile, table: PolymerTable) -> list[str]:
    """Say so where a table has no MD values at all."""
    quantity = opened.facts.quantity
    if table.has("md", quantity.key):
        return []
    return [told_without_md(table.name, quantity, table.roles.values if table.roles is not None else ())]


def _unit_notes(opened: CalibratorFile, table: PolymerTable) -> tuple[str, ...]:
    facts = opened.facts
    if not table.has("md", facts.quantity.key):
        return ()
    return tuple(unit_notes_of(table.name, table.values[("md", facts.quantity.key)], facts.quantity, facts.typical_md))


def _with_tolerance(opened: CalibratorFile, tolerance: float | None) -> CalibratorFile:
    """Let MD values be calibrated that hold so far from those of the fit; None: as far as in the study."""
    if tolerance is None:
        return opened
    check_tolerance(tolerance)
    temperatures = opened.md_conditions.with_tolerance(tolerance).temperatures
    return replace(opened, facts=replace(opened.facts, md_temperatures=temperatures))


def _wanted(opened: CalibratorFile, name: str) -> WantedValues:
    facts = opened.facts
    return WantedValues(facts.quantity, facts.descriptors.names, name, opened.predicts_md, opened.md_conditions)


def _made_from(facts: FileFacts, calibrator: FileFacts, table: TableToApply, tolerance: float | None) -> dict[str, str]:
    roles = table.first.roles
    used = [] if roles is None else [[one.heading, one.role, one.unit] for one in roles.columns]
    return {
        "input": facts.digest,
        "calibrator": calibrator.digest,
        "choice of columns": json.dumps([table.first.name, used]),
        "version of the program": engine_of(FORCE_FIELD),
        **({} if tolerance is None else {"tolerance of temperatures": repr(tolerance)}),
    }


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
    for _row in finished_rows(table.rows, writer.lines, pace, task):
        pass

    def write(line: int, made: PredictionRow) -> None:
        content = csv_line(prediction_cells(made))
        writer.add(content)
        tally.take(content)
        pace.report(line, tally.rows)

    calibrate_rows(opened, table, write, jobs=jobs, cache=cache, task=task)
