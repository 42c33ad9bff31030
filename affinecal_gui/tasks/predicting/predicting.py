"""The service behind ``affinecal predict``: a saved study gives polymers that it has not seen calibrated values."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np

from affinecal_gui.errors import UserError
from affinecal_gui.files import replacing
from affinecal_gui.notes import Note, limited
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.fitting.choices import NOTHING_SAID, Choices
from affinecal_gui.study.importing.merging import in_unit
from affinecal_gui.study.importing.unit_doubts import unit_notes_beside
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.stored.study_file import open_study
from affinecal_gui.tables.text.options import GUESS, ReadOptions
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.rejected_rows import RejectedRow, rejected_rows
from affinecal_gui.tables.writing.csv_export import PREDICTION_COLUMNS, PredictionRow, csv_bytes, prediction_cells
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.tasks.predicting.predicted_rows import rejected_row
from affinecal_gui.tasks.predicting.predicted_table import NothingToPredictFrom, predict_table
from affinecal_gui.tasks.reading.data_files import DataFiles, DataSource, read_as, read_study
from affinecal_gui.tasks.reading.missing_md import lacks_md, told_without_md
from affinecal_gui.tasks.reading.sheets import options_by_file
from affinecal_gui.tasks.reading.tables_read import columns_taken, remarks_of
from affinecal_gui.tasks.writing.own_inputs import keep_inputs

MOST_REASONS = 5  # for which rows have no value; the column of notes has them all


def predict_with_study(
    polymers: Path,
    output: Path,
    study: Path,
    *,
    sheet: str | None = None,
    choices: Choices = NOTHING_SAID,
    overwrite: bool = False,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> list[str]:
    """Calibrate the polymers of a table with a saved study, and write one row for each row of it, in order.

    Parameters
    ----------
    polymers
        Table of repeat units, with MD values of the property of the study as far as there are any. Its polymers are not
        part of the fit, measured or not. Rows that cannot be used are written without values, with the reason.
    output
        The CSV file to write, with the columns of ``predictions.csv``.
    study
        A saved study with measured and MD values; it is calibrated with the choices stored in it but for those given here.
    choices
        Made in the place of those of the study.

    Returns
    -------
    list of str
        What was done, for a person.

    Raises
    ------
    UserError
        A file cannot be read, the study cannot be calibrated, or the result is one of the files read, or exists already and
        ``overwrite`` is false.
    """
    keep_inputs((output,), (polymers, study))
    with replacing(output, overwrite=overwrite) as file:
        state = open_study(study, task=task.part(0.0, 0.05)).state
        if not state.quantities():
            raise UserError(f"{study.name} cannot calibrate: it holds no measured and MD values of one property.")
        options = options_by_file(sheet, [polymers], task=task)[polymers]
        report = _predict(state, study.name, polymers, options, choices, file, cache, task)
    return [*report, f"Written to {output}."]


def predict_with_tables(
    polymers: Path,
    output: Path,
    files: DataFiles,
    *,
    choices: Choices = NOTHING_SAID,
    overwrite: bool = False,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> list[str]:
    """Do as :func:`predict_with_study`, with a study of the tables named."""
    keep_inputs((output,), (polymers, *files.paths))
    with replacing(output, overwrite=overwrite) as file:
        state, tables = read_study(files, beside=[polymers], task=task)
        options = files.options([polymers], task=task).others[polymers]
        key, name = state.quantity.key, f"the study of {files.experiment.name}"
        report: list[str] = [*columns_taken(tables, key), *map(Note, remarks_of(tables, key))]
        report += _predict(state, name, polymers, options, choices, file, cache, task)
    return [*report, f"Written to {output}."]


def _predict(
    state: StudyState,
    study_name: str,
    polymers: Path,
    options: ReadOptions,
    choices: Choices,
    file: IO[bytes],
    cache: DescriptorCache | None,
    task: Task,
) -> list[str]:
    found = predict_source(state, study_name, polymers, choices, options=options, cache=cache, task=task)
    file.write(csv_bytes(PREDICTION_COLUMNS, [prediction_cells(row) for _, row in found.in_order]))
    task.report(1.0, "Done")
    return _summary(found)


@dataclass(frozen=True, slots=True, eq=False)
class Predicted:
    """The calibrated values of a table; rows come with the lines in which they stand."""

    table: PolymerTable
    rejected: tuple[RejectedRow, ...]  # rows of the file without a polymer
    rows: list[tuple[int, PredictionRow]]  # of the polymers
    quantity: Property
    unit_notes: tuple[str, ...]  # what was assumed of the unit of its MD values
    md_notes: tuple[str, ...] = ()  # where MD values come from that it does not have

    @property
    def in_order(self) -> list[tuple[int, PredictionRow]]:
        """The rows with those that hold no polymer where they stand among the others."""
        return _with_rejected(self.rows, self.rejected)


def predict_source(
    state: StudyState,
    study_name: str,
    polymers: DataSource,
    choices: Choices = NOTHING_SAID,
    *,
    options: ReadOptions = GUESS,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> Predicted:
    """Calibrate the polymers of a file, or of a table that was read already.

    Parameters
    ----------
    state, study_name
        The study that calibrates, and what to call it in a sentence.
    polymers
        May have MD values of the property of the study; those of other polymers are predicted.
    choices
        Made in the place of those of the study.
    options
        How the file is read.

    Raises
    ------
    UserError
        The table cannot be read, the study cannot be calibrated, or there is no MD value and none can be predicted.
    """
    table, raw, _ = read_as(polymers, "md", options=options, keep_without_value=True, task=task)
    rejected = rejected_rows(raw, table)
    del raw  # a long file, and the work only begins
    has_md = table.has("md", state.quantity.key)
    unused = table.roles.values if table.roles is not None else ()
    state = choices.applied(state)
    if has_md:
        table = in_unit(table, "md", state.quantity, among=study_name)
    try:
        found = predict_table(
            state,
            table,
            None if state.settings.follows_advice else state.settings.model,
            choices,
            cache=cache,
            task=task.part(0.1, 0.99),
        )
    except NothingToPredictFrom as refusal:
        if has_md:
            raise
        raise UserError(
            f"{lacks_md(table.name, state.quantity)}, which {study_name} calibrates. Give it one whose heading names the "
            f"property. {refusal}"
        ) from None
    unit_notes = unit_notes_beside(state.tables, table, state.quantity) if has_md else ()
    notes = found.notes if has_md else (told_without_md(table.name, state.quantity, unused), *found.notes)
    rows = list(zip(table.lines, found.rows, strict=True))
    return Predicted(table, rejected, rows, state.quantity, tuple(unit_notes), notes)


def _with_rejected(
    rows: list[tuple[int, PredictionRow]], rejected: tuple[RejectedRow, ...]
) -> list[tuple[int, PredictionRow]]:
    """Put the rows of the file that hold no polymer where they stand among the others."""
    _, first = rows[0]
    by_line = [*rows, *((row.line, rejected_row(row, first.unit, first.model)) for row in rejected)]
    return sorted(by_line, key=lambda entry: entry[0])


def _summary(found: Predicted) -> list[str]:
    rows, table, rejected = [row for _, row in found.rows], found.table, found.rejected
    calibrated = Counter(row.model for row in rows if np.isfinite(row.calibrated_value))
    how = ": " + " and ".join(f"{count} with {model}" for model, count in calibrated.items())
    if len(calibrated) < 2:
        how = f" with {next(iter(calibrated), rows[0].model if rows else '') or 'the study'}"
    lines = [f"{sum(calibrated.values())} of {table.rows_read} polymers calibrated{how}.", *found.md_notes]
    key = found.quantity.key
    lines += [*columns_taken([table], key), *map(Note, remarks_of([table], key)), *found.unit_notes]
    lines += limited(
        (
            Note(
                f"Line {row.line} not used: {row.reason}.",
                subject=f"line {row.line}",
                of_several=f"rows are not used: {row.reason}.",
            )
            for row in rejected
        ),
        MOST_REASONS,
    )
    totals = [problem for problem in table.problems if problem.is_total]
    lines += [f"Line {problem.line} left out: {problem.reason}." for problem in totals]
    unknown = table.rows_rejected - len(rejected) - len(totals)
    if unknown:
        lines.append(f"{unknown} more lines have too many cells, and no row in the result.")
    without = [
        (row.name or row.id or row.smiles, row.note or "") for row in rows if not np.isfinite(row.calibrated_value)
    ]
    lines += limited(
        (
            Note(f"No value for {name}: {why}", subject=name, of_several=f"polymers have no value: {why}")
            for name, why in without
        ),
        MOST_REASONS,
    )
    outside = sum(row.inside_training_range is False and np.isfinite(row.calibrated_value) for row in rows)
    if outside:
        lines.append(f"{outside} lie outside the range of the fit; the column note says which, and why.")
    return lines
