"""What is known of every polymer beside its prediction: by what residuals are drawn, and points are coloured.

A trait is named by a key that stays the same from one study to the next: ``measured``, ``md``, ``column:source``,
``descriptor:mass_C``. Only the rows that are drawn are looked at.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.study.shown.row_values import md_origins, origin_text, shown_values
from affinecal_gui.study.snapshot import PolymerRow, Snapshot
from affinecal_gui.study.words.coefficient_words import coefficient_place

MEASURED = "measured"
CLASS = "class"
MD_ORIGIN = "md_origin"
NO_TRAIT = ""
"""Key of no trait: points have the colour of their calibrator."""
COLUMNS = "Columns of the tables"
DESCRIPTORS = "Descriptors"
LOOKED_AT = 500  # rows

Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Trait:
    """One thing known of polymers; one of which it is not known has nan, or an empty text."""

    key: str
    title: str
    unit: str = ""
    menu: tuple[str, ...] = ()  # the titles of the menus in which it stands
    is_number: bool = True

    @property
    def words(self) -> str:
        """Title and unit, for an axis."""
        return f"{self.title}, {self.unit}" if self.unit else self.title


def traits_of(snapshot: Snapshot, rows: Rows) -> tuple[Trait, ...]:
    """Return what is known of some rows, and differs between them.

    Parameters
    ----------
    rows
        (k,) positions among the rows of the snapshot; the first :data:`LOOKED_AT` of them say which columns there are.
    """
    quantity = snapshot.quantity
    unit = quantity.unit if quantity is not None else ""
    shown = [snapshot.rows[row] for row in rows[:LOOKED_AT].tolist()]
    found = [Trait(MEASURED, "Measured value", unit), Trait("md", "MD value", unit)]
    for key, title, value in _TEMPERATURES:
        if len({value(row) for row in shown if math.isfinite(value(row))}) > 1:
            found.append(Trait(key, title, "K"))
    if len({row.polymer_class for row in shown}) > 1:
        found.append(Trait(CLASS, "Polymer class", is_number=False))
    if snapshot.predicted_md is not None and len(set(_origins(snapshot, rows))) > 1:  # else all have the same
        found.append(Trait(MD_ORIGIN, "MD value from", is_number=False))
    found += _columns(shown)
    if snapshot.blocks is not None and snapshot.descriptors is not None:
        for block in snapshot.blocks.blocks:
            found += [
                Trait(f"descriptor:{column}", coefficient_place(block, position), "", (DESCRIPTORS, block.title))
                for position, column in enumerate(block.columns)
            ]
    return tuple(found)


def trait_of(snapshot: Snapshot, rows: Rows, key: str) -> Trait | None:
    """Return the trait of this key; None where nothing of these rows has it."""
    if key in (MEASURED, "md"):  # which there always are
        rows = rows[:0]
    return next((trait for trait in traits_of(snapshot, rows) if trait.key == key), None)


def _columns(rows: Sequence[PolymerRow]) -> list[Trait]:
    cells: dict[str, list[str]] = {}
    for row in rows:
        for heading, text in row.details:
            cells.setdefault(heading, []).append(text)
    return [
        Trait(f"column:{heading}", heading, "", (COLUMNS,), all(math.isfinite(_number(text)) for text in texts))
        for heading, texts in cells.items()
        if len(set(texts)) > 1 or len(texts) < len(rows)
    ]


def numbers_of(snapshot: Snapshot, rows: Rows, key: str) -> FloatArray:
    """(k,) a trait that is a number, in its unit; nan where it is not known."""
    if key.startswith("descriptor:"):
        return _descriptor(snapshot, rows, key.partition(":")[2])
    if key.startswith("column:"):
        return np.array([_number(text) for text in texts_of(snapshot, rows, key)], dtype=np.float64)
    read = _NUMBERS[key]
    return np.array([read(snapshot.rows[row]) for row in rows.tolist()], dtype=np.float64)


def texts_of(snapshot: Snapshot, rows: Rows, key: str) -> tuple[str, ...]:
    """Return a trait that is a text, of k rows; empty where it is not known."""
    if key == CLASS:
        return tuple(snapshot.rows[row].polymer_class for row in rows.tolist())
    if key == MD_ORIGIN:
        return _origins(snapshot, rows)
    heading = key.partition(":")[2]
    return tuple(
        next((text for head, text in snapshot.rows[row].details if head == heading), "") for row in rows.tolist()
    )


def _origins(snapshot: Snapshot, rows: Rows) -> tuple[str, ...]:
    """Return what MD values the calibrated ones of k rows come from; empty without a value."""
    origins = md_origins(snapshot, shown_values(snapshot))
    return tuple(origin_text(number) for number in origins[rows].tolist())


def _descriptor(snapshot: Snapshot, rows: Rows, column: str) -> FloatArray:
    found = np.full(rows.size, np.nan)
    blocks, descriptors = snapshot.blocks, snapshot.descriptors
    if blocks is None or descriptors is None or column not in blocks.columns:
        return found
    library = np.array([snapshot.rows[row].library_index for row in rows.tolist()], dtype=np.intp)
    known = (library >= 0) & (library < len(descriptors))
    found[known] = descriptors[library[known], blocks.columns.index(column)]
    return found


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


_TEMPERATURES: tuple[tuple[str, str, Callable[[PolymerRow], float]], ...] = (
    ("measured_temperature", "Temperature of the measurement", lambda row: row.measured_temperature),
    ("md_temperature", "Temperature of the simulation", lambda row: row.md_temperature),
)
_NUMBERS: dict[str, Callable[[PolymerRow], float]] = {
    MEASURED: lambda row: row.measured,
    "md": lambda row: row.md,
    **{key: read for key, _, read in _TEMPERATURES},
}
