"""How AffineTL-full grows with the number of polymers, factoring its matrices and inverting them.

    python -m tests.benchmarks.full_growth [N ...]

One MD value, 190 descriptors, the paper's grid of 64 penalties with five folds, and five starts of the final fit: processor
time of each way, and whether both end at the same errors and the same objective.
"""

import time
from unittest.mock import patch

import numpy as np

from affinecal_gui.calibration.data.folds import random_folds
from affinecal_gui.calibration.kernels.fitting import fit_methods
from affinecal_gui.calibration.kernels.full import newton as newton_steps
from affinecal_gui.calibration.kernels.methods import TransferOptions
from affinecal_gui.calibration.kernels.training_sets import make_sets
from tests.benchmarks.options import Options


def one(n: int):
    rng = np.random.default_rng(n)
    S, X = rng.standard_normal((n, 1)), rng.standard_normal((n, 190))
    X[:, 1:] = 0.5 * X[:, 1:] + X[:, :1]
    y = S[:, 0] + (1 + 0.3 * S[:, 0]) * np.sin(X[:, 0]) + 0.1 * rng.standard_normal(n)
    options = TransferOptions()
    sets = make_sets([S], [X], [y], options)
    folds = random_folds(np.arange(n), 5, np.random.default_rng(0))[None]
    began = time.process_time()
    found = fit_methods(sets, folds, ("affine_tl_full",), options)["affine_tl_full"]
    return time.process_time() - began, found


def main() -> None:
    options = Options(__doc__)
    options.size("polymers", [50, 100, 200, 400], [8])
    chosen = options.read()
    for n in chosen.polymers:
        seconds, found = one(n)
        with patch.object(newton_steps, "FACTORED_FROM", 1_000_000):
            before, inverted = one(n)
        errors = np.abs(found.search.errors / inverted.search.errors - 1.0).max()
        ends = np.abs(found.fits.objectives / inverted.fits.objectives - 1.0).max()
        print(
            f"n = {n}: {seconds:.1f} s factored, {before:.1f} s inverted; largest relative difference of the errors "
            f"{errors:.0e}, of the objectives {ends:.0e}",
            flush=True,
        )


if __name__ == "__main__":
    main()
