"""What worker processes are given to do in tests: importable, as everything they do must be."""

import hashlib
import os
import signal
import threading
from pathlib import Path


def doubled(item: object) -> object:
    """Do as the item says, or return it twice."""
    if item == "die":
        os._exit(7)
    if item == "spin":
        while True:
            pass
    if item == "sleep":
        threading.Event().wait()  # which nobody sets
    if isinstance(item, tuple) and item[0] == "die once":
        if not Path(item[1]).exists():
            Path(item[1]).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return item[0]
    if item == "process":
        hashlib.pbkdf2_hmac("sha256", b"", b"", 20_000)  # some milliseconds of work
        return os.getpid()
    if isinstance(item, tuple) and item[0] == "meet":
        _, place, way = item
        os.close(os.open(place, way))  # a named pipe, which another process opens at its other end
        os.write(1, f"{os.getpid()}\n".encode())
    return (item, item)
