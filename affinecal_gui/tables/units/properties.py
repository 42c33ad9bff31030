"""The properties AffineCal knows by name: their symbols, canonical units, usual scale and how tables call them."""

import math
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
    plausible: tuple[float, float] | None = None  # where values of polymers lie, canonical unit; tells units apart
    bare_unit: str | None = None  # unit of simulation tables whose headings give none; None: the canonical unit
    other_units: tuple[str, ...] = ()  # units offered for choice beside the canonical one
    positive: bool = True  # whether zero and negative values cannot be right
    usual_md_ratio: float = 1.0  # MD value / measured value to expect, where simulation has a known bias

    @property
    def is_known(self) -> bool:
        """Whether this is one of :data:`PROPERTIES`, and not made up from a column heading."""
        return self.key in _BY_KEY

    @property
    def is_dimensionless(self) -> bool:
        """Whether it is known to have no unit; of a property of the user's own, a heading without unit does not tell."""
        return self.is_known and not self.unit

    def is_plausible(self, value: float) -> bool:
        """Whether a value in the canonical unit lies where those of polymers do; True where that is not known."""
        if self.plausible is None or not math.isfinite(value):
            return True
        lower, upper = self.plausible
        return lower <= value <= upper


_HEAT_UNITS = ("J/(g K)", "kJ/(kg K)", "cal/(g K)", "J/(mol K)", "cal/(mol K)")
_CLASSICAL_HEAT_RATIO = 2.3
"""Classical MD gives every vibration its full share of heat, which at room temperature most do not take up; the median
of MD / measured over the bundled heat-capacity example is 2.3."""
_PRESSURE_UNITS = ("Pa", "MPa", "kbar")

PROPERTIES: tuple[Property, ...] = (
    Property(
        "Cp",
        "Specific heat capacity",
        "Cp",
        "<i>C</i><sub>p</sub>",
        r"$C_\mathrm{p}$",
        "J/(kg K)",
        True,
        (
            "cp",
            "c_p",
            "cp reported",
            "heat capacity",
            "specific heat",
            "specific heat capacity",
            "heat capacity cp",
            "isobaric heat capacity",
            "wärmekapazität",
            "spezifische wärmekapazität",
            "spezifische wärme",
            "比熱",
            "比熱容量",
            "定圧比熱",
            "定圧比熱容量",
            "热容",
            "比热",
            "比热容",
            "比热容量",
            "热容量",
            "定压比热",
            "定压比热容",
            "定压热容",
            "恒压热容",
            "等压热容",
            "熱容量",
            "比熱(定圧)",
            "定圧熱容量",
            "定圧モル比熱",
            "비열",
            "열용량",
            "molar heat capacity",
            "heat capacity at constant pressure",
            "specific heat at constant pressure",
            "specific heat capacity at constant pressure",
            "spez wärmekapazität",
            "spez wärme",
            "wärmekapazitaet",
            "spezifische wärmekapazitaet",
            "chaleur spécifique",
            "chaleur massique",
            "capacité thermique massique",
            "calor específico",
            "capacité calorifique",
            "calore specifico",
            "capacità termica",
            "capacità termica specifica",
            "capacidade calorífica",
            "capacidad calorífica",
        ),
        (500.0, 8000.0),
        None,
        _HEAT_UNITS,
        usual_md_ratio=_CLASSICAL_HEAT_RATIO,
    ),
    Property(
        "Cv",
        "Specific heat capacity at constant volume",
        "Cv",
        "<i>C</i><sub>v</sub>",
        r"$C_\mathrm{v}$",
        "J/(kg K)",
        True,
        (
            "cv",
            "c_v",
            "isochoric heat capacity",
            "heat capacity at constant volume",
            "specific heat at constant volume",
            "定積比熱",
            "定容比热",
        ),
        (500.0, 8000.0),
        None,
        _HEAT_UNITS,
        usual_md_ratio=_CLASSICAL_HEAT_RATIO,
    ),
    Property(
        "density",
        "Density",
        "ρ",
        "<i>ρ</i>",
        r"$\rho$",
        "g/cm³",
        False,
        (
            "density",
            "rho",
            "ρ",
            "mass density",
            "dichte",
            "密度",
            "밀도",
            "masse volumique",
            "densité",
            "densidad",
            "densidade",
            "densità",
        ),
        (0.5, 4.0),
        None,
        ("kg/m³", "kg/L"),
    ),
    Property(
        "refractive_index",
        "Refractive index",
        "n",
        "<i>n</i>",
        "$n$",
        "",
        False,
        (
            "refractive index",
            "refractive_index",
            "nd",
            "n_d",
            "ri",
            "brechungsindex",
            "brechzahl",
            "屈折率",
            "折射率",
            "indice de réfraction",
            "índice de refracción",
            "índice de refração",
            "indice di rifrazione",
        ),
        (1.2, 2.5),
    ),
    Property(
        "abbe_number",
        "Abbe number",
        "ν",
        "<i>ν</i><sub>D</sub>",
        r"$\nu_\mathrm{D}$",
        "",
        False,
        ("abbe number", "abbe_number", "abbe", "vd", "νd", "v_d", "abbe-zahl", "アッベ数", "阿贝数"),
        (5.0, 120.0),
    ),
    Property(
        "thermal_conductivity",
        "Thermal conductivity",
        "λ",
        "<i>λ</i>",
        r"$\lambda$",
        "W/(m K)",
        True,
        (
            "thermal conductivity",
            "thermal_conductivity",
            "heat conductivity",
            "wärmeleitfähigkeit",
            "熱伝導率",
            "热导率",
            "导热系数",
            "conductivité thermique",
            "conductividad térmica",
            "condutividade térmica",
            "conducibilità termica",
            "conduttività termica",
        ),
        (0.03, 5.0),
        None,
        ("mW/(m K)", "W/(cm K)", "cal/(cm s K)"),
    ),
    Property(
        "thermal_diffusivity",
        "Thermal diffusivity",
        "a",
        "<i>a</i>",
        "$a$",
        "m²/s",
        True,
        (
            "thermal diffusivity",
            "thermal_diffusivity",
            "熱拡散率",
            "temperaturleitfähigkeit",
            "热扩散率",
            "热扩散系数",
            "diffusivité thermique",
            "difusividad térmica",
        ),
        (1e-8, 1e-6),
        None,
        ("mm²/s", "cm²/s"),
    ),
    Property(
        "glass_transition",
        "Glass transition temperature",
        "Tg",
        "<i>T</i><sub>g</sub>",
        r"$T_\mathrm{g}$",
        "K",
        False,
        (
            "tg",
            "t_g",
            "glass transition",
            "glass_transition",
            "glass transition temperature",
            "glass_transition_temperature",
            "glasübergangstemperatur",
            "ガラス転移温度",
            "ガラス転移点",
            "玻璃化转变温度",
            "玻璃化温度",
            "玻璃化轉變溫度",
            "玻璃轉移溫度",
            "玻璃轉化溫度",
            "температура стеклования",
            "유리전이온도",
            "glass temperature",
            "glasübergang",
            "glastemperatur",
            "glasumwandlungstemperatur",
            "transition vitreuse",
            "température de transition vitreuse",
            "temperatura de transición vítrea",
            "temperatura de transição vítrea",
            "temperatura di transizione vetrosa",
        ),
        (130.0, 800.0),
        None,
        ("°C",),
    ),
    Property(
        "melting_temperature",
        "Melting temperature",
        "Tm",
        "<i>T</i><sub>m</sub>",
        r"$T_\mathrm{m}$",
        "K",
        False,
        (
            "tm",
            "t_m",
            "melting point",
            "melting temperature",
            "melting_temperature",
            "schmelzpunkt",
            "schmelztemperatur",
            "融点",
            "熔点",
            "température de fusion",
            "point de fusion",
            "temperatura de fusión",
            "punto de fusión",
            "temperatura de fusão",
            "temperatura di fusione",
            "punto di fusione",
        ),
        (200.0, 900.0),
        None,
        ("°C",),
    ),
    Property(
        "bulk_modulus",
        "Bulk modulus",
        "K",
        "<i>K</i>",
        "$K$",
        "GPa",
        True,
        ("bulk modulus", "bulk_modulus", "kompressionsmodul", "体積弾性率"),
        (0.1, 50.0),
        "Pa",
        _PRESSURE_UNITS,
    ),
    Property(
        "isentropic_bulk_modulus",
        "Isentropic bulk modulus",
        "Ks",
        "<i>K</i><sub>s</sub>",
        r"$K_\mathrm{s}$",
        "GPa",
        True,
        ("isentropic bulk modulus", "isentropic_bulk_modulus", "adiabatic bulk modulus"),
        (0.1, 50.0),
        "Pa",
        _PRESSURE_UNITS,
    ),
    Property(
        "youngs_modulus",
        "Young's modulus",
        "E",
        "<i>E</i>",
        "$E$",
        "GPa",
        True,
        (
            "young's modulus",
            "youngs modulus",
            "young modulus",
            "tensile modulus",
            "elastic modulus",
            "ヤング率",
            "e-modul",
            "e-modulus",
            "tensile e-modulus",
            "elasticity modulus",
            "zug-e-modul",
            "zugmodul",
            "module d'élasticité",
            "módulo de elasticidad",
            "modulo elastico",
            "引張弾性率",
            "拉伸模量",
            "楊氏模量",
            "彈性模量",
            "young s modulus",  # as R writes it
            "modulus of elasticity",
            "elastizitätsmodul",
            "module d'young",
            "módulo de young",
            "modulo di young",
            "杨氏模量",
            "弹性模量",
        ),
        None,
        None,
        _PRESSURE_UNITS,
    ),
    Property(
        "compressibility",
        "Isothermal compressibility",
        "κ",
        "<i>κ</i><sub>T</sub>",
        r"$\kappa_T$",
        "1/GPa",
        True,
        ("compressibility", "isothermal compressibility", "圧縮率"),
        (0.02, 10.0),
        "1/Pa",
        ("1/Pa", "1/MPa"),
    ),
    Property(
        "isentropic_compressibility",
        "Isentropic compressibility",
        "κs",
        "<i>κ</i><sub>S</sub>",
        r"$\kappa_S$",
        "1/GPa",
        True,
        ("isentropic compressibility", "isentropic_compressibility", "adiabatic compressibility"),
        (0.02, 10.0),
        "1/Pa",
        ("1/Pa", "1/MPa"),
    ),
    Property(
        "volume_expansion",
        "Volume expansion coefficient",
        "αv",
        "<i>α</i><sub>V</sub>",
        r"$\alpha_V$",
        "1/K",
        True,
        ("volume expansion", "volume_expansion", "volumetric thermal expansion", "体膨張率"),
        (1e-6, 1e-2),
        None,
        ("ppm/K",),
        False,
    ),
    Property(
        "linear_expansion",
        "Linear expansion coefficient",
        "αl",
        "<i>α</i><sub>L</sub>",
        r"$\alpha_L$",
        "1/K",
        True,
        (
            "linear expansion",
            "linear_expansion",
            "cte",
            "coefficient of thermal expansion",
            "線膨張率",
            "線膨張係数",
            "线膨胀系数",
            "热膨胀系数",
            "αl",
            "α_l",
            "längenausdehnungskoeffizient",
            "coefficient de dilatation linéique",
        ),
        (1e-6, 1e-2),
        None,
        ("ppm/K",),
        False,
    ),
    Property(
        "dielectric_constant",
        "Static dielectric constant",
        "ε",
        "<i>ε</i><sub>r</sub>",
        r"$\varepsilon_\mathrm{r}$",
        "",
        False,
        (
            "dielectric constant",
            "dielectric_constant",
            "dk",
            "εr",
            "ε_r",
            "ε'",
            "ε′",
            "static_dielectric_const",
            "static dielectric constant",
            "relative permittivity",
            "permittivity",
            "dielektrizitätskonstante",
            "relative permittivität",
            "constante diélectrique",
            "permittivité relative",
            "constante dieléctrica",
            "costante dielettrica",
            "相对介电常数",
            "誘電率",
            "比誘電率",
            "介电常数",
        ),
        (1.0, 100.0),
    ),
    Property(
        "specific_volume",
        "Specific volume",
        "v",
        "<i>v</i>",
        "$v$",
        "cm³/g",
        False,
        ("specific volume", "specific_volume", "spezifisches volumen", "比容積"),
        (0.25, 2.0),
        None,
        ("m³/kg", "L/kg"),
    ),
    Property(
        "radius_of_gyration",
        "Radius of gyration",
        "Rg",
        "<i>R</i><sub>g</sub>",
        r"$R_\mathrm{g}$",
        "Å",
        True,
        ("rg", "radius of gyration", "radius_of_gyration"),
        None,
        None,
        ("nm",),
    ),
    Property(
        "solubility_parameter",
        "Solubility parameter",
        "δ",
        "<i>δ</i>",
        r"$\delta$",
        "MPa^0.5",
        False,
        (
            "solubility parameter",
            "hildebrand solubility parameter",
            "hildebrand parameter",
            "total solubility parameter",
            "löslichkeitsparameter",
            "溶解度パラメータ",
            "溶解度パラメーター",
            "溶解度参数",
        ),
        (10.0, 40.0),
        None,
        ("(cal/cm³)^0.5",),
    ),
    Property(
        "cohesive_energy_density",
        "Cohesive energy density",
        "CED",
        "CED",
        "CED",
        "MPa",
        True,
        ("cohesive energy density", "ced", "kohäsionsenergiedichte", "凝集エネルギー密度", "内聚能密度"),
        (100.0, 1600.0),
        None,
        ("J/cm³", "cal/cm³"),
    ),
    Property(
        "fractional_free_volume",
        "Fractional free volume",
        "FFV",
        "FFV",
        "FFV",
        "",
        False,
        ("fractional free volume", "ffv", "free volume fraction", "自由体積分率", "自由体积分数"),
        (0.02, 0.6),
    ),
)


_BY_KEY = {known.key: known for known in PROPERTIES}


def find_property(key: str) -> Property:
    """Return the property with this key; an unknown key becomes one of its own, without unit, on linear scale."""
    return _BY_KEY.get(key) or own_property(key)


def is_known_property(key: str) -> bool:
    """Whether a key is that of one of :data:`PROPERTIES`."""
    return key in _BY_KEY


def own_property(heading: str, unit: str = "") -> Property:
    """Make a property of a column that has no name of ours; its unit is the one written in its heading."""
    return Property(
        heading, heading, heading, f"<i>{_escaped(heading)}</i>", _math(heading), unit, False, positive=False
    )


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _math(text: str) -> str:
    """Return text that matplotlib shows as it is: its dollar signs must not open a formula."""
    return text.replace("$", r"\$")
