"""How often one of two equally good calibrators is called better: the level of the paired comparison of errors.

``python -m tests.benchmarks.comparison_level --md PI1070.csv [--designs strong,ordinary] [--n 12,20,62] [--sets 400]``

Simulated measurements of real polymers as in ``judgement.py``. The two calibrators correct the MD value by a ridge of fixed
penalty, one by one random half of the descriptors, the other by the other half: neither is better beforehand, and what one
set of polymers makes of them is chance. Held-out values are those of five times ten folds. Printed for each design and n: in
how many sets the difference of their errors is called clear of chance, at 5 % and at a third of it as the calibrators of
several sources are judged, by the paired comparison and by Welch's test; in how many the one that is called better errs more
for new polymers; and how often the 95 % interval of the difference holds the true one.
"""

import argparse

import numpy as np

from affinecal_gui.calibration.checking.comparison import SIGNIFICANCE, welch_p_value
from affinecal_gui.calibration.data.folds import random_folds
from affinecal_gui.calibration.data.scale import learn_scale
from affinecal_gui.calibration.error_intervals import difference_of
from affinecal_gui.threads import one_thread_each
from tests.benchmarks.judgement_designs import DESIGNS, SIZES, Polymers, Sample, sample
from tests.benchmarks.judgement_options import StudyOptions, polymers_of

PENALTY = 30.0
REPETITIONS, FOLDS = 5, 10
HEADS = ("better, 5 %", "better, 1.7 %", "Welch, 5 %", "but worse", "interval holds")


def corrected(y: np.ndarray, K: np.ndarray, train: np.ndarray, test: np.ndarray) -> np.ndarray:
    """Return the differences to MD of the test polymers by a ridge, K (p, p) the similarity of polymers."""
    mean = y[train].mean()
    return mean + K[np.ix_(test, train)] @ np.linalg.solve(
        K[np.ix_(train, train)] + PENALTY * np.eye(len(train)), y[train] - mean
    )


def judged(polymers: Polymers, drawn: Sample, seed: int) -> list[float]:
    """Compare the two on one set, in the order of :data:`HEADS`."""
    rows = np.concatenate([drawn.measured, drawn.others])
    n = len(drawn.measured)
    rng = np.random.default_rng((11, seed))
    Z = learn_scale(polymers.X[drawn.measured], SIZES).apply(polymers.X[rows])
    columns = rng.permutation(Z.shape[1])
    y = drawn.y[rows] - polymers.f[rows]
    mine, others = np.arange(n), np.arange(n, len(rows))
    groups = np.arange(n)
    dealt = [random_folds(groups, FOLDS, rng) for _ in range(REPETITIONS)]
    residuals, repeated, true = [], [], []
    for half in np.array_split(columns, 2):
        K = Z[:, half] @ Z[:, half].T
        held = np.empty((REPETITIONS, n))
        for r, fold in enumerate(dealt):
            for k in range(int(fold.max()) + 1):
                out = mine[fold == k]
                held[r, out] = corrected(y, K, mine[fold != k], out) - y[out]
        residuals.append(held.mean(axis=0))
        repeated.append(np.sqrt(np.mean(held**2, axis=1)))
        true.append(float(np.sqrt(np.mean((corrected(y, K, mine, others) - y[others]) ** 2))))
    found = difference_of(residuals[0], residuals[1], groups)
    gap = true[1] - true[0]
    said = found.p_value < SIGNIFICANCE
    return [
        float(said),
        float(found.p_value < SIGNIFICANCE / 3),
        float(welch_p_value(repeated[0], repeated[1]) < SIGNIFICANCE),
        float(said and gap * found.value < 0.0),
        float(found.lower <= gap <= found.upper),
    ]


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = StudyOptions(
        __doc__,
        designs=("strong,weak,ordinary,t3,heteroscedastic,nonlinear", "ordinary"),
        numbers=("12,20,62", "12"),
        sets=(400, 1),
    )
    parser.size("--others", 500, 40, help="new polymers of each study")
    return parser.read()


def main() -> None:
    """Print one line for each design and number of measured polymers."""
    told = arguments()
    polymers = polymers_of(told)
    print(f"{'design, n':<20}" + "".join(f"{head:>16}" for head in HEADS))
    with one_thread_each(1):
        for design in told.designs.split(","):
            for n in map(int, told.n.split(",")):
                if n in DESIGNS[design].numbers:
                    rows = [judged(polymers, sample(design, polymers, n, told.others, s), s) for s in range(told.sets)]
                    cells = "".join(f"{100 * share:>14.1f} %" for share in np.mean(rows, axis=0))
                    print(f"{f'{design}, {n}':<20}{cells}", flush=True)


if __name__ == "__main__":
    main()
