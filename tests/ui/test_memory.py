"""What nobody needs goes back, and what the program needs works on."""

import linecache
import subprocess
import sys

import pytest

from affinecal_gui.ui.running.memory import give_back


def test_the_text_of_modules_is_forgotten_and_read_again_when_it_is_wanted() -> None:
    assert linecache.getlines(__file__)
    assert __file__ in linecache.cache
    give_back()
    assert not linecache.cache
    assert linecache.getline(__file__, 1).startswith('"""What nobody needs')


GROWS_BY = """
from pathlib import Path
import numpy as np
from affinecal_gui.ui.running.memory import LARGE_BLOCK, give_back, keep_little_in_reserve

def resident():
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096

keep_little_in_reserve()
give_back()
kept = []
before = resident()
for _ in range(20):
    blocks = [np.ones(LARGE_BLOCK // 4) for _ in range(5)]  # 2 MB each
    kept.append(np.ones(1000))  # lies behind them, where they came from the heap
    del blocks
print(resident() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="told by Linux")
def test_large_blocks_go_back_when_they_are_freed() -> None:
    # In a process of its own: what other tests left in the heap of this one would be counted too.
    done = subprocess.run([sys.executable, "-c", GROWS_BY], capture_output=True, text=True, timeout=100, check=True)
    assert int(done.stdout) < 5e6
