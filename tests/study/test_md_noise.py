"""Columns that say how far simulations scatter, and how many there were: they become standard errors of MD values."""

from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.notes import told
from affinecal_gui.study.data.assembly import Assembly, assemble
from affinecal_gui.study.fitting.md_noise import library_noise
from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.study.snapshot import MatchingChoices
from affinecal_gui.study.state import StudyState
from affinecal_gui.tables.units.properties import find_property
from tests.study.test_weighing import CP, MD, UNITS


def assembled(folder: Path, headings: str, cells: list[str], more: str = "", rule: str = "mean") -> Assembly:
    """Read twelve polymers, with further columns of the MD values."""
    lines = [f"*{unit}*,{cp:g}" for unit, cp in zip(UNITS, CP, strict=True)]
    (folder / "measured.csv").write_text("smiles,Cp [J/(kg K)]\n" + "\n".join(lines) + "\n", "utf-8")
    rows = [f"*{unit}*,{md:g},{cell}" for unit, md, cell in zip(UNITS, MD, cells, strict=True)]
    (folder / "md.csv").write_text(f"smiles,Cp,{headings}\n" + "\n".join(rows) + "\n" + more, "utf-8")
    loaded = load_tables((folder / "measured.csv", folder / "md.csv"))
    assert not loaded.errors
    tables = StudyState().with_tables(loaded.tables).tables
    return assemble(tables, find_property("Cp"), MatchingChoices(rule=rule))


ERRORS = 0.01 * MD  # of the means


def test_scatter_and_number_of_runs_make_standard_errors(tmp_path):
    found = assembled(tmp_path, "Cp_std,Cp_count", [f"{2.0 * error:g},4" for error in ERRORS])
    noise = library_noise(found, log_scale=True)
    assert not noise.remarks
    # All scatter alike, 2 %; that four runs tell a little less than they seem to is what chance makes of it.
    np.testing.assert_allclose(noise.errors, 0.01, rtol=0.25)
    assert np.ptp(noise.errors) < 1e-4
    linear = library_noise(found, log_scale=False)
    assert np.corrcoef(linear.errors, ERRORS)[0, 1] > 0.9


@pytest.mark.parametrize("heading", ["Cp SE", "Cp stderr", "Cp uncertainty", "Cp err"])
def test_errors_of_the_values_are_taken_as_they_stand(tmp_path, heading):
    noise = library_noise(assembled(tmp_path, heading, [f"{error:g}" for error in ERRORS]), log_scale=True)
    np.testing.assert_allclose(noise.errors, 0.01, rtol=1e-4)
    assert not noise.remarks


@pytest.mark.parametrize("heading", ["Cp_std", "Cp sd", "Cp stdev", "Cp Stabw"])
def test_scatter_without_the_number_of_runs_is_not_used_and_a_remark_says_so(tmp_path, heading):
    noise = library_noise(assembled(tmp_path, heading, [f"{error:g}" for error in ERRORS]), log_scale=True)
    assert noise.errors is None
    (remark,) = told(noise.remarks, in_full=True)
    assert f"“{heading}”" in remark
    assert "taken as exact" in remark


def test_nothing_is_said_where_the_table_says_nothing(tmp_path):
    noise = library_noise(assembled(tmp_path, "remark", ["x"] * 12), log_scale=True)
    assert noise.errors is None
    assert not noise.remarks


def test_several_rows_of_a_polymer_are_its_runs(tmp_path):
    rng = np.random.default_rng(0)
    again = [f"*{unit}*,{md * (1.0 + 0.04 * rng.normal()):g}," for unit, md in zip(UNITS, MD, strict=True)]
    found = assembled(tmp_path, "remark", [""] * 12, "\n".join(again) + "\n")
    noise = library_noise(found, log_scale=True)
    values = found.md_side.table.values["md", "Cp"].values.reshape(2, 12)
    pooled = np.sqrt(np.mean((np.std(values, axis=0, ddof=1) / values.mean(axis=0)) ** 2))
    assert np.median(noise.errors) == pytest.approx(pooled / np.sqrt(2), rel=0.35)
    first = assembled(tmp_path, "remark", [""] * 12, "\n".join(again) + "\n", rule="first")
    assert library_noise(first, log_scale=True).errors is None  # the others say nothing of the one that is used


def test_a_library_that_grows_has_errors_of_what_it_had(tmp_path):
    noise = library_noise(
        assembled(tmp_path, "Cp_std,Cp_count", [f"{2.0 * error:g},4" for error in ERRORS]), log_scale=True
    )
    of_fit = noise.of(np.arange(8), 15)
    assert len(of_fit.measured) == 8
    assert np.isfinite(of_fit.library).sum() == 12
    assert library_noise(assembled(tmp_path, "remark", ["x"] * 12), log_scale=True).of(np.arange(8), 15) is None
