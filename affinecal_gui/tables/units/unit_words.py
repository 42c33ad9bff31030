"""Units as words, in Cyrillic letters and in inches -> the symbols of unit_symbols."""

import re

_CYRILLIC: dict[str, str] = {
    "кг": "kg",
    "г": "g",
    "мг": "mg",
    "т": "t",
    "м": "m",
    "дм": "dm",
    "см": "cm",
    "мм": "mm",
    "мкм": "um",
    "нм": "nm",
    "л": "L",
    "мл": "mL",
    "с": "s",
    "ч": "h",
    "мин": "min",
    "моль": "mol",
    "кмоль": "kmol",
    "К": "K",
    "С": "degC",
    "Дж": "J",
    "кДж": "kJ",
    "МДж": "MJ",
    "кал": "cal",
    "ккал": "kcal",
    "Вт": "W",
    "мВт": "mW",
    "кВт": "kW",
    "Па": "Pa",
    "кПа": "kPa",
    "МПа": "MPa",
    "ГПа": "GPa",
    "атм": "atm",
    "бар": "bar",
    "Н": "N",
    "кН": "kN",
    "мН": "mN",
    "Гц": "Hz",
    "кГц": "kHz",
    "МГц": "MHz",
    "ГГц": "GHz",
    "град": "K",
    "кгс": "kgf",
    "сек": "s",
    "МН": "MN",
    "мкВт": "uW",
}
_CYRILLIC_WORD = re.compile(r"(?<![A-Za-zА-яЁё])[А-яЁё]+(?![A-Za-zА-яЁё])")

_WORDS: dict[str, str] = {
    **dict.fromkeys(("metre", "meter", "metres", "meters"), "m"),
    **dict.fromkeys(("centimetre", "centimeter", "centimetres", "centimeters"), "cm"),
    **dict.fromkeys(("millimetre", "millimeter", "millimetres", "millimeters"), "mm"),
    **dict.fromkeys(("decimetre", "decimeter"), "dm"),
    **dict.fromkeys(("watt", "watts"), "W"),
    **dict.fromkeys(("litre", "liter", "litres", "liters"), "L"),
    **dict.fromkeys(("millilitre", "milliliter"), "mL"),
    **dict.fromkeys(("kilograms", "kilogramme", "kilogrammes"), "kg"),
    **dict.fromkeys(("gramme", "grammes"), "g"),
    **dict.fromkeys(("kilojoule", "kilojoules"), "kJ"),
    **dict.fromkeys(("megapascal", "megapascals"), "MPa"),
    **dict.fromkeys(("gigapascal", "gigapascals"), "GPa"),
    "kelvin": "K",
    **dict.fromkeys(("sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("hour", "hours", "hrs"), "h"),
    **dict.fromkeys(("pound", "pounds", "lbs", "lbm"), "lb"),
    **dict.fromkeys(("foot", "feet"), "ft"),
    **dict.fromkeys(("inch", "inches"), "inch"),
    **dict.fromkeys(("microinch", "microinches", "micro-inch", "µin", "μin", "uin"), "uinch"),
    **dict.fromkeys(("gallon", "gallons"), "gal"),
    **dict.fromkeys(("ounce", "ounces"), "oz"),
    "pcf": "lb/ft^3",
    "pci": "lb/inch^3",
    "ppg": "lb/gal",
}

_WORD = re.compile(
    rf"(?<![A-Za-z])(?:(square|cubic)\s+)?({'|'.join(sorted(_WORDS, key=len, reverse=True))})"
    r"(?:\s+(squared|cubed))?(?![A-Za-z])",
    re.IGNORECASE,
)
_POWERS = {
    **dict.fromkeys(("square", "squared", "sq", "sq."), "^2"),
    **dict.fromkeys(("cubic", "cubed", "cu", "cu."), "^3"),
}
_SHORT_POWER = re.compile(r"(?<![A-Za-z])(sq\.?|cu\.?)\s*(inch|in|ft|cm|mm|m|yd)(?![A-Za-z])\.?", re.IGNORECASE)
_OF_THE_STATES = re.compile(r"(?<![A-Za-z])U\.?S\.?\s*(?=gal)|(?<=gal)\s*\(U\.?S\.?\)")

_OF_INCHES = re.compile(r"lb|oz|btu|ft|psi|kip|inch|\bin\.?\s*/\s*in\b", re.IGNORECASE)
_INCH = re.compile(r"(?<![A-Za-z])in(?:\.|\b|(?=[\d⁰¹²³⁴-⁹⁻]))", re.IGNORECASE)


def in_symbols(text: str) -> str:
    """Write the units of a text as symbols, where they stand as words, in Cyrillic letters or in inches.

    >>> in_symbols("кДж/(кг К)"), in_symbols("gram per cubic centimetre"), in_symbols("lb/in3"), in_symbols("in degC")
    ('kJ/(kg K)', 'gram per cm^3', 'lb/inch3', 'in degC')
    """
    if not text.isascii():
        text = _CYRILLIC_WORD.sub(lambda found: _from_cyrillic(found[0]), text)
    text = _SHORT_POWER.sub(lambda found: f"{found[2].rstrip('.')}{_POWERS[found[1].casefold()]}", text)
    text = _WORD.sub(_symbol, _OF_THE_STATES.sub("", text))
    # "in" is mostly a word, as in "Tg in °C": it is an inch only beside units of its kind.
    return _INCH.sub("inch", text) if _OF_INCHES.search(text) else text


def _from_cyrillic(word: str) -> str:
    """Return the symbol of a word, or those of the two that it is made of: "Вт", "мК" for metre times kelvin."""
    if word in _CYRILLIC:
        return _CYRILLIC[word]
    for end in range(len(word) - 1, 0, -1):
        if word[:end] in _CYRILLIC and word[end:] in _CYRILLIC:
            return f"{_CYRILLIC[word[:end]]}*{_CYRILLIC[word[end:]]}"
    return word


def _symbol(found: re.Match[str]) -> str:
    symbol = _WORDS[found[2].casefold()]
    power = found[1] or found[3]
    return symbol + (_POWERS[power.casefold()] if power else "")
