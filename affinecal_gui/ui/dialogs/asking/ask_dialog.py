"""What about this polymer? A field for a repeat unit, and everything the study says of it."""

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from affinecal_gui.ui.dialogs.asking.ask_box import AskBox
from affinecal_gui.ui.dialogs.dialog_desk import StayingDialog
from affinecal_gui.ui.parts.dialog_layout import below_each_other, lay_out_dialog
from affinecal_gui.ui.parts.first_size import fit_to_screen
from affinecal_gui.ui.parts.theme.theme import Theme

FIRST_SIZE = QSize(800, 520)
SMALLEST = QSize(620, 430)


class AskDialog(StayingDialog):
    """Stays open beside the window; what is asked here does not become part of the study."""

    asked = Signal(str)  # a text
    selected = Signal(str)  # key of a row of the tables

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("askDialog")
        self.setWindowTitle("What about this polymer?")
        self.setSizeGripEnabled(True)
        fit_to_screen(self, SMALLEST, FIRST_SIZE)
        self.box = AskBox()
        self.box.asked.connect(self.asked)
        self.box.selected.connect(self.selected)
        self.close_button = QPushButton("Close")
        self.close_button.setObjectName("closeAsking")
        self.close_button.setAutoDefault(False)
        self.close_button.clicked.connect(self.close)
        lay_out_dialog(self, below_each_other(self.box, tall=self.box), (self.box.copy_button,), (self.close_button,))
        self.box.setFocus()

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        self.box.apply_theme(theme)

    def close_thumbnails(self) -> None:
        """End the thread that draws pictures."""
        self.box.close_thumbnails()
