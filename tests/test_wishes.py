"""Wishes as people write them, and the ways in which they cannot be meant."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affinecal_gui.errors import UserError
from affinecal_gui.tables.units.properties import find_property, own_property
from affinecal_gui.tasks.screening.where import read_wishes
from tests.tries import tries

TG, RHO, OWN = find_property("glass_transition"), find_property("density"), own_property("O2 barrier", "cm2/s")
INF = math.inf


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("Tg > 400 and density < 1.2", {"glass_transition": (400, INF), "density": (-INF, 1.2)}),
        (
            "glass transition temperature >= 400 K AND Density<=1.2 g/cm3",
            {"glass_transition": (400, INF), "density": (-INF, 1.2)},
        ),
        ("Tg ≥ 126.85 °C", {"glass_transition": (400, INF)}),
        ("density at least 1000 kg/m³ and density at most 1.2", {"density": (1.0, 1.2)}),
        ("1.0 < density < 1.2", {"density": (1.0, 1.2)}),
        ("1200 kg/m3 ≥ density ≥ 1000 kg/m3", {"density": (1.0, 1.2)}),
        (
            "Tg between 400 and 450 K and density between 1 and 1.2",
            {"glass_transition": (400, 450), "density": (1.0, 1.2)},
        ),
        ("Tg between 100 and 200 °C", {"glass_transition": (373.15, 473.15)}),
        ("O2 barrier < 1e-8", {"O2 barrier": (-INF, 1e-8)}),
        ("o2-barrier > −2", {"O2 barrier": (-2, INF)}),
        ("Tg > 400 and Tg > 420", {"glass_transition": (420, INF)}),
    ],
)
def test_a_wish_is_read(text: str, bounds: dict[str, tuple[float, float]]) -> None:
    wishes, _ = read_wishes(text, (TG, RHO, OWN))
    assert list(wishes.bounds) == list(bounds)
    for key, ends in bounds.items():
        assert wishes.bounds[key] == pytest.approx(ends, rel=1e-12)


def test_a_goal_is_no_bound() -> None:
    wishes, said = read_wishes("Tg as high as possible and density as LOW as possible and Tg > 300 K", (TG, RHO))
    assert wishes.goals == {"glass_transition": "high", "density": "low"}
    assert list(wishes.bounds) == ["glass_transition"]
    assert said == []


def test_a_number_without_a_unit_is_said_to_be_in_that_of_the_calibrator() -> None:
    _, said = read_wishes("Tg > 400 and density < 1200 kg/m3", (TG, RHO))
    assert said == ["--where: 400 is read in K, the unit of the calibrator of glass transition temperature."]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Tg > 400 or density < 1.2", "not understood"),
        ("not Tg > 400", "no calibrator is of “not Tg”"),
        ("Tg = 400", "“Tg = 400” is not understood"),
        ("Tg > 1,2", "“,2” is not a unit"),
        ("Tg > 400 < 500", "not understood"),
        ("400 > Tg < 500", "not understood"),
        ("Tg > 400 and", "“and” is not a unit"),
        ("and", "not understood"),
        ("Tg", "“Tg” is not understood"),
        ("Tg > 400 g/cm3", "g/cm3"),
        ("Tg > 400 apples", "apples"),
        (
            "Tm > 400",
            "no calibrator is of “Tm”; there are those of glass transition temperature (glass_transition), density",
        ),
        ("Tg > 1e999", "too large"),
        ("Tg > 400 and Tg < 300", "above 400 and below 300 at once"),
        ("density between 1.2 and 1.0", "at once"),
        ("__import__('os').system('true') > 1", "no calibrator is of"),
    ],
)
def test_what_cannot_be_meant_is_refused_and_quoted(text: str, said: str) -> None:
    with pytest.raises(UserError) as refused:
        read_wishes(text, (TG, RHO))
    assert said in str(refused.value)
    assert str(refused.value).startswith("--where: ")


@settings(max_examples=tries(60), deadline=None)
@given(st.text(alphabet="Tgρdensity0123456789.<>=≥ andbetw", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        wishes, _ = read_wishes(text, (TG, RHO))
    except UserError:
        return
    assert all(low < high for low, high in wishes.bounds.values())
    assert wishes.bounds or wishes.goals
