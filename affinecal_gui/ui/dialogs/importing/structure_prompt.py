"""The field in which the repeat unit of a row is corrected: it draws what is typed, or says why that is none."""

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QLabel, QWidget

from affinecal_gui.errors import UserError
from affinecal_gui.ui.parts.theme.theme import current_theme
from affinecal_gui.ui.session.text_prompt import WIDTH, TextPrompt
from affinecal_gui.ui.views.polymers.thumbnails import ThumbnailStore

PICTURE = QSize(WIDTH - 22, 120)


class StructurePrompt(TextPrompt):
    """Asks for a repeat unit."""

    def __init__(self, title: str, text: str, action: str, parent: QWidget) -> None:
        super().__init__(title, text, action, parent)
        self._thumbnails = ThumbnailStore(self)
        self._thumbnails.ready.connect(self._show_ready)
        self.picture = QLabel()
        self.picture.setObjectName("textPromptPicture")
        self.picture.setFixedSize(PICTURE)
        self.picture.setWordWrap(True)
        self.picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.picture.setTextFormat(Qt.TextFormat.PlainText)
        self.body.addWidget(self.picture)
        self.field.textChanged.connect(self._show_structure)
        self._show_structure()

    @Slot()
    def _show_structure(self) -> None:
        """Show the structure of the present text; until it is drawn, the one before stays."""
        smiles = self.field.text().strip()
        scale, dark = self.devicePixelRatioF(), current_theme().dark
        known, pixmap = self._thumbnails.find(smiles, PICTURE, scale, dark=dark)
        if pixmap is not None:
            self.picture.setPixmap(pixmap)
            self.picture.setAccessibleName(f"Structure of {smiles}")
        elif known:
            self.picture.setText(_why_no_structure(smiles))
            self.picture.setAccessibleName(self.picture.text())

    @Slot(str)
    def _show_ready(self, smiles: str) -> None:
        if smiles == self.field.text().strip():
            self._show_structure()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Draw no more."""
        self._thumbnails.close()
        super().closeEvent(event)


def _why_no_structure(smiles: str) -> str:
    from affinecal_gui.polymers.copolymers.composition import parse_composition

    try:
        parse_composition(smiles)
    except UserError as problem:
        return str(problem)
    return ""
