"""What the bundled program starts with, in the window's process and in each of its worker processes."""

import sys

from affinecal_gui.__main__ import main

TRACKER = "from multiprocessing.resource_tracker import main;main("
"""How Python's ``multiprocessing`` begins what an interpreter shall run that looks after its workers' resources."""


def work_for_another() -> None:
    """Do as ``multiprocessing`` wants it, and end, where it started this process; it takes the program for an interpreter.

    PyInstaller's own way imports ``multiprocessing`` and a dozen modules that it rests on at every start, for the window
    and for commands that have no workers.
    """
    words = sys.argv[1:]
    if words[:1] == ["--multiprocessing-fork"]:
        from multiprocessing.spawn import freeze_support

        freeze_support()
    elif len(words) > 1 and words[-2] == "-c" and words[-1].startswith(TRACKER):
        from multiprocessing.resource_tracker import main as track

        track(int(words[-1].removeprefix(TRACKER).removesuffix(")")))
        raise SystemExit


if __name__ == "__main__":
    work_for_another()
    raise SystemExit(main())
