"""What worker processes are given to do in tests: importable, as everything they do must be."""

import os
import signal
import time
from pathlib import Path


def doubled(item: object) -> object:
    """Do as the item says, or return it twice."""
    if item == "die":
        os._exit(7)
    if item == "spin":
        while True:
            pass
    if item == "sleep":
        time.sleep(600)
    if isinstance(item, tuple) and item[0] == "die once":
        if not Path(item[1]).exists():
            Path(item[1]).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return item[0]
    if item == "process":
        time.sleep(0.02)
        return os.getpid()
    return (item, item)
