"""Cells of a table are painted once and shown again, up to a number of bytes."""

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from affinecal_gui.ui.parts.cell_cache import KeptCells

CELL = QRect(4, 2, 10, 5)


class Painted:
    """A picture, and how often a cell had to be painted for it."""

    def __init__(self, cells: KeptCells, scale: float = 1.0) -> None:
        self.cells, self.scale, self.count = cells, scale, 0

    def show(self, colour: str, rect: QRect = CELL) -> QColor:
        """Show a cell of this content; return the colour in its middle."""
        image = QImage(40, 20, QImage.Format.Format_RGB32)
        image.fill(QColor("black"))
        painter = QPainter(image)
        if not self.cells.show(painter, rect, colour, self.scale):
            self.cells.paint(painter, rect, colour, self.scale, self._paint(colour))
        painter.end()
        assert image.pixelColor(0, 0) == QColor("black")
        return image.pixelColor(rect.center())

    def _paint(self, colour: str):  # type: ignore[no-untyped-def]
        def paint(painter: QPainter, rect: QRect) -> None:
            self.count += 1
            painter.fillRect(rect, QColor(colour))

        return paint


def test_the_same_content_is_painted_once(light: QApplication) -> None:
    painted = Painted(KeptCells())
    assert [painted.show("red"), painted.show("blue"), painted.show("red")] == [
        QColor("red"),
        QColor("blue"),
        QColor("red"),
    ]
    assert painted.count == 2


def test_another_size_or_resolution_is_another_picture(light: QApplication) -> None:
    cells = KeptCells()
    painted = Painted(cells)
    painted.show("red")
    painted.show("red", QRect(4, 2, 11, 5))
    fine = Painted(cells, scale=2.0)
    fine.show("red")
    assert (painted.count, fine.count) == (2, 1)


def test_other_colours_forget_all(light: QApplication) -> None:
    painted = Painted(KeptCells())
    painted.show("red")
    painted.cells.forget()
    assert painted.cells.kept_bytes == 0
    painted.show("red")
    assert painted.count == 2


def test_what_was_not_shown_for_longest_goes_first(light: QApplication) -> None:
    one = 10 * 5 * 4  # bytes of a cell
    painted = Painted(KeptCells(most_bytes=2 * one))
    painted.show("red")
    painted.show("blue")
    painted.show("red")
    painted.show("green")  # in the place of the blue one
    assert painted.cells.kept_bytes == 2 * one
    assert painted.count == 3
    painted.show("red")
    assert painted.count == 3
    painted.show("blue")
    assert painted.count == 4
