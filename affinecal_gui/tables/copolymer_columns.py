"""Copolymers in tables: several repeat units and their mole fractions, in one column each or in numbered ones.

Whatever the arrangement, a row becomes one text, as :mod:`affinecal_gui.polymers.composition` reads it:
``*CC*|*CC(*)c1ccccc1|0.7|0.3``. Whether the fractions are sound is seen when that text is read, with a reason like any
other that a repeat unit can have.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from affinecal_gui.polymers.composition_text import SEPARATOR, composition_text, holds_several_units
from affinecal_gui.tables.column_roles import Role, Roles
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.heading_words import HEADINGS
from affinecal_gui.tables.properties import simplified
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.words import fold_digits, is_missing_word, looks_like_repeat_unit

_FRACTION_STEMS = HEADINGS["fraction"] | frozenset(
    (
        *("frac", "molfrac", "mol frac", "mole frac", "mol fraction", "molar ratio", "mole ratio", "mol ratio", "mol"),
        *("feed", "feed ratio", "feed fraction", "x", "f", "share", "amount", "molanteil", "stoffmengenanteil"),
        *("wt", "wt fraction", "weight ratio", "mass fraction", "massenanteil"),
    )
)
_WEIGHT = re.compile(r"(\b|_)(wt|weight|mass|gew\w*|massen\w*)(\b|_)|重量|質量|质量", re.IGNORECASE)
_PERCENT = re.compile(r"\s*(mol|wt|mass|gew)?\.?[\s\-]*%", re.IGNORECASE)
_BRACKETED_PERCENT = re.compile(r"\s*[(\[]\s*((mol|wt|mass|gew)?\.?[\s\-]*%|mol|wt)\s*[)\]]\s*$", re.IGNORECASE)
_BETWEEN_FRACTIONS = re.compile(r"\s*[|/:;]\s*|(?<=\d)\s*-\s*(?=\d)|\s+")
_NUMBER = re.compile(r"[+\-−]?[\d.,]+([eE][+-]?\d+)?%?")
_BETWEEN_UNITS = re.compile(r"\s*[|;,]\s*")
_UNIT_SHARE = 0.6  # of the filled cells of a column of repeat units, at least


def copolymer_roles(headings: Sequence[str], samples: Sequence[Sequence[str]]) -> Mapping[int, Role]:
    """Find numbered columns of repeat units (smiles_1, smiles_2 ...) and of their fractions (fraction_1, fraction_2 ...).

    Parameters
    ----------
    headings
        Of all columns.
    samples
        Some filled cells of each column.

    Returns
    -------
    Mapping
        "smiles" or "fraction", by column; empty unless there are fractions and several units to go with them: a second
        column of repeat units alone is more often another way to write the same polymer.
    """
    series = _series(headings)
    fractions = next((members for stem, members in series.items() if stem in _FRACTION_STEMS), {})
    together = next((i for i, heading in enumerate(headings) if _is_fraction(heading)), None)
    units: Mapping[str, int] = {}
    for members in series.values():
        if len(members) > len(units) and all(_holds_units(samples[number]) for number in members.values()):
            units = members
    if units and set(units) == set(fractions):
        return {**dict.fromkeys(units.values(), "smiles"), **dict.fromkeys(fractions.values(), "fraction")}
    if units and together is not None and not fractions:
        return {**dict.fromkeys(units.values(), "smiles"), together: "fraction"}
    if units or not any(holds_several_units(cell) for cells in samples for cell in cells):
        return {}
    return dict.fromkeys(fractions.values() if together is None else (together,), "fraction")


def _is_fraction(heading: str) -> bool:
    return simplified(_BRACKETED_PERCENT.sub("", heading)) in HEADINGS["fraction"]


def _holds_units(cells: Sequence[str]) -> bool:
    return sum(map(looks_like_repeat_unit, cells)) > _UNIT_SHARE * max(len(cells), 1)


def _series(headings: Sequence[str]) -> dict[str, dict[str, int]]:
    """Group headings that differ in a number or a letter only: by what they have in common, then by that mark."""
    found: dict[str, dict[str, int]] = {}
    for number, heading in enumerate(headings):
        if marked := _stem_and_mark(heading):
            found.setdefault(marked[0], {}).setdefault(marked[1], number)
    return {stem: members for stem, members in found.items() if len(members) > 1}


def _stem_and_mark(heading: str) -> tuple[str, str] | None:
    """Divide "smiles_1", "Monomer B SMILES" or "x1" into what is common and what counts."""
    words = re.findall(r"[^\W\d_]+|\d+|%", heading.casefold())
    marks = [place for place, word in enumerate(words) if word.isdigit() or word in ("a", "b", "c", "d")]
    if len(marks) != 1 or len(words) < 2:
        return None
    mark = words.pop(marks[0])
    return simplified(" ".join(words)), str(int(mark)) if mark.isdecimal() else mark


@dataclass(frozen=True, slots=True)
class PolymerColumns:
    """Which columns of a table say what a polymer consists of."""

    units: tuple[int, ...]
    fractions: tuple[int, ...] = ()
    by_weight: bool = False  # the fractions are of the weight, not of the moles

    def text(self, cells: Sequence[str]) -> str:
        """Return the repeat unit, or the composition, that a row gives."""
        units = [cells[column] for column in self.units]
        fractions = [cells[column] for column in self.fractions]
        if len(units) > 1 and len(units) == len(fractions):
            # Left out is a unit that is not there, and nothing of it.
            pairs = [
                ("" if is_missing_word(unit) else unit, fraction)
                for unit, fraction in zip(units, fractions, strict=True)
            ]
            pairs = [(unit, fraction) for unit, fraction in pairs if unit or not _is_nothing(fraction)]
            units, fractions = [unit for unit, _ in pairs], [fraction for _, fraction in pairs]
        elif len(units) > 1:
            units = [unit for unit in units if not is_missing_word(unit)]
        elif fractions:
            units = _divided(units[0])
            while len(fractions) > len(units) and _is_nothing(fractions[-1]):
                fractions.pop()
        if not any(units):
            return ""
        given = _numbers(fractions, len(units))
        if len(units) == 1:
            # Whatever stands beside a single unit, the polymer consists of it; but two numbers say that one is missing.
            several = len(given) > 1 and all(map(_NUMBER.fullmatch, given))
            return composition_text(units, given) if several else units[0]
        by_weight = self.by_weight or any(map(_WEIGHT.search, fractions))
        return composition_text(units, _moles(units, given) if by_weight else given)


def _moles(units: Sequence[str], weights: list[str]) -> list[str]:
    """Turn fractions of the weight into fractions of the moles; what is not sound stays, to be found when it is read."""
    if len(units) != len(weights):
        return weights
    # Here, because guessing what a table holds does not have to wait for chemistry to be loaded.
    from affinecal_gui.polymers.repeat_unit import InvalidRepeatUnit, parse_repeat_unit
    from affinecal_gui.tables.molar_mass import molar_mass

    try:
        moles = [
            float(weight.removesuffix("%")) / molar_mass(parse_repeat_unit(unit))
            for unit, weight in zip(units, weights, strict=True)
        ]
    except (InvalidRepeatUnit, ValueError, ZeroDivisionError):
        return weights
    total = sum(moles)
    if min(moles) < 0 or not total > 0:
        return weights
    return [f"{amount / total:.8g}" for amount in moles]


def _divided(cell: str) -> list[str]:
    """Divide a cell into the repeat units that it holds; fractions among them stay where they are."""
    if holds_several_units(cell):
        return [piece.strip() for piece in cell.split(SEPARATOR)]
    if cell.count("*") > 2 and re.search(r"[;,]", cell):
        return _BETWEEN_UNITS.split(cell)
    return [cell]


def _numbers(cells: Sequence[str], count: int) -> list[str]:
    """Return the fractions that cells hold, one each or several in one, with decimal points."""
    found: list[str] = []
    for cell in cells:
        text = fold_digits(cell).strip()
        if is_missing_word(text):
            continue
        pieces = [piece for piece in _BETWEEN_FRACTIONS.split(_PERCENT.sub("%", text)) if piece]
        if len(pieces) == 1 and ("." in text or (len(cells) == 1 and text.count(",") == count - 1)):
            pieces = pieces[0].split(",")  # "0.7,0.3", or "70,30" for two units, of which one number would be too few
        found += [piece.strip().replace(",", ".") for piece in pieces]
    return found


def _is_nothing(fraction: str) -> bool:
    text = fold_digits(fraction).strip().removesuffix("%").replace(",", ".")
    try:
        return is_missing_word(text) or float(text) == 0
    except ValueError:
        return False


def polymer_columns(roles: Roles) -> PolymerColumns | None:
    """Return which columns hold the polymers; None when none does."""
    units = roles.all("smiles")
    if not units:
        return None
    fractions = roles.all("fraction")
    if len(units) > 1:
        marks = [(_stem_and_mark(column.heading) or ("", ""))[1] for column in units]
        of_mark = {(_stem_and_mark(column.heading) or ("", ""))[1]: column for column in fractions}
        if len(fractions) == len(units) and set(marks) == set(of_mark):
            fractions = tuple(of_mark[mark] for mark in marks)
    by_weight = any(_WEIGHT.search(f"{column.heading} {column.unit}") for column in fractions)
    return PolymerColumns(
        tuple(column.column for column in units), tuple(column.column for column in fractions), by_weight
    )


def columns_called(
    table: RawTable, roles: Roles, smiles: Sequence[str], fractions: Sequence[str] = ()
) -> PolymerColumns | None:
    """Return the columns that the user names; what is not named is found, but fractions only for the units found.

    Raises
    ------
    TableError
        There is no such column.
    """
    found = polymer_columns(roles)
    units = tuple(_position(table, heading) for heading in smiles) or (found.units if found is not None else ())
    if not units:
        return None
    shares = tuple(_position(table, heading) for heading in fractions)
    if not shares and found is not None and set(found.units) == set(units):
        shares = found.fractions
    return PolymerColumns(units, shares, any(_is_weight(table, number) for number in shares))


def _position(table: RawTable, heading: str) -> int:
    if heading not in table.headings:
        raise TableError(f"{table.name} has no column “{heading}”; it has {', '.join(table.headings[:6])}.")
    return table.headings.index(heading)


def _is_weight(table: RawTable, number: int) -> bool:
    return _WEIGHT.search(f"{table.headings[number]} {table.units[number] if table.units else ''}") is not None


def polymer_texts(raw: RawTable, roles: Roles) -> list[str] | None:
    """Return the repeat unit or composition of every row; None when no column holds any."""
    columns = polymer_columns(roles)
    if columns is None:
        return None
    if len(columns.units) == 1 and not columns.fractions:
        return list(raw.columns[columns.units[0]])
    wanted = (*columns.units, *columns.fractions)
    rows = zip(*(raw.columns[number] for number in wanted), strict=True)
    near = PolymerColumns(
        tuple(range(len(columns.units))), tuple(range(len(columns.units), len(wanted))), columns.by_weight
    )
    return [near.text(cells) for cells in rows]
