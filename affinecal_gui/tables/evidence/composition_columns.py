"""Which columns of a table say what its copolymers consist of: those of the repeat units, and those of their fractions.

Columns are told by their headings (smiles_1, smiles_2, fraction_1, fraction_2 ...) and, whatever they are called, by their
cells: two columns of repeat units and two of numbers that add up to 1, or to 100, in every row.
"""

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from affinecal_gui.polymers.copolymers.composition_text import holds_several_units
from affinecal_gui.tables.headings.heading_units import LONGEST_HEADING
from affinecal_gui.tables.headings.heading_words import HEADINGS, SETTINGS
from affinecal_gui.tables.units.property_names import property_by_name, simplified
from affinecal_gui.tables.words import fold_digits, is_missing_word, looks_like_repeat_unit

_STEMS = HEADINGS["fraction"] | frozenset(
    (
        *("frac", "molfrac", "mol frac", "mole frac", "mol fraction", "molar ratio", "mole ratio", "mol ratio", "mol"),
        *("feed", "feed ratio", "feed fraction", "x", "f", "share", "amount", "molanteil", "stoffmengenanteil"),
        *("wt", "wt fraction", "weight ratio", "mass fraction", "massenanteil", "wt frac", "weight frac", "mass frac"),
        *("c", "w", "phi", "φ", "ϕ", "weight", "mass", "mole", "moles", "percent", "pct", "percentage", "%", "comp"),
        *("content", "conc", "concentration", "vol", "vol frac", "volume fraction", "gehalt", "gewichtsanteil"),
        *(
            "mole %",
            "mol percent",
            "mole percent",
            "wt %",
            "weight %",
            "mass %",
            "vol %",
            "weight percent",
            "wt percent",
        ),
        *("comonomer", "comonomer fraction", "comonomer mol %", "comonomer wt %", "monomer fraction", "monomer ratio"),
    )
)
_BRACKETED_PERCENT = re.compile(r"\s*[(\[]\s*((mol|wt|mass|gew|vol)?\.?[\s\-]*%|mol|wt)\s*[)\]]\s*$", re.IGNORECASE)
_BASIS = re.compile(
    r"\s*(mol(e|ar)?|wt|weight|mass|gew(ichts)?|massen|stoffmengen|vol(ume|umen)?)?[\s.\-]*"
    r"(%|percent|frac(tion)?|ratio|anteil|prozent)?\.?\s*",
    re.IGNORECASE,
)
_WEIGHT = re.compile(r"(?<![^\W\d_])(wt|weight|mass|gew\w*|massen\w*)(?![^\W\d_])|重量|質量|质量", re.IGNORECASE)
_VOLUME = re.compile(r"(?<![^\W\d_])vol(ume\w*|umen\w*)?(?![^\W\d_])|体積|体积", re.IGNORECASE)
_SHARE = re.compile(r"([+\-−]?\d*[.,]?\d+(?:[eE][+\-]?\d+)?)\s*(?:(?:mol|wt|mass|gew|vol)?\.?[\s\-]*%)?", re.IGNORECASE)
_RATIO = re.compile(r"\s*\d[\d.,]*\s*%?(\s*[/:|]\s*\d[\d.,]*\s*%?)+\s*")
_RATIO_OR_DASH = re.compile(rf"{_RATIO.pattern}|\s*\d[\d.,]*\s*[-–]\s*\d[\d.,]*\s*")
_UNIT_SHARE = 0.6  # of the filled cells of a column of repeat units, at least
_LOOKED_AT = 100  # cells of a column; a table may have thousands of columns
_MOST_NUMBERS = 12  # columns among which those that add up are looked for
_OFF = 0.02  # of the whole, that rounded fractions may be off it


@dataclass(frozen=True, slots=True)
class CompositionColumns:
    """The columns of copolymers, by what they hold; empty without any."""

    units: tuple[int, ...] = ()
    fractions: tuple[int, ...] = ()
    basis: tuple[int, ...] = ()  # of words such as "mol%" that say what the fractions of a row are of
    unread: tuple[int, ...] = ()  # of further fractions, as those of the weight beside those of the moles

    def __bool__(self) -> bool:
        return bool(self.fractions)


NO_COMPOSITION = CompositionColumns()


def find_composition(headings: Sequence[str], columns: Sequence[Sequence[str]]) -> CompositionColumns:
    """Find the columns of repeat units and of their fractions.

    Parameters
    ----------
    headings
        Of all columns.
    columns
        The first cells of each column, row by row.

    Returns
    -------
    CompositionColumns
        Empty unless there are fractions and several units to go with them: a second column of repeat units alone is more
        often another way to write the same polymer. One fraction may be left out, being the rest.
    """
    series = _series(headings)
    content = [number for number, cells in enumerate(columns) if holds_units(cells)]
    units: Sequence[int] = ()
    for members in series.values():
        if len(members) > len(units) and all(number in content for number in members.values()):
            units = tuple(members.values())
    numbered = bool(units)
    units = units or tuple(content)
    basis = tuple(number for number, cells in enumerate(columns) if _holds_basis(cells))
    if len(units) > 1:
        found = _fractions_of(len(units), headings, columns, series, without={*units, *basis})
        if not found and (numbered or _differ([columns[number] for number in units])):
            found = _fewer_fractions(len(units), headings, columns, without={*units, *basis})
        if not found:
            return NO_COMPOSITION
        unread = _further_fractions(headings, columns, without={*units, *basis, *found})
        return CompositionColumns(tuple(units), found, basis, unread)
    if not any(holds_several_units(cell) for cells in columns for cell in cells):
        return NO_COMPOSITION
    together = next((i for i, heading in enumerate(headings) if _is_fraction(heading)), None)
    marked = next((tuple(members.values()) for stem, members in series.items() if stem in _STEMS), ())
    if together is None and not marked:
        together = next((i for i, heading in enumerate(headings) if stem_and_mark(heading)[0] in _STEMS), None)
    fractions = marked if together is None else (together,)
    return CompositionColumns((), fractions, basis) if fractions else NO_COMPOSITION


def shares_without_units(headings: Sequence[str], columns: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """Return numbered columns of fractions that make a whole, in a table with a single column of repeat units."""
    for stem, members in _series(headings).items():
        numbers = tuple(members.values())
        if stem in _STEMS and len(numbers) > 1 and _add_up([columns[number] for number in numbers]):
            return numbers
    return ()


def possible_shares(columns: Mapping[int, Sequence[str]]) -> tuple[int, ...]:
    """Return two or three of these columns, given by their filled cells, whose numbers make a whole in every row."""
    parts = [number for number, cells in columns.items() if _are_numbers(cells) and are_parts(cells)][:_MOST_NUMBERS]
    longest = max((len(columns[number]) for number in parts), default=0)
    varying = [number for number in parts if len(columns[number]) == longest and len(set(columns[number])) > 2]
    return next(
        (
            chosen
            for count in (2, 3)
            for chosen in itertools.combinations(varying, count)
            if _add_up([columns[number] for number in chosen])
        ),
        (),
    )


def holds_units(cells: Sequence[str]) -> bool:
    """Whether a column holds repeat units, as far as the filled ones among these cells tell."""
    filled = list(islice((cell for cell in cells if not is_missing_word(cell)), _LOOKED_AT))
    return sum(map(looks_like_repeat_unit, filled)) > _UNIT_SHARE * max(len(filled), 1)


def share_of(cell: str) -> float | None:
    """Read a fraction or a percentage; None where a cell holds none."""
    found = _SHARE.fullmatch(fold_digits(cell).strip())
    return float(found[1].replace(",", ".").replace("−", "-")) if found else None


def are_parts(cells: Sequence[str]) -> bool:
    """Whether cells are numbers from 0 to 100, some of them neither all nor nothing."""
    shares = [share_of(cell) for cell in cells if not is_missing_word(cell)]
    known = [share for share in shares if share is not None and 0 <= share <= 100]
    return bool(known) and len(known) >= 0.8 * len(shares) and any(share not in (0, 1, 100) for share in known)


def is_fraction_heading(heading: str) -> bool:
    """Whether a column is called as those of fractions are, with or without a mark: "c1", "wt_frac_A", "mol%"."""
    stem, _ = stem_and_mark(heading)
    return stem in _STEMS or _is_fraction(heading)


def says_weight(text: str) -> bool:
    """Whether a heading or a cell speaks of fractions of the weight: "wt_frac_A", "Weight 1", "w2", "70 wt%"."""
    return _WEIGHT.search(text) is not None or stem_and_mark(text)[0].split(" ")[0] == "w"


def says_volume(text: str) -> bool:
    """Whether a heading or a cell speaks of fractions of the volume: "phi_1", "vol%"."""
    return _VOLUME.search(text) is not None or stem_and_mark(text)[0].split(" ")[0] in ("phi", "φ", "ϕ")


def stem_and_mark(heading: str) -> tuple[str, int | None]:
    """Divide "smiles_1", "Monomer B SMILES" or "x1" into what is common and what counts: A is 1, like 1.

    >>> stem_and_mark("wt_frac_B"), stem_and_mark("c1"), stem_and_mark("SMILES")
    (('wt frac', 2), ('c', 1), ('smiles', None))
    """
    if len(heading) > LONGEST_HEADING:
        return heading, None
    words = re.findall(r"[^\W\d_]+|\d+|%", _BRACKETED_PERCENT.sub("", heading).casefold())
    # A number of many digits counts nothing, and Python refuses to read one of thousands.
    places = [place for place, word in enumerate(words) if word.isdecimal() and len(word) < 10]
    if not places and not re.search(r"[:/|]", heading):  # "ratio A:B" is of both
        places = [place for place, word in enumerate(words) if word in _LETTERS]
        places = places[1:] if len(places) > 1 and not places[0] else places  # "c_a"
    if len(places) != 1 or len(words) < 2:
        return simplified(" ".join(words)), None
    mark = words.pop(places[0])
    return simplified(" ".join(words)), int(mark) if mark.isdecimal() else _LETTERS[mark]


_LETTERS = {"a": 1, "b": 2, "c": 3, "d": 4}


def _is_fraction(heading: str) -> bool:
    return simplified(_BRACKETED_PERCENT.sub("", heading)) in HEADINGS["fraction"]


def _series(headings: Sequence[str]) -> dict[str, dict[int, int]]:
    """Group headings that differ in a number or a letter only: by what they have in common, then by that mark."""
    found: dict[str, dict[int, int]] = {}
    for number, heading in enumerate(headings):
        stem, mark = stem_and_mark(heading)
        if mark is not None:
            found.setdefault(stem, {}).setdefault(mark, number)
    return {stem: members for stem, members in found.items() if len(members) > 1}


def _holds_basis(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if not is_missing_word(cell) and cell != "%"]
    return bool(filled) and all(_BASIS.fullmatch(cell) for cell in filled)


def _differ(columns: Sequence[Sequence[str]]) -> bool:
    return any(len(set(row)) == len(row) and not any(map(is_missing_word, row)) for row in zip(*columns, strict=True))


def _fractions_of(
    count: int,
    headings: Sequence[str],
    columns: Sequence[Sequence[str]],
    series: Mapping[str, Mapping[int, int]],
    without: set[int],
) -> tuple[int, ...]:
    """Return as many columns of fractions as there are units, or the column that holds the fractions of all units."""
    for stem in sorted(series, key=lambda stem: (says_volume(stem), says_weight(stem))):  # moles need no conversion
        if stem in _STEMS and len(series[stem]) == count:
            return tuple(series[stem].values())
    if any(stem in _STEMS and len(members) > count for stem, members in series.items()):
        return ()
    together = [
        number
        for number, cells in enumerate(columns)
        if number not in without and (_is_fraction(headings[number]) or _holds_ratios(cells, count))
    ]
    if together and not are_parts(columns[together[0]]):
        return tuple(together[:1])
    numbers = [
        number
        for number, cells in enumerate(columns)
        if number not in without and _may_be_fraction(headings[number]) and _are_numbers(cells)
    ][:_MOST_NUMBERS]
    return next(
        (chosen for chosen in itertools.combinations(numbers, count) if _add_up([columns[n] for n in chosen])), ()
    )


def _fewer_fractions(
    count: int, headings: Sequence[str], columns: Sequence[Sequence[str]], without: set[int]
) -> tuple[int, ...]:
    """Return the columns of all fractions but one, which is the rest."""
    found = tuple(
        number
        for number, cells in enumerate(columns)
        if number not in without and is_fraction_heading(headings[number]) and are_parts(cells)
    )
    return found if len(found) == count - 1 else ()


def _further_fractions(headings: Sequence[str], columns: Sequence[Sequence[str]], without: set[int]) -> tuple[int, ...]:
    return tuple(
        number
        for number, cells in enumerate(columns)
        if number not in without and is_fraction_heading(headings[number]) and (are_parts(cells) or are_ratios(cells))
    )


def are_ratios(cells: Sequence[str]) -> bool:
    """Whether nearly all cells are ratios of numbers: "70/30", "1:1", "80-20"."""
    filled = [cell for cell in cells if not is_missing_word(cell)]
    return bool(filled) and sum(_RATIO_OR_DASH.fullmatch(cell) is not None for cell in filled) > 0.8 * len(filled)


def _may_be_fraction(heading: str) -> bool:
    name = simplified(heading)
    named = any(name in words for role, words in HEADINGS.items() if role != "fraction")
    return not named and name not in SETTINGS and (len(name) == 1 or property_by_name(heading) is None)


def _are_numbers(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if not is_missing_word(cell)]
    return bool(filled) and all((share := share_of(cell)) is not None and 0 <= share <= 100 for cell in filled)


def _holds_ratios(cells: Sequence[str], count: int) -> bool:
    filled = [cell for cell in cells if not is_missing_word(cell)]
    ratios = [cell for cell in filled if _RATIO.fullmatch(cell) and len(re.findall(r"[/:|]", cell)) == count - 1]
    return len(ratios) > 0.8 * len(filled)


def _add_up(columns: Sequence[Sequence[str]]) -> bool:
    """Whether the numbers of every row are parts of a whole, the same in all rows."""
    rows = [[share_of(cell) for cell in row] for row in zip(*columns, strict=True)]
    sums = [sum(share for share in row if share is not None) for row in rows if None not in row]
    whole = 100 if sums and sums[0] > 1 + _OFF else 1
    return bool(sums) and all(abs(total - whole) <= _OFF * whole for total in sums)
