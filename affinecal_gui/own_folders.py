"""The folders of this user in which the program keeps something of its own accord: log, caches, choices, unsaved work."""

import os
from pathlib import Path
from typing import Literal

_HOME = "USERPROFILE" if os.name == "nt" else "HOME"


def ensure_home() -> None:
    """Give an account without a home folder one in which nothing can be kept.

    Containers and clusters make up accounts that the system knows by a number alone. Python and its libraries refuse to
    name any folder of these; a folder that cannot be written to is nothing new to them, nor to this program.
    """
    try:
        Path.home()
    except RuntimeError:
        os.environ[_HOME] = os.devnull


def own_folder(kind: Literal["cache", "config", "data", "log"]) -> Path:
    """Return one of the program's folders, which need not be there.

    Parameters
    ----------
    kind
        What is kept in it, as ``platformdirs`` calls it.
    """
    import platformdirs  # the first window does without it

    ensure_home()
    return Path(getattr(platformdirs, f"user_{kind}_dir")("AffineCal", appauthor=False))
