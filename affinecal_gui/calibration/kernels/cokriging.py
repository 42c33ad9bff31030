"""Co-kriging: a line in the source features and a Gaussian process of the descriptors, fitted together.

    y = H b + g(x) + e,    H = [1 S],    g ~ N(0, s K),    e ~ N(0, s λ W^-1)                    (G1)

The autoregressive model of Kennedy and O'Hagan (Biometrika 87, 2000, 1-13) for a cheap and a costly simulator, here MD and
measurement: the source enters through a factor ρ, one of b, and what it misses is a smooth function g of x that is
independent of it. As MD values of the polymers to predict are known, the process of the source itself drops out. b has no
penalty (a flat prior), so a large λ ends at the ordinary regression line.

With v = √w, V = diag(v), and U an orthonormal basis of what V H leaves, in which U'VKVU = diag(e) is diagonal,

    t = U (diag(e) + λ)^-1 U' V y,    g(x) = k(x)' V t,    V H b = V y - VKV t - λ t              (G2)

One decomposition serves all penalties, and the mean over them: c and b are averaged, each by how well its penalty predicts
held-out rows, because the lowest point of a flat surface is decided by noise. Rows F are left out, b and g fitted to the
others, without fitting anything anew:

    V_F r_F = (P_FF)^-1 t_F,    P = U (diag(e) + λ)^-1 U'                                         (G3)

This is equation 5.12 of Rasmussen and Williams (Gaussian Processes for Machine Learning, 2006) for sets of rows and with the
line taken out.
"""

from dataclasses import dataclass

import numpy as np

from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.kernels.training_sets import CrossGrams
from affinecal_gui.calibration.results import FloatArray

RANK = 1e-10
"""Directions of V H that are shorter than this share of the longest are none."""

SMALLEST_PENALTY = 1e-8
"""In the variance of the kernel: below, rounding decides."""


@dataclass(frozen=True, slots=True)
class Contrasts:
    """One training set of n rows seen in the m directions that its line leaves."""

    K: FloatArray  # (n, n)
    H: FloatArray  # (n, q) columns of the line
    y: FloatArray  # (n,)
    root: FloatArray  # (n,) square roots of the weights
    values: FloatArray  # (m,) e of (G2)
    basis: FloatArray  # (n, m) U
    target: FloatArray  # (m,) U'V y

    def held_out_errors(self, penalties: FloatArray, folds: IntArray) -> FloatArray:
        """(g,) mean over the folds of the (weighted) mean squared error of their rows, by (G3)."""
        total, labels = np.zeros(len(penalties)), np.unique(folds)
        if len(labels) < 2 or not len(self.values):
            return total
        shrunk = 1.0 / (self.values + penalties[:, None])  # (g, m)
        for fold in labels:
            rows = np.flatnonzero(folds == fold)
            own = self.basis[rows]
            spread = (own * shrunk[:, None, :]) @ own.T
            # Where the line cannot be told without these rows, some direction of their errors is unknown: it counts as 0.
            floor = RANK * np.abs(spread).max(axis=(1, 2)) + np.finfo(np.float64).tiny
            spread[:, np.arange(len(rows)), np.arange(len(rows))] += floor[:, None]
            missed = np.linalg.solve(spread, ((shrunk * self.target) @ own.T)[..., None])[..., 0]
            total += (missed**2).sum(axis=1) / (self.root[rows] ** 2).sum()
        return np.asarray(total / len(labels))

    def fit(self, penalties: FloatArray, shares: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) coefficients V t of the kernel and (q,) b of the line, by (G2): means over penalties (g,) by their shares."""
        shrunk = 1.0 / (self.values + penalties[:, None])
        t = self.basis @ (self.target * (shares @ shrunk))
        c = self.root * t
        penalised = self.basis @ (self.target * ((shares * penalties) @ shrunk))  # the mean of λ t
        rest = self.root * (self.y - self.K @ c) - penalised
        b = np.linalg.lstsq(self.root[:, None] * self.H, rest, rcond=RANK)[0]
        return c, np.asarray(b)


def contrasts(K: FloatArray, S: FloatArray, y: FloatArray, root: FloatArray | None = None) -> Contrasts:
    """Take the line in the source features S (n, p) out of a training set with kernel K (n, n) and target y (n,).

    ``root`` (n,) are positive square roots of the weights of the rows; None: all count the same.
    """
    n = len(y)
    v = np.ones(n) if root is None else root
    H = np.column_stack([np.ones(n), S])
    left, size, _ = np.linalg.svd(v[:, None] * H)
    free = left[:, int((size > RANK * size[0]).sum()) :]
    within = free.T @ (v[:, None] * K * v) @ free
    values, vectors = np.linalg.eigh(within)
    basis = free @ vectors
    return Contrasts(K, H, y, v, np.maximum(values, 0.0), basis, basis.T @ (v * y))


@dataclass(frozen=True, slots=True)
class CokrigingFits:
    """Co-kriging fitted to s training sets."""

    c: FloatArray  # (s, n) coefficients of the kernel of the descriptors
    line: FloatArray  # (s, 1 + p) offset and slopes of the standardised source features

    def predict(self, s: int, grams: CrossGrams) -> FloatArray:
        """(k,) predictions."""
        return np.asarray(self.line[s, 0] + grams.S @ self.line[s, 1:] + grams.target @ self.c[s])
