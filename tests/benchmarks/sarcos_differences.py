"""Why our figures of the robot arm differ from the published ones: the draw, and the inverse of the published program.

    python tests/benchmarks/sarcos_differences.py [FILE]

Repeats Only source and Direct (a) with other halves and other training sets, (b) with the solution that the published program
takes: it solves the normal equations ``[K K + λ K, K 1; 1'K, n]`` by a pseudo-inverse that drops singular values below 1e-5,
over 49 penalties and zero. Prints, over all torques and sizes, the mean ratio to the published mean and the mean difference
in standard errors.
"""

import sys
from pathlib import Path
from unittest.mock import patch

import numpy as np

ROOT = Path(__file__).resolve().parents[2]

from affinecal_gui.calibration.transfer import fitting, search  # noqa: E402
from affinecal_gui.calibration.transfer.methods import TransferOptions  # noqa: E402
from affinecal_gui.calibration.transfer.protocol import run_transfer_protocol  # noqa: E402
from affinecal_gui.study.sarcos import read_sarcos  # noqa: E402
from affinecal_gui.study.sarcos_published import differences, read_published  # noqa: E402

DATA = ROOT.parent / "shared" / "data" / "sarcos_inv_test.csv.gz"
METHODS = ("only_source", "direct")
PUBLISHED_GRID = (*(float(x) for x in np.logspace(-4, 2, 49)), 0.0)
CUT = 1e-5


def truncated(K, y, penalty):
    """Weights and intercept by the truncated pseudo-inverse; stacked problems, one penalty each (b,)."""
    b, n, _ = K.shape
    left = np.empty((b, n + 1, n + 1))
    left[:, :n, :n] = K @ K + penalty[:, None, None] * K
    left[:, :n, n] = left[:, n, :n] = K.sum(axis=2)
    left[:, n, n] = n
    values, vectors = np.linalg.eigh(left)
    inverse = np.where(np.abs(values) > CUT, 1.0 / np.where(values == 0.0, 1.0, values), 0.0)
    right = np.concatenate([(K @ y[:, :, None])[:, :, 0], y.sum(axis=1, keepdims=True)], axis=1)
    solved = (vectors @ (inverse * (right[:, None, :] @ vectors)[:, 0])[:, :, None])[:, :, 0]
    return solved[:, :n], solved[:, n]


def truncated_path(K, K_test, y, penalties):
    found = np.empty((len(K), len(penalties), K_test.shape[1]))
    for g, penalty in enumerate(penalties):
        a, d = truncated(K, y, np.full(len(K), penalty))
        found[:, g] = (K_test @ a[:, :, None])[:, :, 0] + d[:, None]
    return found


def tell(title, X, Y, published, **choices):
    found = run_transfer_protocol(X, Y, methods=METHODS, **choices)
    for method in METHODS:
        own = [one for one in differences(found, published).all if one.method == method]
        ratio = np.mean([one.ours / one.published for one in own])
        errors = np.array([one.standard_errors for one in own])
        print(
            f"{title:<28} {method:<12} ratio {ratio:.3f}, mean difference {errors.mean():+.2f} standard errors, "
            f"{(np.abs(errors) > 2).sum():>2} of {len(errors)} beyond two",
            flush=True,
        )


def main():
    X, Y = read_sarcos(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA)
    published = read_published()
    for seed in range(5):
        tell(f"halves of seed {seed}", X, Y, published, split_seed=seed)
    with patch.object(search, "ridge_path", truncated_path), patch.object(fitting, "fit_ridge", truncated):
        for seed in range(2):
            options = TransferOptions(ridge=PUBLISHED_GRID)
            tell(f"published inverse, seed {seed}", X, Y, published, split_seed=seed, options=options)


if __name__ == "__main__":
    main()
