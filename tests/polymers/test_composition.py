"""Homopolymers and copolymers as text: what is read, what is refused, and which of them are one polymer."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affinecal_gui.polymers.chain.identity import polymer_identity
from affinecal_gui.polymers.copolymers.composition import (
    Composition,
    composition_identity,
    describe_composition,
    parse_composition,
)
from affinecal_gui.polymers.copolymers.composition_text import composition_text, holds_several_units
from affinecal_gui.polymers.descriptors.descriptors import describe, describe_copolymer
from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit, parse_repeat_unit
from tests.polymers.chain_rewriting import rewritten
from tests.polymers.polymers_to_try import ORDINARY
from tests.tries import tries

STYRENE = "*C(C*)c1ccccc1"


def key(text: str) -> str:
    return composition_identity(parse_composition(text)).key


def test_a_repeat_unit_is_a_composition_of_one() -> None:
    composition = parse_composition(STYRENE)
    assert not composition.is_copolymer
    assert composition.fractions == (1.0,)
    assert composition_identity(composition) == polymer_identity(parse_repeat_unit(STYRENE))
    np.testing.assert_array_equal(describe_composition(STYRENE), describe(STYRENE))


@pytest.mark.parametrize(
    "text",
    [f"*CC*|{STYRENE}|0.7|0.3", f" *CC* | {STYRENE} |70 %| 30%", f"*CC*|{STYRENE}|7|3", f"*CC*|{STYRENE}|7e-1|.3"],
)
def test_fractions_are_ratios(text: str) -> None:
    composition = parse_composition(text)
    assert composition.fractions == pytest.approx((0.7, 0.3))
    np.testing.assert_allclose(
        describe_composition(text), describe_copolymer(["*CC*", STYRENE], [0.7, 0.3]), atol=1e-12
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("*CC*|*CC(*)C", "2 repeat units need as many mole fractions; there are none."),
        ("*CC*|*CC(*)C|0.7", "there is 1."),
        ("*CC*|0.7|0.3", "1 repeat unit needs as many mole fractions; there are 2."),
        ("*CC*|*CC(*)C|0.7|x", "“x” is neither a mole fraction nor a repeat unit"),
        ("*CC*|*CC(*)C|0.7|", "An empty text is neither"),
        ("*CC*|CC|0.7|0.3", "“CC” is neither a mole fraction nor a repeat unit with attachment points."),
        ("*CC*|*CC(*)C|1.2|-0.2", "The mole fraction -0.2 is negative."),
        ("*CC*|*CC(*)C|0|0.0", "add up to zero"),
        ("*CC*|*CC(*)C|nan|0.3", "“nan” is neither"),
        ("*CC*|*CC(*)C|inf|1", "“inf” is neither"),
        ("*CC*|*CC(*)C|1_0|1", "“1_0” is neither"),
        ("*CC*|*CC(|1|1", "Repeat unit 2 of 2: Not a valid SMILES at position 4"),
        ("*CC*|*C|1|1", "Repeat unit 2 of 2: There is only one attachment point"),
        ("|", "“” is no repeat unit"),
        ("0.7|0.3", "“0.7” is no repeat unit"),
        ("|".join(["*CC*"] * 21 + ["1"] * 21), "There are 21 repeat units"),
        ("|".join(["*" + "C" * 2600 + "*"] * 2 + ["1"] * 2), "has 5,209 characters"),
    ],
)
def test_what_is_wrong_is_one_reason(text: str, reason: str) -> None:
    with pytest.raises(InvalidRepeatUnit) as caught:
        parse_composition(text)
    assert reason in str(caught.value)


@pytest.mark.parametrize("text", ["*CC* |$_AP1;;;_AP2$|", "*CC*", "*CC* ", "C#N"])
def test_an_extension_is_no_second_unit(text: str) -> None:
    assert not holds_several_units(text)


ONE_COPOLYMER = [
    f"*CC*|{STYRENE}|0.7|0.3",
    f"{STYRENE}|*CC*|0.3|0.7",
    f"*CCCC*|{STYRENE}|0.35|0.3",  # twice as much ethylene in a unit, half as many units
    f"*C*|{STYRENE}|1.4|0.3",
    "*CC*|*CCCC*|*CC(*)c1ccccc1|0.5|0.1|0.3",
    f"*CC*|{STYRENE}|*CC(*)C|70|30|0",
]


def test_one_copolymer_has_one_identity_and_one_description() -> None:
    assert len({key(text) for text in ONE_COPOLYMER}) == 1
    for text in ONE_COPOLYMER[1:]:
        np.testing.assert_allclose(describe_composition(text), describe_composition(ONE_COPOLYMER[0]), atol=1e-12)


def test_a_copolymer_of_one_chain_is_the_homopolymer() -> None:
    for text in ("*CC*|*CCCC*|0.5|0.5", "*CC*|*CC(*)C|1|0", "*C*|*CC*|*CCC*|1|2|3"):
        assert composition_identity(parse_composition(text)) == polymer_identity(parse_repeat_unit("*CC*"))


def test_other_compositions_are_other_polymers() -> None:
    texts = ["*CC*", STYRENE, *(f"*CC*|{STYRENE}|{share / 10}|{1 - share / 10}" for share in range(1, 10))]
    assert len(set(map(key, [*texts, f"*CC(*)C|{STYRENE}|0.5|0.5"]))) == len(texts) + 1


def test_fractions_agree_to_three_digits() -> None:
    assert key(f"*CC*|{STYRENE}|0.3333|0.6667") == key(f"*CC*|{STYRENE}|1|2")
    assert key(f"*CC*|{STYRENE}|0.333|0.667") != key(f"*CC*|{STYRENE}|0.34|0.66")


def test_tacticity_of_a_unit_counts() -> None:
    isotactic = composition_identity(parse_composition("*C[C@H](*)C|*CC*|0.5|0.5"))
    syndiotactic = composition_identity(parse_composition("*C[C@H](C)C[C@H](*)C|*CC*|0.25|0.5"))
    unmarked = composition_identity(parse_composition("*CC(*)C|*CC*|0.5|0.5"))
    assert isotactic.key == syndiotactic.key == unmarked.key
    assert len({isotactic.stereo_key, syndiotactic.stereo_key, unmarked.stereo_key}) == 3
    assert isotactic.has_stereo
    assert not unmarked.has_stereo


def amounts(text: str, written: str) -> float:
    """How many times the second unit holds as many periods as the first."""
    first, second = (polymer_identity(parse_repeat_unit(unit)) for unit in (text, written))
    return second.periods / first.periods


@settings(max_examples=tries(60), deadline=None)
@given(
    units=st.lists(st.sampled_from(ORDINARY), min_size=1, max_size=4),
    parts=st.lists(st.integers(1, 16), min_size=4, max_size=4),
    seed=st.integers(0, 2**32),
)
def test_a_copolymer_may_be_rewritten(units: list[str], parts: list[int], seed: int) -> None:
    choice = random.Random(seed)
    shares = [part / 16 for part in parts[: len(units)]]
    others = [rewritten(parse_repeat_unit(unit), choice) for unit in units]
    others_shares = [share / amounts(unit, other) for share, unit, other in zip(shares, units, others, strict=True)]
    order = choice.sample(range(len(units)), len(units))
    one = composition_text(units, [repr(share) for share in shares])
    other = composition_text([others[i] for i in order], [repr(others_shares[i]) for i in order])
    assert key(one) == key(other)
    np.testing.assert_allclose(describe_composition(one), describe_composition(other), atol=1e-9)


def test_periods_are_counted_with_their_ions() -> None:
    def periods(text: str) -> int:
        return polymer_identity(parse_repeat_unit(text)).periods

    assert [periods(text) for text in ("*C*", "*CC*", "*CCC*", STYRENE)] == [1, 2, 3, 1]
    acrylate = "C(C(=O)[O-])"
    assert periods(f"*C{acrylate}C{acrylate}*.[Ca+2]") == 1
    assert periods(f"*{('C' + acrylate) * 4}*.[Ca+2].[Ca+2]") == 2
    assert isinstance(parse_composition("*C*"), Composition)
