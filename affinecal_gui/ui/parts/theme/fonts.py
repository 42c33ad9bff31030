"""The interface font, which is bundled, and its sizes."""

import sys
from functools import cache

from PySide6.QtCore import QByteArray
from PySide6.QtGui import QFont, QFontDatabase, QGuiApplication

from affinecal_gui.bundled import resources

BODY_SIZE = 12.0
NOTE_SIZE = 11.0
SMALLEST_SIZE = 10.5
VIEW_TITLE_SIZE = 13.0
"""Sizes of type in logical pixels; Qt multiplies them by the scale factor of the screen."""

FIRST_FACES = ("Regular", "SemiBold", "Italic")
LATER_FACES = ("SemiBoldItalic",)

HINTING = QFont.HintingPreference.PreferVerticalHinting
"""How glyphs are fitted to pixels on Linux, where each desktop sets that in its own way, and the width of a text with it."""


def interface_font(size: float = BODY_SIZE, bold: bool = False, italic: bool = False) -> QFont:
    """Return the interface font at a size in logical pixels, figures all of one width."""
    return QFont(_font(float(size), bold, italic))  # a copy: QFont is mutable


@cache
def _font(size: float, bold: bool, italic: bool) -> QFont:
    font = QFont(_family())
    if bold and italic:
        load_whole_family()
    # Whole pixels where they are whole; a point size carries the halves, because pixel sizes are integers.
    if size.is_integer():
        font.setPixelSize(int(size))
    else:
        font.setPointSizeF(points(size))
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    font.setItalic(italic)
    font.setFeature(QFont.Tag("tnum"), 1)
    if sys.platform.startswith("linux"):
        font.setHintingPreference(HINTING)
    return font


def points(pixels: float) -> float:
    """Return a size in logical pixels as one in points on the first screen."""
    dots_per_inch = QGuiApplication.primaryScreen().logicalDotsPerInch() if QGuiApplication.screens() else 96.0
    return pixels * 72.0 / dots_per_inch


def load_whole_family() -> None:
    """Load the faces that the first window does without, before a text wants one: Qt would slant another."""
    _loaded(*LATER_FACES)


@cache
def _family() -> str:
    """Return the family of the interface font, which is bundled: a text has the same width on every system.

    The system's own stands in where Qt cannot read the files.
    """
    loaded = _loaded(*FIRST_FACES)
    families = {family for number in loaded if number >= 0 for family in QFontDatabase.applicationFontFamilies(number)}
    return min(families) if families else QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family()


@cache
def _loaded(*faces: str) -> tuple[int, ...]:
    folder = resources() / "fonts" / "interface"
    files = [folder / f"Inter-{face}.otf" for face in faces]
    return tuple(
        QFontDatabase.addApplicationFontFromData(QByteArray(file.read_bytes())) for file in files if file.is_file()
    )
