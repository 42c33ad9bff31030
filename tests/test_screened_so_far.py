"""What is told of a screening while it runs: the values in a histogram, the best rows, the pace; and jobs for RadonPy."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.tables.simulation_jobs import JOB_COLUMNS
from affinecal_gui.tables.units.properties import find_property
from affinecal_gui.tasks.screening.candidate_jobs import candidate_jobs, to_simulate
from affinecal_gui.tasks.screening.columns import RowBlock, Screened, written
from affinecal_gui.tasks.screening.library.reading_rows import OK
from affinecal_gui.tasks.screening.results.ranking import Ranking
from affinecal_gui.tasks.screening.results.so_far import (
    MOST_BINS,
    Candidate,
    FinishedPartition,
    GrowingHistogram,
    Watcher,
)
from tests.tries import tries

VALUES = st.floats(-1e6, 1e6).map(lambda value: round(value, 6)) | st.just(math.nan)


@settings(max_examples=tries(40))
@given(st.lists(st.lists(VALUES, max_size=12), min_size=1, max_size=5))
def test_a_histogram_counts_every_value_in_its_bin_however_the_values_come(parts: list[list[float]]) -> None:
    histogram = GrowingHistogram()
    for part in parts:
        histogram.add(np.array(part, dtype=np.float64))
    values = np.array([value for part in parts for value in part if not math.isnan(value)])
    edges, counts = histogram.bars
    assert len(counts) <= MOST_BINS
    assert counts.sum() == len(values)
    if len(values):
        bins = np.searchsorted(edges, values, side="right") - 1
        np.testing.assert_array_equal(counts, np.bincount(bins, minlength=len(counts)))
        assert counts[0] > 0
        assert counts[-1] > 0


def partition(folder: Path, number: int, values: list[float], *, is_kept: bool = False) -> FinishedPartition:
    """Write a partition of four rows, with these values."""
    first, count = 1 + 4 * number, len(values)
    value = np.array(values, dtype=np.float64)
    units = [f"*{'C' * row}O*" for row in range(first, first + count)]
    names = [f"P{row}" for row in range(first, first + count)]
    screened = Screened(value, value - 10.0, value + 20.0, value + 5.0, ["md"] * count, [True] * count, [OK] * count)
    block = RowBlock(first, names, [""] * count, units, [b"0" * 16] * count, [None] * count, [screened], None)
    file = folder / f"part-{number}.parquet"
    with file.open("wb") as sink:
        written([block], [find_property("Cp")], sink)
    return FinishedPartition(file, count, 100, is_kept)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_best_are_the_same_in_whatever_order_partitions_are_finished(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    values = [[3.0, 1.0, math.nan, 7.0], [7.0, 2.0, 9.0, 4.0], [5.0, 8.0, 6.0, 0.0]]
    watcher = Watcher(Ranking("", "lower"), 5)
    for number in order:
        watcher.take(partition(tmp_path, number, values[number]))
    found = watcher.so_far
    assert [(one.row, one.value) for one in found.best] == [(7, 9.0), (10, 8.0), (4, 7.0), (5, 7.0), (11, 6.0)]
    assert [one.id for one in found.best] == ["P7", "P10", "P4", "P5", "P11"]
    assert (found.best[0].lower, found.best[0].upper, found.best[0].md) == (-1.0, 29.0, 14.0)
    assert (found.rows, found.expected, found.with_value) == (12, 100, 11)


def test_the_pace_counts_what_this_run_has_done(tmp_path: Path) -> None:
    seconds = 0.0
    watcher = Watcher(Ranking("", "value", highest_first=False), 2, clock=lambda: seconds)
    assert math.isnan(watcher.so_far.seconds_left)
    seconds = 50.0
    watcher.take(partition(tmp_path, 0, [4.0, 3.0, 2.0, 1.0], is_kept=True))
    assert math.isnan(watcher.so_far.rate)
    seconds = 52.0
    watcher.take(partition(tmp_path, 1, [1.0, 6.0, 7.0, 8.0]))
    found = watcher.so_far
    assert (found.rate, found.seconds_left) == (2.0, 46.0)  # 4 rows in 2 s, 92 of 100 rows to come
    assert [one.row for one in found.best] == [4, 5]


def candidate(row: int, smiles: str, origin: str = "predicted md", known: str = "") -> Candidate:
    values: FloatArray = np.array([1.0, 0.5, 2.0, 3.0])
    return Candidate(row, "" if row == 4 else f"P{row}", "", smiles, *values.tolist(), origin, True, known)  # type: ignore[arg-type]


def test_each_polymer_that_nobody_has_simulated_becomes_one_job() -> None:
    candidates = [
        candidate(1, "*CC(*)C"),
        candidate(2, "*CC*", known="measured"),
        candidate(3, "*C(C)C*"),  # the first again
        candidate(4, "*CCO*|*CC(*)C|3|1"),
        candidate(5, "*CCS*", origin="md"),
    ]
    wanted = to_simulate(candidates)
    assert [one.row for one in wanted] == [1, 4]
    jobs = [dict(zip(JOB_COLUMNS, job.cells, strict=True)) for job in candidate_jobs(wanted, "why")]
    assert [job["DBID"] for job in jobs] == ["P1", "row_4"]
    assert [job["monomer_ID"] for job in jobs] == ["P1", "row_4"]
    assert [(job["copoly_ratio_list"], job["copoly_type"]) for job in jobs] == [("1", ""), ("0.75,0.25", "random")]
    assert [job["smiles_list"].count(",") for job in jobs] == [0, 1]
    assert {job["simulate_again_because"] for job in jobs} == {"why"}
