"""Which ids of two tables are one id: spreadsheets, databases and people write 1, 1.0, 0001, PI1, "PI 1" and pi_001."""

import re
import unicodedata
from collections.abc import Iterable

_DASHES = re.compile("[‐‑‒–—−]")
_WHOLE = re.compile(r"(\d{1,18})[.,]0{1,2}")
_NUMBERED = re.compile(r"(?:#\s*)?(?:([^\W\d_]+)[\s_.\-]*)?(\d{1,18})")
_KEY = re.compile(r"(\D*)(\d+)")


def same_id(text: str) -> str:
    """Return an id as it is in every program: in lower case, blanks and dashes alike, whole numbers without a point.

    >>> same_id(" PI  1"), same_id("1.0"), same_id("0001")
    ('pi 1', '1', '0001')
    """
    plain = " ".join(_DASHES.sub("-", unicodedata.normalize("NFKC", text)).casefold().split())
    whole = _WHOLE.fullmatch(plain)
    return whole[1] if whole else plain


def id_key(text: str) -> str:
    """Return what ids of different tables have in common where they are one id: letters and number, however written.

    Ids that are more than letters followed by a number are texts, and stay so.

    >>> id_key("PI 1"), id_key("pi_001"), id_key("0001"), id_key("1-2"), id_key("10E5")
    ('pi1', 'pi1', '1', '1-2', '10e5')
    """
    plain = same_id(text)
    parts = _NUMBERED.fullmatch(plain)
    return f"{parts[1] or ''}{int(parts[2])}" if parts else plain


def shared_letters(keys: Iterable[str]) -> str | None:
    """Return the letters before the numbers of all numbered ids of a table; None where they differ or there are none."""
    found = {parts[1] for key in keys if (parts := _KEY.fullmatch(key))}
    return found.pop() if len(found) == 1 else None
