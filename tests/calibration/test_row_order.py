"""The same data give the same answer: neither the order of rows nor the seed changes it, other folds hardly do."""

from dataclasses import asdict, fields, replace

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from affinecal_gui.calibration import options as calibration_options
from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.cross_validation.penalty_search import averaged_penalties, surface_from_errors
from affinecal_gui.calibration.kernels.comparing.compare import compare_calibrators
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.refit import refit
from affinecal_gui.calibration.results import Penalties
from tests.calibration.simulated_polymers import simulate

N, M = 16, 12
OPTIONS = CalibrationOptions(
    repetitions=2, outer_folds=4, lambda_1_grid=(0.1, 1.0, 10.0), lambda_2_grid=(1.0, 10.0), measure_next=3
)


def calibrated(rows, library, *, options=OPTIONS, tied=False):
    """Calibrate with the rows of both tables in the given orders; half of the polymers have two rows."""
    data = simulate(3, n=N, m=M)
    md, library_md = data.md.copy(), np.concatenate([data.md, data.library_md])
    if tied:
        md[3] = md[7] = md[11]
        library_md[2] = library_md[20]
    groups = np.array([f"polymer {row if row < 10 else 10 + row // 2}" for row in range(N)])
    weights = 1.0 + np.arange(N) % 3
    library_X = np.vstack([data.X, data.library_X])
    return calibrate(
        data.measured[rows],
        md[rows],
        data.X[rows],
        library_md[library],
        library_X[library],
        data.sizes,
        options,
        weights=weights[rows],
        groups=groups[rows],
    )


def assert_the_same(one, other, rows, library):
    """Compare to the last bit; ``rows`` and ``library`` are the orders of ``other``."""
    for name, result in one.models.items():
        again = other.models[name]
        for field in fields(result):
            value, found = getattr(result, field.name), getattr(again, field.name)
            if field.name.startswith(("fitted", "out_of_fold")) and isinstance(value, np.ndarray):
                np.testing.assert_array_equal(value[rows], found, err_msg=f"{name}.{field.name}")
            elif field.name.startswith("library"):
                np.testing.assert_array_equal(value[library], found, err_msg=f"{name}.{field.name}")
        for metrics in ("metrics", "fitted_metrics"):
            np.testing.assert_equal(asdict(getattr(result, metrics)), asdict(getattr(again, metrics)), err_msg=name)
        assert result.penalties == again.penalties
        np.testing.assert_equal(
            {key: asdict(one) for key, one in result.parameters.items()},
            {key: asdict(one) for key, one in again.parameters.items()},
        )
        if result.coefficients is not None:
            for field in ("gamma", "lower", "upper"):
                np.testing.assert_array_equal(
                    getattr(result.coefficients, field), getattr(again.coefficients, field), err_msg=name
                )
    assert repr(one.recommendation) == repr(other.recommendation)
    assert one.notes == other.notes
    np.testing.assert_array_equal(one.measured[rows], other.measured)
    np.testing.assert_array_equal(one.md[rows], other.md)
    np.testing.assert_array_equal(one.library_md[library], other.library_md)
    np.testing.assert_array_equal(one.validity.inside[library], other.validity.inside)
    np.testing.assert_array_equal(one.validity.distance[library], other.validity.distance)
    np.testing.assert_array_equal(one.validity.nearest[library], np.asarray(rows)[other.validity.nearest])
    assert [replace(s, library_index=int(library[s.library_index])) for s in other.measure_next] == list(
        one.measure_next
    )


@pytest.fixture(scope="module", params=[False, True], ids=["all MD values differ", "equal MD values"])
def as_given(request):
    return request.param, calibrated(np.arange(N), np.arange(N + M), tied=request.param)


@settings(max_examples=4, deadline=None, phases=[Phase.generate])
@given(rows=st.permutations(range(N)), library=st.permutations(range(N + M)))
def test_permuted_rows_of_either_table_give_the_same_result_to_the_last_bit(as_given, rows, library):
    tied, plain = as_given
    rows, library = np.array(rows), np.array(library)
    assert_the_same(plain, calibrated(rows, library, tied=tied), rows, library)


def test_a_refit_and_a_comparison_do_not_depend_on_the_order_of_rows_either(as_given):
    tied, plain = as_given
    rng = np.random.default_rng(0)
    rows, library = rng.permutation(N), rng.permutation(N + M)
    permuted = calibrated(rows, library, tied=tied)
    own = {"affine": Penalties(2.0, 5.0)}
    assert_the_same(refit(plain, own), refit(permuted, own), rows, library)
    sources, library_sources = rng.normal(size=(N, 1)), rng.normal(size=(N + M, 1))
    compared = [
        compare_calibrators(calibration, ("direct", "augmented"), sources=S, library_sources=L).calibration
        for calibration, S, L in (
            (plain, sources, library_sources),
            (permuted, sources[rows], library_sources[library]),
        )
    ]
    assert_the_same(*compared, rows, library)


def test_the_paper_deals_its_inner_folds_by_the_order_of_the_measured_file():
    rows = np.random.default_rng(1).permutation(N)
    paper = replace(OPTIONS, protocol="paper")
    one = calibrated(np.arange(N), np.arange(N + M), options=paper)
    other = calibrated(rows, np.arange(N + M), options=paper)
    surfaces = [found.models["affine"].surface for found in (one, other)]
    assert (surfaces[0].rmse != surfaces[1].rmse).all()
    for found, surface in zip((one, other), surfaces, strict=True):
        first, second = surface.chosen
        assert found.models["affine"].penalties == Penalties(
            float(surface.lambda_1[first]), float(surface.lambda_2[second])
        )


@pytest.mark.parametrize("polymers", [N, 120])
def test_another_seed_changes_neither_values_nor_intervals_nor_errors(polymers):
    data = simulate(5, n=polymers, m=10)
    options = replace(OPTIONS, repetitions=1, measure_next=0)
    one, other = (on_library(data, replace(options, seed=seed)) for seed in (0, 7))
    for name, result in one.models.items():
        again = other.models[name]
        for values in ("library", "library_lower", "library_upper", "out_of_fold", "out_of_fold_lower"):
            np.testing.assert_array_equal(getattr(result, values), getattr(again, values), err_msg=f"{name}.{values}")
        np.testing.assert_equal(asdict(result.metrics), asdict(again.metrics), err_msg=name)
    assert one.recommendation.recommended == other.recommendation.recommended


def test_the_protocol_of_the_paper_draws_its_folds_from_the_seed():
    data = simulate(5, n=N, m=10)
    options = replace(OPTIONS, protocol="paper", repetitions=1, measure_next=0)
    one, other = (on_library(data, replace(options, seed=seed)) for seed in (0, 7))
    assert (one.models["affine"].out_of_fold != other.models["affine"].out_of_fold).any()


def on_library(data, options):
    return calibrate(data.measured, data.md, data.X, data.library_md, data.library_X, data.sizes, options)


def test_with_very_many_polymers_the_final_penalties_come_from_several_dealings(monkeypatch):
    """Above a hundred polymers holding out each alone takes too long, and the dealings must hardly matter."""
    data = simulate(5, n=120, m=30)
    found = []
    for dealing in (0, 1, 2):
        monkeypatch.setattr(calibration_options, "DEALING", dealing)
        found.append(on_library(data, replace(OPTIONS, repetitions=1, measure_next=0)))
    for name in ("log_difference", "affine"):
        library = np.array([one.models[name].library for one in found])
        change = np.abs(library[1:] / library[0] - 1.0)
        assert 0.0 < np.quantile(change, 0.95) < 0.003


def test_the_mean_of_the_penalties_is_weighted_by_how_well_they_predict():
    grid_1, grid_2 = np.array([0.1, 1.0, 10.0]), np.array([1.0, 100.0])
    flat = averaged_penalties(surface_from_errors(grid_1, grid_2, np.ones((3, 2))), 1.0, 20)
    # Nothing is known: 0.1, 1 and 10 count like their power of 0.4, so 0.398 : 1 : 2.512, and the two lambda_2 alike.
    expected = (2.512 - 0.398) / (0.398 + 1.0 + 2.512)
    assert np.log10(flat.lambda_1) == pytest.approx(expected, abs=1e-3)
    assert flat.lambda_2 == pytest.approx(10.0)
    error = np.ones((3, 2))
    error[0, 1] = 1e-6
    sharp = averaged_penalties(surface_from_errors(grid_1, grid_2, error), 0.5, 1000)
    assert (sharp.lambda_1, sharp.lambda_2) == (pytest.approx(0.1), pytest.approx(100.0))
    assert sharp.lambda_beta == 0.5
    one = averaged_penalties(surface_from_errors(np.array([3.0]), np.array([0.0]), np.array([[0.2]])), 1.0, 8)
    assert (one.lambda_1, one.lambda_2) == (pytest.approx(3.0), 0.0)


def test_errors_of_rounding_alone_do_not_choose_penalties():
    grid = np.array([1.0, 10.0])
    error = np.array([[1e-32, 4e-31], [2e-30, 1e-31]])
    found = averaged_penalties(surface_from_errors(grid, grid, error), 1.0, 50)
    assert found.lambda_2 == pytest.approx(10.0**0.5)
