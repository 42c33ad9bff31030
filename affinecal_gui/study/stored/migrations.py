"""Study files of older formats -> the present one, step by step.

A step changes the JSON documents of a file as they were read; the CSV members are described by them and stay as they are.
To change the format: raise :data:`FORMAT_VERSION`, write the step from the version before, and keep a file of that
version in ``tests/data/studies``.
"""

from collections.abc import Callable, Mapping
from typing import Any

FORMAT_VERSION = 1

Documents = dict[str, dict[str, Any]]
"""The JSON members of a study file by name: ``manifest.json``, ``settings.json``, ``tables/t1.json`` ..."""

Step = Callable[[Documents], None]

STEPS: Mapping[int, Step] = {}
"""By version: the step to the next one, made in place."""


def migrate(documents: Documents, version: int) -> None:
    """Bring the documents of a file of this version to the present format."""
    for step in range(version, FORMAT_VERSION):
        STEPS[step](documents)
