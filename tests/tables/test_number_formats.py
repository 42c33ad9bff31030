"""Which mark is decimal is settled by the whole column and the whole file; what stays open is asked about and told."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affinecal_gui.tables.cells.number_formats import guess_number_format
from affinecal_gui.tables.cells.numbers import read_number
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.single_numbers import NumberFormat
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from affinecal_gui.tables.values.polymer_table import PolymerTable
from tests.tables.making import pasted

COMMA = NumberFormat(",")
UNITS = ("*CC*", "*CC(*)C", "*CC(*)Cl", "*CC(*)F", "*CC(*)c1ccccc1", "*CCO*", "*CC(*)O", "*CC(*)C#N")
HEAT = (1200, 1910, 2111, 765, 958, 1467, 1320, 930)  # J/(kg K), made up


def file_of(heading: str, numbers: Sequence[str], delimiter: str) -> PolymerTable:
    """Read a small file with these numbers under one heading."""
    lines = [delimiter.join((unit, number)) for unit, number in zip(UNITS, numbers, strict=False)]
    raw = pasted("\n".join((f"smiles{delimiter}{heading}", *lines)) + "\n")
    return to_polymer_table(raw, guess_roles(raw))


def values_of(table: PolymerTable) -> list[float]:
    return [float(value) for value in next(iter(table.values.values())).values]


GROUPED = [f"{value:,}" for value in HEAT]
POINTS = [text.replace(",", ".") for text in GROUPED]


@pytest.mark.parametrize(
    ("heading", "numbers", "delimiter", "factor"),
    [
        ("cp [J/(kg K)]", POINTS, ";", 1),  # German thousands beside numbers below a thousand
        ("cp [J/(kg K)]", POINTS, "\t", 1),
        ("cp [J/(kg K)]", GROUPED, "\t", 1),
        ("cp [J/(kg K)]", GROUPED, ";", 1),
        ("cp [kJ/(kg K)]", [f"{value / 1000:.3f}".replace(".", ",") for value in HEAT], ";", 1),
        ("cp [kJ/(kg K)]", [f"{value / 1000:.3f}" for value in HEAT], "\t", 1),
        ("cp [J/(kg K)]", [text.replace(",", " ") for text in GROUPED], ";", 1),
        ("cp [J/(kg K)]", [text.replace(",", "\u202f") for text in GROUPED], ";", 1),
        ("cp [J/(kg K)]", [text.replace(",", "\u00a0") + ",0" for text in GROUPED], ";", 1),
        ("cp [J/(kg K)]", [text.replace(",", "'") for text in GROUPED], "\t", 1),
        ("cp [J/(kg K)]", [f"{text}.0" for text in GROUPED], "\t", 1),
        ("cp [J/(kg K)]", ["1200.0", "1910.0", "2111.0", "765.0", "958.0", "1,467.0", "1 320", "930"], "\t", 1),
        ("cp [J/(kg K)]", ["1200.0", "1910.0", "2111.0", "765.0", "958.0", "1,467", "1320.0", "930.0"], "\t", 1),
        # mantissas have one digit before their decimals
        ("cp [J/(kg K)]", [f"{value:.3E}".replace(".", ",") for value in HEAT], "\t", 1),
        ("cp [J/(kg K)]", [f"{value / 1000:.3f}·10^3".replace(".", ",") for value in HEAT], "\t", 1),
        ("permeability", POINTS, ";", 1),  # no unit, no known property: the numbers beside them decide
        ("permeability", GROUPED, "\t", 1),
        ("permeability", ["1.200", "1.910", "2.111", "0.765", "0.958", "1.467", "1.320", "0.930"], ";", 1e-3),
        ("permeability", ["1.200", "1.910", "2.111", "765", "958", "1.467", "1.320", "9"], ";", None),
    ],
)
def test_thousands_are_thousands_and_decimals_are_decimals(
    heading: str, numbers: list[str], delimiter: str, factor: float | None
) -> None:
    table = file_of(heading, numbers, delimiter)
    assert table.rows_rejected == 0
    expected = [*HEAT[:-1], 9.0] if factor is None else [value * factor for value in HEAT]
    assert values_of(table) == pytest.approx(expected, rel=1e-12)


def test_what_could_have_been_read_in_another_way_is_said() -> None:
    (note,) = file_of("cp [J/(kg K)]", POINTS, ";").remarks("Cp")
    assert note == "cp [J/(kg K)]: the point in numbers such as “1.200” was read as a thousands mark: 1200."
    (note,) = file_of("cp [J/(kg K)]", GROUPED, "\t").remarks("Cp")
    assert note == "cp [J/(kg K)]: the comma in numbers such as “1,200” was read as a thousands mark: 1200."
    (note,) = file_of("cp [J/(kg K)]", [text.replace(",", " ") for text in GROUPED], ";").remarks("Cp")
    assert "“1 200” were read as thousands marks: 1200" in note
    assert file_of("cp [J/(kg K)]", ["1200", "1.5e3"], ";").remarks("Cp") == ()
    assert file_of("cp [kJ/(kg K)]", ["1.200", "1.911"], ",").remarks("Cp") == ()


def test_the_unit_decides_where_every_number_could_be_both() -> None:
    for numbers in (["1.200", "1.910", "2.111"], ["1,200", "1,910", "2,111"]):
        for heading, factor in (("Cp [J/(kg K)]", 1.0), ("Cp [kJ/(kg K)]", 1.0), ("density [kg/m3]", 1e-3)):
            table = file_of(heading, numbers, "\t")
            assert values_of(table) == pytest.approx([1200 * factor, 1910 * factor, 2111 * factor])


def test_other_columns_decide_too() -> None:
    text = "smiles;density [g/cm3];barrier\n*CC*;0,95;1.200\n*CC(*)C;1,05;2.111\n*CC(*)Cl;1,1;3.050\n"
    raw = pasted(text)
    roles = guess_roles(raw)
    assert roles.columns[2].style == NumberFormat(",", ".")
    text = text.replace("1.200", "1,200").replace("2.111", "2,111").replace("3.050", "3,050")
    assert guess_roles(pasted(text)).columns[2].style == COMMA


def test_temperatures_and_ready_descriptors_follow_the_decimal_comma_of_the_file() -> None:
    names = ";".join(f"k_bond_{i}" for i in range(10))
    cells = ";".join(["0,25"] * 10)
    raw = pasted(f"smiles;Cp [J/(g K)];T [K];{names}\n*CC*;2,3;298,15;{cells}\n*CC(*)C;1,9;300,5;{cells}\n")
    table = to_polymer_table(raw, guess_roles(raw))
    assert table.temperature is not None
    assert table.temperature.tolist() == [298.15, 300.5]
    assert table.descriptors is not None
    assert (table.descriptors == 0.25).all()


@given(
    st.lists(st.integers(400, 4000), min_size=6, max_size=8),
    st.sampled_from([",", "."]),
    st.sampled_from([";", "\t"]),
)
def test_a_mix_of_marked_and_unmarked_thousands_is_never_off_by_a_thousand(
    values: list[int], mark: str, delimiter: str
) -> None:
    """Whole numbers between 400 and 4000, of which those from 1000 on carry a mark."""
    table = file_of("quantity", [f"{value:,}".replace(",", mark) for value in values], delimiter)
    if min(values) < 1000 <= max(values):
        assert values_of(table) == pytest.approx(values)


@given(st.lists(st.floats(0.4, 4.0), min_size=6, max_size=8), st.integers(1, 4), st.sampled_from([",", "."]))
def test_small_decimals_are_never_thousands(values: list[float], digits: int, mark: str) -> None:
    texts = [f"{value:.{digits}f}".replace(".", mark) for value in values]
    if any(float(text.replace(",", ".")) < 1 for text in texts) or digits != 3:
        table = file_of("quantity", texts, ";")
        assert np.allclose(values_of(table), [float(text.replace(",", ".")) for text in texts])


@pytest.mark.parametrize(
    ("cells", "style", "certain"),
    [
        (["0,95", "1,05"], COMMA, True),
        (["1,5"], COMMA, True),
        (["0,123"], COMMA, True),
        (["1,2345"], COMMA, True),
        (["0.95", "1.05"], NumberFormat(), True),
        (["1234", "5"], NumberFormat(), True),
        (["1.234"], NumberFormat(), True),
        (["1,234"], NumberFormat(".", ","), False),
        (["1,234", "1.5"], NumberFormat(), False),
        (["1,5", "1.5"], NumberFormat(), False),
        (["0,5", "0,7", "0.6"], COMMA, False),
        (["1,234,567"], NumberFormat(".", ","), True),
        (["1,234.5", "2,000"], NumberFormat(".", ","), True),
        (["1.234,5", "2.000"], NumberFormat(",", "."), True),
    ],
)
def test_decimal_mark_of_a_column(cells: list[str], style: NumberFormat, certain: bool) -> None:
    guess = guess_number_format(cells)
    assert (guess.format, guess.certain) == (style, certain)
    assert bool(guess.question) is not certain


def test_other_columns_settle_an_ambiguous_comma() -> None:
    assert guess_number_format(["1,234"], known=",").format == COMMA
    assert guess_number_format(["1,234"], known=",").certain
    assert not guess_number_format(["1.234"], known=",").certain


def test_zero_point_nine_never_becomes_nine_hundred() -> None:
    for cells in (["0,900", "1,100"], ["0,9"], ["0.900", "1,100"], ["0,900", "1.100"]):
        guess = guess_number_format(cells)
        for cell in cells:
            reading = read_number(cell, guess.format)
            assert reading.state == "problem" or 0.5 < reading.value < 2


@given(st.lists(st.from_regex(r"-?\d{1,4}(\.\d{1,4})?", fullmatch=True), min_size=1, max_size=6))
def test_plain_cells_say_the_same_as_any_others(cells: list[str]) -> None:
    """A plus sign before a cell takes the column the long way."""
    longer = [cell if cell.startswith("-") else f"+{cell}" for cell in cells]
    assert guess_number_format(cells) == guess_number_format([*longer, "+"])


def test_numbers_beyond_all_numbers_do_no_harm() -> None:
    assert guess_number_format(["1e999", "2.5", "-1e999"]).format == NumberFormat()
    assert guess_number_format(["9" * 400, "1.250"]).format == NumberFormat()
    assert guess_number_format(["9" * 400 + ",5", "1.250,5"]).format == NumberFormat(",", ".")
