"""Why our figures of the robot arm differ from the published ones: draw, inverse, grids and starts, each by itself.

    python -m tests.benchmarks.sarcos_differences [FILE] [--only PART ...]

Parts (all by default; about ten minutes of processor time, most of it for AffineTL-full in "table" and "cover"):

file        what the table looks like: tails and drift of every torque
time        whether row k of the test file is row 10 k of the training file: the published RMSE of single repetitions
            beside ours with the published draw, moved in time by -20 to 20 rows of the training file
chance      two runs of the same program with other draws: how many means are beyond two standard errors of each other
halves      the command's own protocol with seeds 0 to 4
published   the published draw (`--draw published`), then also with the published inverse and grids
cover       every mean beyond two standard errors in the command's own protocol: what becomes of it with the published draw

The published program solves the normal equations ``[K K + λ K, K 1; 1'K, n]`` by a pseudo-inverse that drops singular values
below 1e-5, over 49 penalties and zero; that of AffineTL-const likewise, over l1 and l3 from 1e-3 to 10.
"""

import sys
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

import numpy as np
from scipy.stats import kurtosis

from affinecal_gui.calibration.calibrators.registry import kernel_keys
from affinecal_gui.calibration.kernels import fitting, protocol, search
from affinecal_gui.calibration.kernels.methods import TransferOptions
from affinecal_gui.calibration.kernels.protocol import published_draws, run_transfer_protocol
from affinecal_gui.tasks.benchmarks.sarcos_published import differences, read_published
from tests.benchmarks.options import Options
from tests.benchmarks.robot_arm import DATA, arm

QUICK = tuple(name for name in kernel_keys() if name != "affine_tl_full")
PUBLISHED_GRID = (*(float(x) for x in np.logspace(-4, 2, 49)), 0.0)
WIDE = (1e-3, 1e-2, 1e-1, 1.0, 10.0)
CUT = 1e-5
PARTS = ("file", "time", "chance", "halves", "published", "cover")

SINGLE = {
    (
        5,
        "direct",
        50,
    ): "0.4759 0.3886 0.4154 0.3507 0.4890 0.3397 0.3636 0.6411 0.3355 0.3810 0.2557 0.3104 0.3329 0.2487 "
    "0.3246 0.3930 0.4301 0.3412 0.2703",
    (
        5,
        "only_source",
        50,
    ): "0.4743 0.4565 0.5979 0.5807 0.6207 0.4394 0.4531 1.0178 0.6204 0.8023 0.4498 0.3562 0.3987 "
    "0.4124 0.5769 0.5078 0.4543 0.5467 0.5348",
    (1, "direct", 5): "475.6 493.5 556.6 656.6 449.8 508.4 339.1 440.4 504.7 286.1 498.5 575.6 467.1 388.1",
}
"""Mean squared errors of single repetitions, from number 1 on, in the results file of the authors' program."""


def decomposed(left, right):
    """Solve symmetric systems, dropping eigenvalues below the cut; stacked."""
    values, vectors = np.linalg.eigh(left)
    inverse = np.where(np.abs(values) > CUT, 1.0 / np.where(values == 0.0, 1.0, values), 0.0)
    return (vectors @ (inverse * (right[:, None, :] @ vectors)[:, 0])[:, :, None])[:, :, 0]


def truncated(K, y, penalty, root=None):
    """Weights and intercept by the truncated pseudo-inverse; stacked problems, one penalty each (b,)."""
    b, n, _ = K.shape
    left = np.empty((b, n + 1, n + 1))
    left[:, :n, :n] = K @ K + penalty[:, None, None] * K
    left[:, :n, n] = left[:, n, :n] = K.sum(axis=2)
    left[:, n, n] = n
    solved = decomposed(left, np.concatenate([(K @ y[:, :, None])[:, :, 0], y.sum(axis=1, keepdims=True)], axis=1))
    return solved[:, :n], solved[:, n]


def truncated_path(K, K_test, y, penalties, root=None):
    found = np.empty((len(K), len(penalties), K_test.shape[1]))
    for g, penalty in enumerate(penalties):
        a, d = truncated(K, y, np.full(len(K), penalty))
        found[:, g] = (K_test @ a[:, :, None])[:, :, 0] + d[:, None]
    return found


def truncated_constant(K1, K3, y, l1, l3, root=None):
    """AffineTL-const by its normal equations and the truncated pseudo-inverse: see :class:`Pair`."""
    shape, n = np.broadcast_shapes(l1.shape, y.shape[:-1]), y.shape[-1]
    K1, K3 = (np.broadcast_to(K, (*shape, n, n)).reshape(-1, n, n) for K in (K1, K3))
    y = np.broadcast_to(y, (*shape, n)).reshape(-1, n)
    one, three = (np.broadcast_to(value, shape).reshape(-1, 1, 1) for value in (l1, l3))
    left = np.zeros((len(y), 2 * n + 1, 2 * n + 1))
    left[:, :n, :n], left[:, n:-1, n:-1] = K1 @ K1 + one * K1, K3 @ K3 + three * K3
    left[:, :n, n:-1], left[:, n:-1, :n] = K1 @ K3, K3 @ K1
    left[:, :n, -1] = left[:, -1, :n] = K1.sum(axis=2)
    left[:, n:-1, -1] = left[:, -1, n:-1] = K3.sum(axis=2)
    left[:, -1, -1] = n
    right = np.concatenate([(K @ y[:, :, None])[:, :, 0] for K in (K1, K3)] + [y.sum(axis=1, keepdims=True)], axis=1)
    solved = decomposed(left, right)
    return Pair(solved[:, :n].reshape(*shape, n), solved[:, n:-1].reshape(*shape, n)), solved[:, -1].reshape(shape)


class Pair:
    """a and c in the place of the residual u of which both are shares: ``u / l1`` is a, then ``u / l3`` is c."""

    def __init__(self, a, c):
        self.rest = [a, c]
        self.shape = a.shape

    def __truediv__(self, _):
        return self.rest.pop(0)


def published_program():
    """Solve as the published program does, for as long as the stack is open."""
    stack = ExitStack()
    stack.enter_context(patch.object(search, "ridge_path", truncated_path))
    stack.enter_context(patch.object(fitting, "fit_ridge", truncated))
    stack.enter_context(patch.object(search, "fit_constant", truncated_constant))
    stack.enter_context(patch.object(fitting, "fit_constant", truncated_constant))
    stack.enter_context(patch.object(fitting.np, "zeros_like", lambda u: np.zeros(u.shape)))
    return stack


def tell(title, found, published, by_torque=True):
    all_of_them = differences(found, published).all
    errors = np.array([one.standard_errors for one in all_of_them])
    ratio = np.mean([one.ours / one.published for one in all_of_them])
    print(
        f"{title:<44} ratio {ratio:.3f}, mean {errors.mean():+.2f} standard errors, beyond two: {(errors < -2).sum()} lower, "
        f"{(errors > 2).sum()} higher of {len(errors)}",
        flush=True,
    )
    if by_torque:
        means = [np.mean([one.standard_errors for one in all_of_them if one.target == q]) for q in range(7)]
        print("      torques 1 to 7: " + " ".join(f"{value:+.2f}" for value in means))
    methods = [name for name in kernel_keys() if name in found.rmse]
    ratios = [np.mean([one.ours / one.published for one in all_of_them if one.method == name]) for name in methods]
    print("      " + ", ".join(f"{name} {value:.3f}" for name, value in zip(methods, ratios, strict=True)), flush=True)


def drawn(shuffles, X, Y, methods, sizes=protocol.PAPER_SIZES, targets=None, options=None):
    """Run with training sets of our own choice, evaluated on all rows."""
    with patch.object(protocol, "published_draws", lambda repetitions: shuffles):
        return run_transfer_protocol(
            X,
            Y,
            methods=methods,
            sizes=sizes,
            targets=targets,
            repetitions=len(shuffles),
            draw="published",
            options=options,
        )


def describe_file(Y):
    print(
        "torque: excess kurtosis, largest |z|, share of the variance in the largest 1 % of rows, sd in six parts of the file"
    )
    for q in range(Y.shape[1]):
        y = Y[:, q]
        squared = np.sort((y - y.mean()) ** 2)[::-1]
        parts = " ".join(f"{part.std():.3g}" for part in np.array_split(y, 6))
        share = squared[: len(y) // 100].sum() / squared.sum()
        print(f"{q + 1}: {kurtosis(y):+.2f}, {np.sqrt(squared[0]) / y.std():.1f}, {share:.2f}, {parts}")


def check_time(X, Y):
    print("correlation of our single RMSE with the published ones, and the ratio of their means, by shift in time")
    for shift in (-20, -15, -10, -5, 0, 5, 10, 15, 20):
        cells = []
        for (torque, method, size), text in SINGLE.items():
            there = np.sqrt(np.array(text.split(), dtype=float))
            moved = [np.clip((order + shift + 5) // 10, 0, len(X) - 1) for order in raw_draws(20)]
            found = drawn(moved, X, Y, (method,), (size,), (torque - 1,))
            ours = found.rmse[method][0, 0, 1 : 1 + len(there)]
            cells.append(f"{np.corrcoef(ours, there)[0, 1]:+.2f} ({ours.mean() / there.mean():.2f})")
        print(f"{shift:+d}: " + "   ".join(cells), flush=True)
    print("columns: " + ", ".join(f"torque {torque}, {method}, n = {size}" for torque, method, size in SINGLE))


def raw_draws(repetitions):
    """Row numbers of the training file."""
    with patch.object(protocol, "THINNING", 1):
        return published_draws(repetitions)


def check_chance(X, Y, published):
    sets = [
        drawn([np.random.RandomState(1000 * k + r).permutation(3001) for r in range(20)], X, Y, QUICK)
        for k in range(10)
    ]
    counts, shifts = [], []
    for i, one in enumerate(sets):
        for other in sets[:i]:
            z = np.array(
                [(one.mean(m) - other.mean(m)) / np.sqrt((one.sd(m) ** 2 + other.sd(m) ** 2) / 20) for m in QUICK]
            )
            counts.append(int((np.abs(z) > 2).sum()))
            shifts.append(abs(float(z.mean())))
    print(
        f"two sets of 20 draws from the rows the paper drew from, {len(counts)} pairs of 10 sets, {z.size} means each: "
        f"beyond two standard errors {np.mean(counts):.0f} on average, median {np.median(counts):.0f}, from {min(counts)} to "
        f"{max(counts)}; mean difference up to {max(shifts):.2f} standard errors"
    )
    for k, one in enumerate(sets):
        tell(f"set {k} of them beside the published means", one, published, by_torque=False)


def cover(X, Y, published):
    own = run_transfer_protocol(X, Y)
    tell("the command, halves of seed 0", own, published)
    there = run_transfer_protocol(X, Y, draw="published")
    tell("the command, published draw", there, published)
    before = {(one.target, one.method, one.size): one for one in differences(own, published).large}
    after = {(one.target, one.method, one.size): one for one in differences(there, published).all}
    print(f"{len(before)} means beyond two standard errors with the halves, by torque, and with the published draw:")
    for q in range(7):
        keys = [key for key in before if key[0] == q]
        if keys:
            old, new = (np.array([some[key].standard_errors for key in keys]) for some in (before, after))
            print(
                f"  torque {q + 1}: {len(keys)}, mean {old.mean():+.2f}; then {new.mean():+.2f}, lowest {new.min():+.2f}"
            )
    for key, one in after.items():
        if abs(one.standard_errors) > 2.0:
            already = f", with the halves {before[key].standard_errors:+.2f}" if key in before else ""
            print(f"  left: torque {key[0] + 1}, {key[1]}, n = {key[2]}: {one.standard_errors:+.2f}{already}")


def main():
    parser = Options(__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=DATA)
    parser.size("--only", list(PARTS), ["file"], nargs="+", choices=PARTS)
    choices = parser.read()
    X, Y = arm(choices.file)
    published = read_published()
    if "file" in choices.only:
        describe_file(Y)
    if "time" in choices.only:
        check_time(X, Y)
    if "chance" in choices.only:
        check_chance(X, Y, published)
    if "halves" in choices.only:
        for seed in range(5):
            tell(f"halves of seed {seed}", run_transfer_protocol(X, Y, methods=QUICK, split_seed=seed), published)
    if "published" in choices.only:
        tell("published draw", run_transfer_protocol(X, Y, methods=QUICK, draw="published"), published)
        options = TransferOptions(ridge=PUBLISHED_GRID, l1=WIDE, l3=WIDE)
        with published_program():
            found = run_transfer_protocol(X, Y, methods=QUICK, draw="published", options=options)
            tell("published draw, inverse and grids", found, published)
            tell(
                "halves of seed 0, published inverse and grids",
                run_transfer_protocol(X, Y, methods=QUICK, options=options),
                published,
            )
    if "cover" in choices.only:
        cover(X, Y, published)


if __name__ == "__main__":
    sys.exit(main())
