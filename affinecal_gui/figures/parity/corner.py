"""Finding room for a small text in a panel of a parity plot: a corner where nothing lies."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

Corner = Literal["upper left", "lower right", "upper right", "lower left"]

CORNERS: tuple[Corner, ...] = ("upper left", "lower right", "upper right", "lower left")
INSET = 1.3  # mm between the frame and the text


@dataclass(frozen=True, slots=True)
class Rectangle:
    """In mm from the lower left corner of the panel."""

    left: float
    bottom: float
    right: float
    top: float

    def grown(self, by: float) -> "Rectangle":
        """Return the rectangle with a margin of ``by`` mm."""
        return Rectangle(self.left - by, self.bottom - by, self.right + by, self.top + by)


@dataclass(frozen=True, slots=True)
class Obstacles:
    """Everything drawn in a panel, in mm from its lower left corner."""

    x: FloatArray  # (n,) points
    y: FloatArray
    radius: float  # of a point
    bar_x: FloatArray  # (b,) vertical bars
    bar_low: FloatArray
    bar_high: FloatArray
    identity: float  # the line y = x + identity
    band: float  # half height of the band around it


def place(corner: Corner, width: float, height: float, panel_width: float, panel_height: float) -> Rectangle:
    """Put a text of this size into a corner."""
    left = INSET if "left" in corner else panel_width - INSET - width
    bottom = INSET if "lower" in corner else panel_height - INSET - height
    return Rectangle(left, bottom, left + width, bottom + height)


def is_free(place: Rectangle, obstacles: Obstacles, *, strictness: int) -> bool:
    """Whether no point and no line of identity lies in ``place``; at strictness 1 also no bar, at 2 also no band."""
    area = place.grown(obstacles.radius + 0.4)
    x, y = obstacles.x, obstacles.y
    if np.any((x > area.left) & (x < area.right) & (y > area.bottom) & (y < area.top)):
        return False
    area = place.grown(0.4)
    half = obstacles.band if strictness >= 2 else 0.0
    # A rising line meets a rectangle unless it passes above its upper left or below its lower right corner.
    above = area.left + obstacles.identity - half > area.top
    below = area.right + obstacles.identity + half < area.bottom
    if not (above or below):
        return False
    return strictness < 1 or bars_behind(place, obstacles) == 0


def bars_behind(place: Rectangle, obstacles: Obstacles) -> int:
    """Return how many bars pass through ``place``."""
    area = place.grown(0.4)
    x, low, high = obstacles.bar_x, obstacles.bar_low, obstacles.bar_high
    return int(np.sum((x > area.left) & (x < area.right) & (high > area.bottom) & (low < area.top)))


def free_corner(
    width: float, height: float, panel_width: float, panel_height: float, obstacles: Obstacles, *, strictness: int
) -> Corner | None:
    """Return the free corner for a text of this size behind which the fewest bars pass, or None."""
    free: list[tuple[int, int, Corner]] = []
    for number, corner in enumerate(CORNERS):
        rectangle = place(corner, width, height, panel_width, panel_height)
        if is_free(rectangle, obstacles, strictness=strictness):
            free.append((bars_behind(rectangle, obstacles), number, corner))
    return min(free)[2] if free else None
