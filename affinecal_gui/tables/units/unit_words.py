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
}
_WORD = re.compile(
    rf"(?<![A-Za-z])(?:(square|cubic)\s+)?({'|'.join(sorted(_WORDS, key=len, reverse=True))})"
    r"(?:\s+(squared|cubed))?(?![A-Za-z])",
    re.IGNORECASE,
)
_POWERS = {"square": "^2", "squared": "^2", "cubic": "^3", "cubed": "^3"}

_OF_INCHES = re.compile(r"lb|oz|btu|ft|psi|\bin\s*/\s*in\b", re.IGNORECASE)
_INCH = re.compile(r"(?<![A-Za-z])in(?:\.|\b|(?=\d))", re.IGNORECASE)


def in_symbols(text: str) -> str:
    """Write the units of a text as symbols, where they stand as words, in Cyrillic letters or in inches.

    >>> in_symbols("кДж/(кг К)"), in_symbols("gram per cubic centimetre"), in_symbols("lb/in3"), in_symbols("in degC")
    ('kJ/(kg K)', 'gram per cm^3', 'lb/inch3', 'in degC')
    """
    if not text.isascii():
        text = _CYRILLIC_WORD.sub(lambda found: _CYRILLIC.get(found[0], found[0]), text)
    text = _WORD.sub(_symbol, text)
    # "in" is mostly a word, as in "Tg in °C": it is an inch only beside units of its kind.
    return _INCH.sub("inch", text) if _OF_INCHES.search(text) else text


def _symbol(found: re.Match[str]) -> str:
    symbol = _WORDS[found[2].casefold()]
    power = found[1] or found[3]
    return symbol + (_POWERS[power.casefold()] if power else "")
