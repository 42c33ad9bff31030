"""From the rows of a table and a calibrator file to calibrated rows, some hundred at a time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import isfinite, nan

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.names import calibrator_name
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.sharing.applied import Applied
from affinecal_gui.calibration.sharing.with_training import TrainedCalibrator
from affinecal_gui.errors import UserError
from affinecal_gui.polymers.copolymers.composition import parse_composition
from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit
from affinecal_gui.study.calibrator_files.calibrator_file import CalibratorFile
from affinecal_gui.study.describing.describing import FORCE_FIELD, blocks_of
from affinecal_gui.study.describing.describing_rows import DescribedCells, RowToDescribe, describe_rows
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.md_origin import md_origin
from affinecal_gui.study.words.validity_words import NO_VALUE, range_sentence
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.writing.csv_export import PredictionRow
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.tasks.predicting.corrected_rows import further_sources, stood_in_sentence
from affinecal_gui.tasks.predicting.predicted_rows import Prediction, predicted_row, without_md_value
from affinecal_gui.tasks.predicting.rows_to_apply import RowToApply, TableToApply

ROWS_TOGETHER = 1_000
"""Rows that are calibrated at once: enough for what is done once for all of them not to count."""


def name_of(opened: CalibratorFile) -> str:
    """Return the name of a calibrator as it stands in the rows of a result."""
    return calibrator_name(opened.facts.model, log_scale=opened.facts.log_scale)


def check_descriptors(opened: CalibratorFile, table: PolymerTable, name: str) -> None:
    """Refuse a table without the descriptors of the calibrator's own, which nothing can compute."""
    columns = opened.facts.descriptors.names
    if tuple(table.descriptor_names) == columns or columns == blocks_of(FORCE_FIELD).columns:
        return
    raise UserError(
        f"{name} uses descriptors of its own ({columns[0]} ...), and {table.name} does not have these columns. Add them."
    )


def calibrate_rows(
    opened: CalibratorFile,
    table: TableToApply,
    write: Callable[[int, PredictionRow], None],
    *,
    jobs: int = 1,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> None:
    """Calibrate the rows of a table that are left, and hand each with its line to ``write``, in order.

    Parameters
    ----------
    jobs
        Worker processes that describe polymers.
    cache
        Where descriptors of earlier runs are found and new ones are kept.
    """
    together = RowsTogether(opened, write, jobs=jobs, cache=cache, task=task)
    if tuple(table.first.descriptor_names) == opened.facts.descriptors.names:
        for row in task.each(table.rows):
            together.take(row, (None, row.problem))
    else:
        describe_rows(table.rows, together.take, jobs=jobs, cache=cache, task=task, as_cells=False)
    together.finish()


class RowsTogether:
    """Collects described rows, calibrates them together, and hands them on in order, with their lines in the file."""

    def __init__(
        self,
        opened: CalibratorFile,
        write: Callable[[int, PredictionRow], None],
        *,
        jobs: int = 1,
        cache: DescriptorCache | None = None,
        task: Task = UNWATCHED,
    ) -> None:
        self._opened, self._write = opened, write
        self._jobs, self._cache, self._task = jobs, cache, task
        self._name, self._width = name_of(opened), len(opened.facts.descriptors.names)
        self._waiting: list[tuple[RowToApply, DescribedCells]] = []

    def take(self, row: RowToDescribe, described: DescribedCells) -> None:
        """Take a row with its descriptors as the bytes of an array, or the reason why there are none."""
        assert isinstance(row, RowToApply)
        if described[1] and not row.problem:
            row, described = _unreadable(row, described)
        self._waiting.append((row, described))
        if len(self._waiting) >= ROWS_TOGETHER:
            self.finish()

    def finish(self) -> None:
        """Calibrate and hand on what waits."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        md = np.array([nan if row.problem else row.md for row, _ in waiting])
        descriptors = np.full((len(waiting), self._width), np.nan)
        for number, (row, (described, _)) in enumerate(waiting):
            if row.descriptors is not None:
                descriptors[number] = row.descriptors
            elif described is not None:
                descriptors[number] = np.frombuffer(described)
        for (row, _), prediction in zip(waiting, self._predictions(waiting, md, descriptors), strict=True):
            unit = self._opened.facts.quantity.unit
            made = predicted_row(row.called, row.name, row.smiles, row.md, prediction, unit, self._name)
            self._write(row.line, made)

    def _predictions(
        self, waiting: list[tuple[RowToApply, DescribedCells]], md: FloatArray, descriptors: FloatArray
    ) -> Iterator[Prediction]:
        facts = self._opened.facts
        described = np.array([not problem for _, (_, problem) in waiting], dtype=bool)
        guessed = described & np.isnan(md) if self._opened.predicts_md else np.zeros(len(md), dtype=bool)
        predicted, found, lacking = self._applied(waiting, md, descriptors, guessed)
        withheld = found.withheld
        for number, (_, (_, problem)) in enumerate(waiting):
            if problem:
                note = problem
            elif not found.usable[number]:
                note = without_md_value(predicted[number] if guessed[number] else md[number])
            else:
                said = range_sentence(
                    facts.model,
                    inside=bool(found.inside[number]),
                    md_inside=bool(found.md_inside[number]),
                    structure_inside=bool(found.structure_inside[number]),
                )
                if found.stood_in[number] and not withheld[number]:
                    said = f"{stood_in_sentence(self._opened, lacking[number])} {said}".rstrip()
                note = " ".join(part for part in (NO_VALUE if withheld[number] else said, facts.advice) if part)
            yield Prediction(
                float(found.values[number]),
                float(found.lower[number]),
                float(found.upper[number]),
                None if note.startswith("Not used: ") else bool(found.inside[number]),
                note,
                md_origin(facts.model, simulated=not guessed[number]),
                float(predicted[number]) if isfinite(found.values[number]) else nan,
            )

    def _applied(
        self,
        waiting: Sequence[tuple[RowToApply, DescribedCells]],
        md: FloatArray,
        descriptors: FloatArray,
        guessed: NDArray[np.bool_],
    ) -> tuple[FloatArray, Applied, Sequence[str]]:
        """Calibrate MD values, and predicted ones for the rows ``guessed``.

        Returns
        -------
        predicted, found, lacking
            The predicted MD values, nan for the others; the calibrated ones of all; and why a row has no further source.
        """
        calibrator = self._opened.calibrator
        predicted, found = np.full(len(md), np.nan), Applied.nothing(len(md))
        lacking: Sequence[str] = [""] * len(md)
        if not guessed.all():
            rows = [row for row, _ in waiting]
            further = further_sources(
                self._opened,
                [row.smiles for row in rows],
                np.where([bool(row.problem) for row in rows], np.nan, md),
                np.array([row.temperature for row in rows]),
                processes=self._jobs,
                cache=self._cache,
                task=self._task,
            )
            simulated = None if further is None else further.values[~guessed]
            lacking = lacking if further is None else further.problems
            found.put(~guessed, calibrator.apply(md[~guessed], descriptors[~guessed], simulated))
        if guessed.any():
            assert isinstance(calibrator, TrainedCalibrator)
            predicted[guessed], instead = calibrator.apply_unsimulated(descriptors[guessed])
            found.put(guessed, instead)
        return predicted, found, lacking


def _unreadable(row: RowToApply, described: DescribedCells) -> tuple[RowToApply, DescribedCells]:
    """Say of a row that was not described what its table would have said, where its repeat unit cannot be read."""
    try:
        parse_composition(row.text)
    except InvalidRepeatUnit as problem:
        why = f"Not used: {str(problem).rstrip('.')}."
        return replace(row, problem=why, md=nan), (None, why)
    return row, described
