"""The title of an axis, in as many words as there is room for."""

from PySide6.QtWidgets import QGraphicsItem, QGraphicsTextItem

from affinecal_gui.ui.parts.theme.theme import Theme


class AxisTitle(QGraphicsTextItem):
    """What an axis shows, with its unit: rich text, centred along the axis, in the longest wording that fits."""

    def __init__(self, root: QGraphicsItem, upright: bool = False) -> None:
        super().__init__(root)
        self._upright = upright
        self.wordings: tuple[str, ...] = ("",)
        self._written = ""
        self._widths: dict[str, float] = {}  # of the wordings measured so far
        self.document().setDocumentMargin(0)
        if upright:
            self.setRotation(-90)

    def set_wordings(self, *wordings: str) -> None:
        """Give the words as HTML, the longest first."""
        if wordings != self.wordings:
            self.wordings = wordings
            self._widths.clear()
            self._write(wordings[0])

    def _write(self, wording: str) -> None:
        if wording != self._written:  # laying out rich text takes longer than all the rest
            self._written = wording
            self.setHtml(wording)

    def apply_theme(self, theme: Theme, size: float, role: str = "text", bold: bool = False) -> None:
        """Take over colour and font."""
        self.setFont(theme.font(size, bold))
        self._widths.clear()
        self.setDefaultTextColor(theme.colour(role))

    def fit(self, room: float) -> None:
        """Take the longest wording that needs no more than this length."""
        fitting = next((words for words in self.wordings if self._width(words) <= room), self.wordings[-1])
        self._write(fitting)

    def _width(self, wording: str) -> float:
        if wording not in self._widths:
            self._write(wording)
            self._widths[wording] = self.boundingRect().width()
        return self._widths[wording]

    def place(self, middle: float, across: float, room: float) -> None:
        """Put the text along its axis.

        Parameters
        ----------
        middle
            Centre along the axis, in pixels.
        across
            Upper edge of the text (left edge when upright).
        room
            Length that the text may take.
        """
        self.fit(room)
        width = self.boundingRect().width()
        if self._upright:
            self.setPos(across, middle + width / 2.0)
        else:
            self.setPos(middle - width / 2.0, across)
