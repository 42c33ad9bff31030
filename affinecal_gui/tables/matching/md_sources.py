"""MD values from several sources: another group, another force field. They are compared, and brought to one level.

A source may lie above another one throughout. On the polymers that both have simulated, their mean difference is worked
out, shrunk towards none by its own noise, and taken away where that brings values of polymers that it was not worked out
from nearer to each other. Nothing is taken away unseen: each source is told with its difference.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy.special import stdtrit

from affinecal_gui.numbers import shortest
from affinecal_gui.polymers.copolymers.composition import identity_of
from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit
from affinecal_gui.tables.headings.heading_words import HEADINGS
from affinecal_gui.tables.headings.stated_pressures import ATMOSPHERE
from affinecal_gui.tables.matching.conditions import ROOM_TEMPERATURE, SAME_TEMPERATURE, USUAL_TOLERANCE
from affinecal_gui.tables.matching.tacticities import ATACTIC, tacticities_of
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.units.property_names import simplified
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.value_columns import FloatArray, ValueColumns, column_of, possible
from affinecal_gui.tables.values.value_conditions import pressures_of_rows, temperatures_of_rows
from affinecal_gui.tables.words import is_missing_word
from affinecal_gui.task import UNWATCHED, Task

TABLE_COLUMN = "MD table"
"""Heading under which rows of several tables that count as one say from which table they are."""

UNNAMED = "an unnamed source"
"""What rows are from that name no source where others do."""

_FORCE_FIELDS = frozenset(
    map(
        simplified,
        (
            *("forcefield", "force field", "ff", "Kraftfeld", "champ de force", "champ de forces", "campo de fuerza"),
            *("campo de fuerzas", "campo de força", "campo di forze", "силовое поле", "力場", "力场", "역장"),
        ),
    )
)
_SOURCES = HEADINGS["source"] | frozenset(
    map(
        simplified,
        (
            *("group", "method", "code", "program", "engine", "software", "MD engine", "MD code", "MD software"),
            *("simulation code", "data set", "dataset", "lab", "laboratory", "protocol", "fuente", "fonte", "источник"),
            *(
                "Gruppe",
                "Methode",
                "Programm",
                "Labor",
                "groupe",
                "méthode",
                "logiciel",
                "laboratoire",
                "grupo",
                "método",
            ),
            *(
                "группа",
                "метод",
                "программа",
                "лаборатория",
                "グループ",
                "手法",
                "方法",
                "ソフト",
                "ソフトウェア",
                "软件",
                "组",
            ),
        ),
    )
)
MOST_SOURCES = 8
"""Different texts of a column up to which it names sources, rather than references of single values."""

LEAST_COMMON = 4
"""Polymers that two sources must both have for their difference to be worked out."""

IDENTIFIED = 5_000
"""Different repeat units up to which ways to write one polymer are told; of more, equal texts are compared."""

CONFIDENCE = 0.95

_Held = tuple[float, float]  # at how many kelvin, and the value
_Polymers = dict[str, list[_Held]]

FARTHEST = 0.4
"""Difference, of logarithms or of the middle value, from which on two sources hardly speak of one quantity in one unit."""


@dataclass(frozen=True, slots=True)
class SourceOffset:
    """How the values of one source lie to those of another, on the polymers that both have."""

    source: str
    reference: str
    rows: int  # of the source, with a value
    common: int  # polymers
    difference: float = math.nan  # mean; of natural logarithms where ``log``, else in the canonical unit
    error: float = math.nan  # standard error of that mean
    log: bool = False
    removed: float = 0.0  # of the difference, after shrinking; 0 where it is left
    scatter: float = math.nan  # root mean square of differences of polymers as they come
    scatter_held_out: float = math.nan  # the same of each polymer without what the others say of the sources
    is_too_far: bool = False  # the two are hardly of one quantity in one unit

    @property
    def disagrees(self) -> bool:
        """Whether the sources differ by more than their noise."""
        if self.common < LEAST_COMMON or not self.error >= 0:
            return False
        return abs(self.difference) > float(stdtrit(self.common - 1, 0.5 + CONFIDENCE / 2)) * self.error

    def told(self, quantity: Property) -> str:
        """Say it in a sentence or two."""
        if self.common < LEAST_COMMON:
            return (
                f"MD values from {self.source} and from {self.reference} cannot be compared: {_polymers(self.common)} "
                "in both under the same conditions. They are used side by side as they come."
            )
        side = "above" if self.difference > 0 else "below"
        size = f"{self._amount(abs(self.difference), quantity)} (± {self._amount(self.error, quantity)})"
        verdict = "beyond their noise" if self.disagrees else "which is within their noise"
        sentence = (
            f"MD values from {self.source} lie {size} {side} those from {self.reference} on {self.common} polymers that both "
            f"have, {verdict}."
        )
        if self.is_too_far:
            return f"{sentence} Are both of the same quantity, in the same unit? They are put together as they come."
        if self.removed:
            amount = self._amount(abs(self.removed), quantity)
            return f"{sentence} {amount} are taken away before the values are put together."
        return f"{sentence} They are put together as they come."

    def _amount(self, size: float, quantity: Property) -> str:
        if self.log:
            return f"{100 * math.expm1(size):.2g} %"
        return f"{shortest(size, 3)} {quantity.unit}".strip()


def sources_of(table: PolymerTable) -> tuple[str, ...]:
    """Return from which source each row of a table of MD values is; () where there is only one."""
    if any(kind == "measured" for kind, _ in table.values):
        return ()  # such a column speaks of the measured values
    wanted = []
    for heading, cells in table.details.items():
        name = simplified(heading)
        is_one = heading == TABLE_COLUMN or name in _FORCE_FIELDS
        if not is_one and name not in _SOURCES:
            continue
        cells = _named_alike(cells)
        texts = Counter(filter(None, cells))
        few = name in _SOURCES and len(texts) <= MOST_SOURCES and texts.total() >= LEAST_COMMON * len(texts)
        if len(texts) > 1 and (is_one or few):
            wanted.append(cells)
    if not wanted:
        return ()
    return tuple(", ".join(filter(None, parts)) or UNNAMED for parts in zip(*wanted, strict=True))


def _named_alike(cells: Sequence[str]) -> tuple[str, ...]:
    """Return the names of sources, as each was written first; "" where none is named."""
    first: dict[str, str] = {}
    names = {
        cell: "" if is_missing_word(cell) else first.setdefault(" ".join(cell.split()).casefold(), cell.strip())
        for cell in dict.fromkeys(cells)
    }
    return tuple(names[cell] for cell in cells)


def compare_sources(
    table: PolymerTable, quantity: Property, *, shift: bool = True, task: Task = UNWATCHED
) -> tuple[SourceOffset, ...]:
    """Compare every source with the one that has most polymers.

    Parameters
    ----------
    table
        MD values, from several sources by :func:`sources_of`.
    quantity
        The property.
    shift
        Whether differences are to be removed where that helps; else they are only told.
    """
    sources = sources_of(table)
    if not sources:
        return ()
    values = column_of(table.values, ("md", quantity.key), task).values
    known = values[np.isfinite(values)]
    log = quantity.log_by_default and bool((known > 0).all())
    kelvin = possible(temperatures_of_rows(table, "md", quantity.key))
    kelvin = np.where(np.isfinite(kelvin), kelvin, ROOM_TEMPERATURE)
    by_source: dict[str, _Polymers] = {}
    for row, key in enumerate(task.each(_polymer_keys(table, quantity, task))):
        if key and np.isfinite(values[row]):
            value = math.log(values[row]) if log else float(values[row])
            by_source.setdefault(sources[row], {}).setdefault(key, []).append((float(kelvin[row]), value))
    if len(by_source) < 2:
        return ()
    counts = Counter(source for row, source in enumerate(sources) if np.isfinite(values[row]))
    reference = max(by_source, key=lambda source: len(by_source[source]))
    return tuple(
        _offset(source, reference, counts[source], by_source, log=log, shift=shift)
        for source in by_source
        if source != reference
    )


def _offset(
    source: str, reference: str, rows: int, by_source: Mapping[str, _Polymers], *, log: bool, shift: bool
) -> SourceOffset:
    own, others = by_source[source], by_source[reference]
    pairs = [pair for key in sorted(own.keys() & others.keys()) if (pair := _at_one_temperature(own[key], others[key]))]
    if len(pairs) < LEAST_COMMON:
        return SourceOffset(source, reference, rows, len(pairs), log=log)
    apart = np.array([one - other for one, other in pairs])
    difference, error = _mean(apart)
    # What is taken away from a polymer is worked out from the others alone: else it would always seem to help.
    held_out = [one - _shrunk(*_mean(np.delete(apart, place))) for place, one in enumerate(apart.tolist())]
    scatter, scatter_held_out = (float(np.sqrt(np.mean(np.square(of)))) for of in (apart, held_out))
    is_too_far = abs(difference) > FARTHEST * (1.0 if log else abs(float(np.median([other for _, other in pairs]))))
    helps = shift and scatter_held_out < scatter and not is_too_far
    removed = _shrunk(difference, error) if helps else 0.0
    numbers = (difference, error, log, removed, scatter, scatter_held_out)
    return SourceOffset(source, reference, rows, len(pairs), *numbers, is_too_far)


def _at_one_temperature(own: Sequence[_Held], others: Sequence[_Held]) -> tuple[float, float] | None:
    """Return the means of two sources where they hold nearest to each other; None where that is too far away."""
    apart, at, where = min((abs(at - where), at, where) for at, _ in own for where, _ in others)
    if apart > USUAL_TOLERANCE:
        return None
    near = (
        [value for kelvin, value in of if abs(kelvin - on) <= SAME_TEMPERATURE]
        for of, on in ((own, at), (others, where))
    )
    one, other = map(float, map(np.mean, near))
    return one, other


def _mean(values: FloatArray) -> tuple[float, float]:
    """Return a mean and its standard error."""
    return float(values.mean()), float(values.std(ddof=1) / math.sqrt(len(values)))


def _shrunk(mean: float, error: float) -> float:
    """Shrink a mean towards 0 by its noise: the positive part of James and Stein's estimate."""
    return mean * max(0.0, 1.0 - (error / mean) ** 2) if mean else 0.0


def brought_to_one_level(
    table: PolymerTable, quantity: Property, offsets: Sequence[SourceOffset], *, task: Task = UNWATCHED
) -> PolymerTable:
    """Return the table with the differences of its sources taken away that are to be."""
    removed = {one.source: one.removed for one in offsets if one.removed}
    if not removed:
        return table
    key = ("md", quantity.key)
    column = column_of(table.values, key, task)  # type: ignore[arg-type]
    shift = np.array([removed.get(source, 0.0) for source in sources_of(table)])
    log = offsets[0].log

    def moved(values: FloatArray | None) -> FloatArray | None:
        if values is None:
            return None
        array = np.asarray(values * np.exp(-shift) if log else values - shift)
        array.setflags(write=False)
        return array

    values = moved(column.values)
    assert values is not None
    changed = replace(column, values=values, lowest=moved(column.lowest), highest=moved(column.highest))
    others = {one: partial(column_of, table.values, one) for one in table.values if one != key}
    return replace(table, values=ValueColumns(tuple(table.values), {key: changed}, others))  # type: ignore[dict-item]


def _polymer_keys(table: PolymerTable, quantity: Property, task: Task) -> list[str]:
    """Return what polymer each row is of, at which pressure and of which tacticity; "" where it cannot be told."""
    texts = set(table.smiles)
    by_text: dict[str, str] = {}
    for text in task.each(texts, 20):
        by_text[text] = text
        if text and len(texts) <= IDENTIFIED:
            try:
                by_text[text] = identity_of(text).stereo_key
            except InvalidRepeatUnit:
                by_text[text] = ""
    stated = pressures_of_rows(table, "md", quantity.key)
    pressures = np.where(np.isfinite(stated), stated, ATMOSPHERE).round(1).tolist()
    tacticities = tacticities_of(table) or ("",) * len(table)
    return [
        f"{by_text[text]} {pressure} {tacticity or ATACTIC}" if by_text[text] else ""
        for text, pressure, tacticity in zip(table.smiles, pressures, tacticities, strict=True)
    ]


def _polymers(count: int) -> str:
    return "no polymer is" if count == 0 else "1 polymer is" if count == 1 else f"only {count} polymers are"
