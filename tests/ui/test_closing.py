"""The program ends when it is told to, whatever it is doing: status 0, nothing said, nothing left behind."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from affinecal_gui.study.stored.recovery import find_recoverable
from affinecal_gui.study.stored.study_file import open_study

OF_NO_SCREEN = "This plugin does not support "  # said by Qt's platform without a screen
HOMES = ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")


def end(job: str, how: str, folder: Path) -> None:
    """Let the program end in the middle of a job, and look at its last words."""
    program = [sys.executable, "-W", "error", str(Path(__file__).parent / "close_during.py"), job, how, str(folder)]
    environment = os.environ | {name: str(folder / name.lower()) for name in HOMES} | {"TMPDIR": str(folder)}
    done = subprocess.run(program, env=environment, capture_output=True, text=True, timeout=250, check=False)
    said = [line for line in done.stderr.splitlines() if not line.startswith(OF_NO_SCREEN)]
    assert (done.returncode, said) == (0, []), done.stderr
    assert "ends" in done.stdout
    log = folder / "xdg_state_home" / "AffineCal" / "log" / "affinecal.log"
    if log.exists():
        assert "Traceback" not in log.read_text(encoding="utf-8")
    assert not [path for path in folder.rglob("*") if path.name.endswith(".part")], "half a file was left"


@pytest.mark.parametrize(
    "job",
    ["start", "load", "describe", "figure_preview", "save"],
)
def test_closing_the_window_during_a_job(job: str, tmp_path: Path) -> None:
    """Those that stop in ways of their own; every kind of job: ``python -m tests.benchmarks.closing_times``."""
    end(job, "close", tmp_path)
    assert find_recoverable(tmp_path / "xdg_data_home" / "AffineCal" / "recovery") == ()
    if job == "save":
        assert not (tmp_path / "large.affinecal").exists() or open_study(tmp_path / "large.affinecal").state.tables


@pytest.mark.parametrize(("job", "how"), [("fit", "SIGINT"), ("start", "quit")])
def test_being_told_to_end_by_the_system(job: str, how: str, tmp_path: Path) -> None:
    end(job, how, tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="the system sends no such signal")
def test_what_is_not_saved_when_the_system_ends_the_program_is_offered_at_the_next_start(tmp_path: Path) -> None:
    end("autosave", "SIGTERM", tmp_path)
    (kept,) = find_recoverable(tmp_path / "xdg_data_home" / "AffineCal" / "recovery")
    assert [len(loaded.table) for loaded in open_study(kept.path).state.tables] == [20_000]
    kept.discard()


def test_the_end_of_the_display_ends_the_program_at_once() -> None:
    """Qt would call ``exit``, under threads that still work."""
    script = (
        "import logging\n"
        "from PySide6.QtCore import QCoreApplication, QThread, qCritical, qWarning\n"
        "app = QCoreApplication([])\n"
        "logging.getLogger().addHandler(logging.NullHandler())\n"
        "from affinecal_gui.ui.running.lost_display import end_with_display\n"
        "end_with_display()\n"
        "qCritical('something else')\n"
        "thread = QThread()\n"
        "thread.start()\n"
        "qWarning('The X11 connection broke (error 1). Did the X11 server die?')\n"
        "print('still there')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == ["something else", "The X11 connection broke (error 1). Did the X11 server die?"]
