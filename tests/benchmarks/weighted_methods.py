"""Weighted methods with kernels: do their intervals cover, and do the weights help? Simulation with a known truth.

    python -m tests.benchmarks.weighted_methods [--sets 40]

Measured values of 40 polymers (tests/calibration/simulated_polymers.py) get a further error of 0.05 or 0.4 (ln units), at
random. Every set is calibrated and compared with weights 1 / (0.1² + error²) and without; 100 polymers that were not
measured get measurements of the same mixed quality. Per method: how many of those lie in the 90 % intervals (standard error
over the sets), the mean width, and the root mean square error of the calibrated values against values without that error.
"""

from dataclasses import replace

import numpy as np

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.calibrators.registry import kernel_keys
from affinecal_gui.calibration.kernels.comparing.compare import compare_calibrators
from affinecal_gui.calibration.options import CalibrationOptions
from tests.benchmarks.options import Options
from tests.calibration.simulated_polymers import simulate

OPTIONS = CalibrationOptions(
    repetitions=1,
    outer_folds=5,
    lambda_1_grid=tuple(np.logspace(-1.5, 1.5, 7)),
    lambda_2_grid=tuple(np.logspace(0, 2, 4)),
    measure_next=0,
    bands="none",
)
QUALITIES = (0.05, 0.4)
SHOWN = ("affine", *kernel_keys())


def one_set(seed: int, n: int, m: int) -> np.ndarray:
    """(2, methods, 3): with and without weights; share inside, mean width, squared error."""
    data = simulate(seed, n=n, m=m)
    rng = np.random.default_rng(1000 + seed)
    own, new = rng.choice(QUALITIES, n), rng.choice(QUALITIES, m)
    noisy = replace(data, measured=data.measured * np.exp(own * rng.normal(size=n)))
    later = np.log(data.library_measured) + new * rng.normal(size=m)
    found = []
    for weights in (1.0 / (0.1**2 + own**2), None):
        table = (noisy.measured, noisy.md, noisy.X, noisy.library_md, noisy.library_X, noisy.sizes)
        models = compare_calibrators(calibrate(*table, OPTIONS, weights=weights)).calibration.models
        rows = []
        for name in SHOWN:
            lower, upper, value = (
                np.log(getattr(models[name], which)) for which in ("library_lower", "library_upper", "library")
            )
            missed = value - np.log(data.library_measured)
            rows.append([np.mean((lower <= later) & (later <= upper)), np.mean(upper - lower), np.mean(missed**2)])
        found.append(rows)
    return np.array(found)


def main() -> None:
    parser = Options(__doc__)
    parser.size("--sets", 40, 2)
    parser.size("--polymers", 40, 10)
    parser.size("--others", 100, 5)
    chosen = parser.read()
    sets = chosen.sets
    found = np.array([one_set(seed, chosen.polymers, chosen.others) for seed in range(sets)])
    mean, error = found.mean(axis=0), found.std(axis=0, ddof=1) / np.sqrt(sets)
    print(f"{sets} sets      with weights: inside, %   width    RMSE    without: inside, %   width    RMSE")
    for k, name in enumerate(SHOWN):
        cells = [
            f"{100 * mean[w, k, 0]:13.1f} ± {100 * error[w, k, 0]:.1f} {mean[w, k, 1]:10.3f} {np.sqrt(mean[w, k, 2]):8.3f}"
            for w in (0, 1)
        ]
        print(f"{name:16s}" + "  ".join(cells), flush=True)


if __name__ == "__main__":
    main()
