"""What the least unit of a descriptor and the thinned grid of penalties do to held-out errors of the bundled examples.

``python -m tests.benchmarks.held_out_choices [--shares 0.02 0.5] [--strides 1 4] [--examples heat_capacity]``

First the out-of-fold root mean square error of the log-difference calibrator on the logarithm, five folds, five repetitions,
by the share of the typical unit of its block that the unit of a descriptor has at least ("block": one unit for the whole
block). Then that of the log-difference, affine and combined calibrators by the default protocol, with its standard error over
the repetitions, where held-out checks try every value of the grid of penalties, every second, and so on.
"""

from collections.abc import Sequence
from unittest.mock import patch

import numpy as np

from affinecal_gui.calibration.cross_validation import out_of_fold
from affinecal_gui.calibration.cross_validation.out_of_fold import HeldOut
from affinecal_gui.calibration.data.problem import pose_problem
from affinecal_gui.calibration.data.scale import DescriptorScale, learn_scale
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.threads import one_thread_each
from tests.benchmarks.options import Options
from tests.benchmarks.same_answer import QUICK
from tests.calibration.bundled_examples import SIZES, load_example

BLOCK = "block"
MODELS = ("log_difference", "affine", "combined")


def one_unit_each_block(X: np.ndarray, sizes: Sequence[int], weights: np.ndarray | None = None) -> DescriptorScale:
    """Return the typical unit of a block for all of its descriptors."""
    plain = learn_scale(X, sizes, weights, 0.0)
    parts = [X[:, end - size : end].std(axis=0) for size, end in zip(sizes, np.cumsum(sizes), strict=True)]
    typical = np.concatenate([np.full(len(part), np.sqrt(np.mean(part**2))) for part in parts])
    return DescriptorScale(plain.mean, np.where(typical > 0.0, typical, plain.scale))


def held_out(name: str, options: CalibrationOptions) -> tuple[np.ndarray, HeldOut]:
    """Return the measured values of an example on the logarithm, and what held-out checks say of them."""
    measured, md, X, _, _ = load_example(name)
    problem = pose_problem(measured, md, X, np.zeros(0), np.zeros((0, X.shape[1])), SIZES, options)
    with one_thread_each(1):
        return problem.y, out_of_fold.hold_out(problem)


def errors(found: tuple[np.ndarray, HeldOut], model: str) -> tuple[float, float]:
    """Return the root mean square error of the mean over repetitions, and the standard error over these."""
    y, held = found
    predicted = held.models[model].predicted
    each = np.sqrt(np.mean((predicted - y) ** 2, axis=1))
    spread = float(np.std(each, ddof=1) / np.sqrt(len(each))) if len(each) > 1 else float("nan")
    return float(np.sqrt(np.mean((predicted.mean(axis=0) - y) ** 2))), spread


def print_shares(shares: Sequence[str], examples: Sequence[str], options: CalibrationOptions) -> None:
    """Print a line for each share."""
    print("least unit    " + "".join(f"{name:>18}" for name in examples))
    for share in shares:

        def learned(
            X: np.ndarray, sizes: Sequence[int], weights: np.ndarray | None = None, share: str = share
        ) -> DescriptorScale:
            one_unit = share == BLOCK
            return one_unit_each_block(X, sizes, weights) if one_unit else learn_scale(X, sizes, weights, float(share))

        with patch.object(out_of_fold, "learn_scale", learned):
            cells = [errors(held_out(name, options), "log_difference")[0] for name in examples]
        print(f"{share:14}" + "".join(f"{cell:>18.4g}" for cell in cells), flush=True)


def print_strides(strides: Sequence[int], examples: Sequence[str], options: CalibrationOptions) -> None:
    """Print a line for each stride and example."""
    print(f"\n{'stride':8}{'example':18}" + "".join(f"{model:>20}" for model in MODELS))
    for stride in strides:
        for name in examples:
            with patch.object(out_of_fold, "HELD_OUT_STRIDE", stride):
                found = held_out(name, options)
            cells = [errors(found, model) for model in MODELS]
            print(f"{stride:<8}{name:18}" + "".join(f"{a:>11.4f} ± {b:.4f}" for a, b in cells), flush=True)


def main() -> None:
    """Print both tables."""
    parser = Options(__doc__)
    parser.size("--shares", ["0", "0.02", "0.1", "0.2", "0.35", "0.5", "0.75", BLOCK], [BLOCK])
    parser.size("--strides", [1, 2, 3, 4, 6], [2])
    parser.size("--examples", ["heat_capacity", "density", "refractive_index"], ["refractive_index"])
    chosen = parser.read()
    quick = QUICK if chosen.smoke else {}
    print_shares(chosen.shares, chosen.examples, CalibrationOptions(**{"repetitions": 5, "outer_folds": 5} | quick))
    print_strides(chosen.strides, chosen.examples, CalibrationOptions(**quick))


if __name__ == "__main__":
    main()
