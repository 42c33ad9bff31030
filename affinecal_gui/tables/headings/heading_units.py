"""Headings of columns -> name of the quantity and unit: in brackets, behind a comma, or behind a slash as in ISO 80000-1."""

import re
from functools import lru_cache

from affinecal_gui.tables.headings.brackets import outermost_brackets
from affinecal_gui.tables.headings.heading_conditions import is_condition, is_remark, unit_among
from affinecal_gui.tables.headings.heading_words import NO_UNITS
from affinecal_gui.tables.headings.latex_text import without_latex
from affinecal_gui.tables.headings.markup_text import plain_heading
from affinecal_gui.tables.headings.stated_deviations import without_deviation
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.units.property_names import property_by_name, simplified
from affinecal_gui.tables.units.quantity_symbols import has_unit, is_quantity_symbol
from affinecal_gui.tables.units.unit_spelling import is_word_for_degrees, with_plain_degrees
from affinecal_gui.tables.units.unit_words import in_symbols
from affinecal_gui.tables.units.units import DIMENSIONLESS, is_unit_text, unbracketed

LONGEST_HEADING = 200
"""Characters; what is longer is no heading with a unit, and not worth the search."""

_TEMPERATURE_LABELS = frozenset(
    ("t", "temp", "temperature", "tg", "tm", "glass transition", "glass transition temperature", "melting point")
)
_UNITS_WITHOUT_BRACKETS = frozenset(
    (
        "Pa",
        "kPa",
        "MPa",
        "GPa",
        "bar",
        "nm",
        "eV",
        "degC",
        *(
            "kbar",
            "mbar",
            "mPa",
            "hPa",
            *("PSI", "KSI", "psi", "ksi", "kpsi", "Msi", "Mpsi"),
            *("Mpa", "MPA", "Gpa", "GPA", "Kpa", "KPa", "kpa", "mpa", "gpa"),
            "Torr",
            "torr",
            "mmHg",
            "cP",
            "cSt",
            "ppm",
            "meV",
            "kDa",
            "Da",
            "Barrer",
        ),
        "mPas",
        "Pas",
        "JgK",
        "WmK",
        "gcc",
        "Kelvin",
        "Celsius",
        "kelvin",
        "celsius",
    )
)


@lru_cache(maxsize=32_768)
def split_heading(heading: str) -> tuple[str, str]:
    """Divide a heading into the name of the quantity and its unit as written; the unit is "" when there is none.

    >>> split_heading("Cp [J/(kg K)]")
    ('Cp', 'J/(kg K)')
    >>> split_heading("density, g/cm3")
    ('density', 'g/cm3')
    >>> split_heading("Specific volume V / cm3/g")  # the symbol of the quantity, divided by the unit: ISO 80000-1
    ('Specific volume V', 'cm3/g')
    >>> split_heading("Mass m / kg")  # no metres per kilogram
    ('Mass m', 'kg')
    >>> split_heading("10^3 ρ / kg m-3")
    ('ρ', '10^-3 kg m-3')
    >>> split_heading("J/(kg K)")  # nothing but a unit
    ('', 'J/(kg K)')
    """
    text = without_latex(plain_heading(heading))
    if len(text) > LONGEST_HEADING:
        return text, ""
    text = _SUBSCRIPT.sub(r"_\1", _FOOTNOTE.sub("", with_plain_degrees(_RAISED_LETTERS.sub("", text))))
    if is_logarithm(text):
        return text, ""  # what stands in the brackets is part of the name
    text = without_deviation(text)
    if _is_only_a_unit(text):
        return "", unbracketed(text)
    dotted = _with_dots(text)
    if dotted is not None:
        return dotted
    multiplied = _multiplied_per(text)
    if multiplied is not None:
        return multiplied
    label, unit = _behind_symbol(text) or _divided(text)
    if not unit:
        label, unit = _beside_conditions(text)
    return _without_power(label, unit) or (label, unit)


def is_logarithm(heading: str) -> bool:
    """Whether a heading is a logarithm of what stands in its brackets: "log10(E/Pa)"."""
    return _LOGARITHM.match(heading) is not None


_FOOTNOTE = re.compile(
    r"(?<=[)\]}])\s*(?:[*†‡§¶#]+|\[(?:\d{1,3}|[a-z])\]|\^?[a-h](?:,[a-h])*|[¹²³⁰⁴-⁹ᵃᵇᶜᵈᵉᶠᵍ]{1,3}|[①-⑨])$|\s*[↑↓▲▼]$"
    r"|(?<=[^\W\d_])\s*[*†‡§¶]+(?=\s*[(\[])|</?(?:sub|sup|i|b|em)>"
)
"""Marks of notes behind a unit or a name: "Tg (K)*", "Tg (K) [1]", "Tg (K)¹", "Tg* (K)"; and those of HTML."""
_RAISED_LETTERS = re.compile(
    r"<sup>\s*[a-h*†‡§](?:\s*,\s*[a-h])*\s*</sup>|(?<=[^\W\d_])\^\{?[a-h](?:,\s*[a-h])*\}?(?=\s*(?:[(\[/,]|$))"
)
"""Letters of notes behind a name: "Tg^a (K)"."""
_LOGARITHM = re.compile(r"(?:log|lg|ln|lb)[\s_]*(?:10|₁₀|2|₂|e)?\s*[(\[{|]", re.IGNORECASE)
_SUBSCRIPT = re.compile(r"_\{([^\W_]{1,4})\}")


def _beside_conditions(text: str) -> tuple[str, str]:
    """Divide "E (MPa, 23 °C)" and "Tg in °C at 10 K/min": the condition stays with the name of the quantity."""
    for start, end in outermost_brackets(text):
        before, after = text[:start].strip(), text[end:].strip()
        inside = text[start + 1 : end - 1]
        found = unit_among(inside) if before and not before.endswith(_JOINING) else None
        found = found or _behind_its_symbol(before, inside)
        if found is not None and (not after or is_remark(after.strip("()[] "))):
            unit, condition = found
            beside = f"({condition})" if condition else ""
            return " ".join(part for part in (before.strip(" ,;:/_"), beside, after) if part), unit
    words = re.fullmatch(r"(.+)[\s_]+([^\W\d_]+)", text)
    if words is not None and words[2].casefold() in NO_UNITS:  # "Tg_C_exp"
        label, unit = _behind_symbol(words[1]) or _divided(words[1])
        if unit:
            return f"{label} {words[2]}", unit
    for lead in re.finditer(r"\s*[,;@]\s*|\s+(?:at|bei|à|a|en)\s+|\s+(?=[\d(\[])", text):
        condition = text[lead.end() :].strip("()[] ")
        in_brackets = text[lead.end() :].startswith(("(", "["))
        if lead.start() and not condition.isdigit() and (is_remark if in_brackets else is_condition)(condition):
            shorter = text[: lead.start()]
            label, unit = _behind_symbol(shorter) or _divided(shorter)
            if unit:
                return f"{label} ({condition})", unit
    return text, ""


def _behind_its_symbol(name: str, inside: str) -> tuple[str, str] | None:
    """Divide what stands in brackets behind the name of a property, its symbol with its unit: "(Tg/K)", "[Tg, K]"."""
    parts = re.fullmatch(r"\s*([^/,]+?)\s*[/,]\s*(\S.*)", inside)
    if parts is None or not is_unit_text(parts[2]):
        return None
    named = property_by_name(name)
    return (parts[2], "") if named is not None and property_by_name(parts[1]) is named else None


def _with_dots(text: str) -> tuple[str, str] | None:
    """Divide a heading in which every other sign became a dot, as R does: "Tg..C." and "density..g.cm3.", "Tg.K".

    What stands behind two dots and is neither a unit nor a remark is returned as the unit, for it may be one.
    """
    if "." not in text or re.search(r"[\s()\[\]{}/,;:^]", text):
        return None
    name, behind, rest = text.partition("..")
    label = re.sub(r"\.(?:in|en)$", "", re.sub(r"^X(?=\.)", "", name)).replace(".", " ").strip()
    body = re.sub(r"^[XX]?\.+|\.+$", "", rest).strip(".")
    if behind and label and body:
        if is_unit_text(body) or body in ("C", "c", "K", "k"):
            return label, body.upper() if body in ("c", "k") else body
        if re.match(r"X?10\.+\d", body):  # a power of ten that has lost its sign
            return label, body
        parted = re.sub(r"(?<=\d)\.+(?=[A-Za-z°%])", " ", body)
        among = unit_among(re.sub(r"\.{2,}", ", ", parted))
        if among is not None:
            return f"{label} ({among[1]})", among[0]
        words = body.replace("..", ", ").replace(".", " ")
        return (f"{label} ({words})", "") if is_remark(words) else (label, body)
    plain = re.sub(r"^X\.|\.+$", "", text)
    for dot in re.finditer(r"\.", plain):
        label, unit = re.sub(r"\.(?:in|en)$", "", plain[: dot.start()]).replace(".", " "), plain[dot.end() :]
        if len(label) > 1 and not is_unit_text(label) and _is_clear_unit(unit, label):
            return label, unit
    return (plain.replace(".", " "), "") if plain != text and property_by_name(plain) is not None else None


def _divided(text: str) -> tuple[str, str]:
    """Divide a heading at the first place behind which there is nothing but a unit, or take the unit out of its brackets."""
    brackets = outermost_brackets(text)
    first: tuple[str, str] | None = None  # "T_g oC" is no T in g °C
    for separator in re.finditer(r"\s*/\s*|[,;:](?:\s+|(?=[^\s\d]\S*$))|[\s_]in[\s_]|[\s_|–—-]", text):
        if any(start < separator.start() < end for start, end in brackets):
            continue
        label, unit = text[: separator.start()], text[separator.end() :]
        spelled = unit.replace("_per_", "/").replace("_", " ").strip()
        if re.search(r"(?:^|[\s(@=_])\d+(?:[.,]\d+)?\s*$", label):  # "at 25 °C (g/cm3)": a condition
            continue
        if re.search(r"[×*·⋅]\s*$|\sx\s*$", label):  # "ρ × 10^3 (kg/m3)": the power belongs to the quantity
            continue
        if not separator[0].strip(" _-") and _TIMES.match(
            unit
        ):  # "Cp x 10^-3 J/(kg K)": of the quantity, or of the unit
            continue
        if label and spelled not in DIMENSIONLESS and _is_clear_unit(spelled, label) and not _ends_like_a_unit(label):
            divided = label.strip(" ,;:/_"), spelled.upper() if spelled in ("c", "k") else unbracketed(spelled)
            if property_by_name(label) is not None:
                return divided
            first = first or divided
    if first is not None:
        return first
    for start, end in brackets:
        before, after = text[:start].strip(), text[end:].strip()
        inside = text[start + 1 : end - 1].strip()
        is_part = before.endswith(_JOINING) or after.startswith(
            _JOINING
        )  # "cm3(STP) cm/(cm2 s Pa)" holds no "cm2 s Pa"
        if _CHEMICAL.fullmatch(inside):  # "P(N2)": nitrogen, and no square newton
            continue
        if inside and not is_part and not inside.isdigit() and is_unit_text(inside) and (before or after):
            return f"{before} {after}".strip(" ,;:/_"), unbracketed(text[start:end])
    return text, ""


def _is_only_a_unit(text: str) -> bool:
    """Whether a heading names no quantity: "g/cm3"; "T/K" and "m / kg" begin with one, and "N/C" is a ratio of elements."""
    unit = unbracketed(text)
    first = re.match(r"[^\W\d_]+", unit)
    if first is None or not re.search(r"[/⁻]|[-−]\d", unit) or not is_unit_text(unit):
        return False
    if (
        is_quantity_symbol(first[0])
        or simplified(first[0]) in _TEMPERATURE_LABELS
        or property_by_name(first[0]) is not None
    ):
        return False
    return re.fullmatch(r"[A-Z][a-z]?(?:/[A-Z][a-z]?)+", unit) is None


def _behind_symbol(text: str) -> tuple[str, str] | None:
    """Divide "quantity / unit" and "quantity (unit)", where the symbol would else be read as part of the unit."""
    brackets = outermost_brackets(text)
    if brackets and brackets[-1][1] == len(text):  # "T_g (K)" is no T in g K
        label, unit = text[: brackets[-1][0]].strip(" ,;:/_"), _TIMES.sub("", unbracketed(text[brackets[-1][0] :]))
        before = text[: brackets[-1][0]].rstrip()
        is_whole = bool(label) and not before.endswith(_JOINING) and not _CHEMICAL.fullmatch(unit)
        if unit and not unit.isdigit() and is_whole and is_unit_text(unit) and not _ends_like_a_unit(label):
            return label, unit
    for slash in re.finditer(r"\s*[/／]\s*", text):
        if any(start < slash.start() < end for start, end in brackets):
            continue
        label, unit = text[: slash.start()], unbracketed(text[slash.end() :])
        if not label:
            return None
        quantity = _quantity_named(label)
        if quantity is not None:
            if (
                unit in ("1", "-", "–")
                or (unit and _is_clear_unit(unit, label))
                or (unit in "KC" and quantity.unit == "K")
            ):
                return label, unit
        elif has_unit(label.split()[-1], unit):
            return label, unit
        elif _ends_with_a_symbol(label) and slash[0] != slash[0].strip() and _is_clear_unit(unit, label):
            subscripted = "_" in label.split()[-1]
            if subscripted or re.search(r"/|[-−⁻]\s*[\d¹²³]", unit):  # a unit by itself, not the end of one
                return label, unit
    return None


def _quantity_named(label: str) -> Property | None:
    """Return the property of which a text is the name, the symbol, both, or one of these times a power of ten."""
    label = _without_powers(label)
    whole = property_by_name(label)
    if whole is not None:
        return whole
    name, _, symbol = label.rpartition(" ")
    by_symbol = property_by_name(symbol)
    if by_symbol is not None and len(symbol) > 1 and name and not is_unit_text(symbol):
        return by_symbol  # "glass transition of the film T_g"
    named = property_by_name(name)
    return named if named is not None and simplified(symbol) == simplified(named.symbol) else None


def _without_powers(label: str) -> str:
    return _POWER_BEFORE.sub("", _POWER_BEHIND.sub("", label)).strip()


def _ends_with_a_symbol(label: str) -> bool:
    """Whether the last word is one letter, or one with a subscript that is no unit: "V", "c_p", "M_w"."""
    words = _without_powers(label).split()
    found = re.fullmatch(r"[^\W\d_](?:_\{?([^\W\d_]{1,4})\}?)?", words[-1]) if words else None
    return found is not None and not (found[1] and is_unit_text(found[1]))


_EXPONENT = r"(?:\^\s*[({]?\s*([+\-−–]?\d{1,2})\s*[)}]?|([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})|([+\-−–]\d{1,2}))"
_POWER_BEFORE = re.compile(rf"^\(?\s*10{_EXPONENT}\s*[×x*·⋅]?\s*")
_POWER_BEHIND = re.compile(rf"\s*([×x*·⋅/])\s*1(?:0{_EXPONENT}|(0{{2,6}})|[eE]\+?(\d{{1,2}}))$")
_PLAIN_EXPONENT = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹−–", "+-0123456789--")


def _without_power(label: str, unit: str) -> tuple[str, str] | None:
    """Move the power of ten of "10^3 ρ / kg m-3" or "α × 10^6 (1/K)" into the unit, where it is the inverse.

    The number in a cell is the quantity times that power, divided by the unit. Where the power is negative some mean the
    power of the unit instead, so that a heading with one is left as it is, except behind a slash, which ISO 80000-1 defines.
    """
    found = _POWER_BEFORE.search(label) or _POWER_BEHIND.search(label)
    if found is None or not is_unit_text(unit) or re.match(r"\s*10\b", unit):
        return None
    exponents = [group for group in found.groups() if group and group not in _MARKS]
    exponent = (
        len(exponents[0]) if re.fullmatch(r"0{2,6}", exponents[0]) else int(exponents[0].translate(_PLAIN_EXPONENT))
    )
    rest = (label[: found.start()] + label[found.end() :]).strip(" ()")
    if not rest or exponent <= 0 or _quantity_named(rest) is None:
        return None
    return rest, f"10^{exponent if '/' in found.groups() else -exponent} {unit}"


_MULTIPLIED_PER = re.compile(
    rf"(?P<label>.+?)\s*[×x*·⋅]\s*(?:10{_EXPONENT}|1[eE]\+?(?P<e>\d{{1,2}}))\s*(?:1\s*)?/\s*(?P<unit>K|°[CF])"
)


def _multiplied_per(text: str) -> tuple[str, str] | None:
    """Divide "CTE x10^6 /K": the quantity times a power of ten, per kelvin. A negative power may be that of the unit."""
    found = _MULTIPLIED_PER.fullmatch(text)
    if found is None or property_by_name(found["label"]) is None or not is_unit_text(found["unit"]):
        return None
    exponent = int(next(group for group in found.groups()[1:] if group).translate(_PLAIN_EXPONENT))
    return (found["label"], f"10^{-exponent} 1/{found['unit']}") if exponent > 0 else None


_TIMES = re.compile(r"^[×x*]\s*(?=10)")  # "(× 10^-6 1/K)": in brackets it can only belong to the unit
_MARKS = ("×", "x", "*", "·", "⋅", "/")
_CHEMICAL = re.compile(r"(?=.*\d)(?:[A-Z][a-z]?\d*)+")
_JOINING = ("/", "*", "·", "⋅", "^")


def _ends_like_a_unit(label: str) -> bool:
    """Whether the words before a unit are units as well, so that it is only a part: "cm3(STP) cm" before "/(cm2 s Pa)".

    A mere word such as "V" or "K" may be the symbol of the quantity; a unit that is written with figures or marks is none.
    """
    words = label.split()[1:]
    for word in reversed(words):
        plain = re.sub(r"\([A-Za-z]+\)$", "", word)  # a condition: "cm3(STP)"
        if not plain or plain.endswith((",", ";", ":")) or not is_unit_text(plain):
            return False
        if re.search(r"[\d/^*²³⁻]", plain):
            return True
    return False


def _is_temperature(label: str) -> bool:
    """Whether a label names a temperature, by itself or with other words: "Tg exp", "onset temperature", "Td5"."""
    named = property_by_name(label)
    if named is not None:
        return named.unit == "K"
    words = re.split(r"[\s_\-./]+", label)
    return any(_TEMPERATURE_WORD.fullmatch(word) or simplified(word) in _TEMPERATURE_LABELS for word in words)


_TEMPERATURE_WORD = re.compile(
    r"T_?(?:[a-z]|\d{1,2})(?:[a-z]|\d{1,2})?%?|\w*temperatur[ea]?|\w*température|\w*温度|\w*온도|HDT|UCST|LCST"
)


def _is_clear_unit(text: str, label: str) -> bool:
    """Whether a text without brackets is certainly a unit; single letters can be anything but kelvin and percent."""
    if len(text) == 1:
        return text in "%Å℃" or (text in "KCFkc" and _is_temperature(label))
    if text.isalpha():
        return in_symbols(text) in _UNITS_WITHOUT_BRACKETS or is_word_for_degrees(
            text
        )  # "Cp_min" is no time, "n_mol" no amount
    return is_unit_text(text)
