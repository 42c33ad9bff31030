"""The search of SPACIER's second example: which polymers of its pool to simulate next, by expected gain and by its own way.

``python -m tests.benchmarks.spacier_pool --md PI1070.csv [--cycles 20] [--starts 3] [--ways random,uncertain,probable,gain]``

SPACIER (Nanjo and others; github.com/s-nanjo/Spacier, BSD 3-clause) comes with a pool of 1,067 polymers and ten others to
begin with, which together are those of RadonPy's PI1070. Wished are a heat capacity between 3000 and 4000 J/(kg K), a
refractive index between 1.6 and 1.7, and a density between 1.0 and 1.1 g/cm3; ten polymers are simulated in a cycle. What is
known are Gaussian processes of each property as there: a constant times a squared exponential of all descriptors, and white
noise.
``probable`` is what SPACIER calls PI. The first start is SPACIER's, further ones are ten random polymers; of ``random`` ten
searches follow each. Printed is how many polymers meet all wishes after 5, 10 and 20 cycles.
"""

import argparse
import csv
import os
import tempfile
import warnings
from pathlib import Path

import numpy as np
from scipy.special import ndtri
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.sharing.expected_gain import Errors, Outlook, best_other, gain_of_measuring
from affinecal_gui.calibration.sharing.wishes import Wanted
from affinecal_gui.polymers.descriptors.descriptors import describe
from tests.benchmarks.options import Options

REPOSITORY = Path(__file__).resolve().parents[2]
WINDOWS = {"Cp": (3000.0, 4000.0), "refractive_index": (1.6, 1.7), "density": (1.0, 1.1)}
WANTED = [Wanted(low, high) for low, high in WINDOWS.values()]
START = ("PI310", "PI313", "PI350", "PI353", "PI371", "PI433", "PI434", "PI512", "PI513", "PI516")
A_CYCLE = 10
TOGETHER = 100
MOST_FURTHER = 100
TOLD_AFTER = (5, 10, 20)
NORMAL = ndtri((np.arange(60) + 0.5) / 60)[:, None]


def read(table: Path, cache: Path) -> tuple[list[str], FloatArray, FloatArray]:
    """Return names, descriptors (k, 190) and MD values (k, 3) of the polymers that have all of them."""
    with table.open(encoding="utf-8") as handle:
        rows = [row for row in csv.DictReader(handle) if all(row[key] for key in WINDOWS)]
    if cache.is_file():
        X = np.load(cache)["X"]
    else:
        X = np.array([describe(row["smiles"]) for row in rows])
        cache.parent.mkdir(parents=True, exist_ok=True)
        np.savez(cache, X=X)
    y = np.array([[float(row[key]) for key in WINDOWS] for row in rows])
    return [row["monomer_ID"] for row in rows], X, y


def meeting(y: FloatArray) -> FloatArray:
    """(k,) whether polymers meet all wishes."""
    ends = np.array(list(WINDOWS.values()))
    return np.asarray(((y > ends[:, 0]) & (y < ends[:, 1])).all(axis=1))


def known_of(X: FloatArray, y: FloatArray, pool: FloatArray) -> tuple[Outlook, FloatArray]:
    """Return what Gaussian processes know of the pool, and the correlations (3, k, k) of their errors."""
    centres, covariances = [], []
    for own in y.T:
        model = GaussianProcessRegressor(ConstantKernel() * RBF() + WhiteKernel(), alpha=0.0, normalize_y=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # bounds of the search that are reached
            centre, covariance = model.fit(X, own).predict(pool, return_cov=True)
        centres.append(centre)
        covariances.append(covariance)
    spread = np.sqrt(np.array([np.diag(one) for one in covariances]))
    correlations = np.array([one / np.outer(own, own) for one, own in zip(covariances, spread, strict=True)])
    errors = Errors((NORMAL,) * len(WINDOWS))
    return Outlook(np.array(centres).T, spread.T, (errors,), np.zeros(len(pool), dtype=np.int64)), correlations


def score(way: str, now: Outlook, correlations: FloatArray, left: int) -> FloatArray:
    """(k,) by which the polymers of the pool are chosen."""
    if way == "uncertain":
        return np.asarray(np.log(now.spread).sum(axis=1))
    worth = now.worth(WANTED)
    if way == "probable":
        return worth
    further = min(left, MOST_FURTHER)
    found = np.minimum(worth, best_other(worth, further))
    some = np.argsort(-worth, kind="stable")[: max(TOGETHER, further + 1)]
    found[some] = gain_of_measuring(
        now.of(some), WANTED, worth[some], correlations[np.ix_([0, 1, 2], some, some)], further
    )
    return found + 1e-9 * worth  # of equal gains the more probable one


def searched(X: FloatArray, y: FloatArray, start: FloatArray, way: str, cycles: int, seed: int) -> list[int]:
    """Return how many polymers meet the wishes after each cycle, those of the start included."""
    generator, known = np.random.default_rng(seed), start.tolist()
    found = []
    for cycle in range(cycles):
        pool = np.setdiff1d(np.arange(len(y)), known)
        if way == "random":
            known += generator.permutation(pool)[:A_CYCLE].tolist()
        else:
            now, correlations = known_of(X[known], y[known], X[pool])
            scores = score(way, now, correlations, (cycles - cycle - 1) * A_CYCLE)
            known += pool[np.argsort(-scores, kind="stable")[:A_CYCLE]].tolist()
        found.append(int(meeting(y[known]).sum()))
    return found


def arguments() -> argparse.Namespace:
    """Read the command line."""
    options = Options(__doc__)
    options.add_argument("--md", type=Path, help="RadonPy's table of MD values (PI1070.csv)")
    options.size("--cycles", 20, 1, help="of ten polymers")
    options.size("--starts", 3, 1, help="SPACIER's, and random ones")
    options.size("--ways", "random,uncertain,probable,gain", "random,gain", help="of choosing")
    folder, user = Path(tempfile.gettempdir()), os.getuid()
    kept, smoke = folder / f"spacier_pool_{user}.npz", folder / f"spacier_pool_smoke_{user}.npz"
    options.size("--cache", kept, smoke, help="where descriptors are kept")
    told = options.read()
    if told.smoke:
        told.md = REPOSITORY / "resources" / "examples" / "md_radonpy.csv"
    elif told.md is None:
        options.error("name RadonPy's table with --md")
    return told


def main() -> None:
    """Print how many polymers each way has found."""
    told = arguments()
    names, X, y = read(told.md, told.cache)
    starts = [np.array([number for number, name in enumerate(names) if name in START])]
    starts += [np.random.default_rng(seed).permutation(len(y))[:A_CYCLE] for seed in range(1, told.starts)]
    if len(starts[0]) < A_CYCLE:  # of another table
        starts[0] = np.arange(A_CYCLE)
    print(f"{len(y)} polymers, {int(meeting(y).sum())} meet all wishes")
    for number, start in enumerate(starts):
        for way in told.ways.split(","):
            seeds = range(10 if way == "random" else 1)
            found = np.array([searched(X, y, start, way, told.cycles, seed) for seed in seeds]).mean(axis=0)
            after = [f"{found[cycle - 1]:g} after {cycle}" for cycle in TOLD_AFTER if cycle <= told.cycles]
            print(f"start {number + 1}, {way}: {', '.join(after) or f'{found[-1]:g}'}", flush=True)


if __name__ == "__main__":
    main()
