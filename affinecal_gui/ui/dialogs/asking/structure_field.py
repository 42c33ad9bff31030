"""The field into which a repeat unit is typed (debounced) or pasted, in any of the formats of drawing programs."""

from PySide6.QtCore import QMimeData, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QKeyEvent, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from affinecal_gui.errors import UserError
from affinecal_gui.study.asking.clipboard_formats import names_a_structure, structure_on_clipboard

PAUSE = 100  # milliseconds without a key after which what was typed is looked at: a debounce
LINES = 2
STRUCTURE = "Type or paste a repeat unit: SMILES with * at both ends, or a molfile"
STRUCTURE_OR_NAME = f"{STRUCTURE}; or the name of a polymer of the tables"
"""What the empty field asks for, by whether names are understood."""


class StructureField(QPlainTextEdit):
    """Two lines of text. What is pasted is asked about at once, what is typed after a pause or with Enter."""

    settled = Signal(str)  # a text to ask about
    refused = Signal(str)  # why what is on the clipboard cannot be pasted

    def __init__(self, placeholder: str = STRUCTURE_OR_NAME, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("structureField")
        self.setAccessibleName("Repeat unit of the polymer")
        self.setAccessibleDescription(placeholder)
        self.setPlaceholderText(placeholder)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(3)
        self.setFixedHeight(round(LINES * QFontMetricsF(self.font()).lineSpacing()) + 14)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._settle)
        self.textChanged.connect(self._pause.start)

    @property
    def text(self) -> str:
        """What stands in the field."""
        return self.toPlainText()

    def show_text(self, text: str) -> None:
        """Write something into the field that is not asked about."""
        self.setPlainText(text)
        self._pause.stop()

    @Slot()
    def paste_clipboard(self) -> None:
        """Put what is on the clipboard in the place of what stands here."""
        self.selectAll()
        self.insertFromMimeData(QGuiApplication.clipboard().mimeData())

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Whether to try: a drawing that cannot be read is answered by a sentence."""
        return source.hasText() or bool(source.formats())

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Take a structure in the best of its formats; a molfile takes the place of all that stands here."""
        formats = {
            name: bytes(source.data(name).data()) if names_a_structure(name) else b"" for name in source.formats()
        }
        try:
            text = structure_on_clipboard(formats, source.text() if source.hasText() else "")
        except UserError as problem:
            self.refused.emit(str(problem))
            return
        if len(text.strip().splitlines()) > 1:
            self._pause.stop()
            self.settled.emit(text)  # who reads it shows what was read
            return
        self.textCursor().insertText(text.strip())
        self._settle()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ask with Enter; a repeat unit has no second line."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._settle()
        else:
            super().keyPressEvent(event)

    @Slot()
    def _settle(self) -> None:
        self._pause.stop()
        self.settled.emit(self.text)
