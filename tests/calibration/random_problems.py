"""Small random calibration problems, for comparing one way of solving them with another."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class RandomProblem:
    X: np.ndarray  # (n, d)
    f: np.ndarray  # (n,)
    y: np.ndarray  # (n,)
    sizes: tuple[int, ...]


def random_problem(seed, n=20, sizes=(3, 5, 4, 4), beta=0.1, noise=0.1):
    """Draw y = 7 + 0.3 f - (1 + beta f) x'gamma + noise, f and x standard normal."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, sum(sizes)))
    f = rng.standard_normal(n)
    gamma = 0.1 * rng.standard_normal(sum(sizes))
    y = 7.0 + 0.3 * f - (1.0 + beta * f) * (X @ gamma) + noise * rng.standard_normal(n)
    return RandomProblem(X, f, y, sizes)
