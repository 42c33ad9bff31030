"""What a robust fit costs where all measured values are right, and what it gains where some are wrong.

``python -m tests.benchmarks.robust_fits --md PI1070.csv [--designs ordinary,weak,strong] [--n 20,62] [--sets 16]``

``--md`` is RadonPy's table (see ``judgement.py``), designs are those of ``judgement_designs.py``. One in twenty of the
measured values, at least one, is multiplied or divided by three.

Printed for each design and n: the root mean square error of the values of new polymers against the noise-free truth, over
all sets, of ordinary regression and of the combined calibrator, for right values and for those with the wrong ones, plain
and robust, and what the robust fit changes, in per cent. A set takes about five seconds.
"""

import argparse

import numpy as np

from affinecal_gui.calibration.calibrators.linear.combined import COMBINED
from affinecal_gui.calibration.calibrators.linear.ordinary import ORDINARY
from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.cross_validation.combined import weights_in_parts
from affinecal_gui.calibration.cross_validation.out_of_fold import counted_robustly, fit_all, prepare
from affinecal_gui.calibration.data.problem import pose_problem
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.threads import one_thread_each
from tests.benchmarks.judgement_designs import SIZES, Polymers, Sample, sample
from tests.benchmarks.judgement_options import StudyOptions, polymers_of

DESIGNS = ("ordinary", "weak", "strong")
SHOWN = (ORDINARY.key, COMBINED.key)
FACTOR = 3.0
WRONG = 0.05
"""Share of the measured values."""


def contaminated(drawn: Sample, seed: int) -> np.ndarray:
    """Return (p,) measured values of which some of the n are wrong."""
    rng = np.random.default_rng((9, seed))
    y, n = drawn.y.copy(), len(drawn.measured)
    count = max(1, round(WRONG * n))
    y[rng.choice(drawn.measured, count, replace=False)] += np.log(FACTOR) * rng.choice((-1.0, 1.0), count)
    return y


def errors(polymers: Polymers, drawn: Sample, y: np.ndarray, *, robust: bool) -> list[float]:
    """Return mean squared errors for new polymers by the calibrators of :data:`SHOWN`, fitted to the n measured ones."""
    rows = drawn.measured
    nothing = np.zeros((0, polymers.X.shape[1]))
    options = CalibrationOptions(robust=robust)
    problem = pose_problem(
        np.exp(y[rows]), np.exp(polymers.f[rows]), polymers.X[rows], np.zeros(0), nothing, SIZES, options
    )
    (everything,) = counted_robustly(problem, [prepare(problem, np.arange(len(rows)), (0, 3), final=True)], thin=True)
    fits, _ = fit_all(problem, [everything], thin=True)
    f, Z = polymers.f[drawn.others], everything.scale.apply(polymers.X[drawn.others])
    value = {name: own[0].predict(f, Z) for name, own in fits.items()}
    weights = weights_in_parts(COMBINED.key, [everything], problem.groups, fits)[0]
    members = calibrator(COMBINED.key).combines
    value[COMBINED.key] = np.sum([w * value[name] for w, name in zip(weights, members, strict=True)], axis=0)
    return [float(np.mean((value[name] - drawn.truth[drawn.others]) ** 2)) for name in SHOWN]


def run(polymers: Polymers, name: str, n: int, seeds: range, others: int) -> np.ndarray:
    """Return (sets, right or with wrong ones, plain or robust, calibrators) mean squared errors."""
    found = []
    for seed in seeds:
        drawn = sample(name, polymers, n, others, seed)
        found.append(
            [
                [errors(polymers, drawn, y, robust=robust) for robust in (False, True)]
                for y in (drawn.y, contaminated(drawn, seed))
            ]
        )
    return np.array(found)


def show(title: str, squared: np.ndarray) -> None:
    """Print a line for each calibrator."""
    for position, name in enumerate(SHOWN):
        cells = ""
        for values in np.sqrt(squared[..., position].mean(axis=0)):
            plain, robust = values
            cells += f"{plain:>10.4f}{robust:>10.4f}{100 * (robust / plain - 1):>+8.1f} %"
        print(f"{title:<16}{name:<10}{cells}")


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = StudyOptions(__doc__, designs=(",".join(DESIGNS), "ordinary"), numbers=("20,62", "20"), sets=(16, 1))
    parser.size("--first", 0, 0, help="number of the first set")
    parser.size("--others", 400, 40, help="new polymers of each study")
    return parser.read()


def main() -> None:
    """Print two lines for each design and number of measured polymers."""
    told = arguments()
    polymers = polymers_of(told)
    heads = f"{'plain':>10}{'robust':>10}{'':>10}"
    print(f"{'':<26}{'all values right':^30}{'some wrong':^30}\n{'':<26}{heads}{heads}")
    with one_thread_each(1):
        for name in told.designs.split(","):
            for n in map(int, told.n.split(",")):
                seeds = range(told.first, told.first + told.sets)
                show(f"{name}, n = {n}", run(polymers, name, n, seeds, told.others))


if __name__ == "__main__":
    main()
