"""The surrogate of MD values against the textbook, against refits, and against looking at what it must not see."""

import numpy as np
import pytest
from numpy.typing import NDArray

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.input_errors import CalibrationInputError
from affinecal_gui.calibration.kernels.comparing.unsimulated import LEVELS, try_unsimulated
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.surrogate import leave_out
from affinecal_gui.calibration.surrogate.precision import Hyperparameters, LandmarkPrecision, WholePrecision
from affinecal_gui.calibration.surrogate.surrogate import NOTHING_LEFT_OUT, Surrogate, fit_surrogate
from affinecal_gui.calibration.surrogate.training_rows import training_rows
from affinecal_gui.calibration.surrogate.unsimulated import UnsimulatedMD

FloatArray = NDArray[np.float64]
SIZES = (4, 3)
QUICK = CalibrationOptions(
    log_scale=False,
    repetitions=1,
    outer_folds=4,
    lambda_1_grid=(0.3, 3.0),
    lambda_2_grid=(0.0, 1.0),
    bands="none",
    measure_next=0,
)


def table(rows: int, seed: int = 0) -> tuple[FloatArray, FloatArray]:
    """MD values that are a smooth function of seven descriptors, and a little noise."""
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(rows, 7))
    return X[:, 0] + np.sin(X[:, 1]) + 0.05 * generator.normal(size=rows), X


def kernel_of(surrogate: Surrogate) -> object:
    from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

    return ConstantKernel(surrogate.amplitude) * (
        Matern(surrogate.length * np.sqrt(7.0), nu=2.5) + ConstantKernel(1.0) + WhiteKernel(surrogate.noise)
    )


def test_values_and_deviations_are_those_of_a_gaussian_process_of_scikit_learn() -> None:
    from sklearn.gaussian_process import GaussianProcessRegressor

    f, X = table(80)
    new = table(25, 1)[1]
    surrogate = fit_surrogate(f, X, SIZES)
    peer = GaussianProcessRegressor(kernel_of(surrogate), alpha=1e-12, optimizer=None)
    peer.fit((X - surrogate.mean) / surrogate.scale, f - f.mean())
    expected, deviation = peer.predict((new - surrogate.mean) / surrogate.scale, return_std=True)
    found = surrogate.predict(new)
    np.testing.assert_allclose(found.values, expected + f.mean(), rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(found.deviation, deviation, rtol=1e-6)


def test_leaving_rows_out_is_the_same_as_never_having_had_them() -> None:
    f, X = table(60)
    rows = training_rows(f, X, SIZES)
    chosen, held = Hyperparameters(2.0, 1e-2), np.array([3, 17, 40])
    precision = WholePrecision(rows.Z, chosen, rows.noise)
    without = leave_out.leave_out(precision, rows.f, held, chosen)
    kept = np.setdiff1d(np.arange(60), held)
    alone = WholePrecision(rows.Z[kept], chosen, rows.noise[kept])
    of_kept = leave_out.leave_out(alone, rows.f[kept], NOTHING_LEFT_OUT, chosen)
    (found,) = leave_out.predict_without(precision, [without], rows.Z[held])
    (expected,) = leave_out.predict_without(alone, [of_kept], rows.Z[held])
    np.testing.assert_allclose(found.values, expected.values, rtol=1e-9)
    np.testing.assert_allclose(found.deviation, expected.deviation, rtol=1e-8)
    assert without.rmse == pytest.approx(of_kept.rmse, rel=1e-9)


def test_the_error_by_leaving_one_out_is_that_of_refits() -> None:
    f, X = table(40)
    rows = training_rows(f, X, SIZES)
    chosen = Hyperparameters(2.0, 1e-2)
    precision = WholePrecision(rows.Z, chosen, rows.noise)
    level, missed = rows.f.mean(), []
    for one in range(40):
        others = np.delete(np.arange(40), one)
        part = WholePrecision(rows.Z[others], chosen, rows.noise[others])
        alpha = part.times(rows.f[others] - level)
        missed.append(rows.f[one] - level - float((part.features(rows.Z[[one]]) @ alpha)[0]))
    found = leave_out.leave_out(precision, rows.f, NOTHING_LEFT_OUT, chosen)
    np.testing.assert_allclose(found.errors(), missed, rtol=1e-8, atol=1e-12)


def test_landmarks_that_are_all_rows_say_what_the_whole_says() -> None:
    f, X = table(60)
    rows = training_rows(f, X, SIZES)
    chosen, held = Hyperparameters(1.0, 1e-2), np.array([5, 6])
    new = rows.scale.apply(table(10, 1)[1])
    whole = WholePrecision(rows.Z, chosen, rows.noise)
    landmarks = LandmarkPrecision(rows.Z, chosen, rows.noise, 60)
    answers = [
        leave_out.predict_without(one, [leave_out.leave_out(one, rows.f, held, chosen)], new)[0]
        for one in (whole, landmarks)
    ]
    np.testing.assert_allclose(answers[0].values, answers[1].values, rtol=1e-5)
    np.testing.assert_allclose(answers[0].deviation, answers[1].deviation, rtol=1e-4)


def test_many_rows_are_learned_by_landmarks_whatever_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leave_out, "MOST_WHOLE", 300)
    monkeypatch.setattr(leave_out, "LANDMARKS", 200)
    f, X = table(600)
    order = np.random.default_rng(1).permutation(600)
    one, other = fit_surrogate(f, X, SIZES), fit_surrogate(f[order], X[order], SIZES)
    new, truth = table(200, 2)[1], table(200, 2)[0]
    assert len(one.landmarks) == 200
    np.testing.assert_allclose(one.predict(new).values, other.predict(new).values, rtol=1e-7, atol=1e-9)
    assert np.sqrt(np.mean((one.predict(new).values - truth) ** 2)) < 0.15


def test_the_order_of_the_rows_changes_no_prediction() -> None:
    f, X = table(90)
    order, new = np.random.default_rng(1).permutation(90), table(5, 1)[1]
    one, other = fit_surrogate(f, X, SIZES).predict(new), fit_surrogate(f[order], X[order], SIZES).predict(new)
    assert one.values.tobytes() == other.values.tobytes()


@pytest.mark.parametrize(
    ("rows", "value", "why"),
    [(0, None, "no MD value"), (29, None, "at least 30 MD values.*are 29"), (40, 1.5, "all MD values are equal")],
)
def test_too_little_to_learn_from_is_refused_in_one_sentence(rows: int, value: float | None, why: str) -> None:
    f, X = table(rows)
    with pytest.raises(CalibrationInputError, match=why):
        fit_surrogate(f if value is None else np.full(rows, value), X, SIZES)


def test_values_whose_repeats_scatter_more_count_less() -> None:
    f, X = table(60)
    f[10] += 2.0
    deviation = np.full(60, 0.05)
    deviation[10] = 5.0
    trusting, wary = fit_surrogate(f, X, SIZES), fit_surrogate(f, X, SIZES, deviation)
    truth = X[10, 0] + np.sin(X[10, 1])
    assert abs(wary.predict(X[[10]]).values[0] - truth) < abs(trusting.predict(X[[10]]).values[0] - truth)


def study(changed: float = 0.0) -> tuple[FloatArray, FloatArray]:
    """Values of 24 polymers held out, where polymer 5 is simulated with another result; which polymers are predicted so."""
    f, X = table(70)
    f[5] += changed
    y = 2.0 * (X[:24, 0] + np.sin(X[:24, 1])) + 1.0 + 0.1 * X[:24, 2]
    surrogate = UnsimulatedMD(training_rows(f, X, SIZES), np.arange(24), X[:24], X[:2])
    (values,) = surrogate.without([NOTHING_LEFT_OUT])
    found = calibrate(y, values.measured, X[:24], values.library, X[:2], SIZES, QUICK, predicted=surrogate)
    return np.array([model.out_of_fold for name, model in found.models.items() if name != "md"]), y


def test_the_md_row_of_a_held_out_polymer_changes_nothing_of_its_own_prediction() -> None:
    before, after = study()[0], study(changed=3.0)[0]
    assert before[:, 5].tobytes() == after[:, 5].tobytes()
    assert not np.array_equal(before, after)


def test_rows_that_no_descriptor_tells_from_a_held_out_polymer_are_held_out_with_it() -> None:
    f, X = table(70)
    X[40] = X[5]
    answers = []
    for change in (0.0, 3.0):
        moved = f.copy()
        moved[40] += change
        surrogate = UnsimulatedMD(training_rows(moved, X, SIZES), np.arange(24), X[:24], X[:0])
        answers.append(surrogate.without([np.array([5])])[0].measured)
    assert answers[0].tobytes() == answers[1].tobytes()


def test_predicted_md_values_are_nearly_as_good_as_simulated_ones_where_descriptors_tell_them() -> None:
    f, X = table(120)
    y = 2.0 * (X[:24, 0] + np.sin(X[:24, 1])) + 1.0 + 0.1 * X[:24, 2]
    trial = try_unsimulated(y, np.arange(24), f, X, SIZES, QUICK, repetitions=1)
    ways = trial.ways
    simulated, predicted, without = (way.rmse(y) for way in ways)
    assert simulated < 1.1 * predicted
    assert predicted < 0.75 * without
    for way in ways:
        shares = way.inside.mean(axis=(1, 2))
        assert len(shares) == len(LEVELS)
        assert (np.diff(shares) >= 0.0).all()
    assert 2 <= trial.farthest.sum() <= 4
    assert trial.against("with MD", "without MD").value == pytest.approx(without - simulated, rel=1e-6)


def test_what_is_compared_needs_thirty_md_values() -> None:
    f, X = table(29)
    with pytest.raises(CalibrationInputError, match="at least 30 MD values"):
        try_unsimulated(f[:10] + 1.0, np.arange(10), f, X, SIZES, QUICK)
