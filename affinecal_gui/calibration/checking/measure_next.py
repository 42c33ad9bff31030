"""Which polymer to measure next: the one whose measurement would narrow the intervals of the whole library the most."""

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.results import FloatArray, Suggestion
from affinecal_gui.task import UNWATCHED, Task


def suggest_measurements(
    covariance: FloatArray,
    candidates: NDArray[np.bool_],
    library_index: NDArray[np.int64],
    mean_width: float,
    count: int,
    *,
    task: Task = UNWATCHED,
) -> tuple[Suggestion, ...]:
    """Choose a batch greedily, each polymer in view of those chosen before it.

    Given beta the model is linear, so how much a measurement narrows every interval does not depend on what it will
    find. With C the posterior covariance of the calibrated values in units of the scatter of one measurement, an interval
    is as wide as ``sqrt(1 + C_ii)``, and measuring polymer j changes C to ``C - C_j C_j' / (1 + C_jj)``.

    Parameters
    ----------
    covariance
        (q, q) C of the q polymers considered.
    candidates
        (q,) which of them may be suggested.
    library_index
        (q,) their positions in the library.
    mean_width
        Mean width of the intervals as they are, target scale; the shares by which it shrinks follow from C.
    count
        How many to choose; fewer when there are not as many candidates.
    """
    C = np.array(covariance)
    free = np.array(candidates, dtype=bool)
    total = float(np.sqrt(1.0 + np.diag(C)).mean())
    scale = mean_width / total
    suggestions: list[Suggestion] = []
    while len(suggestions) < count and free.any():
        best, best_total = -1, np.inf
        h = np.diag(C)
        rows = np.flatnonzero(free)
        for start in range(0, len(rows), 256):
            task.check()
            part = rows[start : start + 256]
            after = h - C[part] ** 2 / (1.0 + h[part])[:, None]
            totals = np.sqrt(1.0 + np.maximum(after, 0.0)).mean(axis=1)
            k = int(np.argmin(totals))
            if totals[k] < best_total:
                best, best_total = int(part[k]), float(totals[k])
        suggestions.append(Suggestion(int(library_index[best]), scale * total, scale * best_total))
        C -= np.outer(C[best], C[best]) / (1.0 + C[best, best])
        free[best] = False
        total = best_total
    return tuple(suggestions)
