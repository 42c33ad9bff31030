"""Symbols such as C with a lowered p inside painted text: a small part of HTML, drawn by a painter."""

import re
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

_TAG = re.compile(r"<(/?)(i|b|sub|sup)>|([^<]+)")
SMALL = 0.76  # size of lowered and raised letters
LOWERED, RAISED = 0.18, -0.34  # their shift, in heights of the letters


@lru_cache(maxsize=500)
def pieces_of(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Split a text with the tags i, b, sub and sup into pieces with the tags in force."""
    open_tags: list[str] = []
    pieces: list[tuple[str, frozenset[str]]] = []
    for closing, tag, plain in _TAG.findall(text):
        if plain:
            pieces.append((_unescaped(plain), frozenset(open_tags)))
        elif not closing:
            open_tags.append(tag)
        elif tag in open_tags:
            open_tags.remove(tag)
    return tuple(pieces)


def _unescaped(text: str) -> str:
    if "&" not in text:
        return text
    from html import unescape  # with its two thousand names, which the first window does not wait for

    return unescape(text)


def plain_text(text: str) -> str:
    """Return the text without its tags, for a screen reader."""
    return "".join(piece for piece, _ in pieces_of(text))


def _font_of(font: QFont, tags: frozenset[str]) -> QFont:
    made = QFont(font)
    if "i" in tags:
        made.setItalic(True)
    if "b" in tags:
        made.setWeight(QFont.Weight.DemiBold)
    if tags & {"sub", "sup"}:
        if made.pixelSize() > 0:
            made.setPixelSize(max(round(made.pixelSize() * SMALL), 7))
        else:
            made.setPointSizeF(made.pointSizeF() * SMALL)
    return made


def rich_text_width(text: str, font: QFont) -> float:
    """Return the width of a text with tags, in device-independent pixels."""
    return sum(QFontMetricsF(_font_of(font, tags)).horizontalAdvance(piece) for piece, tags in pieces_of(text))


def draw_rich_text(
    painter: QPainter,
    rect: QRectF,
    text: str,
    font: QFont,
    colour: QColor,
    alignment: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
) -> None:
    """Draw one line of text with tags, in the middle of the rectangle's height; what does not fit is cut with dots."""
    metrics = QFontMetricsF(font)
    width = rich_text_width(text, font)
    room = rect.width()
    if alignment & Qt.AlignmentFlag.AlignRight:
        x = max(rect.right() - width, rect.left())
    elif alignment & Qt.AlignmentFlag.AlignHCenter:
        x = rect.left() + max(room - width, 0.0) / 2
    else:
        x = rect.left()
    baseline = rect.center().y() + (metrics.ascent() - metrics.descent()) / 2
    painter.save()
    painter.setPen(colour)
    end = rect.right()
    for piece, tags in pieces_of(text):
        piece_font = _font_of(font, tags)
        piece_metrics = QFontMetricsF(piece_font)
        shift = LOWERED if "sub" in tags else RAISED if "sup" in tags else 0.0
        advance = piece_metrics.horizontalAdvance(piece)
        painter.setFont(piece_font)
        if x + advance > end + 0.5 and width > room:
            shown = piece_metrics.elidedText(piece, Qt.TextElideMode.ElideRight, max(end - x, 0.0))
            painter.drawText(QPointF(x, baseline + shift * metrics.ascent()), shown)
            break
        painter.drawText(QPointF(x, baseline + shift * metrics.ascent()), piece)
        x += advance
    painter.restore()
