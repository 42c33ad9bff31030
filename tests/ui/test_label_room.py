"""No text of the window is cut, in any size, theme and scale that it is made for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.label_room import cut_anywhere
from tests.ui.shared_window import SharedWindow

PROGRAM = Path(__file__).with_name("label_room.py")


def test_every_text_has_the_room_it_needs(
    qapp: QApplication, qtbot: QtBot, shared_window: SharedWindow, saved_result: Path
) -> None:
    window = shared_window.lend(None, saved_result)
    assert cut_anywhere(qapp, window, shared_window.themes) == []
    shared_window.take_back()


@pytest.mark.parametrize("scale", ["1.5", "2"])
def test_every_text_has_the_room_it_needs_on_a_screen_with_small_pixels(saved_result: Path, scale: str) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale}
    command = [sys.executable, str(PROGRAM), str(saved_result)]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=280)
    assert ended.returncode == 0, ended.stdout + ended.stderr
