"""What one column looks like: its cells in figures, and its heading in words."""

import re
from dataclasses import dataclass

from affinecal_gui.tables.column_roles import Role, ValueKind
from affinecal_gui.tables.heading_words import MD_WORDS, MEASURED_WORDS, NEUTRAL_WORDS, STATISTICS, words_of
from affinecal_gui.tables.properties import Property, own_property, property_by_name, simplified
from affinecal_gui.tables.raw_table import RawTable, TextColumn
from affinecal_gui.tables.units import UnitProblem, conversion, is_unit_text, split_heading, unbracketed
from affinecal_gui.tables.words import is_missing_word, looks_like_repeat_unit, looks_numeric

SAMPLE_CELLS = 500


@dataclass(frozen=True, slots=True)
class Profile:
    """What the cells of one column look like."""

    filled: int
    numeric: float  # shares of the filled cells
    repeat_units: float
    units: float
    distinct: float
    running: bool  # whole numbers that count the rows
    length: float  # mean number of characters
    cells: tuple[str, ...]


def profile_of(column: TextColumn) -> Profile:
    """Count what the first cells of a column, and some of the last, look like."""
    size = len(column)
    cells = column[: min(size, SAMPLE_CELLS)]
    if size > SAMPLE_CELLS:
        cells += column[max(SAMPLE_CELLS, size - 100) :]
    filled = [cell for cell in cells if not is_missing_word(cell)]
    count = max(len(filled), 1)
    counted = list(cells[:SAMPLE_CELLS])
    for _ in range(3):  # lines of totals at the end count no row
        if len(counted) > 3 and not counted[-1].isdigit():
            counted.pop()
    running = len(counted) > 2 and counted[0] in ("0", "1")
    if running:
        start = int(counted[0])
        running = all(cell == str(start + position) for position, cell in enumerate(counted))
    numeric = sum(map(looks_numeric, filled)) / count
    return Profile(
        len(filled),
        numeric,
        sum(map(looks_like_repeat_unit, filled)) / count if numeric < 0.9 else 0.0,
        sum(map(is_unit_text, filled)) / count if numeric < 0.9 else 0.0,
        len(set(filled)) / count,
        running,
        sum(map(len, filled)) / count,
        tuple(filled),
    )


@dataclass(frozen=True, slots=True)
class Label:
    """A heading, divided."""

    text: str  # heading without its unit
    unit: str
    words: tuple[str, ...]

    @property
    def name(self) -> str:
        """The heading without unit in lower-case words."""
        return simplified(self.text)


def label_of(raw: RawTable, number: int) -> Label:
    """Divide the heading of a column into name and unit; the unit may stand in a row below it."""
    heading = re.sub(r" \(\d+\)$", "", raw.headings[number])
    text, unit = split_heading(heading)
    if raw.units and raw.units[number] and not unit:
        below = raw.units[number]
        unit = "" if is_missing_word(below) else unbracketed(below)
    return Label(text, unit, words_of(text))


def statistic_of(label: Label) -> tuple[Role | None, str]:
    """Tell whether a heading names a statistic ("Cp_std"), and of what ("cp"); "" means of the value before it."""
    if label.name in STATISTICS:
        return STATISTICS[label.name], ""
    if property_by_name(label.text) is not None:
        return None, ""
    for position in (-1, 0):
        if len(label.words) > 1 and label.words[position] in STATISTICS:
            rest = label.words[:-1] if position == -1 else label.words[1:]
            return STATISTICS[label.words[position]], " ".join(rest)
    if len(label.words) > 2 and " ".join(label.words[-2:]) in STATISTICS:
        return STATISTICS[" ".join(label.words[-2:])], " ".join(label.words[:-2])
    return None, ""


def quantity_of(label: Label) -> tuple[Property | None, ValueKind | None]:
    """Return the property that a heading names, and whether it says that its values are measured or simulated."""
    whole = property_by_name(label.text)
    if whole is not None:
        return whole, None
    words = list(label.words)
    kind: ValueKind | None = None
    if any(word in MEASURED_WORDS for word in words):
        kind = "measured"
    elif any(word in MD_WORDS for word in words):
        kind = "md"
    left = [word for word in words if word not in MEASURED_WORDS | MD_WORDS | NEUTRAL_WORDS]
    if left and left[0] in ("log", "log10", "ln", "lg"):
        return own_property(label.text, label.unit), kind
    named = property_by_name(" ".join(left))
    if named is None and label.unit:
        named = _property_by_unit(label.unit) if not left else None
    return named, kind


def _property_by_unit(unit: str) -> Property | None:
    """Return the property that a unit alone betrays: J/(g K) is a heat capacity, g/cm³ a density."""
    for name in ("Cp", "density", "thermal_conductivity"):
        candidate = property_by_name(name)
        if candidate is None:
            continue
        try:
            conversion(unit, candidate)
        except UnitProblem:
            continue
        return candidate
    return None
