"""A calibrator file in the window: asked about polymers, applied to a table, read; the study stays as it is."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from affinecal_gui.study.calibrator_files.calibrator_file import CalibratorFile, open_calibrator, save_calibrator_file
from affinecal_gui.study.calibrator_files.making import calibrated_here, calibrator_file_of
from affinecal_gui.study.describing.describing import describe_polymers
from affinecal_gui.study.stored.study_file import open_study
from affinecal_gui.tasks.predicting.applying import apply_file
from affinecal_gui.tasks.predicting.asking_calibrator import CORRECTED_MD, ask_calibrator
from affinecal_gui.ui.dialogs.calibrators.calibrator_dialog import CalibratorDialog
from affinecal_gui.ui.parts.theme.theme import DARK_THEME
from affinecal_gui.ui.window.main_window import MainWindow
from tests.study.small_study import small_result
from tests.ui.answering import Answers
from tests.ui.shared_window import SharedWindow

NEW = "*CC(*)C#N"


@pytest.fixture(scope="module")
def closed(saved_result: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    opened = open_study(saved_result)
    here = calibrated_here(opened.state, opened.derived)
    path = tmp_path_factory.mktemp("calibrators") / "closed.affinecal-model"
    save_calibrator_file(path, calibrator_file_of(here, "affine", "closed"))
    return path


@pytest.fixture
def window(qtbot: QtBot, shared_window: SharedWindow, answers: Answers) -> Iterator[MainWindow]:
    yield shared_window.lend(answers)
    shared_window.take_back()


def opened(qtbot: QtBot, window: MainWindow, path: Path) -> CalibratorDialog:
    window.open_files((str(path),))
    qtbot.waitUntil(lambda: window.calibrator_desk.dialog is not None)
    dialog = window.calibrator_desk.dialog
    assert dialog is not None
    return dialog


def by_itself(path: Path, md: float) -> tuple[CalibratorFile, list[float]]:
    file = open_calibrator(path)
    found = file.calibrator.apply(np.array([md]), describe_polymers([NEW]).values)
    return file, [float(array[0]) for array in (found.values, found.lower, found.upper)]


def test_it_is_asked_about_a_polymer_and_touches_no_study(qtbot: QtBot, window: MainWindow, closed: Path) -> None:
    before = window.session.study.state
    dialog = opened(qtbot, window, closed)
    box = dialog.box
    assert dialog.windowTitle() == "closed.affinecal-model – Calibrator"
    assert "ffine calibrator of specific heat capacity" in dialog.title.text()
    assert "not the recommended calibrator" in dialog.advice.text
    assert "name of a polymer" not in box.field.placeholderText()  # the file knows none
    qtbot.keyClicks(box.field, NEW)
    qtbot.waitUntil(lambda: box.answer is not None and box.answer.smiles == NEW)
    assert box.missing.text == "Type its MD value: the calibrator cannot predict one."
    qtbot.keyClicks(dialog.md_field, "3 Km")
    qtbot.waitUntil(lambda: "is not a number" in box.missing.text)
    dialog.md_field.selectAll()
    qtbot.keyClicks(dialog.md_field, "3300")
    qtbot.waitUntil(lambda: box.answer is not None and box.answer.has_value and box.answer.origin == "simulated")
    _, expected = by_itself(closed, 3300.0)
    qtbot.waitUntil(lambda: box.answer is not None and box.answer.value == pytest.approx(expected[0], rel=1e-12))
    assert box.answer is not None
    assert (box.answer.lower, box.answer.upper) == pytest.approx(expected[1:], rel=1e-12)
    assert "from the MD value given" in box.answer.sentence
    dialog.apply_theme(DARK_THEME)
    assert window.session.study.state is before


def test_coefficients_and_model_card_are_those_of_the_file(qtbot: QtBot, window: MainWindow, closed: Path) -> None:
    dialog = opened(qtbot, window, closed)
    file, _ = by_itself(closed, 3300.0)
    shown = [panel.part.gamma for panel in dialog.effects.grid.panels if panel.part is not None]
    np.testing.assert_array_equal(np.concatenate(shown), file.calibrator.effects)
    assert np.abs(file.calibrator.effects).max() > 0
    assert "What it was trained with" in dialog.card.toPlainText()


def test_one_of_several_sources_shows_the_corrected_md_value_that_it_has_worked_out(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "sources.affinecal-model"
    save_calibrator_file(path, calibrator_file_of(small_result(), "affine_sources", "closed"))
    dialog = opened(qtbot, window, path)
    assert "It takes the quantum-corrected MD of a polymer as well" in dialog.card.toPlainText()
    qtbot.keyClicks(dialog.box.field, NEW)
    qtbot.keyClicks(dialog.md_field, "3300")
    box = dialog.box
    qtbot.waitUntil(lambda: box.answer is not None and box.answer.has_value)
    asked = ask_calibrator(open_calibrator(path), NEW, "3300")
    qtbot.waitUntil(lambda: box.answer is not None and box.answer.value == pytest.approx(asked.value, rel=1e-12))
    assert box.answer is not None
    assert box.answer.content is not None
    assert CORRECTED_MD in [line.label for line in box.answer.content.values]


def test_it_is_applied_to_a_table_as_the_command_does(
    qtbot: QtBot, window: MainWindow, answers: Answers, closed: Path, tmp_path: Path
) -> None:
    table = tmp_path / "new.csv"
    table.write_text(f"smiles,Cp [J/(kg K)],T [K]\n{NEW},3300,300\n*CC*,4700,450\n", encoding="utf-8")
    answers.library, answers.saved = str(table), str(tmp_path / "window.csv")
    dialog = opened(qtbot, window, closed)
    with qtbot.waitSignal(window.session.exported):
        dialog.apply_button.click()
    said = apply_file(closed, table, tmp_path / "command.csv")
    assert dialog.applied.text.startswith(" ".join(said[:-1]))
    assert "holds at another temperature than those of the fit (300 K)" in dialog.applied.text
    assert dialog.md_note.text() == "of the simulation at 300 K"
    assert (tmp_path / "window.csv").read_bytes() == (tmp_path / "command.csv").read_bytes()


def test_a_file_that_is_no_calibrator_is_told(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "c.affinecal-model"
    path.write_bytes(b"no calibrator")
    window.open_files((str(path),))
    qtbot.waitUntil(lambda: bool(window.message_bar.texts()))
    assert "is not a calibrator" in window.message_bar.texts()[-1]
    assert window.calibrator_desk.dialog is None
    window.message_bar.clear()
