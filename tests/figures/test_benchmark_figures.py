"""Figures of the two benchmarks: whole bars, and no bar upon another."""

import numpy as np
import pytest

from affinecal_gui.calibration.checking.paper_protocol import PaperBenchmark, PaperRepetition
from affinecal_gui.figures.plots.benchmark import benchmark_figure
from affinecal_gui.figures.plots.transfer_benchmark import dodge
from tests.figures.invented import HEAT_CAPACITY
from tests.figures.layout_checks import assert_legible

_MODELS = ("md", "ordinary", "log_difference", "affine")  # those of the paper


def benchmark(errors: list[list[float]]) -> PaperBenchmark:
    """Invented errors, one list a repetition, in the order of ``_MODELS``."""
    nowhere = np.zeros(0, dtype=np.int64)
    repetitions = tuple(
        PaperRepetition(
            seed, nowhere, nowhere, dict(zip(_MODELS, row, strict=True)), 1, 1, 1, 1, 0.0, 1.0, 0.0, 9, True
        )
        for seed, row in enumerate(errors)
    )
    table = np.array(errors)
    sd = table.std(axis=0, ddof=1) if len(errors) > 1 else np.full(len(_MODELS), np.nan)
    return PaperBenchmark(
        60,
        40,
        20,
        "direct",
        1e-3,
        repetitions,
        dict(zip(_MODELS, map(float, table.mean(axis=0)), strict=True)),
        dict(zip(_MODELS, map(float, sd), strict=True)),
    )


@pytest.mark.parametrize("repetitions", [1, 2, 3])
def test_the_bars_of_few_repetitions_end_inside_the_frame(repetitions: int) -> None:
    """The standard deviation of two values reaches beyond both of them."""
    errors = [[0.8, 0.19, 0.21, 0.16], [0.8, 0.12, 0.155, 0.168], [0.8, 0.15, 0.16, 0.18]]
    figure = benchmark_figure(benchmark(errors[:repetitions]), HEAT_CAPACITY)
    axes = figure.axes[0]
    low, high = axes.get_xlim()
    drawn = np.concatenate(
        [np.asarray(line.get_xdata()) for line in axes.lines if line.get_marker() not in ("", "None")]
    )
    assert np.isfinite(drawn).all()
    assert low < drawn.min()
    assert drawn.max() < high
    assert_legible(figure)


@pytest.mark.parametrize("sizes", [[5.0, 10.0, 15.0, 20.0, 30.0, 40.0, 50.0], [5.0], [20.0, 5.0]])
@pytest.mark.parametrize("count", [1, 2, 7])
def test_bars_of_several_methods_stand_apart_and_at_their_size(sizes: list[float], count: int) -> None:
    shifts = dodge(np.array(sizes), count)
    assert len(np.unique(shifts)) == count
    assert shifts.sum() == pytest.approx(0.0, abs=1e-12)
    if len(sizes) > 1:
        assert np.abs(shifts).max() < np.diff(np.sort(sizes)).min() / 2
