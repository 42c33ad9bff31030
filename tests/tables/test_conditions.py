"""Values of one polymer at several temperatures, pressures or tacticities are kept apart, not averaged."""

from pathlib import Path

import pytest

from affinecal_gui.tables.matching.matching import MatchReport, match
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from tests.tables.making import polymers

MD = "id,smiles,temp,press,tacticity,Cp"


def matched(
    measured: list[tuple[str, ...]], md: list[tuple[str, ...]], tolerance: float = 10.0, **how: str
) -> MatchReport:
    heading = how.get("heading", "name,smiles,T [K],Cp")
    return match(
        polymers(measured, "measured", heading),
        polymers(md, "md", how.get("md_heading", MD)),
        "Cp",
        tolerance=tolerance,
    )


def pair(report: MatchReport) -> tuple[float, float]:
    (link,) = report.links
    return report.measured[link.measured].value, report.library[link.library].value


AT_THREE = [(f"P{kelvin}", "*CC*", str(kelvin), "1", "none", str(4000 + kelvin)) for kelvin in (250, 300, 400)]


@pytest.mark.parametrize(("kelvin", "value"), [("298", 4300), ("255", 4250), ("405", 4400), ("", 4300)])
def test_a_value_is_compared_with_the_simulation_at_its_temperature(kelvin: str, value: float) -> None:
    report = matched([("PE", "*CCCC*", kelvin, "2300"), ("PP", "*CC(*)C", "298", "1900")], AT_THREE)
    assert pair(report) == (2300, value)
    (found,) = report.library
    assert len(found.counted_rows) == 1
    assert len(found.rows) == 3
    assert f"the one at {value - 4000} K is used" in found.note


def test_what_is_further_apart_than_the_tolerance_is_not_compared() -> None:
    report = matched([("PE", "*CC*", "350", "2300")], AT_THREE)
    assert report.links == ()
    (unmatched,) = report.unmatched
    assert unmatched.reason == (
        "PE was measured at 350 K, and its MD values hold at 250, 300 and 400 K: further apart than 10 K."
    )
    assert pair(matched([("PE", "*CC*", "350", "2300")], AT_THREE, tolerance=50.0)) == (2300, 4300)


def test_a_temperature_that_only_one_side_states_and_that_is_not_of_the_room_is_told() -> None:
    report = matched([("PE", "*CC*", "", "2300")], AT_THREE[2:])
    assert pair(report) == (2300, 4400)
    told = "1 MD value holds at 400 K, and the measured values that they are compared with state no temperature."
    assert f"{told} Is it the same?" in report.notes
    report = matched([("PE", "*CC*", "450", "2300")], [("P", "*CC*", "", "1", "none", "4300")])
    told = "1 measured value holds at 450 K, and the MD values that they are compared with state no temperature."
    assert f"{told} Is it the same?" in report.notes
    assert not any("Is it the same?" in note for note in matched([("PE", "*CC*", "", "2300")], AT_THREE[1:2]).notes)


def test_temperatures_in_headings_count_on_both_sides() -> None:
    measured = [("PE", "*CC*", "2300"), ("PP", "*CC(*)C", "1900")]
    report = matched(
        measured, [("a", "*CC*", "4300")], heading="name,smiles,Cp 25 °C", md_heading="id,smiles,Cp at 450 K"
    )
    assert report.links == ()
    assert "was measured at 298.15 K, and its MD values hold at 450 K" in report.unmatched[0].reason
    report = matched(
        measured, [("a", "*CC*", "4300")], heading="name,smiles,Cp 25 °C", md_heading="id,smiles,Cp at 300 K"
    )
    assert "1 measured value at 298.15 K is compared with MD values at 300 K" in " ".join(report.notes)


@pytest.mark.parametrize("heading", ["Температура, °C", "온도 (°C)", "溫度 [°C]", "temperatuur (°C)", "sıcaklık (°C)"])
def test_temperatures_are_known_in_other_languages(heading: str) -> None:
    table = polymers([("PE", "*CC*", "127", "2300")], "measured", f'name,smiles,"{heading}",Cp')
    assert table.temperature is not None
    assert table.temperature.tolist() == [400.15]


def test_a_difference_within_the_tolerance_is_told() -> None:
    report = matched([("PE", "*CC*", "298", "2300")], AT_THREE[1:2])
    assert (
        "1 measured value at 298 K is compared with MD values at 300 K; up to 10 K apart are allowed." in report.notes
    )
    report = matched([("PE", "*CC*", "300", "2300")], AT_THREE[1:2])
    assert not any("is compared with" in note for note in report.notes)


def test_measured_values_at_other_temperatures_do_not_count() -> None:
    report = matched(
        [("PE", "*CC*", kelvin, value) for kelvin, value in (("298", "2300"), ("400", "2900"))], AT_THREE[1:2]
    )
    assert pair(report) == (2300, 4300)
    assert report.measured[0].unused_rows == (1,)


def test_temperatures_are_no_condition_of_a_transition() -> None:
    measured = polymers([("PE", "*CC*", "150", "250")], "measured", "name,smiles,T [K],Tg [K]")
    md = polymers([("a", "*CC*", "300", "270")], "md", "id,smiles,temp,Tg [K]")
    assert len(match(measured, md, "glass_transition").links) == 1


@pytest.mark.parametrize(
    ("name", "value"), [("polypropylene", 4001), ("isotactic polypropylene", 4002), ("PP, syndiotactic", 4001)]
)
def test_repeats_are_those_of_one_tacticity(name: str, value: float) -> None:
    md = [("a", "*CC(*)C", "300", "1", tacticity, str(4000 + n)) for n, tacticity in enumerate(("", "atactic"))]
    md += [("b", "*CC(*)C", "300", "1", "isotactic", "4002"), ("a", "*CC(*)C", "300", "1", "none", "4002")]
    report = matched([(f'"{name}"', "*CC(*)C", "298", "1900")], md)
    assert pair(report) == (1900, value)


def test_pressures_are_kept_apart_and_the_nearest_to_one_atmosphere_counts() -> None:
    md = [
        ("a", "*CC*", "300", press, "none", value)
        for press, value in (("1000", "4100"), ("1", "4300"), ("1.0", "4310"))
    ]
    report = matched([("PE", "*CC*", "298", "2300")], md)
    assert pair(report) == (2300, 4305)
    assert "at 1 atm" in report.library[0].note


def test_polymers_that_are_not_measured_are_taken_at_the_temperature_of_the_others() -> None:
    others = [(f"Q{kelvin}", "*CC(*)C", str(kelvin), "1", "none", str(kelvin)) for kelvin in (300, 400)]
    report = matched([("PE", "*CC*", "400", "2300")], [*AT_THREE, *others])
    assert [polymer.value for polymer in report.library] == [4400, 400]


BY_PRESSURE = [("a", "*CC*", "300", press, "none", value) for press, value in (("1", "4300"), ("1000", "4100"))]


@pytest.mark.parametrize(
    ("heading", "low", "high"),
    [
        ("pressure [atm]", "1", "1000"),
        ("P (MPa)", "0.1", "100"),
        ("p/bar", "1", "1000"),
        ("Druck / MPa", "0.1", "100"),
        ("圧力 [GPa]", "0.0001", "0.1"),
        ("pressure [psi]", "14.7", "14700"),
        ("Pressure", "0.1 MPa", "1 kbar"),
        ("pression (MPa)", '"0,1"', '"100,0"'),
    ],
)
def test_measured_values_are_compared_with_simulations_at_their_pressure(heading: str, low: str, high: str) -> None:
    rows = [("PE", "*CC*", low, "2300"), ("PE", "*CC*", high, "2100")]
    of_two = f"name,smiles,{heading},Cp"
    assert pair(matched(rows, BY_PRESSURE, heading=of_two)) == (2300, 4300)
    assert pair(matched(rows[:1], BY_PRESSURE, heading=of_two)) == (2300, 4300)
    assert pair(matched(rows[1:], BY_PRESSURE, heading=of_two)) == (2100, 4100)
    (unmatched,) = matched(rows[1:], BY_PRESSURE[:1], heading=of_two).unmatched
    assert unmatched.reason.replace("101", "100") == (
        "PE was measured at 100 MPa, and its MD values hold at 1 atm: further apart than 5 MPa."
    )
    # Of several measured values, those at another pressure than the simulation do not count.
    assert pair(matched(rows, BY_PRESSURE[:1], heading=of_two)) == (2300, 4300)


def test_pressures_are_read_with_the_decimal_mark_of_their_table(tmp_path: Path) -> None:
    path = tmp_path / "md.csv"
    rows = [f"P{number};*C(C*){'C' * number};900,{number};1,013" for number in range(1, 8)]
    path.write_text("\n".join(["id;smiles;density (kg/m³);p [bar]", *rows]) + "\n", encoding="cp1252")
    raw = read_table(path)
    table = to_polymer_table(raw, guess_roles(raw))
    assert table.pressure == pytest.approx([0.1013] * 7)
    assert not any("not used" in remark for remark in table.remarks())


def test_what_is_no_pressure_is_told() -> None:
    table = polymers(
        [("PE", "*CC*", "1", "2300"), ("PP", "*CC(*)C", "2 K", "1900"), ("PS", "*CC(*)c1ccccc1", "ambient", "1200")],
        "measured",
        "name,smiles,P (atm),Cp",
    )
    assert table.pressure == pytest.approx([0.101325, *[float("nan")] * 2], nan_ok=True)
    assert [note for note in table.notes if "pressure" in note] == [
        "“2 K” in “P (atm)” is no pressure that can be read."
    ]


def test_a_pressure_that_only_one_side_states_and_that_is_not_of_the_air_is_told() -> None:
    report = matched([("PE", "*CC*", "298", "2300")], BY_PRESSURE[1:])
    told = "1 MD value holds at 101 MPa, and the measured values that they are compared with state no pressure."
    assert pair(report) == (2300, 4100)
    assert f"{told} Is it the same?" in report.notes
    assert not any("pressure" in note for note in matched([("PE", "*CC*", "298", "2300")], BY_PRESSURE[:1]).notes)


@pytest.mark.parametrize(
    ("low", "high", "unit"),
    [("0.1", "100", "MPa"), ("101325", "1e8", "Pa"), ("101.325", "1e5", "kPa"), ("1", "990", "atm")],
)
def test_pressures_without_a_unit_are_told_as_what_they_are_read(low: str, high: str, unit: str) -> None:
    rows = [("PE", "*CC*", high, "2100"), ("PE", "*CC*", low, "2300")]
    report = matched(rows, BY_PRESSURE, heading="name,smiles,pressure,Cp")
    assert pair(report) == (2300, 4300)
    assert report.measured[0].unused_rows == (0,)
    table = polymers(rows, "measured", "name,smiles,pressure,Cp")
    assert table.pressure is not None
    assert f"No unit is named in “pressure”; its pressures are read as {unit}." in table.notes


@pytest.mark.parametrize(
    ("heading", "word"),
    [
        ("tacticity", "Isotactic"),
        ("Taktizität", "isotaktisch"),
        ("tacticité", "isotactique"),
        ("tacticity", "it"),
        ("tacticidad", "isotáctico"),
        ("タクティシティー", "アイソタクチック"),
        ("tacticity", "isotactic (mm = 0.95)"),
    ],
)
def test_a_tacticity_is_understood_however_it_is_written(heading: str, word: str) -> None:
    md = [("a", "*CC(*)C", "at", "4001"), ("b", "*CC(*)C", word, "4002"), ("b", "*CC(*)C", word, "4002")]
    way = {"heading": "name,smiles,Cp", "md_heading": f"id,smiles,{heading},Cp"}
    assert pair(matched([("PP", "*CC(*)C", "1900")], md, **way)) == (1900, 4001)
    assert pair(matched([("isotactic PP", "*CC(*)C", "1900")], md, **way)) == (1900, 4002)


def test_values_of_another_tacticity_are_told() -> None:
    md = [("a", "*CC(*)C", "300", "1", "atactic", "4001")]
    measured = [("PP", "*CC(*)C", "isotactic", "1900")]
    report = matched(measured, md, heading="name,smiles,tacticity,Cp")
    assert pair(report) == (1900, 4001)
    assert "1 measured value is of isotactic polymers, and compared with MD values of atactic chains." in report.notes
    both = [*measured, ("PP", "*CC(*)C", "atactic", "1800")]
    report = matched(both, md, heading="name,smiles,tacticity,Cp")
    assert pair(report) == (1800, 4001)
    assert not any("chains" in note for note in report.notes)


def test_a_value_under_a_heading_with_a_pressure_is_not_compared_with_a_simulation_at_that_of_the_air() -> None:
    measured = polymers([("PE", "*CC*", "0.9")], "measured", "name,smiles,density at 100 MPa (g/cm3)")
    md = polymers([("PE", "*CC*", "0.85", "1")], "md", "name,smiles,density (g/cm3),press")
    (unmatched,) = match(measured, md, "density").unmatched
    assert unmatched.reason == (
        "PE was measured at 100 MPa, and its MD values hold at 1 atm: further apart than 5 MPa."
    )


def test_a_temperature_that_cannot_be_is_one_that_is_not_stated() -> None:
    measured = [("PE", "*CC*", "-5", "2300")]
    assert pair(matched(measured, BY_PRESSURE[:1], heading="name,smiles,T [K],Cp")) == (2300, 4300)
