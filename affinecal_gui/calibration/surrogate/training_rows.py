"""The MD rows that a surrogate learns from: checked once, scaled, and in an order that does not depend on the table's."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from affinecal_gui.calibration.data.array_checks import all_equal, read_only
from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.data.scale import DescriptorScale, learn_scale
from affinecal_gui.calibration.input_errors import CalibrationInputError
from affinecal_gui.calibration.results import FloatArray

FEWEST_ROWS = 30
"""With fewer MD values the error of a predicted one cannot be told from that of their mean."""


@dataclass(frozen=True, slots=True)
class TrainingRows:
    """m MD values with scaled descriptors; the rows stand in an order of their own."""

    f: FloatArray  # (m,) target scale
    Z: FloatArray  # (m, d)
    scale: DescriptorScale
    noise: FloatArray  # (m,) relative noise variance of each value: 1 on average, more where repeats scatter more
    twins: IntArray  # (m,) equal for rows that no descriptor tells apart
    place: IntArray  # (k,) where each given row stands; -1 for rows without MD value or descriptors
    sizes: tuple[int, ...]  # of the blocks of descriptors

    def places_of(self, given: IntArray) -> IntArray:
        """Return the places of given rows and of all their twins; rows that are not among these are passed over."""
        own = self.place[np.asarray(given, dtype=np.int64)]
        own = own[own >= 0]
        return np.flatnonzero(np.isin(self.twins, self.twins[own])) if len(own) else own


def training_rows(
    f: ArrayLike, descriptors: ArrayLike, sizes: Sequence[int], deviation: ArrayLike | None = None
) -> TrainingRows:
    """Check and scale the rows of an MD table.

    Parameters
    ----------
    f
        (k,) MD values, target scale; nan where there is none.
    descriptors
        (k, d) not scaled; nan where there are none.
    sizes
        Number of descriptors of each block.
    deviation
        (k,) standard deviation of each value by its repeats, target scale; nan where it is not known.

    Raises
    ------
    CalibrationInputError
        Fewer than :data:`FEWEST_ROWS` rows can be used, or all their values are equal.
    """
    values, X = np.asarray(f, dtype=np.float64), np.asarray(descriptors, dtype=np.float64)
    usable = np.flatnonzero(np.isfinite(values) & np.isfinite(X).all(axis=1))
    if not len(usable):
        raise CalibrationInputError(
            "MD values cannot be predicted: there is no MD value of this property to learn from. Add an MD table of it."
        )
    if len(usable) < FEWEST_ROWS:
        raise CalibrationInputError(
            f"MD values cannot be predicted: that takes at least {FEWEST_ROWS} MD values to learn from, and there "
            f"{'is' if len(usable) == 1 else 'are'} {len(usable)}. Add rows to the MD table."
        )
    if all_equal(values[usable]):
        raise CalibrationInputError(
            "MD values cannot be predicted: all MD values are equal, so that nothing can be learned from them. Check the "
            "column of MD values."
        )
    X = X + 0.0  # -0.0 and 0.0 are one number
    digests = [hashlib.blake2b(X[row].tobytes(), digest_size=16).digest() for row in usable]
    order = sorted(range(len(usable)), key=lambda one: (digests[one], values[usable[one]]))
    given = usable[order]
    place = np.full(len(values), -1, dtype=np.int64)
    place[given] = np.arange(len(given))
    _, twins = np.unique(np.array([digests[one].hex() for one in order]), return_inverse=True)
    scale = learn_scale(X[given], sizes)
    return TrainingRows(
        read_only(values[given]),
        read_only(scale.apply(X[given])),
        scale,
        read_only(
            _relative_noise(None if deviation is None else np.asarray(deviation, dtype=np.float64)[given], len(given))
        ),
        twins.astype(np.int64),
        place,
        tuple(sizes),
    )


def _relative_noise(deviation: FloatArray | None, m: int) -> FloatArray:
    """Half of the noise is that of all simulations, half follows the scatter of the repeats; unknown counts as the mean."""
    known = np.full(m, np.nan) if deviation is None else deviation**2
    told = np.isfinite(known)
    typical = float(known[told].mean()) if told.any() else 0.0
    if typical <= 0.0:
        return np.ones(m)
    return np.asarray(0.5 + 0.5 * np.where(told, known, typical) / typical)
