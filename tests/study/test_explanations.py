"""Sentences about a fit say what its numbers say."""

import math
from dataclasses import replace

import numpy as np
import pytest

from affinecal_gui.calibration.calibrators import registry
from affinecal_gui.calibration.calibrators.parameters import ALPHA_1, Parameter
from affinecal_gui.calibration.calibrators.registry import fitted_keys
from affinecal_gui.calibration.results import Convergence, Estimate
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.words.explanations import calibrator_equation, explain_convergence, explain_parameters
from affinecal_gui.tables.units.properties import find_property
from tests.ui.sample_snapshot import sample_snapshot  # the finished study that the views are tested on


def with_parameters(model: str, **parameters: Estimate) -> Snapshot:
    snapshot = sample_snapshot()
    calibration = snapshot.calibration
    result = replace(calibration.models[model], parameters=parameters)
    return replace(
        snapshot,
        calibration=replace(calibration, models={**calibration.models, model: result}),
        settings=replace(snapshot.settings, model=model),
    )


def test_einsteins_expectation_is_stated_and_compared() -> None:
    snapshot = with_parameters("affine", alpha_1=Estimate(0.84, 0.57, 1.08), beta=Estimate(-0.016, -0.028, -0.002))
    source = np.log(snapshot.calibration.md)
    change = (1 - 0.016 * source.max()) / (1 - 0.016 * source.min()) - 1  # the factor 1 + beta f at both ends
    assert explain_parameters(snapshot) == (
        "Einstein’s theory expects α₁ = 1 and β = 0. Here 1 lies inside the interval of α₁; β is below 0, so the "
        f"correction is {-100 * change:.0f} % weaker at the highest MD values than at the lowest."
    )


@pytest.mark.parametrize(
    ("slope", "coupling", "words"),
    [
        (Estimate(0.8, 0.6, 0.9), Estimate(0.0, -0.01, 0.01), ("lies below 1", "0 lies inside that of β")),
        (Estimate(1.3, 1.1, 1.5), Estimate(0.02, 0.01, 0.03), ("lies above 1", "β is above 0", "stronger")),
        (Estimate(1.0, 0.9, 1.1), Estimate(-1e-4, -2e-4, -1e-5), ("less than 1 % weaker",)),
        (Estimate(-0.5), Estimate(-0.01), ("Here α₁ is −0.50",)),
        (Estimate(1.0, 0.9, 1.1), Estimate(-0.5, -0.6, -0.4), ("β is below 0.",)),  # 1 + beta f changes its sign
    ],
)
def test_the_sentence_follows_the_numbers(slope: Estimate, coupling: Estimate, words: tuple[str, ...]) -> None:
    text = explain_parameters(with_parameters("affine", alpha_1=slope, beta=coupling))
    for word in words:
        assert word in text
    assert "nan" not in text


@pytest.mark.parametrize("model", ["affine", "ordinary"])
def test_nothing_is_concluded_from_equal_md_values(model: str) -> None:
    snapshot = with_parameters(model, alpha_1=Estimate(0.0, -1.0, 1.0), beta=Estimate(0.0, -1.0, 1.0))
    md = np.full_like(snapshot.calibration.md, 3000.0)
    text = explain_parameters(replace(snapshot, calibration=replace(snapshot.calibration, md=md)))
    assert text.startswith("All MD values are equal")
    assert "inside" not in text


def test_other_properties_are_not_compared_with_einstein() -> None:
    snapshot = replace(sample_snapshot(), quantity=find_property("density"))
    assert "Einstein" not in explain_parameters(snapshot)
    assert "α₁ = 1 and β = 0" in explain_parameters(snapshot)


def test_the_mean_difference_becomes_a_factor() -> None:
    text = explain_parameters(with_parameters("log_difference", intercept=Estimate(math.log(0.45))))
    assert text.startswith("On average the measured value is 0.450 times the MD value;")
    linear = with_parameters("log_difference", intercept=Estimate(-0.07))
    linear = replace(linear, calibration=replace(linear.calibration, log_scale=False))
    assert explain_parameters(linear).startswith("On average the measured value lies 0.0700 below the MD value;")


def test_a_line_through_the_origin_is_explained_as_a_proportion(monkeypatch: pytest.MonkeyPatch) -> None:
    through = replace(registry.calibrator("ordinary"), parameters=(ALPHA_1,))
    others = (one for one in registry.CALIBRATORS if one.key != "ordinary")
    monkeypatch.setattr(registry, "CALIBRATORS", (*others, through))
    snapshot = with_parameters("ordinary", alpha_1=Estimate(0.893, 0.88, 0.9))
    assert explain_parameters(snapshot) == "The logarithm of the calibrated value is 0.893 times that of the MD value."
    linear = replace(snapshot, calibration=replace(snapshot.calibration, log_scale=False))
    assert explain_parameters(linear) == "The calibrated value is 0.893 times the MD value."


def test_an_offset_that_is_no_mean_is_explained_by_its_meaning(monkeypatch: pytest.MonkeyPatch) -> None:
    median = Parameter("shift", "alpha_0", "c", "median difference", "median difference")
    shift = replace(registry.calibrator("log_difference"), parameters=(median,), uses_descriptors=False)
    others = (one for one in registry.CALIBRATORS if one.key != "log_difference")
    monkeypatch.setattr(registry, "CALIBRATORS", (*others, shift))
    text = explain_parameters(with_parameters("log_difference", shift=Estimate(math.log(0.45))))
    assert text == "By the median difference the measured value is 0.450 times the MD value."


def test_every_calibrator_has_a_sentence_and_an_equation() -> None:
    for model in fitted_keys():
        snapshot = replace(sample_snapshot(), settings=replace(sample_snapshot().settings, model=model))
        assert explain_parameters(snapshot).endswith(".")
        assert calibrator_equation(model, log_scale=True).startswith("y = ")
    assert explain_parameters(Snapshot()) == ""


@pytest.mark.parametrize(
    ("convergence", "good", "sentence"),
    [
        (None, True, ""),
        (Convergence("closed form", 0, True), True, "Solved exactly, in closed form."),
        (Convergence("direct", 7, True, 4e-13), True, "Converged: slope in β 4\u00a0×\u00a010⁻¹³ after 7 evaluations."),
        (Convergence("direct", 1, True, 0.0), True, "Converged after 1 evaluation."),
        (Convergence("direct", 9, False, -0.02), False, "Not converged: the slope in β is still −0.02 after 9"),
        (Convergence("block", 48, True), True, "Converged after 48 sweeps of block updates."),
        (Convergence("block", 200, False), False, "Not converged after 200 sweeps"),
    ],
)
def test_convergence_is_said_in_words(convergence: Convergence | None, good: bool, sentence: str) -> None:
    found = explain_convergence(convergence)
    assert found[0] is good
    assert found[1].startswith(sentence)
    assert (found[1] == "") == (sentence == "")
