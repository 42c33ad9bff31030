"""The y axis that all blocks of coefficients share: its range, the power of ten of its labels, and its title."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.words.coefficient_words import BlockCoefficients, above_zero
from affinecal_gui.ui.parts.number_text import number_text

LONGEST_BAND = 0.1  # beyond the longest bar, as a share of it; what is longer leaves the panel
FAINT_BAND = 0.45  # opacity of bands that leave the panels, and would be all of their ground


@dataclass(frozen=True, slots=True)
class CoefficientScale:
    """What is shown of the y axis at first."""

    y_range: tuple[float, float] = (-1.0, 1.0)  # of coefficients times ``factor``
    exponent: int = 0
    cuts_bands: bool = False  # whether bands reach beyond

    @property
    def band_opacity(self) -> float:
        """Of the colour of the bands."""
        return FAINT_BAND if self.cuts_bands else 1.0

    @property
    def factor(self) -> float:
        """By what the coefficients are multiplied, so that the labels stay short."""
        return float(10.0**self.exponent)


def scale_of(parts: Sequence[BlockCoefficients]) -> CoefficientScale:
    """Return the axis of these blocks: the bars decide on the range, wide bands would flatten them."""
    gamma = np.concatenate([part.gamma for part in parts] or [np.zeros(1)])
    lower = np.concatenate([part.lower for part in parts] or [np.zeros(1)])
    upper = np.concatenate([part.upper for part in parts] or [np.zeros(1)])
    finite = gamma[np.isfinite(gamma)]
    largest = float(np.max(np.abs(finite), initial=0.0))
    if largest == 0.0:
        return CoefficientScale()
    exponent = _short_exponent(largest)
    reach = LONGEST_BAND * largest
    lowest = float(np.nanmin(np.append(lower, finite.min())))
    highest = float(np.nanmax(np.append(upper, finite.max())))
    low, high = min(float(finite.min()) - reach, 0.0), max(float(finite.max()) + reach, 0.0)
    low, high = max(low, min(lowest, 0.0)), min(high, max(highest, 0.0))
    margin = 0.05 * (high - low)
    factor = 10.0**exponent
    y_range = (factor * (low - margin), factor * (high + margin))
    return CoefficientScale(y_range, exponent, lowest < low - margin or highest > high + margin)


def axis_wordings(snapshot: Snapshot, parts: Sequence[BlockCoefficients], exponent: int) -> tuple[str, ...]:
    """Return the title of the axis, the longest wording first."""
    quantity, calibration = snapshot.quantity, snapshot.calibration
    assert calibration is not None
    symbol = quantity.symbol_html if quantity is not None else "value"
    unit = f", {quantity.unit}," if quantity is not None and quantity.unit and not calibration.log_scale else ""
    scale = f"ln {symbol}" if calibration.log_scale else f"{symbol}{unit}"
    times = "" if exponent == 0 else f" × {10**exponent}" if 0 < exponent <= 3 else ""
    if exponent not in (0, 3):
        times = f" × 10<sup>{number_text(exponent)}</sup>"
    if parts[0].average:
        return (
            f"Average effect{times} on {scale} per standard unit",
            f"Average effect{times}, {scale} per s.d.",
            f"Effect{times}, {scale} per s.d.",
            f"Effect{times}",
        )
    effect = above_zero(parts)
    return (
        f"Coefficient γ{times} in {scale} per standard unit; above zero {effect} {symbol}",
        f"Coefficient γ{times}, {scale} per s.d.; above zero {effect} {symbol}",
        f"Coefficient γ{times}, {scale} per s.d.",
        f"γ{times}",
    )


def _short_exponent(largest: float) -> int:
    """Return the multiple of three so that ``largest * 10**exponent`` lies between 0.1 and 100; its labels are short."""
    if largest == 0.0 or 0.1 <= largest < 1e4:
        return 0
    return -3 * math.floor((math.log10(largest) + 1.0) / 3.0)
