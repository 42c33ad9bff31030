"""The log: what is told before it is started is in it, and it is started once."""

import os
import subprocess
import sys
from pathlib import Path

from affinecal_gui import __version__

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
