"""Other penalties for a finished calibration: the same numbers as a calibration with these penalties by hand."""

from dataclasses import replace

import numpy as np
import pytest

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.refit import REUSED, refit
from affinecal_gui.calibration.results import Penalties
from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.task import Task
from tests.calibration.simulated_polymers import simulate

OPTIONS = CalibrationOptions(
    repetitions=2,
    outer_folds=4,
    inner_folds=3,
    lambda_1_grid=(0.1, 1.0, 10.0),
    lambda_2_grid=(1.0, 10.0),
    measure_next=2,
)
BY_HAND = {"log_difference": Penalties(0.7, 2.0), "affine": Penalties(0.6, 3.0)}


def run(options):
    data = simulate(0)
    return calibrate(data.measured, data.md, data.X, data.library_md, data.library_X, data.sizes, options)


@pytest.mark.parametrize("protocol", ["default", "paper"])
def test_refit_is_a_calibration_with_penalties_by_hand(protocol):
    before = run(replace(OPTIONS, protocol=protocol))
    quick, full = refit(before, BY_HAND), run(replace(OPTIONS, protocol=protocol, penalties=BY_HAND))
    for model in BY_HAND:
        a, b = quick.models[model], full.models[model]
        assert a.penalties == b.penalties == BY_HAND[model]
        for field in ("fitted", "out_of_fold", "library"):
            np.testing.assert_allclose(getattr(a, field), getattr(b, field), rtol=1e-7, err_msg=field)
        new, expected = a.coefficients, b.coefficients
        np.testing.assert_allclose(new.gamma, expected.gamma, rtol=1e-5, atol=1e-9)
        # The bands use the scatter of the residuals, whose spreads are those of the last full calibration.
        np.testing.assert_allclose(new.upper - new.lower, expected.upper - expected.lower, rtol=0.1)
        assert a.metrics.rmse == pytest.approx(b.metrics.rmse, rel=1e-7)
        for name, estimate in a.parameters.items():
            assert estimate.value == pytest.approx(b.parameters[name].value, rel=1e-5)
            # beta has no interval where its penalty says nearly all that is known of it.
            assert estimate.lower <= estimate.value <= estimate.upper or name == "beta"
    # The combined calibrator keeps the weights of the calibration before, which a note says.
    assert quick.recommendation.recommended == full.recommendation.recommended
    assert quick.settings == full.settings


def test_intervals_are_new_and_still_hold_their_share():
    before = run(OPTIONS)
    after = refit(before, {"affine": Penalties(100.0, 100.0)})
    one, old = after.models["affine"], before.models["affine"]
    assert np.mean(one.library_upper / one.library_lower) > np.mean(old.library_upper / old.library_lower)
    inside = np.mean((after.measured >= one.out_of_fold_lower) & (after.measured <= one.out_of_fold_upper))
    assert inside >= 0.9


def test_what_was_not_asked_for_stays():
    before = run(OPTIONS)
    after = refit(before, {"affine": Penalties(2.0, 2.0)})
    for model in ("md", "ordinary", "log_difference"):
        assert after.models[model] is before.models[model]
    assert after.measure_next == before.measure_next
    assert after.validity is before.validity
    assert after.models["affine"].surface is before.models["affine"].surface  # the slider moves on it
    assert REUSED in after.notes
    assert REUSED not in before.notes


def test_a_slider_moves_again_and_again_and_back():
    before = run(OPTIONS)
    own = before.models["affine"].penalties
    after = refit(refit(refit(before, {"affine": Penalties(5.0, 9.0)}), BY_HAND), {"affine": own})
    # The refit uses the chosen penalties in every fold, where the calibration chose them anew: fits agree.
    np.testing.assert_allclose(after.models["affine"].fitted, before.models["affine"].fitted, rtol=1e-9)
    assert after.notes.count(REUSED) == 1


def test_bands_by_bootstrap_move_along():
    before = run(replace(OPTIONS, bands="bootstrap", bootstrap=20))
    after = refit(before, BY_HAND)
    for model in BY_HAND:
        a, b = after.models[model].coefficients, before.models[model].coefficients
        np.testing.assert_allclose(a.upper - a.lower, b.upper - b.lower, rtol=0.5)
        assert (a.lower <= a.gamma).all()
        assert (a.gamma <= a.upper).all()


def test_penalties_without_sense_are_refused_and_stops_obeyed():
    before = run(OPTIONS)
    with pytest.raises(UserError, match="λ₁ must be positive"):
        refit(before, {"affine": Penalties(0.0, 1.0)})
    with pytest.raises(Cancelled):
        refit(before, BY_HAND, task=Task(cancelled=lambda: True))
    with pytest.raises(ValueError, match="calibrate"):
        refit(replace(before, kept_fit=None), BY_HAND)
