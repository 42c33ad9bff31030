"""How often prediction intervals contain what a measurement would give: simulation with a known truth.

``python -m tests.benchmarks.interval_coverage [--sets 100]``

Each data set is calibrated as in the program (nested choice of penalties, all four models); then the values that were held
back are compared with the intervals. Two populations:

* "simulated": smooth kernel means and Gaussian or heavy-tailed scatter (tests/calibration/simulated_polymers.py);
* "real polymers": MD values and descriptors of the bundled library, 40 random polymers of it measured; the truth is an
  affine model fitted to the heat-capacity example plus scatter with Student's t (4 degrees of freedom).

Columns: coverage and its standard error over data sets, in percent; mean width (ln units); the same for scores that are
not divided by the relative spread; and the coverage of the tenth of the polymers that lie farthest from the training data.
"""

from dataclasses import replace

import numpy as np

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.calibrators.registry import linear_keys
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.uncertainty.intervals import library_intervals
from tests.benchmarks.options import Options
from tests.calibration.bundled_examples import SIZES, load_example
from tests.calibration.simulated_polymers import Simulated, simulate

OPTIONS = CalibrationOptions(
    repetitions=2,
    outer_folds=5,
    lambda_1_grid=tuple(np.logspace(-1.5, 1.5, 7)),
    lambda_2_grid=tuple(np.logspace(0, 2, 4)),
    measure_next=0,
)


def real_polymers(seed: int, n: int) -> Simulated:
    """Draw n measured polymers from the bundled library; measured values are simulated from a fitted affine model."""
    truth = _fitted_truth()
    _, _, _, md, X = load_example("heat_capacity")
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(md))
    y = truth + 0.12 * rng.standard_t(4, size=len(md)) / np.sqrt(2.0)
    measured, rest = order[:n], order[n:]
    return Simulated(np.exp(y[measured]), md[measured], X[measured], np.exp(y[rest]), md[rest], X[rest], SIZES)


def _fitted_truth(cache: list[np.ndarray] = []) -> np.ndarray:  # noqa: B006 - computed once
    if not cache:
        measured, md, X, library_md, library_X = load_example("heat_capacity")
        found = calibrate(measured, md, X, library_md, library_X, SIZES, replace(OPTIONS, repetitions=1))
        cache.append(np.log(found.models["affine"].library))
    return cache[0]


def coverage(make, sets: int, level: float) -> dict[str, np.ndarray]:
    """(sets, 6) per model: coverage and width, both without spread, coverage of the farthest tenth with and without."""
    rows: dict[str, list[list[float]]] = {name: [] for name in linear_keys()}
    for seed in range(sets):
        data = make(seed)
        found = calibrate(
            data.measured,
            data.md,
            data.X,
            data.library_md,
            data.library_X,
            data.sizes,
            replace(OPTIONS, interval_level=level, seed=seed),
        )
        kept_fit = found.kept_fit
        assert kept_fit is not None
        y = np.log(data.library_measured)
        far = found.validity.distance >= np.quantile(found.validity.distance, 0.9)
        for name in linear_keys():
            one = found.models[name]
            lower, upper = np.log(one.library_lower), np.log(one.library_upper)
            inside = (y >= lower) & (y <= upper)
            held = kept_fit.held_out.models[name]
            plain = replace(held, spread=np.ones_like(held.spread), library_spread=np.ones_like(held.library_spread))
            low, high = library_intervals(kept_fit.problem.y, plain, np.log(one.library), level)
            unscaled = (y >= low) & (y <= high)
            rows[name].append(
                [
                    inside.mean(),
                    np.mean(upper - lower),
                    unscaled.mean(),
                    np.mean(high - low),
                    inside[far].mean(),
                    unscaled[far].mean(),
                ]
            )
    return {name: np.array(values) for name, values in rows.items()}


def main() -> None:
    """Print one table per population and level."""
    parser = Options(__doc__)
    parser.size("--sets", 100, 2, help="data sets per line")
    parser.size("--populations", 5, 1, help="the first so many")
    parser.size("--levels", [0.9, 0.5], [0.9])
    chosen = parser.read()
    sets = chosen.sets
    populations = [
        ("simulated, n = 12", lambda seed: simulate(seed, n=12)),
        ("simulated, n = 30", lambda seed: simulate(seed, n=30)),
        ("simulated, heavy tails, n = 30", lambda seed: simulate(seed, n=30, heavy_tails=True)),
        ("real polymers, n = 20", lambda seed: real_polymers(seed, 20)),
        ("real polymers, n = 60", lambda seed: real_polymers(seed, 60)),
    ]
    for title, make in populations[: chosen.populations]:
        for level in chosen.levels:
            print(f"\n{title}, level {100 * level:.0f} %, {sets} data sets")
            print("model            coverage       width   unscaled       width   farthest tenth: scaled / unscaled")
            for name, values in coverage(make, sets, level).items():
                mean, error = values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(sets)
                share = [f"{100 * m:5.1f} ± {100 * e:3.1f}" for m, e in zip(mean, error, strict=True)]
                print(
                    f"{name:15s} {share[0]}   {mean[1]:7.3f}   {share[2]}   {mean[3]:7.3f}   "
                    f"{100 * mean[4]:5.1f} / {100 * mean[5]:5.1f}"
                )


if __name__ == "__main__":
    main()
