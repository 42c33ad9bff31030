"""Headings as programs write them out: with marks of HTML, or as the tuples of several levels of a pandas table."""

import html
import re

_LINE_BREAKS = re.compile(r"<\s*br\s*/?\s*>|\\[nr](?![A-Za-z])", re.IGNORECASE)
_LEVELS = re.compile(r"""\(\s*(?:(?:'[^']*'|"[^"]*")\s*,?\s*){2,}\)""")
_LEVEL = re.compile(r"""'([^']*)'|"([^"]*)\"""")
_NO_LEVEL = re.compile(r"Unnamed: .*|\s*")


_EMPHASIS = re.compile(r"""^(\*{1,3}|_{1,2}|`|["“„'‘’])(?=[^\W_])(.*[^*_`"”“'’\s])(?:\1|["”“'’])$""")
"""A heading in the marks of Markdown, or in quotation marks: "**Tg (K)**"."""


_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
"""Letters, figures and brackets as wide as Chinese and Japanese signs -> those of ASCII."""


def plain_heading(heading: str) -> str:
    """Return a heading without marks of HTML, its blanks single; the last level of several stands in brackets.

    >>> plain_heading("Tg<br>(&deg;C)"), plain_heading("('Tg', '°C')"), plain_heading("('smiles', '')")
    ('Tg (°C)', 'Tg (°C)', 'smiles')
    """
    text = _EMPHASIS.sub(r"\2", heading.translate(_FULL_WIDTH).strip())
    if "&" in text and ";" in text:
        text = html.unescape(text)
    text = _LINE_BREAKS.sub(" ", text) if "<" in text or "\\" in text else text
    if text[:1] == "(" and _LEVELS.fullmatch(text.strip()):
        levels = ["".join(found) for found in _LEVEL.findall(text)]
        levels = [level for level in levels if not _NO_LEVEL.fullmatch(level)]
        text = " ".join((*levels[:-1], f"({levels[-1].strip('()[] ')})")) if len(levels) > 1 else "".join(levels)
    return " ".join(text.split())
