"""Asking about any polymer through the real window: typing, pasting, what the tables know, other studies, Cancel."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QLabel
from pytestqt.qtbot import QtBot

from affinecal_gui.calibration.unsimulated import UnsimulatedCalibrator, calibrate_unsimulated
from affinecal_gui.study.fitting.calibrating import DescribedLibrary, training_of
from affinecal_gui.study.fitting.unsimulated import UnsimulatedValues, train_unsimulated
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.ui.dialogs.asking.ask_desk import STOPPED
from affinecal_gui.ui.dialogs.asking.ask_dialog import AskDialog
from affinecal_gui.ui.parts.clipboard import put_on_clipboard
from affinecal_gui.ui.parts.theme.theme import DARK_THEME
from affinecal_gui.ui.session.dialogs import NoDialogs
from affinecal_gui.ui.views.polymers.inspector.nearest_list import NearestButton
from affinecal_gui.ui.window.main_window import MainWindow
from tests.conftest import STUDY_LEARNS
from tests.kept_calibrations import keeping
from tests.ui.shared_window import SharedWindow

NEW = "*CC(*)C(=O)OCCCCCCC"
MOLFILE = """
  drawn by hand

  6  5  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 C   0  0
    1.5000    0.0000    0.0000 C   0  0
    2.0000    1.0000    0.0000 C   0  0
    3.0000    1.0000    0.0000 N   0  0
   -1.0000    0.0000    0.0000 R#  0  0
    2.0000   -1.0000    0.0000 R#  0  0
  1  2  1  0
  2  3  1  0
  3  4  3  0
  1  5  1  0
  2  6  1  0
M  RGP  2   5   1   6   2
M  END
"""


class OpenDialogs(NoDialogs):
    """Shows every dialog of the window's own."""

    def show_dialog(self, dialog: QDialog) -> bool:
        dialog.show()
        return True


@pytest.fixture
def window(qtbot: QtBot, shared_window: SharedWindow) -> Iterator[MainWindow]:
    yield shared_window.lend(OpenDialogs())
    shared_window.take_back()


@pytest.fixture
def learning_when_asked_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let less be tried while learning, the first time without end: these tests look at what is made of what is learned."""
    started: list[Task] = []

    def quickly(*data: Any, task: Task = UNWATCHED, **choices: Any) -> UnsimulatedCalibrator:
        started.append(task)
        while len(started) == 1:
            task.check()
            threading.Event().wait(0.002)
        *tables, options = data
        few = replace(options, repetitions=1, outer_folds=3, lambda_1_grid=(3.0,), lambda_2_grid=(3.0,))
        return calibrate_unsimulated(*tables, few, task=task, **choices)

    monkeypatch.setattr(STUDY_LEARNS, keeping(quickly))


def opened(qtbot: QtBot, window: MainWindow, study: Path) -> AskDialog:
    window.open_files((str(study),))
    qtbot.waitUntil(lambda: window.session.study.snapshot().calibration is not None and window.is_at_rest)
    return box(window)


def box(window: MainWindow) -> AskDialog:
    window.window_actions.ask.trigger()
    dialog = window.ask_desk.dialog
    assert dialog is not None
    assert not dialog.isModal()
    return dialog


def type_in(qtbot: QtBot, window: MainWindow, dialog: AskDialog, text: str) -> None:
    """Type over what stands there, and wait for all that is said of it."""
    dialog.box.field.selectAll()
    qtbot.keyClicks(dialog.box.field, text)
    answered(qtbot, window, dialog, text)


def answered(qtbot: QtBot, window: MainWindow, dialog: AskDialog, text: str) -> None:
    qtbot.waitUntil(
        lambda: (
            dialog.box.answer is not None
            and dialog.box.answer.asked == text
            and not dialog.box.answer.is_waiting
            and window.is_at_rest
        )
    )


def shown(dialog: AskDialog) -> set[str]:
    return {label.text() for label in dialog.findChildren(QLabel) if label.isVisible() and label.text()}


def said_by_the_service(window: MainWindow, smiles: str) -> UnsimulatedValues:
    """What everything that predicts polymers without MD values gives for one."""
    derived, settings = window.session.study.derived, window.session.study.state.settings
    assembly: Any = derived.assembly
    assert isinstance(derived.descriptors, DescribedLibrary)
    training = training_of(assembly, derived.descriptors, settings)
    return train_unsimulated(assembly, derived.descriptors, training, settings, settings.model).of_smiles([smiles])


@pytest.mark.usefixtures("learning_when_asked_twice")
def test_what_is_typed_is_answered_as_the_tables_and_the_calibration_have_it(
    qtbot: QtBot, window: MainWindow, saved_result: Path
) -> None:
    dialog = opened(qtbot, window, saved_result)
    assert dialog.box.field.hasFocus() or dialog.focusWidget() is dialog.box.field

    # While everything is being learned, the structure is there; Cancel stops that, and Enter goes on with it.
    qtbot.keyClicks(dialog.box.field, NEW)
    qtbot.waitUntil(lambda: dialog.box.answer is not None and dialog.box.answer.is_waiting)
    assert "will be predicted as soon as" in dialog.box.missing.text
    window.window_actions.cancel.trigger()
    qtbot.waitUntil(lambda: dialog.box.hint.text == STOPPED)
    qtbot.keyClick(dialog.box.field, Qt.Key.Key_Return)

    # Nobody has simulated it.
    answered(qtbot, window, dialog, NEW)
    answer, expected = dialog.box.answer, said_by_the_service(window, NEW)
    assert answer is not None
    assert answer.content is not None
    np.testing.assert_allclose(
        (answer.value, answer.lower, answer.upper),
        (expected.values[0], expected.lower[0], expected.upper[0]),
        rtol=1e-12,
    )
    assert (answer.origin, expected.model) == ("predicted MD", "affine")
    assert answer.content.values[0].value == pytest.approx(expected.md[0], rel=1e-12)
    assert sum(effect.value for effect in answer.content.effects) == pytest.approx(answer.content.effects_sum)
    texts = shown(dialog)
    assert {
        f"{answer.value:.0f} J/(kg K)",
        "predicted MD",
        "MD, predicted",
        "Not in the tables of this study.",
    } <= texts
    assert f"90 % interval {answer.lower:.0f}–{answer.upper:.0f}" in texts
    assert not dialog.box.show_row.isVisible()

    # A neighbour is shown in the window, which knows nothing of what is asked here.
    neighbour = next(button for button in dialog.box.inspector.findChildren(NearestButton) if button.isVisible())
    neighbour.click()
    assert neighbour.polymer is not None
    assert window.selection.key == neighbour.polymer.key
    dialog.box.copy_button.click()
    assert QGuiApplication.clipboard().text() == answer.sentence
    assert f"of {NEW} is" in answer.sentence
    assert NEW not in {row.smiles for row in window.session.study.snapshot().rows}

    # An unfinished one is no alarm, and has no value.
    type_in(qtbot, window, dialog, "*CC(")
    assert dialog.box.hint.accessibleName() == 'Note: Not a valid SMILES at position 4: this "(" is never closed.'
    assert not dialog.box.value.isVisible()
    assert not dialog.box.missing.isVisible()
    assert not dialog.box.copy_button.isEnabled()

    # The tables have one that is simulated, and one that is not.
    rows = window.session.study.snapshot().rows
    simulated = next(row for row in rows if row.state == "used")
    type_in(qtbot, window, dialog, simulated.smiles)
    assert {"simulated", "Measured", "MD", "Residual"} <= shown(dialog)
    assert dialog.box.answer is not None
    assert dialog.box.answer.standing.startswith(f"In the tables as {simulated.label}")
    dialog.box.show_row.click()
    assert window.selection.key == simulated.key
    measured = next(row for row in rows if row.state == "no MD value" and row.smiles)
    type_in(qtbot, window, dialog, measured.name)
    assert dialog.box.answer.smiles == measured.smiles
    assert {"predicted MD", "Measured", "MD, predicted", "Calibrated"} <= shown(dialog)
    assert "measured, but not simulated" in dialog.box.answer.standing

    # What cannot be described says why.
    type_in(qtbot, window, dialog, "*CC(*)[Fe]")
    assert "iron" in dialog.box.missing.text
    assert dialog.box.missing.accessibleName().startswith("Caution")
    assert not dialog.box.value.isVisible()

    # Another calibrator answers without learning anything again.
    type_in(qtbot, window, dialog, NEW)
    settings = window.session.study.state.settings
    window.session.change_settings(replace(settings, model="ordinary"))
    qtbot.waitUntil(
        lambda: dialog.box.answer is not None and dialog.box.answer.value != answer.value and window.is_at_rest
    )
    assert dialog.box.answer.value == pytest.approx(said_by_the_service(window, NEW).values[0], rel=1e-12)
    window.session.undo()
    qtbot.waitUntil(
        lambda: dialog.box.answer is not None and dialog.box.answer.value == answer.value and window.is_at_rest
    )
    window.ask_desk.apply_theme(DARK_THEME)

    # It stays open with another study, and says nothing of the one before.
    window.session.new_study()
    qtbot.waitUntil(lambda: dialog.box.answer is not None and bool(dialog.box.answer.missing) and window.is_at_rest)
    assert dialog.box.missing.text == "There is no calibration yet: load measured and MD values first."
    assert not dialog.box.value.isVisible()
    dialog.close_button.click()
    assert window.ask_desk.dialog is None


def test_what_drawing_programs_copy_is_pasted(qtbot: QtBot, window: MainWindow) -> None:
    dialog = box(window)
    drawn = QMimeData()
    drawn.setData("chemical/x-mdl-molfile", MOLFILE.encode())
    put_on_clipboard(drawn)
    qtbot.keyClick(dialog.box.field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: dialog.box.answer is not None and bool(dialog.box.answer.smiles))
    assert dialog.box.field.text == "*CC(*)C#N"
    assert dialog.box.answer is not None
    assert dialog.box.answer.content is not None
    assert "<svg" in dialog.box.answer.content.svg

    only_chemdraw = QMimeData()
    only_chemdraw.setData("chemical/x-cdx", b"VjCD0100")
    put_on_clipboard(only_chemdraw)
    dialog.box.paste_button.click()
    assert "choose Edit > Copy As > SMILES or MOL Text" in dialog.box.hint.text

    QGuiApplication.clipboard().setText("*CC(*)Cl\n")
    dialog.box.paste_button.click()
    assert dialog.box.field.text == "*CC(*)Cl"
    answered(qtbot, window, dialog, "*CC(*)Cl")
    dialog.close()
    again = box(window)  # it remembers what was asked
    answered(qtbot, window, again, "*CC(*)Cl")
    assert again.box.field.text == "*CC(*)Cl"
