"""Walking over bars and blocks of coefficients with the arrow keys."""

from collections.abc import Mapping

from PySide6.QtCore import Qt

STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
"""By how many blocks, or else bars, each key goes on."""


def next_bar(sizes: Mapping[str, int], current: tuple[str, int] | None, step: tuple[int, int]) -> tuple[str, int]:
    """Return name of the block and number of the bar after a step.

    Parameters
    ----------
    sizes
        How many bars each block shown has, in the order shown; at least one block.
    current
        Where the walk is; None or a block that is not shown is before the first bar.
    step
        One of :data:`STEPS`.
    """
    names = list(sizes)
    name, bar = current if current is not None and current[0] in sizes else (names[0], -1)
    where = names.index(name)
    blocks, bars = step
    if blocks:
        where = max(0, min(len(names) - 1, where + blocks))
    else:
        bar += bars
        if bar >= sizes[names[where]] and where + 1 < len(names):
            where, bar = where + 1, 0
        elif bar < 0 and where > 0:
            where -= 1
            bar = sizes[names[where]] - 1
    return names[where], max(0, min(bar, sizes[names[where]] - 1))
