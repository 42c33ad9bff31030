"""How well values can be predicted from few measurements, or none: random draws of a data set, the rest predicted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from affinecal_gui.calibration.calibrators.linear.ordinary import ORDINARY
from affinecal_gui.calibration.calibrators.linear.raw_md import RAW_MD
from affinecal_gui.calibration.calibrators.objectives.ordinary import fit_ordinary
from affinecal_gui.calibration.calibrators.quantum_corrected import QUANTUM_CORRECTED
from affinecal_gui.calibration.metrics import root_mean_square
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.task import UNWATCHED, Task

WITH_OFFSET: Final = "quantum_corrected_with_offset"
"""The corrected value plus the mean difference of the measured ones from it."""

SIZES: Final = (4, 8, 12, 20, 40)
_NOTHING_FITTED: Final = (RAW_MD.key, QUANTUM_CORRECTED.key)


@dataclass(frozen=True, slots=True)
class FewMeasurements:
    """The error of one way to predict, with so many measurements."""

    measurements: int
    model: str  # key of a calibrator, or WITH_OFFSET
    rmse: float  # target scale, of the polymers that were not drawn, mean over the draws
    spread: float  # standard deviation over the draws; nan without any
    draws: int  # 1 where nothing is drawn


def few_measurements(
    measured: FloatArray,
    md: FloatArray,
    corrected: FloatArray,
    *,
    sizes: Sequence[int] = SIZES,
    draws: int = 400,
    seed: int = 0,
    task: Task = UNWATCHED,
) -> list[FewMeasurements]:
    """Predict polymers from random draws of the others.

    Parameters
    ----------
    measured, md, corrected
        (n,) on the target scale.
    sizes
        How many are drawn; those that leave nothing to predict are left out.
    draws
        Of each size.
    seed
        Of the draws.

    Returns
    -------
    list of FewMeasurements
        First without a measurement, then by size.
    """
    given = dict(zip(_NOTHING_FITTED, (md, corrected), strict=True))
    found = [
        FewMeasurements(0, model, root_mean_square(values - measured), float("nan"), 1)
        for model, values in given.items()
    ]
    generator = np.random.default_rng(seed)
    n = len(measured)
    for position, size in enumerate(one for one in sizes if one < n):
        errors: dict[str, list[float]] = {}
        for draw in range(draws):
            task.report((position + draw / draws) / len(sizes), f"{size} measurements, draw {draw + 1} of {draws}")
            chosen = np.zeros(n, dtype=np.bool_)
            chosen[generator.choice(n, size, replace=False)] = True
            line = fit_ordinary(md[chosen], measured[chosen])
            ways = {
                **given,
                WITH_OFFSET: corrected + float(np.mean(measured[chosen] - corrected[chosen])),
                ORDINARY.key: line.predict(md),
            }
            for model, values in ways.items():
                errors.setdefault(model, []).append(root_mean_square((values - measured)[~chosen]))
        found += [
            FewMeasurements(
                size, model, float(np.mean(own)), float(np.std(own, ddof=1)) if draws > 1 else np.nan, draws
            )
            for model, own in errors.items()
        ]
    return found
