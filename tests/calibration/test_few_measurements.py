"""How well values are predicted from few measurements."""

import numpy as np
import pytest

from affinecal_gui.calibration.checking.few_measurements import WITH_OFFSET, few_measurements

RNG = np.random.default_rng(3)
MEASURED = RNG.normal(7.3, 0.3, 30)
CORRECTED = MEASURED + 0.1
MD = MEASURED * 0.5 + 4.0 + RNG.normal(0.0, 0.2, 30)


def errors(**choices: int) -> dict[tuple[int, str], float]:
    found = few_measurements(MEASURED, MD, CORRECTED, sizes=(4, 20, 30), draws=50, **choices)
    return {(one.measurements, one.model): one.rmse for one in found}


def test_without_a_measurement_only_what_is_not_fitted_has_an_error() -> None:
    found = errors()
    assert [model for number, model in found if number == 0] == ["md", "quantum_corrected"]
    assert found[0, "quantum_corrected"] == pytest.approx(0.1)
    assert found[0, "md"] == pytest.approx(np.sqrt(np.mean((MD - MEASURED) ** 2)))


def test_an_offset_takes_a_constant_error_away_and_a_line_needs_more_measurements() -> None:
    found = errors()
    assert found[4, WITH_OFFSET] == pytest.approx(0.0, abs=1e-12)
    assert found[4, "quantum_corrected"] == pytest.approx(0.1)
    assert found[4, "ordinary"] > found[20, "ordinary"]


def test_sizes_that_leave_nothing_to_predict_are_left_out_and_draws_are_the_same_again() -> None:
    found = errors()
    assert {number for number, _ in found} == {0, 4, 20}
    assert found == errors()
    assert found != errors(seed=1)
