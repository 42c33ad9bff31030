"""How often the bands of average effects contain the truth: simulation with a known nonlinear function.

    python -m tests.benchmarks.effect_coverage [--sets 30]

n polymers with 14 descriptors (tests/calibration/simulated_polymers.py); ln y = 1 + 0.8 f + h(x) + 0.1 noise, two kinds of h:

tanh     tanh(x'g), g smooth in each block: neighbouring descriptors go together, and much of g lies where they hardly vary
kernel   a random function whose covariance is the kernel that the methods use

The truth is the mean over the n polymers of the derivative by each descriptor, per standard unit. Printed: the
share of all effects that lie in their 90 % band, its standard error over the sets, the mean half width of the bands, and the
root mean square of the true effects.
"""

import numpy as np

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.kernels.comparing.compare import compare_calibrators
from affinecal_gui.calibration.options import CalibrationOptions
from tests.benchmarks.options import Options
from tests.calibration.simulated_polymers import simulate

METHODS = ("augmented", "htl_offset", "htl_scale", "affine_tl_const", "affine_tl_full")
OPTIONS = CalibrationOptions(
    repetitions=1,
    outer_folds=5,
    lambda_1_grid=(0.1, 1.0, 10.0),
    lambda_2_grid=(1.0, 10.0),
    measure_next=0,
)


def of_tanh(X: np.ndarray, gamma: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Values (n,) and mean gradient (d,)."""
    inner = X @ (4.0 * gamma)
    return np.tanh(inner), np.mean(1.0 / np.cosh(inner) ** 2) * 4.0 * gamma


def of_kernel(X: np.ndarray, gamma: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The same of a random function, by 2,000 random Fourier features."""
    unit = X.std(axis=0)
    omega = rng.standard_normal((2000, X.shape[1])) / np.sqrt(X.shape[1])
    phase, weight = rng.uniform(0.0, 2.0 * np.pi, 2000), rng.standard_normal(2000) / np.sqrt(1000.0)
    angle = (X / unit) @ omega.T + phase
    gradient = -(np.sin(angle) * weight).mean(axis=0) @ omega / unit
    return np.cos(angle) @ weight, gradient


FUNCTIONS = {"tanh": of_tanh, "kernel": of_kernel}


def one_set(kind: str, seed: int, n: int) -> np.ndarray:
    """(methods, 3) share inside, mean half width, mean square of the truth."""
    data = simulate(seed, n=n, m=10)
    assert data.gamma is not None
    rng = np.random.default_rng(500 + seed)
    f, X = np.log(data.md), data.X - data.X.mean(axis=0)
    h, truth = FUNCTIONS[kind](X, data.gamma, rng)
    y = 1.0 + 0.8 * f + h + 0.1 * rng.standard_normal(n)
    found = calibrate(np.exp(y), data.md, data.X, data.library_md, data.library_X, data.sizes, OPTIONS)
    models = compare_calibrators(found, METHODS).calibration.models
    rows = []
    for name in METHODS:
        own = models[name].coefficients
        assert own is not None
        expected = truth * own.scale
        inside = (own.lower <= expected) & (expected <= own.upper)
        rows.append([inside.mean(), np.mean(own.upper - own.gamma), np.mean(expected**2)])
    return np.array(rows)


def main() -> None:
    parser = Options(__doc__)
    parser.size("--sets", 30, 2)
    parser.size("--polymers", [20, 40], [10])
    parser.size("--kinds", list(FUNCTIONS), ["tanh"])
    chosen = parser.read()
    sets = chosen.sets
    for kind, n in ((kind, n) for kind in chosen.kinds for n in chosen.polymers):
        found = np.array([one_set(kind, seed, n) for seed in range(sets)])
        mean, error = found.mean(axis=0), found.std(axis=0, ddof=1) / np.sqrt(sets)
        for k, name in enumerate(METHODS):
            print(
                f"{kind}, n = {n}, {name:16s} inside {100 * mean[k, 0]:5.1f} ± {100 * error[k, 0]:.1f} %, half width "
                f"{mean[k, 1]:.3f}, true effects {np.sqrt(mean[k, 2]):.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
