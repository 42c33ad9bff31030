"""Truths for simulated measurements on real polymers: MD heat capacities and descriptors of a RadonPy table are real.

Each design says what the measured value of every polymer would be without noise, and how it scatters. n polymers are then
"measured", the others are new. f is ln Cp by MD; x the 190 descriptors in standard units (learned from all polymers).
"""

import csv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from affinecal_gui.calibration.data.scale import learn_scale
from affinecal_gui.polymers.descriptors.descriptors import describe

SIZES = (10,) + (20,) * 9
NOISE = 0.1
SMOOTH = 0.15
"""Correlation length of gamma within a block, as a share of the block."""


@dataclass(frozen=True)
class Polymers:
    """All polymers of the table."""

    f: np.ndarray  # (p,) ln of the MD heat capacity
    X: np.ndarray  # (p, 190)
    classes: np.ndarray  # (p,) of str: the class of the polymer as the table numbers it, "" where it has no such column


@dataclass(frozen=True)
class Sample:
    """n measured and m new polymers of one simulated study, target scale."""

    measured: np.ndarray  # (n,) positions
    others: np.ndarray  # (m,)
    y: np.ndarray  # (p,) what measuring each polymer gives
    truth: np.ndarray  # (p,) without noise
    line: "AffineTruth | None"  # where the truth has the form of the affine calibrator


@dataclass(frozen=True)
class AffineTruth:
    """alpha_0 + alpha_1 f - (beta f + 1) (x - centre)' gamma."""

    alpha_0: float
    alpha_1: float
    beta: float
    gamma: np.ndarray  # (190,) per unit of the descriptors
    centre: np.ndarray  # (190,)

    def alpha_0_about(self, centre: np.ndarray) -> float:
        """Return alpha_0 with other centres (190,) of the descriptors."""
        return self.alpha_0 - float((centre - self.centre) @ self.gamma)

    def alpha_1_about(self, centre: np.ndarray) -> float:
        """Return alpha_1 with other centres (190,) of the descriptors."""
        return self.alpha_1 - self.beta * float((centre - self.centre) @ self.gamma)


@dataclass(frozen=True)
class Truth:
    """One random truth of a design."""

    value: np.ndarray  # (p,)
    noise: np.ndarray  # (p,)
    line: AffineTruth | None = None


@dataclass(frozen=True)
class Design:
    """How truths are drawn and who is measured."""

    draw: Callable[[np.random.Generator, Polymers], Truth]
    extrapolates: bool = False  # measured: from the half with the higher MD values; new: the lowest quarter
    numbers: tuple[int, ...] = (12, 20, 62)


def read_polymers(table: Path, cache: Path) -> Polymers:
    """Read polymers with a heat capacity and describe them; descriptors are kept in ``cache`` (.npz)."""
    if cache.is_file():
        kept = np.load(cache)
        if "classes" in kept:
            return Polymers(kept["f"], kept["X"], kept["classes"])
    with table.open(encoding="utf-8") as handle:
        rows = [row for row in csv.DictReader(handle) if row["Cp"]]
    f = np.log([float(row["Cp"]) for row in rows])
    X = np.array([describe(row["smiles"]) for row in rows])
    cache.parent.mkdir(parents=True, exist_ok=True)
    classes = np.array([row.get("polymer_class", "") for row in rows])
    np.savez(cache, f=f, X=X, classes=classes)
    return Polymers(f, X, classes)


def smooth_gamma(rng: np.random.Generator) -> np.ndarray:
    """(190,) one smooth random curve in each block of force-field kernels, and independent values in the first block."""
    parts = []
    for size in SIZES:
        at = np.linspace(0.0, 1.0, size)
        length = 1e-3 if size == SIZES[0] else SMOOTH
        covariance = np.exp(-0.5 * ((at[:, None] - at) / length) ** 2) + 1e-9 * np.eye(size)
        parts.append(np.linalg.cholesky(covariance) @ rng.normal(size=size))
    return np.concatenate(parts)


def standard(polymers: Polymers) -> np.ndarray:
    """(p, 190) descriptors in standard units."""
    return learn_scale(polymers.X, SIZES).apply(polymers.X)


def _affine(spread: float, alpha_1: float = 1.0, beta: float = 0.0) -> Callable[[np.random.Generator, Polymers], Truth]:
    def draw(rng: np.random.Generator, polymers: Polymers) -> Truth:
        gamma = smooth_gamma(rng)
        scale = learn_scale(polymers.X, SIZES)
        correction = scale.apply(polymers.X) @ gamma
        coupling = 1.0 + beta * polymers.f
        factor = spread / float(np.std(coupling * correction))
        offset = float(polymers.f.mean()) * (1.0 - alpha_1) - 0.5
        value = offset + alpha_1 * polymers.f - factor * coupling * correction
        line = AffineTruth(offset, alpha_1, beta, factor * gamma / scale.scale, scale.mean)
        return Truth(value, NOISE * rng.normal(size=len(value)), line)

    return draw


def _ordinary(rng: np.random.Generator, polymers: Polymers) -> Truth:
    value = 1.2 + 0.75 * polymers.f
    nothing = np.zeros(polymers.X.shape[1])
    return Truth(value, NOISE * rng.normal(size=len(value)), AffineTruth(1.2, 0.75, 0.0, nothing, nothing))


def _nonlinear(rng: np.random.Generator, polymers: Polymers) -> Truth:
    """A correction that bends along one direction of the descriptors and multiplies two others."""
    Z = standard(polymers)
    u, v, w = (_unit(Z @ smooth_gamma(rng)) for _ in range(3))
    value = polymers.f - 0.5 + 0.19 * _unit(np.sin(1.2 * u) + 0.25 * v * w)
    return Truth(value, NOISE * rng.normal(size=len(value)))


def _unit(values: np.ndarray) -> np.ndarray:
    return np.asarray((values - values.mean()) / values.std())


def _heteroscedastic(rng: np.random.Generator, polymers: Polymers) -> Truth:
    """The strong affine truth; the noise grows eightfold over the range of the MD values, 0.1 in the middle of it."""
    value = _affine(0.3)(rng, polymers)
    place = (polymers.f - polymers.f.min()) / np.ptp(polymers.f)
    spread = NOISE * 8.0 ** (place - 0.5)
    return Truth(value.value, spread * rng.normal(size=len(place)), value.line)


def _heavy_tails(rng: np.random.Generator, polymers: Polymers) -> Truth:
    """The strong affine truth with Student's t, 3 degrees of freedom, of the same standard deviation."""
    value = _affine(0.3)(rng, polymers)
    noise = NOISE * rng.standard_t(3, size=len(polymers.f)) / np.sqrt(3.0)
    return Truth(value.value, noise, value.line)


DESIGNS: dict[str, Design] = {
    "ordinary": Design(_ordinary),
    "weak": Design(_affine(0.12)),
    "strong": Design(_affine(0.3)),
    "alpha06": Design(_affine(0.12, alpha_1=0.6)),
    "coupled": Design(_affine(0.12, beta=-0.06)),
    "nonlinear": Design(_nonlinear),
    "heteroscedastic": Design(_heteroscedastic),
    "t3": Design(_heavy_tails),
    "extrapolation": Design(_affine(0.3), extrapolates=True, numbers=(20, 62)),
    "extrapolation-ordinary": Design(_ordinary, extrapolates=True, numbers=(20, 62)),
}


def sample(name: str, polymers: Polymers, n: int, others: int, seed: int) -> Sample:
    """Draw one simulated study; the same seed gives the same."""
    design = DESIGNS[name]
    rng = np.random.default_rng((list(DESIGNS).index(name), n, seed))
    truth = design.draw(rng, polymers)
    if design.extrapolates:
        measured = rng.permutation(np.flatnonzero(polymers.f >= np.median(polymers.f)))[:n]
        new = rng.permutation(np.flatnonzero(polymers.f <= np.quantile(polymers.f, 0.25)))[:others]
    else:
        order = rng.permutation(len(polymers.f))
        measured, new = order[:n], order[n : n + others]
    return Sample(measured, new, truth.value + truth.noise, truth.value, truth.line)
