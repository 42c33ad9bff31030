"""What columns are for is told from headings and contents, and asked about where neither tells."""

from pathlib import Path

import pytest
from tables.making import pasted

from affinecal_gui.tables.properties import find_property
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.roles import Roles, guess_roles

ROWS = "PE,*CC*,{}\nPS,*CC(*)c1ccccc1,{}\nPP,*CC(*)C,{}\n"


def guessed(text: str, name: str = "table.csv") -> Roles:
    return guess_roles(pasted(text, name))


def roles_of(roles: Roles) -> dict[str, str]:
    return {column.heading: column.role for column in roles.columns}


@pytest.mark.parametrize(
    ("heading", "role"),
    [
        *[(text, "id") for text in ("id", "monomer_ID", "PID", "Polymer-ID", "sample_id", "Nr.")],
        *[(text, "name") for text in ("name", "Polymer", "polymer name", "Bezeichnung", "ポリマー名", "聚合物")],
        *[(text, "temperature") for text in ("T", "T [K]", "temp", "Temperature (°C)", "測定温度", "T_K")],
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


def test_the_user_can_change_a_column() -> None:
    roles = guessed("name,smiles,value\n" + ROWS.format(2.3, 1.25, 1.93))
    assert roles.questions == ("Which property is value?",)
    changed = roles.with_column(2, quantity=find_property("Cp"), unit="J/(g K)")
    assert changed.certain
    assert changed.columns[2].unit == "J/(g K)"
    assert changed.kind == "measured"
    assert changed.with_column(2, role="ignored").kind == "none"


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
    assert found["static_dielectric_const"][:2] == ("md", "dielectric_constant")
    assert found["thermal_conductivity_std"][0] == "uncertainty"
    assert found["DP"][0] == found["tacticity"][0] == found["press"][0] == "detail"


@pytest.mark.peer
def test_single_reports_with_units_by_row_need_no_question(shared_data: Path) -> None:
    roles = guess_roles(read_table(shared_data / "heat_capacity_all_reported_values.csv"))
    assert roles.certain
    assert [column.role for column in roles.columns] == [
        *("name", "smiles", "measured", "unit", "temperature", "phase", "source", "detail")
    ]
