"""Weights by which values that lie far from a fit count less: those of Student's t distribution instead of the normal one.

With residuals r of base weights w and a scale s, a value counts ``u = (nu + 1) / (nu + w r^2 / s^2)`` times as much. Fitting
with these weights and taking them from the residuals anew, in turn, leads to the maximum of the likelihood of Student's t
with nu degrees of freedom (Lange, Little and Taylor, Journal of the American Statistical Association 84, 1989, 881-896), here
with the penalties of the fit. A value at one scale counts as it did, one far away counts next to nothing.

The residuals are those of the affine calibrator, which allows for a line and for the structure of the polymers; the same
weights then serve all calibrators, so that they learn from the same data.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from affinecal_gui.calibration.calibrators.fitted import fit_parts
from affinecal_gui.calibration.calibrators.linear.affine import AFFINE
from affinecal_gui.calibration.calibrators.training import TrainingPart
from affinecal_gui.calibration.results import FloatArray, Penalties
from affinecal_gui.task import UNWATCHED, Task

FREEDOM: Final = 8.0
"""nu: where residuals are normal, the variance of a fitted mean is 4.5 % above the least one (with 5 it would be 9 %)."""

MOST_ROUNDS: Final = 30
SETTLED: Final = 1e-3
"""Weights that change by no more than this have settled; they lie between 0 and 1.125."""

ROUNDING: Final = 1e-9
"""Scales below this share of the values are rounding: nothing is far from a fit that is exact."""


def robust_weights(
    parts: Sequence[TrainingPart],
    penalties: Sequence[Penalties | None],
    *,
    settled: float = SETTLED,
    task: Task = UNWATCHED,
) -> list[FloatArray]:
    """Return for each training part (n,) how many times as much as before each of its values counts, 0 to 1.125.

    Parameters
    ----------
    parts
        With the weights that their measured values have anyway.
    penalties
        Of the affine calibrator, part by part; they stay as they are.
    settled
        Largest change of a weight at which the search ends.
    """
    found = [np.ones(len(part.y)) for part in parts]
    open_ones = list(range(len(parts)))
    for _ in range(MOST_ROUNDS):
        task.check()
        weighed = [replace(parts[k], weights=parts[k].weights * found[k]) for k in open_ones]
        fits = fit_parts(AFFINE.key, weighed, [penalties[k] for k in open_ones], task=task)
        still = []
        for k, fit in zip(open_ones, fits, strict=True):
            part = parts[k]
            before, found[k] = found[k], student_weights(fit.predict(part.f, part.Z) - part.y, part.weights, found[k])
            if float(np.abs(found[k] - before).max()) > settled:
                still.append(k)
        open_ones = still
        if not open_ones:
            break
    return found


def student_weights(residuals: FloatArray, weights: FloatArray, before: FloatArray) -> FloatArray:
    """Return (n,) weights of residuals with base ``weights``, with the scale that the weights ``before`` lead to.

    Residuals of nothing but rounding count as they did.
    """
    squared = weights * residuals**2
    scale = float(np.mean(before * squared))
    if not scale > (ROUNDING * float(np.abs(residuals).max(initial=0.0))) ** 2:
        return np.ones(len(residuals))
    return np.asarray((FREEDOM + 1.0) / (FREEDOM + squared / scale))
