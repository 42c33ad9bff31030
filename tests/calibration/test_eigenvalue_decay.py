"""The paper's experiment on eigenvalues: its draws, its rule, its published figures, and the command."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from affinecal_gui.__main__ import main
from affinecal_gui.calibration.kernels.eigenvalues.decay import (
    decay_rates,
    draw_features,
    run_eigenvalue_decay,
)
from affinecal_gui.calibration.kernels.eigenvalues.overlap import decay
from affinecal_gui.calibration.kernels.gram import gram_matrix
from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.figures.plots.eigenvalue_decay import eigenvalue_decay_figure
from affinecal_gui.task import Task
from affinecal_gui.tasks.benchmarks.benchmarking_eigenvalues import OUTPUTS, read_published_decay
from tests.figures.layout_checks import assert_legible

# Single results of the authors' program (its file 100_Results.csv, https://github.com/mshunya/AffineTL), with one kernel for
# both K3 and K2: draw, overlap, kernel, s of K2, s of K3, s of K2 o K3.
PUBLISHED = [
    (0, 0, "linear", 0.52694, 0.49160, 0.61078),
    (0, 0, "matern12", 0.78013, 0.77523, 0.90122),
    (0, 0, "rbf", 0.59077, 0.58840, 0.75291),
    (0, 10, "linear", 0.52592, 0.49160, 0.60613),
    (0, 10, "matern12", 0.77457, 0.77523, 0.87294),
    (0, 10, "rbf", 0.59078, 0.58840, 0.70410),
    (1, 0, "linear", 0.51989, 0.55408, 0.63530),
    (1, 0, "rbf", 0.58033, 0.58456, 0.75111),
    (1, 10, "matern12", 0.77939, 0.77597, 0.87673),
]


@pytest.fixture(scope="module")
def two_draws():
    """Of three kernels without overlap and with all dimensions in common."""
    return run_eigenvalue_decay(draws=2, overlaps=(0, 10), kernels=("linear", "matern12", "rbf"))


@pytest.mark.parametrize(("draw", "overlap", "kernel", "source", "target", "product"), PUBLISHED)
def test_single_results_are_those_of_the_published_program(two_draws, draw, overlap, kernel, source, target, product):
    k, d, rates = two_draws.kernels.index(kernel), two_draws.overlaps.index(overlap), two_draws.rates["trace"]
    found = rates.source[k, d, draw], rates.target[k, draw], rates.product[k, k, d, draw]
    assert found == pytest.approx((source, target, product), abs=6e-6)


def test_the_rate_is_the_smallest_whose_bound_holds():
    rng = np.random.default_rng(0)
    values = np.sort(rng.gamma(0.3, size=(6, 30)), axis=1)[:, ::-1]
    c = values.sum(axis=1)
    for s, row, most in zip(decay_rates(values, c), values, c, strict=True):
        i = np.arange(1, 31)
        low, high = 1e-3, 1e3
        for _ in range(60):  # bisection in the logarithm
            middle = np.sqrt(low * high)
            low, high = (low, middle) if (row <= most * i ** (-1 / middle)).all() else (middle, high)
        assert s == pytest.approx(high, rel=1e-9)


def test_a_power_law_has_its_own_exponent_where_c_is_its_largest_value():
    values = 7.0 * np.arange(1, 50, dtype=float) ** -2.5
    assert decay_rates(values, np.array(7.0)) == pytest.approx(1 / 2.5)


def test_no_rate_holds_where_a_further_eigenvalue_reaches_c():
    assert decay_rates(np.array([3.0, 2.0, 1.0]), np.array(2.0)) == np.inf
    assert decay_rates(np.array([3.0, 0.0, 0.0]), np.array(9.0)) == 0.0


def test_the_squared_norm_is_the_rule_of_the_diagnostic_of_overlap(two_draws):
    x, s = draw_features(1, 10)
    assert two_draws.rates["frobenius"].target[2, 1] == pytest.approx(decay(gram_matrix("rbf", x, x)).rate)
    both = gram_matrix("rbf", x, x) * gram_matrix("matern12", s, s)
    assert two_draws.rates["frobenius"].product[2, 1, 1, 1] == pytest.approx(decay(both).rate)


@pytest.mark.parametrize("overlap", [0, 1, 5, 10])
def test_the_subspaces_have_the_overlap_in_common(overlap):
    x, s = draw_features(3, overlap)
    together = np.column_stack([np.ones(100), x, s])  # z-scores have lost their means
    assert np.linalg.matrix_rank(together) == 1 + 20 - overlap
    np.testing.assert_array_equal(x, draw_features(3, 0)[0])
    np.testing.assert_allclose([x.mean(axis=0), x.std(axis=0, ddof=1)], [np.zeros(10), np.ones(10)], atol=1e-12)


def test_more_draws_only_add_to_fewer(two_draws):
    alone = run_eigenvalue_decay(draws=1, overlaps=(10,), kernels=("rbf",))
    assert alone.rates["trace"].product[0, 0, 0, 0] == two_draws.rates["trace"].product[2, 2, 1, 0]


@pytest.mark.parametrize(
    "wrong", [{"draws": 0}, {"kernels": ()}, {"overlaps": ()}, {"overlaps": (11,)}, {"overlaps": (-1,)}]
)
def test_an_experiment_that_makes_no_sense_is_refused(wrong):
    with pytest.raises(UserError, match=r"at least one|cannot have"):
        run_eigenvalue_decay(**{"draws": 1} | wrong)


def test_it_stops_when_asked_to():
    with pytest.raises(Cancelled):
        run_eigenvalue_decay(task=Task(cancelled=lambda: True))


def test_the_published_means_fall_with_the_overlap_in_all_pairs_but_one():
    published = read_published_decay()
    assert published.draws == 100
    assert published.mean.product[4, 4, [0, 5, 10]].tolist() == [0.75199, 0.73208, 0.71028]
    assert published.sd.target[0] == 0.01883
    grows = np.argwhere(np.diff(published.mean.product, axis=-1) > 0)
    assert {(t, s) for t, s, _ in grows} == {(0, 0)}  # linear with linear


def test_the_command_writes_tables_and_figure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    blank = "affinecal_gui.figures.plots.eigenvalue_decay.eigenvalue_decay_figure"  # drawn in the test below
    monkeypatch.setattr(blank, lambda *_: Figure(figsize=(0.1, 0.1), layout="none"))
    words = ["benchmark", "--protocol", "eigenvalues", "--repetitions", "1", "--output", str(tmp_path / "out")]
    assert main([*words, "--quiet"]) == 0
    assert {path.name for path in (tmp_path / "out").iterdir()} == set(OUTPUTS)
    said = capsys.readouterr().out
    assert "published figures are those with c = the trace" in said
    content = json.loads((tmp_path / "out" / "benchmark.json").read_text(encoding="utf-8"))
    assert "mshunya/AffineTL" in content["published"]
    assert len(content["means"]) == 2 * (55 + 5 + 275)
    rbf = {"matrix": "K2 o K3", "target": "rbf", "source": "rbf", "overlap": 10}
    trace, squared = (one for one in content["means"] if rbf.items() <= one.items())
    assert (trace["mean"], trace["published_mean"]) == pytest.approx((0.70410, 0.71028), abs=6e-6)
    assert trace["sd"] is None
    assert (squared["c"], squared["published_mean"]) == ("frobenius", None)
    with (tmp_path / "out" / "repetitions.csv").open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["c"] == "trace" and row["overlap"] == "0"]
    assert len(rows) == 25
    assert float(rows[-1]["s of K2 o K3"]) == pytest.approx(0.75291, abs=6e-6)
    assert main([*words, "--quiet"]) == 2  # a result is there already


def test_the_figure_is_legible(two_draws):
    figure = eigenvalue_decay_figure(two_draws)
    assert_legible(figure)
    assert len(figure.axes) == 3 * 3
