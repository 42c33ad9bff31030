"""The properties AffineCal knows by name: their symbols, canonical units, usual scale and how tables call them."""

import math
from dataclasses import dataclass

from affinecal_gui.tables.words import listed


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
        key="Cp",
        title="Specific heat capacity",
        symbol="Cp",
        symbol_html="<i>C</i><sub>p</sub>",
        symbol_math=r"$C_\mathrm{p}$",
        unit="J/(kg K)",
        log_by_default=True,
        aliases=listed(
            """
            cp; c_p; cp reported; heat capacity; specific heat; specific heat capacity; heat capacity cp
            isobaric heat capacity; wärmekapazität; spezifische wärmekapazität; spezifische wärme
            比熱; 比熱容量; 定圧比熱; 定圧比熱容量; 热容; 比热; 比热容; 比热容量; 热容量; 定压比热; 定压比热容
            定压热容; 恒压热容; 等压热容; 熱容量; 比熱(定圧); 定圧熱容量; 定圧モル比熱; 비열; 열용량
            molar heat capacity; heat capacity at constant pressure; specific heat at constant pressure
            specific heat capacity at constant pressure; spez wärmekapazität; spez wärme; wärmekapazitaet
            spezifische wärmekapazitaet; chaleur spécifique; chaleur massique; capacité thermique massique
            calor específico; capacité calorifique; calore specifico; capacità termica
            capacità termica specifica; capacidade calorífica; capacidad calorífica
            теплоемкость; теплоёмкость; удельная теплоемкость; удельная теплоёмкость
            ciepło właściwe; pojemność cieplna
            モル熱容量; 비열용량
            """
        ),
        plausible=(500.0, 8000.0),
        other_units=_HEAT_UNITS,
        usual_md_ratio=_CLASSICAL_HEAT_RATIO,
    ),
    Property(
        key="Cv",
        title="Specific heat capacity at constant volume",
        symbol="Cv",
        symbol_html="<i>C</i><sub>v</sub>",
        symbol_math=r"$C_\mathrm{v}$",
        unit="J/(kg K)",
        log_by_default=True,
        aliases=listed(
            """
            cv; c_v; isochoric heat capacity; heat capacity at constant volume
            specific heat at constant volume
            定積比熱; 定容比热
            """
        ),
        plausible=(500.0, 8000.0),
        other_units=_HEAT_UNITS,
        usual_md_ratio=_CLASSICAL_HEAT_RATIO,
    ),
    Property(
        key="density",
        title="Density",
        symbol="ρ",
        symbol_html="<i>ρ</i>",
        symbol_math=r"$\rho$",
        unit="g/cm³",
        log_by_default=False,
        aliases=listed(
            """
            density; rho; ρ; mass density; specific gravity; spec gravity; ρ_a; ρa; amorphous density; dichte
            密度; 밀도
            masse volumique; densité; densidad; densidade; densità; massa específica; peso específico
            gęstość
            плотность
            """
        ),
        plausible=(0.5, 4.0),
        other_units=("kg/m³", "kg/L"),
    ),
    Property(
        key="refractive_index",
        title="Refractive index",
        symbol="n",
        symbol_html="<i>n</i>",
        symbol_math="$n$",
        unit="",
        log_by_default=False,
        aliases=listed(
            """
            refractive index; refractive_index; nd; n_d; ri; index of refraction; brechungsindex; brechzahl
            屈折率; 折射率
            indice de réfraction; índice de refracción; índice de refração; indice di rifrazione
            współczynnik załamania
            показатель преломления
            굴절률
            """
        ),
        plausible=(1.2, 2.5),
    ),
    Property(
        key="abbe_number",
        title="Abbe number",
        symbol="ν",
        symbol_html="<i>ν</i><sub>D</sub>",
        symbol_math=r"$\nu_\mathrm{D}$",
        unit="",
        log_by_default=False,
        aliases=listed(
            """
            abbe number; abbe_number; abbe; vd; νd; v_d; abbe-zahl
            アッベ数; 阿贝数
            """
        ),
        plausible=(5.0, 120.0),
    ),
    Property(
        key="thermal_conductivity",
        title="Thermal conductivity",
        symbol="λ",
        symbol_html="<i>λ</i>",
        symbol_math=r"$\lambda$",
        unit="W/(m K)",
        log_by_default=True,
        aliases=listed(
            """
            thermal conductivity; thermal_conductivity; heat conductivity; wärmeleitfähigkeit
            熱伝導率; 热导率; 导热系数
            conductivité thermique; conductividad térmica; condutividade térmica; conducibilità termica
            conduttività termica; przewodność cieplna
            теплопроводность
            열전도도; 열전도율
            """
        ),
        plausible=(0.03, 5.0),
        other_units=("mW/(m K)", "W/(cm K)", "cal/(cm s K)"),
    ),
    Property(
        key="thermal_diffusivity",
        title="Thermal diffusivity",
        symbol="a",
        symbol_html="<i>a</i>",
        symbol_math="$a$",
        unit="m²/s",
        log_by_default=True,
        aliases=listed(
            """
            thermal diffusivity; thermal_diffusivity
            熱拡散率
            temperaturleitfähigkeit
            热扩散率; 热扩散系数
            diffusivité thermique; difusividad térmica; difusividade térmica; diffusività termica
            dyfuzyjność cieplna
            температуропроводность
            열확산율
            """
        ),
        plausible=(1e-08, 1e-06),
        other_units=("mm²/s", "cm²/s"),
    ),
    Property(
        key="glass_transition",
        title="Glass transition temperature",
        symbol="Tg",
        symbol_html="<i>T</i><sub>g</sub>",
        symbol_math=r"$T_\mathrm{g}$",
        unit="K",
        log_by_default=False,
        aliases=listed(
            """
            tg; t_g; glass transition; glass_transition; glass transition temperature
            glass_transition_temperature; glasübergangstemperatur
            ガラス転移温度; ガラス転移点; 玻璃化转变温度; 玻璃化温度; 玻璃化轉變溫度; 玻璃轉移溫度; 玻璃轉化溫度
            температура стеклования
            temperatura zeszklenia
            유리전이온도
            glass temperature; glasübergang; glastemperatur; glasumwandlungstemperatur; transition vitreuse
            température de transition vitreuse; temperatura de transición vítrea
            temperatura de transição vítrea; temperatura di transizione vetrosa
            """
        ),
        plausible=(130.0, 800.0),
        other_units=("°C",),
    ),
    Property(
        key="melting_temperature",
        title="Melting temperature",
        symbol="Tm",
        symbol_html="<i>T</i><sub>m</sub>",
        symbol_math=r"$T_\mathrm{m}$",
        unit="K",
        log_by_default=False,
        aliases=listed(
            """
            tm; t_m; melting point; melting temperature; melting_temperature; schmelzpunkt
            schmelztemperatur
            融点; 熔点
            température de fusion; point de fusion; temperatura de fusión; punto de fusión
            temperatura de fusão; temperatura di fusione; punto di fusione; ponto de fusão
            temperatura topnienia
            температура плавления
            녹는점; 용융온도; 융점
            """
        ),
        plausible=(200.0, 900.0),
        other_units=("°C",),
    ),
    Property(
        key="bulk_modulus",
        title="Bulk modulus",
        symbol="K",
        symbol_html="<i>K</i>",
        symbol_math="$K$",
        unit="GPa",
        log_by_default=True,
        aliases=listed(
            """
            bulk modulus; bulk_modulus; kompressionsmodul
            体積弾性率
            """
        ),
        plausible=(0.1, 50.0),
        bare_unit="Pa",
        other_units=_PRESSURE_UNITS,
    ),
    Property(
        key="isentropic_bulk_modulus",
        title="Isentropic bulk modulus",
        symbol="Ks",
        symbol_html="<i>K</i><sub>s</sub>",
        symbol_math=r"$K_\mathrm{s}$",
        unit="GPa",
        log_by_default=True,
        aliases=listed("isentropic bulk modulus; isentropic_bulk_modulus; adiabatic bulk modulus"),
        plausible=(0.1, 50.0),
        bare_unit="Pa",
        other_units=_PRESSURE_UNITS,
    ),
    Property(
        key="youngs_modulus",
        title="Young's modulus",
        symbol="E",
        symbol_html="<i>E</i>",
        symbol_math="$E$",
        unit="GPa",
        log_by_default=True,
        aliases=listed(
            """
            young's modulus; youngs modulus; young modulus; tensile modulus; elastic modulus
            ヤング率
            e-modul; e-modulus; tensile e-modulus; elasticity modulus; zug-e-modul; zugmodul
            module d'élasticité; módulo de elasticidad; modulo elastico
            引張弾性率; 拉伸模量; 楊氏模量; 彈性模量
            young s modulus; modulus of elasticity; elastizitätsmodul; module d'young; módulo de young
            modulo di young; modulo elastico; módulo elástico; moduł younga; moduł sprężystości
            модуль юнга; модуль упругости
            영률; 탄성률
            modulo di young
            杨氏模量; 弹性模量
            """
        ),
        plausible=(0.0001, 100.0),
        bare_unit="Pa",
        other_units=_PRESSURE_UNITS,
    ),
    Property(
        key="compressibility",
        title="Isothermal compressibility",
        symbol="κ",
        symbol_html="<i>κ</i><sub>T</sub>",
        symbol_math=r"$\kappa_T$",
        unit="1/GPa",
        log_by_default=True,
        aliases=listed(
            """
            compressibility; isothermal compressibility
            圧縮率
            """
        ),
        plausible=(0.02, 10.0),
        bare_unit="1/Pa",
        other_units=("1/Pa", "1/MPa"),
    ),
    Property(
        key="isentropic_compressibility",
        title="Isentropic compressibility",
        symbol="κs",
        symbol_html="<i>κ</i><sub>S</sub>",
        symbol_math=r"$\kappa_S$",
        unit="1/GPa",
        log_by_default=True,
        aliases=listed("isentropic compressibility; isentropic_compressibility; adiabatic compressibility"),
        plausible=(0.02, 10.0),
        bare_unit="1/Pa",
        other_units=("1/Pa", "1/MPa"),
    ),
    Property(
        key="volume_expansion",
        title="Volume expansion coefficient",
        symbol="αv",
        symbol_html="<i>α</i><sub>V</sub>",
        symbol_math=r"$\alpha_V$",
        unit="1/K",
        log_by_default=True,
        aliases=listed(
            """
            volume expansion; volume_expansion; volumetric thermal expansion
            volumetric thermal expansion coefficient; coefficient of volumetric thermal expansion
            volume thermal expansion coefficient; cubic expansion coefficient; cubical expansion coefficient
            cvte
            体膨張率
            """
        ),
        plausible=(1e-06, 0.01),
        other_units=("ppm/K",),
        positive=False,
    ),
    Property(
        key="linear_expansion",
        title="Linear expansion coefficient",
        symbol="αl",
        symbol_html="<i>α</i><sub>L</sub>",
        symbol_math=r"$\alpha_L$",
        unit="1/K",
        log_by_default=True,
        aliases=listed(
            """
            linear expansion; linear_expansion; cte; clte; coefficient of thermal expansion
            coefficient of linear thermal expansion; linear coefficient of thermal expansion
            linear thermal expansion; linear thermal expansion coefficient; coefficient of linear expansion
            thermal expansion coefficient; thermischer ausdehnungskoeffizient
            線膨張率; 線膨張係数; 线膨胀系数; 热膨胀系数
            αl; α_l; längenausdehnungskoeffizient; coefficient de dilatation linéique
            coefficient de dilatation; coefficient de dilatation thermique
            coefficiente di dilatazione lineare; coeficiente de dilatación lineal
            coeficiente de dilatação linear; współczynnik rozszerzalności liniowej
            коэффициент линейного расширения; ктлр
            열팽창계수; 선팽창계수
            """
        ),
        plausible=(1e-06, 0.01),
        other_units=("ppm/K",),
        positive=False,
    ),
    Property(
        key="dielectric_constant",
        title="Static dielectric constant",
        symbol="ε",
        symbol_html="<i>ε</i><sub>r</sub>",
        symbol_math=r"$\varepsilon_\mathrm{r}$",
        unit="",
        log_by_default=False,
        aliases=listed(
            """
            dielectric constant; dielectric_constant; dk; εr; ε_r; ε'; ε′; static_dielectric_const
            static dielectric constant; relative permittivity; permittivity; dielektrizitätskonstante
            relative permittivität; constante diélectrique; permittivité relative; constante dieléctrica
            costante dielettrica
            相对介电常数; 誘電率; 比誘電率; 介电常数
            dielektrizitätszahl; permittivitätszahl; constante dielétrica; costante dielettrica
            stała dielektryczna
            диэлектрическая проницаемость
            유전율; 유전상수
            """
        ),
        plausible=(1.0, 100.0),
    ),
    Property(
        key="specific_volume",
        title="Specific volume",
        symbol="v",
        symbol_html="<i>v</i>",
        symbol_math="$v$",
        unit="cm³/g",
        log_by_default=False,
        aliases=listed(
            """
            specific volume; specific_volume; spezifisches volumen
            比容積
            """
        ),
        plausible=(0.25, 2.0),
        other_units=("m³/kg", "L/kg"),
    ),
    Property(
        key="radius_of_gyration",
        title="Radius of gyration",
        symbol="Rg",
        symbol_html="<i>R</i><sub>g</sub>",
        symbol_math=r"$R_\mathrm{g}$",
        unit="Å",
        log_by_default=True,
        aliases=listed("rg; radius of gyration; radius_of_gyration"),
        other_units=("nm",),
    ),
    Property(
        key="solubility_parameter",
        title="Solubility parameter",
        symbol="δ",
        symbol_html="<i>δ</i>",
        symbol_math=r"$\delta$",
        unit="MPa^0.5",
        log_by_default=False,
        aliases=listed(
            """
            solubility parameter; hildebrand solubility parameter; hildebrand parameter
            total solubility parameter; löslichkeitsparameter
            溶解度パラメータ; 溶解度パラメーター; 溶解度参数
            paramètre de solubilité; parámetro de solubilidad; parâmetro de solubilidade
            parametro di solubilità; parametr rozpuszczalności
            параметр растворимости
            용해도 파라미터
            """
        ),
        plausible=(10.0, 40.0),
        other_units=("(cal/cm³)^0.5",),
    ),
    Property(
        key="cohesive_energy_density",
        title="Cohesive energy density",
        symbol="CED",
        symbol_html="CED",
        symbol_math="CED",
        unit="MPa",
        log_by_default=True,
        aliases=listed(
            """
            cohesive energy density; ced; kohäsionsenergiedichte
            凝集エネルギー密度; 内聚能密度
            """
        ),
        plausible=(100.0, 1600.0),
        other_units=("J/cm³", "cal/cm³"),
    ),
    Property(
        key="fractional_free_volume",
        title="Fractional free volume",
        symbol="FFV",
        symbol_html="FFV",
        symbol_math="FFV",
        unit="",
        log_by_default=False,
        aliases=listed(
            """
            fractional free volume; ffv; free volume fraction
            自由体積分率; 自由体积分数
            """
        ),
        plausible=(0.02, 0.6),
    ),
)


TEMPERATURES = frozenset(("glass_transition", "melting_temperature"))
"""Properties that are temperatures: one beside their values is no condition of theirs."""

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
