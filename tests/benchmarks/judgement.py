"""Which calibrator is used, how sure it is, and how good: simulated measurements of real polymers with a known truth.

``python -m tests.benchmarks.judgement --md PI1070.csv [--designs ordinary,strong] [--n 20,62] [--sets 20]
[--methods cokriging] [--first 100]``

``--md`` is RadonPy's table of 1,077 polymers (github.com/RadonPy/RadonPy, data/PI1070.csv). Designs are described in
``judgement_designs.py``, rules in ``judgement_rules.py``. Printed for each design and n:

* the root mean square error of the values of NEW polymers against the noise-free truth, by rule, mean over sets with its
  standard error; below it that of version 0.1.0 in an audit with other random truths of the same kind;
* the share of sets in which the package recommends each calibrator;
* how often new measured values lie in the intervals of each calibrator, in percent: at several levels, and at the middle
  one of them for polymers inside and outside the range of validity; mean width of the intervals at that level; those of
  the recommended calibrator class by class (``polymer_class`` of the table);
* in how many sets the 95 % interval of the error holds the error for new polymers, and that of the difference to ordinary
  regression the true difference; how often "better than ordinary" is said, and how often it is said wrongly.
* how often 90 % bands hold the true gamma of the designs that have one: all of them, the fifth that is truly the largest,
  and the fifth that is shown as the largest; how often intervals hold alpha_1 and beta, and how often beta has none; the
  share of gamma whose band is clear of zero; how often the F test rejects Einstein's theory at 10 % where it is true.

A set takes about a second.
"""

import argparse
import sys

import numpy as np

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.checking.comparison import SIGNIFICANCE
from affinecal_gui.calibration.kept_fit import KeptFit
from affinecal_gui.calibration.kernels.comparing.compare import compare_calibrators
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import Calibration
from affinecal_gui.calibration.uncertainty.intervals import library_intervals
from tests.benchmarks.judgement_bands import band_coverage, print_bands
from tests.benchmarks.judgement_designs import DESIGNS, SIZES, Polymers, Sample, sample
from tests.benchmarks.judgement_options import StudyOptions, polymers_of
from tests.benchmarks.judgement_rules import BEFORE, RULES, Study

LEVELS = (0.5, 0.8, 0.9)
SHOWN = 0.9
"""The level at which polymers inside and outside the range of validity are told apart."""


FEWEST_OF_CLASS = 40
"""New polymers of a class, over all sets, whose coverage is printed."""


def calibrated(polymers: Polymers, drawn: Sample, seed: int, methods: tuple[str, ...] = ()) -> Calibration:
    """Calibrate one simulated study as the program does, and compare methods with kernels beside it."""
    a, b = drawn.measured, drawn.others
    found = calibrate(
        np.exp(drawn.y[a]),
        np.exp(polymers.f[a]),
        polymers.X[a],
        np.exp(polymers.f[b]),
        polymers.X[b],
        SIZES,
        CalibrationOptions(measure_next=0, seed=seed),
    )
    return compare_calibrators(found, methods).calibration if methods else found


def workings_of(found: Calibration) -> KeptFit:
    """Return what the calibration was worked out with."""
    assert isinstance(found.kept_fit, KeptFit)
    return found.kept_fit


def study_of(found: Calibration) -> Study:
    """Return what the rules look at."""
    return Study(
        np.log(found.measured),
        found.recommendation.recommended,
        {name: np.log(result.out_of_fold) for name, result in found.models.items()},
        {name: _without_gaps(found, name) for name in found.models},
    )


def _without_gaps(found: Calibration, name: str) -> np.ndarray:
    """(m,) values on the target scale; where the package withholds one, the mean of the held-out models stands for it."""
    value = np.log(found.models[name].library)
    kept_fit = workings_of(found)
    mean = kept_fit.held_out.models[name].library.mean(axis=(0, 1))[kept_fit.problem.library_order.place]
    return np.where(np.isfinite(value), value, mean)


def coverage(found: Calibration, new: np.ndarray) -> dict[str, list[float]]:
    """By calibrator: share of new measured values inside, at every level; inside, outside the range; mean width."""
    kept_fit, shown = workings_of(found), {}
    held, y = kept_fit.held_out.models, kept_fit.problem.y
    inside, order = found.validity.inside, kept_fit.problem.library_order
    for name in found.models:
        value = _without_gaps(found, name)
        row = []
        for level in (*LEVELS, SHOWN):
            bounds = library_intervals(y, held[name], value[order.given], level)
            lower, upper = (bound[order.place] for bound in bounds)
            covered = (new >= lower) & (new <= upper)
            row.append(float(covered.mean()))
        row[-1:] = [_mean(covered[inside]), _mean(covered[~inside]), float(np.mean(upper - lower))]
        shown[name] = row
    return shown


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else float("nan")


def root_mean_square(values: np.ndarray) -> float:
    """Return the root mean square."""
    return float(np.sqrt(np.mean(values**2)))


def statements(found: Calibration, new: np.ndarray) -> dict[str, list[float]]:
    """By calibrator: whether the interval of its error holds, that of the difference to ordinary, "better" said, wrongly."""
    true = {name: root_mean_square(_without_gaps(found, name) - new) for name in found.models}
    pairs = {frozenset((pair.better, pair.worse)): pair for pair in found.recommendation.comparisons}
    told = {}
    for name, result in found.models.items():
        lower, upper = result.metrics.rmse_target_scale_interval
        row = [float(lower <= true[name] <= upper), float("nan"), float("nan"), float("nan")]
        pair = pairs.get(frozenset((name, "ordinary")))
        if pair is not None:
            gap = true[pair.worse] - true[pair.better]
            said = pair.better == name and pair.paired_p_value < SIGNIFICANCE
            row[1:] = [float(pair.lower <= gap <= pair.upper), float(said), float(said and gap <= 0.0)]
        told[name] = row
    return told


def print_cell(title: str, errors: dict[str, list[float]], before: dict[str, float]) -> None:
    """Print errors by rule, and those of version 0.1.0 below."""
    print(f"\n{title}")
    print("  rule           " + "".join(f"{rule:>17}" for rule in errors))
    cells = []
    for values in errors.values():
        error = np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else float("nan")
        cells.append(f"{np.mean(values):>10.4f} ± {error:.4f}" if np.isfinite(values).all() else f"{'':>17}")
    print("  RMSE           " + "".join(f"{cell:>17}" for cell in cells))
    if before:
        print("  version 0.1.0  " + "".join(f"{before.get(rule, ''):>17}" for rule in errors))


def by_class(polymers: Polymers, drawn: Sample, found: Calibration) -> dict[str, list[float]]:
    """By class of polymers: which new measured values lie in the intervals of the recommended calibrator."""
    result, new = found.models[found.recommendation.recommended], drawn.y[drawn.others]
    inside = (new >= np.log(result.library_lower)) & (new <= np.log(result.library_upper))
    classes = polymers.classes[drawn.others]
    return {name: [float(one) for one in inside[classes == name]] for name in np.unique(classes)}


def print_classes(inside: dict[str, list[float]]) -> None:
    """Print the coverage of every class with enough polymers over all sets, and its standard error."""
    cells = [
        f"{name}: {100 * np.mean(of):.0f} ± {100 * np.std(of) / np.sqrt(len(of)):.0f}"
        for name, of in inside.items()
        if len(of) >= FEWEST_OF_CLASS
    ]
    print(f"  by class, {100 * SHOWN:.0f} % " + ", ".join(cells))


def print_coverage(rows: dict[str, list[list[float]]]) -> None:
    """Print one line per calibrator."""
    heads = [*(f"at {100 * level:.0f} %" for level in LEVELS), "inside", "outside", "width"]
    heads += ["error", "differs", "better", "wrongly"]
    print("  intervals      " + "".join(f"{head:>9}" for head in heads))
    for name, values in rows.items():
        table = np.array(values)
        mean = [float(np.nanmean(column)) if np.isfinite(column).any() else np.nan for column in table.T]
        cells = [f"{100 * one:>9.1f}" for one in mean]
        cells[len(LEVELS) + 2] = f"{mean[len(LEVELS) + 2]:>9.3f}"
        print(f"  {name:<15}" + "".join(cells))


def run(polymers: Polymers, name: str, n: int, sets: range, others: int, methods: tuple[str, ...]) -> None:
    """Simulate one design at one number of measured polymers, and print what came out."""
    errors: dict[str, list[float]] = {rule: [] for rule in RULES}
    covered: dict[str, list[list[float]]] = {}
    bands: dict[str, list[list[float]]] = {}
    chosen: dict[str, int] = {}
    classes: dict[str, list[float]] = {}
    for seed in sets:
        drawn = sample(name, polymers, n, others, seed)
        found = calibrated(polymers, drawn, seed, methods)
        study = study_of(found)
        truth = drawn.truth[drawn.others]
        for rule, use in RULES.items():
            errors[rule].append(root_mean_square(use(study) - truth))
        new = drawn.y[drawn.others]
        said = statements(found, new)
        for model, row in coverage(found, new).items():
            covered.setdefault(model, []).append([*row, *said[model]])
        for model, row in band_coverage(found, drawn.line).items() if drawn.line is not None else ():
            bands.setdefault(model, []).append(row)
        for kind, inside in by_class(polymers, drawn, found).items():
            classes.setdefault(kind, []).extend(inside)
        chosen[study.recommended] = chosen.get(study.recommended, 0) + 1
    print_cell(f"{name}, n = {n}, {len(sets)} sets", errors, dict(BEFORE.get((name, n), {})))
    print("  recommended    " + ", ".join(f"{model} {count}" for model, count in sorted(chosen.items())))
    print_coverage(covered)
    print_classes(classes)
    print_bands(bands)
    sys.stdout.flush()


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = StudyOptions(__doc__, designs=(",".join(DESIGNS), "strong"), numbers=("12,20,62", "20"), sets=(20, 1))
    parser.size("--methods", "", "cokriging", help="methods with kernels that are compared too")
    parser.size("--others", 300, 40, help="new polymers of each study")
    parser.add_argument(
        "--first", type=int, default=0, help="number of the first set; rules were chosen by sets below 100"
    )
    return parser.read()


def main() -> None:
    """Print one block for each design and number of measured polymers."""
    told = arguments()
    polymers = polymers_of(told)
    sets = range(told.first, told.first + told.sets)
    for name in told.designs.split(","):
        for n in map(int, told.n.split(",")):
            if n in DESIGNS[name].numbers:
                run(polymers, name, n, sets, told.others, tuple(filter(None, told.methods.split(","))))


if __name__ == "__main__":
    main()
