"""The calibration as a whole: what comes back, for good data and for bad."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.calibrators.registry import fitted_keys, linear_keys
from affinecal_gui.calibration.data import row_blocks
from affinecal_gui.calibration.input_errors import CalibrationInputError
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import Penalties
from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.task import Task
from tests.calibration.bundled_examples import SIZES, load_example
from tests.calibration.simulated_polymers import simulate

QUICK = {
    "repetitions": 2,
    "outer_folds": 4,
    "inner_folds": 3,
    "lambda_1_grid": (0.1, 1.0, 10.0),
    "lambda_2_grid": (1.0, 10.0),
    "measure_next": 3,
}


def quick(**changes):
    return CalibrationOptions(**{**QUICK, **changes})


def run(data, options=None, **keywords):
    return calibrate(
        data.measured,
        data.md,
        data.X,
        np.concatenate([data.md, data.library_md]),
        np.vstack([data.X, data.library_X]),
        data.sizes,
        quick() if options is None else options,
        **keywords,
    )


def numbers_of(calibration):
    """Every array and number of a result that a view may draw, by name."""
    found = {}
    for name, one in calibration.models.items():
        for field in ("fitted", "out_of_fold", "out_of_fold_lower", "out_of_fold_upper"):
            found[f"{name}.{field}"] = getattr(one, field)
        for field in ("library", "library_lower", "library_upper"):
            found[f"{name}.{field}"] = getattr(one, field)
        for label, estimate in one.parameters.items():
            found[f"{name}.{label}"] = np.array([estimate.value])
            assert estimate.lower <= estimate.value <= estimate.upper or np.isnan(estimate.lower)
        if one.coefficients is not None:
            for field in ("gamma", "lower", "upper", "mean", "scale"):
                found[f"{name}.{field}"] = getattr(one.coefficients, field)
        for metrics in (one.metrics, one.fitted_metrics):
            found[f"{name}.metrics"] = np.array([metrics.rmse, metrics.mae, metrics.r2, metrics.rmse_target_scale])
    return found


@pytest.fixture(scope="module")
def simulated():
    data = simulate(0)
    return data, run(data)


@pytest.fixture(scope="module")
def heat_capacity():
    measured, md, X, library_md, library_X = load_example("heat_capacity")
    return calibrate(measured, md, X, library_md, library_X, SIZES, CalibrationOptions(repetitions=2))


def test_a_long_library_gets_the_same_numbers_in_portions(simulated, monkeypatch):
    data, at_once = simulated
    monkeypatch.setattr(row_blocks, "ROWS_AT_ONCE", 7)
    in_portions = run(data)
    for name, numbers in numbers_of(at_once).items():
        np.testing.assert_allclose(numbers_of(in_portions)[name], numbers, rtol=1e-12, err_msg=name)
    for name, one in at_once.models.items():
        assert one.parts is not None
        for share in ("few_polymers", "model_form"):
            np.testing.assert_allclose(
                getattr(in_portions.models[name].parts, share), getattr(one.parts, share), atol=1.1e-4
            )


def test_shapes_order_and_read_only(simulated):
    data, found = simulated
    n, m, d = len(data.measured), len(data.measured) + len(data.library_md), sum(data.sizes)
    assert tuple(found.models) == linear_keys()
    for one in found.models.values():
        assert one.fitted.shape == one.out_of_fold.shape == one.out_of_fold_lower.shape == (n,)
        assert one.library.shape == one.library_lower.shape == one.library_upper.shape == (m,)
        assert (one.out_of_fold_lower <= one.out_of_fold).all()
        assert (one.out_of_fold <= one.out_of_fold_upper).all()
        assert (one.library_lower <= one.library).all()
        assert (one.library <= one.library_upper).all()
    assert set(found.models["affine"].parameters) == {"alpha_0", "alpha_1", "beta"}
    assert set(found.models["log_difference"].parameters) == {"intercept"}
    assert found.models["md"].parameters == {}
    for model in ("log_difference", "affine"):
        coefficients = found.models[model].coefficients
        assert coefficients.gamma.shape == (d,)
        assert (coefficients.lower <= coefficients.gamma).all()
        assert (coefficients.gamma <= coefficients.upper).all()
    assert found.models["affine"].coefficients.sign == -1
    assert found.models["log_difference"].coefficients.sign == 1
    for name, values in numbers_of(found).items():
        assert np.isfinite(values).all(), name
        if values.size > 4 and "." in name:
            with pytest.raises(ValueError, match="read-only"):
                values[0] = 0.0


def test_md_is_the_md_value_itself(simulated):
    data, found = simulated
    md = found.models["md"]
    np.testing.assert_allclose(md.fitted, data.md, rtol=1e-12)
    np.testing.assert_allclose(md.out_of_fold, data.md, rtol=1e-12)
    np.testing.assert_allclose(md.library[: len(data.md)], data.md, rtol=1e-12)


def test_reported_numbers_rebuild_the_calibrated_values(simulated):
    """What the coefficient contract promises, for a reader who only has the exported numbers."""
    data, found = simulated
    f = np.log(np.concatenate([data.md, data.library_md]))
    X = np.vstack([data.X, data.library_X])
    for model in ("log_difference", "affine"):
        one = found.models[model]
        c = one.coefficients
        correction = c.sign * ((X - c.mean) / c.scale) @ c.gamma
        if model == "affine":
            p = {name: estimate.value for name, estimate in one.parameters.items()}
            value = p["alpha_0"] + p["alpha_1"] * f + (1.0 + p["beta"] * f) * correction
        else:
            value = one.parameters["intercept"].value + f + correction
        np.testing.assert_allclose(np.exp(value), one.library, rtol=1e-9)


def test_the_models_find_the_truth_of_simulated_data():
    """Scatter 0.02: the calibrators that see descriptors come close to it, ordinary regression cannot."""
    data = simulate(1, n=60, scatter=0.02)
    found = run(data, quick(lambda_1_grid=(0.01, 0.1, 1.0), lambda_2_grid=(0.01, 0.1, 1.0)))
    rmse = {name: one.metrics.rmse_target_scale for name, one in found.models.items()}
    assert rmse["affine"] < 0.035
    assert rmse["ordinary"] > 3 * rmse["affine"]
    assert found.models["affine"].parameters["alpha_1"].value == pytest.approx(0.8, abs=0.05)
    assert found.recommendation.recommended in ("affine", "combined")  # log-difference cannot follow alpha_1 = 0.8
    new = np.log(found.models["affine"].library[60:]) - np.log(data.library_measured)
    assert np.sqrt(np.mean(new**2)) < 0.035


def test_heat_capacity_example(heat_capacity):
    """Ranges from two independent prototypes of the same example (docs/uncertainty.md): not golden values."""
    found = heat_capacity
    rmse = {name: one.metrics.rmse_target_scale for name, one in found.models.items()}
    assert len(found.measured) == 62
    assert rmse["md"] == pytest.approx(0.826, abs=0.001)
    assert 0.16 < rmse["ordinary"] < 0.195
    assert 0.14 < rmse["log_difference"] < 0.185
    assert 0.15 < rmse["affine"] < 0.185
    assert found.recommendation.best in ("log_difference", "affine")
    assert 0.5 < found.models["affine"].parameters["alpha_1"].value < 1.1
    assert found.models["affine"].convergence.converged
    assert found.models["affine"].surface.on_edge == ()
    assert 0.8 < found.validity.inside.mean() <= 1.0
    measured = {(float(v), x.tobytes()) for v, x in zip(found.md, load_example("heat_capacity")[2], strict=True)}
    assert len(measured) == 62
    for one in found.measure_next:
        assert one.mean_width_after < one.mean_width_before
        assert found.library_md[one.library_index] not in found.md


def test_the_share_inside_the_intervals_is_the_level(heat_capacity):
    for one in heat_capacity.models.values():
        y = heat_capacity.measured
        inside = np.mean((y >= one.out_of_fold_lower) & (y <= one.out_of_fold_upper))
        assert 0.87 <= inside <= 0.97


def test_it_is_said_that_bands_hold_on_average_over_the_coefficients(heat_capacity):
    assert any(
        "90 % bands hold nine in ten of all coefficients" in note and "the fifth that truly is largest" in note
        for note in heat_capacity.notes
    )


def test_the_same_data_give_the_same_numbers_twice(simulated):
    data, found = simulated
    again = numbers_of(run(data))
    for name, values in numbers_of(found).items():
        np.testing.assert_array_equal(values, again[name], err_msg=name)


def test_held_out_values_do_not_depend_on_the_held_out_measurement():
    """Leak-free: change one measured value; its own predictions must not move, whatever is learned inside."""
    data = simulate(2, n=20)
    options = quick(repetitions=1)
    before = run(data, options)
    changed = data.measured.copy()
    changed[7] *= 3.0
    after = calibrate(
        changed,
        data.md,
        data.X,
        data.library_md,
        data.library_X,
        data.sizes,
        options,
    )
    for model in linear_keys():
        assert after.models[model].out_of_fold[7] == pytest.approx(before.models[model].out_of_fold[7], rel=1e-9)


def test_held_out_descriptors_do_not_shape_the_scaling():
    data = simulate(3, n=20)
    X = data.X.copy()
    X[4] *= 1000.0
    far = int(np.argsort(np.argsort(data.md))[4])  # its place in the order of the computation, by MD value
    found = calibrate(data.measured, data.md, X, data.library_md, data.library_X, data.sizes, quick(repetitions=1))
    held = found.kept_fit.held_out
    for prepared, k in zip(held.parts, range(4), strict=True):
        if held.fold[0, far] == k:
            assert far not in prepared.rows
            assert prepared.scale.scale.max() < 10.0
        else:
            assert prepared.scale.scale.max() > 10.0


def test_progress_moves_smoothly_to_the_end():
    seen = []
    run(simulate(4), task=Task(lambda fraction, sentence: seen.append((fraction, sentence))))
    fractions = [fraction for fraction, _ in seen]
    assert fractions[0] == 0.0
    assert fractions[-1] == 1.0
    assert all(b >= a - 1e-12 for a, b in pairwise(fractions))
    assert max(b - a for a, b in pairwise(fractions)) < 0.2
    assert all(sentence for _, sentence in seen)


@pytest.mark.parametrize("calls", [0, 3, 20, 60])
def test_a_stop_is_obeyed_wherever_it_comes(calls):
    asked = 0

    def cancelled():
        nonlocal asked
        asked += 1
        return asked > calls

    with pytest.raises(Cancelled):
        run(simulate(5), task=Task(cancelled=cancelled))
    assert asked <= calls + 10  # worker threads may each ask once more


@pytest.mark.parametrize(
    ("what", "value", "words"),
    [
        ("measured", np.nan, "missing or infinite"),
        ("measured", 0.0, "has no logarithm"),
        ("md", -3.0, "has no logarithm"),
        ("md", np.inf, "missing or infinite"),
        ("X", np.nan, "descriptors of this polymer"),
    ],
)
def test_bad_values_are_refused_with_their_rows(what, value, words):
    data = simulate(6)
    arrays = {"measured": data.measured.copy(), "md": data.md.copy(), "X": data.X.copy()}
    arrays[what][[5, 9]] = value
    with pytest.raises(CalibrationInputError, match=words) as caught:
        calibrate(*arrays.values(), data.library_md, data.library_X, data.sizes, quick())
    assert caught.value.rows == (5, 9)
    assert "polymer 6" in str(caught.value)
    assert "1 more" in str(caught.value)
    assert isinstance(caught.value, UserError)


def test_a_linear_scale_takes_what_a_logarithm_cannot():
    data = simulate(7)
    shifted = np.log(data.measured) - np.log(data.measured).mean()
    found = calibrate(
        shifted,
        np.log(data.md) - np.log(data.md).mean(),
        data.X,
        np.log(data.library_md) - np.log(data.md).mean(),
        data.library_X,
        data.sizes,
        quick(log_scale=False),
    )
    assert (found.measured < 0.0).any()
    for name, values in numbers_of(found).items():
        assert np.isfinite(values).all(), name
    assert found.models["affine"].metrics.rmse < found.models["ordinary"].metrics.rmse


@pytest.mark.parametrize("log_scale", [True, False])
@pytest.mark.parametrize("unit", [1e-12, 1e12])
def test_the_unit_of_the_property_does_not_matter(log_scale, unit, simulated):
    data, _ = simulated
    options = quick(log_scale=log_scale)
    one = run(data, options)
    scaled = calibrate(
        unit * data.measured,
        unit * data.md,
        data.X,
        unit * np.concatenate([data.md, data.library_md]),
        np.vstack([data.X, data.library_X]),
        data.sizes,
        options,
    )
    for name in linear_keys():
        a, b = one.models[name], scaled.models[name]
        np.testing.assert_allclose(b.out_of_fold / unit, a.out_of_fold, rtol=1e-6)
        np.testing.assert_allclose(b.library_upper / unit, a.library_upper, rtol=1e-6)
        assert b.metrics.rmse / unit == pytest.approx(a.metrics.rmse, rel=1e-6)


@pytest.mark.parametrize("n", [0, 1, 3, 7])
def test_too_few_polymers_is_one_clear_sentence(n):
    data = simulate(8, n=max(n, 1))
    with pytest.raises(CalibrationInputError, match="at least 8 different polymers"):
        calibrate(data.measured[:n], data.md[:n], data.X[:n], data.library_md, data.library_X, data.sizes, quick())


def test_eight_polymers_and_more_folds_than_polymers():
    data = simulate(9, n=8)
    found = run(data, quick(outer_folds=10, inner_folds=10))
    for name, values in numbers_of(found).items():
        assert np.isfinite(values).all(), name
    assert any("8 folds, not 10" in note for note in found.notes)
    assert any("up to 89 %, not 90 %" in note for note in found.notes)


def test_repeated_rows_of_a_polymer_are_held_out_together():
    data = simulate(10, n=24)
    groups = np.repeat(np.arange(12), 2)
    found = run(data, groups=groups)
    fold = found.kept_fit.held_out.fold
    polymer = groups[np.argsort(data.md)]  # rows are computed in the order of their MD values
    for one in range(12):
        assert (np.ptp(fold[:, polymer == one], axis=1) == 0).all()
    for prepared in found.kept_fit.held_out.parts:
        for folds in (prepared.inner, *prepared.dealings):
            assert {np.ptp(folds[polymer[prepared.rows] == one]) for one in set(polymer[prepared.rows])} == {0}
    with pytest.raises(CalibrationInputError, match="there are 6"):
        run(data, groups=np.repeat(np.arange(6), 4))


def test_labels_of_any_kind_may_name_the_polymers():
    data = simulate(10, n=16)
    found = run(data, groups=[f"polymer {i // 2}" for i in range(16)])
    assert found.kept_fit.problem.polymers == 8


def test_a_weight_of_two_is_a_repeated_row_in_the_final_fit():
    data = simulate(11, n=20)
    counts = np.ones(20)
    counts[[2, 5, 11]] = 2.0
    rows = np.repeat(np.arange(20), counts.astype(int))
    penalties = {"log_difference": Penalties(0.5, 1.0), "affine": Penalties(0.5, 1.0)}
    weighted = run(data, quick(penalties=penalties), weights=counts)
    repeated = calibrate(
        data.measured[rows],
        data.md[rows],
        data.X[rows],
        data.library_md,
        data.library_X,
        data.sizes,
        quick(penalties={name: Penalties(0.5 * np.sqrt(23 / 20), np.sqrt(23 / 20)) for name in penalties}),
        groups=rows,
    )
    # Weights have mean one, so the ridge of 20 weighted rows is that of 23 rows times 20 / 23.
    for name in fitted_keys():
        np.testing.assert_allclose(repeated.models[name].library, weighted.models[name].library[20:], rtol=1e-6)


def test_intervals_keep_their_coverage_when_measurements_differ_in_certainty():
    """90 % of new measurements of the same mixed quality; with the own weight of each measured value it was 77 %."""
    inside = []
    for seed in range(5):
        data = simulate(seed, n=40, m=100)
        rng = np.random.default_rng(1000 + seed)
        own, new = rng.choice([0.05, 0.4], 40), rng.choice([0.05, 0.4], 100)
        noisy = replace(data, measured=data.measured * np.exp(own * rng.normal(size=40)))
        found = run(noisy, quick(repetitions=1, bands="none", measure_next=0), weights=1 / (0.1**2 + own**2))
        measured = data.library_measured * np.exp(new * rng.normal(size=100))
        affine = found.models["affine"]
        inside.append((affine.library_lower[40:] <= measured) & (measured <= affine.library_upper[40:]))
    assert 0.86 <= np.mean(inside) <= 0.95


def test_weights_only_matter_by_their_ratios_and_must_be_positive():
    data = simulate(12)
    weights = np.random.default_rng(0).uniform(0.5, 2.0, 30)
    one, other = run(data, weights=weights), run(data, weights=1e9 * weights)
    np.testing.assert_allclose(one.models["affine"].library, other.models["affine"].library, rtol=1e-9)
    weights[4] = 0.0
    with pytest.raises(CalibrationInputError, match="not a positive number") as caught:
        run(data, weights=weights)
    assert caught.value.rows == (4,)


def test_equal_md_values_are_calibrated_by_descriptors_and_said():
    data = simulate(13)
    md = np.full(30, 2500.0)
    found = calibrate(data.measured, md, data.X, np.full(40, 2500.0), data.library_X, data.sizes, quick())
    for name, values in numbers_of(found).items():
        assert np.isfinite(values).all(), name
    assert found.models["ordinary"].parameters["alpha_1"].value == 0.0
    assert any("All MD values are equal" in note for note in found.notes)
    assert not any("agree" in note or "what is known about β" in note for note in found.notes)
    assert " 0.000 " not in found.recommendation.sentence
    assert "α₁" not in found.recommendation.sentence


@pytest.mark.parametrize("log_scale", [True, False])
@pytest.mark.parametrize("rounding", [0.0, 1e-13])
def test_equal_measured_values_are_refused_in_one_sentence(log_scale, rounding):
    data = simulate(1, n=12)
    measured = 1500.0 * (1.0 + rounding * np.random.default_rng(0).standard_normal(12))
    with pytest.raises(
        CalibrationInputError, match=r"All measured values are equal \(1500\); there is nothing to calib"
    ):
        calibrate(measured, data.md, data.X, data.md, data.X, data.sizes, quick(log_scale=log_scale))


def test_measured_values_equal_to_md_make_no_difference_of_rounding():
    data = simulate(1, n=24)
    found = calibrate(data.md, data.md, data.X, data.md, data.X, data.sizes, quick())
    assert (found.recommendation.best, found.recommendation.recommended) == ("md", "md")
    assert not any(pair.paired_p_value < 0.05 for pair in found.recommendation.comparisons if pair.difference < 1e-9)
    assert not any("10⁻¹" in text for text in (found.recommendation.sentence, *found.notes))


def test_eight_polymers_are_promised_seven_inside():
    data = simulate(1, n=8)
    found = run(data, quick(repetitions=1))
    (promise,) = (note for note in found.notes if "by construction" in note)
    assert "7 of the 8 measured values lie inside by construction, the most that so few can support" in promise
    for one in found.models.values():
        inside = (one.out_of_fold_lower <= found.measured) & (found.measured <= one.out_of_fold_upper)
        assert inside.sum() == 7


def test_columns_without_variation_and_collinear_columns():
    data = simulate(14)
    X, library_X = data.X.copy(), data.library_X.copy()
    X[:, 2], library_X[:, 2] = 0.25, 0.25
    X[:, 5], library_X[:, 5] = X[:, 4], library_X[:, 4]
    found = calibrate(data.measured, data.md, X, data.library_md, library_X, data.sizes, quick())
    for name, values in numbers_of(found).items():
        assert np.isfinite(values).all(), name
    assert any("1 descriptor does not vary" in note for note in found.notes)


def test_no_descriptors_at_all():
    data = simulate(15)
    nothing = np.zeros((30, 0))
    found = calibrate(data.measured, data.md, nothing, data.library_md, np.zeros((40, 0)), (), quick())
    np.testing.assert_allclose(found.models["affine"].library, found.models["ordinary"].library, rtol=1e-9)
    assert found.models["affine"].coefficients.gamma.shape == (0,)
    assert found.models["affine"].surface is None


def test_an_empty_library():
    data = simulate(16)
    found = calibrate(data.measured, data.md, data.X, np.zeros(0), np.zeros((0, 14)), data.sizes, quick())
    assert found.models["affine"].library.shape == (0,)
    assert found.measure_next == ()


def test_library_polymers_without_descriptors_or_md_value_do_not_stop_the_rest():
    data = simulate(17)
    library_md, library_X = data.library_md.copy(), data.library_X.copy()
    library_X[3, 1] = np.nan
    library_md[5] = -1.0
    found = calibrate(data.measured, data.md, data.X, library_md, library_X, data.sizes, quick())
    affine, ordinary = found.models["affine"], found.models["ordinary"]
    assert np.flatnonzero(np.isnan(affine.library)).tolist() == [3, 5]
    assert np.flatnonzero(np.isnan(ordinary.library)).tolist() == [5]
    assert np.flatnonzero(np.isnan(affine.library_upper)).tolist() == [3, 5]
    assert any(note.startswith("1 polymer of the library without descriptors") for note in found.notes)
    assert any(note.startswith("1 polymer of the library without a usable MD value") for note in found.notes)
    assert {one.library_index for one in found.measure_next}.isdisjoint({3, 5})


def test_measured_polymers_are_not_suggested(simulated):
    data, found = simulated
    assert len(found.measure_next) == 3
    assert all(one.library_index >= len(data.measured) for one in found.measure_next)


def test_the_caller_may_say_which_polymers_can_be_measured():
    data = simulate(18)
    candidates = np.zeros(70, bool)
    candidates[[33, 44]] = True
    found = run(data, candidates=candidates)
    assert {one.library_index for one in found.measure_next} == {33, 44}


def test_blocks_can_be_switched_off(simulated):
    data, _ = simulated
    found = run(data, quick(blocks_off=frozenset({0})))
    only = calibrate(
        data.measured,
        data.md,
        data.X[:, 6:],
        np.concatenate([data.md, data.library_md]),
        np.vstack([data.X, data.library_X])[:, 6:],
        (8,),
        quick(),
    )
    np.testing.assert_allclose(found.models["affine"].library, only.models["affine"].library, rtol=1e-9)
    gamma = found.models["affine"].coefficients.gamma
    assert gamma.shape == (14,)
    assert (gamma[:6] == 0.0).all()
    assert (gamma[6:] != 0.0).all()
    both = run(data, quick(blocks_off=frozenset({0, 1})))
    np.testing.assert_allclose(both.models["affine"].library, both.models["ordinary"].library, rtol=1e-9)


def test_penalties_by_hand_are_used_everywhere(simulated):
    data, _ = simulated
    own = Penalties(3.0, 7.0, 0.5)
    found = run(data, quick(penalties={"affine": own}))
    assert found.models["affine"].penalties == own
    assert found.models["affine"].surface is None
    assert found.models["log_difference"].surface is not None
    assert found.settings["penalties"] == {"affine": {"lambda_1": 3.0, "lambda_2": 7.0, "lambda_beta": 0.5}}


def test_an_optimum_on_the_edge_of_the_grid_is_said(simulated):
    data, _ = simulated
    found = run(data, quick(lambda_1_grid=(30.0, 100.0, 300.0)))
    assert any("λ₁" in note and "edge of the grid" in note for note in found.notes)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"interval_level": 1.0}, "between 0 and 1"),
        ({"lambda_1_grid": (0.0, 1.0)}, "λ₁ must be positive"),
        ({"lambda_2_grid": ()}, "grid is empty"),
        ({"lambda_beta": 0.0}, "penalty of β must be positive"),
        ({"penalties": {"affine": Penalties(1.0, np.nan)}}, "finite"),
        ({"outer_folds": 1}, "two folds"),
        ({"bands": "bootstrap", "bootstrap": 5}, "at least 20"),
    ],
)
def test_settings_without_sense(changes, words):
    with pytest.raises(CalibrationInputError, match=words):
        run(simulate(0), quick(**changes))


def test_no_bands_and_no_suggestions():
    found = run(simulate(19), quick(bands="none", measure_next=0))
    assert np.isnan(found.models["affine"].parameters["beta"].lower)
    assert np.isnan(found.models["affine"].coefficients.lower).all()
    assert found.measure_next == ()


def test_bands_by_bootstrap():
    found = run(simulate(19), quick(bands="bootstrap", bootstrap=40))
    for name, values in numbers_of(found).items():
        assert np.isfinite(values).all(), name
    again = run(simulate(19), quick(bands="bootstrap", bootstrap=40))
    np.testing.assert_array_equal(found.models["affine"].coefficients.upper, again.models["affine"].coefficients.upper)
    posterior = run(simulate(19), quick())
    np.testing.assert_array_equal(
        found.models["affine"].coefficients.gamma, posterior.models["affine"].coefficients.gamma
    )
    assert (found.models["affine"].coefficients.upper != posterior.models["affine"].coefficients.upper).all()


def test_paper_protocol_scales_over_all_and_updates_in_blocks(simulated):
    data, _ = simulated
    found = run(data, quick(protocol="paper", lambda_1_grid=None, lambda_2_grid=None))
    np.testing.assert_allclose(found.models["affine"].coefficients.scale, data.X.std(axis=0, ddof=1), rtol=1e-12)
    assert found.models["affine"].convergence.solver == "block"
    assert found.models["affine"].surface.rmse.shape == (25, 3)
    assert found.models["affine"].surface.lambda_2.tolist() == [50.0, 100.0, 150.0]
    assert "paper" in found.protocol


def test_far_kernel_tails_change_nothing():
    """Numbers near the end of the floating-point range (1e-310) are slow to compute with and mean nothing."""
    data = simulate(20)
    X, library_X = data.X.copy(), data.library_X.copy()
    X[:, 3], library_X[:, 3] = 0.0, 0.0
    arrays = data.measured, data.md, X, data.library_md, library_X, data.sizes, quick()
    zero = calibrate(*arrays)
    X[:, 3], library_X[:, 3] = 3e-310, 7e-311
    tails = calibrate(*arrays)
    for name, values in numbers_of(zero).items():
        np.testing.assert_array_equal(values, numbers_of(tails)[name], err_msg=name)


def test_many_polymers_need_fewer_repetitions():
    data = simulate(21, n=160, m=0)
    found = run(data, quick(repetitions=5, inner_folds=2, outer_folds=2))
    assert len(found.kept_fit.held_out.fold) == 2
    assert any("2 repetitions of the held-out checks are enough" in note for note in found.notes)


def test_penalties_of_a_block_can_be_multiplied(simulated):
    """A factor of c on both penalties of a block is the same model as its descriptors divided by c."""
    data, plain = simulated
    own = {"log_difference": Penalties(0.5, 1.0), "affine": Penalties(0.5, 1.0)}
    found = run(data, quick(penalties=own, block_factors={1: 1000.0}))
    same = run(data, quick(penalties=own))
    gamma, before = (one.models["affine"].coefficients.gamma for one in (found, same))
    assert np.abs(gamma[6:]).max() < 1e-3 * np.abs(before[6:]).max()
    assert np.abs(gamma[:6]).max() > 0.1 * np.abs(before[:6]).max()
    off = run(data, quick(penalties=own, blocks_off=frozenset({1})))
    np.testing.assert_allclose(found.models["affine"].library, off.models["affine"].library, rtol=1e-3)
    ones = run(data, quick(block_factors={0: 1.0, 1: 1.0}))
    np.testing.assert_allclose(ones.models["affine"].library, plain.models["affine"].library, rtol=1e-9)
    with pytest.raises(CalibrationInputError, match="positive numbers"):
        run(data, quick(block_factors={0: 0.0}))
    with pytest.raises(ValueError, match="no descriptor block at position 5"):
        run(data, quick(block_factors={5: 2.0}))


def test_the_interval_of_the_ordinary_fit_grows_with_the_distance_of_the_descriptors():
    """A polymer with an ordinary MD value but the descriptors of no measured one; bands of the line know nothing of it."""
    data = simulate(22, n=40, m=2)
    library_X = data.library_X.copy()
    library_X[1] = data.X.mean(axis=0) + 6.0 * data.X.std(axis=0)
    md = np.array([np.median(data.md)] * 2)
    found = calibrate(data.measured, data.md, data.X, md, library_X, data.sizes, quick())
    one = found.models["ordinary"]
    near, far = np.log(one.library_upper / one.library_lower)
    assert far > 1.5 * near
    line = found.models["ordinary"].parameters["alpha_1"]
    f, y = np.log(data.md), np.log(data.measured)
    textbook = np.polyfit(f, y, 1, cov=True)[1][0, 0] ** 0.5 * 1.686  # t of 38 degrees of freedom at 95 %
    assert line.upper - line.value == pytest.approx(textbook, rel=0.15)
