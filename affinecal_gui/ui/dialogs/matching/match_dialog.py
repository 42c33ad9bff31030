"""The matching report: every measured row with what became of it, what can be done, and the rules it followed."""

from dataclasses import replace

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from affinecal_gui.study.shown.matching_content import MatchingContent
from affinecal_gui.study.snapshot import MatchingChoices
from affinecal_gui.tables.matching.combine_rules import COMBINE_TITLES, COMBINE_WORDS
from affinecal_gui.ui.dialogs.dialog_desk import StayingDialog
from affinecal_gui.ui.dialogs.matching.match_detail import MatchDetail
from affinecal_gui.ui.dialogs.matching.match_table import STATE_SIGNS, WITHOUT_PARTNER, MatchTable
from affinecal_gui.ui.parts.dialog_layout import lay_out_dialog
from affinecal_gui.ui.parts.first_size import fit_to_screen
from affinecal_gui.ui.parts.quiet_inputs import QuietComboBox, QuietDoubleSpinBox
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.parts.widgets.info_line import InfoLine
from affinecal_gui.ui.parts.widgets.labels import label
from affinecal_gui.ui.parts.widgets.rows import ControlRow

FIRST_SIZE = QSize(1120, 720)
SMALLEST = QSize(860, 560)
KELVIN = (0.0, 5000.0)
UNKNOWN_PHASE = "not given"


class MatchDialog(StayingDialog):
    """Shows a report; it stays open beside the window while the study changes."""

    choices_changed = Signal(str, object)  # label of the step, MatchingChoices
    link_wanted = Signal(str, str)
    unlink_wanted = Signal(str)
    selected = Signal(str)  # key of a measured row
    export_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("matchDialog")
        self.setWindowTitle("Matching report")
        self.setSizeGripEnabled(True)
        fit_to_screen(self, SMALLEST, FIRST_SIZE)
        self._content: MatchingContent | None = None
        self._only_without = False
        self.summary = label("Comparing the tables…", "summary")
        self.summary.setObjectName("matchReportSummary")
        self.notes = InfoLine("info", note=True)
        self.states = QuietComboBox()
        self.states.setObjectName("matchStates")
        self.states.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.states.setAccessibleName("State of the rows shown")
        self.filter = QLineEdit()
        self.filter.setObjectName("matchFilter")
        self.filter.setAccessibleName("Filter by name, SMILES or reason")
        self.filter.setPlaceholderText("Filter by name, SMILES or reason")
        self.filter.setClearButtonEnabled(True)
        self.filter.setFixedWidth(230)
        self.rule = QuietComboBox()
        self.rule.setObjectName("combineRule")
        self.rule.setAccessibleName("How several reports of one polymer become one value")
        for key, title in COMBINE_TITLES.items():
            self.rule.addItem(title, key)
        self.by_temperature = QCheckBox("Temperatures from")
        self.by_temperature.setObjectName("byTemperature")
        self.by_temperature.setAccessibleName("Use only values measured at some temperatures")
        self.lowest, self.highest = _kelvin("lowestTemperature", "Lowest"), _kelvin("highestTemperature", "Highest")
        self.tolerance = _kelvin("temperatureTolerance", "How far apart temperatures may be: tolerance of")
        self.tolerance.setRange(0.0, 1000.0)
        self.tolerance.setToolTip(
            "A measured value is compared with the MD value whose temperature is nearest, if it is no further away than this."
        )
        self.one_level = QCheckBox("MD sources on one level")
        self.one_level.setObjectName("mdOnOneLevel")
        self.one_level.setAccessibleName("Take away the differences between several sources of MD values")
        self.phases = QPushButton("All phases")
        self.phases.setObjectName("phaseFilter")
        self.phases.setAutoDefault(False)
        self.phase_menu = QMenu(self.phases)
        self.phases.setMenu(self.phase_menu)
        self.table = MatchTable()
        self.detail = MatchDetail()
        self.export_button = QPushButton("Export as CSV…")
        self.export_button.setObjectName("exportMatching")
        self.close_button = QPushButton("Close")
        self.close_button.setObjectName("closeMatching")
        for button in (self.export_button, self.close_button):
            button.setAutoDefault(False)
        self._arrange()
        self._connect()
        self.table.setFocus()

    def _arrange(self) -> None:
        filters = ControlRow((_pair("Show", self.states), self.filter), spacing=14)
        self._temperature = QWidget()
        row = QHBoxLayout(self._temperature)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        for widget in (self.by_temperature, self.lowest, label("to", "muted"), self.highest):
            row.addWidget(widget)
        self._phase_pair = _pair("Phase", self.phases)
        self._tolerance_pair = _pair("MD within", self.tolerance)
        self._rules = ControlRow(
            (
                _pair("Several reports of one polymer", self.rule),
                self._temperature,
                self._tolerance_pair,
                self.one_level,
                self._phase_pair,
            ),
            spacing=22,
        )
        content = QVBoxLayout()
        content.setSpacing(8)
        content.addWidget(self.summary)
        content.addWidget(self.notes)
        content.addWidget(self._rules)
        content.addWidget(filters)
        content.addWidget(self.table, 1)
        content.addSpacing(2)
        self.detail.setFixedHeight(206)
        content.addWidget(self.detail)
        lay_out_dialog(self, content, (self.export_button,), (self.close_button,))

    def _connect(self) -> None:
        self.states.activated.connect(self._apply_filter)
        self.filter.textChanged.connect(self._apply_filter)
        self.rule.activated.connect(self._choose_rule)
        self.by_temperature.clicked.connect(self._choose_temperatures)
        self.lowest.valueChanged.connect(self._choose_temperatures)
        self.highest.valueChanged.connect(self._choose_temperatures)
        self.tolerance.valueChanged.connect(self._choose_tolerance)
        self.one_level.clicked.connect(self._choose_level)
        self.phase_menu.triggered.connect(self._choose_phases)
        self.table.line_selected.connect(self._show_line)
        self.detail.link_wanted.connect(self.link_wanted)
        self.detail.unlink_wanted.connect(self.unlink_wanted)
        self.detail.reports_chosen.connect(self._choose_reports)
        self.export_button.clicked.connect(self.export_wanted)
        self.close_button.clicked.connect(self.close)

    # -- what is shown --------------------------------------------------------------------------------------------

    @property
    def content(self) -> MatchingContent | None:
        """The report that is shown."""
        return self._content

    def show_content(self, content: MatchingContent) -> None:
        """Show another report; filter and selected line stay."""
        line = self.table.current_line
        self._content = content
        self.summary.setText(content.summary)
        several = content.several
        notes = list(content.md_sources)
        if several:
            noun = "polymer has" if several == 1 else "polymers have"
            notes.append(f"{several} measured {noun} several reports; {COMBINE_WORDS[content.choices.rule]} is used.")
        self.notes.set_message("info", " ".join(notes))
        self._show_choices(content)
        self._offer_states(content)
        self.table.show_content(content)
        self.detail.show_content(content)
        self._apply_filter(keep=line.key if line is not None else "")
        self.export_button.setEnabled(bool(content.lines))

    def show_without_partner(self) -> None:
        """Show only the polymers that have no MD value."""
        self._only_without = True
        if self._content is not None:
            self.states.setCurrentIndex(max(self.states.findData(WITHOUT_PARTNER), 0))
            self._apply_filter()

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        self.table.viewport().update()
        self.detail.apply_theme(theme)

    def close_thumbnails(self) -> None:
        """End the thread that draws pictures."""
        self.detail.close_thumbnails()

    def _offer_states(self, content: MatchingContent) -> None:
        chosen = self.states.currentData()
        if self._only_without:
            chosen, self._only_without = WITHOUT_PARTNER, False
        self.states.clear()
        self.states.addItem(f"All rows ({len(content.lines):,})", None)
        without = sum(content.counts.get(state, 0) for state in WITHOUT_PARTNER)
        if without:
            self.states.addItem(f"Without an MD value ({without:,})", WITHOUT_PARTNER)
        for state, (words, _, _) in STATE_SIGNS.items():
            if content.counts.get(state):
                self.states.addItem(f"{words[:1].upper()}{words[1:]} ({content.counts[state]:,})", (state,))
        position = next((i for i in range(self.states.count()) if self.states.itemData(i) == chosen), 0)
        self.states.setCurrentIndex(position)

    def _show_choices(self, content: MatchingContent) -> None:
        choices = content.choices
        self.rule.setCurrentIndex(self.rule.findData(choices.rule))
        self.rule.setToolTip(
            "" if content.several else "No polymer is reported more than once, so the rule makes no difference now."
        )
        self._temperature.setVisible(content.temperatures is not None)
        if content.temperatures is not None:
            shown = choices.temperatures or content.temperatures
            for box, value in ((self.lowest, shown[0]), (self.highest, shown[1])):
                box.blockSignals(True)
                box.setValue(value)
                box.setEnabled(choices.temperatures is not None)
                box.blockSignals(False)
            self.by_temperature.setChecked(choices.temperatures is not None)
        self.one_level.setVisible(bool(content.md_sources))
        self.one_level.setChecked(choices.md_on_one_level)
        self.one_level.setToolTip("\n".join(content.md_sources))
        self._tolerance_pair.setVisible(content.temperatures is not None)
        self.tolerance.blockSignals(True)
        self.tolerance.setValue(choices.temperature_tolerance)
        self.tolerance.blockSignals(False)
        self._phase_pair.setVisible(bool(content.phases))
        self.phase_menu.clear()
        for phase, count in (content.phases or {}).items():
            action = QAction(f"{phase or UNKNOWN_PHASE} ({count:,})", self.phase_menu)
            action.setData(phase)
            action.setCheckable(True)
            wanted = choices.phases is None or phase in choices.phases or (not phase and choices.keep_unknown)
            action.setChecked(wanted)
            self.phase_menu.addAction(action)
        kept = [action for action in self.phase_menu.actions() if action.isChecked()]
        whole = len(kept) == len(self.phase_menu.actions())
        self.phases.setText("All phases" if whole else f"{len(kept)} of {len(self.phase_menu.actions())} phases")

    @Slot(object)
    def _show_line(self, line: object) -> None:
        from affinecal_gui.study.shown.matching_content import ReportLine

        assert line is None or isinstance(line, ReportLine)
        self.detail.show_line(line)
        if line is not None and line.key:
            self.selected.emit(line.key)

    # -- what the user does ---------------------------------------------------------------------------------------

    @Slot()
    def _apply_filter(self, *_: object, keep: str = "") -> None:
        current = self.table.current_line
        key = keep or (current.key if current is not None else "")
        self.table.set_filter(self.states.currentData(), self.filter.text())
        self.table.show_line(self.table.lines.row_of(key))

    @property
    def _choices(self) -> MatchingChoices:
        assert self._content is not None
        return self._content.choices

    @Slot()
    def _choose_rule(self) -> None:
        if self._content is not None and self.rule.currentData() != self._choices.rule:
            chosen = self.rule.currentData()
            label_of_step = f"Use {COMBINE_WORDS[chosen].replace('their', 'the')} of several reports"
            self.choices_changed.emit(label_of_step, replace(self._choices, rule=chosen))

    @Slot(str, object)
    def _choose_reports(self, name: str, counts: object) -> None:
        assert isinstance(counts, dict)
        off = (self._choices.reports_off - counts.keys()) | {key for key, wanted in counts.items() if not wanted}
        if off != self._choices.reports_off:
            self.choices_changed.emit(f"Choose reports of {name}", replace(self._choices, reports_off=frozenset(off)))

    @Slot()
    def _choose_temperatures(self) -> None:
        if self._content is None:
            return
        wanted = None
        if self.by_temperature.isChecked():
            wanted = (self.lowest.value(), max(self.highest.value(), self.lowest.value()))
        if wanted != self._choices.temperatures:
            self.choices_changed.emit("Choose temperatures", replace(self._choices, temperatures=wanted))

    @Slot()
    def _choose_tolerance(self) -> None:
        if self._content is not None and self.tolerance.value() != self._choices.temperature_tolerance:
            wanted = replace(self._choices, temperature_tolerance=self.tolerance.value())
            self.choices_changed.emit("Choose how far apart temperatures may be", wanted)

    @Slot()
    def _choose_level(self) -> None:
        if self._content is not None and self.one_level.isChecked() != self._choices.md_on_one_level:
            wanted = replace(self._choices, md_on_one_level=self.one_level.isChecked())
            self.choices_changed.emit("Bring MD sources to one level", wanted)

    @Slot(QAction)
    def _choose_phases(self, _action: QAction) -> None:
        actions = self.phase_menu.actions()
        kept = {str(action.data()) for action in actions if action.isChecked()}
        if len(kept) == len(actions):
            choices = replace(self._choices, phases=None, keep_unknown=True)
        else:
            has_unknown = any(not action.data() for action in actions)
            unknown = "" in kept if has_unknown else self._choices.keep_unknown
            choices = replace(self._choices, phases=frozenset(kept - {""}), keep_unknown=unknown)
        if choices != self._choices:
            self.choices_changed.emit("Choose phases", choices)


def _pair(title: str, widget: QWidget) -> QWidget:
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(7)
    words = label(title, "muted")
    words.setBuddy(widget)
    row.addWidget(words)
    row.addWidget(widget)
    return holder


def _kelvin(name: str, title: str) -> QuietDoubleSpinBox:
    box = QuietDoubleSpinBox()
    box.setObjectName(name)
    box.setAccessibleName(f"{title} temperature in kelvin")
    box.setRange(*KELVIN)
    box.setDecimals(1)
    box.setSuffix(" K")
    box.setKeyboardTracking(False)
    box.setFixedWidth(92)
    return box
