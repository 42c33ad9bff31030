"""What nobody needs goes back, and what the program needs works on."""

import linecache
import sys
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.ui.memory import LARGE_BLOCK, give_back, keep_little_in_reserve


def test_the_text_of_modules_is_forgotten_and_read_again_when_it_is_wanted() -> None:
    assert linecache.getlines(__file__)
    assert __file__ in linecache.cache
    give_back()
    assert not linecache.cache
    assert linecache.getline(__file__, 1).startswith('"""What nobody needs')


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096


@pytest.mark.skipif(sys.platform != "linux", reason="told by Linux")
def test_large_blocks_go_back_when_they_are_freed() -> None:
    keep_little_in_reserve()
    give_back()
    kept = []
    before = _resident()
    for _ in range(20):
        blocks = [np.ones(LARGE_BLOCK // 4) for _ in range(5)]  # 2 MB each
        kept.append(np.ones(1000))  # lies behind them, where they came from the heap
        del blocks
    assert _resident() - before < 5e6
