"""Which polymer to measure next, in words and numbers: what the window lists and files hold."""

from dataclasses import dataclass
from math import exp

import numpy as np

from affinecal_gui.calibration.results import Calibration
from affinecal_gui.numbers import decimal, significant
from affinecal_gui.study.data.row_columns import columns_of
from affinecal_gui.study.snapshot import PolymerRow, Snapshot

_LARGEST_EXPONENT = 600.0


@dataclass(frozen=True, slots=True)
class NextMeasurement:
    """One suggestion. Shrinkages are in per cent of the mean interval width of the library as it is now."""

    rank: int  # 1 for the one to measure first
    row: PolymerRow
    mean_width_before: float  # target scale; with the polymers above it measured, but not this one
    mean_width_after: float
    narrower: float  # % by which this measurement narrows the mean interval
    narrower_in_all: float  # % together with those above it

    @property
    def words(self) -> tuple[str, str]:
        """What the measurement would do, and what it would do together with those above it; for two lines of a cell."""
        first = f"{percent_text(self.narrower)} % narrower"
        return first, f"{percent_text(self.narrower_in_all)} % in all" if self.rank > 1 else ""


def next_measurements(snapshot: Snapshot) -> tuple[NextMeasurement, ...]:
    """Return the suggestions of a snapshot's calibration, the best first; none before the first calibration."""
    calibration = snapshot.calibration
    if calibration is None or not calibration.measure_next:
        return ()
    wanted = [one.library_index for one in calibration.measure_next]
    numbers = np.flatnonzero(np.isin(columns_of(snapshot).library_index, wanted))
    rows = {snapshot.rows[number].library_index: snapshot.rows[number] for number in numbers.tolist()}
    now = calibration.measure_next[0].mean_width_before
    return tuple(
        NextMeasurement(
            rank,
            rows[one.library_index],
            one.mean_width_before,
            one.mean_width_after,
            _share(one.mean_width_before - one.mean_width_after, now),
            _share(now - one.mean_width_after, now),
        )
        for rank, one in enumerate(calibration.measure_next, start=1)
        if one.library_index in rows
    )


def what_the_list_is(snapshot: Snapshot) -> str:
    """Return one sentence that says what the list of suggestions is; "" when there is none."""
    calibration = snapshot.calibration
    if calibration is None or not calibration.measure_next:
        return ""
    return (
        f"The polymers whose measurement would narrow the {100 * calibration.interval_level:g} % intervals of the whole "
        f"library ({calibration.library_md.size} polymers) the most, judged by the affine calibrator: the best one "
        "first, and each further one in view of those above it."
    )


def measurement_sentence(snapshot: Snapshot, found: NextMeasurement) -> str:
    """Return what measuring one of the suggestions would do, as a sentence."""
    calibration = snapshot.calibration
    assert calibration is not None  # there are no suggestions without
    above = ""
    if found.rank > 1:
        count = "the one" if found.rank == 2 else f"the {found.rank - 1}"
        above = f" Together with {count} above it: by {percent_text(found.narrower_in_all)} %."
    return (
        f"Measuring {found.row.label} would narrow the {100 * calibration.interval_level:g} % intervals of the library "
        f"by {percent_text(found.narrower)} % on average, {_widths(snapshot, calibration, found)}.{above}"
    )


def _widths(snapshot: Snapshot, calibration: Calibration, found: NextMeasurement) -> str:
    before, after = found.mean_width_before, found.mean_width_after
    if calibration.log_scale:  # a width of ln y is the logarithm of the ratio of the two ends
        return f"from ±{percent_text(_half(before))} % to ±{percent_text(_half(after))} % of the value"
    unit = snapshot.quantity.unit if snapshot.quantity is not None else ""
    return f"from ±{significant(before / 2)} to ±{significant(after / 2)} {unit}".rstrip()


def _half(width: float) -> float:
    """Return how far, in per cent, the upper end lies above the middle of an interval of this width in ln y."""
    return 100 * (exp(min(width / 2, _LARGEST_EXPONENT)) - 1)


def _share(part: float, whole: float) -> float:
    return 100 * part / whole if whole > 0 else 0.0


def percent_text(value: float) -> str:
    """Return a percentage with two figures, three from ten on; "less than 0.01" where that would be nothing."""
    if 0 < abs(value) < 0.01:
        return "less than 0.01"
    return decimal(value, 1) if abs(value) >= 1 else decimal(value, 2)
