"""Speed of the transfer methods: the product's batches against a textbook loop, one fit at a time, in one run.

    python -m tests.benchmarks.transfer_speed [FILE]

FILE is the table of the robot arm (default: shared/data/sarcos_inv_test.csv.gz beside the repository; invented data of the
same shape without it). The task is the paper's: seven methods, 7 torques, training sets of 5 to 50 rows, 20 repetitions, full
penalty grids, 5 folds: 980 data sets.

The product runs all of it. The textbook loop (tests/calibration/textbook_transfer.py: pandas, pseudo-inverses, block updates
from one random start with at most 1000 sweeps, every fit on its own, as a published notebook does it) would run for hours.
Its time is projected from a sample: of each training set size, one data set; of its kernel ridge regressions and of
AffineTL-const the whole grid, of AffineTL-full so many penalties of the grid, chosen at random. The sums are then multiplied
by what was left out. Both use one thread of the linear algebra library per worker; the product as many workers as there are
processors, which is said. Ratios are given of seconds by the clock, and of seconds of processor time, which other programs
on the machine disturb less.
"""

import sys
import time
from itertools import product
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from affinecal_gui.calibration.calibrators.registry import kernel_keys
from affinecal_gui.calibration.kernels.methods import PAPER_RIDGE
from affinecal_gui.calibration.kernels.protocol import (
    PAPER_REPETITIONS,
    PAPER_SIZES,
    run_transfer_protocol,
)
from affinecal_gui.tasks.sarcos import read_sarcos
from affinecal_gui.threads import worker_count
from tests.calibration.textbook_transfer import L1, L2, L3, Const, Full, Ridge, search, standardised

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data" / "sarcos_inv_test.csv.gz"
TORQUES = 7
FULL_SAMPLE = 3
"""Penalties of AffineTL-full that the textbook loop is timed with, per training set size."""


def arm():
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    if path.exists():
        return read_sarcos(path)
    print("The table of the robot arm is not here: invented data of the same shape.")
    rng = np.random.default_rng(0)
    X = rng.standard_normal((4449, 21))
    Y = np.column_stack([5 * np.sin(X[:, k]) + 3 * X[:, k + 7] * X[:, k + 14] + 2 * X[:, 0] for k in range(TORQUES)])
    return X, Y + 0.1 * rng.standard_normal(Y.shape)


def timed(work):
    """Seconds by the clock and of processor time."""
    began = np.array([time.perf_counter(), time.process_time()])
    work()
    return np.array([time.perf_counter(), time.process_time()]) - began


def textbook_seconds(X, Y, size, rng):
    """Seconds (clock, processor) that one data set of this size takes, by method."""
    rows = rng.permutation(len(X))[:size]
    target = int(rng.integers(TORQUES))
    y = Y[rows, target]
    s, x = (standardised(some, some) for some in (np.delete(Y[rows], target, axis=1), X[rows]))
    t = (y - y.mean()) / y.std(ddof=1)
    ridge = [(penalty,) for penalty in PAPER_RIDGE]
    seconds = {
        "only_source": timed(lambda: search(Ridge, ridge, (s,), t)),
        "direct": timed(lambda: search(Ridge, ridge, (x,), t)),
        "augmented": timed(lambda: search(Ridge, ridge, (np.hstack([x, s]),), t)),
        "affine_tl_const": timed(lambda: search(Const, list(product(L1, L3)), (s, x), t)),
    }
    # What they fit differs, not how: residuals and ratios take the time of the descriptors alone.
    seconds["htl_offset"] = seconds["htl_scale"] = seconds["direct"]
    grid = list(product(L1, L2, L3))
    some = [grid[k] for k in rng.permutation(len(grid))[:FULL_SAMPLE]]
    seconds["affine_tl_full"] = timed(lambda: search(Full, some, (s, x), t)) * len(grid) / FULL_SAMPLE
    return seconds


def main():
    X, Y = arm()
    count = TORQUES * PAPER_REPETITIONS
    print(f"{count * len(PAPER_SIZES)} data sets, {worker_count()} workers for the product, one for the textbook loop")
    # Once, for the caches of the system and of the linear algebra library.
    run_transfer_protocol(X, Y, sizes=(5,), repetitions=1)
    own = timed(lambda: run_transfer_protocol(X, Y))
    print(f"product, all methods, whole grids, five starts of the final fits: {own[0]:.0f} s, processor {own[1]:.0f} s")
    without = [name for name in kernel_keys() if name != "affine_tl_full"]
    quick = timed(lambda: run_transfer_protocol(X, Y, methods=without))
    print(f"product without AffineTL-full: {quick[0]:.1f} s, processor {quick[1]:.1f} s", flush=True)
    rng = np.random.default_rng(1)
    total = {name: np.zeros(2) for name in kernel_keys()}
    with threadpool_limits(1):
        for size in PAPER_SIZES:
            seconds = textbook_seconds(X, Y, size, rng)
            for name, value in seconds.items():
                total[name] += value * count
            clock, processor = sum(seconds.values())
            print(
                f"  textbook, one data set of {size:>2} rows, projected: {clock:.0f} s, processor {processor:.0f} s",
                flush=True,
            )
    loop, loop_quick = sum(total.values()), sum(total[name] for name in without)
    full = total["affine_tl_full"]
    print(
        f"textbook loop, projected: {loop[0] / 3600:.1f} h, processor {loop[1] / 3600:.1f} h, of which AffineTL-full "
        f"{full[0] / 3600:.1f} h, processor {full[1] / 3600:.1f} h"
    )
    for words, index in (("by the clock", 0), ("of processor time", 1)):
        ratios = loop[index] / own[index], loop_quick[index] / quick[index]
        print(f"ratio {words}: all methods {ratios[0]:.0f}, without AffineTL-full {ratios[1]:.0f}")


if __name__ == "__main__":
    main()
