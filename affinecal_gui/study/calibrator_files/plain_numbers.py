"""Arrays as plain numbers in the members of an archive, and back, without trusting what is read."""

from collections.abc import Mapping

import numpy as np

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.study.calibrator_files.description import numbers_member
from affinecal_gui.study.records.archive import Archive, Member
from affinecal_gui.study.records.stored_errors import DamagedContent

MOST_NUMBERS = 20_000_000
"""Of one array; a training set of 50,000 polymers has fewer."""

_KIND = np.dtype("<f8")


def array_member(name: str, values: FloatArray) -> Member:
    """Return the member that holds an array, row by row."""
    return Member(numbers_member(name), np.ascontiguousarray(values, dtype=_KIND).tobytes())


class StoredArrays:
    """The arrays of an archive, each read with the shape that it must have."""

    def __init__(self, archive: Archive, shapes: Mapping[str, tuple[int, ...]]) -> None:
        self._archive, self._shapes = archive, shapes

    def has(self, name: str) -> bool:
        """Whether there is such an array."""
        return name in self._shapes

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of an array as the file states it."""
        if name not in self._shapes:
            raise DamagedContent(f"{numbers_member(name)} is missing")
        return self._shapes[name]

    def read(self, name: str, shape: tuple[int | None, ...], *, unknown: bool = False) -> FloatArray:
        """Return an array; None in ``shape`` stands for any length, ``unknown`` allows nan.

        Raises
        ------
        DamagedContent
            It is missing, has another shape, or holds what is no finite number.
        """
        where, stated = numbers_member(name), self.shape(name)
        if len(stated) != len(shape) or any(
            wanted is not None and own != wanted for own, wanted in zip(stated, shape, strict=True)
        ):
            raise DamagedContent(f"{where} is not of the size that the other parts ask for")
        count = 1
        for length in stated:
            if length < 0 or length > MOST_NUMBERS:
                raise DamagedContent(f"{where} is too large")
            count *= length
        if count > MOST_NUMBERS:
            raise DamagedContent(f"{where} is too large")
        content = self._archive.read(where, count * _KIND.itemsize)
        if len(content) != count * _KIND.itemsize:
            raise DamagedContent(f"{where} is shorter than it says")
        values = np.frombuffer(content, dtype=_KIND).astype(np.float64).reshape(stated)
        if not np.isfinite(values[~np.isnan(values)] if unknown else values).all():
            raise DamagedContent(f"{where} holds what is no number")
        values.setflags(write=False)
        return values

    def whole_numbers(
        self, name: str, shape: tuple[int | None, ...], most: int
    ) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        """Return an array of whole numbers from 0 to ``most``; raise as :meth:`read`."""
        values = self.read(name, shape)
        whole = values.astype(np.int64)
        if values.size and ((whole != values).any() or values.min() < 0 or values.max() > most):
            raise DamagedContent(f"{numbers_member(name)} holds a number that is not between 0 and {most}")
        return whole
