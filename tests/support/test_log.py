"""The log: what is told before it is started is in it, and it is started once."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from affinecal_gui import __version__
from affinecal_gui.support.log import written_log

STORY = """
import logging
from affinecal_gui.support.log import keep_for_log, log_folder, start_log
keep_for_log()
logging.getLogger("affinecal_gui.early").warning("told before")
start_log()
start_log()
logging.getLogger("affinecal_gui.late").warning("told after")
print(log_folder())
"""


def test_what_is_told_before_the_log_is_started_stands_in_it_once(tmp_path: Path) -> None:
    environment = os.environ | {name: str(tmp_path) for name in ("HOME", "XDG_STATE_HOME", "LOCALAPPDATA")}
    done = subprocess.run(
        [sys.executable, "-c", STORY], env=environment, capture_output=True, text=True, timeout=100, check=True
    )
    assert done.stderr == ""
    lines = (Path(done.stdout.strip()) / "affinecal.log").read_text(encoding="utf-8").splitlines()
    assert [line.split(" ", 3)[3].split(" on ")[0] for line in lines] == [
        f"affinecal_gui.support.log: AffineCal {__version__}",
        "affinecal_gui.early: told before",
        "affinecal_gui.late: told after",
    ]


FULL = """
import errno, io, logging
from affinecal_gui.support.log import start_log
start_log()

class Full(io.StringIO):
    def write(self, text):
        raise OSError(errno.ENOSPC, "No space left on device")

for handler in logging.getLogger().handlers:
    handler.stream = Full()
logging.getLogger("affinecal_gui").warning("cannot be written")
"""


def test_a_disk_without_room_for_the_log_is_not_told_to_the_terminal(tmp_path: Path) -> None:
    environment = os.environ | {name: str(tmp_path) for name in ("HOME", "XDG_STATE_HOME", "LOCALAPPDATA")}
    done = subprocess.run(
        [sys.executable, "-c", FULL], env=environment, capture_output=True, text=True, timeout=100, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


FAULT = """
import sys
from affinecal_gui import cli

def fail(options, task):
    raise ZeroDivisionError("of this test")

class Options:
    quiet, command = True, staticmethod(fail)

cli.parsed = lambda parser, words: Options
sys.exit(cli.run_command(["fit"]))
"""


@pytest.mark.parametrize("can_be_written", [True, False])
def test_a_fault_of_a_command_is_in_the_log_that_it_names_and_without_one_on_the_terminal(
    can_be_written: bool, tmp_path: Path
) -> None:
    home = str(tmp_path) if can_be_written else os.devnull
    environment = os.environ | dict.fromkeys(("HOME", "XDG_STATE_HOME", "LOCALAPPDATA"), home)
    done = subprocess.run(
        [sys.executable, "-c", FAULT], env=environment, capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 1
    if can_be_written:
        log = Path(done.stderr.rpartition("last lines of ")[2].strip().removesuffix("."))
        assert "ZeroDivisionError: of this test" in log.read_text(encoding="utf-8")
    else:
        assert "last lines of" not in done.stderr
        assert done.stderr.rstrip().endswith("ZeroDivisionError: of this test")


def test_a_log_that_cannot_be_written_is_not_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("HOME", "XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, os.devnull)
    if sys.platform.startswith("linux"):
        assert written_log() is None
