"""Whether steps by expected gain find more polymers that meet wishes than other ways of choosing what to do next.

``python -m tests.benchmarks.next_steps --md PI1070.csv [--sets 8] [--designs weak] [--ways random,probable,uncertain,gain]``

Measured values of two properties are simulated for real polymers as in ``judgement_designs.py``: heat capacity, and density
with its logarithm stretched to the spread of that of the heat capacity. Both are to lie above a quantile, such that six of a
hundred polymers meet both wishes. 30 random polymers are measured; then budgets are spent in rounds, each after calibrating
anew, and it is counted how many of the polymers measured meet the wishes.

``known``: the MD values of all polymers are known, and 30 are measured in three rounds. ``hidden``: only those of the
measured polymers and of 60 others are, and predicted else; a measurement costs 10, a simulation 1, and 300 are spent in three
rounds. All ways but ``gain`` and ``simulate first``, which simulates the 30 most probable polymers of each round before it
measures 7, only measure. ``gain`` looks ahead to the measurements that can still be paid.
"""

import argparse
import csv
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.kept_fit import KeptFit
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.sharing.expected_gain import (
    Errors,
    Outlook,
    best_other,
    correlations_of,
    gain_of_measuring,
    gain_of_simulating,
)
from affinecal_gui.calibration.sharing.wishes import Wanted, errors_together
from affinecal_gui.calibration.sharing.with_training import TrainedCalibrator, is_linear, trained_calibrator
from affinecal_gui.polymers.descriptors.descriptors import describe
from tests.benchmarks.judgement_designs import DESIGNS, SIZES, Polymers, sample
from tests.benchmarks.options import Options

REPOSITORY = Path(__file__).resolve().parents[2]
FIRST_SEED = 7000
SHARE_MEETING = 0.06
TOGETHER = 200
SIMULATED_ELSEWHERE = 60
MEASURING, SIMULATING = 10.0, 1.0
ROUNDS = 3
A_ROUND = 10


@dataclass
class Search:
    """Where a search stands."""

    y: FloatArray  # (p, 2) what measuring gives, target scale
    f: FloatArray  # (p, 2) what simulating gives
    X: FloatArray
    wanted: tuple[Wanted, Wanted]
    measured: list[int]
    simulated: set[int]
    generator: np.random.Generator
    options: CalibrationOptions
    batch: int  # measurements of a round, or what they cost
    chosen: list[int] = field(default_factory=list)  # measured since the start
    saved: float = 0.0  # of the budgets of earlier rounds

    def candidates(self) -> FloatArray:
        """(k,) polymers that are not measured."""
        return np.setdiff1d(np.arange(len(self.y)), self.measured)

    def measure(self, some: Sequence[int]) -> None:
        """Measure polymers, which takes their MD values."""
        self.measured += some
        self.chosen += some
        self.simulated |= set(some)

    @property
    def hits(self) -> int:
        """How many of the chosen meet the wishes."""
        return int(meeting(self.y[self.chosen], self.wanted).sum())


def meeting(y: FloatArray, wanted: Sequence[Wanted]) -> FloatArray:
    """(k,) whether values (k, 2) meet all wishes."""
    return np.asarray(np.all([one.low <= y[:, number] for number, one in enumerate(wanted)], axis=0))


@dataclass
class Seen:
    """What the calibrators say of the candidates."""

    which: FloatArray  # (k,) candidates
    now: Outlook
    after: Outlook  # were they simulated
    correlations: Callable[[FloatArray], FloatArray]  # of some candidates, by their places
    worth: FloatArray  # (k,)
    open: FloatArray  # (k,) not simulated


def calibrators(search: Search, *, hidden: bool) -> list[TrainedCalibrator]:
    """Calibrate each property by the polymers that are measured; the other simulated ones teach to predict MD values."""
    a, library = np.array(search.measured), np.array(sorted(search.simulated - set(search.measured)))
    library = library if hidden else library[:1]  # what has not to be predicted needs no teaching
    found = []
    for number in range(2):
        y, md = np.exp(search.y[:, number]), np.exp(search.f[:, number])
        result = calibrate(y[a], md[a], search.X[a], md[library], search.X[library], SIZES, search.options)
        assert isinstance(result.kept_fit, KeptFit)
        model = result.recommendation.recommended
        found.append(trained_calibrator(result.kept_fit, model if is_linear(model) else "affine", SIZES))
    return found


def look(search: Search, *, hidden: bool) -> Seen:
    """Calibrate, and say what is known of all candidates."""
    fitted, which = calibrators(search, hidden=hidden), search.candidates()
    is_open = np.array([hidden and number not in search.simulated for number in which], dtype=bool)
    same = np.repeat(np.arange(len(search.measured))[:, None], 2, axis=1).astype(float)
    kinds = [True, False] if hidden else [True]
    shown = [[one.errors_shown(simulated=simulated) for one in fitted] for simulated in kinds]
    errors = tuple(Errors((errors_together(own, same),)) for own in shown)
    centre, spread, sharper, md = (np.full((len(which), 2), np.nan) for _ in range(4))
    for number, one in enumerate(fitted):
        md[:, number] = np.exp(search.f[which, number])
        if is_open.any():
            md[is_open, number], guessed = one.apply_unsimulated(search.X[which[is_open]])
        applied = one.apply(md[:, number], search.X[which])
        centre[:, number] = np.log(applied.values)
        sharper[:, number] = np.log(applied.upper / applied.lower) / 2.0 / shown[0][number].half_width
        spread[:, number] = sharper[:, number]
        if is_open.any():
            centre[is_open, number] = np.log(guessed.values)
            half = shown[1][number].half_width
            spread[is_open, number] = np.log(guessed.upper / guessed.lower) / 2.0 / half
    told = np.isfinite(centre).all(axis=1) & np.isfinite(spread).all(axis=1) & np.isfinite(sharper).all(axis=1)
    which, is_open, md = which[told], is_open[told], md[told]
    now = Outlook(centre[told], spread[told], errors, is_open.astype(np.int64))
    after = Outlook(centre[told], sharper[told], errors, np.zeros(len(which), dtype=np.int64))

    def correlations(some: FloatArray) -> FloatArray:
        widened = np.maximum((now.deviations[some] / after.deviations[some]) ** 2, 1.0)
        X = search.X[which[some]]
        return np.stack(
            [
                correlations_of(one.covariance(md[some, number], X), widened[:, number])
                for number, one in enumerate(fitted)
            ]
        )

    return Seen(which, now, after, correlations, now.worth(search.wanted), is_open)


def first(score: FloatArray, seen: Seen, count: int) -> list[int]:
    """Return the candidates with the highest score."""
    order = np.lexsort((seen.which, -seen.worth, -score))
    return [int(seen.which[place]) for place in order[:count]]


def measuring_gains(search: Search, seen: Seen, further: int) -> FloatArray:
    """(k,) gains of measuring, of the most probable ones with what they teach."""
    gains = np.minimum(seen.worth, best_other(seen.worth, further))
    some = np.argsort(-seen.worth, kind="stable")[:TOGETHER]
    gains[some] = gain_of_measuring(
        seen.now.of(some), search.wanted, seen.worth[some], seen.correlations(some), further
    )
    return gains


def a_round(search: Search, way: str, left: int, *, hidden: bool) -> None:
    """Spend the budget of one round."""
    if way == "random":
        search.measure(search.generator.permutation(search.candidates())[: search.batch].tolist())
        return
    seen = look(search, hidden=hidden)
    if way == "probable":
        search.measure(first(seen.worth, seen, search.batch))
    elif way == "uncertain":
        search.measure(first(np.log(seen.now.deviations).sum(axis=1), seen, search.batch))
    elif way == "simulate first":
        search.simulated |= set(first(np.where(seen.open, seen.worth, -1.0), seen, 3 * search.batch))
        search.measure(first(look(search, hidden=hidden).worth, seen, search.batch - 3 * search.batch // 10))
    elif not hidden:
        search.measure(first(measuring_gains(search, seen, (left - 1) * search.batch), seen, search.batch))
    else:
        spend_by_gain(search, seen, left)


def spend_by_gain(search: Search, seen: Seen, left: int) -> None:
    """Take steps by gain for their cost until the budget of a round is spent; what is left goes to the next round."""
    budget = search.batch * MEASURING + search.saved
    simulate_within = 3 * search.batch  # in one go: then what they say is looked at
    further = left * search.batch - 3 * search.batch // 10
    threshold = best_other(seen.worth, further)
    simulating = np.zeros(len(seen.which))
    some = np.flatnonzero(seen.open)
    simulating[some] = gain_of_simulating(seen.now.of(some), seen.after.of(some), search.wanted, threshold[some])
    measuring = measuring_gains(search, seen, further)
    worthwhile = simulating / SIMULATING > np.sort(measuring)[-search.batch] / MEASURING
    score = np.where(worthwhile, simulating, -1.0)
    simulated = [one for one in first(score, seen, simulate_within) if score[np.searchsorted(seen.which, one)] > 0.0]
    search.simulated |= set(simulated)
    budget -= SIMULATING * len(simulated)
    again = look(search, hidden=True) if simulated else seen
    count = int(budget // MEASURING)
    search.saved = budget - count * MEASURING
    search.measure(first(measuring_gains(search, again, (left - 1) * search.batch), again, count))


def searched(told: argparse.Namespace, polymers: Sequence[Polymers], case: str, way: str, seed: int) -> tuple[int, int]:
    """Return how many polymers meet the wishes that were found, and how many more there are."""
    hidden = case == "hidden"
    n = told.n
    # The draw of a property decides about truth and noise; who is measured first is that of the heat capacity.
    drawn = [
        sample(told.design, one, n, len(one.f) - n, FIRST_SEED + 2 * seed + number)
        for number, one in enumerate(polymers)
    ]
    y = np.column_stack([one.y for one in drawn])
    share = next(q for q in np.arange(0.3, 1.0, 0.01) if _share(y, q) <= SHARE_MEETING)
    wanted = (Wanted(low=float(np.quantile(y[:, 0], share))), Wanted(low=float(np.quantile(y[:, 1], share))))
    measured = drawn[0].measured.tolist()
    generator = np.random.default_rng((FIRST_SEED, seed))
    others = drawn[0].others if case == "known" else generator.permutation(drawn[0].others)[:SIMULATED_ELSEWHERE]
    search = Search(
        y,
        np.column_stack([one.f for one in polymers]),
        polymers[0].X,
        wanted,
        measured,
        {*measured, *others.tolist()},
        generator,
        told.options,
        told.batch,
    )
    total = int(meeting(y[search.candidates()], wanted).sum())
    for number in range(told.rounds):
        a_round(search, way, told.rounds - number, hidden=hidden)
    return search.hits, total


def _share(y: FloatArray, q: float) -> float:
    return float((y > np.quantile(y, q, axis=0)).all(axis=1).mean())


def read(table: Path, cache: Path) -> list[Polymers]:
    """Read heat capacities and densities; descriptors are kept in ``cache`` (.npz)."""
    with table.open(encoding="utf-8") as handle:
        rows = [row for row in csv.DictReader(handle) if row["Cp"] and row["density"]]
    if cache.is_file():
        X = np.load(cache)["X"]
    else:
        X = np.array([describe(row["smiles"]) for row in rows])
        cache.parent.mkdir(parents=True, exist_ok=True)
        np.savez(cache, X=X)
    first_f, other = (np.log([float(row[name]) for row in rows]) for name in ("Cp", "density"))
    other = first_f.mean() + (other - other.mean()) * first_f.std() / other.std()
    classes = np.full(len(rows), "")
    return [Polymers(first_f, X, classes), Polymers(other, X, classes)]


def arguments() -> argparse.Namespace:
    """Read the command line."""
    options = Options(__doc__)
    options.add_argument("--md", type=Path, help="RadonPy's table of MD values (PI1070.csv)")
    options.size("--cases", "known,hidden", "hidden", help="what is known of MD values")
    options.size("--ways", "random,uncertain,probable,simulate first,gain", "simulate first,gain", help="of choosing")
    options.size("--design", "weak", "weak", help="one of: " + ", ".join(DESIGNS))
    options.size("--n", 30, 12, help="polymers measured at the start")
    options.size("--rounds", ROUNDS, 1, help="of choosing")
    options.size("--batch", A_ROUND, A_ROUND, help="measurements of a round")
    options.size("--sets", 8, 1, help="simulated searches")
    folder, user = Path(tempfile.gettempdir()), os.getuid()
    kept, smoke = folder / f"next_steps_{user}.npz", folder / f"next_steps_smoke_{user}.npz"
    options.size("--cache", kept, smoke, help="where descriptors are kept")
    told = options.read()
    told.options = CalibrationOptions(measure_next=0, bands="none", repetitions=2, outer_folds=5)
    if told.smoke:
        told.md = REPOSITORY / "resources" / "examples" / "md_radonpy.csv"
        told.options = CalibrationOptions(
            measure_next=0,
            bands="none",
            repetitions=1,
            outer_folds=4,
            inner_folds=3,
            lambda_1_grid=(1.0,),
            lambda_2_grid=(30.0,),
        )
    elif told.md is None:
        options.error("name RadonPy's table with --md")
    return told


def _with_error(values: FloatArray) -> str:
    return f"{values.mean():.1f} ± {values.std(ddof=min(1, len(values) - 1)) / np.sqrt(len(values)):.1f}"


def main() -> None:
    """Print how many polymers each way found, mean and standard error over the sets."""
    told = arguments()
    polymers = read(told.md, told.cache)
    for case in told.cases.split(","):
        ways = [way for way in told.ways.split(",") if case == "hidden" or way != "simulate first"]
        hits: dict[str, FloatArray] = {}
        for way in sorted(ways, key="probable".__ne__):
            found = np.array([searched(told, polymers, case, way, seed) for seed in range(told.sets)], dtype=float)
            hits[way] = found[:, 0]
            beside = (
                f"; more than the most probable {_with_error(hits[way] - hits['probable'])}"
                if "probable" in hits
                else ""
            )
            print(f"{case}, {way}: {_with_error(found[:, 0])} of {found[:, 1].mean():.0f}{beside}", flush=True)


if __name__ == "__main__":
    main()
