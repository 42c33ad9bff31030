"""The structure of a repeat unit with its coloured atoms, and the legend of the colours."""

import math

from PySide6.QtCore import QByteArray, QPoint, QPointF, QRectF, QSize, QSizeF, Qt, Signal, Slot
from PySide6.QtGui import QBitmap, QGuiApplication, QImage, QLinearGradient, QPainter, QPaintEvent, QPixmap, QRegion
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QMenu, QSizePolicy, QVBoxLayout, QWidget

from affinecal_gui.study.shown.inspector_content import InspectorContent
from affinecal_gui.ui.parts.number_text import decimals_for, number_text
from affinecal_gui.ui.parts.painted_text import draw_rich_text, rich_text_width
from affinecal_gui.ui.parts.theme.fonts import NOTE_SIZE
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme
from affinecal_gui.ui.parts.widgets.labels import label

LARGEST_SCALE = 1.7  # of a picture with room around the structure: a small repeat unit does not become a poster
LARGEST_GAIN = 1.5  # by leaving out the empty margins of its picture
FILLING = 0.85  # of a side: a structure that takes more was drawn smaller to fit, and gains by any room there is


class StructureView(QWidget):
    """Picture, legend and note. A right click copies the picture or the SMILES."""

    copy_requested = Signal()  # of the figure of the effect
    export_requested = Signal()

    def __init__(self, parent: QWidget | None = None, *, has_figures: bool = True) -> None:
        super().__init__(parent)
        self.setObjectName("structureView")
        self._picture = StructurePicture()
        self._legend = ShareLegend()
        self._note = label("", "note", wrap=True)
        self._note.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self._note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(6)
        box.addWidget(self._picture, 1)
        box.addWidget(self._legend)
        box.addWidget(self._note)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._show_menu)
        self._smiles = ""
        self._has_figures = has_figures
        self._can_draw = False  # whether there is a figure of the effect

    def show_content(self, content: InspectorContent) -> None:
        """Show a polymer."""
        self._smiles = content.smiles
        self._can_draw = bool(content.effects)
        self._picture.show_svg(content.svg, content.svg_dark or content.svg, content.smiles)
        self._picture.setAccessibleName(f"Structure of {content.label}")
        self._legend.show_legend(content.legend_limit, content.symbol_html)
        self._note.setText(content.legend_note)
        self._note.setVisible(bool(content.legend_note))

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        self._picture.update()
        self._legend.update()

    @Slot(QPoint)
    def _show_menu(self, position: QPoint) -> None:
        self.menu().popup(self.mapToGlobal(position))

    def menu(self) -> QMenu:
        """Return what a right click offers."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy SMILES", self.copy_smiles)
        menu.addAction("Copy picture", self.copy_picture)
        if not self._has_figures:
            return menu
        menu.addSeparator()
        for text, signal in (("Copy figure", self.copy_requested), ("Save figure as…", self.export_requested)):
            action = menu.addAction(text)
            action.setEnabled(self._can_draw)
            action.triggered.connect(signal)
        return menu

    @Slot()
    def copy_smiles(self) -> None:
        """Put the repeat unit on the clipboard as text."""
        QGuiApplication.clipboard().setText(self._smiles)

    @Slot()
    def copy_picture(self) -> None:
        """Put the structure on the clipboard as a picture, at three times the size on the screen."""
        scale = 3.0
        pixmap = QPixmap(self._picture.size() * scale)
        pixmap.setDevicePixelRatio(scale)
        pixmap.fill(current_theme().colour("base"))
        self._picture.render(pixmap, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)  # not the window's ground
        QGuiApplication.clipboard().setPixmap(pixmap)


class StructurePicture(QWidget):
    """Draws an SVG as large as the room allows, in the version for the light or the dark window."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._light, self._dark = QSvgRenderer(self), QSvgRenderer(self)
        self._smiles = ""
        self.setMinimumSize(120, 90)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_svg(self, light: str, dark: str, smiles: str) -> None:
        """Show a drawing; without one the repeat unit as text."""
        for renderer, text in ((self._light, light), (self._dark, dark)):
            renderer.load(QByteArray(text.encode() if text else b"<svg xmlns='http://www.w3.org/2000/svg'/>"))
            renderer.setAspectRatioMode(Qt.AspectRatioMode.KeepAspectRatio)
        self._natural = QRectF(self._light.viewBoxF()).size()
        self._to_pixels = self._light.defaultSize().width() / self._natural.width() if light else 1.0
        if light:
            drawn = _drawn_part(self._light)
            for renderer in (self._light, self._dark):
                renderer.setViewBox(drawn)
        self._smiles = smiles
        self._has_drawing = bool(light)
        self.setToolTip(smiles)
        self.update()

    _has_drawing = False
    _natural = QSizeF(1.0, 1.0)  # in the units of the drawing
    _to_pixels = 1.0  # of these units

    def sizeHint(self) -> QSize:
        """Return a size at which a repeat unit of usual length is legible."""
        return QSize(230, 150)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the structure in the middle."""
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        room = QRectF(self.rect())
        renderer = self._dark if theme.dark else self._light
        if not self._has_drawing or not renderer.isValid():
            painter.setFont(theme.font(NOTE_SIZE))
            painter.setPen(theme.colour("muted"))
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWrapAnywhere, self._smiles)
        else:
            drawn = QRectF(renderer.viewBoxF()).size()
            place = QRectF(QPointF(0, 0), drawn * self._drawing_scale(drawn, room))
            place.moveCenter(room.center())
            renderer.render(painter, place)
        painter.end()

    def _drawing_scale(self, drawn: QSizeF, room: QRectF) -> float:
        """Return how many pixels a unit of the drawing takes."""
        scale = min(_scale(drawn, room), LARGEST_GAIN * _scale(self._natural, room))
        filled = max(drawn.width() / self._natural.width(), drawn.height() / self._natural.height())
        return scale if filled > FILLING else min(scale, LARGEST_SCALE * self._to_pixels)


def _scale(size: QSizeF, room: QRectF) -> float:
    return min(room.width() / size.width(), room.height() / size.height())


def _drawn_part(renderer: QSvgRenderer) -> QRectF:
    """Return the part of a picture that is not empty, in the units of its view box."""
    whole, size = QRectF(renderer.viewBoxF()), renderer.defaultSize()
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter, QRectF(image.rect()))
    painter.end()
    found = QRectF(QRegion(QBitmap.fromImage(image.createAlphaMask())).boundingRect().adjusted(-1, -1, 1, 1))
    if found.isEmpty():
        return whole
    across, up = whole.width() / size.width(), whole.height() / size.height()
    part = QRectF(found.x() * across, found.y() * up, found.width() * across, found.height() * up)
    return part.translated(whole.topLeft()).intersected(whole)


class ShareLegend(QWidget):
    """The colours of the shares: words at both ends, numbers below."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._limit = math.nan
        self._symbol = ""
        self.setFixedHeight(28)
        self.setMinimumWidth(150)
        self.hide()

    def show_legend(self, limit: float, symbol_html: str) -> None:
        """Show colours for shares from -limit to +limit of the property with this symbol; nan hides the legend."""
        self._limit, self._symbol = limit, symbol_html
        shown = math.isfinite(limit) and limit > 0
        self.setVisible(shown)
        if shown:
            text = self._number(limit)
            self.setAccessibleName(f"Colours of the atoms: from minus {text}, lowers, to plus {text}, raises")
        self.update()

    def _number(self, value: float) -> str:
        return number_text(value, decimals_for([self._limit], 2))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bar."""
        theme = current_theme()
        painter = QPainter(self)
        font, colour = theme.font(NOTE_SIZE), theme.colour("muted")
        words = (f"lowers {self._symbol}", f"raises {self._symbol}")
        widths = [rich_text_width(word, font) for word in words]
        side = max(widths) + 8
        bar = QRectF(0, 2, max(min(92.0, self.width() - 2 * side), 40.0), 9)
        bar.moveLeft(self.width() / 2 - bar.width() / 2)
        ramp = QLinearGradient(bar.topLeft(), bar.topRight())
        for position, role in ((0.0, "atom_lowers"), (0.5, "atom_average"), (1.0, "atom_raises")):
            ramp.setColorAt(position, theme.colour(role))
        painter.fillRect(bar, ramp)
        painter.setPen(theme.colour("border"))
        painter.drawRect(bar)
        line = QRectF(0, -2, bar.left() - 8, 17)
        draw_rich_text(painter, line, words[0], font, colour, Qt.AlignmentFlag.AlignRight)
        line = QRectF(bar.right() + 8, -2, self.width() - bar.right() - 8, 17)
        draw_rich_text(painter, line, words[1], font, colour)
        painter.setFont(font)
        painter.setPen(colour)
        low, high = self._number(-self._limit), f"+{self._number(self._limit)}"
        if painter.fontMetrics().horizontalAdvance(high) < bar.width() / 2 + 20:
            for position, text in ((0.0, low), (0.5, "0"), (1.0, high)):
                x = bar.left() + position * bar.width()
                painter.drawText(QRectF(x - 40, 14, 80, 14), Qt.AlignmentFlag.AlignCenter, text)
        else:  # numbers with powers of ten share the line between them
            middle = bar.center().x()
            painter.drawText(QRectF(0, 14, middle - 8, 14), Qt.AlignmentFlag.AlignRight, low)
            painter.drawText(QRectF(middle + 8, 14, self.width() - middle - 8, 14), Qt.AlignmentFlag.AlignLeft, high)
        painter.end()
