"""How fast the calibrators are, beside a dense textbook implementation, and how time and memory grow.

    python -m tests.benchmarks.calibration_speed                 a few minutes: the textbook does a sample of one repetition
    python -m tests.benchmarks.calibration_speed --textbook 1    the textbook does one whole repetition (some minutes more)
    python -m tests.benchmarks.calibration_speed --no-growth     only the comparison

Everything printed is measured in this run. The textbook (tests/calibration/textbook_calibrators.py) does what the published
implementation does: for every penalty pair and fold block relaxation with a pseudo-inverse of a d x d matrix in every sweep.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from affinecal_gui.calibration.calibrators.objectives.affine import fit_affine, fit_affine_many
from affinecal_gui.calibration.checking.paper_protocol import (
    PAPER_LAMBDA_1,
    PAPER_LAMBDA_2,
    run_paper_protocol,
    shuffled_split,
)
from affinecal_gui.calibration.solvers.fused_ridge import FusedRidge
from tests.benchmarks.options import Options
from tests.calibration import textbook_calibrators as textbook
from tests.calibration.bundled_examples import load_example
from tests.calibration.penalty_grid_search import search_penalties
from tests.calibration.simulated_polymers import simulate

SIZES = (10,) + (20,) * 9


def best_of(work, times):
    """Least wall and processor seconds of several runs, after one that is not counted."""
    work()
    wall, processor = [], []
    for _ in range(times):
        start, busy = time.perf_counter(), time.process_time()
        work()
        wall.append(time.perf_counter() - start)
        processor.append(time.process_time() - busy)
    return min(wall), min(processor)


def standardised(values):
    return (values - values.mean(axis=0)) / values.std(axis=0, ddof=1)


def blocks_of(d):
    """Blocks of 20 and what is left over."""
    return (20,) * (d // 20) + ((d % 20,) if d % 20 else ())


def table(n, d, seed=0):
    """Draw n polymers with d descriptors that vary as densities do, and values about as predictable as heat capacities.

    On the logarithmic scale: slope 0.9 on the MD value, corrections with a standard deviation of 0.15, scatter 0.1.
    """
    drawn = simulate(seed, n=n, m=0, sizes=SIZES if d == 190 else blocks_of(d))
    f = np.log(drawn.md)
    gamma = np.concatenate([np.sin(np.linspace(0.0, 3.0, size) + k) for k, size in enumerate(drawn.sizes)])
    correction = standardised(drawn.X @ gamma)
    y = 0.9 * f - (1.0 - 0.02 * (f - 8.0)) * 0.15 * correction
    y += 0.1 * np.random.default_rng(seed + 1).standard_normal(n)
    return drawn.X, drawn.md, np.exp(y), drawn.sizes


def peak_megabytes():
    """Largest resident size of this process so far."""
    status = Path("/proc/self/status")
    if status.exists():  # unlike getrusage, not inherited from the parent process
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    import resource  # absent on Windows, where this benchmark is not run

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)


def textbook_seconds(X, md, measured, repetitions, train_size):
    """Seconds of one repetition of the textbook: measured whole, or projected from every 15th penalty pair."""
    if repetitions:
        start = time.perf_counter()
        found = [
            textbook.paper_repetition(X, md, measured, SIZES, seed, train_size, splitter=published_splitter)
            for seed in range(repetitions)
        ]
        return (time.perf_counter() - start) / repetitions, found
    f_log, y = np.log(md), np.log(measured)
    x, f = standardised(X), standardised(f_log)
    train, _ = shuffled_split(len(y), train_size, len(y) - train_size, 0)
    _, gamma = textbook.fit_log_difference(x[train], f_log[train], y[train], textbook.penalty_matrix(SIZES, 1.0, 50.0))
    begin = (*textbook.fit_line(f[train], y[train]), 0.0, -gamma)
    pairs = [(a, b) for a in PAPER_LAMBDA_1 for b in PAPER_LAMBDA_2]
    sample = pairs[::15]
    start = time.perf_counter()
    for pair in sample:
        Lambda = textbook.penalty_matrix(SIZES, *pair)
        for rows, _ in textbook.contiguous_folds(train_size, 5):
            part = train[rows]
            textbook.fit_log_difference(x[part], f_log[part], y[part], Lambda)
            textbook.fit_affine(x[part], f[part], y[part], Lambda, 1.0, begin, 1e-3)
    return (time.perf_counter() - start) * len(pairs) / len(sample), []


def published_splitter(rows, train_size, random_state):
    return shuffled_split(len(rows), train_size, len(rows) - train_size, random_state)


def compare(words, X, md, measured, textbook_repetitions):
    """Both implementations on the same data."""
    ours = run_paper_protocol(X, md, measured, SIZES)
    print(f"The paper's protocol, {words}: {ours.n_polymers} polymers, 190 descriptors, 20 repetitions")
    one, found = textbook_seconds(X, md, measured, textbook_repetitions, ours.train_size)
    how = f"mean of {textbook_repetitions}" if textbook_repetitions else "projected from 5 of its 75 penalty pairs"
    print(f"  textbook, one repetition ({how}): {one:.1f} s; twenty: {20 * one:.0f} s")
    for solver in ("block", "direct"):
        wall, busy = best_of(lambda solver=solver: run_paper_protocol(X, md, measured, SIZES, solver=solver), 5)
        words = "block relaxation, stopped at 1e-3 as published" if solver == "block" else "direct solver"
        print(f"  AffineCal, twenty repetitions, {words}: {wall:.3f} s wall, {busy:.3f} s of processor")
        print(f"    the textbook takes {20 * one / wall:,.0f} times as long")
    print("  RMSE: " + ", ".join(f"{model} {value:.4f}" for model, value in ours.rmse_mean.items()))
    for theirs, repetition in zip(found, ours.repetitions, strict=False):
        same = (repetition.affine_lambda_1, repetition.affine_lambda_2) == theirs["affine_penalties"]
        print(
            f"    repetition {repetition.seed}: same penalties: {same}; RMSE differ by "
            f"{abs(repetition.rmse['log_difference'] - theirs['log_difference']):.1e} (log-difference), "
            f"{abs(repetition.rmse['affine'] - theirs['affine']):.1e} (affine)"
        )


def one_training_set():
    """What the window waits for."""
    X, md, measured, _ = table(70, 190)
    x, f, y = standardised(X), standardised(np.log(md)), np.log(measured)
    penalty = FusedRidge(SIZES, 3.0, 50.0)
    draws = np.random.default_rng(0).multinomial(70, np.full(70, 1 / 70), 1000).astype(float)

    def search_and_fit():
        surface = search_penalties("affine", x, f, y, SIZES, PAPER_LAMBDA_1, PAPER_LAMBDA_2)
        i, j = surface.chosen
        return fit_affine(x, f, y, FusedRidge(SIZES, surface.lambda_1[i], surface.lambda_2[j]))

    print("One training set of 70 polymers, 190 descriptors")
    for words, work, times in (
        ("cross-validation of 75 penalty pairs and the fit", search_and_fit, 9),
        ("a refit at given penalties", lambda: fit_affine(x, f, y, FusedRidge(SIZES, 3.0, 50.0)), 30),
        ("1,000 bootstrap refits", lambda: fit_affine_many(x, f, y, penalty, weights=draws), 2),
    ):
        wall, busy = best_of(work, times)
        print(f"  {words}: {1e3 * wall:.2f} ms wall, {1e3 * busy:.2f} ms of processor")


def one_size(n, d, first, second):
    """Time one search in this process; print it as JSON with the memory it took."""
    X, md, measured, sizes = table(n, d)
    x, f, y = standardised(X), standardised(np.log(md)), np.log(measured)
    del X
    grid_1, grid_2 = np.logspace(-2, 2, first), np.logspace(0, 3, second)
    search_penalties("affine", x[:60], f[:60], y[:60], sizes, grid_1[:2], grid_2[:1])
    before = peak_megabytes()
    start, busy = time.perf_counter(), time.process_time()
    search_penalties("affine", x, f, y, sizes, grid_1, grid_2)
    wall, busy = time.perf_counter() - start, time.process_time() - busy
    after = peak_megabytes()
    print(json.dumps({"wall": wall, "busy": busy, "grew": after - before, "total": after}))


def growth():
    print("Cross-validation in five folds, affine model, direct solver")
    print("  polymers  descriptors  penalties   wall s   processor s   memory grew by MB   whole process MB")
    sizes = [(n, 190, 25, 3) for n in (50, 100, 189, 200, 500, 2000, 5000, 20000)]
    sizes += [(70, d, 25, 3) for d in (50, 100, 400, 1000, 2000)]
    sizes += [(70, 190, a, b) for a, b in ((5, 3), (25, 13), (50, 20))]
    for n, d, first, second in sizes:
        command = [sys.executable, "-m", __spec__.name, "--one-size", *map(str, (n, d, first, second))]
        answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        print(
            f"  {n:8d}  {d:11d}  {first * second:9d}  {answer['wall']:7.3f}  {answer['busy']:12.3f}  "
            f"{answer['grew']:18.0f}  {answer['total']:17.0f}"
        )


def main():
    parser = Options(__doc__)
    parser.add_argument(
        "--textbook", type=int, default=0, help="whole repetitions the textbook does; 0: a sample of one"
    )
    parser.add_argument("--no-growth", action="store_true", help="only the comparison")
    parser.add_argument("--one-size", type=int, nargs=4, help=argparse.SUPPRESS)
    arguments = parser.read()
    if arguments.smoke:
        arguments.one_size = (12, 40, 2, 2)
    if arguments.one_size:
        one_size(*arguments.one_size)
        return
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} (other programs slow the textbook down most)")
    measured, md, X, _, _ = load_example("heat_capacity")
    compare("bundled heat-capacity example", X, md, measured, arguments.textbook)
    X, md, measured, _ = table(70, 190)
    compare("invented values", X, md, measured, arguments.textbook)
    one_training_set()
    if not arguments.no_growth:
        growth()


if __name__ == "__main__":
    main()
