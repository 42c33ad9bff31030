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
from affinecal_gui.threads import worker_count
from tests.benchmarks.options import Options
from tests.benchmarks.robot_arm import DATA, TORQUES, arm
from tests.calibration.textbook_transfer import L1, L2, L3, Const, Full, Ridge, search, standardised

FULL_SAMPLE = 3
"""Penalties of AffineTL-full that the textbook loop is timed with, per training set size."""


def timed(work):
    """Seconds by the clock and of processor time."""
    began = np.array([time.perf_counter(), time.process_time()])
    work()
    return np.array([time.perf_counter(), time.process_time()]) - began


def textbook_seconds(X, Y, size, rng, sample):
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
    some = [grid[k] for k in rng.permutation(len(grid))[:sample]]
    seconds["affine_tl_full"] = timed(lambda: search(Full, some, (s, x), t)) * len(grid) / sample
    return seconds


def main():
    parser = Options(__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=DATA)
    parser.size("--sizes", list(PAPER_SIZES), [5])
    parser.size("--repetitions", PAPER_REPETITIONS, 1)
    parser.size("--penalties", FULL_SAMPLE, 1, help="of AffineTL-full that the textbook is timed with, per size")
    parser.size("--torques", TORQUES, 1, help="the first so many")
    chosen = parser.read()
    X, Y = arm(chosen.file)
    sizes, targets = tuple(chosen.sizes), tuple(range(chosen.torques))
    count = chosen.torques * chosen.repetitions
    print(f"{count * len(sizes)} data sets, {worker_count()} workers for the product, one for the textbook loop")
    # Once, for the caches of the system and of the linear algebra library.
    run_transfer_protocol(X, Y, sizes=(5,), targets=targets, repetitions=1)
    own = timed(lambda: run_transfer_protocol(X, Y, sizes=sizes, targets=targets, repetitions=chosen.repetitions))
    print(f"product, all methods, whole grids, five starts of the final fits: {own[0]:.0f} s, processor {own[1]:.0f} s")
    without = [name for name in kernel_keys() if name != "affine_tl_full"]
    quick = timed(
        lambda: run_transfer_protocol(
            X, Y, methods=without, sizes=sizes, targets=targets, repetitions=chosen.repetitions
        )
    )
    print(f"product without AffineTL-full: {quick[0]:.1f} s, processor {quick[1]:.1f} s", flush=True)
    rng = np.random.default_rng(1)
    total = {name: np.zeros(2) for name in kernel_keys()}
    with threadpool_limits(1):
        for size in sizes:
            seconds = textbook_seconds(X, Y, size, rng, chosen.penalties)
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
