"""Notes about polymers: kept in the study file, undone like every step, told in exports, and without effect on numbers."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from affinecal_gui.study.derive import derive
from affinecal_gui.study.records.archive import Member
from affinecal_gui.study.records.stored_errors import DamagedContent
from affinecal_gui.study.results.exporting import prediction_rows
from affinecal_gui.study.snapshot import Settings
from affinecal_gui.study.stored.stored_settings import read_settings, settings_member
from affinecal_gui.study.stored.study_file import open_study, save_study
from tests.study.small_study import small_result, small_state

NOTE = "wet sample — “see p. 7”, ΔT?"


def noted() -> tuple[str, Settings]:
    key = next(row.key for row in small_result().snapshot.rows if row.state == "used")
    return key, small_state().settings.with_note(key, NOTE)


def test_a_note_can_be_changed_and_taken_away() -> None:
    key, settings = noted()
    assert settings.note_of(key) == NOTE
    assert settings.with_note(key, "dry").note_of(key) == "dry"
    assert settings.with_note(key, "") == small_state().settings


def test_a_note_changes_no_number_and_fits_nothing_anew() -> None:
    _, settings = noted()
    derived = derive(replace(small_state(), settings=settings), small_result())
    assert derived.snapshot.calibration is small_result().snapshot.calibration


def test_a_note_is_told_before_the_reason_and_in_the_predictions() -> None:
    key, settings = noted()
    snapshot = replace(small_result().snapshot, settings=settings)
    row = snapshot.row(key)
    assert row is not None
    assert snapshot.told_of(row) == f"Note: {NOTE} {row.reason}".strip()
    told = [found.note for found in prediction_rows(snapshot)]
    assert sum(NOTE in note for note in told) == 1


def test_a_note_is_in_the_study_file_and_a_file_of_before_has_none(tmp_path: Path) -> None:
    key, settings = noted()
    state = replace(small_state(), settings=settings)
    save_study(tmp_path / "mine.affinecal", state, small_result())
    assert open_study(tmp_path / "mine.affinecal").state.settings.note_of(key) == NOTE
    member: Member = settings_member(settings)
    content = member.content if isinstance(member.content, bytes) else b"".join(member.content)
    before = {name: value for name, value in json.loads(content).items() if name != "notes"}
    assert read_settings(before).notes == frozenset()
    before["notes"] = [["t1.0", "one"], ["t1.0", "two"]]
    with pytest.raises(DamagedContent, match="notes names a row twice"):
        read_settings(before)
