"""The surrogate that goes with a calibrator: it predicts MD values, and tells how far off the calibrated ones are then.

A calibrator is checked with the MD values of polymers that were simulated. With predicted ones it is further off, and by how
much is found in the same way: each training polymer is predicted from the MD values of all others but itself and its twins,
and its held-out value is calibrated from that. The residuals, in units of a spread that grows with the standard deviation of
the predicted MD value,

    spread'² = spread² + (slope · deviation)² / scatter²,

are exchangeable with that of a further polymer that nobody has simulated, so the intervals keep their coverage. Scatter
is the root mean square of the held-out residuals with simulated MD values, each in units of its spread.
"""

from dataclasses import dataclass

import numpy as np

from affinecal_gui.calibration.data.array_checks import read_only
from affinecal_gui.calibration.input_errors import CalibrationInputError
from affinecal_gui.calibration.kept_fit import KeptFit
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.surrogate.leave_out import choose_priors, leave_out, predict_own
from affinecal_gui.calibration.surrogate.surrogate import NOTHING_LEFT_OUT, Surrogate, precision_to_keep, surrogate_from
from affinecal_gui.calibration.surrogate.training_rows import training_rows
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.threads import one_thread_each


@dataclass(frozen=True, slots=True, eq=False)
class SharedSurrogate:
    """A surrogate of the d' descriptors that its calibrator looks at, and the n training polymers as it sees them."""

    surrogate: Surrogate
    predicted: FloatArray  # (n,) target scale: MD values of the training polymers as if nobody had simulated them
    deviation: FloatArray  # (n,) their standard deviations


def surrogate_of_calibration(kept_fit: KeptFit, *, task: Task = UNWATCHED) -> SharedSurrogate | None:
    """Learn to predict the MD values of a calibration; None where there are too few of them, or nothing to learn.

    All MD values of the library count, those of polymers that were not measured as well.
    """
    problem = kept_fit.problem
    if problem.predicted is not None or not problem.X.shape[1]:
        return None
    usable = np.isfinite(problem.library_f) & np.isfinite(problem.library_X).all(axis=1)
    rows = np.column_stack(
        [
            np.concatenate([problem.f, problem.library_f[usable]]),
            np.concatenate([problem.X, problem.library_X[usable]]) + 0.0,
        ]
    )
    different, place = np.unique(rows, axis=0, return_inverse=True)
    own = place.ravel()[: len(problem.f)]
    try:
        known = training_rows(different[:, 0], different[:, 1:], problem.sizes)
    except CalibrationInputError:
        return None
    with one_thread_each(1):
        chosen = choose_priors(known, [NOTHING_LEFT_OUT], task=task)[0]
        precision = precision_to_keep(known, chosen)
        found = leave_out(precision, known.f, NOTHING_LEFT_OUT, chosen)
        guessed = predict_own(precision, found, known.f, [known.places_of(own[[one]]) for one in range(len(own))])
        return SharedSurrogate(
            surrogate_from(known, chosen, precision, found), read_only(guessed.values), read_only(guessed.deviation)
        )
