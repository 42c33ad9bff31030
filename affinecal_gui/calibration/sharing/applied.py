"""What a calibrator without its study says of further polymers."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.results import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Applied:
    """Calibrated values of k polymers, property unit."""

    values: FloatArray  # (k,) nan where there is none
    lower: FloatArray  # (k,)
    upper: FloatArray  # (k,)
    usable: NDArray[np.bool_]  # (k,) MD value and descriptors can be calculated with
    inside: NDArray[np.bool_]  # (k,) within the range of validity
    md_inside: NDArray[np.bool_]  # (k,) of the MD value alone
    structure_inside: NDArray[np.bool_]  # (k,) of the descriptors alone
    stood_in: NDArray[np.bool_]  # (k,) lacks a source of a calibrator of several: the value is that of one source

    @classmethod
    def nothing(cls, count: int) -> Self:
        """Return what is said of polymers that nothing is said of, for :meth:`put`."""
        numbers = [np.full(count, np.nan) for _ in range(3)]
        return cls(*numbers, *(np.zeros(count, dtype=bool) for _ in range(5)))

    def put(self, which: NDArray[np.bool_], own: "Applied") -> None:
        """Put what is said of some polymers in its place."""
        for name in Applied.__slots__:
            getattr(self, name)[which] = getattr(own, name)

    def first(self, count: int) -> Self:
        """Return what is said of the first polymers."""
        return type(self)(*(getattr(self, name)[:count] for name in Applied.__slots__))

    @property
    def withheld(self) -> NDArray[np.bool_]:
        """(k,) where a value would be an extrapolation without meaning."""
        return np.asarray(self.usable & np.isnan(self.values))
