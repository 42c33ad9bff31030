"""Which polymers of a screened library to measure or to simulate next, by what it is expected to bring, and what it costs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.sharing.expected_gain import (
    Errors,
    Outlook,
    best_other,
    correlations_of,
    gain_of_measuring,
    gain_of_simulating,
)
from affinecal_gui.calibration.sharing.with_training import TrainedCalibrator
from affinecal_gui.errors import UserError
from affinecal_gui.study.describing.describing import describe_text
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.writing.csv_export import csv_bytes
from affinecal_gui.task import Task
from affinecal_gui.tasks.screening.calibrator_sources import (
    CalibratorSource,
    descriptors_asked_for,
    opened,
)
from affinecal_gui.tasks.screening.columns import MD, PREDICTED, PROBABILITY, Origin, Screened, column
from affinecal_gui.tasks.screening.identities import places_of
from affinecal_gui.tasks.screening.results.dataset import NEXT_STEPS
from affinecal_gui.tasks.screening.results.shortlist import Cells, columns_read, screened_again, shortlist
from affinecal_gui.tasks.screening.wished import Wishes, by_origins, errors_of, on_target_scale, wanted_of, worths_of
from affinecal_gui.threads import one_thread_each

if TYPE_CHECKING:
    import pyarrow

FURTHER = 10
MOST_FURTHER = 100
LOOKED_AT = 500
"""The most probable polymers, for which the gains are worked out."""
LOOKED_AT_TOGETHER = 200
"""Of these, those of which it is asked what a measurement of one tells of the others."""
MEASURE, SIMULATE = "measure", "simulate"


@dataclass(frozen=True, slots=True)
class StepsWanted:
    """What the user says of the steps to come.

    Raises
    ------
    UserError
        A cost is no number above 0, or so many further measurements are not looked ahead to.
    """

    measuring: float = 1.0  # cost of measuring one polymer, in any unit
    simulating: float = 1.0  # of simulating one, in the same
    further: int = FURTHER  # measurements that will be made after the step

    def __post_init__(self) -> None:
        for words, cost in (("measuring", self.measuring), ("simulating", self.simulating)):
            if not (math.isfinite(cost) and cost > 0.0):
                raise UserError(f"The cost of {words} a polymer must be a number above 0, and not {cost:g}.")
        if not 0 <= self.further <= MOST_FURTHER:
            raise UserError(
                f"The search can look ahead to between 0 and {MOST_FURTHER} further measurements, and not to {self.further}."
            )


@dataclass(frozen=True, slots=True, eq=False)
class NextStep:
    """One thing to do next."""

    kind: str  # MEASURE or SIMULATE
    gain: float
    cost: float
    worth: float  # probability of now that all wishes are met, or the expected improvement
    cells: Cells  # of its row

    @property
    def gain_per_cost(self) -> float:
        """By which steps are ranked."""
        return self.gain / self.cost


def unheard(steps: Sequence[NextStep]) -> None:
    """Tell nobody which steps were found."""


def check_steps(wishes: Wishes, sources: Sequence[CalibratorSource]) -> None:
    """Raise UserError where nothing is wished that a step could bring nearer."""
    if not wishes.bounds and not wishes.goals:
        raise UserError(
            "Next steps are chosen by what they bring towards wishes, and there is none. Say what is wished, for example "
            "“Tg > 400 K”."
        )
    if len(wishes.goals) > 1:
        raise UserError(
            "Next steps can be chosen for one property as high or as low as possible. Say of the others what will do, for "
            "example “density < 1.2”."
        )
    for source in sources:
        one = opened(source)
        if descriptors_asked_for(one):
            raise UserError(
                f"{one.name} uses descriptors of its own, which are not kept: next steps need a calibrator of repeat units."
            )
        if one.quantity.key in wishes.goals and one.file.training is None:
            raise UserError(
                f"{one.name} does not say what was measured, so that nothing tells what would be better. Write a bound, such "
                f"as “{one.quantity.key} > …”, or use an open calibrator file."
            )


def next_steps(
    files: Sequence[Path],
    sources: Sequence[CalibratorSource],
    wishes: Wishes,
    wanted: StepsWanted,
    most: int,
    *,
    task: Task,
) -> list[NextStep]:
    """Return the steps with the highest gain for their cost, the best first; those without any gain are left out.

    Parameters
    ----------
    files
        The partitions of a dataset in which nothing is missing.
    sources, wishes
        With which it was made.
    wanted
        Costs, and how far it is looked ahead.
    most
        How many steps are returned.
    """
    quantities = [opened(source).quantity for source in sources]
    own = [source for source in sources if opened(source).quantity.key in {*wishes.bounds, *wishes.goals}]
    wished = [opened(source).quantity for source in own]
    beyond = {key: best_measured(wishes, own, key) for key in wishes.goals}

    def worth_of(table: "pyarrow.Table") -> FloatArray:
        if not beyond:
            return np.asarray(table[PROBABILITY].to_numpy(), dtype=np.float64)
        return worths_of(wishes, own, [screened_again(table, one, quantities) for one in wished], beyond)

    names = columns_read(quantities, wished, with_probability=bool(wishes.bounds))
    measured = _measured(own)
    with one_thread_each(1):
        found = shortlist(files, names, worth_of, LOOKED_AT, measured, task=task.part(0.0, 0.5))
        if not found:
            return []
        looked = _Looked(found, own, wished, quantities, wishes, beyond, task)
        steps = looked.steps(wanted, task.part(0.5, 1.0))
    steps = [one for one in steps if one.gain > 0.0]
    order = sorted(steps, key=lambda one: (-one.gain_per_cost, -one.worth, one.cells["row"], one.kind))
    return order[:most]


def _measured(sources: Sequence[CalibratorSource]) -> set[bytes]:
    """Return the polymers of which all these properties were measured."""
    each = [
        set() if one.file.training is None else set(places_of(one.file.training.smiles)) for one in map(opened, sources)
    ]
    return set.intersection(*each)


def best_measured(wishes: Wishes, sources: Sequence[CalibratorSource], key: str) -> float:
    """Return upon which value of a property, target scale, a polymer has to improve.

    It is the best measured one among the polymers that were measured in all properties that are wished, and meet the bounds;
    where there is none, the worst of all that were measured.
    """
    values: dict[str, dict[bytes, float]] = {}
    logarithmic = False
    for one in map(opened, sources):
        assert one.file.training is not None or one.quantity.key != key
        logarithmic = one.calibrator.log_scale if one.quantity.key == key else logarithmic
        values[one.quantity.key] = {}
        if one.file.training is not None and isinstance(one.calibrator, TrainedCalibrator):
            measured = one.calibrator.training.measured
            places = places_of(one.file.training.smiles)
            values[one.quantity.key] = {polymer: float(measured[place]) for polymer, place in places.items()}
    meeting = [
        value
        for polymer, value in values[key].items()
        if all(
            polymer in values[other] and low < values[other][polymer] < high
            for other, (low, high) in wishes.bounds.items()
        )
    ]
    lowest, highest = (min, max) if wishes.goals[key] == "high" else (max, min)
    best = highest(meeting) if meeting else lowest(values[key].values())
    return math.log(best) if logarithmic else best


class _Looked:
    """The rows that are looked at more closely: their polymers are described again."""

    def __init__(
        self,
        found: Sequence[Cells],
        sources: Sequence[CalibratorSource],
        wished: Sequence[Property],
        quantities: Sequence[Property],
        wishes: Wishes,
        beyond: dict[str, float],
        task: Task,
    ) -> None:
        self._found = list(found)
        self._sources = tuple(sources)
        self._calibrators = [opened(source) for source in sources]
        self._wanted = [wanted_of(wishes, one, beyond) for one in self._calibrators]
        self._rows = [_screened_of(found, one, quantities) for one in wished]
        self._descriptors = np.array([_described(cells["smiles"], task) for cells in found])
        self._outlooks()

    def _outlooks(self) -> None:
        """Work out what is known of the rows, and what will be once they are simulated."""
        k, p = len(self._found), len(self._sources)
        kinds = list(dict.fromkeys(kinds for kinds, _ in by_origins(self._rows)))
        simulated: tuple[Origin, ...] = (MD,) * p
        kinds = list(dict.fromkeys([simulated, *kinds]))
        errors = [errors_of(self._sources, one) for one in kinds]
        kind = np.zeros(k, dtype=np.int64)
        centre, spread = np.full((k, p), np.nan), np.full((k, p), np.nan)
        for own, which in by_origins(self._rows):
            number = kinds.index(own)
            kind[which] = number
            for place, (one, row) in enumerate(zip(self._calibrators, self._rows, strict=True)):
                centre[which, place], spread[which, place] = on_target_scale(
                    one, row.values[which], row.lower[which], row.upper[which], errors[number].half_widths[place]
                )
        all_errors = tuple(Errors(one.parts) for one in errors)
        self.now = Outlook(centre, spread, all_errors, kind)
        sharper = spread.copy()
        for place, (one, row) in enumerate(zip(self._calibrators, self._rows, strict=True)):
            predicted = np.array([origin == PREDICTED for origin in row.origin], dtype=bool)
            if predicted.any():
                applied = one.calibrator.apply(row.md[predicted], self._descriptors[predicted])
                _, after = on_target_scale(
                    one, applied.values, applied.lower, applied.upper, errors[0].half_widths[place]
                )
                sharper[predicted, place] = np.where(np.isfinite(after), after, spread[predicted, place])
        self.after = Outlook(centre, sharper, all_errors, np.zeros(k, dtype=np.int64))

    def steps(self, wanted: StepsWanted, task: Task) -> list[NextStep]:
        """Return all steps, with what each gains."""
        worth = self.now.worth(self._wanted)
        further = min(wanted.further, len(worth) - 1)
        threshold = best_other(worth, further)
        measuring = np.minimum(worth, threshold)
        together = min(LOOKED_AT_TOGETHER, len(worth))
        if further < together:
            some = np.arange(together)
            measuring[:together] = gain_of_measuring(
                self.now.of(some), self._wanted, worth[:together], self._correlations(together), further, task=task
            )
        open_ones = np.array(
            [
                cells["known"] is None and any(row.origin[place] == PREDICTED for row in self._rows)
                for place, cells in enumerate(self._found)
            ],
            dtype=bool,
        )
        simulating = np.zeros(len(worth))
        simulating[open_ones] = gain_of_simulating(
            self.now.of(open_ones), self.after.of(open_ones), self._wanted, threshold[open_ones], task=task
        )
        found = []
        for place, cells in enumerate(self._found):
            now = float(worth[place])
            found.append(NextStep(MEASURE, float(measuring[place]), wanted.measuring, now, cells))
            if open_ones[place]:
                found.append(NextStep(SIMULATE, float(simulating[place]), wanted.simulating, now, cells))
        return found

    def _correlations(self, count: int) -> FloatArray:
        """(p, k, k) between the errors of the first rows."""
        found = np.zeros((len(self._sources), count, count))
        widened = (self.now.deviations[:count] / self.after.deviations[:count]) ** 2
        for place, (one, row) in enumerate(zip(self._calibrators, self._rows, strict=True)):
            if isinstance(one.calibrator, TrainedCalibrator) and one.calibrator.sources is None:
                covariance = one.calibrator.covariance(row.md[:count], self._descriptors[:count])
                found[place] = correlations_of(covariance, np.maximum(widened[:, place], 1.0))
        return found


def _screened_of(found: Sequence[Cells], quantity: Property, quantities: Sequence[Property]) -> Screened:
    import pyarrow

    names = ("value", "lower", "upper", "md", "origin")
    own = {column(name, quantity, quantities): None for name in names}
    table = pyarrow.table({name: [cells[name] for cells in found] for name in own})
    return screened_again(table, quantity, quantities)


def _described(smiles: str, task: Task) -> FloatArray:
    task.check()
    values, problem = describe_text(smiles)
    if values is None:
        raise UserError(f"{smiles} could be described when it was screened, and now it cannot: {problem}")
    return values


def steps_table(steps: Sequence[NextStep], *, improves: bool) -> bytes:
    """Return steps as a CSV file.

    Parameters
    ----------
    improves
        Whether the worth of a polymer is an expected improvement, and no probability.
    """
    if not steps:
        return csv_bytes((*_FIRST, _worth_name(improves=improves)), [])
    more = [name for name in steps[0].cells if name not in ("identity", PROBABILITY)]
    return csv_bytes(
        (*_FIRST, _worth_name(improves=improves), *more),
        [
            (rank, one.kind, one.gain, one.cost, one.gain_per_cost, one.worth, *(one.cells[name] for name in more))
            for rank, one in enumerate(steps, 1)
        ],
    )


_FIRST = ("rank", "step", "gain", "cost", "gain_per_cost")


def _worth_name(*, improves: bool) -> str:
    return "expected_improvement" if improves else PROBABILITY


def told_of_steps(steps: Sequence[NextStep], wanted: StepsWanted) -> str:
    """Say what was found, for a person."""
    measured = sum(one.kind == MEASURE for one in steps)
    return (
        f"{NEXT_STEPS} lists {len(steps)} steps by what they are expected to gain for their cost: {measured} to measure at a "
        f"cost of {wanted.measuring:g} each, {len(steps) - measured} to simulate at {wanted.simulating:g}. Measurements to "
        f"follow: {wanted.further}."
    )
