"""What noise in MD values does to slopes and intervals, and what is left of it: simulation with a known truth.

``python -m tests.benchmarks.noisy_md [--sets 60]``

Every MD value is the mean of five runs. Half of the polymers are quiet (standard error 0.02 in ln), the others so noisy
(0.116) that least squares finds a slope that is a tenth too small; the scatter of the five runs is all that a calibration is
told. Two truths with alpha_1 = 0.8: a line, and a line with a correction by structure. 200 other polymers are new.

Columns: alpha_1 found / true with its standard error over sets; how many of 90 % intervals of new polymers hold what a
measurement gives, of the quiet and of the noisy ones, with the mean width in ln; once with MD values taken as exact and
once with their standard errors. ``--models`` also takes methods with kernels.
"""

from dataclasses import dataclass

import numpy as np

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.calibrators.registry import kernel_keys
from affinecal_gui.calibration.data.md_noise import MDNoise, standard_errors
from affinecal_gui.calibration.kernels.comparing.compare import compare_calibrators
from affinecal_gui.calibration.options import CalibrationOptions
from tests.benchmarks.options import Options
from tests.calibration.simulated_polymers import Simulated, simulate

ALPHA_1 = 0.8
QUIET, NOISY = 0.02, 0.116
RUNS = 5


@dataclass(frozen=True)
class Noisy:
    """A simulated study whose MD values are means of runs."""

    data: Simulated
    errors: MDNoise  # as the scatter of the runs tells them
    noisy: np.ndarray  # (n + m,) which polymers are


def draw(seed: int, n: int, *, by_structure: bool, others: int = 200) -> Noisy:
    """Draw n measured and m other polymers."""
    rng = np.random.default_rng((seed, n))
    whole = simulate(seed, n + others, 0)
    F, count = np.log(whole.md), n + others
    y = np.log(whole.measured) if by_structure else 1.0 + ALPHA_1 * F + 0.1 * rng.normal(size=count)
    noisy = rng.permuted(np.arange(count) % 2 == 1)
    runs = F[:, None] + np.sqrt(RUNS) * np.where(noisy, NOISY, QUIET)[:, None] * rng.normal(size=(count, RUNS))
    md = np.exp(runs).mean(axis=1)
    errors = standard_errors(md, np.exp(runs).std(axis=1, ddof=1), np.full(count, float(RUNS)), log_scale=True)
    X, measured = whole.X, np.exp(y)
    data = Simulated(measured[:n], md[:n], X[:n], measured[n:], md[n:], X[n:], whole.sizes)
    return Noisy(data, MDNoise(errors[:n], errors[n:]), noisy)


def judged(
    drawn: Noisy, models: list[str], noise: MDNoise | None, options: CalibrationOptions
) -> dict[str, list[float]]:
    """Return alpha_1 over the true one (nan without), coverage and width of quiet and of noisy new polymers, by model."""
    data = drawn.data
    calibration = calibrate(
        data.measured, data.md, data.X, data.library_md, data.library_X, data.sizes, options, noise=noise
    )
    noisy = drawn.noisy[len(data.measured) :]
    answers = {}
    if kernels := [model for model in models if model in kernel_keys()]:
        calibration = compare_calibrators(calibration, kernels).calibration
    for model in models:
        found = calibration.models[model]
        inside = (data.library_measured >= found.library_lower) & (data.library_measured <= found.library_upper)
        width = np.log(found.library_upper / found.library_lower)
        slope = found.parameters["alpha_1"].value / ALPHA_1 if "alpha_1" in found.parameters else float("nan")
        known = np.isfinite(width)  # no value is given to a polymer far from all measured ones
        answers[model] = [
            slope,
            *(float(of[some].mean()) for some in (~noisy & known, noisy & known) for of in (inside, width)),
        ]
    return answers


def main() -> None:
    """Print a line for every truth, number of polymers and calibrator."""
    parser = Options(__doc__)
    parser.size("--sets", 60, 1, help="data sets of every line")
    parser.size("--n", [20, 62], [12])
    parser.size("--models", ["ordinary", "log_difference", "affine", "combined"], ["ordinary"])
    chosen = parser.read()
    options = CalibrationOptions(
        repetitions=2,
        outer_folds=5,
        lambda_1_grid=tuple(np.logspace(-1.5, 1.5, 7)),
        lambda_2_grid=tuple(np.logspace(0, 2, 4)),
        measure_next=0,
    )
    print("truth, n, calibrator, MD values: alpha_1 found / true | quiet: inside, width | noisy: inside, width")
    for by_structure in (False, True):
        for n in chosen.n:
            sets = [draw(seed, n, by_structure=by_structure) for seed in range(chosen.sets)]
            for words, told in (("exact", False), ("with errors", True)):
                found = [judged(one, chosen.models, one.errors if told else None, options) for one in sets]
                for model in chosen.models:
                    rows = np.array([one[model] for one in found])
                    mean, error = rows.mean(axis=0), rows.std(axis=0) / np.sqrt(max(len(rows) - 1, 1))
                    print(
                        f"{'structure' if by_structure else 'line':9} {n:3} {model:14} {words:11}: "
                        f"{mean[0]:.3f} ± {error[0]:.3f} | {100 * mean[1]:.1f} ± {100 * error[1]:.1f} %, {mean[2]:.3f} | "
                        f"{100 * mean[3]:.1f} ± {100 * error[3]:.1f} %, {mean[4]:.3f}",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
