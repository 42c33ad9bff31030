"""Data sets drawn from the affine model, for tests that need many of them or a known truth."""

from dataclasses import dataclass

import numpy as np

FEW_PENALTIES = {"lambda_1_grid": (0.1, 1.0, 10.0), "lambda_2_grid": (1.0, 30.0)}
"""Options of a calibration where it does not matter how finely penalties are searched."""


@dataclass(frozen=True)
class Simulated:
    """n measured polymers and m others, from one population; property unit."""

    measured: np.ndarray  # (n,)
    md: np.ndarray  # (n,)
    X: np.ndarray  # (n, d)
    library_measured: np.ndarray  # (m,) what measuring the others would give
    library_md: np.ndarray  # (m,)
    library_X: np.ndarray  # noqa: N815 - (m, d)
    sizes: tuple[int, ...]
    gamma: np.ndarray | None = None  # (d,) the truth, per unit of the descriptors


def simulate(
    seed: int,
    n: int = 30,
    m: int = 40,
    sizes: tuple[int, ...] = (6, 8),
    scatter: float = 0.1,
    alpha_1: float = 0.8,
    beta: float = 0.0,
    heavy_tails: bool = False,
) -> Simulated:
    """Log values: y = 1 + alpha_1 f - (1 + beta f) x'gamma + noise, gamma smooth within blocks."""
    rng = np.random.default_rng(seed)
    total = n + m
    d = sum(sizes)
    columns = []
    gamma = []
    for size in sizes:
        centres = np.linspace(0.0, 1.0, size)
        values = rng.uniform(0.0, 1.0, (total, 3))
        columns.append(np.exp(-((values[:, :, None] - centres) ** 2) / 0.02).mean(axis=1))
        gamma.append(0.4 * np.sin(3.0 * centres + rng.uniform(0.0, 6.0)))
    X = np.hstack(columns)
    assert X.shape == (total, d)
    f = 8.0 + 0.25 * rng.normal(size=total)
    noise = rng.standard_t(3, size=total) if heavy_tails else rng.normal(size=total)
    y = 1.0 + alpha_1 * f - (1.0 + beta * f) * (X @ np.concatenate(gamma)) + scatter * noise
    return Simulated(
        np.exp(y[:n]),
        np.exp(f[:n]),
        X[:n],
        np.exp(y[n:]),
        np.exp(f[n:]),
        X[n:],
        tuple(sizes),
        np.concatenate(gamma),
    )
