"""Measured tables with headings, units, places of the unit, conditions and decimal marks crossed, and what they hold."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, product

POLYMERS = ("*CC*", "*CC(*)C", "*CC(*)Cl", "*CCO*")


@dataclass(frozen=True)
class Unit:
    """A spelling of a unit; ``value * factor + offset`` is in the unit in which the property is kept."""

    text: str
    factor: float
    offset: float = 0.0
    in_r: str = ""  # as R writes it in a heading; "" where dots make it ambiguous


@dataclass(frozen=True)
class Quantity:
    """A property, the ways to call it, and values in the unit that it is kept in."""

    key: str  # "" for one that the program does not know by name: then the heading is the key
    names: tuple[str, ...]
    kept_in: str
    values: tuple[float, ...]
    units: tuple[Unit, ...]
    conditions: tuple[str, ...] = ("",)


def _units(*given: tuple[str, float], r: dict[str, str] | None = None) -> tuple[Unit, ...]:
    return tuple(Unit(text, factor, 0.0, (r or {}).get(text, "")) for text, factor in given)


_CELSIUS = tuple(
    Unit(text, 1.0, 273.15, "C")
    for text in (
        *("°C", "ºC", "˚C", "⁰C", "ᵒC", "oC", "deg C", "degC", "deg. C", "℃", "° C", "Celsius", "celsius", "CELSIUS"),
        *("degrees Celsius", "Grad Celsius", "degrés Celsius", "grados Celsius", "摄氏度", "°С", "Â°C", "C"),
        *("°C.", "C°", "&deg;C", "°Celsius", "C deg"),
    )
)
_KELVIN = tuple(Unit(text, 1.0, 0.0, "K") for text in ("K", "Kelvin", "kelvin", "开尔文", "\u212a"))

QUANTITIES = (
    Quantity(
        "glass_transition",
        (
            *(
                "Tg",
                "T_g",
                "Glass transition temperature",
                "Glasübergangstemperatur",
                "température de transition vitreuse",
            ),
            *("temperatura de transición vítrea", "ガラス転移温度", "玻璃化转变温度", "Tg (measured)"),
        ),
        "K",
        (251.3, 260.7, 373.2, 354.1),
        (*_CELSIUS, *_KELVIN),
        ("", "DSC", "10 K/min", "DSC, 10 K/min"),
    ),
    Quantity(
        "youngs_modulus",
        ("Young's modulus", "E-Modul", "tensile modulus", "ヤング率"),
        "GPa",
        (1.07, 1.52, 3.31, 2.91),
        _units(
            *(
                ("GPa", 1.0),
                ("MPa", 1e-3),
                ("Pa", 1e-9),
                ("N/mm2", 1e-3),
                ("N/mm²", 1e-3),
                ("10^9 Pa", 1.0),
                ("kbar", 0.1),
                ("Mpa", 1e-3),
                ("GPA", 1.0),
            ),
            r={"GPa": "GPa", "MPa": "MPa", "Pa": "Pa"},
        ),
        ("", "23 °C", "1 s-1", "23 °C, 50 % RH"),
    ),
    Quantity(
        "linear_expansion",
        ("CTE", "coefficient of thermal expansion", "linear expansion", "線膨張係数"),
        "1/K",
        (1.8e-4, 1.1e-4, 7.0e-5, 6.8e-5),
        _units(
            *(
                ("1/K", 1.0),
                ("K-1", 1.0),
                ("K⁻¹", 1.0),
                ("ppm/K", 1e-6),
                ("ppm/°C", 1e-6),
                ("10-6/K", 1e-6),
                ("10-5/K", 1e-5),
            ),
            *(("10^-5 1/K", 1e-5), ("×10⁻⁵ K⁻¹", 1e-5), ("1E-6/K", 1e-6), ("1e-5 K^-1", 1e-5), ("µm/(m K)", 1e-6)),
            *(("10⁻⁶ °C⁻¹", 1e-6), ("10–6/K", 1e-6), ("x10-6 1/K", 1e-6)),
            r={"1/K": "1.K", "ppm/K": "ppm.K"},
        ),
        ("", "25 °C", "TMA"),
    ),
    Quantity(
        "thermal_conductivity",
        ("thermal conductivity", "Wärmeleitfähigkeit", "conductivité thermique", "熱伝導率", "导热系数"),
        "W/(m K)",
        (0.33, 0.12, 0.14, 0.16),
        _units(
            *(
                ("W/(m K)", 1.0),
                ("W/mK", 1.0),
                ("W m-1 K-1", 1.0),
                ("W·m⁻¹·K⁻¹", 1.0),
                ("mW/(m K)", 1e-3),
                ("W/m/K", 1.0),
            ),
            r={"W/(m K)": "W..m.K.", "W/mK": "W.mK", "W m-1 K-1": "W.m.1.K.1", "W/m/K": "W.m.K"},
        ),
        ("", "25 °C", "at 300 K"),
    ),
    Quantity(
        "density",
        ("density", "Dichte", "masse volumique", "densidad", "密度", "rho"),
        "g/cm3",
        (0.91, 0.89, 1.05, 1.39),
        _units(
            *(("g/cm3", 1.0), ("g/cm³", 1.0), ("g cm-3", 1.0), ("kg/m3", 1e-3), ("kg m⁻³", 1e-3), ("g/mL", 1.0)),
            *(("10^3 kg/m3", 1.0), ("g·cm−3", 1.0)),
            r={"g/cm3": "g.cm3", "g cm-3": "g.cm.3", "kg/m3": "kg.m3", "g/mL": "g.mL"},
        ),
        ("", "20 °C", "pycnometry"),
    ),
    Quantity(
        "Cp",
        ("Cp", "specific heat capacity", "spez. Wärmekapazität", "比热容"),
        "J/(kg K)",
        (1550.0, 1480.0, 1220.0, 950.0),
        _units(
            *(
                ("J/(kg K)", 1.0),
                ("J/kg/K", 1.0),
                ("J/(g K)", 1e3),
                ("J g-1 K-1", 1e3),
                ("kJ/(kg·K)", 1e3),
                ("J/(g·°C)", 1e3),
            ),
            *(("J/g-K", 1e3), ("cal/(g °C)", 4184.0)),
            r={"J/(kg K)": "J..kg.K.", "J/kg/K": "J.kg.K", "J g-1 K-1": "J.g.1.K.1", "J/(g K)": "J..g.K."},
        ),
        ("", "298 K", "DSC"),
    ),
    Quantity(
        "thermal_diffusivity",
        ("thermal diffusivity", "Temperaturleitfähigkeit"),
        "m2/s",
        (1.7e-7, 0.9e-7, 1.1e-7, 1.2e-7),
        _units(
            *(
                ("m2/s", 1.0),
                ("mm2/s", 1e-6),
                ("mm²/s", 1e-6),
                ("cm2/s", 1e-4),
                ("10-7 m2/s", 1e-7),
                ("10⁻⁷ m² s⁻¹", 1e-7),
            ),
            r={"m2/s": "m2.s", "mm2/s": "mm2.s"},
        ),
        ("", "25 °C"),
    ),
    Quantity(
        "dielectric_constant",
        ("relative permittivity", "dielectric constant", "誘電率"),
        "",
        (2.26, 2.21, 2.55, 3.4),
        _units(("-", 1.0)),
        ("1 GHz", "1 kHz, 25 °C", "10⁶ Hz", "100 Hz"),
    ),
    Quantity(
        "",
        ("Td", "decomposition temperature", "Zersetzungstemperatur"),
        "K",
        (700.4, 690.2, 640.8, 560.1),
        (*_CELSIUS[:12], *_KELVIN[:2]),
        ("",),
    ),
    Quantity(
        "",
        ("stickiness", "Klebrigkeit", "粘着力"),
        "N/m",
        (0.012, 0.031, 0.007, 0.042),
        _units(
            ("N/m", 1.0),
            ("mN/m", 1e-3),
            ("dyn/cm", 1e-3),
            ("dyne/cm", 1e-3),
            ("N m-1", 1.0),
            ("10-3 N/m", 1e-3),
            ("J/m²", 1.0),
        ),
        ("", "23 °C"),
    ),
    Quantity(
        "",
        ("viscosity", "Viskosität", "viscosidad"),
        "Pa s",
        (12.0, 31.0, 7.5, 42.0),
        _units(("Pa s", 1.0), ("Pa·s", 1.0), ("mPa·s", 1e-3), ("mPa s", 1e-3), ("cP", 1e-3), ("10^-3 Pa s", 1e-3)),
        ("", "200 °C"),
    ),
    Quantity(
        "",
        ("solubility parameter", "Löslichkeitsparameter"),
        "MPa^0.5",
        (16.2, 16.8, 18.6, 19.5),
        _units(("MPa^0.5", 1.0), ("MPa½", 1.0), ("MPa^1/2", 1.0), ("(J/cm3)^0.5", 1.0), ("J^0.5 cm^-1.5", 1.0)),
        ("",),
    ),
)

PLACES = (
    *("round", "square", "comma", "slash", "in", "blank", "underscore", "R"),
    *("row", "unit column", "own column", "cell"),
)
MARKS = ((".", ","), (",", ";"), (".", "\t"), (".", ";"))


@dataclass(frozen=True)
class CrossedTable:
    """A table as text, and what is to be read from it."""

    text: str
    quantity: Quantity
    heading: str
    place: str
    unit: Unit
    condition: str

    @property
    def what(self) -> str:
        """The combination, for the message of a test."""
        return f"{self.heading!r}, {self.unit.text!r} by {self.place}"


def crossed_tables(*, every: int = 3) -> Iterator[CrossedTable]:
    """Make the tables, the same ones every time: names, units and places crossed, with conditions and marks in turn.

    Of all combinations each ``every``-th is made, another place for each next unit.
    """
    marks = cycle(MARKS)
    for quantity in QUANTITIES:
        conditions = cycle(quantity.conditions)
        for number, (name, unit, place) in enumerate(product(quantity.names, quantity.units, PLACES)):
            if (number + number // len(PLACES)) % every:
                continue
            condition = next(conditions)
            decimal, delimiter = next(marks)
            heading = _heading(name, unit, place, condition)
            if heading is not None:
                text = _text(quantity, heading, unit, place, decimal, delimiter)
                yield CrossedTable(text, quantity, heading, place, unit, condition)


def _heading(name: str, unit: Unit, place: str, condition: str) -> str | None:
    inside = f"{unit.text}, {condition}" if condition else unit.text
    behind = f" ({condition})" if condition else ""
    if unit.text == "-":
        return f"{name}{behind}" if place in ("round", "row", "unit column") else None
    headings = {
        "round": f"{name} ({inside})",
        "square": f"{name} [{unit.text}]{behind}",
        "comma": f"{name}, {unit.text}{behind}",
        "slash": f"{name} / {unit.text}",
        "in": f"{name} in {unit.text}",
        "blank": f"{name} {unit.text}",
        "underscore": f"{name}_{unit.text}",
        "R": f"{name.replace(' ', '.')}..{unit.in_r}." if unit.in_r and not set(name) & set("()'-.") else "",
        "row": f"{name}{behind}",
        "unit column": f"{name}{behind}",
        "own column": name,
        "cell": f"{name}{behind}",
    }
    return headings[place] or None


def _quoted(cell: str, delimiter: str) -> str:
    return f'"{cell}"' if delimiter in cell else cell


def _text(quantity: Quantity, heading: str, unit: Unit, place: str, decimal: str, delimiter: str) -> str:
    rows: list[list[str]] = []
    for polymer, value in zip(POLYMERS, quantity.values, strict=True):
        number = f"{(value - unit.offset) / unit.factor:.10g}".replace(".", decimal)
        rows.append([polymer, f"{number} {unit.text}" if place == "cell" else number])
        if place in ("unit column", "own column"):
            rows[-1].append(unit.text)
    header = ["smiles", heading]
    if place in ("unit column", "own column"):
        header.append("unit" if place == "unit column" else f"{heading}_unit")
    above = [header, ["", unit.text]] if place == "row" else [header]
    return "".join(delimiter.join(_quoted(cell, delimiter) for cell in row) + "\n" for row in (*above, *rows))
