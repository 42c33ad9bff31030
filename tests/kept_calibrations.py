"""Calibrations of the same data, computed once for all tests of a process: most of them look at what is made of the result.

Tests of the mathematics call :func:`affinecal_gui.calibration.calibrate.calibrate` themselves and always compute; a test of
what happens while a calibration runs takes the fixture ``computing_anew``.
"""

import hashlib
import pickle
from collections.abc import Callable
from typing import Any

from affinecal_gui.calibration.calibrators.registry import calibrator_keys
from affinecal_gui.task import UNWATCHED, Task

_MOST_KEPT = 40

Calibrate = Callable[..., Any]


def keeping(calibrate: Calibrate) -> Calibrate:
    """Return a function that calls this one only for data that it has not seen lately."""
    known: dict[bytes, Any] = {}

    def kept(*data: Any, task: Task = UNWATCHED, **choices: Any) -> Any:
        what = (data, sorted(choices.items()), calibrator_keys())
        key = hashlib.sha256(pickle.dumps(what)).digest()
        if key not in known:
            result = calibrate(*data, task=task, **choices)
            while len(known) >= _MOST_KEPT:
                del known[next(iter(known))]
            known[key] = result
        task.check()
        return known[key]

    return kept
