"""Pictures of table cells, painted once and shown again while their content is the same.

Most of what a table repaints has not changed: a window that changes its size, a row that is selected, a value that moved in
another row. Laying out the text of every cell again would take longer than all the rest of the painting.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QPixmap

MOST_BYTES = 16_000_000  # of pixels; some screens full of cells at the finest resolution


class KeptCells:
    """The pictures shown last, up to a number of bytes."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._pictures: OrderedDict[Hashable, QPixmap] = OrderedDict()

    @property
    def kept_bytes(self) -> int:
        """Size of all pictures."""
        return self._bytes

    def forget(self) -> None:
        """Keep nothing: colours or fonts have changed."""
        self._pictures.clear()
        self._bytes = 0

    def show(self, painter: QPainter, rect: QRect, content: Hashable, device_pixel_ratio: float) -> bool:
        """Paint a cell from its picture; return whether there was one.

        Parameters
        ----------
        painter, rect
            Where the cell is painted.
        content
            Everything the picture depends on but its size and resolution.
        device_pixel_ratio
            Of the screen.
        """
        key = (content, rect.width(), rect.height(), device_pixel_ratio)
        known = self._pictures.get(key)
        if known is None:
            return False
        self._pictures.move_to_end(key)
        painter.drawPixmap(rect.topLeft(), known)
        return True

    def paint(
        self,
        painter: QPainter,
        rect: QRect,
        content: Hashable,
        device_pixel_ratio: float,
        paint: Callable[[QPainter, QRect], None],
    ) -> None:
        """Paint a cell with ``paint``, which is given a painter and the rectangle to fill, and keep the picture."""
        picture = QPixmap((rect.size().toSizeF() * device_pixel_ratio).toSize())
        picture.setDevicePixelRatio(device_pixel_ratio)
        picture.fill(Qt.GlobalColor.white)  # opaque: cells are painted over all of it
        inside = QPainter(picture)
        inside.setFont(painter.font())
        paint(inside, QRect(QPoint(0, 0), rect.size()))
        inside.end()
        self._pictures[content, rect.width(), rect.height(), device_pixel_ratio] = picture
        self._bytes += _bytes(picture)
        while self._bytes > self._most_bytes and len(self._pictures) > 1:
            _, oldest = self._pictures.popitem(last=False)
            self._bytes -= _bytes(oldest)
        painter.drawPixmap(rect.topLeft(), picture)


def _bytes(picture: QPixmap) -> int:
    return picture.width() * picture.height() * picture.depth() // 8
