"""Calibrations of the same data, computed once for all tests of a process: most of them look at what is made of the result.

Where that does not depend on how finely penalties were searched, and how often polymers were held out, the fixture
``coarse_calibrations`` (of a module, or of one test) lets the whole way be gone with a tenth of the mathematics.

Tests of the mathematics call :func:`affinecal_gui.calibration.calibrate.calibrate` themselves and always compute; a test of
what happens while a calibration runs takes the fixture ``computing_anew``.
"""

import hashlib
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from affinecal_gui.calibration.calibrators.registry import calibrator_keys
from affinecal_gui.calibration.kernels.comparing import compare
from affinecal_gui.calibration.kernels.methods import TransferOptions
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.study.fitting import calibrating
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


def coarsely(calibrate: Calibrate) -> Calibrate:
    """Return a function that calibrates with few penalties to choose among and few polymers held out in turn."""

    def quick(*data: Any, **choices: Any) -> Any:
        *tables, options = data
        assert isinstance(options, CalibrationOptions)
        few = replace(
            options,
            repetitions=2,
            outer_folds=4,
            inner_folds=3,
            lambda_1_grid=(0.1, 1.0, 10.0),
            lambda_2_grid=(1.0, 30.0, 1000.0),
        )
        return calibrate(*tables, few, **choices)

    return quick


def comparing_coarsely(compare: Calibrate) -> Calibrate:
    """Return a function that fits the methods with kernels with few penalties to choose among, from fewer starts."""

    def quick(calibration: Any, methods: Any = None, options: TransferOptions | None = None, **choices: Any) -> Any:
        few = {"ridge": (1e-3, 0.1, 10.0), "l1": (0.01, 1.0), "l2": (1.0,), "l3": (0.1, 1.0), "starts": 2}
        return compare(calibration, methods, replace(options or TransferOptions(), **few), **choices)

    return quick


@contextmanager
def calibrating_coarsely() -> Iterator[None]:
    """Let studies calibrate, and compare methods, as :func:`coarsely` and :func:`comparing_coarsely` do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(calibrating, "calibrate", coarsely(calibrating.calibrate))
        patch.setattr(compare, "compare_calibrators", comparing_coarsely(compare.compare_calibrators))
        yield
