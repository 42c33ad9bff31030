"""The seven transfer methods as a textbook or a published notebook writes them: one fit at a time, dense and explicit.

The oracle of the tests and the opponent of the speed benchmark. Written from the formulas of Minami et al. (NeurIPS 2023,
main text and supplement), never imported by the product.
"""

from itertools import product

import numpy as np
import pandas as pd

RIDGE = np.logspace(-4, 2, 50)
L1, L2, L3 = np.logspace(-3, 0, 4), np.logspace(-2, 1, 4), np.logspace(-2, 1, 4)


def rbf(A, B):
    """exp(-|a - b|² / 2 p), entry by entry of p-dimensional rows; length scale sqrt(p)."""
    A, B = pd.DataFrame(A).to_numpy(), pd.DataFrame(B).to_numpy()
    distance = ((A[:, None, :] - B[None, :, :]) ** 2).sum(axis=2)
    return pd.DataFrame(np.exp(-distance / (2 * A.shape[1])))


class Ridge:
    """Kernel ridge regression with an intercept, by its normal equations."""

    def __init__(self, penalty):
        self.penalty = penalty

    def fit(self, X, y):
        n = len(y)
        K, one = rbf(X, X).to_numpy(), np.ones((n, 1))
        left = np.block([[K @ K + self.penalty * K, K @ one], [one.T @ K, np.array([[float(n)]])]])
        solution = np.linalg.pinv(left, hermitian=True) @ np.concatenate([K @ y, [y.sum()]])
        self.X, self.a, self.d = X, solution[:n], solution[n]
        return self

    def predict(self, X):
        return rbf(X, self.X).to_numpy() @ self.a + self.d


class Const:
    """AffineTL-const by its normal equations."""

    def __init__(self, l1, l3):
        self.l1, self.l3 = l1, l3

    def fit(self, S, X, y):
        n = len(y)
        K1, K3, one = rbf(S, S).to_numpy(), rbf(X, X).to_numpy(), np.ones((n, 1))
        left = np.block(
            [
                [K1 @ K1 + self.l1 * K1, K1 @ K3, K1 @ one],
                [K3 @ K1, K3 @ K3 + self.l3 * K3, K3 @ one],
                [one.T @ K1, one.T @ K3, np.array([[float(n)]])],
            ]
        )
        solution = np.linalg.pinv(left, hermitian=True) @ np.concatenate([K1 @ y, K3 @ y, [y.sum()]])
        self.S, self.X, self.a, self.c, self.d = S, X, solution[:n], solution[n : 2 * n], solution[2 * n]
        return self

    def predict(self, S, X):
        return rbf(S, self.S).to_numpy() @ self.a + rbf(X, self.X).to_numpy() @ self.c + self.d


class Cokriging:
    """Universal kriging with the columns 1, S: C = K(length) + penalty 1, generalised least squares, then the residuals."""

    def __init__(self, length, penalty):
        self.length, self.penalty = length, penalty

    def kernel(self, A, B):
        distance = ((A[:, None, :] - B[None, :, :]) ** 2).sum(axis=2)
        return np.exp(-distance / (2 * self.length**2))

    def fit(self, S, X, y):
        C = self.kernel(X, X) + self.penalty * np.eye(len(y))
        H = np.column_stack([np.ones(len(y)), S])
        self.b = np.linalg.solve(H.T @ np.linalg.solve(C, H), H.T @ np.linalg.solve(C, y))
        self.X, self.c = X, np.linalg.solve(C, y - H @ self.b)
        return self

    def predict(self, S, X):
        return np.column_stack([np.ones(len(S)), S]) @ self.b + self.kernel(X, self.X) @ self.c


class Full:
    """AffineTL-full by block updates from one random start."""

    def __init__(self, l1, l2, l3, seed=0, tolerance=1e-4, sweeps=1000):
        self.l1, self.l2, self.l3, self.seed, self.tolerance, self.sweeps = l1, l2, l3, seed, tolerance, sweeps

    def fit(self, S, X, y):
        n = len(y)
        K1, K3, eye = rbf(S, S).to_numpy(), rbf(X, X).to_numpy(), np.eye(n)
        b, c = np.random.default_rng(self.seed).standard_normal((2, n))
        first = np.linalg.pinv(K1 + self.l1 * eye)  # once, as published
        a, d = first @ y, 0.5
        self.S, self.X, self.trace = S, X, []
        for _ in range(self.sweeps):
            old = a, b, c
            v, g = K3 @ c, K1 @ b + 1
            a = first @ (y - g * v - d)
            b = np.linalg.pinv(np.diag(v) @ np.diag(v) @ K1 + self.l2 * eye) @ (v * (y - K1 @ a - v - d))
            g = K1 @ b + 1
            c = np.linalg.pinv(np.diag(g) @ np.diag(g) @ K3 + self.l3 * eye) @ (g * (y - K1 @ a - d))
            v = K3 @ c
            d = np.mean(y - K1 @ a - g * v)
            if max(np.abs(p - q).max() / np.abs(q).max() for p, q in zip((a, b, c), old, strict=True)) < self.tolerance:
                break
        self.a, self.b, self.c, self.d = a, b, c, d
        return self

    def predict(self, S, X):
        K1, K3 = rbf(S, self.S).to_numpy(), rbf(X, self.X).to_numpy()
        return K1 @ self.a + (K1 @ self.b + 1) * (K3 @ self.c) + self.d


def search(make, grid, inputs, y, folds=5):
    """First best parameters of a grid by mean squared error over contiguous folds, one fit at a time."""
    parts = np.array_split(np.arange(len(y)), folds)
    best, best_error = None, np.inf
    for parameters in grid:
        errors = []
        for held in parts:
            train = np.setdiff1d(np.arange(len(y)), held)
            model = make(*parameters).fit(*(one[train] for one in inputs), y[train])
            errors.append(np.mean((model.predict(*(one[held] for one in inputs)) - y[held]) ** 2))
        if np.mean(errors) < best_error:
            best, best_error = parameters, np.mean(errors)
    return best, best_error


def standardised(values, reference):
    mean, sd = pd.DataFrame(reference).mean().to_numpy(), pd.DataFrame(reference).std().replace(0, 1).to_numpy()
    return (values - mean) / sd


def predictions(S, X, y, S_new, X_new, full_grid=None):
    """All seven methods fitted to one training set: predictions of new rows, by name."""
    s, x, s_new, x_new = standardised(S, S), standardised(X, X), standardised(S_new, S), standardised(X_new, X)
    mean, sd = y.mean(), y.std(ddof=1)
    t = (y - mean) / sd
    ridge_grid = [(penalty,) for penalty in RIDGE]

    def ridge(inputs, target):
        (penalty,), _ = search(Ridge, ridge_grid, (inputs,), target)
        return Ridge(penalty).fit(inputs, target)

    only, direct = ridge(s, t), ridge(x, t)
    augmented = ridge(np.hstack([x, s]), t)
    found = {
        "only_source": only.predict(s_new),
        "direct": direct.predict(x_new),
        "augmented": augmented.predict(np.hstack([x_new, s_new])),
    }
    found = {name: values * sd + mean for name, values in found.items()}
    fitted = only.predict(s) * sd + mean
    rest = y - fitted
    rest_model = ridge(x, (rest - rest.mean()) / rest.std(ddof=1))
    found["htl_offset"] = found["only_source"] + rest_model.predict(x_new) * rest.std(ddof=1) + rest.mean()
    floor = np.abs(fitted).max() / 20
    divisor = np.array([value if abs(value) >= floor else (floor if value >= 0 else -floor) for value in fitted])
    ratio = y / divisor
    ratio_model = ridge(x, (ratio - ratio.mean()) / ratio.std(ddof=1))
    found["htl_scale"] = found["only_source"] * (ratio_model.predict(x_new) * ratio.std(ddof=1) + ratio.mean())
    best, _ = search(Const, list(product(L1, L3)), (s, x), t)
    found["affine_tl_const"] = Const(*best).fit(s, x, t).predict(s_new, x_new) * sd + mean
    full_grid = list(product(L1, L2, L3)) if full_grid is None else full_grid
    best, _ = search(Full, full_grid, (s, x), t)
    found["affine_tl_full"] = Full(*best).fit(s, x, t).predict(s_new, x_new) * sd + mean
    return found
