"""Where the brackets of a heading begin and end."""

from collections.abc import Mapping

_BRACKETS: Mapping[str, str] = {
    "[": "]",
    "(": ")",
    "{": "}",
    "（": "）",
    "【": "】",
    "［": "］",
    "<": ">",
    "〔": "〕",
    "『": "』",
    "〈": "〉",
}


def outermost_brackets(text: str) -> list[tuple[int, int]]:
    """Return where the brackets begin and end that stand in no others; a bracket that is never closed counts as none.

    >>> outermost_brackets("Cp [J/(kg K)]")
    [(3, 13)]
    """
    found: list[tuple[int, int]] = []
    position = 0
    while position < len(text):
        end = _closing(text, position) if text[position] in _BRACKETS else 0
        if end:
            found.append((position, end))
        position = end or position + 1
    return found


def _closing(text: str, start: int) -> int:
    """Return the position behind the bracket that closes the one at ``start``; 0 when there is none."""
    depth = 0
    opening, closing = text[start], _BRACKETS[text[start]]
    for position in range(start, len(text)):
        depth += (text[position] == opening) - (text[position] == closing)
        if depth == 0:
            return position + 1
    return 0
