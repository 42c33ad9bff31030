"""How often clean data have a flagged polymer, and how often a value that is wrong by a factor is flagged.

``python -m tests.benchmarks.outliers --md PI1070.csv [--designs ordinary,weak,strong,t3] [--n 12,20,62] [--sets 100]
[--first 40] [--examples heat_capacity,density,refractive_index] [--heavy 0.2] [--level 0.07]``

Simulated measurements of real polymers as in ``judgement.py``; designs are described in ``judgement_designs.py``. Every set
is judged as it is, with the measured value of one random polymer multiplied or divided by 2, by 3 and by 10, and with those
of two polymers wrong by 3, in the same direction. Printed for each design and n: the share of clean sets with any flag; the
share of sets in which the wrong value is flagged (both of them, of two); and how many right values are flagged beside it.
Then the same of the bundled examples, on the logarithm: the measured value of every polymer in turn is wrong. Another prior
of heavy tails and another level show what they would gain and cost.
"""

import argparse
from dataclasses import dataclass
from unittest.mock import patch

import numpy as np

from affinecal_gui.calibration.calibrators.training import training_part
from affinecal_gui.calibration.checking import heavy_tails
from affinecal_gui.calibration.checking.far_values import FAR_BELOW, far_values
from affinecal_gui.calibration.cross_validation.out_of_fold import DEALINGS_STRIDE
from affinecal_gui.calibration.data.scale import learn_scale
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.threads import one_thread_each
from tests.benchmarks.judgement_designs import DESIGNS, SIZES, Polymers, Sample, sample
from tests.benchmarks.judgement_options import StudyOptions, polymers_of
from tests.calibration.bundled_examples import load_example

ERRORS = {"x2": (2, 1), "x3": (3, 1), "x10": (10, 1), "two x3": (3, 2)}
"""By which factor how many values are wrong."""

OF_EXAMPLES = {"x2": 2.0, "/2": 0.5, "x3": 3.0, "/3": 1.0 / 3.0, "x10": 10.0}
"""By which factor one value of an example is wrong."""

FIRST_SEED = 1000

NO_ROWS = np.zeros(0, int)


@dataclass
class Counts:
    """Over the sets of one design."""

    alarms: int  # clean sets with any flag
    found: dict[str, int]  # sets in which every wrong value is flagged, by the error
    beside: int  # right values that are flagged in sets with a wrong one


def rows_flagged(
    y: np.ndarray, f: np.ndarray, X: np.ndarray, wrong: np.ndarray, logarithm: float, level: float
) -> set[int]:
    """Return the polymers that are flagged where some of the measured values are wrong by a factor; ln of values."""
    y = y.copy()
    y[wrong] += logarithm
    part = training_part(y, f, learn_scale(X, SIZES).apply(X), SIZES, None, log_scale=True)
    options = CalibrationOptions()
    grid = options.lambda_1[::DEALINGS_STRIDE], options.lambda_2[::DEALINGS_STRIDE]
    return {one.row for one in far_values(part, *grid, level) or ()}


def of_measured(polymers: Polymers, drawn: Sample) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return measured values (n,), MD values (n,) and descriptors (n, 190) of a simulated study."""
    rows = drawn.measured
    return drawn.y[rows], polymers.f[rows], polymers.X[rows]


def count(polymers: Polymers, design: str, n: int, sets: range, level: float) -> Counts:
    """Simulate one design."""
    counts = Counts(0, dict.fromkeys(ERRORS, 0), 0)
    for seed in sets:
        values = of_measured(polymers, sample(design, polymers, n, 10, FIRST_SEED + seed))
        rng = np.random.default_rng(seed)
        counts.alarms += bool(rows_flagged(*values, NO_ROWS, 0.0, level))
        for name, (factor, number) in ERRORS.items():
            wrong = rng.permutation(n)[:number]
            sign = 1.0 if rng.random() < 0.5 else -1.0
            rows = rows_flagged(*values, wrong, sign * float(np.log(factor)), level)
            counts.found[name] += set(wrong.tolist()) <= rows
            counts.beside += len(rows - set(wrong.tolist()))
    return counts


def count_example(name: str, most: int, level: float) -> tuple[Counts, int]:
    """Let each of the first polymers of an example be wrong in turn; return the counts and how many there were."""
    measured, md, X, *_ = load_example(name)
    values = np.log(measured), np.log(md), X
    tried = min(most, len(measured))
    counts = Counts(len(rows_flagged(*values, NO_ROWS, 0.0, level)), dict.fromkeys(OF_EXAMPLES, 0), 0)
    for error, factor in OF_EXAMPLES.items():
        for row in range(tried):
            rows = rows_flagged(*values, np.array([row]), float(np.log(factor)), level)
            counts.found[error] += row in rows
            counts.beside += len(rows - {row})
    return counts, tried


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = StudyOptions(
        __doc__, designs=("ordinary,weak,strong,t3", "ordinary"), numbers=("12,20,62", "12"), sets=(100, 1)
    )
    parser.add_argument(
        "--first", type=int, default=0, help="number of the first set; the rule was chosen by the first 40"
    )
    parser.size("--examples", "heat_capacity,density,refractive_index", "refractive_index")
    parser.size("--polymers", 1000, 1, help="of an example, at most so many are wrong in turn")
    parser.add_argument("--heavy", type=float, default=heavy_tails.HEAVY, help="prior probability of heavy tails")
    parser.add_argument("--level", type=float, default=FAR_BELOW, help="level below which a value is flagged")
    return parser.read()


def print_row(title: str, cells: list[str]) -> None:
    """Print one line of the tables."""
    print(f"{title:<22}" + "".join(f"{cell:>16}" for cell in cells), flush=True)


def print_simulated(told: argparse.Namespace) -> None:
    """Print one line for each design and number of measured polymers."""
    polymers = polymers_of(told)
    print_row("design, n", ["clean, any flag", *ERRORS, "others, a set"])
    for design in filter(None, told.designs.split(",")):
        for n in map(int, told.n.split(",")):
            if n in DESIGNS[design].numbers:
                counts = count(polymers, design, n, range(told.first, told.first + told.sets), told.level)
                cells = [f"{share} of {told.sets}" for share in (counts.alarms, *counts.found.values())]
                print_row(f"{design}, {n}", [*cells, f"{counts.beside / (len(ERRORS) * told.sets):.2f}"])


def print_examples(told: argparse.Namespace) -> None:
    """Print one line for each example."""
    print_row("example", ["as it is, flags", *OF_EXAMPLES, "others, a set"])
    for name in filter(None, told.examples.split(",")):
        counts, tried = count_example(name, told.polymers, told.level)
        cells = [f"{share} of {tried}" for share in counts.found.values()]
        print_row(name, [str(counts.alarms), *cells, f"{counts.beside / (len(OF_EXAMPLES) * tried):.2f}"])


def main() -> None:
    """Print both tables."""
    told = arguments()
    with one_thread_each(1), patch.object(heavy_tails, "HEAVY", told.heavy):
        print_simulated(told)
        print_examples(told)


if __name__ == "__main__":
    main()
