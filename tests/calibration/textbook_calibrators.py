"""The calibrators as a textbook writes them: dense matrices, explicit inverses, plain loops.

The oracle of the tests and the opponent of the speed benchmark. Written from the formulas (Minami et al., NeurIPS 2023,
and its supplement) without a look at the product's own algebra, and never imported by the product.
"""

import numpy as np

INVERSE = np.linalg.pinv
"""As published. Tests with many descriptors put np.linalg.inv here, twenty times faster and equal for regular matrices."""

LAMBDA_1 = 10.0 ** np.linspace(-2, 2, 25)
LAMBDA_2 = (50.0, 100.0, 150.0)


def difference_matrix(sizes):
    """First differences; rows that would cross a block border are zero."""
    d = sum(sizes)
    M = np.eye(d, k=1)[: d - 1] - np.eye(d)[: d - 1]
    for border in np.cumsum(sizes)[:-1]:
        M[border - 1] = 0.0
    return M


def penalty_matrix(sizes, lambda_1, lambda_2):
    """D'D with D = [lambda_1 I; lambda_2 M]."""
    D = np.vstack([lambda_1 * np.eye(sum(sizes)), lambda_2 * difference_matrix(sizes)])
    return D.T @ D


def objective(X, f, y, Lambda, lambda_beta, alpha_1, alpha_0, beta, gamma, w=None):
    w = np.ones(len(y)) if w is None else w
    r = y - (alpha_0 + alpha_1 * f - (beta * f + 1) * (X @ gamma))
    return w @ r**2 + w.sum() * lambda_beta * beta**2 + gamma @ Lambda @ gamma


def fit_line(f, y):
    F = np.column_stack([f, np.ones(len(f))])
    alpha_1, alpha_0 = np.linalg.pinv(F) @ y
    return alpha_1, alpha_0


def fit_log_difference(X, f, y, Lambda):
    intercept = np.mean(y - f)
    gamma = INVERSE(X.T @ X + Lambda) @ X.T @ (y - f - intercept)
    return intercept, gamma


def largest_change(new, old):
    size = np.max(np.abs(old))
    return 0.0 if size < 1e-10 else np.max(np.abs(np.asarray(new) - old)) / size


def fit_affine(X, f, y, Lambda, lambda_beta, start, tolerance=1e-3, max_iterations=1000):
    """Block relaxation; start and result are (alpha_1, alpha_0, beta, gamma); also the sweeps, convergence and J."""
    n = len(y)
    F = np.column_stack([f, np.ones(n)])
    alpha_inverse = np.linalg.pinv(F.T @ F)
    alpha_1, alpha_0, beta, gamma = start
    trace = []
    for sweep in range(1, max_iterations + 1):
        old = (alpha_1, alpha_0, beta, gamma)
        s = beta * f + 1
        alpha_1, alpha_0 = alpha_inverse @ F.T @ (y + s * (X @ gamma))
        rest = y - F @ np.array([alpha_1, alpha_0])
        v = np.diag(X @ gamma)
        beta = -(f @ v @ (rest + X @ gamma)) / (f @ v @ v @ f + n * lambda_beta)
        S = np.diag(beta * f + 1)
        gamma = -INVERSE(X.T @ S @ S @ X + Lambda) @ X.T @ S @ rest
        trace.append(objective(X, f, y, Lambda, lambda_beta, alpha_1, alpha_0, beta, gamma))
        change = max(largest_change(a, b) for a, b in zip((alpha_1, alpha_0, beta, gamma), old, strict=True))
        if change < tolerance:
            return (alpha_1, alpha_0, beta, gamma), sweep, True, trace
    return (alpha_1, alpha_0, beta, gamma), max_iterations, False, trace


def predict_affine(parameters, X, f):
    alpha_1, alpha_0, beta, gamma = parameters
    return alpha_0 + alpha_1 * f - (beta * f + 1) * (X @ gamma)


def contiguous_folds(n, k):
    sizes = [n // k + (1 if i < n % k else 0) for i in range(k)]
    start = 0
    for size in sizes:
        test = np.arange(start, start + size)
        yield np.setdiff1d(np.arange(n), test), test
        start += size


def cross_validate(fit_and_predict, n, sizes, k=5, lambda_1=LAMBDA_1, lambda_2=LAMBDA_2):
    """Mean over the folds of the mean squared error, and the first best pair (lambda_1 outer, lambda_2 inner)."""
    errors = np.zeros((len(lambda_1), len(lambda_2)))
    for i, first in enumerate(lambda_1):
        for j, second in enumerate(lambda_2):
            Lambda = penalty_matrix(sizes, first, second)
            folds = []
            for train, test in contiguous_folds(n, k):
                residual = fit_and_predict(Lambda, train, test)
                folds.append(np.mean(residual**2))
            errors[i, j] = np.mean(folds)
    best = (0, 0)
    for i in range(len(lambda_1)):
        for j in range(len(lambda_2)):
            if errors[i, j] < errors[best]:
                best = (i, j)
    return errors, best


def paper_repetition(X, md, measured, sizes, seed, train_size, tolerance=1e-3, splitter=None, affine=True):
    """One repetition of the paper's protocol; splitter is scikit-learn's train_test_split."""
    x = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    f_log = np.log(md)
    f = (f_log - f_log.mean()) / f_log.std(ddof=1)
    y = np.log(measured)
    train, test = splitter(np.arange(len(y)), train_size=train_size, random_state=seed)
    xt, ft, flt, yt = x[train], f[train], f_log[train], y[train]

    def rmse(prediction):
        return np.sqrt(np.mean((y[test] - prediction) ** 2))

    a1, a0 = fit_line(flt, yt)
    result = {"train": train, "test": test, "md": rmse(f_log[test]), "ordinary": rmse(a0 + a1 * f_log[test])}

    def difference(Lambda, tr, te):
        intercept, gamma = fit_log_difference(xt[tr], flt[tr], yt[tr], Lambda)
        return yt[te] - flt[te] - xt[te] @ gamma - intercept

    errors, (i, j) = cross_validate(difference, len(train), sizes)
    intercept, gamma = fit_log_difference(xt, flt, yt, penalty_matrix(sizes, LAMBDA_1[i], LAMBDA_2[j]))
    result["log_difference"] = rmse(f_log[test] + x[test] @ gamma + intercept)
    result["log_difference_penalties"] = (LAMBDA_1[i], LAMBDA_2[j])
    result["log_difference_errors"] = errors
    if not affine:
        return result
    start = (*fit_line(ft, yt), 0.0, -gamma)

    def model(Lambda, tr, te):
        parameters, *_ = fit_affine(xt[tr], ft[tr], yt[tr], Lambda, 1.0, start, tolerance)
        return yt[te] - predict_affine(parameters, xt[te], ft[te])

    errors, (i, j) = cross_validate(model, len(train), sizes)
    parameters, sweeps, converged, _ = fit_affine(
        xt, ft, yt, penalty_matrix(sizes, LAMBDA_1[i], LAMBDA_2[j]), 1.0, start, tolerance
    )
    result["affine"] = rmse(predict_affine(parameters, x[test], f[test]))
    result["affine_penalties"] = (LAMBDA_1[i], LAMBDA_2[j])
    result["affine_errors"] = errors
    result["affine_parameters"] = parameters
    result["iterations"], result["converged"] = sweeps, converged
    return result
