"""Which calibrator is used, how sure it is, and how good: simulated measurements of real polymers with a known truth.

``python tests/benchmarks/judgement.py --md PI1070.csv [--designs ordinary,strong] [--n 20,62] [--sets 20]``

``--md`` is RadonPy's table of 1,077 polymers (github.com/RadonPy/RadonPy, data/PI1070.csv). Designs are described in
``judgement_designs.py``, rules in ``judgement_rules.py``. Printed for each design and n:

* the root mean square error of the values of NEW polymers against the noise-free truth, by rule, mean over sets with its
  standard error; below it that of version 0.1.0 in an audit with other random truths of the same kind;
* the share of sets in which the package recommends each calibrator;
* how often new measured values lie in the intervals of each calibrator, in percent: at several levels, and at the middle
  one of them for polymers inside and outside the range of validity; mean width of the intervals at that level.

A set takes about a second.
"""

import argparse
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from judgement_designs import DESIGNS, SIZES, Polymers, Sample, read_polymers, sample
from judgement_rules import BEFORE, RULES, Study

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.kept_fit import Workings
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import Calibration
from affinecal_gui.calibration.uncertainty.intervals import library_intervals

LEVELS = (0.5, 0.8, 0.9)
SHOWN = 0.9
"""The level at which polymers inside and outside the range of validity are told apart."""


def calibrated(polymers: Polymers, drawn: Sample, seed: int) -> Calibration:
    """Calibrate one simulated study as the program does."""
    a, b = drawn.measured, drawn.others
    return calibrate(
        np.exp(drawn.y[a]),
        np.exp(polymers.f[a]),
        polymers.X[a],
        np.exp(polymers.f[b]),
        polymers.X[b],
        SIZES,
        CalibrationOptions(measure_next=0, bands="none", seed=seed),
    )


def workings_of(found: Calibration) -> Workings:
    """Return what the calibration was worked out with."""
    assert isinstance(found.workings, Workings)
    return found.workings


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
    return np.where(np.isfinite(value), value, workings_of(found).held_out.models[name].library.mean(axis=(0, 1)))


def coverage(found: Calibration, new: np.ndarray) -> dict[str, list[float]]:
    """By calibrator: share of new measured values inside, at every level; inside, outside the range; mean width."""
    workings, shown = workings_of(found), {}
    held, y = workings.held_out.models, workings.problem.y
    inside = found.validity.inside
    for name in found.models:
        value = _without_gaps(found, name)
        row = []
        for level in (*LEVELS, SHOWN):
            lower, upper = library_intervals(y, held[name], value, level)
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


def print_coverage(rows: dict[str, list[list[float]]]) -> None:
    """Print one line per calibrator."""
    heads = [*(f"at {100 * level:.0f} %" for level in LEVELS), "inside", "outside", "width"]
    print("  intervals      " + "".join(f"{head:>9}" for head in heads))
    for name, values in rows.items():
        table = np.array(values)
        mean = [float(np.nanmean(column)) if np.isfinite(column).any() else np.nan for column in table.T]
        cells = [f"{100 * one:>9.1f}" for one in mean[:-1]]
        print(f"  {name:<15}" + "".join(cells) + f"{mean[-1]:>9.3f}")


def run(polymers: Polymers, name: str, n: int, sets: int, others: int) -> None:
    """Simulate one design at one number of measured polymers, and print what came out."""
    errors: dict[str, list[float]] = {rule: [] for rule in RULES}
    covered: dict[str, list[list[float]]] = {}
    chosen: dict[str, int] = {}
    for seed in range(sets):
        drawn = sample(name, polymers, n, others, seed)
        found = calibrated(polymers, drawn, seed)
        study = study_of(found)
        truth = drawn.truth[drawn.others]
        for rule, use in RULES.items():
            errors[rule].append(root_mean_square(use(study) - truth))
        for model, row in coverage(found, drawn.y[drawn.others]).items():
            covered.setdefault(model, []).append(row)
        chosen[study.recommended] = chosen.get(study.recommended, 0) + 1
    print_cell(f"{name}, n = {n}, {sets} sets", errors, dict(BEFORE.get((name, n), {})))
    print("  recommended    " + ", ".join(f"{model} {count}" for model, count in sorted(chosen.items())))
    print_coverage(covered)


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--md", type=Path, required=True, help="RadonPy's table of MD values (PI1070.csv)")
    parser.add_argument("--designs", default=",".join(DESIGNS), help="some of: " + ", ".join(DESIGNS))
    parser.add_argument("--n", default="12,20,62", help="numbers of measured polymers")
    parser.add_argument("--sets", type=int, default=20, help="simulated studies of each kind")
    parser.add_argument("--others", type=int, default=300, help="new polymers of each study")
    kept = Path(tempfile.gettempdir()) / f"judgement_descriptors_{os.getuid()}.npz"
    parser.add_argument("--cache", type=Path, default=kept, help="where descriptors are kept")
    return parser.parse_args(given)


def main() -> None:
    """Print one block for each design and number of measured polymers."""
    told = arguments()
    polymers = read_polymers(told.md, told.cache)
    for name in told.designs.split(","):
        for n in map(int, told.n.split(",")):
            if n in DESIGNS[name].numbers:
                run(polymers, name, n, told.sets, told.others)


if __name__ == "__main__":
    main()
