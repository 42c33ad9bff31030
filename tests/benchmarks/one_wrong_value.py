"""What one wrong value among few costs, and whether the penalties or the fit follow it.

``python -m tests.benchmarks.one_wrong_value --md PI1070.csv [--designs ordinary,strong] [--n 20] [--sets 10] [--first 40]``

``--md`` is RadonPy's table (see ``judgement.py``). In each set one value is multiplied or divided by 3. Printed is the root
mean square error of the combined calibrator for 150 new polymers against the noise-free truth, mean over the sets: with right
values, with the wrong one, with the wrong one but the penalties that are chosen without the flagged values, and without
these; then the mean of ln lambda_1 of the affine calibrator with right values, with the wrong one, and without the flagged.
"""

import numpy as np

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.calibrators.registry import penalised_keys
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import Calibration, ModelName, Penalties
from tests.benchmarks.judgement_designs import SIZES, Polymers, Sample, sample
from tests.benchmarks.judgement_options import StudyOptions, polymers_of

FACTOR = 3.0
NEW = 150


def calibrated(
    polymers: Polymers,
    drawn: Sample,
    rows: np.ndarray,
    y: np.ndarray,
    penalties: dict[ModelName, Penalties] | None = None,
) -> Calibration:
    """Calibrate measured values y (k,) of some polymers."""
    return calibrate(
        np.exp(y),
        np.exp(polymers.f[rows]),
        polymers.X[rows],
        np.exp(polymers.f[drawn.others]),
        polymers.X[drawn.others],
        SIZES,
        CalibrationOptions(measure_next=0, bands="none", penalties=penalties or {}),
    )


def error(found: Calibration, drawn: Sample) -> float:
    """Return the root mean square error of the combined calibrator for new polymers, where it has a value."""
    missed = np.log(found.models["combined"].library) - drawn.truth[drawn.others]
    return float(np.sqrt(np.nanmean(missed**2)))


def penalties_of(found: Calibration) -> dict[ModelName, Penalties]:
    """Return the penalties of the final fits."""
    chosen = {model: found.models[model].penalties for model in penalised_keys() if model in found.models}
    return {model: one for model, one in chosen.items() if one is not None}


def costs(polymers: Polymers, design: str, n: int, seed: int) -> list[float]:
    """Return what is printed, for one set."""
    drawn = sample(design, polymers, n, NEW, seed)
    rows, generator = drawn.measured, np.random.default_rng(seed)
    wrong = drawn.y[rows].copy()
    wrong[int(generator.integers(n))] += np.log(FACTOR) * generator.choice([-1, 1])
    right, all_values = calibrated(polymers, drawn, rows, drawn.y[rows]), calibrated(polymers, drawn, rows, wrong)
    kept = np.setdiff1d(np.arange(n), [one.row for one in all_values.far_values or ()])
    without = calibrated(polymers, drawn, rows[kept], wrong[kept]) if len(kept) < n else all_values
    others = calibrated(polymers, drawn, rows, wrong, penalties_of(without)) if len(kept) < n else all_values
    firmness = [float(np.log(penalties_of(one)["affine"].lambda_1)) for one in (right, all_values, without)]
    return [*(error(one, drawn) for one in (right, all_values, others, without)), *firmness]


def main() -> None:
    """Print a line for each design and number of polymers."""
    parser = StudyOptions(__doc__, designs=("ordinary,strong", "strong"), numbers=("20", "12"), sets=(10, 1))
    parser.add_argument("--first", type=int, default=40, help="number of the first set")
    told = parser.read()
    polymers = polymers_of(told)
    print(f"{'':16}   right   wrong  others' penalties  without   ln lambda_1: right  wrong  without")
    for design in told.designs.split(","):
        for n in map(int, told.n.split(",")):
            found = np.mean([costs(polymers, design, n, told.first + one) for one in range(told.sets)], axis=0)
            cells = f"{found[0]:8.4f}{found[1]:8.4f}{found[2]:19.4f}{found[3]:9.4f}"
            print(f"{design:13}{n:3d}{cells}{found[4]:21.2f}{found[5]:7.2f}{found[6]:9.2f}", flush=True)


if __name__ == "__main__":
    main()
