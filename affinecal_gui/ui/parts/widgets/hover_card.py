"""Cards beside the mouse: name, structure and numbers of a polymer, or what a bar says."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.widgets.labels import label

Thumbnail = Callable[[str], QPixmap | None]
"""``thumbnail(smiles)``: picture of a repeat unit, or None while there is none."""

_AWAY = 14  # pixels between mouse and card
_ROWS = 6
_WIDTH = 190


class _Card(QFrame):
    """A frame that floats inside a view; it takes no mouse events, so it is never in the way."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._view = parent
        set_kind(self, "card")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def place_beside(self, place: QPoint) -> None:
        """Show the card beside a place of the view, on the side where it has room."""
        self.ensurePolished()
        self.adjustSize()
        area = self._view.rect().adjusted(2, 2, -2, -2)
        x = place.x() + _AWAY
        if x + self.width() > area.right():
            x = place.x() - _AWAY - self.width()
        y = place.y() + _AWAY
        if y + self.height() > area.bottom():
            y = place.y() - _AWAY - self.height()
        self.move(
            max(area.left(), min(x, area.right() - self.width())),
            max(area.top(), min(y, area.bottom() - self.height())),
        )
        self.show()
        self.raise_()


class HoverCard(_Card):
    """A card about a polymer.

    Parameters
    ----------
    parent
        The view; the card stays inside it.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.picture = QLabel()
        self.picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._name = label("", "strong", wrap=True)
        self._name.setTextFormat(Qt.TextFormat.PlainText)
        self._id = label("", "note")
        self._id.setTextFormat(Qt.TextFormat.PlainText)
        grid = QGridLayout()
        grid.setContentsMargins(0, 2, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(1)
        grid.setColumnStretch(0, 1)
        self.cells: list[tuple[QLabel, QLabel]] = []
        for row in range(_ROWS):
            what, value = label("", "note"), label("", "note-text")
            value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(what, row, 0)
            grid.addWidget(value, row, 1)
            self.cells.append((what, value))
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(self._name)
        words.addWidget(self._id)
        words.addLayout(grid)
        words.addStretch(1)
        box = QHBoxLayout(self)
        box.setContentsMargins(8, 6, 8, 6)
        box.setSpacing(8)
        box.addWidget(self.picture, 0, Qt.AlignmentFlag.AlignVCenter)
        box.addLayout(words, 1)
        self._name.setMinimumWidth(_WIDTH)
        self._name.setMaximumWidth(_WIDTH)

    @property
    def name(self) -> str:
        """The name shown."""
        return self._name.text() if self.isVisible() else ""

    def show_beside(
        self, mouse: QPoint, name: str, detail: str, rows: Sequence[tuple[str, str]], picture: QPixmap | None
    ) -> None:
        """Show the card beside a place of the parent, on the side where it has room."""
        self._name.setText(name)
        self._id.setText(detail)
        self._id.setVisible(bool(detail))
        for position, cells in enumerate(self.cells):
            for cell, text in zip(cells, rows[position] if position < len(rows) else ("", ""), strict=True):
                cell.setText(text)
                cell.setVisible(bool(text))
        self.picture.setVisible(picture is not None)
        if picture is not None:
            self.picture.setPixmap(picture)
        self.place_beside(mouse)


class SentenceCard(_Card):
    """A card with a heading and a sentence.

    Parameters
    ----------
    parent
        The view; the card stays inside it.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._heading = label("", "strong", wrap=True)
        self._sentence = label("", "note-text", wrap=True)
        for part in (self._heading, self._sentence):
            part.setTextFormat(Qt.TextFormat.PlainText)
            part.setFixedWidth(_WIDTH + 30)
        box = QVBoxLayout(self)
        box.setContentsMargins(8, 6, 8, 7)
        box.setSpacing(2)
        box.addWidget(self._heading)
        box.addWidget(self._sentence)

    @property
    def text(self) -> str:
        """The sentence shown."""
        return self._sentence.text() if self.isVisible() else ""

    def show_beside(self, place: QPoint, heading: str, sentence: str) -> None:
        """Show the card beside a place of the parent, on the side where it has room."""
        for part, text in ((self._heading, heading), (self._sentence, sentence)):
            part.setText(text)
            part.ensurePolished()  # else the height is that of another font
            part.setMinimumHeight(0)  # of the text before: a label asks for no less
            part.setFixedHeight(part.heightForWidth(part.width()))
        self.place_beside(place)
