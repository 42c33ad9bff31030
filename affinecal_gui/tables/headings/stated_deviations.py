"""Deviations that a heading states for all values below it: "Tg (°C) ± 1", "density (±0.005 g/cm3)"."""

import re

_STATED = re.compile(r"(?P<lead>[\s,;]*)(?:±|\+/-|\+-)\s*(?P<size>\d+(?:[.,]\d+)?)\s*(?P<percent>%?)")
_EMPTY = re.compile(r"\s*[(\[]\s*[)\]]")


def stated_deviation(heading: str) -> tuple[float, bool] | None:
    """Return the deviation that a heading states for all values, and whether it is in per cent; None where it states none.

    >>> stated_deviation("Tg(°C)±1"), stated_deviation("E (MPa, ± 5 %)"), stated_deviation("Tg ± SD (K)")
    ((1.0, False), (5.0, True), None)
    """
    found = _STATED.search(heading)
    return None if found is None else (float(found["size"].replace(",", ".")), bool(found["percent"]))


def without_deviation(heading: str) -> str:
    """Take away the deviation that a heading states; another heading is returned as it is.

    >>> without_deviation("Tg(°C)±1"), without_deviation("density (±0.005 g/cm3)"), without_deviation("Tg ±1 °C")
    ('Tg(°C)', 'density (g/cm3)', 'Tg °C')
    """
    found = _STATED.search(heading)
    if found is None:
        return heading
    before, behind = heading[: found.start()], heading[found.end() :]
    blank = "" if not before or before.endswith(("(", "[")) or behind[:1] in ("", " ", ")", "]") else " "
    return _EMPTY.sub("", before + blank + (behind.lstrip() if before.endswith(("(", "[")) else behind)).strip()
