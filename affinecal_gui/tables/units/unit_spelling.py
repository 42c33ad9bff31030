"""The many ways in which people type a unit -> one way: signs of every keyboard, words for degrees, powers of ten, roots."""

import re
import unicodedata

from affinecal_gui.tables.units.unit_words import in_symbols

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_DEGREE_SIGNS = "°º˚ᵒ∘○◦ᴼₒ⁰゜ﾟ"
_DEGREE_WORDS = (  # a sign is never followed by one of these
    r"degrees?|degs?\.?|degr\.?|grad\.?|gr\.|grados?|graus?|gradi|grado|degrés?|degres?|度"
    r"|st\.|stopni[ea]?|stopień|град(?:ус(?:ы|ов|ах)?)?\.?"
)
_LETTERS = {"c": "C", "f": "F", "k": "K", "С": "C", "с": "C", "К": "K", "Ｃ": "C", "Ｋ": "K", "Ｆ": "F", "\u212a": "K"}
_SCALE_WORDS: dict[str, str] = {
    **dict.fromkeys(("celsius", "celcius", "centigrade", "centigrades", "centígrados", "centigrados"), "degC"),
    **dict.fromkeys(("centígrados", "centigradi", "centígrado", "centigrado", "cel", "cels."), "degC"),
    **dict.fromkeys(
        ("摄氏度", "摄氏", "攝氏度", "攝氏", "摂氏度", "摂氏", "セルシウス度", "セ氏", "섭씨도", "섭씨"), "degC"
    ),
    **dict.fromkeys(("kelvin", "kelvins", "开尔文", "开", "开氏度", "開爾文", "ケルビン", "켈빈", "絶対温度"), "K"),
    **dict.fromkeys(("fahrenheit", "华氏度", "华氏", "華氏", "華氏度", "화씨"), "degF"),
    **dict.fromkeys(("rankine",), "degR"),
    **dict.fromkeys(("цельсий", "цельсия", "цельсию", "celsjusza", "celsjusz"), "degC"),
    **dict.fromkeys(("кельвин", "кельвина", "кельвины"), "K"),
}
_MISREAD = {
    "Â°": "°",
    "Âº": "°",
    "Âµ": "µ",
    "Â³": "³",
    "Â²": "²",
    "Â·": "·",
    "Î¼": "µ",
    "â„ƒ": "°C",
    "\\u00b0": "°",
    "\\xb0": "°",
}
"""UTF-8 that a program has read as Latin-1 and saved again, and escapes that nobody has read."""

_SIGNED_SCALE = re.compile(
    rf"(?:(?:\^\s*\{{?\s*)?[{_DEGREE_SIGNS}]\s*\}}?\s*|\^\s*\{{?\s*[oO0]\s*\}}?\s*)"
    r"([CFKcfkСсКＣＫＦ\u212a])(?![A-Za-z])"
    r"|(?<![A-Za-z])[oO]\s?([CFK])(?![A-Za-z])"
)
_SIGN_BEFORE_WORD = re.compile(
    rf"[{_DEGREE_SIGNS}]\s*(?=(?:celsius|celcius|cel|fahrenheit|centigrade|kelvin)\b)", re.IGNORECASE
)
_TURNED_SCALE = re.compile(r"(?<![^\W_])([CF])\s*(?:[°º˚∘](?![CFKcfk])|\s[\s._-]*(?:degrees?|deg\.?)(?![^\W_]))")
_WORDED_SCALE = re.compile(rf"(?<![^\W_])(?:{_DEGREE_WORDS})[\s._-]*([CFKcfkСК])(?![^\W_\d])", re.IGNORECASE)
_WORDS = re.compile(
    rf"(?:(?<![^\W_])(?:{_DEGREE_WORDS})[\s._]*)?(?<![^\W_])("
    + "|".join(sorted(map(re.escape, _SCALE_WORDS), key=len, reverse=True))
    + r")(?![^\W_\d])",
    re.IGNORECASE,
)


def with_plain_degrees(text: str) -> str:
    """Write the scales of temperature of a text as °C, °F and K, however they are spelled.

    >>> with_plain_degrees("Tg (ºC)"), with_plain_degrees("Tg, oC"), with_plain_degrees("Tg [deg. C]")
    ('Tg (°C)', 'Tg, °C', 'Tg [°C]')
    >>> with_plain_degrees("Tg in Grad Celsius"), with_plain_degrees("Tg (degrés Celsius)")
    ('Tg in °C', 'Tg (°C)')
    """
    for wrong, right in _MISREAD.items():
        if wrong in text:
            text = text.replace(wrong, right)
    text = text.replace("℃", "°C").replace("℉", "°F")
    text = _TURNED_SCALE.sub(lambda found: f"°{found[1].upper()}", text)
    text = _SIGN_BEFORE_WORD.sub("", text)
    text = _SIGNED_SCALE.sub(_scale, text)
    text = _WORDED_SCALE.sub(_scale, text)
    text = _WORDS.sub(lambda found: _shown(_SCALE_WORDS[found[1].casefold()]), text)
    if text in _LETTERS and not text.isascii():
        return _LETTERS[text]
    return re.sub("\u212a|(?<![А-яё])К(?![А-яё])", "K", text)


def _scale(found: re.Match[str]) -> str:
    typed = next(group for group in found.groups() if group)
    letter = _LETTERS.get(typed, typed)
    return "K" if letter == "K" else f"°{letter}"


def _shown(name: str) -> str:
    return name.replace("deg", "°") if name in ("degC", "degF") else name


def is_word_for_degrees(text: str) -> bool:
    """Whether a single word is a scale of temperature: "Celsius", "kelvin", "degC", "摄氏度"."""
    return with_plain_degrees(text) in ("°C", "°F", "K") and len(text) > 1


_PASCALS = re.compile(r"(?<![A-Za-z])(m|M|g|G|k|K|h)(pa|PA|Pa)(?![A-Za-z])(?P<time>[\s*]*s\b)?")
_OF_THE_WEIGHT = re.compile(
    r"(?:wt|weight|mass|gew|m)\.?\s*-?\s*%|%\s*\(?(?:w/w|m/m|by weight|by mass)\)?|%\s*\(?(?:wt|mass)\.?\)?$",
    re.IGNORECASE,
)


def _pascals(found: re.Match[str]) -> str:
    """Write a unit of pressure in its usual letters: "Mpa", "MPA" and "mpa" mean MPa, but "mpa s" of a viscosity mPa s."""
    prefix, time = found[1], found["time"] or ""
    if found[2] == "Pa":
        return f"{'k' if prefix == 'K' else 'G' if prefix == 'g' else prefix}Pa{time}"
    if prefix in "mM":
        return f"{'m' if time and prefix == 'm' else 'M'}Pa{time}"
    return f"{'G' if prefix in 'gG' else prefix.lower()}Pa{time}"


_STP = r"(?<=\d)\s*[(_\[{]?\s*(?:STP|NTP)\s*[)\]}]?"
_POWER = (
    r"(?:10\s*(?:\^\s*[({]?\s*([+-]?\d{1,3})\s*[)}]?|([+-]\d{1,3}))"
    r"|1(?:\.0*)?[eE]([+-]?\d{1,3})|(?<![\w.])[eE]([+-]\d{1,3}))"
)
_POWER_BEFORE = re.compile(
    rf"^\s*(?:[*x]\s*)?(?:1\s*[*x]\s*)?{_POWER}(?:\s*[*x]\s*|\s+|(?=[A-Za-z/(°%µ]))(?:1\s*(?=/))?"
)
_POWER_BEHIND = re.compile(rf"(?:\s*[*]\s*|\s+x\s*){_POWER}\s*$")
_ROOT = r"\s*(?:\^\s*(?:[({]\s*(?:1/2|0?[.,]5)\s*[)}]|1/2|0?[.,]5)|½)"


_SQUARES = {
    ord(sign): unicodedata.normalize("NFKC", sign)
    for sign in map(chr, (*range(0x3380, 0x33E0), *range(0x3371, 0x337B)))
}
"""Units that are one sign in Japanese, Chinese and Korean texts: ㎤, ㎏, ㎫."""


def plainly_spelled(written: str) -> str:
    """Write a unit with plain signs: ``*`` and ``/``, ``^`` before powers, a power of ten as ``1e-5*`` in front.

    >>> plainly_spelled("×10⁻⁵ K⁻¹"), plainly_spelled("10-7 m2/s"), plainly_spelled("1E-6/K"), plainly_spelled("MPa½")
    ('1e-5*K^-1', '1e-7*m2/s', '1e-6/K', 'MPa^0.5')
    """
    text = (
        in_symbols(with_plain_degrees(written.translate(_SQUARES)))
        .replace("（", "(")
        .replace("）", ")")
        .replace("／", "/")
    )
    text = re.sub(r"°\s*([CF])(?![A-Za-z])", r"deg\1", text)
    text = re.sub(r"([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda found: "^" + found[1].translate(_SUPERSCRIPTS), text)
    text = re.sub(r"[·⋅•∙×＊・･]", "*", text).replace("−", "-").replace("–", "-").replace("**", "^").replace("⁄", "/")
    text = re.sub(rf"{_ROOT}", "^0.5", text)
    text = re.sub(r"(?<=[A-Za-z)])\s*1/2(?![\d.])", "^0.5", text)  # "MPa1/2"
    text = re.sub(r"√\s*\(?([A-Za-z]+)\)?", r"\1^0.5", text)
    text = re.sub(r"\bsqrt\s*\(([^()]*)\)", r"(\1)^0.5", text)
    text = re.sub(r"\^\s*\{\s*([+-]?\d+(?:\.\d+)?)\s*\}|\^\s*\(\s*([+-]?\d+(?:\.\d+)?)\s*\)", _braced, text)
    text = re.sub(r"\^\s*\(?\s*-\s*(?:1/2)\s*\)?", "^-0.5", text)
    text = re.sub(r"\^\s*\(?\s*(-?)3/2\s*\)?", r"^\g<1>1.5", text)
    text = re.sub(r"\b[Pp]er\b", "/", text)
    text = re.sub(r"^(deg[CF]|K)\.$", r"\1", text)
    text = re.sub(r"^(k?g)_?(c?m)\^?-?3$", r"\1/\2^3", text)  # "density_gcm3", as names of variables have it
    text = re.sub(r"^gcc$", "g/cc", text)
    text = _PASCALS.sub(_pascals, text)
    text = _OF_THE_WEIGHT.sub("wt%", text)
    text = re.sub(rf"\bcm\^?3{_STP}", " cmSTP ", text).strip()
    return _with_leading_power(text)


_DEGREES_OF_KELVIN = re.compile(r"(?<![A-Za-z])(?:deg|°)\.?(?![A-Za-z°])")
_OF_ENGINEERS = re.compile(r"btu|lb|ft|inch|psi", re.IGNORECASE)
_FAHRENHEIT = re.compile(r"(?<![A-Za-z])F(?![A-Za-z])")
_RANKINE = re.compile(r"(?<![A-Za-z])R(?![A-Za-z])")


def in_kelvin(plain: str) -> str:
    """Return a compound unit, plainly spelled, in which a mere degree is one of temperature; other units as they are.

    Beside pounds, feet and inches F and R are the degrees of Fahrenheit and Rankine.

    >>> in_kelvin("cal/(g*deg)"), in_kelvin("Btu/(lb*F)"), in_kelvin("deg")
    ('cal/(g*K)', 'Btu/(lb*degF)', 'deg')
    """
    if not re.search(r"[/*^\s-]", plain):
        return plain
    if _OF_ENGINEERS.search(plain):
        return _RANKINE.sub("degR", _FAHRENHEIT.sub("degF", plain))
    return _DEGREES_OF_KELVIN.sub("K", plain)


def _braced(found: re.Match[str]) -> str:
    return "^" + (found[1] or found[2])


def _with_leading_power(text: str) -> str:
    found = _POWER_BEFORE.match(text)
    if found is not None:
        rest = text[found.end() :]
    else:
        found = _POWER_BEHIND.search(text)
        if found is None:
            return text
        rest = text[: found.start()]
    rest = re.sub(r"^1\s*(?=/)", "", rest.strip())
    if not rest or not re.match(r"[A-Za-z/(°%µ]", rest):
        return text
    exponent = int(next(group for group in found.groups() if group))
    if exponent > 0 and not text.startswith(found[0]):
        return (
            text  # "cm²/s × 10⁸": times 10⁸ as a unit, or numbers that were multiplied by 10⁸, a factor of 10¹⁶ apart
        )
    return f"1e{exponent}{'' if rest.startswith('/') else '*'}{rest}"
