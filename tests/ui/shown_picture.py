"""What a screen shows of a window, compared with a fresh picture of it."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QWidget

from affinecal_gui.ui.running.paint_turns import paint_turns

UNLIKE = 24  # of 255: a pixel whose colour differs by more is another one; glyphs differ by less between two paintings
ALLOWED = 60  # pixels of a whole window: a blinking cursor


def stale_pixels(window: QWidget) -> str:
    """Say where the screen shows anything else than a fresh picture of the window; "" where it does not.

    What lies beyond the edge of the screen is not compared, and no other window may lie above this one.
    """
    screen, ratio = window.screen(), window.devicePixelRatioF()
    shown = _pixels(screen.grabWindow(window.winId()))
    with paint_turns().unhurried():
        fresh = _pixels(window.grab())
    seen = screen.geometry().intersected(window.geometry()).translated(-window.geometry().topLeft())
    part = tuple(
        slice(max(0, round(ratio * low)), round(ratio * (high + 1)))
        for low, high in ((seen.top(), seen.bottom()), (seen.left(), seen.right()))
    )
    if shown.shape != fresh.shape:
        return f"the screen shows {shown.shape}, the window has {fresh.shape}"
    other = (np.abs(shown[part].astype(int) - fresh[part]).max(axis=2) > UNLIKE).nonzero()
    if other[0].size <= ALLOWED:
        return ""
    where = f"{other[1].min()}..{other[1].max()} x {other[0].min()}..{other[0].max()}"
    return f"{other[0].size} pixels at {where} are not what a fresh picture shows"


def _pixels(picture: QPixmap) -> NDArray[np.uint8]:
    image = picture.toImage().convertToFormat(QImage.Format.Format_RGB32)
    flat = np.frombuffer(image.constBits(), dtype=np.uint8)
    return flat.reshape(image.height(), image.bytesPerLine() // 4, 4)[:, : image.width(), :3].copy()
