"""What temperatures and pressures that stand in headings have in common: "at 450 K", "100 ± 2 MPa", no "10 K/min"."""

import re
from collections.abc import Sequence

_TIME = r"(?:min|s|h)\b"
_SLASH = rf"\s*/(?!(?<=\s/)\s+(?!{_TIME}))"  # with blanks around it, it stands before the unit of the values
NO_RATE = rf"(?![^\W_]|{_SLASH}|\s*[·*^⋅×]|\s*[⁻-]\s*[1¹]|\s*(?:per|pro|{_TIME})\b)"
"""Behind a unit, of which nothing else is made: "10 K/min" is no temperature, and "at 450 K / J g-1 K-1" holds one."""

OF_HISTORY = re.compile(
    r"\b(?:(?:pre)?equilib|anneal|dried|drying|cool|heated|heating|quench|cured|curing|melted|molten at|relaxed|pressed"
    r"|stored|moulded|molded|aged|polymeri[sz]ed|synthes|getrocknet|getempert|abgekühlt|ausgehärtet|gelagert|séché|recuit)",
    re.IGNORECASE,
)
"""What was done with a sample or a cell before, under conditions that are not those of the value."""

_GIVE_OR_TAKE = re.compile(r"(?<=\d)\s*(?:±|\+/?-)\s*\d+(?:[.,]\d+)?")


def as_prose(heading: str) -> str:
    """Return a heading with blanks between its words, and without the tolerances of its conditions."""
    return _GIVE_OR_TAKE.sub("", heading.replace("_", " "))


def the_only(found: Sequence[float], same: float) -> float:
    """Return the one value that is stated, however often; nan where there are several, at least ``same`` apart, or none."""
    return found[0] if found and max(found) - min(found) < same else float("nan")
