"""The look of all figures: colours, sizes, and the settings that make a file the same every time it is written."""

import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from threading import RLock
from typing import Any

import matplotlib
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from affinecal_gui.calibration.calibrators.registry import find
from affinecal_gui.calibration.names import calibrator_title
from affinecal_gui.figures.fonts import FAMILY, can_draw, families, in_typeface

MM = 1 / 25.4  # inches per millimetre
POINT = 25.4 / 72  # millimetres per typographic point

# Okabe-Ito hues, darkened where thin marks need the contrast: told apart with any colour vision, in grey by markers.
TEXT = "#1B1F23"
MUTED = "#58616A"
FRAME = "#7A838B"
GRID = "#ECEEF0"
IDENTITY = "#3C444B"
TOLERANCE = "#E9ECEE"
TOLERANCE_EDGE = "#A9B0B6"
SELECTED = "#D55E00"
BAR = "#0072B2"
BAR_BAND = "#CFE2EF"
LOWERS = "#4AA3D8"
AVERAGE = "#E6E8EA"
RAISES = "#E8834A"
SURFACE = ("#00507E", "#0E6A9F", "#4B93BF", "#93BDD8", "#CFE0EB", "#F3F6F8")  # best to worst

BODY = 7.0  # points: axis labels
SMALL = 6.5  # ticks, numbers
NOTE = 6.0  # notes and keys; nothing is smaller
TITLE = 7.5  # panel titles, bold


Marker = str | tuple[int, int, float]
"""A mark of matplotlib: a letter, or corners, kind and angle of a regular one."""


@dataclass(frozen=True, slots=True)
class Look:
    """How one calibrator is named and drawn everywhere."""

    title: str
    colour: str
    marker: Marker


_LOOKS: dict[str, tuple[str, Marker]] = {
    "grey": ("#6B747C", "s"),
    "ochre": ("#B97900", "^"),
    "green": ("#00805E", "D"),
    "blue": ("#0072B2", "o"),
    "brown": ("#8A5A00", "<"),
    "olive": ("#4D5D2A", "p"),
    "violet": ("#A0478A", "v"),
    "sky": ("#2B8CBE", "P"),
    "red": ("#B03A2E", "X"),
    "sage": ("#5B8E7D", "d"),
    "indigo": ("#33558B", "h"),
    "teal": ("#007A87", ">"),
    "rose": ("#C2528B", "*"),
    "lime": ("#6B8E00", (4, 1, 0)),
    "copper": ("#A8581C", (3, 1, 0)),
    "moss": ("#3E7A3A", "8"),
    "navy": ("#1F4E9C", (6, 1, 0)),
}
"""Colour and marker by the colour role of a calibrator."""


def mark_of_role(role: str) -> tuple[str, Marker]:
    """Return the colour and the mark of a role of the palette."""
    return _LOOKS[role]


_FURTHER = (("#A0478A", "v"), ("#8A5A00", "P"), ("#2B8CBE", "X"), ("#B03A2E", "<"), ("#4D5D2A", ">"), ("#444444", "h"))


def look(model: str, *, log: bool = True) -> Look:
    """Return how ``model`` is drawn; a calibrator not known here gets a look of its own, always the same.

    ``log``: it was fitted on logarithms; on a linear scale a difference is called only that.
    """
    known = find(model)
    further = _FURTHER[sum(model.encode()) % len(_FURTHER)]
    if known is not None:
        return Look(calibrator_title(model, log_scale=log), *_LOOKS.get(known.role, further))
    colour, marker = further
    return Look(plain(model.replace("_", " ")).capitalize(), colour, marker)


def tint(colour: str, share: float) -> str:
    """Mix ``share`` of ``colour`` with white, as an opaque colour (transparency is not allowed by every journal)."""
    channels = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(255 - share * (255 - channel)):02X}" for channel in channels)


def plain(text: str) -> str:
    """Return ``text`` on one line, without control characters, with □ for what no typeface here can draw."""
    line = "".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c for c in text)
    line = re.sub(" +", " ", line).strip(" ")
    return "".join(c if c in " \u00a0\u2009\u202f" or can_draw(c) else "□" for c in line)


def escaped(text: str) -> str:
    """Return ``text``, cleaned, for a string that may hold mathematics: its dollar signs are only dollar signs."""
    return plain(text).replace("$", r"\$")


def mathematics(text: str, *, otherwise: str | None = None) -> str:
    """Return ``text`` if its mathematics can be drawn; else ``otherwise``, or ``text``, character by character."""
    if "$" not in text:
        return plain(text)
    instead = escaped(text if otherwise is None else otherwise)
    if not all(in_typeface(character) for character in text):
        return instead
    return text if _is_mathematics(text) else instead


@lru_cache(maxsize=1000)
def _is_mathematics(text: str) -> bool:
    """Whether matplotlib can set ``text``; reading a formula takes it milliseconds, and a figure repeats its few symbols."""
    with journal_style():
        try:
            text_to_path.get_text_width_height_descent(text, FontProperties(), True)  # kept for whoever measures it
        except (ValueError, RuntimeError):
            return False
    return True


# The settings and font caches of matplotlib belong to the whole process: figures are drawn one at a time.
_RESOURCE = RLock()


@contextmanager
def journal_style() -> Iterator[None]:
    """Draw and save with our settings only, whatever the user's matplotlib is set to.

    Both building a figure and writing it must happen inside. The settings of other code are restored afterwards.
    """
    with _RESOURCE, matplotlib.rc_context():
        # Setting the backend would make matplotlib look for a window system.
        matplotlib.rcParams.update({k: v for k, v in matplotlib.rcParamsDefault.items() if not k.startswith("backend")})
        matplotlib.rcParams.update(_settings())
        yield


def _settings() -> dict[Any, Any]:
    return {
        "font.family": list(families()),
        "font.size": BODY,
        "mathtext.fontset": "custom",
        "mathtext.rm": FAMILY,
        "mathtext.it": f"{FAMILY}:italic",
        "mathtext.bf": f"{FAMILY}:bold",
        "mathtext.bfit": f"{FAMILY}:bold:italic",
        "mathtext.sf": FAMILY,
        "mathtext.cal": f"{FAMILY}:italic",
        "mathtext.tt": "DejaVu Sans Mono",
        "mathtext.fallback": "stixsans",
        "text.color": TEXT,
        "text.hinting": "none",  # positions do not depend on the resolution
        "axes.unicode_minus": True,
        "axes.edgecolor": FRAME,
        "axes.labelcolor": TEXT,
        "axes.linewidth": 0.5,
        "axes.axisbelow": True,
        "lines.linewidth": 0.8,
        "patch.linewidth": 0.4,
        "hatch.linewidth": 0.4,
        "figure.facecolor": "white",
        "axes.facecolor": "white",
        "savefig.facecolor": "white",
        # TrueType outlines inside the PDF: text stays text, can be searched, and is accepted by submission systems.
        "pdf.fonttype": 42,
        "ps.fonttype": 42,
        # Outlines in the SVG: where the typeface is not installed a text would be set in another one.
        "svg.fonttype": "path",
        # The same figure gives the same file, byte for byte.
        "svg.hashsalt": "affinecal",
    }
