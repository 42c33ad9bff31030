"""Symbols of units as people write them, and what Pint calls them."""

from collections.abc import Mapping

CM3_STP = "(4.4615e-5*mol)"
"""A cubic centimetre of gas at 0 °C and 101325 Pa."""
BARRER = f"(1e-10*{CM3_STP}*cm/(cm**2*s*cmHg))"

# Symbols as they are written -> names for Pint. Longer ones are tried first when symbols are glued together.
SYMBOLS: Mapping[str, str] = {
    **{
        name: name
        for name in ("J", "kJ", "MJ", "mJ", "g", "kg", "mg", "K", "mol", "kmol", "mmol", "m", "cm", "mm", "nm")
    },
    **{
        name: name
        for name in ("Pa", "kPa", "MPa", "GPa", "bar", "kbar", "mbar", "atm", "W", "mW", "kW", "s", "ms", "ps")
    },
    **{
        name: name
        for name in ("fs", "ns", "V", "kV", "MV", "Hz", "kHz", "MHz", "GHz", "N", "mN", "kN", "eV", "psi", "dm")
    },
    **{name: name for name in ("mPa", "hPa", "uPa", "TPa", "uN", "nN", "GJ", "uJ", "ug", "ng", "umol", "nmol", "THz")},
    **{"µ" + name: "u" + name for name in ("Pa", "N", "J", "g", "mol", "V", "S")},
    **{"μ" + name: "u" + name for name in ("Pa", "N", "J", "g", "mol", "V", "S")},
    **{name: name for name in ("MN", "mV", "uV", "S", "mS", "uS", "pF", "nF", "dL", "cN")},
    **{
        name: name
        for name in ("pm", "km", "min", "h", "F", "C", "mK", "ppm", "percent", "ksi", "kgf", "lb", "ft", "daN")
    },
    **dict.fromkeys(("Msi", "Mpsi"), "(1e3*ksi)"),  # of moduli: millions of pounds-force per square inch
    "kpsi": "ksi",
    **{name: name for name in ("lbf", "oz", "inch")},
    "KN": "kN",
    "hr": "h",
    "t": "tonne",
    "Mg": "Mg",
    "um": "um",
    "µm": "um",
    "μm": "um",
    "µW": "uW",
    "μW": "uW",
    "µs": "us",
    "μs": "us",
    "joule": "J",
    "joules": "J",
    "kelvin": "K",
    "k": "K",  # a mere k is Boltzmann's constant elsewhere; in a unit it is a careless kelvin
    "gram": "g",
    "grams": "g",
    "gm": "g",
    "kilogram": "kg",
    "Kg": "kg",
    "KG": "kg",
    "KJ": "kJ",
    "mole": "mol",
    "moles": "mol",
    "Mol": "mol",
    "MOL": "mol",
    "cal": "cal",
    "kcal": "kcal",
    "Kcal": "kcal",
    "L": "L",
    "l": "L",
    "mL": "mL",
    "ml": "mL",
    "cc": "cm**3",
    "ccm": "cm**3",
    "degC": "degC",
    "degF": "degF",
    "\u00c5": "angstrom",
    "\u212b": "angstrom",
    "angstrom": "angstrom",
    "Angstrom": "angstrom",
    "A": "angstrom",
    "%": "percent",
    "°": "degree",
    "deg": "degree",
    **dict.fromkeys(("Da", "amu"), "(g/mol)"),  # of a chain: nobody gives the mass of one in kilograms
    **dict.fromkeys(("dyn", "dyne", "dynes"), "dyn"),
    "ergs": "erg",
    "wt%": "percent",
    "cP": "centipoise",
    "cps": "centipoise",
    "poise": "poise",
    "Poise": "poise",
    "St": "stokes",
    "cSt": "centistokes",
    "torr": "torr",
    "Torr": "torr",
    "mmHg": "mmHg",
    "cmHg": "cmHg",
    "cmSTP": CM3_STP,
    "Barrer": BARRER,
    "barrer": BARRER,
    "Barrers": BARRER,
    "GPU": f"({BARRER}/(1e-4*cm))",
    "Debye": "debye",
    "debye": "debye",
    "Hildebrand": "(cal**0.5/cm**1.5)",
    "degR": "degR",
    "Ω": "ohm",
    "ohm": "ohm",
    "day": "day",
    "days": "day",
    "meV": "meV",
    "kDa": "(kg/mol)",
    "erg": "erg",
    **dict.fromkeys(("BTU", "Btu"), "(1055.05585262*J)"),  # that of the International Table, ISO 31-4
}
_NEVER_GLUED = frozenset(
    ("mK", "S", "mS", "uS", "St", "cps", "day", "days", "cmSTP", "oz", "inch", "hr", "t", "KN", "lbf", "degF")
)
GLUED = tuple(sorted((s for s in SYMBOLS if s.isalpha() and s not in _NEVER_GLUED), key=len, reverse=True))
