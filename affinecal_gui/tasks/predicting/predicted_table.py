"""The calibrated values of the rows of a table, whether its polymers were simulated or not.

Rows with an MD value are calibrated as the library of the study is. A polymer that the table has no MD value of, but the
study has, takes that of the study; every other one takes a predicted MD value, unless the calibrator looks at none.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.calibrators.registry import calibrator, further_keys, given_keys, kernel_keys
from affinecal_gui.calibration.names import calibrator_name
from affinecal_gui.calibration.results import Calibration, ModelName
from affinecal_gui.calibration.sharing.with_training import is_linear
from affinecal_gui.errors import UserError
from affinecal_gui.magnitudes import LARGEST, within_reach
from affinecal_gui.study.data.assembly import Assembly, assemble
from affinecal_gui.study.data.source_features import further_sources, sources_of_newcomers
from affinecal_gui.study.describing.describing import Description
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.fitting.calibrating import (
    DescribedLibrary,
    Training,
    calibrate_study,
    compare_methods,
    describe_library,
    quantum_library,
    training_of,
    with_quantum,
)
from affinecal_gui.study.fitting.choices import NOTHING_SAID, Choices
from affinecal_gui.study.fitting.quantum import (
    QuantumValues,
    Simulated,
    quantum_values,
    temperatures_of,
)
from affinecal_gui.study.fitting.several_sources import refuse_unavailable
from affinecal_gui.study.fitting.unsimulated import UnsimulatedValues, train_unsimulated
from affinecal_gui.study.fitting.weighing import quality_of
from affinecal_gui.study.importing.unit_doubts import refuse_unnamed_units
from affinecal_gui.study.md_origin import md_origin
from affinecal_gui.study.snapshot import Settings
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.words.comparison_words import not_recommended
from affinecal_gui.study.words.unsimulated_words import stands_in_place
from affinecal_gui.study.words.validity_words import NO_VALUE, range_sentence, validity_sentence
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.value_conditions import temperatures_of_rows
from affinecal_gui.tables.writing.csv_export import PredictionRow
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.tasks.predicting.newcomers import Newcomers, named_by_study, newcomers, simulated_elsewhere
from affinecal_gui.tasks.predicting.predicted_rows import Prediction, predicted_row, without_md_value


class NothingToPredictFrom(UserError):  # noqa: N818 - read as a sentence, as UserError's others are
    """No polymer of a table has an MD value, and none can be predicted."""


@dataclass(frozen=True, slots=True, eq=False)
class PredictedTable:
    """A row of results for every row of a table."""

    rows: list[PredictionRow]
    notes: tuple[str, ...]  # where MD values that are not in the table come from


def predict_table(
    state: StudyState,
    table: PolymerTable,
    model: ModelName | None,
    choices: Choices = NOTHING_SAID,
    *,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> PredictedTable:
    """Return the calibrated value of every row of a table of MD values.

    Parameters
    ----------
    state
        Tables and settings of the study that calibrates.
    table
        May have MD values of the property of the study.
    model
        The calibrator; None for the recommended one.
    choices
        Those in ``state`` that the tables must be able to follow.

    Raises
    ------
    NothingToPredictFrom
        None of the polymers has an MD value, and none can be predicted.
    UserError
        The study cannot be calibrated.
    """
    settings = state.settings
    assembly = assemble(state.tables, state.quantity, settings.matching, task=task.silent)
    refuse_unnamed_units(assembly.unit_doubts, state.tables)
    choices.check_weighting(quality_of(assembly).weightings, "the study")
    described = describe_library(assembly, cache=cache, task=task.part(0.0, 0.2))
    training = training_of(assembly, described, settings)
    named = named_by_study(assembly, table)
    table = named.table
    new = newcomers(table, state.quantity, described, cache, task.part(0.2, 0.4)).with_problems(named.problems)
    of_conditions = assembly.md_conditions.notes_on(table, state.quantity.key)
    reasons = assembly.md_conditions.reasons_in(table, state.quantity.key)
    far = {row: reason for row, reason in enumerate(reasons) if reason and np.isfinite(new.md[row])}
    new = replace(new, far=far)
    named = replace(named, notes=(*named.notes, *of_conditions))
    run = _Run(assembly, described, training, settings, table, new, cache)
    unsimulated = np.flatnonzero(new.unsimulated).tolist()
    if not unsimulated and not table.has("md", state.quantity.key):
        first = table.label(0) or f"line {table.lines[0]}"
        raise NothingToPredictFrom(f"Nor can one be predicted for any of its polymers. {first}: {new.problems[0]}")
    elsewhere = simulated_elsewhere(assembly, table, unsimulated)
    rest = [row for row in unsimulated if row not in elsewhere]
    needs_md = model is None or calibrator(model).uses_md
    if rest and len(rest) == len(table) and needs_md:
        own = run.without_md(model, rest, task.part(0.4, 1.0))
        if own.values is None:
            raise NothingToPredictFrom(own.notes[0])
        return PredictedTable([own.rows[row] for row in rest], (*named.notes, *own.notes))
    simulated = run.with_md(model, elsewhere, task.part(0.4, 0.8 if rest else 1.0))
    notes, rows = list[str](), dict(enumerate(simulated.rows))
    if simulated.needs_md:
        notes += run.told_of(elsewhere)
        own = run.without_md(model, rest, task.part(0.8, 1.0)) if rest else NOTHING_PREDICTED
        notes += own.notes
        rows |= own.rows
    return PredictedTable([rows[row] for row in range(len(table))], (*named.notes, *notes))


@dataclass(frozen=True, slots=True, eq=False)
class _WithMD:
    rows: list[PredictionRow]  # (p,)
    needs_md: bool  # whether the calibrator looks at MD values


@dataclass(frozen=True, slots=True, eq=False)
class _WithoutMD:
    rows: Mapping[int, PredictionRow]
    notes: tuple[str, ...]
    values: UnsimulatedValues | None = field(default=None)  # None where MD values cannot be predicted


NOTHING_PREDICTED = _WithoutMD({}, ())


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    """A study and the polymers that it is to calibrate."""

    assembly: Assembly
    described: DescribedLibrary
    training: Training
    settings: Settings
    table: PolymerTable
    new: Newcomers
    cache: DescriptorCache | None

    def told_of(self, elsewhere: Mapping[int, int]) -> list[str]:
        """Say how many polymers take the MD value that the study has of them."""
        if not elsewhere or self.assembly.md_side is None:
            return []
        count, name = len(elsewhere), self.assembly.md_side.table.name
        polymers = "1 polymer" if count == 1 else f"{count} polymers"
        return [
            f"{polymers} without an MD value in {self.table.name} {'has' if count == 1 else 'have'} one in {name}: used."
        ]

    # -- polymers with an MD value --------------------------------------------------------------------------------------

    def with_md(self, model: ModelName | None, elsewhere: Mapping[int, int], task: Task) -> _WithMD:
        """Calibrate simulated MD values: those of the table, and those of the study ``elsewhere``, by library index."""
        assembly, described, training, settings = self.assembly, self.described, self.training, self.settings
        new, table = self.new, self.table
        usable = within_reach(new.md) & self._describable
        usable[sorted(new.far)] = False
        if settings.log_scale:
            usable &= new.md > 0.0
        known = len(assembly.library_md)
        fitted = None  # the corrected MD values of the polymers of the fit, which are enough to rank them
        if model is None or model in further_keys():
            fitted = quantum_library(assembly, training, settings, cache=self.cache, task=task.silent)
        if model in further_keys():
            refuse_unavailable(model, assembly, fitted, training.library.tolist())
        quantum = None if fitted is None else fitted.followed_by(self._quantum(elsewhere, wanted=()))
        calibration = calibrate_study(
            replace(
                assembly,
                library_md=np.concatenate([assembly.library_md, new.md]),
                beyond={**assembly.beyond, **{known + number: reason for number, reason in new.far.items()}},
            ),
            replace(described, values=np.concatenate([described.values, new.descriptors])),
            replace(training, usable_library=np.concatenate([training.usable_library, usable])),
            settings,
            quantum=quantum,
            task=task.part(0.0, 0.6),
        )
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
            calibration = compare_methods(calibration, sources, training, wanted, task=task.part(0.6, 1.0))
        model = calibration.recommendation.recommended if model is None else model
        if model in further_keys() and fitted is not None:
            of_table = self._quantum(elsewhere, known=fitted.known, task=task.part(0.6, 1.0))
            whole = fitted.with_values(elsewhere, of_table).followed_by(of_table)
            calibration = with_quantum(
                calibration, assembly, replace(whole, of_whole_library=True), training, task=task.silent
            )
            if model in given_keys():  # any other has a calibrator of the MD value alone to stand in
                new = new.with_problems(of_table.problems)
        rows = [
            self._simulated_row(calibration, model, number, known + number, elsewhere.get(number), new.problems[number])
            for number in range(len(table))
        ]
        return _WithMD(rows, calibrator(model).uses_md)

    @property
    def _describable(self) -> NDArray[np.bool_]:
        return np.asarray((np.abs(self.new.descriptors) <= LARGEST).all(axis=1))

    def _quantum(
        self,
        elsewhere: Mapping[int, int],
        *,
        wanted: Collection[int] | None = None,
        known: Mapping[str, Description] | None = None,
        task: Task = UNWATCHED,
    ) -> QuantumValues:
        """Correct the MD values of the rows of the table: all, or those that are wanted."""
        table, assembly = self.table, self.assembly
        md = self.new.md.copy()
        temperatures = temperatures_of_rows(table, "md", assembly.quantity.key).copy()
        for row, index in elsewhere.items():
            md[row] = assembly.library_md[index]
            if assembly.md_side is not None and assembly.report is not None:
                polymer = assembly.report.library[index]
                (temperatures[row],) = temperatures_of(
                    assembly.md_side.table, [polymer.counted_rows], assembly.quantity
                )
        return quantum_values(
            assembly.quantity,
            Simulated(table.smiles, md, temperatures),
            self.settings.rigid_bonds,
            wanted,
            known=known,
            cache=self.cache,
            task=task,
        )

    def _simulated_row(
        self, calibration: Calibration, model: ModelName, number: int, index: int, of_study: int | None, problem: str
    ) -> PredictionRow:
        """Return a row of the table, which is polymer ``index`` of the library, or one that the study has already."""
        result, uses_md = calibration.models[model], calibrator(model).uses_md
        place = index if of_study is None else of_study
        # Values that are given come for the row itself, as all its own ones do.
        value_at = index if of_study is None or model in given_keys() else of_study
        md = float(self.new.md[number] if of_study is None else self.assembly.library_md[of_study])
        inside = bool(calibration.validity.inside[place])
        is_far = number in self.new.far
        if is_far and uses_md and model not in given_keys():
            return self._row(
                number, md, _set_aside(self.new.far[number]), calibrator_name(model, log_scale=calibration.log_scale)
            )
        if problem:
            note = problem
        elif not uses_md and (is_far or not np.isfinite(md)):
            inside = float(calibration.validity.distance[place]) <= calibration.validity.distance_limit
            said = range_sentence(model, inside=inside, md_inside=True, structure_inside=inside)
            note = self._joined(said, not_recommended(calibration, model))
        elif not np.isfinite(calibration.library_md[place]):
            note = without_md_value(md)
        else:
            note = self._joined(validity_sentence(calibration, model, place), not_recommended(calibration, model))
        found = Prediction(
            float(result.library[value_at]),
            float(result.library_lower[value_at]),
            float(result.library_upper[value_at]),
            inside,
            note,
            md_origin(model, simulated=True),
        )
        return self._row(number, md, found, calibrator_name(model, log_scale=calibration.log_scale))

    # -- polymers without -----------------------------------------------------------------------------------------------

    def without_md(self, model: ModelName | None, numbers: list[int], task: Task) -> _WithoutMD:
        """Predict the MD values of these rows and calibrate them; say why where that cannot be done."""
        usual = model is None or is_linear(model)
        try:
            trained = train_unsimulated(
                self.assembly,
                self.described,
                self.training,
                self.settings,
                model if usual else None,
                cache=self.cache,
                task=task,
            )
        except UserError as refusal:
            return self._refused(model, numbers, str(refusal))
        found = trained.of_descriptors(self.new.descriptors[numbers])
        calibration = trained.calibrator.calibration
        name = calibrator_name(trained.model, log_scale=calibration.log_scale)
        rows = {}
        for at, number in enumerate(numbers):
            note = range_sentence(
                trained.model,
                inside=bool(found.inside[at]),
                md_inside=bool(found.md_inside[at]),
                structure_inside=bool(found.structure_inside[at]),
            )
            if found.described[at] and not np.isfinite(found.values[at]):
                note = NO_VALUE
            said = Prediction(
                float(found.values[at]),
                float(found.lower[at]),
                float(found.upper[at]),
                bool(found.inside[at]),
                self._joined(note, not_recommended(calibration, trained.model)),
                found.origin,
                float(found.md[at]),
            )
            rows[number] = self._row(number, float("nan"), said, name)
        notes = [trained.sentence]
        if not usual and model is not None:
            notes.append(stands_in_place(model, trained.model, log_scale=self.settings.log_scale))
        return _WithoutMD(rows, tuple(notes), found)

    def _refused(self, model: ModelName | None, numbers: list[int], why: str) -> _WithoutMD:
        name = calibrator_name(model, log_scale=self.settings.log_scale) if model is not None else ""
        nothing = Prediction(float("nan"), float("nan"), float("nan"), None, f"{without_md_value(float('nan'))} {why}")
        rows = {number: self._row(number, float("nan"), nothing, name) for number in numbers}
        return _WithoutMD(rows, (why,))

    def _row(self, number: int, md: float, found: Prediction, model: str) -> PredictionRow:
        table = self.table
        return predicted_row(
            table.ids[number],
            table.names[number],
            table.smiles[number],
            md,
            found,
            self.assembly.quantity.unit,
            model,
        )

    @staticmethod
    def _joined(*parts: str) -> str:
        return " ".join(part for part in parts if part)


def _set_aside(reason: str) -> Prediction:
    """Return what is said of an MD value that holds too far from those of the fit."""
    nan = float("nan")
    return Prediction(nan, nan, nan, None, reason)
