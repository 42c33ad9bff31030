"""Fit several methods with kernels to the same training sets, each after those that it builds on."""

from collections.abc import Sequence

import numpy as np

from affinecal_gui.calibration.calibrators.registry import calibrator, kernel_keys
from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.kernels.method_fit import FittedMethod, MethodTask
from affinecal_gui.calibration.kernels.methods import TransferName, TransferOptions
from affinecal_gui.calibration.kernels.training_sets import TransferSets
from affinecal_gui.calibration.names import calibrator_title
from affinecal_gui.task import UNWATCHED, Task


def fit_methods(
    sets: TransferSets,
    folds: IntArray,
    methods: Sequence[TransferName],
    options: TransferOptions,
    *,
    task: Task = UNWATCHED,
) -> dict[TransferName, FittedMethod]:
    """Choose penalties by cross-validation and fit.

    Parameters
    ----------
    sets
        s training sets.
    folds
        (s, n) inner fold of every row.
    methods
        Which; those that they build on are fitted first, whether they are asked for or not.

    Returns
    -------
    In the order of the registry.
    """
    wanted = [name for name in kernel_keys() if name in methods]
    before = {name for wish in wanted for name in calibrator(wish).builds_on}
    needed = [calibrator(name) for name in kernel_keys() if name in wanted or name in before]
    shares = np.cumsum([0.0] + [one.work for one in needed])
    found: dict[TransferName, FittedMethod] = {}
    for position, one in enumerate(needed):
        part = task.part(shares[position] / shares[-1], shares[position + 1] / shares[-1])
        if one.kernels is None:
            raise ValueError(f"{one.key!r} is a linear calibrator")
        title = calibrator_title(one.key, log_scale=True)
        found[one.key] = one.kernels().fit(MethodTask(one.key, title, sets, folds, options, part, found))
    return {name: found[name] for name in wanted}
