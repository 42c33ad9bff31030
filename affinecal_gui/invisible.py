"""Characters that take no room on the screen: they come along from web pages, PDF files and joined files, and mean nothing.

Two texts that look alike must be alike, or a polymer is not found by its id; and some fonts cannot draw them.
"""

import re

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u2060-\u2064\ufeff"  # soft hyphen, fillers, joiners, byte order mark
    "\u200b-\u200f\u061c\u202a-\u202e\u2066-\u206f\ufe00-\ufe0f]"  # zero width, marks of direction, variation selectors
)
_HYPHEN = re.compile("\u00ad(?=\\.?\\d)")


def without_invisible(text: str) -> str:
    """Return a text without the characters that cannot be seen.

    A soft hyphen before a digit stays as a hyphen: PDF files have it where a minus sign or the hyphen of a range is seen.

    >>> without_invisible("\ufeffP1\u200b"), without_invisible("\u00ad1.5"), without_invisible("poly\u00admer")
    ('P1', '-1.5', 'polymer')
    """
    if text.isascii():
        return text
    return _INVISIBLE.sub("", _HYPHEN.sub("-", text))
