"""Columns that say how far simulations scatter, and how many there were: they become standard errors of MD values."""

import dataclasses
import json
import re
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.calibration.results import IntervalParts
from affinecal_gui.notes import told
from affinecal_gui.python.results import frame_of_interval_parts
from affinecal_gui.study.data.assembly import Assembly, assemble
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.fitting.md_noise import library_noise
from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.study.records.stored_records import from_plain, to_plain
from affinecal_gui.study.shown.inspection import inspect_polymer
from affinecal_gui.study.snapshot import MatchingChoices
from affinecal_gui.study.state import StudyState
from affinecal_gui.tables.units.properties import find_property
from affinecal_gui.tasks.fitting.fit_metrics import metrics_of
from tests.study.test_weighing import CP, MD, OWN, UNITS


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
FEW = 8  # polymers make the quickest calibration


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


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """A study with descriptors of its own and MD values of which every other one is noisy."""
    folder = tmp_path_factory.mktemp("noisy")
    (folder / "measured.csv").write_text(
        "smiles,Tg [K],± Tg [K]\n"
        + "".join(f"*{unit}*,{cp / 5:g},2\n" for unit, cp in zip(UNITS[:FEW], CP, strict=False)),
        "utf-8",
    )
    rng = np.random.default_rng(5)
    rows = [
        f"*{unit}*,{md / 10:g},{(2.0, 60.0)[place % 2]:g},4,{','.join(f'{one:.4f}' for one in rng.normal(size=5))}"
        for place, (unit, md) in enumerate(zip(UNITS[:FEW], MD, strict=False))
    ]
    names = ",".join(f"a_{j}" for j in range(5))
    (folder / "md.csv").write_text(f"smiles,Tg [K],Tg_std,Tg_count,{names}\n" + "\n".join(rows) + "\n", "utf-8")
    loaded = load_tables((folder / "measured.csv", folder / "md.csv"))
    state = StudyState().with_tables(loaded.tables)
    settings = dataclasses.replace(state.settings, penalties=OWN)  # quicker than a search
    return derive(dataclasses.replace(state, settings=settings), Derived()).snapshot


def test_a_note_says_how_noisy_md_values_are_and_by_what_the_slope_is_corrected(shown):
    (note,) = (one for one in told(shown.calibration.notes, in_full=True) if "MD values are noisy" in one)
    assert "α₁ is corrected" in note


def test_the_inspector_says_what_an_interval_is_made_of(shown):
    quiet, noisy = (inspect_polymer(shown, shown.rows[row].key) for row in (0, 1))
    for content in (quiet, noisy):
        assert sum(one.share for one in content.interval_shares) == pytest.approx(1.0, abs=1e-3)
        assert not any("unstated" in one.label for one in content.interval_shares)
    of = [{one.label: one.share for one in content.interval_shares}["simulation"] for content in (quiet, noisy)]
    assert of[1] > 2.0 * of[0]
    found = re.fullmatch(
        r"With 5 more simulations of this polymer its interval would be (\d+\.\d) % narrower\.", noisy.interval_note
    )
    assert float(found[1]) / 100.0 == pytest.approx(1.0 - np.sqrt(1.0 - of[1] * 5.0 / 9.0), abs=1e-3)


def test_the_metrics_and_a_data_frame_hold_the_same_shares(shown):
    model = shown.settings.model
    frame = frame_of_interval_parts(shown, model)
    assert len(frame) == FEW
    found = metrics_of(shown)["models"][model]["interval_parts"]
    for name in ("measurement", "simulation", "few_polymers", "model_form"):
        assert found[name] == pytest.approx(frame[name].mean(), abs=1e-3)
    assert found["five_more_runs_narrow_by"] == pytest.approx(frame["narrower by five more runs"].mean(), abs=1e-3)


def test_shares_are_kept_in_a_study_file(shown):
    model = shown.calibration.models[shown.settings.model]
    plain = json.loads(json.dumps(to_plain(model.parts)))
    again = from_plain(IntervalParts, plain, "here")
    np.testing.assert_array_equal(again.simulation, model.parts.simulation)
