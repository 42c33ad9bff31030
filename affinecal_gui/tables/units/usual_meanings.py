"""Units that say one thing and usually mean another: "kg/cm2" of a stress, "10E-6/K", "ppm" of an expansion per kelvin.

What is meant is certain enough to be read, and never certain enough to be read without a word.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

STANDARD_GRAVITY = 9.80665
"""m/s²: the weight of a kilogram in newton, by definition."""
AVOGADRO = 6.02214076e23
"""1/mol, by definition."""

_DALTONS = re.compile(r"(amu|u|Da)\s*/\s*((?:Å|\u212b|A|Ang|[Aa]ngstrom|nm)\s*(?:\^\s*3|\*\*\s*3|³|3))")
_TEMPERATURES = ("K", "°C", "C", "degC", "°F", "degF")
_INSTEAD: Mapping[tuple[str, str], tuple[str, str]] = {
    **{("F", scale): ("°F", "F is read as degrees Fahrenheit") for scale in _TEMPERATURES},
    ("ppm", "1/K"): ("ppm/K", "ppm is read as ppm/K"),
}
"""(unit as written, unit of the property) -> the unit that is meant, and the words for it."""

_TEN_AND_E = re.compile(r"(?<![\d.,\w])10\s?[eE]\s?([+\-−–]?\d{1,3})(?!\d)")
_MASS = re.compile(r"(?<![A-Za-zµμ])(?:[kmM]?g|lb[sm]?|oz|t)(?![A-Za-z])", re.IGNORECASE)


def meant_instead(written: str, canonical: str) -> tuple[str, str] | None:
    """Return the unit that is meant by a text beside values of a property, with the words for it; None for any other.

    >>> meant_instead("F", "K"), meant_instead("F", "J")
    (('°F', 'F is read as degrees Fahrenheit'), None)
    """
    dalton = _DALTONS.fullmatch(written) if canonical == "g/cm³" else None
    if dalton is not None:  # elsewhere a dalton is a gram per mole
        return f"dalton/{dalton[2]}", f"{dalton[1]} is read as the atomic mass unit"
    return _INSTEAD.get((written, canonical))


def power_with_e(written: str) -> tuple[str, str] | None:
    """Return a unit in which "10E-6" became the power of ten that is meant by it, with the words for it; None without one.

    Read as computers do it would be 1e-5; who writes ten in front of the E means ten to that power.

    >>> power_with_e("10E-6/K")
    ('1e-6/K', '10E-6 is read as 10^-6')
    """
    found = _TEN_AND_E.search(written)
    if found is None:
        return None
    return (
        f"{written[: found.start()]}1e{found[1]}{written[found.end() :]}",
        f"{found[0]} is read as 10^{found[1].lstrip('+')}",
    )


@dataclass(frozen=True, slots=True)
class Bridge:
    """What the values of a unit are multiplied by in SI units, to be those of a unit of other dimensions."""

    dimensions: Mapping[str, float]  # of the factor
    factor: float
    words: str
    of_own_properties: bool = False  # for properties that are not known by name alone
    needs_mass: bool = False  # for units in which a mass is written

    def leads(
        self, one: Mapping[str, float], other: Mapping[str, float], texts: Iterable[str], *, is_known: bool
    ) -> bool:
        """Whether it leads from the dimensions of one unit to those of the other; ``texts`` are both as written."""
        if (is_known and self.of_own_properties) or (self.needs_mass and not any(map(_MASS.search, texts))):
            return False
        powers = dict(one)
        for name, power in self.dimensions.items():
            powers[name] = powers.get(name, 0.0) + power
        return {name: power for name, power in powers.items() if power} == dict(other)


BRIDGES = (
    Bridge({"[length]": 1.0, "[time]": -2.0}, STANDARD_GRAVITY, "masses are read as their weights", needs_mass=True),
    Bridge(
        {"[length]": -1.0, "[time]": 2.0}, 1 / STANDARD_GRAVITY, "masses are read as their weights", needs_mass=True
    ),
    Bridge({"[substance]": 1.0}, 1 / AVOGADRO, "a mole is read as that many molecules", of_own_properties=True),
    Bridge({"[substance]": -1.0}, AVOGADRO, "a mole is read as that many molecules", of_own_properties=True),
)
