"""The properties AffineCal knows by name: their symbols, canonical units and usual scale."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Property:
    """A quantity that is measured and simulated.

    Everything inside the program is in ``unit``; other units are converted where tables are read.
    """

    key: str  # stable short name, as on the command line: "Cp"
    title: str  # "Specific heat capacity"
    symbol: str  # plain text: "Cp"
    symbol_html: str  # for Qt rich text: "<i>C</i><sub>p</sub>"
    symbol_math: str  # for matplotlib: r"$C_\mathrm{p}$"
    unit: str  # canonical unit as shown: "J/(kg K)"; "" when dimensionless
    log_by_default: bool  # fitted on the natural logarithm unless the user says otherwise
    aliases: tuple[str, ...] = ()  # how column headings spell it, lower case


PROPERTIES: tuple[Property, ...] = (
    Property(
        "Cp",
        "Specific heat capacity",
        "Cp",
        "<i>C</i><sub>p</sub>",
        r"$C_\mathrm{p}$",
        "J/(kg K)",
        True,
        ("cp", "heat capacity", "specific heat", "specific heat capacity"),
    ),
    Property("density", "Density", "ρ", "<i>ρ</i>", r"$\rho$", "g/cm³", False, ("density", "rho", "ρ")),
    Property(
        "refractive_index",
        "Refractive index",
        "n",
        "<i>n</i>",
        "$n$",
        "",
        False,
        ("refractive index", "refractive_index", "nd", "n_d"),
    ),
)


def find_property(key: str) -> Property:
    """Return the property with this key; an unknown key becomes a property of its own, without unit, on linear scale."""
    for known in PROPERTIES:
        if known.key == key:
            return known
    return Property(key, key, key, f"<i>{key}</i>", key, "", False)
