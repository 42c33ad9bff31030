"""The table of the robot arm, or invented data of the same shape."""

from pathlib import Path

import numpy as np

from affinecal_gui.tasks.benchmarks.sarcos import read_sarcos

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "sarcos_inv_test.csv.gz"
TORQUES = 7


def arm(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return X (n, 21) and Y (n, 7) of a file, or invented ones where it is not there."""
    if path.exists():
        return read_sarcos(path)
    print("The table of the robot arm is not here: invented data of the same shape.")
    rng = np.random.default_rng(0)
    X = rng.standard_normal((4449, 21))
    Y = np.column_stack([5 * np.sin(X[:, k]) + 3 * X[:, k + 7] * X[:, k + 14] + 2 * X[:, 0] for k in range(TORQUES)])
    return X, Y + 0.1 * rng.standard_normal(Y.shape)
