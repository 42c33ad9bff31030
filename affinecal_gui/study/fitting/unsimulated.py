"""The service that gives polymers without an MD value theirs: predicted from the MD table, then calibrated."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.names import calibrator_in_sentence
from affinecal_gui.calibration.results import FloatArray, ModelName, Validity
from affinecal_gui.calibration.unsimulated import UnsimulatedCalibrator, calibrate_unsimulated
from affinecal_gui.errors import UserError
from affinecal_gui.numbers import significant
from affinecal_gui.polymers.descriptors.blocks import DescriptorBlocks
from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.study.describing.describing import FORCE_FIELD, blocks_of, describe_polymers
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.fitting.calibrating import DescribedLibrary, Training, calibration_options
from affinecal_gui.study.fitting.joining import Joiners, better_of, joiners
from affinecal_gui.study.fitting.weighing import weigh
from affinecal_gui.study.md_origin import MDOrigin, md_origin
from affinecal_gui.study.snapshot import Settings
from affinecal_gui.task import UNWATCHED, Task

SAFE_LEVEL = 0.9
"""Of the intervals that are given whatever the level of the study."""


@dataclass(frozen=True, slots=True, eq=False)
class UnsimulatedValues:
    """What is said of q polymers without an MD value; nan where nothing can be said."""

    md: FloatArray  # (q,) predicted, unit of the property
    md_deviation: FloatArray  # (q,) standard deviation of a simulation about it, target scale
    values: FloatArray  # (q,) calibrated, unit of the property
    lower: FloatArray  # (q,) at the level of the study
    upper: FloatArray  # (q,)
    lower_90: FloatArray  # (q,) at 90 %
    upper_90: FloatArray  # (q,)
    described: NDArray[np.bool_]  # (q,) whether there are descriptors to say anything by
    inside: NDArray[np.bool_]  # (q,) within the range of validity
    md_inside: NDArray[np.bool_]  # (q,) of the predicted MD value alone
    structure_inside: NDArray[np.bool_]  # (q,) of the descriptors alone
    validity: Validity  # the same with numbers; the nearest are numbers of the measured polymers of the fit
    problems: tuple[str, ...]  # (q,) "" or why there are no descriptors
    model: ModelName  # the calibrator
    origin: MDOrigin


@dataclass(frozen=True, slots=True, eq=False)
class Unsimulated:
    """A study that was trained, once, to say something of polymers nobody has simulated."""

    calibrator: UnsimulatedCalibrator
    model: ModelName  # whose values are given
    level: float  # of the study
    log_scale: bool
    unit: str  # of the property; "" where it has none
    blocks: DescriptorBlocks
    rows: IntArray  # (n,) of the study, whose polymers are in the fit
    gained: str = ""  # what measured polymers without an MD value gave to the fit, in a sentence
    change: str = ""  # of the error of the others by that, as the end of a sentence

    @property
    def rmse(self) -> float:
        """Error of the calibrated values of held-out measured polymers, as if they had no MD value; target scale."""
        return self.calibrator.calibration.models[self.model].metrics.rmse_target_scale

    @property
    def sentence(self) -> str:
        """Say what the predicted MD values were learned from, and how good they and what follows from them are."""
        scale = " (natural logarithm)" if self.log_scale else f" {self.unit}".rstrip()
        return (
            f"MD values are predicted from those of {self.calibrator.md_rows} polymers, with an error of "
            f"{significant(self.calibrator.md_rmse)}{scale} for those left out; then "
            f"{calibrator_in_sentence(self.model, log_scale=self.log_scale)} has an error of {significant(self.rmse)}{scale} "
            f"for held-out polymers.{' ' if self.gained else ''}{self.gained}"
        )

    def by(self, model: ModelName | None) -> "Unsimulated":
        """Return the same with the values of another calibrator; None for that which is recommended.

        Raises
        ------
        UserError
            This calibrator needs a simulation.
        """
        if model is None:
            model = self.calibrator.calibration.recommendation.recommended
        if model not in self.calibrator.models:
            raise UserError(
                f"{calibrator(model).name} calibrates simulated MD values only; for polymers without one choose another "
                f"calibrator ({', '.join(self.calibrator.models)})."
            )
        self.calibrator.prepare(model)
        return replace(self, model=model)

    def places_in_fit(self, numbers: IntArray) -> IntArray:
        """(q,) places of rows of the study among the polymers of the fit, by their numbers; -1 where they are not in it."""
        order = np.argsort(self.rows, kind="stable")
        if not order.size:
            return np.full(len(numbers), -1, dtype=np.int64)
        found = order[np.minimum(np.searchsorted(self.rows[order], numbers), order.size - 1)]
        return np.where(self.rows[found] == numbers, found, -1)

    def out_of_fold(self, values: UnsimulatedValues, places: IntArray) -> UnsimulatedValues:
        """Put in place of the values of polymers of the fit those that were made without their own measurement.

        ``places`` (q,) are theirs among the polymers of the fit; -1 where they are not in it.
        """
        of = self.calibrator.calibration.models[self.model]
        held_out = (places >= 0) & values.described
        at = np.where(held_out, places, 0)
        return replace(
            values,
            values=np.where(held_out, of.out_of_fold[at], values.values),
            lower=np.where(held_out, of.out_of_fold_lower[at], values.lower),
            upper=np.where(held_out, of.out_of_fold_upper[at], values.upper),
        )

    def of_descriptors(self, descriptors: ArrayLike, problems: Sequence[str] = ()) -> UnsimulatedValues:
        """Give the values of polymers with descriptors (q, d), not scaled, in the columns of ``blocks``; nan without any.

        ``problems`` (q,) say why there are none.
        """
        found = self.calibrator.apply(descriptors, self.model, (self.level, SAFE_LEVEL))
        own, safe = found.applied
        return UnsimulatedValues(
            found.md,
            found.deviation,
            own.values,
            own.lower,
            own.upper,
            safe.lower,
            safe.upper,
            own.usable,
            own.inside,
            own.md_inside,
            own.structure_inside,
            found.validity,
            tuple(problems) or ("",) * len(found.md),
            self.model,
            md_origin(self.model, simulated=False),
        )

    def of_smiles(
        self, smiles: Sequence[str], *, cache: DescriptorCache | None = None, task: Task = UNWATCHED
    ) -> UnsimulatedValues:
        """Describe polymers by their repeat units (q,), and give their values.

        Raises
        ------
        UserError
            The study has descriptors of its own, which nothing can compute.
        """
        place_of = {column: place for place, column in enumerate(blocks_of(FORCE_FIELD).columns)}
        if not set(self.blocks.columns) <= set(place_of):
            raise UserError(
                f"The study uses descriptors of its own ({self.blocks.columns[0]} ...), which cannot be computed from a "
                "repeat unit. Add a table that has them."
            )
        table = describe_polymers(smiles, cache=cache, task=task)
        return self.of_descriptors(table.values[:, [place_of[name] for name in self.blocks.columns]], table.problems)


def train_unsimulated(
    assembly: Assembly,
    described: DescribedLibrary,
    training: Training,
    settings: Settings,
    model: ModelName | None = None,
    *,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> Unsimulated:
    """Learn from the MD table of a study to predict MD values, and from its measured polymers to calibrate these.

    Measured polymers that were not simulated join the fit if the held-out error of the others does not rise by it.

    Parameters
    ----------
    assembly, described, training, settings
        The study, as :func:`affinecal_gui.study.fitting.calibrating.calibrate_study` takes it.
    model
        A linear calibrator, or one that combines some; None for that which is recommended with predicted MD values.
    cache
        Where descriptors of earlier runs are found and new ones kept.

    Raises
    ------
    UserError
        There are too few MD values to learn from, or all are equal; or this calibrator needs a simulation.
    """
    task.report(0.0, "Learning to predict MD values")
    alone = _calibrated(assembly, described, training, settings, None, task.part(0.0, 0.45))
    joining = joiners(assembly, described, settings, cache=cache, task=task.part(0.45, 0.5))
    found, rows, gained, change = alone, training.rows, "", ""
    if len(joining.rows):
        together = _calibrated(assembly, described, training, settings, joining, task.part(0.5, 0.95))
        both = np.arange(len(together.calibration.measured)) < len(training.rows)
        better = better_of(alone, together, both, settings.log_scale)
        found, gained, change = better.calibrator, better.sentence, better.change
        if found is together:
            rows = np.concatenate([rows, joining.rows])
    recommended = found.calibration.recommendation.recommended
    trained = Unsimulated(
        calibrator=found,
        model=recommended,
        level=settings.interval_level,
        log_scale=settings.log_scale,
        unit=assembly.quantity.unit,
        blocks=described.blocks,
        rows=rows,
        gained=gained,
        change=change,
    )
    return trained.by(model)


def _calibrated(
    assembly: Assembly,
    described: DescribedLibrary,
    training: Training,
    settings: Settings,
    joining: Joiners | None,
    task: Task,
) -> UnsimulatedCalibrator:
    """Calibrate the polymers of the fit as if they had not been simulated, and those that join them."""
    usable = training.usable_library
    place = np.append(np.where(usable, np.cumsum(usable) - 1, -1), -1)  # the last one is that of no polymer
    rows, library, X = training.rows, training.library, described.values[training.library]
    groups = library
    if joining is not None:
        rows = np.concatenate([rows, joining.rows])
        library = np.concatenate([library, joining.twins])
        X = np.concatenate([X, joining.descriptors])
        groups = np.concatenate([groups, len(usable) + np.arange(len(joining.rows))])
    return calibrate_unsimulated(
        assembly.measured[rows],
        place[library],
        X,
        assembly.library_md[usable],
        described.values[usable],
        described.blocks.sizes,
        calibration_options(described, settings),
        weights=weigh(assembly, rows, settings).weights,
        groups=groups,
        task=task,
    )
