"""The paper's comparison of the transfer methods on one table: small training sets, a large evaluation set, repeated.

Minami et al. (NeurIPS 2023), section 5 and supplement: the targets take turns, the others are the source features; inputs,
source features and target are z-scored over each training set; penalties by five contiguous folds of it. The training sets of
a repetition grow: the first 5, 10, ... rows of one shuffle, which all targets share.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.calibrators.registry import kernel_keys
from affinecal_gui.calibration.checking.comparison import welch_p_value
from affinecal_gui.calibration.data.folds import IntArray, contiguous_folds
from affinecal_gui.calibration.kernels.calibrators.affine_tl_const import AFFINE_TL_CONST
from affinecal_gui.calibration.kernels.calibrators.affine_tl_full import AFFINE_TL_FULL
from affinecal_gui.calibration.kernels.calibrators.augmented import AUGMENTED
from affinecal_gui.calibration.kernels.calibrators.direct import DIRECT
from affinecal_gui.calibration.kernels.calibrators.htl_offset import HTL_OFFSET
from affinecal_gui.calibration.kernels.calibrators.htl_scale import HTL_SCALE
from affinecal_gui.calibration.kernels.calibrators.only_source import ONLY_SOURCE
from affinecal_gui.calibration.kernels.fits import AffineTLFits, ScaleFits
from affinecal_gui.calibration.kernels.fitting import fit_methods
from affinecal_gui.calibration.kernels.method_fit import FittedMethod
from affinecal_gui.calibration.kernels.methods import TransferName, TransferOptions
from affinecal_gui.calibration.kernels.tasks import work_through
from affinecal_gui.calibration.kernels.training_sets import TransferSets, make_sets
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.errors import UserError
from affinecal_gui.task import UNWATCHED, Task

PAPER_METHODS: tuple[TransferName, ...] = (
    ONLY_SOURCE.key,
    DIRECT.key,
    AUGMENTED.key,
    HTL_OFFSET.key,
    HTL_SCALE.key,
    AFFINE_TL_CONST.key,
    AFFINE_TL_FULL.key,
)
PAPER_SIZES = (5, 10, 15, 20, 30, 40, 50)
PAPER_REPETITIONS = 20
SPLIT_SEED = 0
"""Of the shuffle that divides the rows into those that training sets are drawn from and those that are predicted."""

Draw = Literal["halves", "published"]
"""Where the training sets come from: from one half of the rows, or where the published program took them from."""

PUBLISHED_POOL = 30_000
"""Rows of the training file, its first ones, from which the published program draws."""

THINNING = 10
"""The published test file holds every tenth row of the training file, in order: its row k stands for row 10 k there."""

SIGNIFICANCE = 0.01
"""Of Welch's t-test against Direct, as in the paper."""

SAME_OPTIMUM = 1e-4
"""Starts whose objectives differ by less than this share found the same optimum."""


@dataclass(frozen=True, slots=True)
class TransferBenchmark:
    """The comparison's result; q targets, k training set sizes, r repetitions."""

    targets: tuple[int, ...]  # (q,) columns of the outputs, from 0
    sizes: tuple[int, ...]  # (k,)
    repetitions: int
    pool_rows: int  # from which training sets are drawn
    evaluation_rows: int
    draw: Draw
    rmse: Mapping[TransferName, FloatArray]  # (q, k, r) unit of the target
    penalties: Mapping[TransferName, FloatArray]  # (q, k, r, number of penalties)
    penalty_names: Mapping[TransferName, tuple[str, ...]]
    converged: NDArray[np.bool_]  # (q, k, r) AffineTL-full
    starts_agree: NDArray[np.bool_]  # (q, k, r) all starts of AffineTL-full ended at the same objective
    first_start_best: NDArray[np.bool_]  # (q, k, r) none of the random starts ended lower than the one from b = 0
    unfinished: int  # fits of the penalty search of AffineTL-full that did not converge
    guarded: int  # training rows whose source prediction HTL-scale would not divide by

    def mean(self, method: TransferName) -> FloatArray:
        """(q, k) mean RMSE over the repetitions."""
        return np.asarray(self.rmse[method].mean(axis=2))

    def sd(self, method: TransferName) -> FloatArray:
        """(q, k) standard deviation (ddof = 1); nan with one repetition."""
        if self.repetitions < 2:
            return np.full(self.rmse[method].shape[:2], np.nan)
        return np.asarray(self.rmse[method].std(axis=2, ddof=1))

    def welch(self, method: TransferName) -> FloatArray:
        """(q, k) p-values of Welch's t-test against Direct; nan where that was not fitted, or for Direct itself."""
        if method == DIRECT.key or DIRECT.key not in self.rmse:
            return np.full(self.rmse[method].shape[:2], np.nan)
        pairs = zip(self.rmse[method], self.rmse[DIRECT.key], strict=True)
        return np.array([[welch_p_value(a, b) for a, b in zip(own, other, strict=True)] for own, other in pairs])


def run_transfer_protocol(
    inputs: FloatArray,
    outputs: FloatArray,
    *,
    methods: Sequence[TransferName] | None = None,
    targets: Sequence[int] | None = None,
    sizes: Sequence[int] = PAPER_SIZES,
    repetitions: int = PAPER_REPETITIONS,
    options: TransferOptions | None = None,
    split_seed: int = SPLIT_SEED,
    draw: Draw = "halves",
    features: Mapping[int, FloatArray] | None = None,
    task: Task = UNWATCHED,
) -> TransferBenchmark:
    """Run the comparison.

    Parameters
    ----------
    inputs
        (N, d) descriptors.
    outputs
        (N, q') of which each target is one, and its source features the others; q' >= 2.
    methods
        Which; None for those of the paper.
    targets
        Columns of ``outputs``, from 0; None for all.
    sizes
        Rows of the training sets.
    repetitions
        Shuffles, with the seeds 0, 1, ...
    options
        Grids and kernels; the paper's by default.
    split_seed
        Of the shuffle that divides the rows into two halves.
    draw
        "halves": training sets come from one half of the rows, the error is that on the other. "published": the rows are
        those that the published program drew from the training file, each replaced by the one of ``inputs`` (then the
        published test file) that is nearest in time; the error is that on all rows, the training rows among them.
    features
        (N, p) source features of each target; None for the other outputs.

    Raises
    ------
    UserError
        Too few rows, or sizes and targets that make no sense.
    Cancelled
        When asked to stop.
    """
    options = TransferOptions() if options is None else options
    options.check()
    targets = tuple(range(outputs.shape[1]) if targets is None else targets)
    sizes = tuple(sizes)
    if outputs.shape[1] < 2 or not targets or not all(0 <= target < outputs.shape[1] for target in targets):
        raise UserError(
            f"The targets must be columns of the {outputs.shape[1]} outputs, of which there are two or more."
        )
    if not sizes or min(sizes) < 2 or repetitions < 1:
        raise UserError("Training sets need at least two rows, and there must be at least one repetition.")
    if draw == "published":
        pool_rows = PUBLISHED_POOL // THINNING + 1
        if len(inputs) < pool_rows:
            raise UserError(
                f"The published draw needs the published test file of 4,449 rows; this table has {len(inputs)}. Draw from "
                f"halves instead."
            )
        shuffles, evaluation = published_draws(repetitions), np.arange(len(inputs))
    else:
        pool_rows = len(inputs) // 2
        shuffles, evaluation = half_draws(len(inputs), repetitions, split_seed)
    sources = {target: np.delete(outputs, target, axis=1) for target in targets} if features is None else features
    if max(sizes) > pool_rows:
        among = f"one half of {len(inputs)} rows" if draw == "halves" else f"{pool_rows} rows"
        raise UserError(
            f"A training set of {max(sizes)} rows cannot be drawn from {among}. Use a longer table or smaller sets."
        )
    shape = (len(targets), len(sizes), repetitions)
    wanted = [name for name in kernel_keys() if name in (PAPER_METHODS if methods is None else methods)]
    rmse = {name: np.empty(shape) for name in wanted}
    penalties: dict[TransferName, FloatArray] = {}
    names: dict[TransferName, tuple[str, ...]] = {}
    converged, agree, first = (np.ones(shape, dtype=bool) for _ in range(3))
    unfinished = guarded = 0
    # The work of a size grows about as the square of its rows.
    share = np.cumsum([0.0, *(float(size) ** 2 + 50.0 for size in sizes)])
    for position, size in enumerate(sizes):
        part = task.part(share[position] / share[-1], share[position + 1] / share[-1])
        rows = [shuffle[:size] for _ in targets for shuffle in shuffles]
        own = [target for target in targets for _ in shuffles]
        sets = make_sets(
            [sources[target][row] for row, target in zip(rows, own, strict=True)],
            [inputs[row] for row in rows],
            [outputs[row, target] for row, target in zip(rows, own, strict=True)],
            options,
        )
        folds = np.tile(contiguous_folds(size, min(options.folds, size)), (len(rows), 1))
        titled = _titled(part.part(0.0, 0.9), f"{size} training rows")
        fitted = fit_methods(sets, folds, wanted, options, task=titled)
        asked = {target: table[evaluation] for target, table in sources.items()}
        errors = _evaluate(
            sets, fitted, own, asked, inputs[evaluation], outputs[evaluation], options, part.part(0.9, 1.0)
        )
        for name, one in fitted.items():
            rmse[name][:, position] = errors[name].reshape(len(targets), repetitions)
            chosen = one.search.penalties
            penalties.setdefault(name, np.empty((*shape, chosen.shape[1])))[:, position] = chosen.reshape(
                len(targets), repetitions, -1
            )
            names[name] = one.search.names
            if name == AFFINE_TL_FULL.key and isinstance(one.fits, AffineTLFits):
                best = one.fits.objectives.min(axis=1)
                unfinished += one.search.unfinished
                converged[:, position] = one.fits.converged.reshape(len(targets), repetitions)
                near = one.fits.objectives <= best[:, None] * (1.0 + SAME_OPTIMUM)
                agree[:, position] = near.all(axis=1).reshape(len(targets), repetitions)
                first[:, position] = near[:, 0].reshape(len(targets), repetitions)
            if isinstance(one.fits, ScaleFits):
                guarded += int(one.fits.guarded.sum())
    return TransferBenchmark(
        targets=targets,
        sizes=sizes,
        repetitions=repetitions,
        pool_rows=pool_rows,
        evaluation_rows=len(evaluation),
        draw=draw,
        rmse=rmse,
        penalties=penalties,
        penalty_names=names,
        converged=converged,
        starts_agree=agree,
        first_start_best=first,
        unfinished=unfinished,
        guarded=guarded,
    )


def half_draws(rows: int, repetitions: int, split_seed: int = SPLIT_SEED) -> tuple[list[IntArray], IntArray]:
    """Return for each repetition the rows of one half in the order in which they are drawn, and the rows of the other."""
    order = np.random.RandomState(split_seed).permutation(rows)
    pool, evaluation = order[: rows // 2], order[rows // 2 :]
    return [pool[np.random.RandomState(seed).permutation(len(pool))] for seed in range(repetitions)], evaluation


def published_draws(repetitions: int) -> list[IntArray]:
    """Return the published program's shuffles of the training file, as row numbers of the test file.

    Repetition r shuffles the numbers below 30,000 by Python's own generator with the seed r; training sets are the first
    rows of it. Row i of the training file is replaced by row i / 10 of the test file, rounded (halves upwards), the row
    that is nearest in time.
    """
    found = []
    for seed in range(repetitions):
        order = list(range(PUBLISHED_POOL))
        random.Random(seed).shuffle(order)
        found.append((np.array(order, dtype=np.int64) + THINNING // 2) // THINNING)
    return found


def _evaluate(
    sets: TransferSets,
    fitted: Mapping[TransferName, FittedMethod],
    own: Sequence[int],
    sources: Mapping[int, FloatArray],
    inputs: FloatArray,
    outputs: FloatArray,
    options: TransferOptions,
    task: Task,
) -> dict[TransferName, FloatArray]:
    """(s,) RMSE of every method on the evaluation rows."""

    def errors(s: int) -> list[float]:
        grams = sets.scalings[s].grams(sources[own[s]], inputs, options)
        measured = outputs[:, own[s]]
        return [float(np.sqrt(np.mean((one.predict(sets, s, grams) - measured) ** 2))) for one in fitted.values()]

    rows = work_through(errors, range(len(own)), sets.y.shape[1], task, "Evaluating")
    return dict(zip(fitted, np.array(rows).T, strict=True))


def _titled(task: Task, title: str) -> Task:
    def report(fraction: float, sentence: str) -> None:
        task.report(fraction, f"{title}: {sentence}")

    return Task(report, task.cancelled)
