"""Where the name of a polymer may be broken: between the parts that it is put together from."""

import re

JOINT = "\N{SOFT HYPHEN}"
"""Marks a place where Qt may begin another line, with room for a hyphen before it."""

_PARTS = (
    "acetat|acryl|adamant|alcohol|amid|amino|anhydrid|anilin|benzyl|bromo|butadien|butyl|butylen|carbonat|chloro|cyclo|decyl"
    "|difluoro|dodecyl|ester|ether|ethyl|fluoro|furan|glycol|heptyl|hexyl|hydroxy|imid|isopren|isopropyl|keton|lactid|lacton"
    "|meth|naphthal|nitril|norborn|octyl|oxid|oxy|pentyl|phenyl|phosphazen|phthal|propyl|pyridin|pyrrol|siloxan|styren|sulfid"
    "|sulfon|terephthal|tetrafluoro|thiophen|trifluoro|trimethyl|urethan|vinyl"
)
_JOINTS = re.compile(
    rf"(?:(?<=[a-z]{{3}})|(?<=\bdi))(?<!m(?=eth))(?<!carb(?=oxy))(?<!hydr(?=oxy))(?=(?:{_PARTS})[a-z]*)"
    # Where the part before is no place to break, else the last letters of a long name would stand alone on a line.
    r"|(?<=\(butyl)(?=ene\b)|(?<=\(propyl)(?=ene\b)|(?<=\(vinyl)(?=idene\b)",
    re.IGNORECASE,
)


def with_joints(name: str) -> str:
    """Return a name with the places marked where it may be broken, three letters at least behind its beginning, or di.

    >>> with_joints("polymethacrylamide").split(JOINT)
    ['poly', 'meth', 'acryl', 'amide']
    >>> with_joints("poly(diethylene glycol)").split(JOINT)
    ['poly(di', 'ethylene glycol)']
    >>> with_joints("poly(vinylidene chloride)").split(JOINT)
    ['poly(vinyl', 'idene chloride)']
    """
    return _JOINTS.sub(JOINT, name)
