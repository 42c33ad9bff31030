"""Screening a library: what to screen and by what, how far it is, how the values lie, and the best so far."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QTabWidget,
    QWidget,
)

from affinecal_gui.errors import UserError
from affinecal_gui.study.describing.pace import duration_words, rate_words
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tasks.screening.next_steps import FURTHER, MOST_FURTHER, NextStep, StepsWanted
from affinecal_gui.tasks.screening.results.so_far import Candidate, FoundSoFar
from affinecal_gui.tasks.screening.results.trade_off import TradeOffSoFar
from affinecal_gui.ui.dialogs.dialog_desk import StayingDialog
from affinecal_gui.ui.dialogs.screening.candidates_table import CandidatesTable
from affinecal_gui.ui.dialogs.screening.screen_job import BEGIN_ANEW, ScreeningChoice, ScreeningNews
from affinecal_gui.ui.dialogs.screening.steps_table import StepsTable
from affinecal_gui.ui.dialogs.screening.wish import Wish
from affinecal_gui.ui.dialogs.screening.wish_rows import WishRows
from affinecal_gui.ui.parts.dialog_layout import below_each_other, lay_out_dialog, side_by_side
from affinecal_gui.ui.parts.first_size import fit_to_screen
from affinecal_gui.ui.parts.quiet_inputs import QuietSpinBox
from affinecal_gui.ui.parts.selectable import make_selectable
from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.parts.typed_number import typed_number
from affinecal_gui.ui.parts.widgets.info_line import InfoKind, InfoLine
from affinecal_gui.ui.parts.widgets.labels import label
from affinecal_gui.ui.parts.widgets.segmented_buttons import SegmentedButtons
from affinecal_gui.ui.views.plots.line_chart import ChartLine, LineChart

FIRST_SIZE = QSize(900, 720)
SMALLEST = QSize(700, 560)
MOST_LISTED = 10_000
USUALLY_LISTED = 100
LOWEST_TRADE_OFF = 120  # pixels
_NO_LIBRARY = "Choose the library first: a table of repeat units, or a folder of Parquet files."
_NO_FOLDER = "Choose a folder for the results first."
_NO_BOUND = "Say what is wished first: at least, at most or between."
_NOTHING_WISHED = "Say what is wished first: next steps are chosen by what they bring towards it."


class ScreenDialog(StayingDialog):
    """Stays open beside the window. Nothing is done here: the desk that opened it screens, and writes files."""

    start_wanted = Signal(object)  # ScreeningChoice
    cancel_wanted = Signal()
    library_wanted = Signal()  # a file
    library_folder_wanted = Signal()
    output_wanted = Signal()
    calibrator_wanted = Signal()  # of another property
    jobs_wanted = Signal(object)  # list of Candidate
    study_wanted = Signal(object)  # list of Candidate, which are to become part of the study
    folder_wanted = Signal(object)  # Path of the results

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("screenDialog")
        self.setWindowTitle("Screen a library")
        self.setSizeGripEnabled(True)
        fit_to_screen(self, SMALLEST, FIRST_SIZE)
        self.found: FoundSoFar | None = None
        self._output: Path | None = None  # of what is shown
        self._title = ""
        self._is_running = False
        self.calibrator = label("", "strong", wrap=True)
        self.calibrator.setObjectName("screeningCalibrator")
        self.library = QLineEdit()
        self.library.setPlaceholderText("CSV, TSV, also packed, or Parquet; or a folder of Parquet files")
        self.output = QLineEdit()
        self.output.setPlaceholderText("A folder, which is made if it is missing")
        self.top = QuietSpinBox()
        self.top.setRange(1, MOST_LISTED)
        self.top.setValue(USUALLY_LISTED)
        self.direction = SegmentedButtons((("high", "Highest"), ("low", "Lowest")), "Which are the best")
        self.ranked_by = SegmentedButtons(
            (("value", "Value"), ("bound", "Lower bound"), ("probability", "Probability")), "By what they are ranked"
        )
        self.wishes = WishRows()
        self.add_button = QPushButton("Add calibrator…")
        self.add_button.setToolTip("Screen with the calibrator file of another property as well")
        self.with_steps = QCheckBox("List next steps")
        self.with_steps.setToolTip("What to measure and to simulate next to find polymers that meet the wishes")
        self.cost_measuring, self.cost_simulating = QLineEdit("1"), QLineEdit("1")
        for field in (self.cost_measuring, self.cost_simulating):
            field.setFixedWidth(56)
        self.further = QuietSpinBox()
        self.further.setRange(0, MOST_FURTHER)
        self.further.setValue(FURTHER)
        self.further.setToolTip("Measurements that will be made after the next step: how far it looks ahead")
        self.begin_anew = QCheckBox(BEGIN_ANEW)
        self.begin_anew.setToolTip(
            "Replace what the folder holds; otherwise a screening that was stopped goes on there"
        )
        self.message = InfoLine("info")
        self.progress = QProgressBar()
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("Screening the library")
        self.pace = label("", "muted")
        self.histogram = LineChart("Distribution of the values", 1)
        self.table, self.steps_table = CandidatesTable(), StepsTable()
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.table, "The best")
        self.tabs.addTab(self.steps_table, "Next steps")
        self.trade_off = LineChart("How two properties go against each other", 3, LOWEST_TRADE_OFF)
        self._has_trade_off = self.tabs.addTab(self.trade_off, "Trade-off")
        self.tabs.setTabVisible(self._has_trade_off, False)  # without a second property there is none
        self.file_button = QPushButton("File…")
        self.library_folder_button = QPushButton("Folder…")
        self.output_button = QPushButton("Folder…")
        self.jobs_button = QPushButton("Save as RadonPy jobs…")
        self.jobs_button.setToolTip(
            "The selected polymers, or all, that nobody has simulated, as RadonPy's input_data.csv"
        )
        self.study_button = QPushButton("Add to study")
        self.study_button.setToolTip(
            "The selected polymers, or all, whose MD values the library has, as a table of MD values"
        )
        self.open_button = QPushButton("Open folder")
        self.cancel_button = QPushButton("Cancel")
        self.start_button = QPushButton("Start")
        self.close_button = QPushButton("Close")
        set_kind(self.start_button, "primary")
        self._name_parts()
        make_selectable(self.message)
        self._arrange()
        self._connect()
        self._show_state()
        self.show_found(None)
        self.library.setFocus()

    def _name_parts(self) -> None:
        for name, accessible, part in (
            ("screenedLibrary", "Library", self.library),
            ("screeningOutput", "Folder of the results", self.output),
            ("screeningTop", "How many of the best are listed", self.top),
            ("screeningDirection", "Which are the best", self.direction),
            ("screeningRankedBy", "By what they are ranked", self.ranked_by),
            ("screenAnew", BEGIN_ANEW, self.begin_anew),
            ("addCalibrator", "Add a calibrator of another property", self.add_button),
            ("listSteps", "List next steps", self.with_steps),
            ("costMeasuring", "Cost of measuring a polymer", self.cost_measuring),
            ("costSimulating", "Cost of simulating a polymer", self.cost_simulating),
            ("furtherMeasurements", "Measurements that follow the next step", self.further),
            ("screeningResults", "What was found", self.tabs),
            ("chooseLibraryFile", "Choose the file of the library", self.file_button),
            ("chooseLibraryFolder", "Choose a folder of Parquet files as the library", self.library_folder_button),
            ("chooseOutput", "Choose the folder of the results", self.output_button),
            ("addCandidates", "Add the best polymers to the study", self.study_button),
            ("saveScreeningJobs", "Save as RadonPy jobs", self.jobs_button),
            ("openScreeningFolder", "Open the folder of the results", self.open_button),
            ("cancelScreening", "Cancel the screening", self.cancel_button),
            ("startScreening", "Start the screening", self.start_button),
            ("closeScreening", "Close", self.close_button),
        ):
            part.setObjectName(name)
            part.setAccessibleName(accessible)
            if isinstance(part, QPushButton):
                part.setAutoDefault(False)
        self.message.setObjectName("screeningMessage")
        self.pace.setObjectName("screeningPace")

    def _arrange(self) -> None:
        form = QGridLayout()
        form.setHorizontalSpacing(10)
        form.setVerticalSpacing(8)
        form.setColumnStretch(1, 1)
        for line, text in enumerate(("Calibrator", "Library", "Results in", "Wishes", "The best", "Next steps")):
            form.addWidget(label(text, "muted"), line, 0)
        form.addWidget(self.calibrator, 0, 1, 1, 3)
        for line, parts in enumerate(((self.library, self.file_button, self.library_folder_button),), 1):
            for column, part in enumerate(parts, 1):
                form.addWidget(part, line, column)
        form.addWidget(self.output, 2, 1, 1, 2)
        form.addWidget(self.output_button, 2, 3)
        by = label("by", "muted")
        form.addWidget(self.wishes, 3, 1, 1, 2)
        form.addWidget(self.add_button, 3, 3)
        form.addLayout(side_by_side(self.top, self.direction, by, self.ranked_by, None, self.begin_anew), 4, 1, 1, 3)
        words = [
            label(text, "muted") for text in ("at the cost of", "a measurement,", "a simulation; then", "more measured")
        ]
        costs = side_by_side(
            self.with_steps,
            words[0],
            self.cost_measuring,
            words[1],
            self.cost_simulating,
            words[2],
            self.further,
            words[3],
            None,
            spacing=6,
        )
        form.addLayout(costs, 5, 1, 1, 3)
        running = side_by_side(self.progress, self.cancel_button, wide=self.progress)
        content = below_each_other(form, self.message, running, self.pace, self.histogram, self.tabs, tall=self.tabs)
        lay_out_dialog(
            self,
            content,
            (self.study_button, self.jobs_button, self.open_button),
            (self.close_button, self.start_button),
        )

    def _connect(self) -> None:
        self.file_button.clicked.connect(self.library_wanted)
        self.library_folder_button.clicked.connect(self.library_folder_wanted)
        self.output_button.clicked.connect(self.output_wanted)
        self.direction.chosen.connect(self._name_bound)
        self.add_button.clicked.connect(self.calibrator_wanted)
        self.wishes.changed.connect(self._follow_goal)
        self.with_steps.toggled.connect(self._show_state)
        self.tabs.currentChanged.connect(self._show_state)
        self.tabs.currentChanged.connect(self._show_histogram)
        self.start_button.clicked.connect(self._start)
        self.cancel_button.clicked.connect(self.cancel_wanted)
        self.close_button.clicked.connect(self.close)
        self.jobs_button.clicked.connect(lambda: self.jobs_wanted.emit(self._chosen_to_simulate()))
        self.study_button.clicked.connect(lambda: self.study_wanted.emit(self._shown_table.chosen))
        self.open_button.clicked.connect(lambda: self.folder_wanted.emit(self._output))

    # -- what is chosen -------------------------------------------------------------------------------------------

    def choose_library(self, path: str) -> None:
        """Take a library, and suggest a folder beside it for the results."""
        if path:
            one = Path(path)
            self.library.setText(path)
            stem = one.name.split(".")[0] or one.name
            self.output.setText(str(one.parent / f"{stem} screened"))

    def choose_output(self, path: str) -> None:
        """Take a folder for the results."""
        if path:
            self.output.setText(path)

    @Slot()
    def _start(self) -> None:
        library, output = self.library.text().strip(), self.output.text().strip()
        if not library or not output:
            self.say("caution", _NO_FOLDER if library else _NO_LIBRARY)
            return
        try:
            wishes = self.wishes.wishes
            steps = self._steps_wanted(wishes)
        except UserError as problem:
            self.say("caution", str(problem))
            return
        ranked_by = self.ranked_by.current
        if ranked_by == "probability" and not any(one.is_bound for one in wishes.values()):
            self.say("caution", _NO_BOUND)
            return
        choice = ScreeningChoice(
            Path(library).expanduser(),
            Path(output).expanduser(),
            self.top.value(),
            ranked_by=ranked_by,  # type: ignore[arg-type]  # one of its keys
            highest_first=self.direction.current == "high",
            begin_anew=self.begin_anew.isChecked(),
            wishes=wishes,
            calibrators=self.wishes.added,
            steps=steps,
        )
        self._output = choice.output
        self.start_wanted.emit(choice)

    def _steps_wanted(self, wishes: Mapping[str, Wish]) -> StepsWanted | None:
        """Return what the steps to come cost, None where they are not asked for; raises UserError."""
        if not self.with_steps.isChecked():
            return None
        if not any(one.is_bound or one.goal for one in wishes.values()):
            raise UserError(_NOTHING_WISHED)
        measuring, simulating = (
            typed_number(field.text(), field.accessibleName().lower())
            for field in (self.cost_measuring, self.cost_simulating)
        )
        return StepsWanted(measuring, simulating, self.further.value())

    @Slot()
    def _follow_goal(self) -> None:
        """List the lowest first where they are wished, and the highest where those are."""
        goal = self.wishes.own.kind.currentData()
        if goal in ("high", "low"):
            self.direction.set_current(goal)
            self._name_bound()

    @property
    def _shown_table(self) -> CandidatesTable:
        shown = self.tabs.currentWidget()
        return shown if isinstance(shown, CandidatesTable) else self.table

    def _chosen_to_simulate(self) -> list[Candidate]:
        shown = self._shown_table
        return shown.chosen_to_simulate if isinstance(shown, StepsTable) else shown.chosen

    @Slot(str)
    def _name_bound(self, _direction: str = "") -> None:
        is_high = self.direction.current == "high"
        self.ranked_by.button("bound").setText("Lower bound" if is_high else "Upper bound")

    # -- what is shown --------------------------------------------------------------------------------------------

    def show_calibrator(self, name: str, quantity: Property | None, level: float) -> None:
        """Say with what the next screening is done, and of which property; None where there is nothing to do it with."""
        self.calibrator.setText(name)
        self.wishes.show_own(quantity)
        if not self._is_running and self.found is None:
            title, unit = ("", "") if quantity is None else (quantity.title, quantity.unit)
            self.name_values(title, unit, level)

    def name_values(self, title: str, unit: str, level: float) -> None:
        """Say what the values that are shown are."""
        self._title = f"{title}, {unit}" if unit else title
        self.table.candidates.name_values(unit, level)
        self.steps_table.candidates.name_values(unit, level)

    def begin(self) -> None:
        """Show that a screening is under way, and nothing of the one before."""
        self._is_running = True
        self.begin_anew.setChecked(False)
        self.say("info", "")
        self.progress.setRange(0, 0)  # how far it is shows with the first partition
        self.show_found(None)
        self.show_steps((), "")
        self.show_trade_off(None, "")
        self._show_state()
        self.cancel_button.setFocus()

    def show_news(self, news: ScreeningNews) -> None:
        """Show how far the screening is."""
        if news.found is None:
            self.pace.setText(news.sentence)
        else:
            self.show_found(news.found)
        self.show_trade_off(news.trade_off, news.beside)

    def show_found(self, found: FoundSoFar | None) -> None:
        """Show what was found so far."""
        self.found = found
        self._show_histogram()
        if found is None:
            self.table.show_candidates(())
            self.pace.setText("")
            return
        self.progress.setRange(0, 1000)
        self.progress.setValue(round(1000 * found.rows / max(found.expected, 1)))
        self.pace.setText(_pace_words(found))
        self.table.show_candidates(found.best)
        if not found.with_value:
            return
        x, y = np.repeat(found.edges, 2), np.zeros(2 * len(found.edges))
        y[1:-1] = np.repeat(found.counts, 2)
        told = f"{found.with_value:,} values from {found.edges[0]:g} to {found.edges[-1]:g}"
        self.histogram.show_lines((ChartLine(x, y, "accent", filled=True),), self._title, "Rows", told)

    @Slot()
    def _show_histogram(self) -> None:
        """Show the distribution of the values where there are some; the trade-off has its room."""
        has_values = self.found is not None and bool(self.found.with_value)
        self.histogram.setVisible(has_values and self.tabs.currentWidget() is not self.trade_off)

    def show_trade_off(self, found: TradeOffSoFar | None, beside: str) -> None:
        """Show how the values of two properties lie, and which rows none surpasses; ``beside`` is the second title."""
        self.tabs.setTabVisible(self._has_trade_off, found is not None)
        if found is None:
            return
        (x, y), (front_x, front_y) = found.shown.T, found.front.T
        self.trade_off.show_lines(
            (
                ChartLine(x, y, "grey", symbol="o"),
                ChartLine(front_x, front_y, "accent"),
                ChartLine(front_x, front_y, "accent", symbol="o"),
            ),
            self._title,
            beside,
            f"{len(found.front)} rows that none surpasses in both, among {len(found.shown)} rows that are shown",
            from_zero=False,
        )

    def show_steps(self, steps: Sequence[NextStep], of: str) -> None:
        """Show what to do next; ``of`` follows the names of the columns of the property whose values are shown."""
        self.steps_table.show_steps(steps, of)
        if steps:
            self.tabs.setCurrentWidget(self.steps_table)

    def end(self, kind: InfoKind, sentence: str) -> None:
        """Show how the screening has ended."""
        self._is_running = False
        if self.found is None:
            self.pace.setText("")
        self.say(kind, sentence)
        self._show_state()
        self.start_button.setFocus()

    def say(self, kind: InfoKind, sentence: str) -> None:
        """Tell something in the dialog."""
        self.message.set_message(kind, sentence)

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        self.histogram.apply_theme(theme)
        self.trade_off.apply_theme(theme)
        for table in (self.table, self.steps_table):
            table.viewport().update()

    def close_thumbnails(self) -> None:
        """End the thread that draws pictures."""
        for table in (self.table, self.steps_table):
            table.thumbnails.close()

    def reject(self) -> None:
        """Close; while a screening is under way, stop it instead."""
        if self._is_running:
            self.cancel_wanted.emit()
        else:
            super().reject()

    @Slot()
    def _show_state(self) -> None:
        running = self._is_running
        chosen = (self.library, self.output, self.top, self.direction, self.ranked_by, self.begin_anew, self.wishes)
        for cost in (self.cost_measuring, self.cost_simulating, self.further):
            cost.setEnabled(not running and self.with_steps.isChecked())
        for part in (
            *chosen,
            self.add_button,
            self.with_steps,
            self.file_button,
            self.library_folder_button,
            self.output_button,
            self.start_button,
        ):
            part.setEnabled(not running)
        self.close_button.setEnabled(not running)
        self.progress.setVisible(running)
        self.cancel_button.setVisible(running)
        has_found = self.found is not None
        for button in (self.study_button, self.jobs_button):
            button.setEnabled(has_found and not running and bool(self._shown_table.candidates.candidates))
        self.open_button.setEnabled(self._output is not None and self._output.is_dir())


def _pace_words(found: FoundSoFar) -> str:
    """Say how far a screening is, how fast, and how long it will still take."""
    left = found.expected - found.rows
    words = f"{found.rows:,} of about {found.expected:,} rows" if left else f"{found.rows:,} rows"
    words += f", {found.with_value:,} with a value"
    if math.isfinite(found.rate):
        words += f" · {rate_words(found.rate)}"
    if left and math.isfinite(found.seconds_left):
        words += f" · about {duration_words(found.seconds_left)} left"
    return words
