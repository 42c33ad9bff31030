"""Where the two solvers of AffineTL-full end: the paper's block updates from a random start, and Newton steps from b = 0.

    python -m tests.benchmarks.transfer_optima [FILE]

On training sets of the robot arm, at all 64 penalties of the paper's grid. The block updates get 1,000 sweeps as published,
then 3,000 more with a tolerance of 1e-9. Printed: how many had converged after the 1,000, how often Newton's objective is
the same (within 1e-5), lower and higher, and the processor time of both.
"""

import time
from itertools import product
from pathlib import Path

import numpy as np

from affinecal_gui.calibration.kernels.full.blocks import block_updates, random_start
from affinecal_gui.calibration.kernels.full.fitting import fit_full
from affinecal_gui.calibration.kernels.full.objective import FullProblem
from affinecal_gui.calibration.kernels.methods import TransferOptions
from affinecal_gui.calibration.kernels.training_sets import make_sets
from affinecal_gui.threads import one_thread_each
from tests.benchmarks.options import Options
from tests.benchmarks.robot_arm import DATA, arm


def main():
    parser = Options(__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=DATA)
    parser.size("--rows", [16, 40], [5])
    parser.size("--sweeps", 3000, 5, help="at most, to see where the block updates would end")
    chosen = parser.read()
    X, Y = arm(chosen.file)
    options = TransferOptions()
    l1, l2, l3 = np.array(list(product(options.l1, options.l2, options.l3))).T
    rng = np.random.default_rng(0)
    for rows, target in product(chosen.rows, (0, 6)):
        drawn = rng.permutation(len(X))[:rows]
        sets = make_sets([np.delete(Y[drawn], target, axis=1)], [X[drawn]], [Y[drawn, target]], options)
        problem = FullProblem(
            sets.source, sets.source, sets.target, sets.y, np.zeros(64, dtype=np.int64), l1.copy(), l2.copy(), l3.copy()
        )
        with one_thread_each(rows):
            began = time.process_time()
            blocks = block_updates(problem, random_start(problem, 0), trace=False)
            middle = time.process_time()
            direct = fit_full(problem)
            ended = time.process_time()
            further = block_updates(problem, blocks.weights, tolerance=1e-9, max_sweeps=chosen.sweeps, trace=False)
        ratio = direct.objective / further.objective - 1.0
        print(
            f"{rows} rows, torque {target + 1}: block updates converged {int(blocks.converged.sum())} of 64 in "
            f"{middle - began:.1f} s; Newton {int(direct.converged.sum())} of 64 in {ended - middle:.2f} s, its objective "
            f"the same {(np.abs(ratio) <= 1e-5).sum()}, lower {(ratio < -1e-5).sum()}, higher {(ratio > 1e-5).sum()}",
            flush=True,
        )


if __name__ == "__main__":
    main()
