"""A document of the help window on the screen: Markdown made readable, with pictures that fit and headings to go to."""

from functools import cached_property

from PySide6.QtCore import QBuffer, QByteArray, QPoint, QSize, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import (
    QFont,
    QFontDatabase,
    QImage,
    QImageReader,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFragment,
    QTextFrameFormat,
    QTextLength,
    QTextList,
    QTextListFormat,
    QTextTable,
)
from PySide6.QtWidgets import QTextBrowser, QTextEdit, QWidget

from affinecal_gui.ui.dialogs.help.help_pages import HelpPage, anchor_of, picture
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme

WIDEST = 780  # pixels of a line of text; longer ones are hard to read
MARGIN = 26
_ABOVE = 8  # pixels that stay free above a heading that was gone to
PAUSE = 120  # milliseconds after the last change of width before the pictures are fitted anew
LINE_HEIGHT = 135  # per cent
_CODE = (QTextFormat.Property.BlockCodeFence, QTextFormat.Property.BlockCodeLanguage)
SIZES = {1: 21.0, 2: 16.0, 3: 13.0}  # pixels of headings by level
TEXT_SIZE = 13.0


class HelpText(QTextBrowser):
    """Shows one page; every click on a link goes out as a signal."""

    link_followed = Signal(QUrl)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("helpText")
        self.setAccessibleName("Text of the document")
        self.setOpenLinks(False)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.anchorClicked.connect(self.link_followed)
        self._theme = current_theme()
        self._page: HelpPage | None = None
        self._is_rendering = False
        self._own: QTextDocument | None = None  # Qt deletes the empty one that a browser begins with by itself
        self._sizes: dict[str, QSize] = {}  # natural sizes of pictures by name
        self._words: tuple[str, ...] = ()
        self.column = 0  # pixels of width that the pictures were fitted to
        self._width = 0  # of the view at that time
        self._kept = ""  # section at which the reader is; not asked for while lines break anew
        self.verticalScrollBar().valueChanged.connect(self._keep_section)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE)
        self._pause.timeout.connect(self._fit)

    # -- what is shown --------------------------------------------------------------------------------------------

    @property
    def page_name(self) -> str:
        """File name of the page that is shown."""
        return self._page.name if self._page is not None else ""

    def show_page(self, page: HelpPage) -> None:
        """Show a page from its beginning."""
        self._kept = ""
        if page is not self._page:
            self._page = page
            self._render()
        self.verticalScrollBar().setValue(0)

    def show_section(self, anchor: str) -> bool:
        """Bring a heading to the top; returns whether there is one of that name."""
        block = self._heading(anchor)
        if block is None:
            return False
        self._kept = anchor
        top = self.document().documentLayout().blockBoundingRect(block).top()
        self.verticalScrollBar().setValue(max(0, round(top) - _ABOVE))
        self.setTextCursor(QTextCursor(block))  # where the keyboard goes on
        return True

    @property
    def section(self) -> str:
        """Anchor of the section at the top of the view."""
        block = self.cursorForPosition(QPoint(MARGIN, _ABOVE + 4)).block()
        while block.isValid() and not block.blockFormat().headingLevel():
            block = block.previous()
        return anchor_of(block.text()) if block.isValid() else ""

    def mark_words(self, words: tuple[str, ...]) -> None:
        """Set off every place where one of the words stands."""
        self._words = words
        colour = self._theme.colour("selection")
        marked = []
        for word in words:
            cursor = self.document().find(word)
            while not cursor.isNull():
                selection = QTextEdit.ExtraSelection()
                selection.cursor = cursor
                selection.format.setBackground(colour)
                marked.append(selection)
                cursor = self.document().find(word, cursor)
        self.setExtraSelections(marked)

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours, and the pictures of the other window."""
        if theme is not self._theme:
            section = self.section
            self._theme = theme
            self._render_in_place(section)

    # -- Qt's side ------------------------------------------------------------------------------------------------

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Return a picture in the size it is shown in; nothing is ever loaded from elsewhere."""
        url = name if isinstance(name, QUrl) else QUrl(name)
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return None
        data = QBuffer()
        data.setData(QByteArray(picture(url.path(), dark=self._theme.dark)))
        reader = QImageReader(data)
        shown = self._shown_size(url.path())
        ratio = self.devicePixelRatioF()
        if shown.isValid() and shown != reader.size():
            reader.setScaledSize(shown * ratio)
        image = reader.read()
        return image if not image.isNull() else QImage(1, 1, QImage.Format.Format_ARGB32)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep lines short enough to read, pictures inside, and the reader at the same section."""
        super().resizeEvent(event)
        self._pause.start()

    # -- parts ----------------------------------------------------------------------------------------------------

    def _render_in_place(self, section: str) -> None:
        """Show the page anew, at a section."""
        self._is_rendering = True
        self._render()
        if section:
            self.show_section(section)
        self._is_rendering = False

    @Slot()
    def _keep_section(self) -> None:
        if self._page is not None and self.viewport().width() == self._width and not self._is_rendering:
            self._kept = self.section

    @property
    def is_fitted(self) -> bool:
        """Whether the pictures have the width that the view has now."""
        return not self._pause.isActive() and self._width == self.viewport().width()

    @Slot()
    def _fit(self) -> None:
        if self._page is not None and self.viewport().width() != self._width:
            self._render_in_place(self._kept)

    def _column_width(self) -> int:
        return max(200, min(WIDEST, self.viewport().width() - 2 * MARGIN))

    def _render(self) -> None:
        if self._page is None:
            return
        self.column, self._width = self._column_width(), self.viewport().width()
        # Nothing is laid out while the document is made: that happens once, when it is shown.
        before, document = self._own, QTextDocument(self)
        document.setUndoRedoEnabled(False)
        document.setDefaultFont(self._theme.font(TEXT_SIZE))
        document.setMarkdown(self._page.markdown, QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        tables = self._style_tables(document)
        block, is_code = document.begin(), False
        while block.isValid():
            is_cell = any(first <= block.position() <= last for first, last in tables)
            is_code = self._style_block(block, is_cell=is_cell, follows_code=is_code)
            block = block.next()
        cursor.endEditBlock()
        frame = document.rootFrame().frameFormat()
        frame.setMargin(0)
        frame.setLeftMargin(MARGIN)
        frame.setTopMargin(14)
        frame.setBottomMargin(MARGIN)
        frame.setRightMargin(max(MARGIN, self.viewport().width() - MARGIN - self.column))
        document.rootFrame().setFrameFormat(frame)
        self.setDocument(document)
        self._own = document
        if before is not None:
            before.deleteLater()
        self.mark_words(self._words)

    def _style_block(self, block: QTextBlock, *, is_cell: bool, follows_code: bool) -> bool:
        """Give a heading, a line of code or a paragraph its look; returns whether it is code."""
        layout, look = QTextBlockFormat(), QTextCharFormat()
        format_now = block.blockFormat()
        level = format_now.headingLevel()
        is_code = any(format_now.hasProperty(mark) for mark in _CODE)
        if level:
            layout.setTopMargin(24 if level > 1 else 4)
            layout.setBottomMargin(8)
            look.setFont(self._theme.font(SIZES.get(level, TEXT_SIZE), bold=True))
        elif is_code:
            following = block.next().blockFormat()
            layout.setBackground(self._theme.colour("alternate_row"))
            layout.setNonBreakableLines(False)
            layout.setTopMargin(0 if follows_code else 6)
            layout.setBottomMargin(0 if any(following.hasProperty(mark) for mark in _CODE) else 14)
            look.setFont(self._fixed)
        else:
            has_picture = self._style_pieces(block)
            if is_cell:
                return False
            if not has_picture:  # below which a share of its height would stay empty
                layout.setLineHeight(LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            listed: QTextList | None = block.textList()  # the type hints of PySide6 forget that there may be none
            goes_on: QTextList | None = block.next().textList()
            layout.setBottomMargin(2 if listed is not None and goes_on is not None else 8)
            if listed is not None and listed.format().style() == QTextListFormat.Style.ListCircle:
                shape = listed.format()
                shape.setStyle(QTextListFormat.Style.ListDisc)
                listed.setFormat(shape)
        cursor = QTextCursor(block)
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        if level or is_code:
            cursor.mergeCharFormat(look)
        cursor.mergeBlockFormat(layout)
        return is_code

    def _style_pieces(self, block: QTextBlock) -> bool:
        """Give code its font, and pictures their size; returns whether there is a picture."""
        has_picture = False
        for piece in _fragments(block):
            look = piece.charFormat()
            if look.isImageFormat():
                has_picture = True
                image = look.toImageFormat()
                size = self._shown_size(image.name())
                if size.isValid():
                    image.setWidth(size.width())
                    image.setHeight(size.height())
                    _format(block, piece.position(), piece.length(), image)
            elif look.fontFixedPitch():
                code = QTextCharFormat()
                code.setFont(self._fixed)
                code.setBackground(self._theme.colour("alternate_row"))
                _format(block, piece.position(), piece.length(), code)
        return has_picture

    def _style_tables(self, document: QTextDocument) -> list[tuple[int, int]]:
        """Draw tables with thin lines; returns where in the text they stand."""
        places = []
        border = self._theme.colour("soft_border")
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                look = frame.format()
                look.setBorder(1)
                look.setBorderCollapse(True)
                look.setBorderBrush(border)
                look.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
                look.setCellPadding(5)
                look.setTopMargin(4)
                look.setBottomMargin(12)
                look.setWidth(QTextLength())
                frame.setFormat(look)
                places.append((frame.firstPosition(), frame.lastPosition()))
        return places

    @cached_property
    def _fixed(self) -> QFont:
        """The font of code and equations."""
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPixelSize(12)
        return font

    def _shown_size(self, name: str) -> QSize:
        """Return the size of a picture in the present column, in logical pixels; invalid where there is none."""
        natural = self._sizes.get(name)
        if natural is None:
            data = QBuffer()
            data.setData(QByteArray(picture(name)))
            natural = self._sizes[name] = QImageReader(data).size()
        if not natural.isValid():
            return natural
        return natural.scaled(min(self.column, natural.width()), natural.height(), Qt.AspectRatioMode.KeepAspectRatio)

    def _heading(self, anchor: str) -> QTextBlock | None:
        seen: dict[str, int] = {}
        block = self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel():
                name = anchor_of(block.text())
                number = seen.get(name, 0)
                seen[name] = number + 1
                if (f"{name}-{number}" if number else name) == anchor:
                    return block
            block = block.next()
        return None


def _fragments(block: QTextBlock) -> list[QTextFragment]:
    """Return the pieces of a block that share a format."""
    pieces = []
    place = block.begin()
    while not place.atEnd():
        pieces.append(place.fragment())
        place += 1
    return pieces


def _format(block: QTextBlock, start: int, length: int, look: QTextCharFormat) -> None:
    """Change the format of a piece of a block."""
    cursor = QTextCursor(block)
    cursor.setPosition(start)
    cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
    cursor.mergeCharFormat(look)
