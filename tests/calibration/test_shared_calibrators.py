"""Calibrators taken out of a calibration say what it says, whatever its options."""

from typing import Any

import numpy as np
import pytest

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.calibrators.registry import source_keys
from affinecal_gui.calibration.cross_validation.several_sources import SourceFeatures
from affinecal_gui.calibration.kept_fit import KeptFit
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.refit import refit
from affinecal_gui.calibration.results import Calibration, Penalties
from affinecal_gui.calibration.sharing.coefficients_only import without_training
from affinecal_gui.calibration.sharing.with_training import TrainedCalibrator, can_be_shared, trained_calibrator
from tests.calibration.simulated_polymers import FEW_PENALTIES, simulate
from tests.predicting_calibrator import predicting_calibrator

SIZES = (5, 4, 3)
QUICK: dict[str, Any] = {"measure_next": 0, "bands": "none", "repetitions": 2, "outer_folds": 4} | FEW_PENALTIES

WAYS: dict[str, dict[str, Any]] = {
    "default": {},
    "linear scale": {"log_scale": False},
    "paper": {"protocol": "paper"},
    "block off": {"blocks_off": frozenset({1})},
    "all blocks off": {"blocks_off": frozenset({0, 1, 2})},
    "factors": {"block_factors": {0: 3.0, 2: 0.5}},
    "level": {"interval_level": 0.5},
    "robust": {"robust": True},
    "by hand": {"penalties": {"affine": Penalties(2.0, 30.0), "log_difference": Penalties(1.0, 10.0)}},
}


Made = tuple[Calibration, np.ndarray, np.ndarray]
"""A calibration, and MD values and descriptors of its library."""

FACTORS = np.exp(0.1 * np.random.default_rng(4).normal(size=(60, 2)))
"""What two further sources of the library are, over the MD value; some polymers lack one."""
FACTORS[40:44, 1] = np.nan


def further_of(md: np.ndarray) -> np.ndarray:
    return np.asarray(md[:, None] * FACTORS)


def calibrated(
    options: CalibrationOptions, *, weighted: bool = False, grouped: bool = False, further: bool = False
) -> Made:
    generator = np.random.default_rng(3)
    X = generator.normal(size=(60, sum(SIZES)))
    md = np.exp(1.0 + 0.4 * X[:, 0] + 0.1 * generator.normal(size=60))
    measured = 0.6 * md * np.exp(0.1 * X[:, 1] - 0.05 * X[:, 6] + 0.05 * generator.normal(size=60))
    if further:  # what is measured lies between the sources
        measured *= np.sqrt(FACTORS[:, 0] * FACTORS[:, 1])
    md[58:], X[59] = np.nan, np.nan
    X[57] *= 40.0  # so far away that a value would mean nothing
    made = calibrate(
        measured[:30],
        md[:30],
        X[:30],
        md,
        X,
        SIZES,
        options,
        weights=generator.uniform(0.3, 3.0, 30) if weighted else None,
        groups=np.arange(30) // 2 if grouped else None,
        sources=SourceFeatures(("one", "two"), further_of(md)[:30], further_of(md)) if further else None,
    )
    return made, md, X


def agree(made: Made) -> None:
    calibration, md, X = made
    assert isinstance(calibration.kept_fit, KeptFit)
    for model, expected in calibration.models.items():
        if not can_be_shared(model):
            continue
        found = trained_calibrator(calibration.kept_fit, model, SIZES).apply(md, X, further_of(md))
        np.testing.assert_allclose(found.values, expected.library, rtol=1e-12, err_msg=model)
        np.testing.assert_allclose(found.lower, expected.library_lower, rtol=1e-12, err_msg=model)
        np.testing.assert_allclose(found.upper, expected.library_upper, rtol=1e-12, err_msg=model)
        known = found.usable
        assert found.inside[known].tolist() == calibration.validity.inside[known].tolist()
        closed = without_training(calibration.kept_fit, model).apply(md, X, further_of(md))
        assert closed.stood_in.tolist() == found.stood_in.tolist()
        both = np.isfinite(closed.values) & np.isfinite(expected.library)
        assert both.sum() >= 50
        np.testing.assert_allclose(closed.values[both], expected.library[both], rtol=1e-12, err_msg=model)
        assert (closed.upper[both] > closed.lower[both]).all()


@pytest.mark.parametrize("way", WAYS)
def test_the_values_are_those_of_the_calibration(way: str) -> None:
    agree(calibrated(CalibrationOptions(**{**QUICK, **WAYS[way]})))


@pytest.mark.parametrize("way", [way for way in WAYS if way != "paper"])
def test_the_values_of_several_sources_are_those_of_the_calibration(way: str) -> None:
    made = calibrated(CalibrationOptions(**{**QUICK, **WAYS[way]}), further=True)
    assert set(source_keys()) <= set(made[0].models)
    assert isinstance(made[0].kept_fit, KeptFit)
    assert {len(one.fit.sources) for one in made[0].kept_fit.of_sources.values()} != {1}
    agree(made)


def test_a_calibrator_of_several_sources_follows_a_change_of_penalties() -> None:
    before, md, X = calibrated(CalibrationOptions(**QUICK), further=True)
    after = refit(before, {"affine": Penalties(5.0, 50.0)})
    assert isinstance(after.kept_fit, KeptFit)
    found = trained_calibrator(after.kept_fit, "affine_sources", SIZES).apply(md, X, further_of(md))
    expected = after.models["affine_sources"].library
    both = np.isfinite(expected) & np.isfinite(found.values)
    assert both.sum() > 50
    np.testing.assert_allclose(found.values[both], expected[both], rtol=1e-12)


@pytest.mark.parametrize("grouped", [False, True])
def test_the_values_are_those_of_a_weighted_calibration(grouped: bool) -> None:
    agree(calibrated(CalibrationOptions(**QUICK), weighted=True, grouped=grouped))


def test_after_a_change_of_penalties_the_values_are_those_of_the_new_fit() -> None:
    before, md, X = calibrated(CalibrationOptions(**QUICK))
    after = refit(before, {"affine": Penalties(5.0, 50.0)})
    assert isinstance(after.kept_fit, KeptFit)
    for model in ("affine", "combined"):
        found = trained_calibrator(after.kept_fit, model, SIZES).apply(md, X)
        # A change of penalties keeps the spreads of before, by which it is judged whether a value means anything.
        both = np.isfinite(after.models[model].library) & np.isfinite(found.values)
        assert both.sum() >= np.isfinite(found.values).sum() - 1 > 50
        np.testing.assert_allclose(found.values[both], after.models[model].library[both], rtol=1e-12)
        assert not np.allclose(found.values, before.models[model].library, rtol=1e-6, equal_nan=True)


@pytest.mark.parametrize("structure_tells_md", [True, False])
def test_intervals_from_predicted_md_values_hold_what_measuring_gives(structure_tells_md: bool) -> None:
    data = simulate(5, n=40, m=260, alpha_1=1.0)
    md, library_md, measured, truth = data.md, data.library_md, data.measured, data.library_measured
    if structure_tells_md:  # what is measured follows the MD value, and the MD value the structure
        generator = np.random.default_rng(7)
        X = np.concatenate([data.X, data.library_X])
        follows = np.exp(X @ generator.normal(size=X.shape[1]) * 2.0 + 0.03 * generator.normal(size=len(X)))
        md, library_md = md * follows[:40], library_md * follows[40:]
        md, library_md = md**0.5, library_md**0.5
        measured, truth = measured * follows[:40], truth * follows[40:]
        measured, truth = measured**0.5, truth**0.5
    simulated = slice(0, 80)
    calibration = calibrate(
        measured, md, data.X, library_md[simulated], data.library_X[simulated], data.sizes, CalibrationOptions(**QUICK)
    )
    assert isinstance(calibration.kept_fit, KeptFit)
    one = trained_calibrator(calibration.kept_fit, "affine", data.sizes)
    assert one.surrogate is not None
    assert one.surrogate.surrogate.rows == 120
    others = slice(80, None)
    predicted, found = one.apply_unsimulated(data.library_X[others])
    with_md = one.apply(library_md[others], data.library_X[others])
    inside = (found.lower <= truth[others]) & (truth[others] <= found.upper)
    assert 0.8 < inside.mean() <= 1.0  # of 180, at a level of 0.9
    wider = np.log(found.upper / found.lower) / np.log(with_md.upper / with_md.lower)
    assert np.median(wider) > 1.0
    error = np.log(predicted / library_md[others])
    spread = float(np.std(np.log(library_md[others])))
    assert (float(np.std(error)) < 0.8 * spread) == structure_tells_md
    missing = np.full((1, data.X.shape[1]), np.nan)
    assert not one.apply_unsimulated(missing)[1].usable.any()


def test_a_calibrator_of_few_md_values_predicts_none() -> None:
    data = simulate(5, n=20, m=5)
    calibration = calibrate(
        data.measured, data.md, data.X, data.library_md, data.library_X, data.sizes, CalibrationOptions(**QUICK)
    )
    assert isinstance(calibration.kept_fit, KeptFit)
    one = trained_calibrator(calibration.kept_fit, "ordinary", data.sizes)
    assert one.surrogate is None
    with pytest.raises(ValueError, match="cannot predict MD values"):
        one.apply_unsimulated(data.X)


@pytest.mark.parametrize("way", ["default", "block off", "linear scale"])
def test_effects_are_the_derivative_of_the_calibrated_value(way: str) -> None:
    calibration, md, X = calibrated(CalibrationOptions(**(QUICK | WAYS[way])))
    assert isinstance(calibration.kept_fit, KeptFit)
    log_scale = calibration.log_scale
    at_mean = float(np.mean(np.log(md[:30]) if log_scale else md[:30]))
    here = np.repeat(np.exp(at_mean) if log_scale else at_mean, sum(SIZES) + 1)
    for model in ("log_difference", "affine", "combined"):
        closed = without_training(calibration.kept_fit, model)
        open_one = trained_calibrator(calibration.kept_fit, model, SIZES)
        # At the centre of the MD values, which a closed one knows rounded.
        centre = closed.units.md_centre
        there = np.full(sum(SIZES) + 1, np.exp(centre) if log_scale else centre)
        for one, f, unit in ((open_one, here, X[:30].std(axis=0)), (closed, there, closed.units.unit)):
            steps = np.concatenate([np.zeros((1, sum(SIZES))), 1e-4 * np.diag(unit)])
            values = one.apply(f, X[:30].mean(axis=0) + steps).values
            target = np.log(values) if log_scale else values
            np.testing.assert_allclose(
                one.effects, (target[1:] - target[0]) / 1e-4, rtol=1e-6, atol=1e-8, err_msg=model
            )


@pytest.mark.parametrize("count", [2, 10, 33])
def test_a_polymer_has_the_same_value_to_the_last_bit_wherever_it_stands(count: int) -> None:
    """So that a polymer that comes twice in a library is a tie, which goes to the row that comes first."""
    trained = predicting_calibrator().calibrator
    assert isinstance(trained, TrainedCalibrator)
    rng = np.random.default_rng(2)
    own = trained.training.descriptors
    rows = own[rng.integers(len(own), size=count)] * rng.uniform(0.9, 1.1, (count, 1))
    rows[[0, count // 2, -1]] = own[3] * 1.01
    md, unsimulated = trained.apply_unsimulated(rows)
    simulated = trained.apply(np.full(count, float(np.exp(8.2))), rows)
    for values in (md, *(getattr(one, name) for one in (unsimulated, simulated) for name in ("values", "lower"))):
        assert len({values[row].tobytes() for row in (0, count // 2, -1)}) == 1
        assert len(values) == count
