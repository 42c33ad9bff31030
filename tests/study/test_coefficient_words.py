"""Sentences about coefficients, made from the numbers."""

from dataclasses import replace

import numpy as np
import pytest

from affinecal_gui.calibration.results import (
    Calibration,
    CoefficientEstimates,
    Metrics,
    ModelName,
    ModelResult,
    Recommendation,
    Validity,
)
from affinecal_gui.polymers.descriptors.blocks import DescriptorBlock, DescriptorBlocks
from affinecal_gui.study.snapshot import Settings, Snapshot
from affinecal_gui.study.words.coefficient_words import (
    BlockCoefficients,
    block_coefficients,
    coefficient_place,
    coefficient_sentence,
    physics_note,
)
from affinecal_gui.tables.units.properties import PROPERTIES, find_property

ELEMENTS = ("H", "C", "N", "O", "F", "P", "S", "Cl", "Br", "I")


def block(name: str, title: str, unit: str, over: str, low: float, high: float, size: int = 20) -> DescriptorBlock:
    centres = tuple((2 * j + 1) / (2 * size) for j in range(size))
    columns = tuple(f"{name}_{j}" for j in range(size))
    return DescriptorBlock(name, title, "", unit, over, columns, low, high, centres, 0.025)  # type: ignore[arg-type]


MASS = DescriptorBlock(
    "mass", "Atomic mass", "m", "", "atom", tuple(f"mass_{e}" for e in ELEMENTS), 1.0, 127.0,
    tuple(np.linspace(0, 1, 10)), 0.05, ELEMENTS,
)  # fmt: skip
BLOCKS = DescriptorBlocks(
    (
        MASS,
        block("epsilon", "Well depth", "kcal/mol", "atom", 0.0, 0.5),
        block("k_bond", "Bond constant", "kcal/(mol Å²)", "bond", 20.0, 1020.0),
        block("k_angle", "Angle constant", "kcal/(mol rad²)", "angle", 20.0, 160.0),
        block("k_dih", "Torsion barrier", "kcal/mol", "dihedral", 0.0, 12.0),
    )
)


def snapshot_with(gamma: dict[str, np.ndarray], sign: int = -1, off: tuple[str, ...] = ()) -> Snapshot:
    """A snapshot that has nothing but these coefficients; blocks not named are zero."""
    model: ModelName = "affine" if sign < 0 else "log_difference"
    values = np.concatenate([gamma.get(b.name, np.zeros(b.size)) for b in BLOCKS.blocks if b.name not in off])
    estimates = CoefficientEstimates(
        values, values - 0.004, values + 0.004, np.full(values.size, 0.1), values + 1, sign
    )
    two = np.ones(2)
    metrics = Metrics(2, 0.0, 0.0, 1.0, 0.0, 0.0, 2)
    result = ModelResult(model, {}, estimates, None, None, None, *(two,) * 7, metrics, metrics)
    nowhere = np.zeros((2, 1), dtype=np.int64)
    validity = Validity(two > 0, two > 0, nowhere[:, 0], two, 1.0, nowhere, np.zeros((2, 1)))
    calibration = Calibration(
        two, two, two, True, 0.9, "", {model: result}, Recommendation(model, model, "", ()), validity, (), 0, 0.0
    )
    settings = Settings(model=model, blocks_off=frozenset(off))
    return Snapshot(quantity=PROPERTIES[0], blocks=BLOCKS, calibration=calibration, settings=settings)


def low(size: int, value: float) -> np.ndarray:
    """Coefficients that are ``value`` in the lowest third and zero elsewhere."""
    return np.where(np.arange(size) < size // 3, value, 0.0)


def expected_by_physics(sign: int) -> dict[str, np.ndarray]:
    # Affine: correction = +gamma x subtracted, so gamma > 0 at light atoms (Minami et al., supplement); log-difference adds.
    strength = -sign * 0.01
    return {"mass": low(10, strength)} | {
        name: low(20, -strength) for name in ("epsilon", "k_bond", "k_angle", "k_dih")
    }


@pytest.mark.parametrize("sign", [-1, 1])
def test_signs_as_physics_expects(sign: int) -> None:
    note = physics_note(snapshot_with(expected_by_physics(sign), sign))
    assert note is not None
    assert note.agrees
    assert note.sentence == (
        "27 of 90 bands are clear of zero. Their signs are as physics expects: light atoms lower the calibrated Cp, "
        "low ε, soft bonds, soft angles and low torsion barriers raise it."
    )


@pytest.mark.parametrize("name", ["mass", "epsilon", "k_bond", "k_angle", "k_dih"])
def test_a_sign_that_is_wrong_is_not_passed_over(name: str) -> None:
    gamma = expected_by_physics(-1)
    note = physics_note(snapshot_with({**gamma, name: -gamma[name]}))
    assert note is not None
    assert not note.agrees
    assert note.sentence.startswith("27 of 90 bands are clear of zero. As physics expects, ")
    words = {"mass": "light atoms", "epsilon": "low ε", "k_bond": "soft bonds", "k_angle": "soft angles"}
    assert note.sentence.endswith(
        f"the opposite of what it expects shows for {words.get(name, 'low torsion barriers')}."
    )


def test_signs_all_wrong() -> None:
    note = physics_note(snapshot_with({name: -gamma for name, gamma in expected_by_physics(-1).items()}))
    assert note is not None
    assert not note.agrees
    assert "not as physics expects for light atoms, low ε" in note.sentence


def test_only_bands_clear_of_zero_are_spoken_about() -> None:
    gamma = expected_by_physics(-1)
    # The bands of the invented snapshot reach 0.004 to either side.
    many = {
        **{name: 0.3 * values for name, values in gamma.items()},
        "k_dih": np.where(np.arange(20) < 12, -0.01, -0.003),
    }
    note = physics_note(snapshot_with(many))
    assert note is not None
    assert note.agrees
    assert note.sentence == (
        "12 of 90 bands are clear of zero. Their signs are as physics expects: low torsion barriers raise the calibrated Cp."
    )
    none = physics_note(snapshot_with({name: 0.3 * values for name, values in gamma.items()}))
    assert none is not None
    assert not none.agrees
    assert none.sentence == (
        "None of the 90 bands is clear of zero; what physics expects of the signs cannot be judged."
    )
    elsewhere = physics_note(snapshot_with({"epsilon": np.where(np.arange(20) > 8, 0.01, 0.0)}))
    assert elsewhere is not None
    assert elsewhere.sentence == (
        "11 of 90 bands are clear of zero; what physics expects of the signs cannot be judged."
    )


def test_as_few_clear_bands_as_chance_makes_prove_nothing() -> None:
    """Of 90 bands at 90 % nine are clear of zero by chance alone."""
    for count in (1, 9):
        note = physics_note(snapshot_with({"k_dih": np.where(np.arange(20) < count, -0.01, 0.0)}))
        assert note is not None
        assert not note.agrees
        assert note.sentence.endswith(
            "clear of zero, no more than chance alone would make (9); what physics expects of the signs cannot be judged."
        )


def test_nothing_is_claimed_where_physics_expects_nothing() -> None:
    agreeing = snapshot_with(expected_by_physics(-1))
    assert physics_note(replace(agreeing, quantity=find_property("density"))) is None
    assert physics_note(replace(agreeing, calibration=None)) is None
    assert physics_note(snapshot_with({})) is None
    own = DescriptorBlocks((block("mine", "My block", "", "atom", 0, 1, 90),))
    assert physics_note(replace(agreeing, blocks=own)) is None


def test_blocks_switched_off_are_not_judged() -> None:
    note = physics_note(snapshot_with(expected_by_physics(-1), off=("mass", "k_dih")))
    assert note is not None
    assert note.sentence == (
        "18 of 60 bands are clear of zero. Their signs are as physics expects: low ε, soft bonds and soft angles raise the "
        "calibrated Cp."
    )


def part_of(name: str, gamma: float, position: int, sign: int = -1) -> BlockCoefficients:
    found = next(b for b in BLOCKS.blocks if b.name == name)
    values = np.zeros(found.size)
    values[position] = gamma
    return BlockCoefficients(found, values, values - 0.002, values + 0.003, np.full(found.size, 0.1), sign)


@pytest.mark.parametrize(
    ("sign", "direction", "effect", "band"),
    [(-1, "downward", "−0.0060", "−0.0090 to −0.0040"), (1, "upward", "+0.0060", "+0.0040 to +0.0090")],
)
def test_a_sentence_has_the_numbers_of_its_bar(sign: int, direction: str, effect: str, band: str) -> None:
    part = part_of("k_bond", 0.006, 7, sign)
    # the grid point 7 of 20 between 20 and 1020 lies at 20 + 1000 * 15 / 40 = 395
    assert coefficient_sentence(part, 7, PROPERTIES[0], True, 0.9) == (
        f"Polymers with more bonds near 395 kcal/(mol Å²) are corrected {direction}: {effect} in ln Cp per standard "
        f"unit. 90 % band {band}, clear of zero."
    )


def test_sentences_of_other_blocks_and_scales() -> None:
    text = coefficient_sentence(part_of("mass", 0.01, 0), 0, PROPERTIES[0], True, 0.9)
    assert text.startswith("Polymers with more H atoms are corrected downward: −0.010 in ln Cp")
    text = coefficient_sentence(part_of("epsilon", -0.001, 1), 1, find_property("density"), False, 0.8)
    assert "more atoms whose well depth is near 0.037 kcal/mol are corrected upward: +0.0010" in text
    assert "g/cm³ in ρ per standard unit" in text
    assert text.endswith("80 % band −0.0020 to +0.0030, not clear of zero.")


def test_what_is_written_as_nought_has_no_direction() -> None:
    part = part_of("k_bond", -0.00004, 7)
    wide = replace(part, lower=part.gamma - 0.2, upper=part.gamma + 0.2)
    assert "are hardly corrected: 0.00 in ln Cp" in coefficient_sentence(wide, 7, PROPERTIES[0], True, 0.9)
    text = coefficient_sentence(replace(wide, average=True), 7, PROPERTIES[0], True, 0.9)
    assert "calibrated values hardly move, 0.00 in ln Cp" in text


def test_no_band_no_word_about_it_and_absent_terms_are_told() -> None:
    part = part_of("k_dih", 0.01, 3)
    nothing = np.full(20, np.nan)
    bare = replace(part, lower=nothing, upper=nothing, mean=np.zeros(20))
    text = coefficient_sentence(bare, 3, PROPERTIES[0], True, 0.9)
    assert "band" not in text
    assert text.endswith("Hardly any polymer of the fit has such terms; the value follows its neighbours.")
    assert all(bare.clear_of_zero())


def test_average_effects_are_told_as_such() -> None:
    part = replace(part_of("k_bond", 0.01, 3, sign=1), average=True)
    sentence = coefficient_sentence(part, 3, PROPERTIES[0], True, 0.9)
    assert sentence.startswith("More bonds near ")
    assert "on average over the polymers of the fit, calibrated values move upward, +0.01" in sentence
    assert "at the same MD value" in sentence
    assert "90 % band" in sentence
    mass = replace(part_of("mass", -0.01, 0, sign=1), average=True)
    assert coefficient_sentence(mass, 0, PROPERTIES[0], True, 0.9).startswith("More H atoms: on average")


def test_physics_is_not_asked_of_average_effects() -> None:
    snapshot = snapshot_with(expected_by_physics(1), 1)
    assert snapshot.calibration is not None
    result = snapshot.calibration.models["log_difference"]
    assert result.coefficients is not None
    averaged = replace(result, model="direct", coefficients=replace(result.coefficients, average=True))
    shown = replace(
        snapshot,
        calibration=replace(snapshot.calibration, models={"direct": averaged}),
        settings=replace(snapshot.settings, model="direct"),
    )
    assert all(part.average for part in block_coefficients(shown))
    assert physics_note(shown) is None


def test_places() -> None:
    assert coefficient_place(MASS, 7) == "Atomic mass, Cl"
    assert coefficient_place(BLOCKS.blocks[2], 7) == "Bond constant, 395 kcal/(mol Å²)"


def test_coefficients_are_split_among_the_blocks() -> None:
    gamma = {b.name: np.arange(b.size) + 100.0 * k for k, b in enumerate(BLOCKS.blocks)}
    for part in block_coefficients(snapshot_with(gamma)):
        assert np.array_equal(part.gamma, gamma[part.block.name])
    for part in block_coefficients(snapshot_with(gamma, off=("epsilon",))):
        assert part.off is (part.block.name == "epsilon")
        if not part.off:
            assert np.array_equal(part.gamma, gamma[part.block.name])
    whole = snapshot_with(gamma)  # the coefficients still include the block that was just switched off
    later = replace(whole, settings=replace(whole.settings, blocks_off=frozenset({"k_bond"})))
    assert [part.off for part in block_coefficients(later)] == [False, False, True, False, False]


def test_coefficients_of_other_blocks_are_not_shown() -> None:
    other = replace(snapshot_with({}), blocks=DescriptorBlocks((MASS,)))
    assert all(part.off for part in block_coefficients(other))
    assert block_coefficients(Snapshot()) == ()
