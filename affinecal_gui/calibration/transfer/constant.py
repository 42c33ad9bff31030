"""AffineTL-const, the transfer with g2 = 1: one linear system.

    min over a, c, d of  ||y - K1 a - K3 c - d 1||² + l1 a'K1 a + l3 c'K3 c              (C1)

The residual of the optimum is ``u = l1 a = l3 c`` and solves ``(I + K1/l1 + K3/l3) u = y - d 1`` with ``1'u = 0``.
"""

import numpy as np

from affinecal_gui.calibration.results import FloatArray


def fit_constant(
    K1: FloatArray, K3: FloatArray, y: FloatArray, l1: FloatArray, l3: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return residuals u and intercepts d; leading axes broadcast.

    Parameters
    ----------
    K1, K3
        (..., n, n) Gram matrices of the source features and of the descriptors.
    y
        (..., n)
    l1, l3
        (...) positive penalties.
    """
    n = y.shape[-1]
    system = K1 / l1[..., None, None] + K3 / l3[..., None, None]
    system[..., np.arange(n), np.arange(n)] += 1.0
    return solve_with_intercept(system, y)


def solve_with_intercept(system: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Solve ``M u = y - d 1`` with ``1'u = 0`` for u (..., n) and d (...)."""
    right = np.empty((*system.shape[:-1], 2))
    right[..., 0], right[..., 1] = y, 1.0
    solved = np.linalg.solve(system, right)
    d = solved[..., 0].sum(axis=-1) / solved[..., 1].sum(axis=-1)
    return solved[..., 0] - d[..., None] * solved[..., 1], d
