"""Texts that a spreadsheet would run as formulas: protected where tables are written, and read back as they were."""

import re

# Characters without a width stand for nothing: what comes after them is what somebody sees, and may copy.
_FORMULA_START = re.compile("[\\s\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]*[=+\\-@\t\r＝＋－＠]")
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?")


_TEXT_FORMULA = re.compile(r'=?\s*"((?:[^"]|"")*)"')


def as_shown(text: str) -> str:
    """Return what a spreadsheet shows for a formula that is nothing but a text, by which programs keep leading zeros.

    >>> as_shown('="0012"'), as_shown("=A1")
    ('0012', '=A1')
    """
    found = _TEXT_FORMULA.fullmatch(text)
    return text if found is None else found[1].replace('""', '"').strip()


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


def pasted_cell(text: str) -> str:
    r"""Return a text as one cell of tab-separated lines that are pasted into a spreadsheet, and run there as nothing.

    >>> pasted_cell("two\tcells"), pasted_cell("=1+1")
    ('two cells', "'=1+1")
    """
    safe = neutralised(" ".join(text.split()))  # a tab or a line break would shift the columns
    # Behind a quotation mark at its beginning a cell would go on until the next one, over tabs and lines.
    return '"' + safe.replace('"', '""') + '"' if safe.startswith('"') else safe


def restored(text: str) -> str:
    """Undo :func:`neutralised`."""
    if text.startswith("'"):
        bare = text.lstrip("'")
        if _FORMULA_START.match(bare):
            return text[1:]
    return text
