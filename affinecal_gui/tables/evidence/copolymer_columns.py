"""Copolymers in tables: several repeat units and their mole fractions, in one column each or in numbered ones.

Whatever the arrangement, a row becomes one text, as :mod:`affinecal_gui.polymers.copolymers.composition` reads it:
``*CC*|*CC(*)c1ccccc1|0.7|0.3``. Whether the fractions are sound is seen when that text is read, with a reason like any
other that a repeat unit can have.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from affinecal_gui.polymers.copolymers.composition_text import SEPARATOR, composition_text, holds_several_units
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.evidence.composition_columns import says_volume, says_weight, share_of, stem_and_mark
from affinecal_gui.tables.headings.column_roles import ColumnRole, Roles
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.words import fold_digits, is_missing_word

_PERCENT = re.compile(r"\s*(mol|wt|mass|gew)?\.?[\s\-]*%", re.IGNORECASE)
_BETWEEN_FRACTIONS = re.compile(r"\s*[|/:;]\s*|(?<=\d)\s*-\s*(?=\d)|\s+")
_NUMBER = re.compile(r"[+\-−]?[\d.,]+([eE][+-]?\d+)?%?")
_BETWEEN_UNITS = re.compile(r"\s*[|;,]\s*")


@dataclass(frozen=True, slots=True)
class PolymerColumns:
    """Which columns of a table say what a polymer consists of."""

    units: tuple[int, ...]
    fractions: tuple[int, ...] = ()
    by_weight: bool = False  # the fractions are of the weight, not of the moles
    basis: int | None = None  # of words that say for each row what its fractions are of
    rest: int | None = None  # position among the units of the one that has no fraction: what is left of the whole
    whole: float = 1.0  # 100 for percentages; matters for the rest alone

    @property
    def all(self) -> tuple[int, ...]:
        """Every column."""
        return (*self.units, *self.fractions, *(() if self.basis is None else (self.basis,)))

    def text(self, cells: Sequence[str]) -> str:
        """Return the repeat unit, or the composition, that a row gives."""
        units = [cells[column] for column in self.units]
        fractions = [cells[column] for column in self.fractions]
        basis = cells[self.basis] if self.basis is not None else ""
        if self.rest is not None and any(not is_missing_word(fraction) for fraction in fractions):
            fractions.insert(self.rest, _what_is_left(fractions, self.whole))
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
        if says_volume(basis):  # without densities it is no composition, which is said when it is read
            return composition_text(units, [f"{fraction} {basis}" for fraction in given])
        by_weight = says_weight(basis) or any(map(says_weight, fractions)) or (self.by_weight and not basis)
        return composition_text(units, _moles(units, given) if by_weight else given)


def _what_is_left(fractions: Sequence[str], whole: float) -> str:
    """Return the fraction that is not given; "" where the others are no numbers."""
    shares = [share_of(fraction) for fraction in fractions]
    known = [share for share in shares if share is not None]
    return f"{whole - sum(known):.10g}" if len(known) == len(shares) else ""


def _moles(units: Sequence[str], weights: list[str]) -> list[str]:
    """Turn fractions of the weight into fractions of the moles; what is not sound stays, to be found when it is read."""
    if len(units) != len(weights):
        return weights
    # Here, because guessing what a table holds does not have to wait for chemistry to be loaded.
    from affinecal_gui.polymers.copolymers.molar_mass import molar_mass
    from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit, parse_repeat_unit

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
    return polymer_columns_of(roles.columns)


def polymer_columns_of(columns: Sequence[ColumnRole]) -> PolymerColumns | None:
    """Do as :func:`polymer_columns`, of roles that are not complete yet."""
    units = [column for column in columns if column.role == "smiles"]
    if not units:
        return None
    basis = next((column.column for column in columns if column.role == "fraction" and column.of is not None), None)
    fractions = [column for column in columns if column.role == "fraction" and column.of is None]
    return _put_together(
        [(column.column, column.heading) for column in units],
        [(column.column, f"{column.heading} {column.unit}") for column in fractions],
        basis,
    )


def _put_together(
    units: Sequence[tuple[int, str]], fractions: Sequence[tuple[int, str]], basis: int | None = None
) -> PolymerColumns:
    """Pair columns of units with those of their fractions, each given with its heading."""
    rest = None
    if len(units) > 1:
        unit_marks = _marks([heading for _, heading in units])
        marks = [stem_and_mark(heading)[1] for _, heading in fractions]
        if len(units) == 2 and marks == [None] and "comonomer" in fractions[0][1].casefold():
            marks = [max(unit_marks)]
        units = [column for _, column in sorted(zip(unit_marks, units, strict=True))]
        unit_marks = sorted(unit_marks)
        if len(fractions) == len(units):
            own = [mark if mark is not None else number for number, mark in enumerate(marks)]
            if len(set(own)) == len(own) and None not in marks:
                fractions = [column for _, column in sorted(zip(own, fractions, strict=True))]
        elif len(fractions) == len(units) - 1 and set(marks) <= set(unit_marks) and len(set(marks)) == len(marks):
            rest = next(place for place, mark in enumerate(unit_marks) if mark not in marks)
            fractions = [fractions[marks.index(mark)] for mark in unit_marks if mark in marks]
    return PolymerColumns(
        tuple(number for number, _ in units),
        tuple(number for number, _ in fractions),
        any(says_weight(heading) for _, heading in fractions),
        basis,
        rest,
        100.0 if any("%" in heading for _, heading in fractions) else 1.0,
    )


def _marks(headings: Sequence[str]) -> list[int]:
    """Return a number for each column of units: that of its heading, else its place among those without one.

    >>> _marks(["SMILES", "SMILES_2"]), _marks(["monomer", "comonomer"]), _marks(["smiles_b", "smiles_a"])
    ([1, 2], [1, 2], [2, 1])
    """
    given = [stem_and_mark(heading)[1] for heading in headings]
    start = 0 if given[0] is None and 1 in given and 0 not in given else 1  # "smiles" and "smiles.1", as pandas writes
    free = iter(number for number in range(start, len(headings) + 1) if number not in given)
    marks = [mark if mark is not None else next(free) for mark in given]
    return marks if len(set(marks)) == len(marks) else list(range(1, len(marks) + 1))


def columns_called(
    table: RawTable, roles: Roles, smiles: Sequence[str], fractions: Sequence[str] = ()
) -> PolymerColumns | None:
    """Return the columns that the user names; what is not named is found, but fractions only for the units found.

    Columns that are named belong together in the order in which they are named.

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
        return found
    return PolymerColumns(units, shares, any(_is_weight(table, number) for number in shares))


def _position(table: RawTable, heading: str) -> int:
    if heading not in table.headings:
        raise TableError(f"{table.name} has no column “{heading}”; it has {', '.join(table.headings[:6])}.")
    return table.headings.index(heading)


def _is_weight(table: RawTable, number: int) -> bool:
    return says_weight(f"{table.headings[number]} {table.units[number] if table.units else ''}")


def polymer_texts(raw: RawTable, roles: Roles) -> list[str] | None:
    """Return the repeat unit or composition of every row; None when no column holds any."""
    columns = polymer_columns(roles)
    if columns is None:
        return None
    if len(columns.units) == 1 and not columns.fractions:
        return list(raw.columns[columns.units[0]])
    place = {number: position for position, number in enumerate(columns.all)}
    near = replace(
        columns,
        units=tuple(place[number] for number in columns.units),
        fractions=tuple(place[number] for number in columns.fractions),
        basis=None if columns.basis is None else place[columns.basis],
    )
    return [near.text(cells) for cells in zip(*(raw.columns[number] for number in columns.all), strict=True)]
