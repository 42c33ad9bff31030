"""Texts that a spreadsheet would run as formulas: protected where tables are written, and read back as they were."""

import re

_FORMULA_START = re.compile(r"\s*[=+\-@\t\r]|\s*[＝＋－＠]")
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?")


def neutralised(text: str) -> str:
    """Protect a text from being run as a formula: a leading apostrophe, which :func:`restored` takes off again.

    Texts that begin with apostrophes before such a character get one more, so that restoring is exact. Numbers stay.

    >>> neutralised("=1+1"), neutralised("-5.2"), neutralised("'=x")
    ("'=1+1", '-5.2', "''=x")
    """
    bare = text.lstrip("'")
    if _FORMULA_START.match(bare) and not (bare == text and _NUMBER.fullmatch(text.strip())):
        return "'" + text
    return text


def restored(text: str) -> str:
    """Undo :func:`neutralised`."""
    if text.startswith("'"):
        bare = text.lstrip("'")
        if _FORMULA_START.match(bare):
            return text[1:]
    return text
