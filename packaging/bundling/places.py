"""Where a bundle is made and where it ends up, its version, and the time that everything in it bears."""

import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
WORK = ROOT / "build" / "bundle"
RESULTS = ROOT / "dist"
PINS = ROOT / "packaging" / "bundling" / "pins.txt"
DESKTOP = ROOT / "packaging" / "desktop"
ENVIRONMENT = "build/bundle/environment"
"""Relative to the checkout, as AFFINECAL_ENVIRONMENT wants it."""


def version() -> str:
    """Return the version of the program, of ``affinecal_gui/__init__.py``."""
    text = (ROOT / "affinecal_gui" / "__init__.py").read_text(encoding="utf-8")
    return re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)[1]  # type: ignore[index]


def epoch() -> int:
    """Return the seconds that stand for the time of the build: SOURCE_DATE_EPOCH, else when the last commit was made.

    Two builds of one commit bear the same times, and are the same bytes.
    """
    if said := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(said)
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    try:
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        told = ""  # an archive of the sources, not a checkout
    return int(told) if told else 1_767_225_600
