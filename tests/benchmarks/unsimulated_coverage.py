"""How often the intervals of polymers that nobody has simulated contain what a measurement would give.

``python -m tests.benchmarks.unsimulated_coverage --md PI1070.csv [--designs weak,strong,nonlinear] [--n 60] [--sets 8]``

Simulated measurements of real polymers as in ``judgement.py``; designs are described in ``judgement_designs.py``. Of the
polymers of the table 400 keep their MD values, n of these are measured, and all others are neither: they are predicted from
their descriptors alone, by the recommended calibrator. Printed for each design and n, with standard errors over the sets:
the error, in that of the same polymers with their MD values; the coverage at 90 %, and that of the tenth that is least like
the measured polymers; and both with their MD values.
"""

import argparse

import numpy as np

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.unsimulated import calibrate_unsimulated
from tests.benchmarks.judgement_designs import SIZES, Polymers, sample
from tests.benchmarks.judgement_options import StudyOptions, polymers_of

LEVEL = 0.9
FIRST_SEED = 3000


def one_set(polymers: Polymers, design: str, n: int, simulated: int, seed: int) -> list[float]:
    """Return the ratio of the errors; the coverage, and that of the farthest tenth, without and with MD values."""
    drawn = sample(design, polymers, n, len(polymers.f) - n, FIRST_SEED + seed)
    a, new = drawn.measured, drawn.others[simulated - n :]
    rows = np.concatenate([a, drawn.others[: simulated - n]])
    y, md = np.exp(drawn.y), np.exp(polymers.f)
    options = CalibrationOptions(measure_next=0, bands="none", seed=seed)
    found = calibrate_unsimulated(y[a], np.arange(n), polymers.X[a], md[rows], polymers.X[rows], SIZES, options)
    (applied,) = found.apply(polymers.X[new], found.calibration.recommendation.recommended, (LEVEL,)).applied
    whole = calibrate(y[a], md[a], polymers.X[a], md[new], polymers.X[new], SIZES, options)
    with_md = whole.models[whole.recommendation.recommended]
    told = np.isfinite(applied.values) & np.isfinite(with_md.library)
    distance = whole.validity.distance[told]
    far = distance >= np.quantile(distance, 0.9)
    errors = [np.sqrt(np.mean(np.log(values / y[new])[told] ** 2)) for values in (applied.values, with_md.library)]
    found_inside = [
        ((lower <= y[new]) & (y[new] <= upper))[told]
        for lower, upper in ((applied.lower, applied.upper), (with_md.library_lower, with_md.library_upper))
    ]
    shares = [float(some.mean()) for inside in found_inside for some in (inside, inside[far])]
    return [float(errors[0] / errors[1]), *shares]


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = StudyOptions(__doc__, designs=("weak,strong,nonlinear", "weak"), numbers=("60", "12"), sets=(8, 1))
    parser.size("--simulated", 400, 40, help="polymers that keep their MD values")
    return parser.read()


def main() -> None:
    """Print one line for each design and number of measured polymers."""
    told = arguments()
    polymers = polymers_of(told)
    shares = (f"in {100 * LEVEL:g} %", "farthest tenth")
    heads = ("error / with MD", *shares, *(f"with MD: {share}" for share in shares))
    print(f"{'design, n':<24}" + "".join(f"{head:>25}" for head in heads))
    for design in told.designs.split(","):
        for n in map(int, told.n.split(",")):
            sets = [one_set(polymers, design, n, told.simulated, seed) for seed in range(told.sets)]
            mean, spread = np.mean(sets, axis=0), np.std(sets, axis=0) / np.sqrt(told.sets)
            cells = [f"{value:.3f} ± {error:.3f}" for value, error in zip(mean, spread, strict=True)]
            print(f"{f'{design}, {n}':<24}" + "".join(f"{cell:>25}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
