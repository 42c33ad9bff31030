"""How often the test of structure finds a correction that there is, and one that there is not.

``python -m tests.benchmarks.structure_level --md PI1070.csv [--designs strong,weak] [--n 12,20,62] [--sets 600] [--first 700]
[--size 1]``

``--md`` is RadonPy's table (see ``judgement.py``). First, for each n and kind of scatter about a line without any structure,
in how many sets the probability lies below 10, 5, 3 and 2 %; then, for each design of ``judgement_designs.py``, in how many
it lies below the level at which it is acted upon. ``--size`` is the variance of the correction that is asked about, in units
of that of the scatter; where it is very small it is the score test. A set takes some milliseconds.
"""

from unittest.mock import patch

import numpy as np

from affinecal_gui.calibration.calibrators import structure_evidence
from affinecal_gui.calibration.calibrators.structure_evidence import structure_p_value
from affinecal_gui.calibration.calibrators.training import training_part
from affinecal_gui.calibration.checking.comparison import STRUCTURE_SIGNIFICANCE
from affinecal_gui.calibration.data.scale import learn_scale
from affinecal_gui.threads import one_thread_each
from tests.benchmarks.judgement_designs import DESIGNS, SIZES, Polymers, sample
from tests.benchmarks.judgement_options import StudyOptions, polymers_of

LEVELS = (0.1, 0.05, 0.03, 0.02)
SCATTERS = ("normal scatter", "Student's t, 3", "scatter x 8")
WITH_STRUCTURE = "strong,weak,coupled,nonlinear,heteroscedastic,t3"


def p_value(polymers: Polymers, rows: np.ndarray, y: np.ndarray) -> float:
    """Return the probability for measured values y of some polymers."""
    scale = learn_scale(polymers.X[rows], SIZES)
    part = training_part(y, polymers.f[rows], scale.apply(polymers.X[rows]), SIZES, None, log_scale=True)
    return structure_p_value(part, np.arange(len(rows)))


def without_structure(polymers: Polymers, n: int, scatter: str, seed: int) -> float:
    """Return the probability for one set of values about a line."""
    generator = np.random.default_rng((n, seed))
    rows = generator.permutation(len(polymers.f))[:n]
    f = polymers.f[rows]
    noise = generator.standard_t(3, size=n) if scatter == SCATTERS[1] else generator.normal(size=n)
    if scatter == SCATTERS[2]:
        noise *= 8.0 ** ((f - polymers.f.min()) / np.ptp(polymers.f) - 0.5)
    return p_value(polymers, rows, 0.75 * f + 0.1 * noise)


def with_structure(polymers: Polymers, design: str, n: int, seed: int) -> float:
    """Return the probability for one set of a design."""
    drawn = sample(design, polymers, n, 1, seed)
    return p_value(polymers, drawn.measured, drawn.y[drawn.measured])


def main() -> None:
    """Print both tables."""
    parser = StudyOptions(__doc__, designs=(WITH_STRUCTURE, "strong"), numbers=("12,20,62", "12"), sets=(600, 2))
    parser.add_argument("--first", type=int, default=700, help="number of the first set")
    parser.size("--size", structure_evidence.SIZE, 1.0, help="of the correction that is asked about")
    told = parser.read()
    polymers = polymers_of(told)
    numbers = [int(n) for n in told.n.split(",")]
    sets = range(told.first, told.first + told.sets)
    with patch.object(structure_evidence, "SIZE", told.size), one_thread_each(1):
        print(f"without structure, % of {told.sets} sets below" + "".join(f"{100 * one:8g} %" for one in LEVELS))
        for n in numbers:
            for scatter in SCATTERS:
                found = np.array([without_structure(polymers, n, scatter, seed) for seed in sets])
                cells = "".join(f"{100 * np.mean(found < level):10.1f}" for level in LEVELS)
                print(f"  {n:3d} {scatter:38}{cells}", flush=True)
        print(f"\nwith structure, % of {told.sets} sets below {100 * STRUCTURE_SIGNIFICANCE:g} %")
        for design in told.designs.split(","):
            for n in numbers:
                if n in DESIGNS[design].numbers:
                    found = np.array([with_structure(polymers, design, n, seed) for seed in sets])
                    share = 100 * np.mean(found < STRUCTURE_SIGNIFICANCE)
                    print(f"  {design:18}{n:3d}{share:8.1f}", flush=True)


if __name__ == "__main__":
    main()
