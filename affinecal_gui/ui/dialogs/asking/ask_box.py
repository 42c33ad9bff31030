"""A field for a repeat unit, and everything that is said of it: its value, what it rests on, its structure."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QWidget

from affinecal_gui.study.asking.asked_polymer import AskedPolymer
from affinecal_gui.ui.dialogs.asking.structure_field import STRUCTURE_OR_NAME, StructureField
from affinecal_gui.ui.parts.dialog_layout import below_each_other, side_by_side
from affinecal_gui.ui.parts.number_text import decimals_for, number_text, range_text
from affinecal_gui.ui.parts.selectable import make_selectable
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.parts.widgets.info_line import InfoLine
from affinecal_gui.ui.parts.widgets.labels import label
from affinecal_gui.ui.parts.widgets.tool_buttons import LinkButton
from affinecal_gui.ui.views.polymers.inspector.inspector import Inspector

HINT = "Its structure, its value and the polymers of the fit that are most like it appear here."


class AskBox(QWidget):
    """Asks about what is typed or pasted, and shows the answer; the button that copies it belongs to its dialog.

    Parameters
    ----------
    besides
        Stands below the field: what else an answer depends on.
    hint
        What appears in the place of a structure, before one is asked about.
    placeholder
        What the empty field asks for.
    """

    asked = Signal(str)  # a text
    selected = Signal(str)  # key of a row of the tables

    def __init__(
        self,
        besides: QWidget | None = None,
        hint: str = HINT,
        placeholder: str = STRUCTURE_OR_NAME,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.answer: AskedPolymer | None = None
        self._asked = ""
        self._besides = besides
        self.field = StructureField(placeholder)
        self.paste_button = QPushButton("Paste")
        self.paste_button.setObjectName("pasteStructure")
        self.paste_button.setToolTip("Paste a structure from a drawing program, or a SMILES")
        self.hint = InfoLine("info", note=True)
        self.hint.setObjectName("askedHint")
        self.value = label("", "heading")
        self.value.setObjectName("askedValue")
        self.interval = label("", "muted")
        self.interval.setObjectName("askedInterval")
        self.origin = label("", "strong")
        self.origin.setObjectName("askedOrigin")
        self.missing = InfoLine("info")
        self.missing.setObjectName("askedMissing")
        self.standing = label("", "muted", wrap=True)
        self.standing.setObjectName("askedStanding")
        self.show_row = LinkButton("Show it in the table")
        self.show_row.setObjectName("showAskedRow")
        self.inspector = Inspector(hint=hint, has_figures=False)
        self.inspector.setObjectName("askedInspector")
        self.inspector.setAccessibleName("What is said of the polymer")
        self.basis = label("", "note", wrap=True)
        self.basis.setObjectName("askedBasis")
        self.copy_button = QPushButton("Copy as a sentence")
        self.copy_button.setObjectName("copyAskedSentence")
        for button in (self.paste_button, self.copy_button):
            button.setAutoDefault(False)
        make_selectable(self.hint, self.value, self.interval, self.missing, self.standing, self.basis)
        self._arrange()
        self._connect()
        self.show_answer(None)
        self.setFocusProxy(self.field)

    def _arrange(self) -> None:
        rows = (
            side_by_side(self.field, self.paste_button, spacing=8, wide=self.field),
            *((self._besides,) if self._besides is not None else ()),
            self.hint,
            side_by_side(self.value, self.interval, None, self.origin),
            self.missing,
            side_by_side(self.standing, self.show_row, wide=self.standing),
            self.inspector,
            self.basis,
        )
        content = below_each_other(*rows, spacing=6, tall=self.inspector)
        content.setContentsMargins(0, 0, 0, 0)
        self.setLayout(content)

    def _connect(self) -> None:
        self.field.settled.connect(self._ask)
        self.field.refused.connect(self.say)
        self.paste_button.clicked.connect(self.field.paste_clipboard)
        self.show_row.clicked.connect(self._select_row)
        self.inspector.selected.connect(self.selected)
        self.copy_button.clicked.connect(self._copy)

    # -- what is asked --------------------------------------------------------------------------------------------

    def ask(self, text: str) -> None:
        """Ask about a polymer as if it had been typed."""
        self.field.show_text(text)
        self._ask(text)

    def ask_again(self) -> None:
        """Ask about the same polymer: something that the answer says has changed."""
        if self._asked.strip():
            self.asked.emit(self._asked)

    @Slot(str)
    def _ask(self, text: str) -> None:
        self._asked = text
        self.asked.emit(text)

    # -- what is answered -----------------------------------------------------------------------------------------

    def show_answer(self, answer: AskedPolymer | None) -> None:
        """Show what is said of a polymer; an answer to what is not asked any more is passed over."""
        if answer is not None and answer.asked != self._asked:
            return
        self.answer = answer
        shown = answer if answer is not None else AskedPolymer("")
        if shown.smiles and shown.asked.strip() != self.field.text.strip():
            self.field.show_text(shown.smiles)  # of a molfile, which has too many lines to be read in the field
        self.say(shown.hint or " ".join(shown.notes))
        self._show_value(shown)
        self.missing.set_message("info" if shown.is_waiting else "caution", shown.missing)
        self.standing.setText(shown.standing)
        self.standing.setVisible(bool(shown.standing))
        self.show_row.setVisible(bool(shown.row))
        self.inspector.show_content(shown.content)
        self.basis.setText(shown.basis)
        self.basis.setVisible(bool(shown.basis))
        self.copy_button.setEnabled(bool(shown.sentence))

    def _show_value(self, shown: AskedPolymer) -> None:
        for part in (self.value, self.interval, self.origin):
            part.setVisible(shown.has_value)
        if not shown.has_value or shown.content is None:
            return
        decimals = decimals_for([shown.content.largest_value])
        self.value.setText(f"{number_text(shown.value, decimals)} {shown.content.unit}".strip())
        self.interval.setText(f"{100.0 * shown.level:g} % interval {range_text(shown.lower, shown.upper, decimals)}")
        self.origin.setText(shown.origin or "")
        self.origin.setToolTip(shown.basis)

    @Slot(str)
    def say(self, text: str) -> None:
        """Tell something quietly below the field."""
        self.hint.set_message("info", text)

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        self.inspector.apply_theme(theme)

    def close_thumbnails(self) -> None:
        """End the thread that draws pictures."""
        self.inspector.close_thumbnails()

    @Slot()
    def _select_row(self) -> None:
        if self.answer is not None and self.answer.row:
            self.selected.emit(self.answer.row)

    @Slot()
    def _copy(self) -> None:
        if self.answer is not None:
            QGuiApplication.clipboard().setText(self.answer.sentence)
            self.say("The sentence was copied.")
