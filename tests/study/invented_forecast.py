"""A forecast made of invented numbers, and a small study that has it."""

from dataclasses import replace
from typing import Any

import numpy as np

from affinecal_gui.calibration.results import ErrorForecast
from affinecal_gui.study.derived import Derived
from tests.study.small_study import small_result


def invented_forecast(model: str = "affine", **fields: Any) -> ErrorForecast:
    """The error 0.05 + 2 / n with 40 measured polymers, in a band of a factor 1.2 up and down."""
    numbers = np.geomspace(16.0, 400.0, 1200)
    error = 0.05 + 2.0 / numbers
    sizes = np.array([16.0, 20.0, 25.0, 30.0, 36.0])
    made = ErrorForecast(
        model, 40, 0.8, sizes, 0.05 + 2.0 / sizes, 0.05, 1.0, 0.4, 1.6, numbers, error, error / 1.2, error * 1.2
    )
    for array in (made.sizes, made.found, made.numbers, made.error, made.lower, made.upper):
        array.flags.writeable = False
    return replace(made, **fields)


def with_invented_forecast(derived: Derived | None = None, **fields: Any) -> Derived:
    """A calibrated study, by default the small one, with such a forecast."""
    made = small_result() if derived is None else derived
    assert made.snapshot.calibration is not None
    calibration = replace(made.snapshot.calibration, forecast=invented_forecast(**fields))
    return replace(made, snapshot=replace(made.snapshot, calibration=calibration))
