"""What one column looks like: its cells in figures, and its heading in words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from affinecal_gui.tables.cells.numbers import looks_numeric
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.headings.brackets import outermost_brackets
from affinecal_gui.tables.headings.heading_conditions import (
    UNITS_BY_NAME,
    is_condition,
    is_remark,
    unit_among,
    without_conditions,
)
from affinecal_gui.tables.headings.heading_units import LONGEST_HEADING, is_logarithm, split_heading
from affinecal_gui.tables.headings.heading_words import (
    ABBREVIATIONS,
    HEADINGS,
    MD_WORDS,
    MEASURED_WORDS,
    METHOD_WORDS,
    NEUTRAL_WORDS,
    NO_UNITS,
    STATISTICS,
    WAYS_TO_MEASURE,
    words_of,
)
from affinecal_gui.tables.headings.relative_uncertainties import RELATIVE, statistic_words, without_coverage
from affinecal_gui.tables.headings.role_names import Role, ValueKind
from affinecal_gui.tables.raw_table import RawTable, TextColumn
from affinecal_gui.tables.units.properties import Property, own_property
from affinecal_gui.tables.units.property_names import property_by_name, property_by_symbol, simplified
from affinecal_gui.tables.units.units import UnitProblem, conversion, is_unit_text, unbracketed
from affinecal_gui.tables.words import is_missing_word, looks_like_repeat_unit

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
    if not filled and size > SAMPLE_CELLS and not column.are_empty():  # as in a table sorted by property
        filled = list(islice((cell for cell in column if not is_missing_word(cell)), SAMPLE_CELLS))
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


def are_counts(profile: Profile) -> bool:
    """Whether a column can give how many values there are: its numbers are whole."""
    return not any(re.search(r"\d[.,]\d*[1-9]", cell) for cell in profile.cells[:200])


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
    if simplified(heading) in STATISTICS:
        text, unit = heading, ""  # the "bar" of "error bar" is none
    elif _is_frequency(unit, text):
        text, unit = _BEFORE_CONDITION.sub("", text), ""
    elif not unit and not is_logarithm(text):
        text, unit = _with_unknown_unit(text)
    elif unit:
        text, unit = _with_both_units(text, unit)
    if raw.units and raw.units[number] and not unit:
        below = raw.units[number]
        among = unit_among(unbracketed(below))
        unit = "" if is_missing_word(below) else among[0] if among is not None else unbracketed(below)
    return Label(text, unit, words_of(without_conditions(text) if len(text) <= LONGEST_HEADING else text))


def _with_both_units(text: str, unit: str) -> tuple[str, str]:
    """Return both units of a heading that names two of one property, "Tg, K (°C)", as one text: neither can be followed."""
    shorter, other = split_heading(text)
    named = property_by_name(shorter) if other else None
    if named is None or not (is_unit_of(other, named) and is_unit_of(unit, named)):
        return text, unit
    one, two = conversion(other, named), conversion(unit, named)
    return (text, unit) if (one.factor, one.offset) == (two.factor, two.offset) else (shorter, f"{other} ({unit})")


_BEFORE_CONDITION = re.compile(r"\s+(?:at|bei|à|a|@)$")


def _is_frequency(unit: str, text: str) -> bool:
    """Whether what looks like a unit is the condition of a quantity that has none: "dielectric constant (10^6 Hz)"."""
    if re.match(r"\s*(?:10|1[eE])", unit) is None or not unit.endswith(("Hz", "s-1", "s⁻¹", "s^-1")):
        return False
    named = property_by_name(_BEFORE_CONDITION.sub("", text))
    return named is not None and named.is_dimensionless


def unread_unit(label: Label, quantity: Property) -> str:
    """Return what in a heading may be a unit that is not understood; "" where nothing looks like one.

    A unit that cannot be read must not count as none: it is quoted in a question, and refused where nobody can be asked.

    Parameters
    ----------
    label
        A heading in which no unit was found.
    quantity
        The property it names.
    """
    text = label.text
    if property_by_name(text) is not None:
        return ""
    if len(text) > LONGEST_HEADING:
        return text[re.search(r"[\[({]|$", text).start() :] or text  # type: ignore[union-attr]
    outside, position = [], 0
    for start, end in outermost_brackets(text):
        inside = text[start + 1 : end - 1].strip()
        if (
            not is_remark(inside)
            and property_by_name(inside) is None
            and (quantity.unit or _is_written_like_a_unit(inside))
        ):
            return inside
        if quantity.unit and is_condition(inside) and is_unit_of(re.sub(r"^[^A-Za-z°µ%]*\s*", "", inside), quantity):
            return inside  # "E (105 Pa)": hardly the modulus at which something was measured
        outside.append(text[position:start])
        position = end
    rest = " ".join((*outside, text[position:]))
    found = re.search(r"(?:[×x*·]\s*)?10\s*(?:\^|[⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹]|[-−–]\d)\S*(?:\s.*)?$", rest)
    if found is not None:
        return found[0].strip()
    if quantity.unit == "K":
        letter = re.search(r"(?<![\w°])[CFKcfk]$", rest.strip())
        if letter is not None and rest.strip() != letter[0] and not is_condition(rest.strip().split(" ", 1)[-1]):
            return letter[0]
    return ""


def is_unit_of(text: str, quantity: Property) -> bool:
    """Whether values in a unit can be converted to that of a property."""
    try:
        conversion(text, quantity)
    except UnitProblem:
        return False
    return True


def _with_unknown_unit(heading: str) -> tuple[str, str]:
    """Divide a heading such as "Permeability [Barrer]" whose unit is not one that can be converted; it is kept whole.

    The unit is what the outermost brackets at the end hold, or what stands behind the last comma outside brackets. Square
    brackets hold a unit unless they hold words that say something else; round ones, and what follows a comma, only where it
    is written like a unit.
    """
    if len(heading) > LONGEST_HEADING:
        return heading, ""
    brackets = outermost_brackets(heading)
    start, end = brackets[-1] if brackets else (0, 0)
    label, inside = heading[:start].strip(), heading[start + 1 : max(end - 1, start + 1)].strip()
    if not label or end != len(heading) or not inside or label.endswith(("/", "*", "·")):
        return _behind_comma(heading, brackets)
    is_square = heading[start] in "[［【"
    if is_remark(inside, known_words=is_square):
        return heading, ""
    if not is_square:
        if _is_written_like_a_unit(inside) or inside.casefold() in UNITS_BY_NAME:
            return label.rstrip(" ,;:"), inside
        return heading, ""
    words = words_of(inside)
    if words and all(word in NO_UNITS or word.isdigit() or word in STATISTICS for word in words):
        return heading, ""
    if _is_written_like_a_unit(inside) or inside.isalpha():
        return label.rstrip(" ,;:"), inside
    return heading, ""


def _behind_comma(heading: str, brackets: Sequence[tuple[int, int]]) -> tuple[str, str]:
    """Divide a heading such as "Permeability, cm3(STP) cm/(cm2 s Pa)", or with a slash between blanks."""
    places = [found.start() for found in re.finditer(r"[,;]\s|\s/\s", heading)]
    outside = [place for place in places if all(not start < place < end for start, end in brackets)]
    if not outside:
        return heading, ""
    label, unit = heading[: outside[-1]].strip(), heading[outside[-1] + 1 :].strip(" /")
    # Without conditions such as "(STP)" it must be units and nothing else: words behind a comma mostly say something else.
    plain = re.sub(r"(?<=[\w³²])\([A-Za-z]+\)", "", unit)
    plain = re.sub(r"\^\s*\(?(?:1/2|0?\.5)\)?|½", "^2", plain)  # roots are not converted, but belong to units
    is_unit = (re.search(r"[^\W\d_]\W", unit) is not None and is_unit_text(plain)) or unit.casefold() in UNITS_BY_NAME
    return (label, unit) if label and is_unit else (heading, "")


def _is_written_like_a_unit(text: str) -> bool:
    has_letter = re.search(r"[^\W\d_]", text) is not None
    return (
        has_letter and re.search(r"[/^·⋅*²³⁻]", text) is not None and not re.match(r"\d(?!0?\^|0[⁻⁰-⁹]|e[+-]?\d)", text)
    )


_OF = frozenset(("of", "in", "von", "der", "de", "du", "di"))
"""Words between a statistic and that which it is of: "standard deviation of Cp"."""


def statistic_of(label: Label) -> tuple[Role | None, str]:
    """Tell whether a heading names a statistic ("Cp_std"), and of what ("cp"); "" means of the value before it."""
    plain = _COUNTED.sub("", without_coverage(label.text)).replace("±", " ± ").strip()
    if plain != label.text:
        label = Label(plain, label.unit, words_of(plain))
    if label.name in STATISTICS:
        return STATISTICS[label.name], ""
    if any(STATISTICS.get(word) == "uncertainty" for word in label.words) and all(
        STATISTICS.get(word) == "uncertainty" or word in _BESIDE_STATISTICS for word in label.words
    ):
        return "uncertainty", ""
    words, share = statistic_words(label.words, label.unit)
    if not share.endswith(RELATIVE) and _names_a_property(label.text):
        return None, ""
    if share and " ".join(words) in STATISTICS:
        return STATISTICS[" ".join(words)], ""
    for size in (2, 1):  # "standard deviation" before "deviation"
        for rest, last in ((words[:-size], words[-size:]), (words[size:], words[:size])):
            name = " ".join(last)
            if not rest or name not in STATISTICS:
                continue
            of = rest[1:] if rest[0] in _OF and len(rest) > 1 else rest
            named = property_by_name(" ".join(of))
            if named is not None and named.symbol.casefold() == name:
                return None, ""  # "refractive index n"
            return STATISTICS[name], " ".join(of)
    return None, ""


_COUNTED = re.compile(r"[\s,;]*[(\[]?(?<![^\W_])n\s*=\s*\d+\s*[)\]]?", re.IGNORECASE)
"""How many values a statistic is of: "SD (n = 3)"."""
_BESIDE_STATISTICS = frozenset(
    ("abs", "absolute", "absolut", "absolute", "bootstrap", "mean", "of", "the", "standard", "std")
)
"""Words that leave an uncertainty what it is: "absolute error", "std error mean"."""


def _names_a_property(text: str) -> bool:
    """Whether a heading names a property and nothing else, with a condition or without one: "n_D (25 °C)"."""
    if property_by_name(text) is not None:
        return True
    return len(text) <= LONGEST_HEADING and property_by_name(without_conditions(text).strip()) is not None


def quantity_of(label: Label) -> tuple[Property | None, ValueKind | None]:
    """Return the property that a heading names, and whether it says that its values are measured or simulated."""
    whole = property_by_name(label.text)
    if whole is not None and (not label.unit or len(label.text) > 1 or is_unit_of(label.unit, whole)):
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
    kept = [word for word in words if word not in MEASURED_WORDS | MD_WORDS]  # "specific volume V" has a neutral word
    named = property_by_name(" ".join(left)) or _named_in_parts(left) or _named_in_parts(kept)
    if named is None or len("".join(left)) == 1:
        named = _by_symbol(left or words, label.unit) or named
    if named is None:
        named = _beside_a_remark(label)
    if named is not None and _is_calculated_from_it(label, named):
        return own_property(label.text, label.unit), kind
    if named is None and label.unit:
        named = _property_by_unit(label.unit) if not left else None
    return named, kind


_SCALED = frozenset(
    (
        *("normalized", "normalised", "normiert", "normalisiert", "normalisé", "normalizado", "standardized"),
        *("standardised", "standardisiert", "scaled", "rescaled", "skaliert", "zscore", "minmax", "规一化", "归一化"),
    )
)
_CALCULATED = re.compile(
    r"^\s*10{0,6}\s*/\s*[^\W\d]"  # "1000/Tg"
    r"|\S\s*/\s*\(?\s*\d?\s*R\s*\)?$"  # "Cp/R"
    r"|[-−–]\s*273(?:[.,]\d+)?(?!\d)|(?<![^\W_])z[-\s]?score(?![^\W_])",
    re.IGNORECASE,
)


def _is_calculated_from_it(label: Label, quantity: Property) -> bool:
    """Whether a heading names something worked out from the property, and not the property: "1000/Tg", "ρ exp - MD"."""
    words = set(label.words)
    if words & _SCALED or _CALCULATED.search(label.text):
        return True
    less = _LESS_A_NUMBER.search(label.text)
    unit = less[1].strip(" )") if less is not None else ""
    if less is not None and (not unit or is_unit_of(unit, quantity)):
        return True  # "Tg - 298 K"; "density - 25 °C" names the temperature
    if _LESS_ANOTHER.search(label.text) or _is_ratio(label.text):
        return True
    joined = re.search(r"\w[\s.)\]]*(?:\s[-−–]\s|[/÷])[\s(\[]*\w", label.text) is not None
    return joined and bool(words & MEASURED_WORDS) and bool(words & MD_WORDS)


_LESS_A_NUMBER = re.compile(r"\S\s+[-−–]\s+\d+(?:[.,]\d+)?(?![\d.,])\s*(.*)$")
_LESS_ANOTHER = re.compile(r"\S\s+[-−–]\s+[^\W\d_]+\(|(?:['′)\]]|n_?[Dd]?|ε\w?)\s?[-−–]\s?1\s*\)?$")
"""What something is subtracted from: "Tg - Tg(PE)", "n_D - 1"."""


def _is_ratio(text: str) -> bool:
    """Whether a heading divides something by a property: "T/Tg", "Tg/Tg,max"; not "glass transition / Tg", a name twice."""
    above, slash, below = text.partition("/")
    named = property_by_name(re.split(r"[,(\s]", below.strip())[0]) if slash else None
    if named is None or not above.strip():
        return False
    return property_by_name(above) is not named or simplified(above) == simplified(
        re.split(r"[,(\s]", below.strip())[0]
    )


def kinds_of_rows(profile: Profile) -> frozenset[ValueKind]:
    """Return the kinds of values that the cells of a column name ("exp", "MD"); empty if any says something else."""
    kinds: set[ValueKind] = set()
    by_method = False
    for cell in set(profile.cells):
        words = words_of(cell)
        if words and all(word in MEASURED_WORDS for word in words):
            kinds.add("measured")
        elif words and all(word in MD_WORDS for word in words):
            kinds.add("md")
        elif words and all(word in MEASURED_WORDS | WAYS_TO_MEASURE for word in words):
            by_method = True  # "DSC", which tells a kind only beside "MD"
        else:
            return frozenset()
    if by_method:
        return frozenset(("measured", "md")) if "md" in kinds else frozenset()
    return frozenset(kinds)


def own_name(label: Label) -> str:
    """Return what a heading calls a property that is not known by name: the same for "Gloss exp" and "Gloss (MD)".

    >>> own_name(Label("Gloss (MD)", "", ("gloss", "md"))), own_name(Label("measured", "K", ("measured",)))
    ('Gloss', 'value')
    """
    if not any(word in MEASURED_WORDS | MD_WORDS for word in label.words):
        return label.text
    pieces = [piece for piece in re.split(r"[\s_\-./()\[\]{},:;]+", label.text) if piece]
    kept = [piece for piece in pieces if piece.casefold() not in MEASURED_WORDS | MD_WORDS]
    if len(kept) == len(pieces):
        return label.text
    return ("_" if "_" in label.text else " ").join(kept) or "value"


def _by_symbol(words: Sequence[str], unit: str) -> Property | None:
    """Return the property of a heading with nothing but a symbol that several share, by its unit: "k (W/m K)"."""
    if len(words) != 1 or not unit:
        return None
    return property_by_symbol(words[0], lambda candidate: is_unit_of(unit, candidate))


def _beside_a_remark(label: Label) -> Property | None:
    """Return the property of a heading with a remark in brackets: "ρ (Brandrup)", of one letter only if the unit agrees."""
    rest = re.sub(r"\([^()\d]*\)|\[[^\[\]\d]*\]", " ", label.text)
    words = words_of(rest)
    if rest == label.text or not words:
        return None
    remark = [word for word in label.words if word not in words]
    if any(len(word) > 1 and property_by_name(word) is not None for word in remark):
        return None
    named = property_by_name(" ".join(words)) or _named_in_parts(list(words))
    if named is None or len("".join(words)) > 1:
        return named
    try:
        conversion(label.unit, named)
    except UnitProblem:
        return None
    return named if label.unit else None


MOST_WORDS = 12  # of the name of a property; a cell may hold thousands


def _named_in_parts(words: list[str]) -> Property | None:
    """Return the property that every part of a heading names: "Wärmekapazität cp", "spez. Wärme", "实验比热"."""
    expanded = [ABBREVIATIONS.get(word, word) for word in words]
    found: set[str] = set()
    position = 0
    while position < len(expanded):
        for end in range(min(len(expanded), position + MOST_WORDS), position, -1):
            name = " ".join(expanded[position:end])
            # A single letter is the symbol of a property only where it is the whole heading: "Cp (298 K)" is no modulus.
            named = property_by_name(name) if len(name) > 1 else None
            if named is not None:
                found.add(named.key)
                position = end
                break
        else:
            if not _says_nothing(expanded[position]):
                return None
            position += 1
    return property_by_name(found.pop()) if len(found) == 1 else None


def _says_nothing(word: str) -> bool:
    """Whether a word beside the name of a property says nothing about which property it is: "DSC", "298", "25 °C"."""
    return word in NEUTRAL_WORDS or word in METHOD_WORDS or _OF_A_CONDITION.fullmatch(word) is not None


_OF_A_CONDITION = re.compile(r"[\d.,]*(?:°?[ck]|[kmg]?hz|nm|bar|atm|rpm)?|[\d.,]+(?:[kmg]?pa|kbar|psi)|[^\W\d_]")


def could_be(label: Label, quantity: Property) -> bool:
    """Whether a heading that names no property speaks of this one, among other things: "Cp liquid" of "Cp"."""
    words = [ABBREVIATIONS.get(word, word) for word in label.words]
    if not any(
        property_by_name(" ".join(words[start:end])) is quantity
        for start in range(len(words))
        for end in range(start + 1, min(len(words), start + MOST_WORDS) + 1)
    ):
        return False
    if not label.unit:
        return True
    try:
        conversion(label.unit, quantity)
    except UnitProblem:
        return False
    return True


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


def refuse_turned(raw: RawTable) -> None:
    """Raise TableError for a table with a column for each polymer: what headings say stands in its first column.

    Raises
    ------
    TableError
        The table is turned, with what to do.
    """
    if len(raw.headings) < 3:
        return
    for row in range(min(raw.row_count, 10)):
        first, *others = raw.row(row)
        filled = [cell for cell in others if not is_missing_word(cell)]
        units = sum(map(looks_like_repeat_unit, filled))
        if simplified(first) in HEADINGS["smiles"] and len(filled) >= 2 and units >= 0.7 * len(filled):
            raise TableError(
                f"{raw.name} has its polymers side by side, a column each. Exchange rows and columns (in a spreadsheet: "
                "copy, then paste special, transpose) and save it again."
            )
