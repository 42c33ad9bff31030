"""What columns are for is told from headings and contents, and asked about where neither tells."""

from pathlib import Path

import pytest

from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.evidence.column_evidence import label_of
from affinecal_gui.tables.headings.column_roles import Roles
from affinecal_gui.tables.meaning.named_columns import with_value_column
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.shapes.long_tables import spread
from affinecal_gui.tables.units.properties import find_property
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from tests.tables.making import pasted

ROWS = "PE,*CC*,{}\nPS,*CC(*)c1ccccc1,{}\nPP,*CC(*)C,{}\n"


def guessed(text: str, name: str = "table.csv") -> Roles:
    return guess_roles(pasted(text, name))


def roles_of(roles: Roles) -> dict[str, str]:
    return {column.heading: column.role for column in roles.columns}


def test_a_unit_alone_betrays_the_property() -> None:
    roles = guessed("name,smiles,J/(kg K),g/cm3,Mass m / kg\n" + ROWS.replace("{}", "2300,0.95,0.001"))
    found = {column.heading: column.quantity for column in roles.values}
    assert found["J/(kg K)"] is find_property("Cp")
    assert found["g/cm3"] is find_property("density")
    mass = found["Mass m / kg"]
    assert mass is not None
    assert (mass.title, mass.unit) == ("Mass m", "kg")


@pytest.mark.parametrize(
    ("heading", "role"),
    [
        *[(text, "id") for text in ("id", "monomer_ID", "PID", "Polymer-ID", "sample_id", "Nr.")],
        *[(text, "name") for text in ("name", "Polymer", "polymer name", "Bezeichnung", "ポリマー名", "聚合物")],
        *[
            (text, "temperature")
            for text in ("T", "T [K]", "temp", "Temperature (°C)", "測定温度", "T_K", "Temperature T / K")
        ],
        *[(text, "phase") for text in ("phase", "Zustand", "状態")],
        *[(text, "source") for text in ("source", "Reference", "DOI", "Quelle", "文献")],
        *[(text, "fraction") for text in ("composition", "mole fraction", "組成")],
        *[
            (text, "measured")
            for text in ("density [g/cm3]", "Dichte (g/cm³)", "refractive index", "nD", "Tg / K", "Abbe number")
        ],
        *[(text, "detail") for text in ("DP", "tacticity", "remark", "license", "operator")],
    ],
)
def test_headings_name_roles(heading: str, role: str) -> None:
    contents = {"id": ("X1", "7a", "Q3"), "temperature": ("300", "298", "305"), "fraction": ("0.5", "1", "0.2")}
    values = contents.get(role, ("0.9", "1.1", "1.2") if role == "measured" else ("aa", "bb", "cc"))
    text = f'"{heading}",smiles,Cp [J/(kg K)]\n' + "".join(
        f"{value},{smiles},{2000 + i}\n"
        for i, (value, smiles) in enumerate(zip(values, ("*CC*", "*CC(*)C", "*CC(*)Cl"), strict=True))
    )
    assert roles_of(guessed(text))[heading] == role


def test_repeat_units_are_found_by_contents_under_any_heading() -> None:
    roles = guessed("what,ever,Cp\n" + ROWS.format(2300, 1250, 1930))
    found = roles.first("smiles")
    assert found is not None
    assert found.heading == "ever"


def test_counting_columns_are_no_ids_and_no_values() -> None:
    roles = guessed("Nr.,lfd,name,smiles,Cp\n1,0,PE,*CC*,2300\n2,1,PS,*CC(*)c1ccccc1,1250\n3,2,PP,*CC(*)C,1930\n")
    assert roles_of(roles)["Nr."] == roles_of(roles)["lfd"] == "ignored"


def test_measured_and_md_of_one_property_in_one_file() -> None:
    for headings in ("exp_Cp,md_Cp", "Cp (measured),Cp (MD)", "Cp experimental,Cp simulated", "実験値 Cp,計算値 Cp"):
        roles = guessed(f"name,smiles,{headings}\nPE,*CC*,2300,4700\nPP,*CC(*)C,1900,4300\n")
        assert [column.role for column in roles.columns[2:]] == ["measured", "md"], headings
        assert roles.kind == "both"
        assert roles.certain


def test_statistics_belong_to_their_value() -> None:
    roles = guessed(
        "name,smiles,density,Cp,Cp_std,density_std,Cp_count,Cp_min,Cp_max\n"
        "PE,*CC*,0.84,4700,140,0.002,5,4500,4800\nPP,*CC(*)C,0.83,4300,71,0.002,5,4200,4400\n"
    )
    owners = {column.heading: (column.role, column.of) for column in roles.columns if column.of is not None}
    assert owners == {
        "Cp_std": ("uncertainty", 3),
        "density_std": ("uncertainty", 2),
        "Cp_count": ("repeats", 3),
        "Cp_min": ("lowest", 3),
        "Cp_max": ("highest", 3),
    }


@pytest.mark.parametrize("heading", ["Bereich", "range found", "Cp range", "範囲"])
def test_a_column_of_ranges_belongs_to_its_value(heading: str) -> None:
    roles = guessed(f"name,smiles,Cp,{heading}\nPE,*CC*,2300,2200-2400\nPP,*CC(*)C,1900,1700–2000\n")
    assert (roles.columns[3].role, roles.columns[3].of) == ("range", 2)
    assert roles.certain


def test_a_statistic_without_name_belongs_to_the_value_before_it() -> None:
    roles = guessed("name,smiles,Cp,±,density,±\nPE,*CC*,2300,20,0.95,0.01\nPP,*CC(*)C,1900,30,0.9,0.02\n")
    assert [column.of for column in roles.columns] == [None, None, None, 2, None, 4]


def test_any_other_numeric_column_is_a_property_of_its_own() -> None:
    roles = guessed("name,smiles,Cp,band gap [eV]\nPE,*CC*,2300,8.8\nPP,*CC(*)C,1900,8.5\n")
    column = roles.columns[3]
    assert column.role == "measured"
    assert column.quantity is not None
    assert (column.quantity.key, column.quantity.unit) == ("band gap", "eV")
    assert not column.quantity.is_known


def test_series_of_numbers_are_ready_descriptors() -> None:
    names = [f"charge_{i}" for i in range(20)] + [f"mass_{e}" for e in ("H", "C", "N", "O", "F")]
    row = ",".join("0.5" for _ in names)
    roles = guessed(f"id,smiles,{','.join(names)}\nP1,*CC*,{row}\nP2,*CC(*)C,{row}\n")
    assert [column.heading for column in roles.all("descriptor")] == names
    assert roles.kind == "none"
    assert roles.certain


def test_series_with_numbers_missing_are_ready_descriptors_where_they_are_long_and_mostly_there() -> None:
    kept = [f"charge_{i}" for i in range(20) if i not in (3, 19)]
    few, sparse = [f"r0_{i}" for i in (0, 1, 5)], [f"year_{1900 + 10 * i}" for i in range(12)]
    names = kept + few + sparse
    row = ",".join("0.5" for _ in names)
    roles = guessed(f"id,smiles,{','.join(names)}\nP1,*CC*,{row}\nP2,*CC(*)C,{row}\n")
    assert [column.heading for column in roles.all("descriptor")] == kept


@pytest.mark.parametrize(
    ("heading", "role"),
    [
        *((f"density {word}", "md") for word in ("virtual", "modelled", "(расчёт)", "(시뮬레이션)", "sim")),
        *((heading, "md") for heading in ("densityMD", "densityNPT", "densityGAFF2", "плотность (расч.)")),
        *(
            (heading, "measured")
            for heading in ("densityEXP", "gęstość (eksperymentalna)", "плотность (эксп.)", "밀도 측정값")
        ),
    ],
)
def test_columns_say_by_their_headings_that_they_are_measured_or_from_md(heading: str, role: str) -> None:
    (column,) = guessed(f"name,smiles,{heading}\n" + ROWS.format(0.9, 0.8, 1.1)).values
    assert column.quantity is not None
    assert (column.quantity.key, column.role) == ("density", role)


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("name,smiles,Cp,source\n" + ROWS.format("2300,a", "1250,b", "1930,c"), "table.csv", "measured"),
        ("monomer_ID,smiles,DP,Cp,Cp_std\nPI1,*CC*,165,4700,140\nPI2,*CC(*)C,110,4300,71\n", "table.csv", "md"),
        ("name,smiles,Cp\n" + ROWS.format(4700, 3000, 4300), "md_values.csv", "md"),
        ("name,smiles,Cp\n" + ROWS.format(2300, 1250, 1930), "lit.csv", "measured"),
    ],
)
def test_kind_of_a_file(text: str, name: str, kind: str) -> None:
    roles = guessed(text, name)
    assert roles.kind == kind
    assert roles.certain


def test_a_file_that_could_be_either_is_asked_about_next_to_a_measured_one() -> None:
    text = "name,smiles,Cp\n" + ROWS.format(2300, 1250, 1930)
    first = guessed(text)
    assert first.certain
    second = guess_roles(pasted(text), others=[first])
    assert any("measured, or from MD" in question for question in second.questions)
    chosen = second.with_kind("md")
    assert chosen.certain
    assert [column.role for column in chosen.values] == ["md"]


@pytest.mark.parametrize("with_smiles", [True, False])
def test_measured_values_under_the_ids_of_the_simulations_are_measured_or_asked_about(with_smiles: bool) -> None:
    unit = "*CC(*){}" if with_smiles else ""
    rows = "".join(f"PI{i},{unit.format('C' * i)},{1200 + i}\n" for i in range(1, 40))
    measured = f"monomer_ID,{'smiles' if with_smiles else 'remark'},Cp [J/(kg K)]\n{rows}"
    simulated = "monomer_ID,smiles,DP,n_mol,temp,density,density_std,Cp,Cp_std\n" + "".join(
        f"PI{i},*CC(*){'C' * i},20,10,300,0.9,0.01,{4000 + i},12\n" for i in range(1, 60)
    )
    md = guessed(simulated)
    assert (md.kind, md.certain) == ("md", True)
    beside = guess_roles(pasted(measured), others=[md])
    assert (beside.kind, beside.certain) == ("measured", True)
    alone = guessed(measured)
    assert any("measured, or from MD" in question for question in alone.questions)
    # The other way round: simulated values of a few columns, with measured ones loaded already.
    ordinary = guessed("name,smiles,Cp [J/(kg K)]\n" + ROWS.format(2300, 1250, 1930))
    assert guess_roles(pasted(measured), others=[ordinary]).kind == "md"


def test_the_user_can_change_a_column() -> None:
    roles = guessed("name,smiles,value\n" + ROWS.format(2.3, 1.25, 1.93))
    assert roles.questions == ("Which property is value?",)
    changed = roles.with_column(2, quantity=find_property("Cp"), unit="J/(g K)")
    assert changed.certain
    assert changed.columns[2].unit == "J/(g K)"
    assert changed.kind == "measured"
    assert changed.with_column(2, role="ignored").kind == "none"


@pytest.mark.parametrize(
    "heading",
    [
        "Wärmekapazität cp [J/(kg·K)]",
        "spez. Wärme [J/(kg K)]",
        "spezifische Wärmekapazität bei 25 °C in J/(kg K)",
        "Wärmekapazität (isobar) / J kg-1 K-1",
        "比熱 [J/(kg K)]",
        "比熱容量Cp（J/kg·K）",
        "実測比熱 [J/(kg K)]",
        "定圧比熱 Cp [J/kg/K]",
        "实验比热容 (J/(kg·K))",
        "Sp. heat (J/kg/K)",
        "Cp, exp. [J/(kg K)]",
        "C_p (298 K) [J/(kg K)]",
        "Heat capacity at constant pressure (J/kg/K)",
        "Cp (DSC) [J/(kg K)]",
    ],
)
def test_the_heat_capacity_is_known_under_many_names(heading: str) -> None:
    roles = guessed(f"name\tsmiles\t{heading}\n" + ROWS.format(2300, 1250, 1930).replace(",", "\t"))
    column = roles.columns[2]
    assert column.quantity is find_property("Cp")
    assert column.role == "measured"
    assert not column.unit_is_guessed
    assert roles.certain


def test_a_unit_that_is_not_known_is_named_with_those_that_are() -> None:
    roles = guessed("name,smiles,Cp [furlong]\n" + ROWS.format(2300, 1250, 1930))
    assert roles.columns[2].quantity is find_property("Cp")
    (question,) = roles.questions
    assert "“furlong” is not a unit that is known here" in question
    assert "J/(kg K), J/(g K), kJ/(kg K), cal/(g K)" in question
    with pytest.raises(TableError, match=r"table\.csv, column Cp \[furlong\].*furlong.*J/\(kg K\)"):
        to_polymer_table(pasted("name,smiles,Cp [furlong]\n" + ROWS.format(2300, 1250, 1930), "table.csv"), roles)


def test_a_unit_that_cannot_be_converted_is_kept_as_text() -> None:
    raw = pasted("name,smiles,Oxygen permeability [Barrer]\n" + ROWS.format(12, 3, 0.5))
    table = to_polymer_table(raw, guess_roles(raw))
    (quantity,) = table.properties("measured")
    assert (quantity.title, quantity.unit) == ("Oxygen permeability", "Barrer")
    assert table.values[("measured", quantity.key)].values.tolist() == [12.0, 3.0, 0.5]


def test_two_columns_that_could_be_the_value_are_asked_about_and_told() -> None:
    for other in ("Cp [J/(kg K)]", "Cp liquid [J/(kg K)]"):
        raw = pasted(f"smiles,Cp [J/(kg K)],{other}\n*CC*,2300,2600\n*CC(*)C,1930,2200\n*CC(*)Cl,950,1100\n")
        roles = guess_roles(raw)
        assert len(roles.questions) == 1
        assert roles.columns[2].heading in roles.questions[0]
        (remark,) = to_polymer_table(raw, roles).remarks("Cp")
        assert remark.startswith("“Cp [J/(kg K)]” was read as specific heat capacity, and not “Cp")
        assert "--value-column" in remark
        chosen = with_value_column(raw, roles, roles.columns[2].heading)
        table = to_polymer_table(raw, chosen)
        assert table.values[("measured", "Cp")].values.tolist() == [2600.0, 2200.0, 1100.0]
        assert table.remarks("Cp") == ()


def test_a_value_column_is_named_with_or_without_its_unit_and_a_wrong_name_lists_the_right_ones() -> None:
    raw = pasted("smiles,A [J/(g K)],Cp solid [J/(kg K)]\n*CC*,2.3,2300\n*CC(*)C,1.9,1930\n*CC(*)Cl,0.95,950\n")
    roles = guess_roles(raw)
    for name in ("Cp solid [J/(kg K)]", "cp solid", "CP SOLID"):
        assert with_value_column(raw, roles, name).columns[2].quantity is find_property("Cp")
    with pytest.raises(TableError, match="no column “B”; it has “smiles”, “A "):
        with_value_column(raw, roles, "B")
    twice = pasted("smiles,Cp [J/(g K)],Cp [J/(kg K)]\n*CC*,2.3,2300\n*CC(*)C,1.9,1930\n")
    with pytest.raises(TableError, match="several columns called “Cp”"):
        with_value_column(twice, guess_roles(twice), "Cp")


@pytest.mark.parametrize(
    ("name", "what"), [("smiles", "holds repeat units such as “\\*CC\\*”"), ("source", "holds texts such as “A”")]
)
def test_a_column_without_numbers_cannot_hold_the_values(name: str, what: str) -> None:
    raw = pasted("name,smiles,Cp,source\nPE,*CC*,2300,A\nPP,*CC(*)C,1900,B\n")
    with pytest.raises(TableError, match=what):
        with_value_column(raw, guess_roles(raw), name)


@pytest.mark.parametrize(("heading", "unit"), [("Cp", "J/(kg K)"), ("density", "g/cm³")])
def test_a_guessed_unit_is_told(heading: str, unit: str) -> None:
    values = (2300, 1250, 1930) if heading == "Cp" else (0.95, 1.05, 0.9)
    raw = pasted(f"name,smiles,{heading}\n" + ROWS.format(*values))
    table = to_polymer_table(raw, guess_roles(raw))
    assert table.remarks() == (f"No unit is named in the heading “{heading}”; its values are read as {unit}.",)
    with_unit = guess_roles(raw).with_column(2, unit=unit)
    assert to_polymer_table(raw, with_unit).remarks() == ()


@pytest.mark.parametrize(
    ("heading", "values", "unit", "asks"),
    [
        ("Cp", (2300, 1250, 1930), "J/(kg K)", False),
        ("Cp", (2.3, 1.25, 1.93), "J/(g K)", True),
        ("density", (0.95, 1.05, 0.9), "g/cm³", False),
        ("density", (950, 1050, 900), "kg/m³", True),
        ("Tg", (250, 373, 260), "K", False),
        ("Tg", (-20, 100, -10), "°C", True),
        ("Cp [J/(kg K)]", (2.3, 1.25, 1.93), "J/(kg K)", True),
        ("Cp [g/cm3]", (2.3, 1.25, 1.93), "g/cm3", True),
    ],
)
def test_units_that_do_not_fit_the_numbers_are_asked_about(
    heading: str, values: tuple[float, ...], unit: str, asks: bool
) -> None:
    roles = guessed(f"name,smiles,{heading}\n" + ROWS.format(*values))
    assert roles.columns[2].unit == unit
    assert bool(roles.questions) is asks


def test_decimal_commas_of_one_column_settle_another() -> None:
    roles = guessed("name;smiles;density;Cp\nPE;*CC*;0,95;2,300\nPS;*CC(*)c1ccccc1;1,05;1,250\nPP;*CC(*)C;0,9;1,930\n")
    assert [column.style.decimal for column in roles.values] == [",", ","]
    assert not any("1,234" in question for question in roles.questions)


@pytest.mark.peer
def test_the_published_table_needs_no_question(shared_data: Path) -> None:
    raw = read_table(shared_data / "PI1070.csv")
    roles = guess_roles(raw)
    assert roles.certain
    assert roles.kind == "md"
    found = {c.heading: (c.role, c.quantity.key if c.quantity else "", c.unit) for c in roles.columns}
    assert found["monomer_ID"][0] == "id"
    assert found["Cp"] == ("md", "Cp", "J/(kg K)")
    assert found["bulk_modulus"] == ("md", "bulk_modulus", "Pa")
    # Polyethylene: 2.29, as measured; static_dielectric_const is 1.004, that of dipoles alone.
    assert found["dielectric_const_dc"][:2] == ("md", "dielectric_constant")
    assert found["thermal_conductivity_std"][0] == "uncertainty"
    assert found["DP"][0] == found["tacticity"][0] == found["press"][0] == "detail"


@pytest.mark.peer
def test_single_reports_with_units_by_row_need_no_question(shared_data: Path) -> None:
    roles = guess_roles(read_table(shared_data / "heat_capacity_all_reported_values.csv"))
    assert roles.certain
    assert [column.role for column in roles.columns] == [
        *("name", "smiles", "measured", "unit", "temperature", "phase", "source", "detail")
    ]


@pytest.mark.parametrize(
    ("heading", "text", "unit"),
    [
        ("permeability [cm3(STP) cm/(cm2 s Pa)]", "permeability", "cm3(STP) cm/(cm2 s Pa)"),
        ("permeability (cm3(STP) cm/(cm2 s Pa))", "permeability", "cm3(STP) cm/(cm2 s Pa)"),
        ("P(O2) [10^-13 cm3(STP) cm/(cm2 s Pa)]", "P(O2)", "10^-13 cm3(STP) cm/(cm2 s Pa)"),
        ("O2 permeability, cm3(STP) cm/(cm2 s Pa)", "O2 permeability", "cm3(STP) cm/(cm2 s Pa)"),
        ("permeability / cm3(STP) cm cm-2 s-1 Pa-1", "permeability", "cm3(STP) cm cm-2 s-1 Pa-1"),
        ("O2 permeability cm3(STP) cm/(cm2 s Pa)", "O2 permeability", "cm3(STP) cm/(cm2 s Pa)"),
        ("permeability (Barrer)", "permeability", "Barrer"),
        ("permeability, Barrer", "permeability", "Barrer"),
        ("toughness [foo (bar)/m]", "toughness", "foo (bar)/m"),
        ("Cp, measured [J/(kg K)]", "Cp, measured", "J/(kg K)"),
        ("heat capacity (J/(mol K)) at 298 K", "heat capacity at 298 K", "J/(mol K)"),
        # Brackets that hold no unit, and a unit that cannot be told from the name: nothing is cut off.
        ("Cp (298 K)", "Cp (298 K)", ""),
        ("Cp (melt)", "Cp (melt)", ""),
    ],
)
def test_the_unit_of_a_heading_is_taken_whole_or_not_at_all(heading: str, text: str, unit: str) -> None:
    raw = pasted(f"smiles\t{heading}\n*CC*\t1.5\n*CC(*)C\t1.7\n")
    label = label_of(raw, 1)
    assert (label.text, label.unit) == (text, unit)


@pytest.mark.parametrize(
    ("heading", "key"),
    [
        ("Tg [K] (DSC, 10 K/min)", "glass_transition"),
        ("n (589 nm)", "refractive_index"),
        ("Density at 25 °C (g/cm3)", "density"),
        ("Cp/1000 [J/(kg K)]", "Cp"),
        ("熱伝導率λ[W/mK]", "thermal_conductivity"),
        ("ρ (Brandrup) g/cm3", "density"),
        ("K (Mark) [mL/g]", "K (Mark)"),  # no bulk modulus
        ("ΔTg (K)", "ΔTg"),
    ],
)
def test_conditions_and_remarks_do_not_hide_the_property(heading: str, key: str) -> None:
    raw = pasted(f"name\tsmiles\t{heading}\nPE\t*CC*\t1.2\nPP\t*CC(*)C\t1.3\nPS\t*CC(*)c1ccccc1\t1.4\n")
    column = guess_roles(raw).columns[2]
    assert column.role == "measured"
    assert column.quantity is not None
    assert column.quantity.key == key


@pytest.mark.parametrize(
    "heading",
    [
        *(
            "1000/Tg",
            "Cp/R",
            "Cp/(3R)",
            "Tg-273.15 (K)",
            "Tg (K) - 273.15",
            "density (normalized)",
            "density (z-score)",
        ),
        *("density exp - MD (g/cm3)", "density exp/MD", "density (MD) - density (exp)"),
    ],
)
def test_what_is_calculated_from_a_property_is_not_the_property(heading: str) -> None:
    (column,) = guessed(f"name,smiles,{heading}\n" + ROWS.replace("{}", "1.2")).values
    assert column.quantity is not None
    assert not column.quantity.is_known


@pytest.mark.parametrize("way", ["DSC", "PoLyInfo", "real", "dilatometry"])
def test_rows_from_md_are_told_from_rows_that_say_how_they_were_measured(way: str) -> None:
    rows = "".join(f"{unit},{kind},{value}\n" for unit in ("*CC*", "*CO*") for kind, value in ((way, 250), ("MD", 270)))
    raw = spread(pasted(f"smiles,method,Tg (K)\n{rows}"))
    values = to_polymer_table(raw, guess_roles(raw)).values
    assert values[("measured", "glass_transition")].values[[0, 2]].tolist() == [250, 250]
    assert values[("md", "glass_transition")].values[[1, 3]].tolist() == [270, 270]


@pytest.mark.parametrize(
    "heading",
    ["Cp standard deviation", "Cp standard error", "standard deviation of Cp", "Cp_std", "Cp (standard deviation)"],
)
def test_a_statistic_of_two_words_belongs_to_its_value(heading: str) -> None:
    roles = guessed(f"name,smiles,Cp [J/(kg K)],{heading}\n" + ROWS.replace("{}", "2300,30"))
    assert roles.certain
    assert roles_of(roles)[heading] == "uncertainty"


def test_a_property_whose_symbol_is_a_word_for_a_statistic_is_a_property() -> None:
    roles = guessed("name,smiles,refractive index n\n" + ROWS.replace("{}", "1.5"))
    assert roles_of(roles)["refractive index n"] == "measured"
