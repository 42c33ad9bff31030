"""No text of the window is cut, in any size, theme and scale that it is made for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("label_room.py")


@pytest.mark.parametrize("scale", ["1", "1.5", "2"])
def test_every_text_has_the_room_it_needs(saved_result: Path, scale: str) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale}
    command = [sys.executable, str(PROGRAM), str(saved_result)]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=280)
    assert ended.returncode == 0, ended.stdout + ended.stderr
