"""The temperature at which values hold, where a heading or a line above the table states it: "Cp at 450 K", "T = 25 °C"."""

import re
from functools import lru_cache

from affinecal_gui.tables.headings.stated_amounts import NO_RATE, OF_HISTORY, as_prose, the_only

ZERO_CELSIUS = 273.15  # K

_SAME = 0.5  # K

_NUMBER = r"(?:(?<![^\W])[-−–])?\d+(?:[.,]\d+)?"
_CELSIUS = r"[°º˚]\s*C|℃|deg\.?\s*C|celsius|C(?![-=#])"
_SCALE = rf"(?:(?P<kelvin>K|kelvin)|(?P<fahrenheit>[°º]\s*F|fahrenheit)|(?P<celsius>{_CELSIUS}))"
_STATED = re.compile(
    rf"(?:(?<![\w.,^+])|(?<=[a-zA-Z])(?=\d\d\d))(?P<number>{_NUMBER})\s*{_SCALE}{NO_RATE}", re.IGNORECASE
)
_RANGE = re.compile(
    r"\d\s*(?:[°º˚]\s*[CF]|K|℃)?\s*(?:[-−–—~]|to|bis|\.\.\.?|…)\s*\d+(?:[.,]\d+)?\s*(?:[°º˚]\s*[CF]|K\b|℃)"
)
_QUICK = re.compile(r"\d\s*[Kk°º˚℃CcFfdD]")  # what every temperature holds; most texts do not
_INTRODUCED = re.compile(
    r"(?:\b(?:at|bei|à|a|en|@)\s*|@\s*|\b(?:T|temp\.?|temperature|temperatur|température|temperatura)\s*[=:]\s*)$",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def temperature_in_heading(heading: str) -> float:
    """Return the one temperature that a heading states, K; nan where it states none, several, or a range.

    >>> temperature_in_heading("Cp at 450 K (J/(kg K))"), round(temperature_in_heading("density_25C"), 2)
    (450.0, 298.15)
    >>> temperature_in_heading("Tg (DSC, 10 K/min)"), temperature_in_heading("CTE 25-100 °C"), temperature_in_heading("T (K)")
    (nan, nan, nan)
    >>> temperature_in_heading("Cp (annealed at 450 K)"), temperature_in_heading("Cp at 300 K (annealed at 450 K)")
    (nan, 300.0)
    """
    text = as_prose(heading)
    return the_only([kelvin for kelvin, start in _all(text) if not OF_HISTORY.search(text[:start])], _SAME)


def temperature_in_line(text: str) -> float:
    """Do as :func:`temperature_in_heading` with a line of prose, where words introduce what counts: "at 450 K"."""
    stated = _all(text)
    is_introduced = any(_INTRODUCED.search(text[:start]) for _, start in stated)
    return (
        the_only([kelvin for kelvin, _ in stated], _SAME)
        if is_introduced and not OF_HISTORY.search(text)
        else float("nan")
    )


def may_state_temperature(text: str) -> bool:
    """Whether a text is worth a closer look; most are not."""
    return _QUICK.search(text) is not None


def _all(text: str) -> list[tuple[float, int]]:
    if not may_state_temperature(text) or _RANGE.search(text):
        return []
    return [(_kelvin(found), found.start("number")) for found in _STATED.finditer(text)]


def _kelvin(found: "re.Match[str]") -> float:
    number = float(found["number"].replace(",", ".").replace("−", "-").replace("–", "-"))
    if found["kelvin"]:
        return number
    return ZERO_CELSIUS + ((number - 32.0) / 1.8 if found["fahrenheit"] else number)
