"""What all ways to write one polymer have in common, and a text shows without being parsed: the ratio of atoms and rings.

Working out the identity of a polymer takes about a millisecond, this some microseconds. Polymers of different ratios are
different; those of the same ratio may be one.
"""

import re
from collections import Counter
from math import gcd

Ratio = tuple[tuple[str, int], ...]
"""Elements, and "rings", in alphabetical order with their counts, without a common divisor."""

_IN_BRACKETS = re.compile(r"\[\d*(\*|[A-Z][a-z]?|[a-z][a-z]?)@{0,2}(?:H\d*)?(?:[+-]\d*|\++|-+)?(?::\d+)?\]")
_NO_ATOMS = str.maketrans("", "", "()=#$:/\\~*-%0123456789")
_DIGITS = re.compile(r"\d")
_PLAIN = "BCNOPSFI"
_USUAL = frozenset(("B", "C", "N", "O", "F", "Si", "P", "S", "Cl", "Ge", "Se", "Br", "I", "Li", "Na", "K"))


def composition_ratio(text: str) -> Ratio | None:
    """Return the ratio of the heavy atoms and rings of a repeat unit; None where it cannot be told without parsing.

    Hydrogen, charges, bonds and attachment points make no difference, nor where the unit is cut and how many periods are
    written: the cut bond closes no ring, so that n periods have n times as many.

    >>> composition_ratio("*CCOCCO*") == composition_ratio("[*]OCC[*]")
    True
    """
    if "." in text or "%(" in text:
        return None
    counts: Counter[str] = Counter()
    outside = text
    if "[" in text:
        for symbol in _IN_BRACKETS.findall(text):
            counts[symbol.capitalize()] += 1
        outside = _IN_BRACKETS.sub("", text)
        del counts["*"], counts["H"]
        if not counts.keys() <= _USUAL:
            return None
    closures = len(_DIGITS.findall(outside)) - outside.count("%")  # a digit, or % and two
    atoms = outside.translate(_NO_ATOMS)
    for symbol in ("Cl", "Br"):
        if symbol in atoms:
            counts[symbol] += atoms.count(symbol)
            atoms = atoms.replace(symbol, "")
    atoms = atoms.upper()
    for symbol in set(atoms):
        if symbol not in _PLAIN:
            return None
        counts[symbol] += atoms.count(symbol)
    if not counts:
        return None
    if closures:
        counts["rings"] = closures // 2
    common = gcd(*counts.values())
    return tuple(sorted((name, count // common) for name, count in counts.items()))
