"""All calibrators together: the same held-out polymers, honest errors, ranking, warnings."""

from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pytest

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.calibrators.registry import calibrator_keys, further_keys, kernel_keys, linear_keys
from affinecal_gui.calibration.estimators.kernel import DirectRegressor, KernelAffineConstRegressor
from affinecal_gui.calibration.input_errors import CalibrationInputError
from affinecal_gui.calibration.kernels.comparing.compare import compare_calibrators, negative_transfer
from affinecal_gui.calibration.kernels.methods import TransferOptions
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import Metrics, PairedComparison
from affinecal_gui.errors import Cancelled
from affinecal_gui.task import Task
from tests.calibration.bundled_examples import SIZES, load_example
from tests.calibration.simulated_polymers import FEW_PENALTIES, simulate

FEW = TransferOptions(ridge=(1e-3, 0.1, 10.0), l1=(0.01, 1.0), l2=(1.0,), l3=(0.1, 1.0), starts=2)


def calibrated(seed=0, n=24, **options):
    data = simulate(seed, n=n)
    chosen = CalibrationOptions(repetitions=2, outer_folds=4, bands="none", measure_next=0, **FEW_PENALTIES, **options)
    return data, calibrate(data.measured, data.md, data.X, data.library_md, data.library_X, data.sizes, chosen)


@pytest.fixture(scope="module")
def compared():
    data, calibration = calibrated()
    return data, calibration, compare_calibrators(calibration, options=FEW)


def test_all_are_there_and_ranked(compared):
    _, calibration, comparison = compared
    models = comparison.calibration.models
    assert tuple(models) == tuple(name for name in calibrator_keys() if name not in further_keys())
    errors = [models[name].metrics.rmse_target_scale for name in comparison.ranking]
    assert errors == sorted(errors)
    for name in linear_keys():  # untouched
        assert models[name] is calibration.models[name]
    assert comparison.calibration.recommendation.best == comparison.ranking[0]
    pairs = len(models) * (len(models) - 1) // 2
    assert len(comparison.calibration.recommendation.comparisons) == pairs
    for name in kernel_keys():
        result = models[name]
        for values in (result.out_of_fold, result.out_of_fold_lower, result.out_of_fold_upper, result.fitted):
            assert np.isfinite(values).all(), name
            assert not values.flags.writeable
        assert (result.out_of_fold_lower <= result.out_of_fold).all()
        assert set(comparison.penalties[name])


def test_out_of_fold_values_are_those_of_fits_that_have_not_seen_the_polymer(compared):
    data, calibration, _ = compared
    kept_fit = calibration.kept_fit
    order = np.argsort(data.md)  # in which the rows are computed
    f, y = np.log(data.md)[order], np.log(data.measured)[order]
    table = np.column_stack([f, data.X[order]])
    fold = kept_fit.held_out.fold
    expected = np.empty(fold.shape)
    for r, row in enumerate(fold):
        for k in range(row.max() + 1):
            train = row != k
            # The estimator takes contiguous inner folds; one penalty each makes them immaterial.
            one = KernelAffineConstRegressor(l1=(0.01,), l3=(0.1,), blocks=kept_fit.problem.sizes, folds=3)
            expected[r, ~train] = one.fit(table[train], y[train]).predict(table[~train])
    single = compare_calibrators(calibration, ("affine_tl_const",), replace(FEW, l1=(0.01,), l3=(0.1,)))
    own = single.calibration.models["affine_tl_const"].out_of_fold
    np.testing.assert_allclose(own[order], np.exp(expected.mean(axis=0)), rtol=1e-8)


def test_weights_and_factors_of_a_calibration_reach_the_methods_with_kernels():
    """Out-of-fold values are those of estimators with the same weights and factors, whatever the scale of the weights."""
    data = simulate(3, n=24)
    w = np.random.default_rng(0).uniform(0.2, 3.0, 24)
    options = CalibrationOptions(
        repetitions=1,
        outer_folds=4,
        bands="none",
        measure_next=0,
        **FEW_PENALTIES,
        block_factors={1: 4.0},
        blocks_off=frozenset(),
    )
    few = replace(FEW, ridge=(0.1,))
    table = (data.measured, data.md, data.X, data.library_md, data.library_X, data.sizes, options)
    found, scaled, plain = (
        compare_calibrators(calibrate(*table, weights=weights), ("direct",), few).calibration
        for weights in (w, 1e6 * w, None)
    )
    kept_fit = found.kept_fit
    order = np.argsort(data.md)  # in which the rows are computed
    f, y, X = np.log(data.md)[order], np.log(data.measured)[order], data.X[order]
    own = (w / w.mean())[order]
    (fold,) = kept_fit.held_out.fold
    expected = np.empty(24)
    for k in range(4):
        train = fold != k
        one = DirectRegressor(ridge=(0.1,), blocks=kept_fit.problem.sizes, block_factors=(1.0, 4.0))
        one.fit(np.column_stack([f, X])[train], y[train], sample_weight=own[train])
        expected[~train] = one.predict(np.column_stack([f, X])[~train])
    values = found.models["direct"].out_of_fold
    np.testing.assert_allclose(values[order], np.exp(expected), rtol=1e-8)
    np.testing.assert_allclose(scaled.models["direct"].out_of_fold, values, rtol=1e-9)
    assert np.abs(plain.models["direct"].out_of_fold / values - 1.0).max() > 1e-3


def test_intervals_of_weighted_methods_keep_their_coverage():
    """90 % of new measurements of the same mixed quality, as for the linear calibrators."""
    inside = []
    for seed in range(5):
        data = simulate(seed, n=40, m=100)
        rng = np.random.default_rng(1000 + seed)
        own, new = rng.choice([0.05, 0.4], 40), rng.choice([0.05, 0.4], 100)
        measured = data.measured * np.exp(own * rng.normal(size=40))
        options = CalibrationOptions(repetitions=1, outer_folds=5, bands="none", measure_next=0, **FEW_PENALTIES)
        table = (measured, data.md, data.X, data.library_md, data.library_X, data.sizes, options)
        found = compare_calibrators(calibrate(*table, weights=1 / (0.1**2 + own**2)), options=FEW)
        later = data.library_measured * np.exp(new * rng.normal(size=100))
        models = [found.calibration.models[name] for name in kernel_keys()]
        inside += [(one.library_lower <= later) & (later <= one.library_upper) for one in models]
    assert 0.86 <= np.mean(inside) <= 0.95


def test_blocks_switched_off_are_not_looked_at_by_the_methods_with_kernels():
    data = simulate(4, n=20)
    other = data.X.copy()
    other[:, 6:] = np.random.default_rng(0).uniform(size=other[:, 6:].shape)
    options = CalibrationOptions(
        repetitions=1, outer_folds=4, bands="none", measure_next=0, **FEW_PENALTIES, blocks_off=frozenset({1})
    )
    one, two = (
        compare_calibrators(
            calibrate(data.measured, data.md, X, data.library_md, data.library_X, data.sizes, options), options=FEW
        ).calibration
        for X in (data.X, other)
    )
    for name in kernel_keys():
        np.testing.assert_array_equal(one.models[name].out_of_fold, two.models[name].out_of_fold)
    none = replace(options, blocks_off=frozenset({0, 1}))
    rest = calibrate(data.measured, data.md, data.X, data.library_md, data.library_X, data.sizes, none)
    for name, result in compare_calibrators(rest, options=FEW).calibration.models.items():
        assert np.isfinite(result.out_of_fold).all(), name


def test_the_library_values_are_those_of_the_final_fit(compared):
    _, _, comparison = compared
    models = comparison.calibration.models
    library = comparison.calibration.library_md
    for name in kernel_keys():
        result = models[name]
        known = [int(np.flatnonzero(library == value)[0]) for value in comparison.calibration.md if value in library]
        if known:
            where = [i for i, value in enumerate(comparison.calibration.md) if value in library]
            np.testing.assert_allclose(result.library[known], result.fitted[where], rtol=1e-7)


def test_a_choice_of_methods_and_further_sources():
    data, calibration = calibrated(1)
    S = np.column_stack([data.X[:, 0], np.log(data.md) ** 2])
    L = np.column_stack([data.library_X[:, 0], np.log(data.library_md) ** 2])
    found = compare_calibrators(
        calibration, ("only_source", "direct"), FEW, sources=S, library_sources=L, source_names=("a", "b")
    )
    assert tuple(found.calibration.models) == (*linear_keys(), "only_source", "direct")
    assert found.sources == ("a", "b")
    alone = compare_calibrators(calibration, ("only_source", "direct"), FEW)
    own, other = (one.calibration.models for one in (found, alone))
    assert not np.allclose(own["only_source"].out_of_fold, other["only_source"].out_of_fold)
    np.testing.assert_array_equal(own["direct"].out_of_fold, other["direct"].out_of_fold)
    S[3, 0] = np.nan
    with pytest.raises(CalibrationInputError, match="1 of 24 measured polymers lack") as caught:
        compare_calibrators(calibration, ("only_source",), FEW, sources=S)
    assert caught.value.rows == (3,)


def test_negative_transfer_is_warned_of():
    data = simulate(2, n=24)
    rng = np.random.default_rng(0)
    noise = np.exp(rng.standard_normal(24) * 0.2)
    options = CalibrationOptions(repetitions=2, outer_folds=4, bands="none", measure_next=0, **FEW_PENALTIES)
    calibration = calibrate(data.measured, noise, data.X, noise, data.X, data.sizes, options)
    found = compare_calibrators(calibration, ("only_source", "direct"), FEW)
    models = found.calibration.models
    assert models["only_source"].metrics.rmse_target_scale > models["direct"].metrics.rmse_target_scale
    assert "MD values alone (only source) predict worse than descriptors alone (direct)" in found.warning
    assert found.warning in found.calibration.notes
    pairs = found.calibration.recommendation.comparisons
    swapped = {**models, "only_source": models["direct"], "direct": models["only_source"]}
    assert negative_transfer(swapped, pairs, log_scale=True) == ""
    assert negative_transfer({name: models[name] for name in linear_keys()}, pairs, log_scale=True) == ""


def warned(rmse, p_values):
    """What is said of invented errors; ``p_values`` of the pairs, better calibrator first."""
    base = Metrics(20, 1.0, 1.0, 0.5, 1.0, 0.01, 3)
    models = {name: Mock(metrics=replace(base, rmse_target_scale=error)) for name, error in rmse.items()}
    pairs = [PairedComparison(*names, abs(rmse[names[0]] - rmse[names[1]]), p, p) for names, p in p_values.items()]
    return negative_transfer(models, pairs, log_scale=True)


WORSE = {("direct", "only_source"): 0.01}


def test_negative_transfer_is_not_spoken_of_where_md_helps_together_with_descriptors():
    found = warned(
        {"affine": 0.16, "augmented": 0.17, "only_source": 0.21, "direct": 0.19},
        {**WORSE, ("affine", "direct"): 0.02, ("augmented", "direct"): 0.3},
    )
    assert "negative transfer" not in found
    assert "0.210 against 0.190, a clear difference (p\u00a0=\u00a00.010)" in found
    assert "MD values help all the same; together the two predict better than descriptors alone" in found
    assert "affine 0.160, augmented 0.170, a clear difference (p\u00a0=\u00a00.020) for the first of them" in found


def test_help_of_md_that_may_be_chance_is_not_called_help():
    found = warned({"affine": 0.188, "only_source": 0.21, "direct": 0.19}, {**WORSE, ("affine", "direct"): 0.8})
    assert "negative transfer" not in found
    assert "Whether MD values help all the same cannot be told" in found


def test_negative_transfer_where_no_calibrator_with_md_predicts_better_than_descriptors():
    p_values = {("direct", "only_source"): 0.4, ("direct", "affine"): 0.4}
    found = warned({"affine": 0.2, "only_source": 0.21, "direct": 0.19}, p_values)
    assert "a difference that may be chance (p\u00a0=\u00a00.40)" in found
    assert found.endswith("the MD values may mislead here (negative transfer).")


@pytest.mark.parametrize("how", ["linear scale", "no descriptors", "repeated polymers", "constant MD"])
def test_awkward_data(how):
    data = simulate(3, n=12)
    md, X, sizes = data.md.copy(), data.X.copy(), data.sizes
    groups = None
    if how == "no descriptors":
        X, sizes = X[:, :0], ()
    if how == "constant MD":
        md[:] = 2.0
    if how == "repeated polymers":
        X[1], md[1] = X[0], md[0]
        groups = [0, 0, *range(2, 12)]
    options = CalibrationOptions(
        log_scale=how != "linear scale", repetitions=2, outer_folds=4, bands="none", measure_next=0, **FEW_PENALTIES
    )
    library_X = np.vstack([X[:3], np.full((1, X.shape[1]), np.nan)])
    calibration = calibrate(data.measured, md, X, md[:4], library_X, sizes, options, groups=groups)
    found = compare_calibrators(calibration, options=FEW)
    for name, result in found.calibration.models.items():
        assert np.isfinite(result.out_of_fold).all(), name
        assert np.isfinite(result.metrics.rmse_target_scale), name


def test_a_calibration_out_of_a_file_is_refused_and_a_wish_to_stop_is_heard(compared):
    _, calibration, _ = compared
    with pytest.raises(CalibrationInputError, match="Calibrate anew"):
        compare_calibrators(replace(calibration, kept_fit=None))
    with pytest.raises(Cancelled):
        compare_calibrators(calibration, options=FEW, task=Task(cancelled=lambda: True))


def test_progress_runs_to_its_end(compared):
    _, calibration, _ = compared
    seen = []
    compare_calibrators(calibration, ("direct",), FEW, task=Task(lambda share, _: seen.append(share)))
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_the_heat_capacity_example():
    measured, md, X, library_md, library_X = load_example("heat_capacity")
    options = CalibrationOptions(repetitions=1, outer_folds=5, bands="none", measure_next=0)
    calibration = calibrate(measured, md, X, library_md, library_X, SIZES, options)
    found = compare_calibrators(calibration, ("only_source", "direct", "affine_tl_const"))
    errors = {name: one.metrics.rmse_target_scale for name, one in found.calibration.models.items()}
    # Measured with 5 x 10 folds: Only source 0.187, Direct 0.179, AffineTL-const 0.186; one repetition of 5 folds varies.
    for name in ("only_source", "direct", "affine_tl_const"):
        assert 0.15 < errors[name] < 0.22
