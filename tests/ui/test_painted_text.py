"""Lowered and raised letters in painted text."""

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from affinecal_gui.ui.parts.painted_text import draw_rich_text, pieces_of, plain_text, rich_text_width
from affinecal_gui.ui.parts.theme.fonts import interface_font


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("ln <i>C</i><sub>p</sub>", "ln Cp"),
        ("a &lt; b &amp; c", "a < b & c"),
        ("no tags", "no tags"),
        ("<i>left open", "left open"),
        ("closed</i> twice</i>", "closed twice"),
        ("", ""),
    ],
)
def test_plain_text(text: str, plain: str) -> None:
    assert plain_text(text) == plain


def test_tags_apply_to_what_they_enclose() -> None:
    assert pieces_of("<i>C</i><sub>p</sub> x") == (
        ("C", frozenset({"i"})),
        ("p", frozenset({"sub"})),
        (" x", frozenset()),
    )


def ink(text: str, width: int, alignment: Qt.AlignmentFlag) -> tuple[int, int]:
    """First and last column with ink."""
    image = QImage(200, 20, QImage.Format.Format_ARGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    draw_rich_text(painter, QRectF(0, 0, width, 20), text, interface_font(), QColor("black"), alignment)
    painter.end()
    columns = [x for x in range(200) if any(image.pixelColor(x, y).lightness() < 160 for y in range(20))]
    return columns[0], columns[-1]


def test_a_lowered_letter_is_smaller_than_a_plain_one(light: QApplication) -> None:
    font = interface_font()
    assert rich_text_width("C<sub>p</sub>", font) < rich_text_width("Cp", font)


def test_text_keeps_to_its_side(light: QApplication) -> None:
    left, _ = ink("H<sub>2</sub>", 200, Qt.AlignmentFlag.AlignLeft)
    _, right = ink("H<sub>2</sub>", 200, Qt.AlignmentFlag.AlignRight)
    start, end = ink("H<sub>2</sub>", 200, Qt.AlignmentFlag.AlignHCenter)
    assert left <= 2
    assert right >= 196
    assert abs((start + end) / 2 - 99.5) <= 1.5


def test_what_does_not_fit_is_cut_inside_the_room(light: QApplication) -> None:
    _, right = ink("a long text that does not fit <i>C</i><sub>p</sub>", 60, Qt.AlignmentFlag.AlignLeft)
    assert right < 62
