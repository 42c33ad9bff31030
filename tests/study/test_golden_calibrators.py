"""Calibrator files of all versions so far: they open, and say what they said when they were made."""

import json
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.study.calibrator_files.calibrator_file import open_calibrator, save_calibrator_file
from affinecal_gui.study.calibrator_files.making import calibrator_file_of
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.study.state import StudyState
from affinecal_gui.tasks.predicting.applying import apply_file

FOLDER = Path(__file__).parent.parent / "data" / "calibrators"
COLUMNS = tuple(f"size_{number}" for number in range(12))
LIFT = 2000.0


@pytest.fixture(scope="module")
def coarse_calibrations_of_module() -> None:
    """The files were made with a full search."""


def golden_tables(lift: float = 0.0) -> tuple[str, str]:
    """Return a table of measured values, and one of MD values with descriptors.

    MD values that are ``lift`` higher have something left when they are corrected for quantum effects, and the measured
    ones lie between both.
    """
    generator = np.random.default_rng(20261129)
    X = generator.normal(size=(20, len(COLUMNS)))
    md = 2500.0 + 400.0 * X[:, 0] + 150.0 * generator.normal(size=20)
    md += lift
    surplus = 2620.0 - 2050.0 / np.arange(2.0, 22.0)  # of these chains, nearly
    between = np.sqrt(md * (md - surplus)) if lift else md
    measured = 0.5 * between * np.exp(0.05 * X[:, 1] - 0.03 * X[:, 4] + 0.02 * generator.normal(size=20))
    names = [f"*{'C' * (n + 1)}O*" for n in range(20)]
    first = "".join(f"P{n},{name},{measured[n]:.2f}\n" for n, name in enumerate(names[:14]))
    second = "".join(f"P{n},{name},{md[n]:.2f},{','.join(f'{x:.4f}' for x in X[n])}\n" for n, name in enumerate(names))
    return f"id,smiles,measured Cp [J/(kg K)]\n{first}", f"id,smiles,MD Cp [J/(kg K)],{','.join(COLUMNS)}\n{second}"


def golden_study(folder: Path, lift: float = 0.0) -> Derived:
    """Return a study of these tables."""
    paths = folder / "measured.csv", folder / "md.csv"
    for path, text in zip(paths, golden_tables(lift), strict=True):
        path.write_text(text, encoding="utf-8")
    loaded = load_tables(paths)
    assert not loaded.errors
    return derive(StudyState().with_tables(loaded.tables), Derived())


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.glob("*.affinecal-model")))
def test_a_file_of_an_earlier_version_says_what_it_said(name: str, tmp_path: Path) -> None:
    expected = json.loads((FOLDER / "predictions.json").read_text(encoding="utf-8"))
    opened = open_calibrator(FOLDER / name)
    md, further = np.array(expected["md"]), None
    if opened.sources is not None:
        md, further = md + LIFT, np.array(expected["corrected"], dtype=float)[:, None]
    found = opened.calibrator.apply(md, np.array(expected["descriptors"]), further)
    for column, values in expected[name].items():
        np.testing.assert_allclose(getattr(found, column), np.array(values, dtype=float), rtol=1e-12, err_msg=column)
    assert opened.facts.descriptors.names == COLUMNS
    table = tmp_path / "md.csv"
    table.write_text(golden_tables(0.0 if opened.sources is None else LIFT)[1], encoding="utf-8")
    said = apply_file(FOLDER / name, table, tmp_path / "out.csv")
    assert said[0].startswith("20 of 20 polymers calibrated with")


def test_there_is_a_file_of_both_grades() -> None:
    assert {open_calibrator(path).manifest.grade for path in FOLDER.glob("*.affinecal-model")} == {"open", "closed"}


def test_a_file_that_is_made_now_says_the_same(tmp_path: Path) -> None:
    expected = json.loads((FOLDER / "predictions.json").read_text(encoding="utf-8"))
    study = golden_study(tmp_path)
    path = tmp_path / "now.affinecal-model"
    save_calibrator_file(path, calibrator_file_of(study, "combined", "open"))
    found = open_calibrator(path).calibrator.apply(np.array(expected["md"]), np.array(expected["descriptors"]))
    told = expected["combined-open-5-odds.affinecal-model"]
    np.testing.assert_allclose(found.values, told["values"], rtol=1e-9)
    np.testing.assert_allclose(found.upper, told["upper"], rtol=1e-9)
