"""The program of a bundle is the interpreter of its own worker processes."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PARENT = """
import multiprocessing.resource_tracker, multiprocessing.spawn, os, sys
sys.frozen = True
multiprocessing.spawn.set_executable(sys.argv[1])
from affinecal_gui.fresh_process import FreshProcess
process = FreshProcess(target=os._exit, args=(7,))
process.start()
process.join()
print(process.exitcode)
lock = multiprocessing.get_context("spawn").Lock()  # the tracker looks after it
del lock
tracker = multiprocessing.resource_tracker._resource_tracker
print(tracker._check_alive())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script stands in for the program of the bundle")
def test_the_program_of_a_bundle_works_as_worker_and_as_tracker(tmp_path: Path) -> None:
    program = tmp_path / "program of a bundle"
    entry = ROOT / "packaging" / "bundling" / "entry.py"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{entry}" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-c", PARENT, program], capture_output=True, text=True, timeout=120, check=False, cwd=ROOT
    )
    assert (done.stdout, done.stderr) == ("7\nTrue\n", "")
