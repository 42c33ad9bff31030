"""How often clean data have a flagged polymer, and how often a value that is wrong by a factor of 2 or 3 is flagged.

``python -m tests.benchmarks.outliers --md PI1070.csv [--designs ordinary,weak,strong,t3] [--n 20,62] [--sets 20]``

Simulated measurements of real polymers as in ``judgement.py``; designs are described in ``judgement_designs.py``. Every set
is calibrated as it is, and with the measured value of one random polymer multiplied or divided by 2 and by 3. Printed for
each design and n: the share of clean sets with any flag; the share of sets in which the wrong value is flagged, by the
factor; and how many right values are flagged beside it, by set.
"""

import argparse
from dataclasses import dataclass

import numpy as np

from affinecal_gui.calibration.checking.outliers import outliers_of
from tests.benchmarks.judgement import calibrated
from tests.benchmarks.judgement_designs import DESIGNS, Polymers, Sample, sample
from tests.benchmarks.judgement_options import StudyOptions, polymers_of

FACTORS = (2, 3)
FIRST_SEED = 1000


@dataclass
class Counts:
    """Over the sets of one design."""

    alarms: int  # clean sets with any flag
    found: dict[int, int]  # sets in which the wrong value is flagged, by its factor
    beside: int  # right values that are flagged in sets with a wrong one


def with_error(drawn: Sample, position: int, logarithm: float) -> Sample:
    """Return a study in which one measured value is wrong by a factor."""
    y = drawn.y.copy()
    y[drawn.measured[position]] += logarithm
    return Sample(drawn.measured, drawn.others, y, drawn.truth, drawn.gamma)


def rows_flagged(polymers: Polymers, drawn: Sample, seed: int) -> set[int]:
    """Calibrate a study and return the measured polymers that are flagged by the recommended calibrator."""
    found = calibrated(polymers, drawn, seed)
    return {one.row for one in outliers_of(found, found.recommendation.recommended)}


def count(polymers: Polymers, design: str, n: int, sets: int) -> Counts:
    """Simulate one design."""
    counts = Counts(0, dict.fromkeys(FACTORS, 0), 0)
    for seed in range(sets):
        drawn = sample(design, polymers, n, 10, FIRST_SEED + seed)
        rng = np.random.default_rng(seed)
        counts.alarms += bool(rows_flagged(polymers, drawn, seed))
        for factor in FACTORS:
            wrong = int(rng.integers(n))
            sign = 1.0 if rng.random() < 0.5 else -1.0
            rows = rows_flagged(polymers, with_error(drawn, wrong, sign * float(np.log(factor))), seed)
            counts.found[factor] += wrong in rows
            counts.beside += len(rows - {wrong})
    return counts


def arguments() -> argparse.Namespace:
    """Read the command line."""
    return StudyOptions(
        __doc__, designs=("ordinary,weak,strong,t3", "ordinary"), numbers=("20,62", "12"), sets=(20, 1)
    ).read()


def main() -> None:
    """Print one line for each design and number of measured polymers."""
    told = arguments()
    polymers = polymers_of(told)
    heads = ["clean, any flag", *(f"factor {factor} found" for factor in FACTORS), "others flagged, a set"]
    print(f"{'design, n':<24}" + "".join(f"{head:>23}" for head in heads))
    for design in told.designs.split(","):
        for n in map(int, told.n.split(",")):
            if n in DESIGNS[design].numbers:
                counts = count(polymers, design, n, told.sets)
                shares = [counts.alarms, *counts.found.values()]
                cells = [f"{share} of {told.sets}" for share in shares]
                cells.append(f"{counts.beside / (len(FACTORS) * told.sets):.2f}")
                print(f"{f'{design}, {n}':<24}" + "".join(f"{cell:>23}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
