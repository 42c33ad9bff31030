"""The data dock: loaded tables, what matched, and the table of polymers."""

from collections.abc import Iterator
from html import escape
from typing import get_args

from PySide6.QtCore import QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QPushButton, QTabBar, QVBoxLayout, QWidget

from affinecal_gui.study.md_origin import MD_ORIGINS, MDOrigin
from affinecal_gui.study.shown.next_measurements import measurement_sentence, percent_text, what_the_list_is
from affinecal_gui.study.snapshot import RowState, Snapshot
from affinecal_gui.ui.parts.quiet_inputs import QuietComboBox
from affinecal_gui.ui.parts.selectable import make_selectable
from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme, icon
from affinecal_gui.ui.parts.widgets.info_line import InfoLine
from affinecal_gui.ui.parts.widgets.labels import ElidedLabel, label, rule
from affinecal_gui.ui.parts.widgets.tool_buttons import ThemedToolButton
from affinecal_gui.ui.running.in_steps import take_all
from affinecal_gui.ui.views.polymers.advice_line import AdviceLine
from affinecal_gui.ui.views.polymers.data_summary import DataSummary
from affinecal_gui.ui.views.polymers.filter_field import FilterField
from affinecal_gui.ui.views.polymers.forecast_section import ForecastSection
from affinecal_gui.ui.views.polymers.table.polymer_order import Group
from affinecal_gui.ui.views.polymers.table.polymer_table import PolymerTableView
from affinecal_gui.ui.views.polymers.tables_list import TablesList

GROUPS: tuple[Group, ...] = get_args(Group)
TAB_TITLES: dict[Group, str] = {"measured": "Measured", "predicted": "Predicted", "next": "Measure next"}
SHORT_TITLES: dict[Group, str] = {**TAB_TITLES, "next": "Next"}
SHORT_BELOW = 430  # pixels of width: below, the tabs have their short titles
ALL_STATES = "All states"
UNMATCHED: RowState = "no MD value"
WORDS_FROM = 330  # pixels of width: below, the button of the columns says how many only
STATES_SHARE = 0.4  # of the width of the panel, which the box of states takes at most

_ORIGIN_COUNTS: dict[MDOrigin, str] = {
    "simulated": "{} with a simulated MD value",
    "predicted MD": "{} with a predicted MD value",
    "no MD used": "{} calibrated without MD",
}

_STATE_COUNTS: dict[RowState, str] = {
    "used": "{} used",
    "left out": "{} left out",
    "no MD value": "{} without an MD value",
    "predicted": "{} predicted",
    "invalid": "{} invalid",
    "waiting": "{} not calibrated yet",
}


class DataPanel(QWidget):
    """Shows a snapshot's data; every wish goes out as a signal."""

    selected = Signal(str)  # key of a polymer
    leave_out_toggled = Signal(object)  # tuple of row keys
    table_removed = Signal(str)  # key of a table
    adjust_wanted = Signal(str)  # key of a table whose reading is to be looked at
    match_report_requested = Signal()
    bundled_md_wanted = Signal()
    predicted_md_wanted = Signal()  # of the measured polymers that nobody simulated
    set_aside_wanted = Signal(str)  # key of a table of simulations of which some failed a check
    note_wanted = Signal(str, QRect)  # key of the row that the user wants to write about, and its place on the screen
    export_requested = Signal(str)  # "predictions", or "next" for the list of suggestions
    forecast_wanted = Signal()
    settings_changed = Signal(object)  # Settings

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("dataPanel")
        self.setAccessibleName("Data")
        self._snapshot = Snapshot()
        self._selected = ""
        self._wanted: Group = "measured"  # list chosen last, also while it is empty
        self._shows_unmatched = False  # since somebody asked for those without an MD value
        self.tables = TablesList()
        self.summary = DataSummary()
        self.tabs = QTabBar()
        self.copy_button = ThemedToolButton("copy", "Copy this list")
        self.export_button = ThemedToolButton("export", "")
        self._purpose = InfoLine("info", note=True)
        self.advice = AdviceLine()
        self.forecast = ForecastSection()
        self.filter = FilterField()
        self.states = QuietComboBox()
        self.columns = QPushButton()
        self.table = PolymerTableView()
        self._reason = InfoLine("info", note=True)
        self._footer = ElidedLabel(kind="muted")
        self._hint = label("Space leaves a row out", "muted")
        self._set_up()
        self._arrange()
        self._connect()
        self.show_snapshot(self._snapshot)

    def _set_up(self) -> None:
        self._purpose.setObjectName("measureNextPurpose")
        self._purpose.setContentsMargins(8, 6, 8, 6)
        self.copy_button.setObjectName("copyListButton")
        self.export_button.setObjectName("exportListButton")
        make_selectable(self._reason, self._purpose)
        self.tabs.setObjectName("polymerTabs")
        self.tabs.setAccessibleName("Measured or predicted polymers, or those to measure next")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideRight)  # rather than make the panel wide
        self.tabs.setStyleSheet("QTabBar::tab:last { margin-right: 0; }")
        for group in GROUPS:
            self.tabs.addTab(TAB_TITLES[group])
        self.filter.setObjectName("polymerFilter")
        self.filter.setAccessibleName("Filter polymers by name, id, SMILES or a part of the structure")
        self.filter.setToolTip(
            "Every word must be found: in name, id or SMILES, or, written as SMARTS or SMILES, in the structure: c1ccccc1 "
            "finds every polymer with a benzene ring, C(=O)O every ester and acid."
        )
        self.filter.setPlaceholderText("Filter by name, id or structure")
        self.filter.setClearButtonEnabled(True)
        self.filter.setMinimumWidth(72)
        self._filter_icon = self.filter.addAction(
            icon("filter", current_theme().palette, "muted"), QLineEdit.ActionPosition.LeadingPosition
        )
        self.states.setObjectName("stateFilter")
        self.states.setAccessibleName("State of the polymers shown")
        self.states.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.states.setMinimumContentsLength(1)
        self.columns.setObjectName("columnChooser")
        self.columns.setToolTip("Choose columns")
        self._footer.setObjectName("dataFooter")
        self._reason.setObjectName("stateReason")
        self._reason.setContentsMargins(8, 5, 8, 5)
        self._hint.setToolTip("Space leaves the selected polymers out of the fit, or takes them back in")

    def _arrange(self) -> None:
        head = QVBoxLayout()
        head.setContentsMargins(8, 8, 8, 4)
        head.setSpacing(4)
        head.addWidget(self.tables)
        head.addSpacing(4)
        head.addWidget(self.summary)
        head.addSpacing(2)

        tabs = QHBoxLayout()
        tabs.setContentsMargins(8, 0, 8, 0)
        tabs.addWidget(self.tabs, 1)  # the chosen tab is bold, and wider than the bar knew when it was laid out

        self._list = QWidget()
        set_kind(self._list, "view")
        self._list.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        filters = QHBoxLayout()
        filters.setContentsMargins(8, 6, 8, 6)
        filters.setSpacing(6)
        filters.addWidget(self.filter, 1)
        filters.addWidget(self.states)
        filters.addWidget(self.columns)
        body = QVBoxLayout(self._list)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addWidget(rule())
        body.addWidget(self.advice)
        body.addWidget(self._purpose)
        body.addWidget(self.forecast)
        body.addLayout(filters)
        body.addWidget(rule())
        body.addWidget(self.table, 1)

        foot = QHBoxLayout()
        foot.setContentsMargins(8, 0, 4, 0)
        foot.setSpacing(8)
        foot.addWidget(self._footer, 1)
        foot.addWidget(self._hint)
        tools = QHBoxLayout()
        tools.setSpacing(2)
        for button in (self.copy_button, self.export_button):
            set_kind(button, "dock")
            tools.addWidget(button)
        foot.addLayout(tools)
        self._foot = QWidget()
        self._foot.setFixedHeight(24)
        self._foot.setLayout(foot)

        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addLayout(head)
        box.addLayout(tabs)
        box.addWidget(self._list, 1)
        box.addWidget(rule())
        box.addWidget(self._reason)
        box.addWidget(self._foot)

    def _connect(self) -> None:
        self.tables.table_removed.connect(self.table_removed)
        self.tables.adjust_wanted.connect(self.adjust_wanted)
        self.summary.adjust_wanted.connect(self.adjust_wanted)
        self.summary.match_report_requested.connect(self.match_report_requested)
        self.summary.bundled_md_wanted.connect(self.bundled_md_wanted)
        self.summary.predicted_md_wanted.connect(self.predicted_md_wanted)
        self.summary.set_aside_wanted.connect(self.set_aside_wanted)
        self.tabs.currentChanged.connect(self._change_list)
        self.filter.textChanged.connect(self._apply_filter)
        self.filter.emptied.connect(self._go_to_list)
        self.states.currentIndexChanged.connect(self._apply_filter)
        self.states.currentIndexChanged.connect(self._fit_states)
        self.states.activated.connect(self._choose_state)
        self.columns.clicked.connect(self._show_column_menu)
        self.copy_button.clicked.connect(self.table.copy_all)
        self.export_button.clicked.connect(self._ask_for_file)
        self.table.columns.changed.connect(self._label_columns)
        self.table.arranged.connect(self._label_list)
        self.table.text_typed.connect(self._filter_by)
        self.table.leave_out_toggled.connect(self.leave_out_toggled)
        self.table.note_wanted.connect(self.note_wanted)
        self.table.selected.connect(self._announce_selection)
        self.forecast.wanted.connect(self.forecast_wanted)
        self.advice.settings_changed.connect(self.settings_changed)

    # What is shown

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the data of a snapshot; filter, order, selection and scroll position stay."""
        take_all(self.show_in_steps(snapshot))

    def show_in_steps(self, snapshot: Snapshot) -> Iterator[None]:
        """Do what :meth:`show_snapshot` does, and stop where the next event may come first."""
        self._snapshot = snapshot
        self.tables.show_snapshot(snapshot)
        yield
        self.table.show_snapshot(snapshot)
        yield
        self._count_tabs()
        self._offer_states()
        self._apply_filter()
        self._say_counts()
        self._say_why()
        self._say_what_the_list_is()
        self.advice.show_snapshot(snapshot)
        yield
        self.summary.show_snapshot(snapshot)

    @Slot(bool)
    def show_predicting(self, predicting: bool) -> None:
        """Say whether values of the polymers without an MD value are on their way."""
        self.summary.show_predicting(predicting)

    def show_selection(self, key: str) -> None:
        """Select a polymer here as well; the other list is shown if it is there.

        The polymer that is selected already, as after every new result, leaves the list as the user chose it.
        """
        is_another, self._selected = key != self._selected, key
        group = self.table.polymer_model.group_of_key(key)
        if is_another and group is not None and group != self.group:
            self.tabs.setCurrentIndex(GROUPS.index(group))
        self.table.show_selection(key)
        self._say_why()

    def show_unmatched(self) -> None:
        """Show the measured polymers that have no MD value, each with its reason."""
        self.tabs.setCurrentIndex(GROUPS.index("measured"))
        self.filter.clear()
        position = self.states.findData(UNMATCHED)
        if position >= 0:
            self._shows_unmatched = True
            self.states.setCurrentIndex(position)
        self.table.setFocus()

    @Slot()
    def show_matched_again(self) -> None:
        """Show every state again after :meth:`show_unmatched`, unless the user has chosen a state since."""
        if self._shows_unmatched and self.states.currentData() == UNMATCHED:
            self.states.setCurrentIndex(0)
        self._shows_unmatched = False

    @Slot()
    def _choose_state(self) -> None:
        self._shows_unmatched = False

    def focus_filter(self) -> None:
        """Put the keyboard into the filter."""
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filter.selectAll()

    @Slot(str)
    def _filter_by(self, text: str) -> None:
        """Go on typing in the filter."""
        self.filter.setFocus(Qt.FocusReason.OtherFocusReason)
        self.filter.insert(text)

    @Slot()
    def _go_to_list(self) -> None:
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def group(self) -> Group:
        """The list that is shown."""
        return GROUPS[max(self.tabs.currentIndex(), 0)]

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        self._filter_icon.setIcon(icon("filter", theme.palette, "muted"))
        self.summary.apply_theme(theme)
        self.advice.apply_theme(theme)
        self.tables.apply_theme(theme)
        self.forecast.apply_theme(theme)
        self.table.apply_theme(theme)

    @property
    def is_drawing(self) -> bool:
        """Whether pictures of visible rows are still to come."""
        return self.table.is_drawing

    def close_thumbnails(self) -> bool:
        """Stop drawing pictures for good; returns whether the drawing thread ended in time."""
        return self.table.close_thumbnails()

    def minimumSizeHint(self) -> QSize:
        """Return the smallest size at which structure, name, measured, calibrated value and residual are legible."""
        return QSize(300, 260)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Drop the hint where it would crowd out the counts, and shorten the tabs where they would be cut off."""
        super().resizeEvent(event)
        self._fit_states()
        self._label_columns()
        self._place_hint()
        self._title_tabs()

    # Words

    def _count_tabs(self) -> None:
        """Write the counts; a list without polymers cannot be chosen, and gives way to the other one."""
        model = self.table.polymer_model
        counts = [model.count(group) for group in GROUPS]
        wanted = GROUPS.index(self._wanted)
        filled = [number for number, count in enumerate(counts) if count]
        shown = wanted if wanted in filled or not filled else filled[0]
        self.tabs.blockSignals(True)  # disabling the current tab would make Qt choose another one
        for number in range(len(GROUPS)):
            self.tabs.setTabEnabled(number, True)
        self.tabs.setCurrentIndex(shown)
        for number, count in enumerate(counts):
            self.tabs.setTabEnabled(number, bool(count) or number == shown)
        self.tabs.blockSignals(False)
        self._title_tabs()

    def _title_tabs(self) -> None:
        """Write title and count of every list, shorter in a narrow panel."""
        titles = SHORT_TITLES if self.width() < SHORT_BELOW else TAB_TITLES
        for number, group in enumerate(GROUPS):
            text = f"{titles[group]}  {self.table.polymer_model.count(group):,}"
            if self.tabs.tabText(number) != text:
                self.tabs.setTabText(number, text)
            self.tabs.setTabToolTip(number, "" if titles is TAB_TITLES else TAB_TITLES[group])

    def _offer_states(self) -> None:
        """List the states that occur, with their counts; the chosen one stays while it occurs."""
        chosen = self.states.currentData()
        counts = self.table.polymer_model.state_counts(self.group)
        self.states.blockSignals(True)
        self.states.clear()
        self.states.addItem(ALL_STATES, None)
        for state, count in counts.items():
            self.states.addItem(_STATE_COUNTS[state].format(f"{count:,}"), state)
        origins = self.table.polymer_model.origin_counts(self.group)
        if len(origins) > 1:  # else all values have the same
            for origin, count in origins.items():
                self.states.addItem(_ORIGIN_COUNTS[origin].format(f"{count:,}"), origin)
        self.states.setCurrentIndex(max(self.states.findData(chosen), 0))
        self.states.blockSignals(False)
        self._fit_states()
        texts = (self.states.itemText(position) for position in range(self.states.count()))
        widest = max(self.states.fontMetrics().horizontalAdvance(text) for text in texts)
        self.states.view().setMinimumWidth(widest + 30)  # the list may be wider than the closed box
        self.states.setEnabled(self.states.count() > 2)
        self.states.setVisible(self.group != "next")

    @Slot()
    def _fit_states(self) -> None:
        """Make the box as wide as the state that is chosen, as far as the panel has room beside the filter."""
        words = self.states.fontMetrics()
        least = words.horizontalAdvance(ALL_STATES) + 44
        wanted = words.horizontalAdvance(self.states.currentText()) + 44
        self.states.setMinimumWidth(max(least, min(wanted, round(STATES_SHARE * self.width()))))

    def _say_what_the_list_is(self) -> None:
        """Explain the list of suggestions above it, and say what the buttons do with the list that is shown."""
        suggestions = self.group == "next"
        self._purpose.set_message("info", escape(what_the_list_is(self._snapshot)) if suggestions else "")
        self.forecast.show_snapshot(self._snapshot)
        self.forecast.setVisible(suggestions and self._snapshot.calibration is not None)
        has_values = self._snapshot.calibration is not None or self._snapshot.corrected is not None
        self.export_button.setEnabled(has_values)
        tip = "Save this list as CSV…" if suggestions else "Save the calibrated values as CSV…"
        self.export_button.set_icon_name("export", tip)

    def _say_why(self) -> None:
        """Write out why the selected polymer is in its state; the column has room for a word only.

        Of a suggestion, what measuring it would do.
        """
        row = self._snapshot.row(self._selected) if self._selected else None
        reason = self._snapshot.told_of(row) if row is not None else ""
        suggestion = self.table.polymer_model.suggestion(self._selected) if self.group == "next" else None
        if suggestion is not None:
            reason = measurement_sentence(self._snapshot, suggestion)
        self._reason.set_message("caution" if row is not None and row.state == "invalid" else "info", escape(reason))

    def _say_counts(self) -> None:
        """Count the polymers of the list: those shown while a filter is set, else those in each state."""
        model = self.table.polymer_model
        if model.filter.is_narrowing:
            if not model.is_arranging:  # else the rows are still those of the filter before
                self._footer.setText(f"{model.rowCount():,} of {model.count(self.group):,} shown")
                self._place_hint()
            return
        counts = self.table.polymer_model.state_counts(self.group)
        suggestions = self.table.polymer_model.suggestions
        if self.group == "next" and suggestions:
            in_all = percent_text(suggestions[-1].narrower_in_all)
            count = f"{len(suggestions)} suggested"
            self._footer.set_wordings(
                f"{count}; all measured: mean interval {in_all} % narrower",
                f"{count}; in all {in_all} % narrower",
                count,
            )
            self._place_hint()
            return
        self._footer.setText(", ".join(_STATE_COUNTS[state].format(f"{count:,}") for state, count in counts.items()))
        self._place_hint()

    def _place_hint(self) -> None:
        words = self._footer.fontMetrics().horizontalAdvance(self._footer.text())
        tools = self.copy_button.sizeHint().width() + self.export_button.sizeHint().width()
        enough = words + self._hint.sizeHint().width() + tools + 40 <= self.width()
        self._hint.setVisible(enough and self.group == "measured" and bool(self._snapshot.rows))

    @Slot()
    def _label_list(self) -> None:
        """Say how many rows are shown now and what can be done with them."""
        self._label_columns()
        self._say_counts()
        self.copy_button.setEnabled(self.table.polymer_model.rowCount() > 0)

    @Slot()
    def _label_columns(self) -> None:
        """Say how many columns are shown, once any is hidden."""
        shown, offered = len(self.table.columns.shown()), len(self.table.columns.offered())
        text = f"{shown} of {offered} columns"
        self.columns.setText(text if self.width() >= WORDS_FROM else f"{shown} of {offered}")
        self.columns.setAccessibleName(f"Choose columns, {text} shown")
        self.columns.setVisible(shown < offered or self.table.columns.chosen is not None)
        self.filter.setPlaceholderText(
            "Filter" if self.columns.isVisibleTo(self) else "Filter by name, id or structure"
        )

    # What the user does

    @Slot()
    def _change_list(self) -> None:
        self._wanted = self.group
        self._offer_states()
        self._apply_filter()
        self._say_counts()
        self._say_what_the_list_is()
        if self._selected:
            self.table.show_selection(self._selected)
        self._say_why()

    @Slot()
    def _apply_filter(self) -> None:
        chosen = self.states.currentData() if self.group != "next" else None
        state, origin = (None, chosen) if chosen in MD_ORIGINS else (chosen, None)
        self.table.set_filter(self.group, self.filter.text(), state, origin)

    @Slot()
    def _show_column_menu(self) -> None:
        menu = self.table.columns.menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.columns.mapToGlobal(self.columns.rect().bottomLeft()))

    @Slot()
    def _ask_for_file(self) -> None:
        self.export_requested.emit("next" if self.group == "next" else "predictions")

    @Slot(str)
    def _announce_selection(self, key: str) -> None:
        self._selected = key
        self._say_why()
        self.selected.emit(key)
