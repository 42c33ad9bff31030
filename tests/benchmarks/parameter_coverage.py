"""How often 90 % intervals of alpha_1 and gamma contain the truth: posterior bounds and bootstrap percentiles, simulation.

``python -m tests.benchmarks.parameter_coverage [--sets 50]``

Data from the affine model with alpha_1 = 0.8, beta = 0 (tests/calibration/simulated_polymers.py); penalties by
cross-validation on each data set. gamma: the share of all coefficients whose interval contains the truth.
"""

from dataclasses import replace

import numpy as np

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.options import CalibrationOptions
from tests.benchmarks.options import Options
from tests.calibration.simulated_polymers import simulate

OPTIONS = CalibrationOptions(
    repetitions=2,
    outer_folds=5,
    lambda_1_grid=tuple(np.logspace(-1.5, 1.5, 7)),
    lambda_2_grid=tuple(np.logspace(0, 2, 4)),
    measure_next=0,
)


def coverage(n: int, sizes: tuple[int, ...], sets: int) -> dict[tuple[str, str, str], float]:
    """Share of intervals that contain the truth, by kind of band, calibrator and parameter."""
    inside: dict[tuple[str, str, str], list[float]] = {}
    for seed in range(sets):
        data = simulate(seed, n=n, m=1, sizes=sizes)
        for bands in ("posterior", "bootstrap"):
            found = calibrate(
                data.measured,
                data.md,
                data.X,
                data.library_md,
                data.library_X,
                sizes,
                replace(OPTIONS, bands=bands),
            )
            alpha_1 = found.models["affine"].parameters["alpha_1"]
            inside.setdefault((bands, "affine", "alpha_1"), []).append(float(alpha_1.lower <= 0.8 <= alpha_1.upper))
            for model in ("log_difference", "affine"):
                own = found.models[model].coefficients
                truth = -own.sign * data.gamma * own.scale
                inside.setdefault((bands, model, "gamma"), []).append(
                    float(np.mean((own.lower <= truth) & (truth <= own.upper)))
                )
    return {key: float(np.mean(values)) for key, values in inside.items()}


def main() -> None:
    """Print one line per size of data set, kind of band, calibrator and parameter."""
    parser = Options(__doc__)
    parser.size("--sets", 50, 1, help="data sets per line")
    parser.size("--polymers", [20, 40], [10])
    parser.size("--blocks", 2, 1, help="the first so many choices of the sizes of blocks")
    chosen = parser.read()
    sets = chosen.sets
    for n in chosen.polymers:
        for sizes in ((6, 8), (20, 20))[: chosen.blocks]:
            for (bands, model, parameter), share in coverage(n, sizes, sets).items():
                print(
                    f"n = {n}, {sum(sizes)} descriptors   {bands:10s} {model:15s} {parameter:8s} {100 * share:5.1f} %"
                )


if __name__ == "__main__":
    main()
