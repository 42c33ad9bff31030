"""Cells that begin like a number and are none: limits, dates and times."""

import re

_LIMIT = re.compile(r"(?:[<>≤≥]=?|bis zu|up to|over|under|above|below)\s*(?=[\d.,+-])", re.IGNORECASE)
_MONTHS = (
    r"(?:jan|ene|gen|feb|fév|fev|mar|mär|mrz|apr|abr|avr|may|mai|mag|jun|juin|giu|jul|juil|lug|aug|ago|aoû|sep|set|oct|okt"
    r"|out|ott|nov|dec|dez|dic|déc)[^\W\d_]*\.?"
)
_TIME = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s*[ap]\.?m\.?)?"
_DATE = re.compile(
    rf"(?:1[5-9]|20)\d\d-\d\d?-\d\d?(?:[ T]{_TIME}(?:Z|[+-]\d\d:?\d\d)?)?|(?:1[5-9]|20)\d\d[./]\d{{1,2}}[./]\d{{1,2}}"
    rf"|(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.|\d{{1,2}}[./-]\d{{1,2}}[./-](?:(?:1[5-9]|20)\d\d|\d\d)(?:\s+{_TIME})?"
    rf"|(?:\d{{4}}\s*[年년]\s*)?\d{{1,2}}\s*[月월](?:\s*\d{{1,2}}\s*[日일])?"
    rf"|\d{{1,2}}[.\- /]+{_MONTHS}(?:[\- /,]+\d{{2,4}})?|{_MONTHS}[\- /]+\d{{1,4}}(?:,\s*\d{{4}})?",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    rf"(?:\d+ days?,\s*)?(?:{_TIME}|\d{{1,3}}:\d{{2}}:\d{{2}}(?:[.,]\d+)?)|P(?:\d+D)?T[\dHMS.,]+", re.IGNORECASE
)

_RAISED_POINT_OR_POWER = re.compile(r"([+-]?\d+)[·⋅]10(\d{1,2})(?![\d.,])")


def why_no_number(text: str) -> str:
    """Say why a cell is no number although it looks like one, as the end of a sentence; "" where nothing speaks against it.

    >>> why_no_number("1:30")
    'is a time of day; spreadsheets make times of numbers and ratios with a colon: write the number'
    """
    if _LIMIT.match(text):
        return "is a limit, not a value"
    raised = _RAISED_POINT_OR_POWER.match(text)
    if raised:
        whole, behind = raised.groups()
        return f"may be {whole}.10{behind} or {whole}×10^{behind}: write it with a point, or with ^"
    if _CLOCK.fullmatch(text):
        return "is a time of day; spreadsheets make times of numbers and ratios with a colon: write the number"
    if _DATE.fullmatch(text):
        return "is a date; spreadsheets make dates of numbers such as 1.18: write the number"
    return ""


def limited(text: str) -> str:
    """Return what a limit limits: "5" of "<5"; another text as it is."""
    return _LIMIT.sub("", text, count=1) if _LIMIT.match(text) else text
