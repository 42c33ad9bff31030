"""Of replicates in columns beside each other, the column of their mean is the value; it is told by its numbers."""

import pytest

from affinecal_gui.errors import UserError
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from tests.tables.making import pasted
from tests.tables.said_of import POLYMERS, TG, said_of, table

ONE = [value + 2 for value in TG]
TWO = [value - 3 for value in TG]
THREE = [value + 3 for value in TG]
OF_TWO = [(a + b) / 2 for a, b in zip(ONE, TWO, strict=True)]
OF_THREE = [f"{(a + b + c) / 3:.1f}" for a, b, c in zip(ONE, TWO, THREE, strict=True)]


@pytest.mark.parametrize("name", ["mean", "Tg mean", "average", "Tg (avg) (K)", "Mittelwert", "平均値"])
@pytest.mark.parametrize("first", [True, False])
def test_a_column_of_means_comes_before_those_it_is_the_mean_of(name: str, first: bool) -> None:
    replicates = [("Tg_1 (K)", ONE), ("Tg_2 (K)", TWO), ("Tg_3 (K)", THREE)]
    columns = [(name, OF_THREE), *replicates] if first else [*replicates, (name, OF_THREE)]
    text = table(("smiles", *(heading for heading, _ in columns)), POLYMERS, *(cells for _, cells in columns))
    raw = pasted(text)
    read = to_polymer_table(raw, guess_roles(raw)).values[("measured", "glass_transition")]
    assert read.heading == name
    assert read.values.tolist() == [float(cell) for cell in OF_THREE]
    assert said_of(text) == f"“{name}” is read: it is the mean of “Tg_1 (K)”, “Tg_2 (K)” and “Tg_3 (K)”."


def test_a_deviation_behind_the_mean_is_that_of_the_mean() -> None:
    raw = pasted(table(("smiles", "Tg_1 (K)", "Tg_2 (K)", "mean", "SD"), POLYMERS, ONE, TWO, OF_TWO, [3.5] * 9))
    read = to_polymer_table(raw, guess_roles(raw)).values[("measured", "glass_transition")]
    assert read.uncertainty.tolist() == [3.5] * 9


def test_a_replicate_that_is_missing_does_not_count() -> None:
    lacking = ["", *THREE[1:]]
    means = [OF_TWO[0], *OF_THREE[1:]]
    text = table(("smiles", "Tg_1 (K)", "Tg_2 (K)", "Tg_3 (K)", "mean"), POLYMERS, ONE, TWO, lacking, means)
    assert "“mean” is read: it is the mean of" in said_of(text)


@pytest.mark.parametrize("cells", [ONE, [value + 20 for value in TG]])
def test_what_is_called_a_mean_and_is_none_is_not_taken_for_it(cells: list[float]) -> None:
    said = said_of(table(("smiles", "Tg_1 (K)", "Tg_2 (K)", "mean"), POLYMERS, ONE, TWO, cells))
    assert "“Tg_1 (K)” was read as glass transition temperature, and not “Tg_2 (K)”" in said
    assert "columns of numbers are not used: “mean”" in said


def test_limits_without_a_value_are_named_where_there_is_no_value() -> None:
    with pytest.raises(
        UserError, match="“Tg min” and “Tg max” give limits or uncertainties, but of no column of values"
    ):
        said_of(table(("smiles", "Tg min", "Tg max"), POLYMERS, TWO, ONE))


@pytest.mark.parametrize(
    ("first", "second"), [("Tg_1 (K)", "Tg_2 (K)"), ("Tg run 1 (K)", "Tg run 2 (K)"), ("Tg (1) [K]", "Tg (2) [K]")]
)
def test_repeats_without_a_mean_are_not_guessed_among(first: str, second: str) -> None:
    text = table(("smiles", first, second), POLYMERS, ONE, TWO)
    with pytest.raises(UserError, match=r"look like repeats of one another, and no column holds their mean") as refused:
        said_of(text)
    assert f"“{first}” and “{second}”" in str(refused.value)
    assert said_of(text, value_column=second) == ""


def test_values_of_different_runs_are_no_repeats() -> None:
    said = said_of(table(("smiles", "Tg 1st heating (K)", "Tg 2nd heating (K)"), POLYMERS, ONE, TWO))
    assert "“Tg 2nd heating (K)” was read as glass transition temperature" in said
