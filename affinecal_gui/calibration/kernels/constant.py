"""AffineTL-const, the transfer with g2 = 1: one linear system.

    min over a, c, d of  ||y - K1 a - K3 c - d 1||² + l1 a'K1 a + l3 c'K3 c              (C1)

The residual of the optimum is ``u = l1 a = l3 c`` and solves ``(I + K1/l1 + K3/l3) u = y - d 1`` with ``1'u = 0``.

With weights w of the squared residuals, v = √w and V = diag(v), the same holds of ``u = w o residual = V t``:

    (I + V (K1/l1 + K3/l3) V) t = V y - d v,    v't = 0                                   (C2)
"""

import numpy as np

from affinecal_gui.calibration.results import FloatArray


def fit_constant(
    K1: FloatArray, K3: FloatArray, y: FloatArray, l1: FloatArray, l3: FloatArray, root: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return (weighted) residuals u and intercepts d; leading axes broadcast.

    Parameters
    ----------
    K1, K3
        (..., n, n) Gram matrices of the source features and of the descriptors.
    y
        (..., n)
    l1, l3
        (...) positive penalties.
    root
        (..., n) positive square roots of the weights of the rows; None: all count the same.
    """
    n = y.shape[-1]
    system = K1 / l1[..., None, None] + K3 / l3[..., None, None]
    if root is not None:
        system *= root[..., :, None]
        system *= root[..., None, :]
    system[..., np.arange(n), np.arange(n)] += 1.0
    if root is None:
        return solve_with_intercept(system, y, None)
    t, d = solve_with_intercept(system, root * y, root)
    return root * t, d


def solve_with_intercept(system: FloatArray, y: FloatArray, ones: FloatArray | None) -> tuple[FloatArray, FloatArray]:
    """Solve ``M u = y - d v`` with ``v'u = 0`` for u (..., n) and d (...); v is ``ones`` (..., n), None for 1."""
    right = np.empty((*system.shape[:-1], 2))
    right[..., 0], right[..., 1] = y, 1.0 if ones is None else ones
    solved = np.linalg.solve(system, right)
    along = solved if ones is None else ones[..., None] * solved
    d = along[..., 0].sum(axis=-1) / along[..., 1].sum(axis=-1)
    return solved[..., 0] - d[..., None] * solved[..., 1], d
