"""Values that are probably mistakes are told with file, line and text, and used as they stand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from affinecal_gui.tables.values.outlying_values import AMONG_VALUES, far_off, times
from affinecal_gui.tables.values.polymer_table import PolymerTable
from tests.tables.making import pasted

UNITS = ("*CC*", "*CC(*)C", "*CC(*)Cl", "*CC(*)F", "*CC(*)c1ccccc1", "*CCO*", "*CC(*)O", "*CC(*)C#N")


def file_of(heading: str, numbers: list[str]) -> PolymerTable:
    raw = pasted("\n".join((f"smiles\t{heading}", *(f"{u}\t{n}" for u, n in zip(UNITS * 9, numbers, strict=False)))))
    return to_polymer_table(raw, guess_roles(raw))


HEAT = ["1200", "1910", "2111", "765", "958", "1467", "1320"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("12000000", "“12000000” is 8,600 times the typical value of the column, 1394 J/(kg K)"),
        ("1.4", "“1.4” is 1/900 of the typical value of the column, 1260 J/(kg K)"),
        ("40000", "“40000” is 29 times"),
    ],
)
def test_an_impossible_value_is_told_and_kept(text: str, said: str) -> None:
    table = file_of("Cp [J/(kg K)]", [*HEAT, text])
    (remark,) = table.remarks("Cp")
    assert remark.startswith("pasted.csv, line 9, Cp [J/(kg K)]: ")
    assert said in remark
    column = table.values[("measured", "Cp")]
    assert column.values[-1] == float(text)
    assert column.notes == {7: "far from the other values"}


@pytest.mark.parametrize(
    ("heading", "numbers"),
    [
        ("Cp [J/(kg K)]", [*HEAT, "4200"]),
        (
            "permeability [Barrer]",
            ["0.001", "0.3", "12", "900", "45", "0.02", "3", "120"],
        ),  # six decades, all of them right
        ("chi", ["-0.3", "0.4", "0.61", "-0.24", "0.6", "-0.03", "0.088", "0.001"]),
        ("Tg [°C]", ["-120", "-20", "5", "80", "105", "150", "220", "300"]),
        ("Cp [J/(kg K)]", ["1200", "12000000"]),  # two values: nothing is usual
    ],
)
def test_ordinary_columns_raise_no_alarm(heading: str, numbers: list[str]) -> None:
    table = file_of(heading, numbers)
    assert not any("is it right" in remark for key in table.values for remark in table.values[key].remarks)


def test_a_wrong_value_of_both_signs_and_a_lone_negative_one_are_told() -> None:
    mixed = file_of("chi", ["-0.3", "0.4", "0.61", "-0.24", "0.6", "-0.03", "0.088", "500"])
    (remark,) = mixed.remarks("chi")
    assert "“500” is far from the typical value" in remark
    lone = file_of("permeability", [*(f"{20 + i}" for i in range(24)), "-3"])
    (remark,) = lone.remarks("permeability")
    assert "“-3” is not positive, unlike all others" in remark


def test_a_negative_density_is_no_value_and_listed() -> None:
    table = file_of("density [g/cm3]", ["0.95", "1.05", "1.1", "-0.9", "1.2"])
    (problem,) = table.problems
    assert (problem.line, problem.text) == (5, "-0.9")
    assert problem.reason == "-0.9 is negative; density is positive"


def test_many_are_counted() -> None:
    table = file_of("Cp [J/(kg K)]", [*(str(1000 + i) for i in range(30)), *["9000000"] * 5])
    remarks = table.remarks("Cp")
    assert len(remarks) == 4
    assert remarks[-1] == "Cp [J/(kg K)]: 2 more values are as far from the others."


@given(st.lists(st.floats(0.5, 2.0), min_size=9, max_size=40), st.floats(25.0, 1e12), st.booleans())
def test_a_factor_is_found_wherever_it_stands(values: list[float], factor: float, small: bool) -> None:
    """Values within a factor of four of each other, and one that is off by far more."""
    wrong = 1.0 / (2 * factor) if small else 2 * factor
    found = far_off([*values, wrong], AMONG_VALUES)
    spread = np.abs(np.log(values) - np.median(np.log([*values, wrong])))
    if 6 * 1.4826 * np.median([*spread, 100]) < np.log(10):
        assert found.tolist() == [len(values)]
    assert set(found.tolist()) <= {len(values)}


def test_ratios_in_words() -> None:
    assert times(8345.0) == "8,300 times"
    assert times(0.0525) == "1/19 of"
    assert times(1e9) == "1.0\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10⁹ times"
