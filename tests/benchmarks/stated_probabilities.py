"""Whether polymers meet a wish as often as screening says that they do.

``python -m tests.benchmarks.stated_probabilities --md PI1070.csv [--designs weak,nonlinear] [--n 60] [--sets 4]``

Simulated measurements of real polymers as in ``judgement.py``; n of them train the recommended linear calibrator, and of all
others it states with which probability their measured value is at least that which a quarter, the half, or three quarters of
them reach. Printed for each design: the slope and the intercept of a straight line of "met" (0 or 1) against the stated
probability, with the standard error of the slope over the sets, and of tenths of the probabilities how many met the wish.
"""

import argparse

import numpy as np

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.kept_fit import KeptFit
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.sharing.wishes import Wanted, chance_of_all, errors_alone
from affinecal_gui.calibration.sharing.with_training import is_linear, trained_calibrator
from tests.benchmarks.judgement_designs import SIZES, Polymers, sample
from tests.benchmarks.judgement_options import StudyOptions, polymers_of

FIRST_SEED = 5000


def one_set(polymers: Polymers, design: str, n: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """Return stated probabilities, and whether the wish was met (1) or not (0)."""
    drawn = sample(design, polymers, n, len(polymers.f) - n, FIRST_SEED + seed)
    a, new = drawn.measured, drawn.others
    y, md = np.exp(drawn.y), np.exp(polymers.f)
    options = CalibrationOptions(measure_next=0, bands="none", seed=seed)
    found = calibrate(y[a], md[a], polymers.X[a], md[new], polymers.X[new], SIZES, options)
    assert isinstance(found.kept_fit, KeptFit)
    model = found.recommendation.recommended
    shared = trained_calibrator(found.kept_fit, model if is_linear(model) else "affine", SIZES)
    applied, shown = shared.apply(md[new], polymers.X[new]), shared.errors_shown()
    told = np.isfinite(applied.values)
    centre = np.log(applied.values[told])
    spread = np.log(applied.upper[told] / applied.lower[told]) / 2.0 / shown.half_width
    stated, met = [], []
    for share in (0.25, 0.5, 0.75):
        bound = float(np.quantile(drawn.y[new], share))
        stated.append(chance_of_all(errors_alone(shown), centre[:, None], spread[:, None], [Wanted(low=bound)]))
        met.append((drawn.y[new][told] >= bound).astype(np.float64))
    return np.concatenate(stated), np.concatenate(met)


def line(stated: FloatArray, met: FloatArray) -> tuple[float, float]:
    """Return slope and intercept by least squares."""
    slope, intercept = np.polyfit(stated, met, 1)
    return float(slope), float(intercept)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    return StudyOptions(__doc__, designs=("weak,nonlinear", "weak"), numbers=("60", "12"), sets=(4, 1)).read()


def main() -> None:
    """Print what was found for each design and number of measured polymers."""
    told = arguments()
    polymers = polymers_of(told)
    for design in told.designs.split(","):
        for n in map(int, told.n.split(",")):
            sets = [one_set(polymers, design, n, seed) for seed in range(told.sets)]
            slopes = [line(*one)[0] for one in sets]
            stated, met = (np.concatenate([one[which] for one in sets]) for which in (0, 1))
            slope, intercept = line(stated, met)
            print(
                f"{design}, {n}: slope {slope:.3f} ± {np.std(slopes) / np.sqrt(len(slopes)):.3f}, intercept {intercept:.3f}, "
                f"{len(stated):,} statements"
            )
            tenth = np.minimum((10 * stated).astype(np.int64), 9)
            for number in range(10):
                of = tenth == number
                if of.any():
                    print(f"    stated {stated[of].mean():.3f}, met {met[of].mean():.3f} ({of.sum():,})", flush=True)


if __name__ == "__main__":
    main()
