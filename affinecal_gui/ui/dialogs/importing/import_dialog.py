"""The preview of a table before it is imported: what each column is, what will be used, what will not and why."""

from collections.abc import Sequence
from dataclasses import replace
from html import escape

from PySide6.QtCore import QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from affinecal_gui.study.importing.importing import Examined
from affinecal_gui.study.table_source import NOTHING_CHOSEN, ColumnChoice, ImportChoices
from affinecal_gui.study.words.correction_words import corrections_again
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.headings.role_names import VALUE_ROLES
from affinecal_gui.tables.text.options import ReadOptions
from affinecal_gui.tables.units.properties import find_property
from affinecal_gui.ui.dialogs.importing.import_options import ImportOptions
from affinecal_gui.ui.dialogs.importing.import_table import PreviewTable
from affinecal_gui.ui.dialogs.importing.import_words import WayOut
from affinecal_gui.ui.dialogs.importing.preview_job import PreviewJob
from affinecal_gui.ui.dialogs.importing.problem_list import ProblemList
from affinecal_gui.ui.dialogs.importing.structure_prompt import StructurePrompt
from affinecal_gui.ui.parts.dialog_layout import lay_out_dialog
from affinecal_gui.ui.parts.first_size import fit_to_screen
from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme
from affinecal_gui.ui.parts.widgets.info_line import InfoLine
from affinecal_gui.ui.parts.widgets.labels import label
from affinecal_gui.ui.parts.widgets.themed_icons import themed_icon
from affinecal_gui.ui.session.text_prompt import TextPrompt

FIRST_SIZE = QSize(1040, 690)
SMALLEST = QSize(820, 560)
NOTES_SHOWN = 3
_COLUMN = "column:"  # before the number of the column that a link of a question leads to

HELP = (
    "Above each column stands what it is for. Change a role or a unit there and everything below follows at once. "
    "“Read as” shows the value as it will be used, in the unit of the program. A cell with a coloured ground is doubtful: "
    "hover over it for the reason. Rows with a crossed circle are not used; the list below says why, and offers a way out. "
    "Any cell can be corrected: double-click it, or press F2. Your file is never changed."
)


class ImportDialog(QDialog):
    """Shows one table under the user's choices; it stays open while they are worked out.

    Nothing is done here: the preview_job works, and whoever opened the dialog imports.
    """

    import_wanted = Signal(object, bool)  # Examined, whether to remember the choices

    def __init__(
        self, name: str, preview_job: PreviewJob, choices: ImportChoices = NOTHING_CHOSEN, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("importDialog")
        self.setWindowTitle(f"Import a table: {shortened(name, 80)}")
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setSizeGripEnabled(True)
        fit_to_screen(self, SMALLEST, FIRST_SIZE)
        self.preview_job = preview_job
        self._name = name
        self._choices = choices
        self._examined: Examined | None = None
        self._failure = ""
        self.options = ImportOptions()
        self.questions = InfoLine("caution")
        self.questions.setObjectName("importQuestions")
        self.table = PreviewTable()
        self._caption = label("", "note")
        self.summary = label("", "summary")
        self.summary.setObjectName("importSummary")
        self.bar = ShareBar()
        self.progress = QProgressBar()
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("Reading the table")
        self.partners = InfoLine("check")
        self.partners.setObjectName("importPartners")
        self.suspicion = InfoLine("caution")
        self.suspicion.setObjectName("importSuspicion")
        self.corrections = InfoLine("info")
        self.corrections.setObjectName("importCorrections")
        self.notes = InfoLine("caution")
        self.problems = ProblemList()
        self.remember = QCheckBox("Remember these choices for files with the same headings")
        self.remember.setObjectName("rememberChoices")
        self.remember.setChecked(True)
        self.help_button = QPushButton("Help")
        self.help_button.setObjectName("importHelp")
        self.help_button.setAutoDefault(False)
        self.help_button.setIcon(themed_icon("help", "muted"))
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.setObjectName("importCancel")
        self.cancel_button.setAutoDefault(False)
        self.import_button = QPushButton("Import")
        self.import_button.setObjectName("importButton")
        set_kind(self.import_button, "primary")
        self._help: QLabel | None = None
        self._arrange()
        self._connect()
        self._show_state()
        self.table.body.setFocus()

    # -- parts ----------------------------------------------------------------------------------------------------

    def _arrange(self) -> None:
        left = QVBoxLayout()
        left.setSpacing(7)
        for widget in (
            self.summary,
            self.bar,
            self.progress,
            self.partners,
            self.corrections,
            self.suspicion,
            self.notes,
        ):
            left.addWidget(widget)
        left.addStretch(1)
        self._left = QWidget()
        left.setContentsMargins(0, 0, 0, 0)
        self._left.setLayout(left)
        self._left.setFixedWidth(300)
        lower = QHBoxLayout()
        lower.setSpacing(22)
        lower.addWidget(self._left)
        lower.addWidget(self.problems, 1)
        self._lower = QWidget()
        lower.setContentsMargins(0, 0, 0, 0)
        self._lower.setLayout(lower)
        self._lower.setFixedHeight(168)
        content = self._content = QVBoxLayout()
        content.setSpacing(10)
        content.addWidget(self.options)
        content.addWidget(self.questions)
        content.addWidget(self.table, 1)
        content.addWidget(self._caption)
        content.addWidget(self._lower)
        lay_out_dialog(self, content, (self.help_button, self.remember), (self.cancel_button, self.import_button))

    def _connect(self) -> None:
        self.preview_job.examined.connect(self.show_examined)
        self.preview_job.failed.connect(self._show_failure)
        self.preview_job.busy_changed.connect(self._show_state)
        self.preview_job.progressed.connect(self._show_progress)
        self.options.changed.connect(self._choose_options)
        self.table.role_chosen.connect(self._choose_role)
        self.table.unit_chosen.connect(self._choose_unit)
        self.table.property_chosen.connect(self._choose_property)
        self.table.other_unit_wanted.connect(self._ask_for_unit)
        self.table.edit_wanted.connect(self._ask_for_cell)
        self.problems.way_taken.connect(self._take_way_out)
        self.problems.line_chosen.connect(self.table.body.show_line)
        self.questions.link_activated.connect(self._answer)
        self.suspicion.link_activated.connect(self._correct_unit)
        self.corrections.link_activated.connect(self._drop_corrections)
        self.help_button.clicked.connect(self._toggle_help)
        self.cancel_button.clicked.connect(self.reject)
        self.import_button.clicked.connect(self._import)

    # -- what is shown --------------------------------------------------------------------------------------------

    @property
    def choices(self) -> ImportChoices:
        """What the user has chosen so far."""
        return self._choices

    @property
    def examined(self) -> Examined | None:
        """The table as it is shown."""
        return self._examined

    @Slot(object)
    def show_examined(self, examined: Examined) -> None:
        """Show a table; of a long one, the first rows come before the counts."""
        before = self._examined
        self._failure = ""
        if before is not None and not examined.complete:
            if before.raw.headings != examined.raw.headings:
                self._examined = examined
        else:
            self._examined = examined
        self.options.show_examined(examined)
        self.table.show_examined(examined)
        if examined.complete:
            self.problems.show_examined(examined)
        shown = len(examined.rows)
        text = (
            f"First {shown:,} of {examined.raw.row_count:,} rows."
            if shown < examined.raw.row_count
            else f"{_rows(shown)}."
        )
        titles = [skipped.line for skipped in examined.raw.skipped if skipped.kind == "title"]
        if titles:
            text += f" {_lines_before(titles)}"
        self._caption.setText(text)
        self._show_questions(examined)
        self._show_state()

    def _show_questions(self, examined: Examined) -> None:
        lines = [f"{escape(text)}{self._ways_to_answer(text, examined)}" for text in examined.questions[:3]]
        asked = {question.about for question in examined.roles.open}
        columns = (column for column in examined.roles.columns if column.column in asked)
        unknown = next((column for column in columns if not column.is_known), None)
        if unknown is not None and unknown.role in VALUE_ROLES:
            own = f"“{shortened(unknown.heading)}” stays a property of its own, compared with nothing until it is answered."
            lines.append(f"The rows can be imported without an answer: {escape(own)}")
        self.questions.set_message("caution", "<br>".join(lines))

    @staticmethod
    def _ways_to_answer(text: str, examined: Examined) -> str:
        """Return the links behind a question: both answers, or the way to where a column gets its property."""
        colour = current_theme().palette.link
        answers: list[tuple[str, str]] = []
        for question in (question for question in examined.roles.open if question.text == text):
            if question.about == "kind":
                answers = [("measured", "They are measured"), ("md", "They are from MD")]
                continue
            column = examined.roles.columns[question.about]
            if column.role in VALUE_ROLES and not column.is_known:
                answers = [(f"{_COLUMN}{question.about}", "Choose…")]
        return "".join(f" &nbsp; <a href='{where}' style='color: {colour}'>{words}</a>" for where, words in answers)

    @Slot()
    def _show_state(self) -> None:
        """Say how many rows will be used, and whether that is still being worked out."""
        examined, busy = self._examined, self.preview_job.is_busy
        self._show_corrections()
        counted = examined is not None and examined.complete and examined.choices == self._choices
        self.progress.setVisible(busy and not counted)
        self.bar.setVisible(not self.progress.isVisibleTo(self))
        ready = counted and not self._failure
        if self._failure:
            self.summary.setText("It cannot be read so")
            self.notes.set_message("bad", escape(self._failure))
        elif examined is None or not examined.complete:
            self.summary.setText("Reading…")
            self.notes.set_message("info", "")
        elif examined.error:
            self.summary.setText(f"None of {_rows(examined.total)} will be used")
            self.notes.set_message("bad", escape(examined.error))
        else:
            self.summary.setText(f"{examined.used:,} of {_rows(examined.total)} will be used")
            self._show_notes(examined.notes)
        if examined is not None:
            self.bar.show_share(examined.used, examined.total)
            self.partners.set_message(examined.partners.kind, escape(examined.partners.sentence))
            self._show_suspicion(examined)
        if not counted and not self._failure:
            self.partners.set_message("info", "")
        used = examined.used if ready and examined is not None else 0
        self.import_button.setEnabled(bool(used))
        self.import_button.setText(f"Import {_rows(used)}" if used else "Import")
        self.import_button.setMinimumWidth(self.import_button.sizeHint().width())

    def _show_notes(self, notes: Sequence[str]) -> None:
        """Show the first notes about how cells were read; the others while the mouse rests on them."""
        lines = [escape(note) for note in notes]
        more = lines[NOTES_SHOWN:]
        told = [*lines[:NOTES_SHOWN], f"<u>{len(more)} more</u>"] if more else lines
        self.notes.set_message("caution", "<br>".join(told))
        self.notes.setToolTip("<p>" + "</p><p>".join(more) + "</p>" if more else "")

    def _show_corrections(self) -> None:
        """Say what was corrected by hand when the file was opened earlier."""
        text = ""
        if self._choices.known_content:
            link = f"<a href='drop' style='color: {current_theme().palette.link}'>Drop the corrections</a>"
            text = f"{escape(corrections_again(self._name, self._choices))} {link}"
        self.corrections.set_message("info", text)

    def _show_suspicion(self, examined: Examined) -> None:
        found, colour = examined.partners, current_theme().palette.link
        if not found.suspicion:
            self.suspicion.set_message("caution", "")
            return
        link = f"<a href='unit' style='color: {colour}'>Read as {escape(found.suspected_unit)}</a>"
        self.suspicion.set_message("caution", f"{escape(found.suspicion)} {link}")

    @Slot(float, str)
    def _show_progress(self, fraction: float, sentence: str) -> None:
        self.progress.setValue(round(1000 * fraction))
        self.progress.setToolTip(sentence)
        self.progress.setAccessibleDescription(sentence)

    @Slot(str)
    def _show_failure(self, text: str) -> None:
        self._failure = text
        self._show_state()

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        self.help_button.setIcon(themed_icon("help", "muted"))
        self.table.apply_theme(theme)
        self.problems.viewport().update()
        if self._examined is not None:
            self._show_questions(self._examined)
            self._show_state()

    # -- what the user does ---------------------------------------------------------------------------------------

    def choose(self, choices: ImportChoices) -> None:
        """Go over to other choices; what follows from them is worked out beside the window."""
        self._choices = choices
        self._failure = ""
        self.preview_job.ask(choices)
        self._show_state()

    def _with_column(self, number: int, **choice: object) -> None:
        if self._examined is None:
            return
        heading = self._examined.raw.headings[number]
        self.choose(self._choices.with_column(ColumnChoice(number, heading, **choice)))  # type: ignore[arg-type]

    @Slot(object)
    def _choose_options(self, options: ReadOptions) -> None:
        self.choose(replace(self._choices, options=options))

    @Slot(int, str)
    def _choose_role(self, number: int, role: str) -> None:
        self._with_column(number, role=role)
        if role in ("measured", "md") and self._examined is not None:
            self.table.show_values_of(self._examined.raw.headings[number])

    @Slot(int, str)
    def _choose_unit(self, number: int, unit: str) -> None:
        self._with_column(number, unit=unit)

    @Slot(int, str)
    def _choose_property(self, number: int, key: str) -> None:
        self._with_column(number, quantity=find_property(key))

    @Slot(int)
    def _ask_for_unit(self, number: int) -> None:
        if self._examined is None:
            return
        column = self._examined.roles.columns[number]
        box = self.table.heads.boxes_of(number)[1]
        place = QRect(box.mapToGlobal(box.rect().topLeft()), box.size())
        prompt = TextPrompt(f"Unit of {shortened(column.heading)}, as in J/(g K)", column.unit, "Use", self)
        prompt.setProperty("column", number)
        prompt.entered.connect(self._take_unit)
        prompt.open_at(place)

    @Slot(str)
    def _take_unit(self, text: str) -> None:
        prompt = self.sender()
        if isinstance(prompt, TextPrompt):
            self._choose_unit(int(prompt.property("column")), text.strip())

    @Slot(int, str, str, object)
    def _ask_for_cell(self, line: int, heading: str, text: str, place: QRect) -> None:
        units = self._examined.roles.first("smiles") if self._examined is not None else None
        kind = StructurePrompt if units is not None and units.heading == heading else TextPrompt
        prompt = kind(f"{shortened(heading)}, line {line}", text, "Use", self)
        prompt.setProperty("cell", (line, heading))
        prompt.entered.connect(self._take_cell)
        prompt.open_at(place)

    @Slot(str)
    def _take_cell(self, text: str) -> None:
        prompt = self.sender()
        if isinstance(prompt, TextPrompt):
            line, heading = prompt.property("cell")
            self.choose(self._choices.with_edit(int(line), str(heading), text))

    @Slot(int, object, object)
    def _take_way_out(self, line: int, way: WayOut, place: QRect) -> None:
        if way.at_once:
            self.choose(self._choices.with_edit(line, way.column, way.text))
        else:
            self._ask_for_cell(line, way.column, way.text, place)

    @Slot(str)
    def _answer(self, kind: str) -> None:
        if kind in ("measured", "md"):
            self.choose(replace(self._choices, kind=kind))  # type: ignore[arg-type]
        elif kind.startswith(_COLUMN):
            self.table.show_types_of(int(kind.removeprefix(_COLUMN)))

    @Slot(str)
    def _correct_unit(self, _address: str) -> None:
        if self._examined is not None and self._examined.partners.suspected_unit:
            self._choose_unit(self._examined.partners.column, self._examined.partners.suspected_unit)

    @Slot(str)
    def _drop_corrections(self, _address: str) -> None:
        self.choose(self._choices.uncorrected())

    @Slot()
    def _import(self) -> None:
        examined = self._examined
        if examined is None or not self.import_button.isEnabled():
            return
        self.import_wanted.emit(examined, self.remember.isChecked())
        self.accept()

    @Slot()
    def _toggle_help(self) -> None:
        """Show the explanation above the table, or hide it."""
        if self._help is None:
            self._help = label(HELP, "note-text", wrap=True)
            self._help.setObjectName("importHelpText")
            self._content.insertWidget(0, self._help)
            return
        self._help.setVisible(not self._help.isVisible())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter imports from anywhere; Enter alone does what the part with the focus does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier or self.focusWidget() is self.import_button:
                self._import()
            return
        super().keyPressEvent(event)


class ShareBar(QWidget):
    """How many of the rows will be used, as a bar; the number stands above it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("shareBar")
        self.setFixedHeight(12)
        self.setMaximumWidth(220)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._share = 0.0

    def show_share(self, used: int, total: int) -> None:
        """Show ``used`` of ``total`` rows."""
        self._share = used / total if total else 0.0
        self.setAccessibleName(f"{used} of {total} rows will be used")
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of the picture."""
        return QSize(220, 12)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bar."""
        theme = current_theme()
        painter = QPainter(self)
        room = self.rect().adjusted(0, 0, -1, -2)
        painter.fillRect(room, theme.colour("bad_tint" if self._share < 1 else "accent"))
        painter.fillRect(
            QRect(room.left(), room.top(), round(room.width() * self._share), room.height()), theme.colour("accent")
        )
        painter.setPen(theme.colour("border"))
        painter.drawRect(room)
        painter.end()


def _rows(count: int) -> str:
    return f"{count:,} {'row' if count == 1 else 'rows'}"


def _lines_before(lines: list[int]) -> str:
    if len(lines) == 1:
        return f"Line {lines[0]} comes before the table and is skipped."
    if len(lines) == 2:
        return f"Lines {lines[0]} and {lines[1]} come before the table and are skipped."
    return f"Lines {lines[0]} to {lines[-1]} come before the table and are skipped."
