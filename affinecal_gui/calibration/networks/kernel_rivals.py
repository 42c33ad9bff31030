"""Kernel methods on the same features and partitions as the networks: linear algebra instead of training."""

from collections.abc import Sequence
from itertools import product
from time import thread_time

import numpy as np

from affinecal_gui.calibration.data.folds import contiguous_folds
from affinecal_gui.calibration.kernels.calibrators.affine_tl_const import AFFINE_TL_CONST
from affinecal_gui.calibration.kernels.calibrators.affine_tl_full import AFFINE_TL_FULL
from affinecal_gui.calibration.kernels.calibrators.direct import DIRECT
from affinecal_gui.calibration.kernels.calibrators.only_source import ONLY_SOURCE
from affinecal_gui.calibration.kernels.fitting import fit_methods
from affinecal_gui.calibration.kernels.methods import TransferName, TransferOptions
from affinecal_gui.calibration.kernels.training_sets import make_sets
from affinecal_gui.calibration.names import calibrator_title
from affinecal_gui.calibration.networks.conductivity import FOLDS, MethodErrors, Target
from affinecal_gui.calibration.networks.source_networks import Ints
from affinecal_gui.calibration.results import FloatArray, KernelName
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.threads import one_thread_each

RIVALS: tuple[TransferName, ...] = (ONLY_SOURCE.key, AFFINE_TL_CONST.key, AFFINE_TL_FULL.key)
"""Those that look at source features, once for each layer."""


KERNELS: tuple[KernelName, ...] = ("rbf", "linear")
"""Of both source features and descriptors."""

STILL = 0.01
"""Share of the usual variation of a layer's units below which one is not looked at."""


def rival_key(name: TransferName, kernel: KernelName, layer: int = 0) -> str:
    """Name a method, kernel and layer in one word."""
    return f"{name}_{kernel}_{layer}" if layer else f"{name}_{kernel}"


_WORDS: dict[KernelName, str] = {"rbf": "RBF", "linear": "linear"}

RIVAL_TITLES: dict[str, str] = {
    rival_key(name, kernel, layer): f"{calibrator_title(name, log_scale=True)}, {_WORDS[kernel]} kernel"
    + (f", layer {layer}" if layer else "")
    for name in (DIRECT.key, *RIVALS)
    for kernel in KERNELS
    for layer in ((0,) if name == DIRECT.key else (1, 2, 3))
}


def run_rivals(target: Target, sources: int, *, task: Task = UNWATCHED) -> dict[str, MethodErrors]:
    """Fit the kernel methods to every training part, with each source network's features, and predict the test part.

    Standardised over each training part, penalties by the same five folds; the grids are the usual ones of these methods.
    """
    found: dict[str, MethodErrors] = {}
    x = target.x.astype(np.float64)
    wanted = list(product((DIRECT.key, *RIVALS), KERNELS, (1, 2, 3)))
    with one_thread_each(len(x)):
        for number, (name, kernel, layer) in enumerate(wanted):
            options = TransferOptions(kernel_source=kernel, kernel_target=kernel, folds=FOLDS)
            part = task.part(number / len(wanted), (number + 1) / len(wanted))
            if name != DIRECT.key:
                features = [target.features[source, layer].astype(np.float64) for source in range(sources)]
                found[rival_key(name, kernel, layer)] = _run(features, x, target, name, options, part)
            elif layer == 1:
                # It does not look at source features: any will do.
                found[rival_key(name, kernel)] = _run([x[:, :1]], x, target, name, options, part)
    return found


def without_still_units(table: FloatArray, training: Ints) -> FloatArray:
    """Return features (n, width) with zeros in the columns that hardly vary among the training rows.

    Units of a layer share a scale. One that varies by less than :data:`STILL` of what is usual in its layer would become
    any number of standard units for a row in which it does more.
    """
    spread = table[training].std(axis=0)
    usual = float(np.sqrt(np.mean(spread**2)))
    return np.where(spread < STILL * usual, 0.0, table)


def _run(
    features: Sequence[FloatArray],
    x: FloatArray,
    target: Target,
    name: TransferName,
    options: TransferOptions,
    task: Task,
) -> MethodErrors:
    begun = thread_time()
    runs = [
        (without_still_units(table, training), training, held)
        for table in features
        for training, held in target.partitions
    ]
    sets = make_sets(
        [table[training] for table, training, _ in runs],
        [x[training] for _, training, _ in runs],
        [target.log_y[training] for _, training, _ in runs],
        options,
    )
    folds = np.tile(contiguous_folds(sets.y.shape[1], FOLDS), (len(runs), 1))
    fitted = fit_methods(sets, folds, (name,), options, task=task)[name]
    rmse = []
    for s, (table, _, held) in enumerate(runs):
        said = np.exp(fitted.predict(sets, s, sets.scalings[s].grams(table[held], x[held], options)))
        rmse.append(float(np.sqrt(np.mean((said - np.exp(target.log_y[held])) ** 2))))
    shape = len(features), len(target.partitions)
    return MethodErrors(np.array(rmse).reshape(shape), np.zeros(shape, dtype=np.int64), (), thread_time() - begun)
