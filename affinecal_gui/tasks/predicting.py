"""The service behind ``affinecal predict``: a saved study calibrates the MD values of polymers it has not seen."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

import numpy as np

from affinecal_gui.calibration.calibrators.registry import given_keys, kernel_keys
from affinecal_gui.calibration.names import calibrator_name
from affinecal_gui.calibration.results import Calibration, FloatArray, ModelName
from affinecal_gui.errors import UserError
from affinecal_gui.files import replacing
from affinecal_gui.magnitudes import LARGEST, within_reach
from affinecal_gui.notes import Note, limited
from affinecal_gui.study.data.assembly import Assembly, assemble
from affinecal_gui.study.data.source_features import further_sources, sources_of_newcomers
from affinecal_gui.study.describing.describing import FORCE_FIELD, Description, blocks_of, describe_polymers
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.fitting.calibrating import (
    DescribedLibrary,
    calibrate_study,
    compare_methods,
    describe_library,
    quantum_library,
    training_of,
    with_quantum,
)
from affinecal_gui.study.fitting.choices import NOTHING_SAID, Choices
from affinecal_gui.study.fitting.quantum import QuantumValues, Simulated, quantum_values, temperatures_of, why_not
from affinecal_gui.study.fitting.weighing import quality_of
from affinecal_gui.study.importing.merging import in_unit
from affinecal_gui.study.importing.unit_doubts import refuse_unnamed_units, unit_notes_beside
from affinecal_gui.study.snapshot import Settings
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.stored.study_file import open_study
from affinecal_gui.study.words.comparison_words import not_recommended
from affinecal_gui.study.words.validity_words import validity_sentence
from affinecal_gui.tables.text.options import GUESS, ReadOptions
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.rejected_rows import RejectedRow, rejected_rows
from affinecal_gui.tables.writing.csv_export import PREDICTION_COLUMNS, PredictionRow, csv_bytes, prediction_cells
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.tasks.data_files import DataFiles, DataSource, read_as, read_study
from affinecal_gui.tasks.own_inputs import keep_inputs
from affinecal_gui.tasks.predicted_rows import Prediction, predicted_row, rejected_row, without_md_value
from affinecal_gui.tasks.sheets import options_by_file
from affinecal_gui.tasks.tables_read import columns_taken, remarks_of

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
    """Calibrate the MD values of a table with a saved study, and write one row for each row of it, in order.

    Parameters
    ----------
    polymers
        Table of MD values of the property of the study. Its polymers are not part of the fit, measured or not. Rows that
        cannot be used are written without values, with the reason.
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
    return _summary([row for _, row in found.rows], found.table, found.rejected, found.quantity, found.unit_notes)


@dataclass(frozen=True, slots=True, eq=False)
class Predicted:
    """The calibrated values of a table; rows come with the lines in which they stand."""

    table: PolymerTable
    rejected: tuple[RejectedRow, ...]  # rows of the file without a polymer
    rows: list[tuple[int, PredictionRow]]  # of the polymers
    quantity: Property
    unit_notes: tuple[str, ...]  # what was assumed of the unit of its MD values

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
    """Calibrate the MD values of a file, or of a table that was read already.

    Parameters
    ----------
    state, study_name
        The study that calibrates, and what to call it in a sentence.
    polymers
        Has MD values of the property of the study.
    choices
        Made in the place of those of the study.
    options
        How the file is read.

    Raises
    ------
    UserError
        The table cannot be read, has no such values, or the study cannot be calibrated.
    """
    table, raw, _ = read_as(polymers, "md", options=options, task=task)
    rejected = rejected_rows(raw, table)
    del raw  # a long file, and the work only begins
    if not table.has("md", state.quantity.key):
        raise UserError(
            f"{table.name} has no column of MD values of {state.quantity.title.lower()}, which {study_name} calibrates. "
            "Give it one whose heading names the property."
        )
    state = choices.applied(state)
    table = in_unit(table, "md", state.quantity, among=study_name)
    rows = predict_table(
        state,
        table,
        None if state.settings.follows_advice else state.settings.model,
        choices,
        cache=cache,
        task=task.part(0.1, 0.99),
    )
    notes = unit_notes_beside(state.tables, table, state.quantity)
    return Predicted(table, rejected, list(zip(table.lines, rows, strict=True)), state.quantity, tuple(notes))


def predict_table(
    state: StudyState,
    table: PolymerTable,
    model: ModelName | None,
    choices: Choices = NOTHING_SAID,
    *,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> list[PredictionRow]:
    """Return the calibrated value of every row of a table of MD values.

    Parameters
    ----------
    state
        Tables and settings of the study that calibrates.
    table
        Has MD values of the property of the study.
    model
        The calibrator; None for the recommended one.
    choices
        Those in ``state`` that the tables must be able to follow.

    Raises
    ------
    UserError
        The study cannot be calibrated.
    """
    settings = state.settings
    assembly = assemble(state.tables, state.quantity, settings.matching, task=task.silent)
    refuse_unnamed_units(assembly.unit_doubts, state.tables)
    choices.check_weighting(quality_of(assembly).weightings, "the study")
    described = describe_library(assembly, cache=cache, task=task.part(0.0, 0.3))
    training = training_of(assembly, described, settings)
    new = _newcomers(table, state.quantity, described, cache, task.part(0.3, 0.5))
    usable = within_reach(new.md) & np.asarray((np.abs(new.descriptors) <= LARGEST).all(axis=1))
    if settings.log_scale:
        usable &= new.md > 0.0
    known = len(assembly.library_md)
    fitted = None  # the corrected MD values of the polymers of the fit, which are enough to rank them
    if model is None or model in given_keys():
        fitted = quantum_library(assembly, training, settings, cache=cache, task=task.silent)
    quantum = None if fitted is None else fitted.followed_by(_quantum(assembly, settings, table, wanted=()))
    calibration = calibrate_study(
        replace(assembly, library_md=np.concatenate([assembly.library_md, new.md])),
        replace(described, values=np.concatenate([described.values, new.descriptors])),
        replace(training, usable_library=np.concatenate([training.usable_library, usable])),
        settings,
        quantum=quantum,
        task=task.part(0.5, 0.8),
    )
    if model in given_keys() and model not in calibration.models:
        raise UserError(why_not(state.quantity, quantum, training.library.tolist()))
    compared = settings.methods if model is None else tuple(name for name in kernel_keys() if name == model)
    if compared:
        sources = None
        if settings.sources:
            log_scale = calibration.log_scale
            sources = np.concatenate(
                [
                    further_sources(assembly, settings.sources, log_scale=log_scale),
                    sources_of_newcomers(table, assembly, settings.sources, log_scale=log_scale),
                ]
            )
        wanted = replace(settings, methods=compared)
        calibration = compare_methods(calibration, sources, training, wanted, task=task.part(0.8, 1.0))
    model = calibration.recommendation.recommended if model is None else model
    if model in given_keys() and fitted is not None:
        of_table = _quantum(assembly, settings, table, known=fitted.known, cache=cache, task=task.part(0.8, 1.0))
        calibration = with_quantum(calibration, fitted.followed_by(of_table), training, task=task.silent)
        new = _with_problems(new, of_table.problems)
    return [_row(calibration, model, table, new, state.quantity, number, known) for number in range(len(table))]


def _quantum(
    assembly: Assembly,
    settings: Settings,
    table: PolymerTable,
    *,
    wanted: Collection[int] | None = None,
    known: Mapping[str, Description] | None = None,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> QuantumValues:
    """Correct the MD values of the rows of another MD table: all, or those that are wanted."""
    md = table.values[("md", assembly.quantity.key)].values
    simulated = Simulated(table.smiles, md, temperatures_of(table, [(row,) for row in range(len(table))]))
    return quantum_values(
        assembly.quantity, simulated, settings.rigid_bonds, wanted, known=known, cache=cache, task=task
    )


def _with_problems(new: "_Newcomers", problems: Sequence[str]) -> "_Newcomers":
    """Say of the polymers of the table why they have no corrected MD value."""
    told = tuple(problem or own for own, problem in zip(new.problems, problems, strict=True))
    return replace(new, problems=told)


@dataclass(frozen=True, slots=True, eq=False)
class _Newcomers:
    """The p polymers of the table that is to be calibrated."""

    md: FloatArray  # (p,) unit of the property
    descriptors: FloatArray  # (p, d)
    problems: tuple[str, ...]  # (p,) why there are no descriptors


def _newcomers(
    table: PolymerTable,
    quantity: Property,
    described: DescribedLibrary,
    cache: DescriptorCache | None,
    task: Task,
) -> _Newcomers:
    """Bring a table into the descriptors of the study: its own ones if they are the same columns, else computed."""
    columns = described.blocks.columns
    md = table.values[("md", quantity.key)].values
    if table.descriptors is not None and tuple(table.descriptor_names) == tuple(columns):
        complete = np.asarray(np.isfinite(table.descriptors).all(axis=1))
        return _Newcomers(
            md, table.descriptors, tuple("" if full else "It has no complete descriptors." for full in complete)
        )
    if described.blocks != blocks_of(FORCE_FIELD):
        raise UserError(
            f"The study uses descriptors of its own ({columns[0]} ...), and {table.name} does not have these columns. Add "
            "them."
        )
    wanted = [row for row, smiles in enumerate(table.smiles) if smiles]
    computed = describe_polymers([table.smiles[row] for row in wanted], cache=cache, task=task)
    values = np.full((len(table), len(columns)), np.nan)
    values[wanted] = computed.values
    problems = ["The table gives no repeat unit for it."] * len(table)
    for row, problem in zip(wanted, computed.problems, strict=True):
        problems[row] = problem
    return _Newcomers(md, values, tuple(problems))


def _row(
    calibration: Calibration,
    model: ModelName,
    table: PolymerTable,
    new: _Newcomers,
    quantity: Property,
    number: int,
    known: int,
) -> PredictionRow:
    result, index = calibration.models[model], known + number
    md = float(new.md[number])
    if new.problems[number]:
        note = new.problems[number]
    elif not np.isfinite(calibration.library_md[index]):
        note = without_md_value(md)
    else:
        told = (validity_sentence(calibration, model, index), not_recommended(calibration, model))
        note = " ".join(part for part in told if part)
    return predicted_row(
        table.ids[number],
        table.names[number],
        table.smiles[number],
        md,
        Prediction(
            float(result.library[index]),
            float(result.library_lower[index]),
            float(result.library_upper[index]),
            bool(calibration.validity.inside[index]),
            note,
        ),
        quantity.unit,
        calibrator_name(model, log_scale=calibration.log_scale),
    )


def _with_rejected(
    rows: list[tuple[int, PredictionRow]], rejected: tuple[RejectedRow, ...]
) -> list[tuple[int, PredictionRow]]:
    """Put the rows of the file that hold no polymer where they stand among the others."""
    _, first = rows[0]
    by_line = [*rows, *((row.line, rejected_row(row, first.unit, first.model)) for row in rejected)]
    return sorted(by_line, key=lambda entry: entry[0])


def _summary(
    rows: list[PredictionRow],
    table: PolymerTable,
    rejected: tuple[RejectedRow, ...],
    quantity: Property,
    unit_notes: Sequence[str],
) -> list[str]:
    calibrated = sum(np.isfinite(row.calibrated_value) for row in rows)
    lines = [f"{calibrated} of {table.rows_read} polymers calibrated with {rows[0].model if rows else 'the study'}."]
    lines += [*columns_taken([table], quantity.key), *map(Note, remarks_of([table], quantity.key)), *unit_notes]
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
