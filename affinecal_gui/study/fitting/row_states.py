"""What becomes of each row of a study in its calibration, and the reason in a sentence."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.magnitudes import LARGEST, within_reach
from affinecal_gui.numbers import shortest, significant
from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.study.snapshot import PolymerRow, RowState, Settings


class RowJudge:
    """Tells what becomes of a row of a study in its calibration, and why.

    Parameters
    ----------
    assembly, settings
        The study.
    values, problems
        (m, d) descriptors of its library, nan where a polymer could not be described, and (m,) why it could not.
    no_source
        Why a polymer of the library cannot be in the fit for want of a further MD property.
    """

    def __init__(
        self,
        assembly: Assembly,
        values: NDArray[np.float64],
        problems: Sequence[str],
        settings: Settings,
        no_source: Mapping[int, str],
    ) -> None:
        self._assembly, self._settings = assembly, settings
        self._problems, self._no_source = problems, no_source
        self._log = settings.log_scale
        self._positive = np.asarray(assembly.library_md > 0 if self._log else np.isfinite(assembly.library_md))
        self._within, self._measured_within = within_reach(assembly.library_md), within_reach(assembly.measured)
        self._has_descriptors = np.asarray(np.isfinite(values).all(axis=1))
        self._described_within = np.asarray((np.abs(values) <= LARGEST).all(axis=1))

    @property
    def usable_library(self) -> NDArray[np.bool_]:
        """(library,) whether the MD value and the descriptors of a polymer can be calculated with."""
        usable = np.asarray(self._positive & self._within & self._described_within)
        usable[sorted(self._assembly.beyond)] = False
        return usable

    def __call__(self, number: int, row: PolymerRow) -> tuple[RowState, str]:
        """Return the state of row ``number``, which is a polymer of the library, and the reason for it."""
        problem = self._problem_of_md(row)
        if problem:
            return "invalid", problem
        if number >= len(self._measured_within):
            if row.library_index in self._assembly.beyond:
                return "invalid", self._assembly.beyond[row.library_index]
            return "predicted", row.reason
        if row.key in self._settings.left_out:
            return "left out", row.reason
        if not self._measured_within[number]:
            return "invalid", _no_value("measured", row.measured)
        if self._log and not row.measured > 0:
            return "invalid", _no_logarithm("measured", row.measured)
        if row.library_index in self._no_source:
            return "invalid", self._no_source[row.library_index]
        return "used", row.reason

    def _problem_of_md(self, row: PolymerRow) -> str:
        """Return why a polymer can be neither fitted nor calibrated; "" where it can."""
        library = row.library_index
        if not self._has_descriptors[library]:
            return self._problems[library]
        if not self._described_within[library]:
            return "One of its descriptors is too large to be one. Correct it."
        if not self._within[library]:
            return _no_value("MD", row.md)
        return "" if self._positive[library] else _no_logarithm("MD", row.md)


def _no_value(kind: str, value: float) -> str:
    return f"The {kind} value {significant(value)} is too {_size(value)} for any property. Correct it."


def _no_logarithm(kind: str, value: float) -> str:
    return f"The {kind} value {shortest(value)} has no logarithm. Correct it, or choose the linear scale."


def _size(value: float) -> str:
    return "large" if abs(value) > 1.0 else "small"
