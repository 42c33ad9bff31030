"""How often clean data have a flagged polymer, and how often a value that is wrong by a factor is flagged.

``python -m tests.benchmarks.outliers --md PI1070.csv [--designs ordinary,weak,strong,t3] [--n 12,20,62] [--sets 100]``

Simulated measurements of real polymers as in ``judgement.py``; designs are described in ``judgement_designs.py``. Every set
is judged as it is, with the measured value of one random polymer multiplied or divided by 2, by 3 and by 10, and with those
of two polymers wrong by 3, in the same direction. Printed for each design and n: the share of clean sets with any flag; the
share of sets in which the wrong value is flagged (both of them, of two); and how many right values are flagged beside it.
"""

import argparse
from dataclasses import dataclass

import numpy as np

from affinecal_gui.calibration.calibrators.training import training_part
from affinecal_gui.calibration.checking.far_values import far_values
from affinecal_gui.calibration.cross_validation.out_of_fold import DEALINGS_STRIDE
from affinecal_gui.calibration.data.scale import learn_scale
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.threads import one_thread_each
from tests.benchmarks.judgement_designs import DESIGNS, SIZES, Polymers, Sample, sample
from tests.benchmarks.judgement_options import StudyOptions, polymers_of

ERRORS = {"x2": (2, 1), "x3": (3, 1), "x10": (10, 1), "two x3": (3, 2)}
"""By which factor how many values are wrong."""

FIRST_SEED = 1000


@dataclass
class Counts:
    """Over the sets of one design."""

    alarms: int  # clean sets with any flag
    found: dict[str, int]  # sets in which every wrong value is flagged, by the error
    beside: int  # right values that are flagged in sets with a wrong one


def rows_flagged(polymers: Polymers, drawn: Sample, wrong: np.ndarray, logarithm: float) -> set[int]:
    """Return the measured polymers that are flagged where some values are wrong by a factor."""
    rows = drawn.measured
    y, X = drawn.y[rows], polymers.X[rows]
    y[wrong] += logarithm
    part = training_part(y, polymers.f[rows], learn_scale(X, SIZES).apply(X), SIZES, None, log_scale=True)
    options = CalibrationOptions()
    return {
        one.row
        for one in far_values(part, options.lambda_1[::DEALINGS_STRIDE], options.lambda_2[::DEALINGS_STRIDE]) or ()
    }


def count(polymers: Polymers, design: str, n: int, sets: int) -> Counts:
    """Simulate one design."""
    counts = Counts(0, dict.fromkeys(ERRORS, 0), 0)
    for seed in range(sets):
        drawn = sample(design, polymers, n, 10, FIRST_SEED + seed)
        rng = np.random.default_rng(seed)
        counts.alarms += bool(rows_flagged(polymers, drawn, np.zeros(0, int), 0.0))
        for name, (factor, number) in ERRORS.items():
            wrong = rng.permutation(n)[:number]
            sign = 1.0 if rng.random() < 0.5 else -1.0
            rows = rows_flagged(polymers, drawn, wrong, sign * float(np.log(factor)))
            counts.found[name] += set(wrong.tolist()) <= rows
            counts.beside += len(rows - set(wrong.tolist()))
    return counts


def arguments() -> argparse.Namespace:
    """Read the command line."""
    return StudyOptions(
        __doc__, designs=("ordinary,weak,strong,t3", "ordinary"), numbers=("12,20,62", "12"), sets=(100, 1)
    ).read()


def main() -> None:
    """Print one line for each design and number of measured polymers."""
    told = arguments()
    polymers = polymers_of(told)
    heads = ["clean, any flag", *ERRORS, "others, a set"]
    print(f"{'design, n':<16}" + "".join(f"{head:>17}" for head in heads))
    for design in told.designs.split(","):
        for n in map(int, told.n.split(",")):
            if n in DESIGNS[design].numbers:
                with one_thread_each(1):
                    counts = count(polymers, design, n, told.sets)
                shares = [counts.alarms, *counts.found.values()]
                cells = [f"{share} of {told.sets}" for share in shares]
                cells.append(f"{counts.beside / (len(ERRORS) * told.sets):.2f}")
                print(f"{f'{design}, {n}':<16}" + "".join(f"{cell:>17}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
