"""What every solver asks of its arrays before it starts: one clear error instead of a silent NaN."""

import numpy as np
from numpy.typing import ArrayLike

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.errors import UserError


def finite_array(values: ArrayLike, name: str, dimensions: int) -> FloatArray:
    """``values`` as a float64 array with ``dimensions`` axes and only finite entries.

    Parameters
    ----------
    values : array_like
        The numbers to check.
    name : str
        What they are, in words; the error message starts with it.
    dimensions : int
        1 for a vector with one entry per polymer, 2 for a table polymers x descriptors.

    Raises
    ------
    UserError
        When an entry is missing, infinite or not a number; the message names the row (counted from 1).
    ValueError
        When the number of axes is wrong, which is a fault of the calling program.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != dimensions:
        raise ValueError(f"{name}: expected {dimensions} axes, got {array.ndim}")
    if not np.isfinite(array).all():
        row = int(np.argwhere(~np.isfinite(array))[0][0]) + 1
        raise UserError(
            f"{name}: row {row} is missing or not a finite number. Leave this row out or correct its value."
        )
    return array


def same_length(n: int, **arrays: FloatArray) -> None:
    """Demand that every array has ``n`` entries along its first axis (a fault of the calling program otherwise)."""
    for name, array in arrays.items():
        if array.shape[0] != n:
            raise ValueError(f"{name} has {array.shape[0]} rows where {n} are expected")


def checked_weights(weights: ArrayLike | None, n: int) -> FloatArray:
    """(n,) weights of the polymers: ones when None; finite, not negative, and not all zero.

    Raises
    ------
    UserError
        When a weight is negative or not finite, or when no weight is positive.
    """
    if weights is None:
        return np.ones(n)
    array = finite_array(weights, "Weights", 1)
    same_length(n, weights=array)
    if (array < 0).any():
        raise UserError(f"Weights: row {int(np.argmax(array < 0)) + 1} is negative. A weight must be zero or positive.")
    if not (array > 0).any():
        raise UserError("Weights: all are zero. At least one polymer needs a positive weight.")
    return array


def positive_number(value: float, name: str) -> float:
    """``value`` as a float, finite and above zero.

    Raises
    ------
    UserError
        When it is not.
    """
    number = float(value)
    if not (np.isfinite(number) and number > 0):
        raise UserError(f"{name} must be a positive number, not {value}.")
    return number


def read_only(array: FloatArray) -> FloatArray:
    """Lock the array against changes, as frozen results promise, and return it."""
    array.setflags(write=False)
    return array


EQUAL = 1e-9
"""Values that differ by no more than this share of the largest are equal; conversions of units leave less."""


def all_equal(values: FloatArray) -> bool:
    """Whether values differ by no more than rounding, so that they tell nothing apart."""
    return bool(values.size) and bool(np.ptp(values) <= EQUAL * np.abs(values).max())
