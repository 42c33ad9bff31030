"""What a screen shows of a window, compared with a fresh picture of it."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QWidget

from affinecal_gui.ui.running.paint_turns import paint_turns

UNLIKE = 24  # of 255: a pixel whose colour differs by more is another one; glyphs differ by less between two paintings
ALLOWED = 60  # pixels of a whole window: a blinking cursor


def stale_pixels(window: QWidget, above: Sequence[QWidget] = (), kept: Path | None = None) -> str:
    """Say where the screen shows anything else than a fresh picture of the window; "" where it does not.

    What lies beyond the edge of the screen is not compared, nor what windows ``above`` may cover; no other may. Both
    pictures of a window that is shown wrongly are saved in the folder ``kept``.
    """
    screen, ratio = window.screen(), window.devicePixelRatioF()
    on_screen = screen.grabWindow(window.winId())
    with paint_turns().unhurried():
        anew = window.grab()
    shown, fresh = _pixels(on_screen), _pixels(anew)
    if shown.shape != fresh.shape:
        return f"the screen shows {shown.shape}, the window has {fresh.shape}"
    origin = window.geometry().topLeft()
    unlike = np.abs(shown.astype(int) - fresh).max(axis=2) > UNLIKE
    for other_window in above:
        unlike[_slices(other_window.frameGeometry().translated(-origin), ratio)] = False
    part = _slices(screen.geometry().intersected(window.geometry()).translated(-origin), ratio)
    other = unlike[part].nonzero()
    if other[0].size <= ALLOWED:
        return ""
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        number = len(list(kept.glob("*.png"))) // 2 + 1
        on_screen.save(str(kept / f"{number:03}_shown.png"))
        anew.save(str(kept / f"{number:03}_fresh.png"))
    where = f"{other[1].min()}..{other[1].max()} x {other[0].min()}..{other[0].max()}"
    return f"{other[0].size} pixels at {where} are not what a fresh picture shows"


def _slices(rect: QRect, ratio: float) -> tuple[slice, ...]:
    """Return the rows and the columns of pixels that a rectangle of a window covers."""
    return tuple(
        slice(max(0, round(ratio * low)), max(0, round(ratio * (high + 1))))
        for low, high in ((rect.top(), rect.bottom()), (rect.left(), rect.right()))
    )


def _pixels(picture: QPixmap) -> NDArray[np.uint8]:
    image = picture.toImage().convertToFormat(QImage.Format.Format_RGB32)
    flat = np.frombuffer(image.constBits(), dtype=np.uint8)
    return flat.reshape(image.height(), image.bytesPerLine() // 4, 4)[:, : image.width(), :3].copy()
