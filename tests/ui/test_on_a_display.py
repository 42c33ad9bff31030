"""What a screen shows is what the window would paint anew, and a real mouse does no more than it should."""

import subprocess
import sys
from pathlib import Path

import display_in_memory
import pytest
from shown_windows import ShownWindows

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(not display_in_memory.is_there(), reason=display_in_memory.MISSING)
def test_the_screen_shows_what_a_fresh_picture_shows(saved_result: Path) -> None:
    with display_in_memory.display_in_memory() as environment:
        ended = subprocess.run(
            [sys.executable, "-m", "tests.ui.display_tour", str(saved_result)],
            cwd=REPOSITORY,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=280,
        )
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.skipif(not display_in_memory.is_there(), reason=display_in_memory.MISSING)
def test_a_screen_in_memory_takes_the_next_program_as_soon_as_the_last_one_has_left() -> None:
    with display_in_memory.display_in_memory() as environment:
        for _ in range(100):
            with ShownWindows(environment["DISPLAY"]) as screen:
                assert screen.sizes() == []
