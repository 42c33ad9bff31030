"""The program ends at once, after what was registered for its end, with the status it was told."""

import subprocess
import sys

import pytest

SCRIPT = """
import atexit, threading, time
from affinecal_gui.ending import end_program
atexit.register(print, "registered")
threading.Thread(target=time.sleep, args=(300,)).start()
print("said", end="\\n")
end_program(3{})
"""


@pytest.mark.parametrize(("how", "registered"), [("", "registered\n"), (", work_goes_on=True", "")])
def test_the_end_waits_for_no_thread(how: str, registered: str) -> None:
    script = SCRIPT.replace("{}", how)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (3, f"said\n{registered}", "")
