"""A calibrator file: ask it about a polymer, see its coefficients, read its model card, apply it to a table."""

from html import escape

from PySide6.QtCore import QSize, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QLineEdit, QPushButton, QTabWidget, QWidget

from affinecal_gui.calibration.names import capital
from affinecal_gui.ui.dialogs.asking.ask_box import AskBox
from affinecal_gui.ui.dialogs.asking.structure_field import STRUCTURE
from affinecal_gui.ui.dialogs.calibrators.calibrator_jobs import AppliedTable, OpenedCalibrator
from affinecal_gui.ui.dialogs.calibrators.effect_panels import EffectPanels
from affinecal_gui.ui.dialogs.dialog_desk import StayingDialog
from affinecal_gui.ui.dialogs.help.help_pages import HelpPage
from affinecal_gui.ui.dialogs.help.help_text import HelpText
from affinecal_gui.ui.parts.dialog_layout import below_each_other, lay_out_dialog, side_by_side
from affinecal_gui.ui.parts.first_size import fit_to_screen
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.parts.widgets.info_line import InfoLine
from affinecal_gui.ui.parts.widgets.labels import label

FIRST_SIZE = QSize(860, 620)
SMALLEST = QSize(640, 480)
HINT = "Its structure and its value appear here."


class CalibratorDialog(StayingDialog):
    """Stays open beside the window, whose study it does not touch."""

    asked = Signal(str, str)  # a polymer, and its MD value as typed
    table_wished = Signal()  # to apply it to one

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("calibratorDialog")
        self.setWindowTitle("Calibrator")
        self.setSizeGripEnabled(True)
        fit_to_screen(self, SMALLEST, FIRST_SIZE)
        self.title = label("", "strong", wrap=True)
        self.title.setObjectName("calibratorTitle")
        self.advice = InfoLine("caution")
        self.md_field = QLineEdit()
        self.md_field.setObjectName("calibratorMD")
        self.md_field.setAccessibleName("MD value of the polymer")
        self.md_field.setMaximumWidth(160)
        self.md_label = label("MD value")
        self.md_label.setBuddy(self.md_field)
        self.md_note = label("", "muted")
        md_row = QWidget()
        row = side_by_side(self.md_label, self.md_field, self.md_note, None)
        row.setContentsMargins(0, 0, 0, 0)
        md_row.setLayout(row)
        self.box = AskBox(md_row, HINT, STRUCTURE)
        self.effects = EffectPanels()
        self.card = HelpText()
        self.card.setAccessibleName("Model card")
        self.card.link_followed.connect(self._open_link)
        self.tabs = QTabWidget()
        self.tabs.setObjectName("calibratorTabs")
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)  # the style sheet draws the line below
        self.tabs.addTab(_padded(self.box), "A polymer")
        self.tabs.addTab(_padded(self.effects), "Coefficients")
        self.tabs.addTab(self.card, "Model card")
        self.applied = InfoLine("info")
        self.apply_button = QPushButton("Apply to a table…")
        self.apply_button.setObjectName("applyCalibrator")
        self.apply_button.setToolTip("Calibrate the MD values of a table, and save the result")
        self.close_button = QPushButton("Close")
        self.close_button.setObjectName("closeCalibrator")
        for button in (self.apply_button, self.close_button):
            button.setAutoDefault(False)
        content = below_each_other(self.title, self.advice, self.tabs, self.applied, tall=self.tabs)
        lay_out_dialog(self, content, (self.apply_button, self.box.copy_button), (self.close_button,))
        self.box.asked.connect(self._ask)
        self.md_field.textEdited.connect(self.box.ask_again)
        self.apply_button.clicked.connect(self.table_wished)
        self.close_button.clicked.connect(self.close)

    def show_calibrator(self, opened: OpenedCalibrator) -> None:
        """Show a calibrator, in the place of the one before."""
        file = opened.file
        self.setWindowTitle(f"{opened.name} – Calibrator")
        self.title.setText(f"{capital(file.manifest.summary)}. It is read only: nothing is fitted.")
        self.advice.set_message("caution", file.facts.advice)
        unit = file.facts.quantity.unit
        self.md_label.setText(f"MD value{f', {unit}' if unit else ''}")
        self.md_field.clear()
        held = file.md_conditions.words
        at = f"at {held}" if held else ""
        self.md_note.setText(
            f"{at or 'of the simulation'}; predicted from the structure where you give none"
            if file.manifest.has_surrogate
            else f"of the simulation {at}".rstrip()
        )
        self.applied.set_message("info", "")
        self.effects.show_calibrator(opened)
        self.card.show_page(HelpPage("MODEL_CARD.md", file.card, ()))
        self.box.ask("")
        self.box.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_applied(self, table: AppliedTable) -> None:
        """Say what became of the rows of a table."""
        self.applied.set_message("info", escape(" ".join(table.said), quote=False))

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        self.box.apply_theme(theme)
        self.effects.apply_theme(theme)
        self.card.apply_theme(theme)

    def close_thumbnails(self) -> None:
        """End the thread that draws pictures."""
        self.box.close_thumbnails()

    @Slot(str)
    def _ask(self, text: str) -> None:
        self.asked.emit(text, self.md_field.text())

    @Slot(QUrl)
    def _open_link(self, address: QUrl) -> None:
        if address.scheme() in ("http", "https"):
            QDesktopServices.openUrl(address)


def _padded(content: QWidget) -> QWidget:
    page = QWidget()
    box = below_each_other(content, tall=content)
    box.setContentsMargins(2, 10, 2, 2)
    page.setLayout(box)
    return page
