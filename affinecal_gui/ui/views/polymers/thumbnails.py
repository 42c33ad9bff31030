"""Small pictures of repeat units, drawn off the main thread, newest wish first, and kept within a bounded memory."""

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QByteArray, QCoreApplication, QObject, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from affinecal_gui.ui.running.yielding import MainThreadYield

logger = logging.getLogger(__name__)

CACHE_BYTES = 24_000_000  # some 1,300 pictures of a table row, 330 of them at twice the resolution
WAITING_LIMIT = 64  # wishes older than this belong to rows that were scrolled past long ago
LARGE_WIDTH = 150  # pixels: from here on there is room for letters and, of a copolymer, for the shares
LARGE_BOND = 44.0  # pixels: the longest bond of such a picture
LONGEST_TEXT = 1000  # characters; a longer repeat unit would be a grey smear, after seconds of layout


PictureKey = tuple[str, bool, int, int, float]


@dataclass(frozen=True, slots=True)
class WishedPicture:
    """What is wished for: one repeat unit in one look."""

    smiles: str
    dark: bool
    size: QSize  # device-independent pixels
    scale: float  # of the screen

    @property
    def key(self) -> PictureKey:
        """What makes two wishes the same picture."""
        return self.smiles, self.dark, self.size.width(), self.size.height(), self.scale


@dataclass(frozen=True, slots=True)
class Drawn:
    """The one answer to a wish; ``image`` is None where the text could not be drawn."""

    picture: WishedPicture
    image: QImage | None


def _go_on() -> None:
    """Wait for nobody."""


def paint_structure(picture: WishedPicture, between: Callable[[], None] = _go_on) -> QImage | None:
    """Draw a repeat unit into an image; None if it cannot be drawn. Runs in any thread.

    ``between`` is called between two steps, each of which may keep the interpreter from others for some milliseconds.
    """
    if not picture.smiles or len(picture.smiles) > LONGEST_TEXT:
        return None
    # Imported here, in the drawing thread: the window is on the screen before chemistry is loaded.
    from affinecal_gui.polymers.copolymers.composition import parse_composition
    from affinecal_gui.polymers.copolymers.composition_drawing import (
        draw_composition_svg,
        draw_composition_thumbnail_svg,
    )

    width, height = picture.size.width(), picture.size.height()
    composition = parse_composition(picture.smiles)
    between()
    if width >= LARGE_WIDTH:
        svg = draw_composition_svg(composition, width, height, dark=picture.dark, largest_bond=LARGE_BOND)
    else:
        svg = draw_composition_thumbnail_svg(composition, width, height, dark=picture.dark)
    between()
    renderer = QSvgRenderer(QByteArray(svg.encode()))
    if not renderer.isValid():
        return None
    image = QImage(picture.size * picture.scale, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter, QRectF(image.rect()))
    painter.end()
    return image


class ThumbnailStore(QObject):
    """Hands out pictures that are ready and has the others drawn; ``ready`` tells when one arrived.

    A wish that newer ones do not push out is answered exactly once. ``close`` forgets all wishes and waits for the
    drawing under way; nothing arrives after it.

    One thread draws, and ends when nothing is wished for: chemistry holds the interpreter lock, so a second one would
    only get in its way. It is a thread of Python and not of a QThreadPool, whose destructor would wait for it while
    holding the very lock that the drawing needs.
    """

    ready = Signal(str)  # the SMILES whose picture has arrived
    _arrived = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pixmaps: OrderedDict[PictureKey, QPixmap | None] = OrderedDict()
        self._bytes = 0
        self._main_thread_yield = MainThreadYield()
        self._lock = threading.Lock()
        self._waiting: OrderedDict[PictureKey, WishedPicture] = OrderedDict()
        self._drawing: set[PictureKey] = set()  # until the drawing has arrived in the main thread
        self._thread: threading.Thread | None = None
        self._closed = False
        self._arrived.connect(self._take, Qt.ConnectionType.QueuedConnection)
        app = QCoreApplication.instance()
        if app is not None:
            app.aboutToQuit.connect(self._close_at_end)

    def find(self, smiles: str, size: QSize, scale: float, *, dark: bool) -> tuple[bool, QPixmap | None]:
        """Return whether the answer is known, and the picture, which is None for a text that cannot be drawn.

        ``size`` is in device-independent pixels. An unknown picture is drawn in the background.
        """
        picture = WishedPicture(smiles, dark, size, scale)
        if picture.key in self._pixmaps:
            self._pixmaps.move_to_end(picture.key)
            return True, self._pixmaps[picture.key]
        self._wish(picture)
        return False, None

    @property
    def is_drawing(self) -> bool:
        """Whether a picture that was wished for has not arrived yet."""
        with self._lock:
            return not self._closed and bool(self._waiting or self._drawing)

    def close(self, wait_seconds: float = 0.1) -> bool:
        """Stop drawing; returns whether the thread ended in time."""
        with self._lock:
            self._closed = True
            self._waiting.clear()
            thread = self._thread
        if thread is None:
            return True
        thread.join(wait_seconds)
        return not thread.is_alive()

    @Slot()
    def _close_at_end(self) -> None:
        self.close()

    def _wish(self, picture: WishedPicture) -> None:
        with self._lock:
            if self._closed or picture.key in self._drawing:
                return
            self._waiting[picture.key] = picture
            self._waiting.move_to_end(picture.key)
            while len(self._waiting) > WAITING_LIMIT:
                self._waiting.popitem(last=False)
            if self._thread is None:
                self._thread = threading.Thread(target=self._draw, name="structure thumbnails")
                self._thread.start()

    def _draw(self) -> None:
        """Draw until nothing is wished for; runs in the drawing thread."""
        while (picture := self._next()) is not None:
            self._main_thread_yield.yield_if_busy()
            try:
                image = paint_structure(picture, self._main_thread_yield.yield_if_busy)
            except Exception:  # noqa: BLE001 - whatever chemistry raises, one row goes without a picture
                logger.debug("No picture of %r", picture.smiles, exc_info=True)
                image = None
            with self._lock:
                if self._closed:
                    return
            try:
                self._arrived.emit(Drawn(picture, image))
            except RuntimeError:  # the store went without having been closed
                return

    def _next(self) -> WishedPicture | None:
        with self._lock:
            if self._closed or not self._waiting:
                self._thread = None
                return None
            key, picture = self._waiting.popitem()
            self._drawing.add(key)
            return picture

    @Slot(object)
    def _take(self, drawn: Drawn) -> None:
        key = drawn.picture.key
        with self._lock:
            self._drawing.discard(key)
            if self._closed:
                return
        pixmap = None
        if drawn.image is not None:
            pixmap = QPixmap.fromImage(drawn.image)
            pixmap.setDevicePixelRatio(drawn.picture.scale)
        self._pixmaps[key] = pixmap
        self._bytes += _cost(pixmap)
        while self._bytes > CACHE_BYTES and len(self._pixmaps) > 1:
            _, oldest = self._pixmaps.popitem(last=False)
            self._bytes -= _cost(oldest)
        self.ready.emit(drawn.picture.smiles)


def _cost(pixmap: QPixmap | None) -> int:
    return 200 if pixmap is None else 4 * pixmap.width() * pixmap.height() + 200
