"""Columns that hold a value and its deviation in one cell, under a heading that names both: "Cp, mean (SD)"."""

import math
from collections.abc import Sequence

from affinecal_gui.tables.cells.deviations import NOT_USED
from affinecal_gui.tables.cells.numbers import ALL_STYLES, read_number
from affinecal_gui.tables.evidence.column_evidence import Label, Profile
from affinecal_gui.tables.headings.heading_words import STATISTICS
from affinecal_gui.tables.units.property_names import simplified

_LOOKED_AT = 50  # cells
_MOSTLY = 0.5


def holds_both(profile: Profile) -> bool:
    """Whether most cells of a column are a number with another one that says how exact it is."""
    cells = profile.cells[:_LOOKED_AT]
    return bool(cells) and sum(map(_has_deviation, cells)) > _MOSTLY * len(cells)


def names_both(label: Label, labels: Sequence[Label]) -> bool:
    """Whether a heading names a value and its deviation, as "E (MPa) ± SD", and no other column holds that value."""
    value, sign, deviation = label.text.partition("±")
    return bool(
        sign
        and value.strip()
        and STATISTICS.get(simplified(deviation)) == "uncertainty"
        and all(other.name != simplified(value) for other in labels if other is not label)
    )


def of_the_value(label: Label) -> Label:
    """Return a heading without the words that name the deviation."""
    kept = tuple(word for word in label.words if STATISTICS.get(word) != "uncertainty")
    return Label(" ".join(kept), label.unit, kept)


def _has_deviation(cell: str) -> bool:
    readings = (read_number(cell, style) for style in ALL_STYLES)
    return any(
        math.isfinite(reading.uncertainty) or math.isfinite(reading.percent) or NOT_USED in reading.note
        for reading in readings
        if reading.state == "value"
    )
