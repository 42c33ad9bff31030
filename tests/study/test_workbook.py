"""The workbook holds every table of a study, number by number, and no cell of it can run."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import openpyxl
import pytest

from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.study.results.exporting import coefficient_rows, prediction_rows
from affinecal_gui.study.results.workbook import write_study_workbook
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.tables.writing.csv_export import PREDICTION_COLUMNS
from affinecal_gui.task import Task
from tests.study.small_study import small_result, small_state

FORMULA = '=HYPERLINK("http://example.org")'


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    return replace(small_result().snapshot, settings=small_state().settings)


def sheets_of(path: Path) -> dict[str, list[tuple[object, ...]]]:
    book = openpyxl.load_workbook(path)
    assert all(cell.data_type != "f" for sheet in book for line in sheet.iter_rows() for cell in line)
    return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book}


def test_one_sheet_per_table(snapshot: Snapshot, tmp_path: Path) -> None:
    write_study_workbook(snapshot, tmp_path / "study.xlsx")
    sheets = sheets_of(tmp_path / "study.xlsx")
    assert list(sheets) == [
        "Predictions",
        "Coefficients",
        "Metrics",
        "Parameters",
        "Comparison",
        "Unmatched",
        "Measure next",
        "About",
    ]
    assert sheets["Predictions"][0] == PREDICTION_COLUMNS
    calibrated = [line[PREDICTION_COLUMNS.index("calibrated value")] for line in sheets["Predictions"][1:]]
    expected = [row.calibrated_value for row in prediction_rows(snapshot)]
    np.testing.assert_allclose(calibrated, expected, rtol=1e-14)  # a workbook keeps 16 digits
    gamma = [line[4] for line in sheets["Coefficients"][1:]]
    np.testing.assert_allclose(gamma, [row.coefficient for row in coefficient_rows(snapshot)], rtol=1e-14)
    unmatched = {line[0]: line[6:] for line in sheets["Unmatched"][1:]}
    assert unmatched["unknown"][0] == "no MD value"
    assert len(sheets["Predictions"]) - 1 + len(unmatched) == len(snapshot.rows)
    chosen = [line[0] for line in sheets["Metrics"][1:] if line[1] == "yes"]
    assert chosen == ["affine"]


def test_texts_of_files_stay_texts(snapshot: Snapshot, tmp_path: Path) -> None:
    rows = tuple(replace(row, name=FORMULA, reason="+1\x00\ud800") for row in snapshot.rows)
    write_study_workbook(replace(snapshot, rows=rows, match_summary="@SUM(A1)"), tmp_path / "study.xlsx")
    sheets = sheets_of(tmp_path / "study.xlsx")
    column = list(sheets["Predictions"][0]).index("name")
    assert {line[column] for line in sheets["Predictions"][1:]} == {"'" + FORMULA}
    texts = [cell for lines in sheets.values() for line in lines for cell in line if isinstance(cell, str)]
    assert not [text for text in texts if text.startswith(("=", "@"))]


def test_a_study_without_coefficients_has_a_workbook_all_the_same(snapshot: Snapshot, tmp_path: Path) -> None:
    calibration = snapshot.calibration
    assert calibration is not None
    models = {"md": calibration.models["md"]}
    bare = replace(
        snapshot,
        settings=replace(snapshot.settings, model="md"),
        blocks=None,
        calibration=replace(calibration, models=models, measure_next=()),
    )
    write_study_workbook(bare, tmp_path / "study.xlsx")
    assert "Coefficients" not in sheets_of(tmp_path / "study.xlsx")


def test_is_written_whole_or_not_at_all(snapshot: Snapshot, tmp_path: Path) -> None:
    path = tmp_path / "study.xlsx"
    with pytest.raises(Cancelled):
        write_study_workbook(snapshot, path, task=Task(cancelled=lambda: True))
    assert list(tmp_path.iterdir()) == []
    seen: list[float] = []
    write_study_workbook(snapshot, path, task=Task(lambda share, _: seen.append(share)))
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    with pytest.raises(UserError, match="exists already"):
        write_study_workbook(snapshot, path)
