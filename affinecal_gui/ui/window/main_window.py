"""The main window: where the parts lie, and which wish of which part goes where. Views never talk to each other."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QByteArray, QSettings, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDesktopServices,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QIcon,
    QKeySequence,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QLineEdit,
    QMainWindow,
    QSizePolicy,
    QStackedWidget,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from affinecal_gui import __version__
from affinecal_gui.study.importing.examples import EXAMPLES
from affinecal_gui.study.importing.remembered_choices import RememberedChoices
from affinecal_gui.study.snapshot import Settings, Snapshot
from affinecal_gui.study.stored.study_names import is_calibrator, is_study, with_study_suffix
from affinecal_gui.ui.dialogs.exporting.calibrator_words import calibrator_notice
from affinecal_gui.ui.dialogs.exporting.export_desk import ExportDesk
from affinecal_gui.ui.dialogs.help.help_desk import GLOSSARY, GUIDE, HELP_KEY, METHOD, TUTORIAL, HelpDesk
from affinecal_gui.ui.dialogs.importing.import_desk import ImportDesk
from affinecal_gui.ui.dialogs.matching.match_desk import MatchDesk
from affinecal_gui.ui.parts.kept_choices import kept_choice, read_quietly
from affinecal_gui.ui.parts.theme import PAINTED_ALONE, Theme, ThemeKeeper, icon
from affinecal_gui.ui.parts.view_explanations import EXPLANATIONS
from affinecal_gui.ui.parts.widgets import DockTitleBar
from affinecal_gui.ui.running.collector import MainThreadCollector
from affinecal_gui.ui.running.paint_turns import is_leap, paint_turns
from affinecal_gui.ui.session.dialogs import STUDY_FILTER, Dialogs, NativeDialogs
from affinecal_gui.ui.session.session import Notice, NoticeAction, Session
from affinecal_gui.ui.session.study_keeper import Offers, StudyKeeper
from affinecal_gui.ui.views.polymers.polymer_search import PolymerSearch
from affinecal_gui.ui.views.welcome.entry_list import Entry
from affinecal_gui.ui.views.welcome.welcome_page import WelcomePage
from affinecal_gui.ui.window.arrangement import Arrangement, fit_to_screen
from affinecal_gui.ui.window.log_panel import LogDock, MessageLog
from affinecal_gui.ui.window.maximising import KEY as KEY_OF_MAXIMISING
from affinecal_gui.ui.window.maximising import Maximising
from affinecal_gui.ui.window.message_bar import MessageBar
from affinecal_gui.ui.window.note_desk import NoteDesk
from affinecal_gui.ui.window.status_line import StatusLine
from affinecal_gui.ui.window.study_views import PAIR, StudyViews
from affinecal_gui.ui.window.view_list import LINES, VIEWS, Place
from affinecal_gui.ui.window.warm_up import SENTENCE, WarmUp

if TYPE_CHECKING:  # the views are made behind the first window
    from affinecal_gui.study.shown.inspector_content import InspectorContent
    from affinecal_gui.ui.views.model.model_panel import ModelPanel
    from affinecal_gui.ui.views.plots.coefficient_view import CoefficientView
    from affinecal_gui.ui.views.plots.parity_view import ParityView
    from affinecal_gui.ui.views.plots.residual_view import ResidualView
    from affinecal_gui.ui.views.polymers.data_panel import DataPanel
    from affinecal_gui.ui.views.polymers.inspector import Inspector
    from affinecal_gui.ui.window.view_pair import ViewPair

WORDS_FROM = 1250  # pixels of width: below, the words of the tool bar become tooltips
SHOWN_STUDIES = 3  # on the welcome page; the menu has all
LAYOUT_VERSION = 1  # raise it when docks change, so that a stored layout of before is not forced upon them
AREAS: dict[Place, Qt.DockWidgetArea] = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "bottom": Qt.DockWidgetArea.BottomDockWidgetArea,
}


class MainWindow(QMainWindow):
    """One window, one study."""

    snapshot_shown = Signal(object)  # after every view has taken over a snapshot

    def __init__(
        self,
        themes: ThemeKeeper,
        dialogs: Dialogs | None = None,
        settings: QSettings | None = None,
        study_folder: Path | None = None,
    ) -> None:
        """Make the window; ``study_folder`` takes the place of the user's own for recovery files and recent studies."""
        super().__init__()
        self.setObjectName("mainWindow")
        self.setWindowTitle("AffineCal")
        self.setAcceptDrops(True)
        fit_to_screen(self)
        self._themes = themes
        self._settings = settings if settings is not None else QSettings()
        read_quietly(self._settings)
        self._selected = ""
        self._collector = MainThreadCollector(self)
        self.dialogs: Dialogs = dialogs if dialogs is not None else NativeDialogs(self)
        self.session = Session(self)
        if study_folder is not None:
            self.session.remembered = RememberedChoices(study_folder / "imports.json")
        self.keeper = StudyKeeper(self.session, study_folder, self)
        self.import_desk = ImportDesk(self.session, self.dialogs, self)
        self.note_desk = NoteDesk(self.session, self)
        self.match_desk = MatchDesk(self.session, self.dialogs, self)
        self.export_desk = ExportDesk(self.session, self.dialogs, self._settings, lambda: self.keeper, self)

        self.help_desk = HelpDesk(self.session, self)

        self.polymer_search = PolymerSearch(self.session.study.snapshot, lambda: self._selected, self)

        self.export_desk.show_block_order(self._block_order)

        self._make_views()
        self._make_actions()
        self._connect()
        self._arrange()
        self._first_layout = self.saveState(LAYOUT_VERSION)
        self._restore_layout()
        self._themes.changed.connect(self._apply_theme)
        self._apply_theme(self._themes.theme)
        self._show_snapshot(self.session.study.snapshot())
        self._show_busy(False)

    # -- parts ----------------------------------------------------------------------------------------------------

    def _make_views(self) -> None:
        self.message_bar = MessageBar(self._themes.theme)
        self.welcome_page = WelcomePage()
        self.status_line = StatusLine()
        self.message_log = MessageLog()
        self.study_views = StudyViews(self)
        self.warm_up = WarmUp(self)
        self._themed = (self.message_bar, self.welcome_page, self.status_line)
        self.welcome_page.show_examples(tuple((example.key, example.title, example.subtitle) for example in EXAMPLES))

    @property
    def data_panel(self) -> "DataPanel":
        """The tables, and the list of polymers."""
        return self.study_views.data_panel

    @property
    def parity_view(self) -> "ParityView":
        """Predicted against measured values."""
        return self.study_views.parity_view

    @property
    def residual_view(self) -> "ResidualView":
        """How far predictions are off."""
        return self.study_views.residual_view

    @property
    def coefficient_view(self) -> "CoefficientView":
        """The coefficients of the descriptor blocks."""
        return self.study_views.coefficient_view

    @property
    def inspector(self) -> "Inspector":
        """What there is to say about one polymer."""
        return self.study_views.inspector

    @property
    def model_panel(self) -> "ModelPanel":
        """Target, calibrators, penalties and parameters."""
        return self.study_views.model_panel

    @property
    def views(self) -> "ViewPair":
        """The two plots side by side."""
        return self.study_views.view_pair

    def findChild(self, *arguments: Any, **options: Any) -> Any:
        """Find a part of the window, also one that has not been made yet."""
        self.study_views.make_all()
        return super().findChild(*arguments, **options)

    def _take_in(self, name: str) -> None:
        """Place and connect a view that has just been made."""
        session = self.session
        if name == PAIR:
            self.pages.addWidget(self.views)
        else:
            view = getattr(self.study_views, name)
            view.setProperty(PAINTED_ALONE, True)
            if name in self._docks_of_views:
                self._docks_of_views[name].setWidget(view)
            else:
                view.header.add_tool(self.maximising.add(name, LINES[name].title, view))
        match name:
            case "data_panel":
                self.data_panel.selected.connect(self.select)
                self.data_panel.table.several_selected.connect(self._mark_selected)
                self.data_panel.leave_out_toggled.connect(session.toggle_left_out)
                self.data_panel.table_removed.connect(session.remove_table)
                self.data_panel.adjust_wanted.connect(self.import_desk.adjust)
                self.data_panel.match_report_requested.connect(self._show_match_report)
                self.data_panel.note_wanted.connect(self.note_desk.ask)
                self.data_panel.bundled_md_wanted.connect(session.use_bundled_md)
                self.data_panel.export_requested.connect(self.export_desk.export_list)
            case "model_panel":
                self.model_panel.settings_changed.connect(session.change_settings)
                self.model_panel.leave_out_requested.connect(session.toggle_left_out)
                self.model_panel.export_requested.connect(self.export_desk.open_figures)
                self.model_panel.copy_requested.connect(self.export_desk.copy)
            case "inspector":
                self.inspector.selected.connect(self.select)
                self.inspector.export_requested.connect(lambda: self.export_desk.open_figures("attribution"))
                self.inspector.copy_requested.connect(lambda: self.export_desk.copy("attribution"))
            case "parity_view":
                self.parity_view.set_thumbnail(self.data_panel.table.thumbnail)
                self.parity_view.selected.connect(self.select)
                self.parity_view.several_selected.connect(self.data_panel.table.select_keys)
                self.parity_view.model_chosen.connect(self._choose_model)
                self.parity_view.export_requested.connect(
                    lambda: self.export_desk.open_figures("parity", self.parity_view.figure_options)
                )
                self.parity_view.copy_requested.connect(
                    lambda: self.export_desk.copy("parity", self.parity_view.figure_options)
                )
            case "residual_view":
                view = self.residual_view
                view.set_thumbnail(self.data_panel.table.thumbnail)
                view.selected.connect(self.select)
                view.several_selected.connect(self.data_panel.table.select_keys)
                view.export_requested.connect(lambda: self.export_desk.open_figures("residuals", view.figure_options))
                view.copy_requested.connect(lambda: self.export_desk.copy("residuals", view.figure_options))
            case "coefficient_view":
                self.coefficient_view.export_requested.connect(lambda: self.export_desk.open_figures("coefficients"))
                self.coefficient_view.copy_requested.connect(lambda: self.export_desk.copy("coefficients"))
                self.coefficient_view.block_toggled.connect(self._toggle_block)
                self.coefficient_view.block_factor_chosen.connect(self._choose_block_factor)
                self.coefficient_view.bands_chosen.connect(self._choose_bands)
                self.coefficient_view.order_changed.connect(self._keep_block_order)
                self.coefficient_view.set_order(self._block_order)

    def _arrange(self) -> None:
        self.pages = QStackedWidget()
        self.pages.addWidget(self.welcome_page)
        centre = QWidget()
        self.maximising = Maximising(self, centre, lambda: self.views)
        layout = QVBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.message_bar)
        layout.addWidget(self.pages, 1)
        self.setCentralWidget(centre)

        # The docks at the sides reach from top to bottom; the inspector lies between them.
        self.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        self.setDockNestingEnabled(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self._docks_of_views = {
            line.name: self._dock(line.title, line.dock, AREAS[line.place]) for line in VIEWS if line.place in AREAS
        }
        self.docks = tuple(self._docks_of_views.values())
        for name, dock in self._docks_of_views.items():
            bar = dock.titleBarWidget()
            assert isinstance(bar, DockTitleBar)
            bar.add_tool(self.maximising.add(name, LINES[name].title, dock))
        self.maximising.changed.connect(self._follow_maximising)
        self.data_dock = self._docks_of_views["data_panel"]
        self.model_dock = self._docks_of_views["model_panel"]
        self.inspector_dock = self._docks_of_views["inspector"]
        self._arrangement = Arrangement(self, self.data_dock, self.model_dock, self.inspector_dock)
        self._arrangement.size_docks()
        for dock in self.docks:
            self._view_menu.insertAction(self._reset_layout_action, dock.toggleViewAction())
        self._view_menu.insertSeparator(self._reset_layout_action)
        self.statusBar().addWidget(self.status_line, 1)
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().setContentsMargins(0, 0, 0, 0)

    def _dock(self, title: str, name: str, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self)
        dock.setObjectName(name)
        dock.setAccessibleName(title)
        dock.setTitleBarWidget(DockTitleBar(dock, EXPLANATIONS[name]))
        self.addDockWidget(area, dock)
        return dock

    # -- actions --------------------------------------------------------------------------------------------------

    def _action(
        self, text: str, slot: Callable[[], object], *, icon_name: str = "", keys: object = None, tip: str = ""
    ) -> QAction:
        action = QAction(text, self)
        action.setProperty("iconName", icon_name)
        if keys is not None:
            action.setShortcut(QKeySequence(keys))  # type: ignore[call-overload]
        if tip:
            action.setToolTip(tip)
            action.setStatusTip(tip)
        action.triggered.connect(lambda _checked=False: slot())
        return action

    def _make_actions(self) -> None:
        keys = QKeySequence.StandardKey
        self.new_action = self._action("&New study", self._new_study, icon_name="new", keys=keys.New)
        self.open_action = self._action("&Open tables…", self._open_tables, icon_name="open", keys=keys.Open)
        self.open_study_action = self._action("Open s&tudy…", self._open_study, icon_name="study", keys="Ctrl+Shift+O")
        self.save_action = self._action(
            "&Save study", self._save_study, icon_name="save", keys=keys.Save, tip="Save the study as one file"
        )
        self.save_as_action = self._action("Save study &as…", self._save_study_as, keys="Ctrl+Shift+S")
        self.add_action = self._action("Add data…", self._open_tables, icon_name="add_table")
        self.paste_action = self._action("&Paste table", self._paste_table)
        # A text field with the focus takes the first of them for itself.
        self.paste_action.setShortcuts([*QKeySequence.keyBindings(keys.Paste), QKeySequence("Ctrl+Shift+V")])
        self.match_report_action = self._action("&Matching report…", self._open_match_report, keys="Ctrl+Shift+M")
        self.undo_action = self._action("&Undo", self.session.undo, icon_name="undo", keys=keys.Undo)
        self.redo_action = self._action("&Redo", self.session.redo, icon_name="redo")
        # Desktops differ, and hands remember either.
        self.redo_action.setShortcuts([QKeySequence("Ctrl+Y"), QKeySequence("Ctrl+Shift+Z")])
        self.fit_action = self._action(
            "Calibrate", self.session.calibrate, icon_name="calibrate", keys="F5", tip="Fit and check all calibrators"
        )
        self.cancel_action = self._action("Cancel", self.session.cancel, icon_name="cancel", keys="Esc")
        self.predictions_action = self._action(
            "Predictions…",
            self.export_desk.export_predictions,
            icon_name="predict",
            keys="Ctrl+E",
            tip="Save the calibrated value of every polymer in the MD table as CSV",
        )
        self.coefficients_action = self._action("Coefficients…", self.export_desk.export_coefficients)
        self.measure_next_action = self._action("What to measure next…", self.export_desk.export_measure_next)
        self.workbook_action = self._action("All tables as a workbook…", self.export_desk.export_workbook)
        self.figure_action = self._action(
            "Figure…",
            lambda: self.export_desk.open_figures(),
            icon_name="figure",
            keys="Ctrl+Shift+F",
            tip="Save or copy a figure in the size and format of a journal",
        )
        self.report_action = self._action(
            "Report…", self.export_desk.export_report, icon_name="report", tip="Save a report as PDF or as a web page"
        )
        self.calibrator_action = self._action(
            "Calibrator…",
            self.export_desk.export_calibrator,
            tip="Save the calibrator, with its training polymers, as a file that calibrates other tables",
        )
        self.closed_calibrator_action = self._action(
            "Calibrator without training data…",
            self.export_desk.export_closed_calibrator,
            tip="Save the coefficients of the calibrator as a file that holds no repeat unit and no measured value",
        )
        self.copy_sentence_action = self._action(
            "Copy the result as a sentence",
            self.export_desk.copy_sentence,
            tip="Copy a sentence for a text or a caption",
        )
        self.copy_command_action = self._action(
            "Copy as command", self.export_desk.copy_command, tip="Copy the command that does this calibration again"
        )
        self.copy_python_action = self._action(
            "Copy as Python",
            self.export_desk.copy_python,
            tip="Copy the lines of Python that do this calibration again",
        )
        self._export_actions = (
            self.predictions_action,
            self.coefficients_action,
            self.measure_next_action,
            self.workbook_action,
            self.figure_action,
            self.report_action,
            self.calibrator_action,
            self.closed_calibrator_action,
            self.copy_sentence_action,
            self.copy_command_action,
            self.copy_python_action,
        )
        self.quit_action = self._action("&Quit", self.close, keys="Ctrl+Q")
        self._reset_layout_action = self._action("Reset layout", self.reset_layout)
        self.help_here_action = self._action("&Help on this view", self.help_desk.open_for_focus, keys=HELP_KEY)
        # The dialogs that stay open beside the window have no help of their own.
        self.help_here_action.setShortcutContext(Qt.ShortcutContext.ApplicationShortcut)
        self.help_actions = tuple(
            self._action(title, partial(self.help_desk.open, page))
            for title, page in (
                ("&Guide", GUIDE),
                ("&Tutorial", TUTORIAL),
                ("G&lossary", GLOSSARY),
                ("&Method", METHOD),
            )
        )
        self.log_action = self._action("Log", self._toggle_log, icon_name="log")
        self.about_action = self._action("About AffineCal", self._about)

        file_menu = self.menuBar().addMenu("&File")
        file_menu.addActions([self.new_action, self.open_action])
        examples = file_menu.addMenu("Open &example")
        for example in EXAMPLES:
            examples.addAction(self._action(example.title, partial(self._open_example, example.key)))
        file_menu.addSeparator()
        file_menu.addAction(self.open_study_action)
        self.recent_menu = file_menu.addMenu("Open &recent study")
        file_menu.addActions([self.save_action, self.save_as_action])
        file_menu.addSeparator()
        export = file_menu.addMenu("&Export")
        export.addActions(self._export_actions)
        export.insertSeparator(self.figure_action)
        export.insertSeparator(self.copy_sentence_action)
        file_menu.addSeparator()
        file_menu.addAction(self.quit_action)
        self._edit_menu = self.menuBar().addMenu("&Edit")
        self._edit_menu.addActions([self.undo_action, self.redo_action])
        self._edit_menu.addSeparator()
        self._edit_menu.addAction(self.paste_action)
        self._view_menu = self.menuBar().addMenu("&View")
        self._view_menu.addAction(self._reset_layout_action)
        self.maximise_action = self._action("Maximise this view", self._toggle_maximised, keys=KEY_OF_MAXIMISING)
        self.restore_action = self._action("Show all views again", self._restore_views, keys="Esc")
        self._view_menu.addActions([self.maximise_action, self.restore_action])
        self.restore_action.setEnabled(False)
        appearance = self._view_menu.addMenu("Appearance")
        self.appearance_actions = {
            choice: self._action(text, partial(self._choose_appearance, choice))
            for choice, text in (("system", "As the system"), ("light", "Light"), ("dark", "Dark"))
        }
        for choice, action in self.appearance_actions.items():
            action.setCheckable(True)
            action.setChecked(choice == self._themes.choice)
            appearance.addAction(action)
        data_menu = self.menuBar().addMenu("&Data")
        data_menu.addActions([self._titled("Add data…", self._open_tables), self.match_report_action])
        model_menu = self.menuBar().addMenu("&Model")
        model_menu.addActions([self.fit_action, self.cancel_action])
        help_menu = self.menuBar().addMenu("&Help")
        help_menu.addAction(self.help_here_action)
        help_menu.addSeparator()
        help_menu.addActions(self.help_actions)
        help_menu.addSeparator()
        help_menu.addActions([self.log_action, self.about_action])

        bar = self.addToolBar("Main")
        bar.setObjectName("mainToolBar")
        bar.setMovable(False)
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.tool_bar = bar
        bar.addActions([self.new_action, self.open_action, self.save_action])
        bar.addSeparator()
        bar.addAction(self.add_action)
        bar.addSeparator()
        bar.addActions([self.undo_action, self.redo_action])
        bar.addSeparator()
        bar.addActions([self.fit_action, self.cancel_action])
        bar.addSeparator()
        bar.addActions([self.predictions_action, self.figure_action, self.report_action])
        with_words = (
            self.add_action,
            self.fit_action,
            self.cancel_action,
            self.predictions_action,
            self.figure_action,
            self.report_action,
        )
        self._worded_buttons = [bar.widgetForAction(action) for action in with_words]
        bar.widgetForAction(self.fit_action).setObjectName("fitButton")
        bar.widgetForAction(self.cancel_action).setObjectName("toolBarCancelButton")
        for action in bar.actions():
            button = bar.widgetForAction(action)
            if isinstance(button, QToolButton):
                button.setAccessibleName(action.text().replace("&", "").rstrip("…"))
        room = QWidget()
        room.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        bar.addWidget(room)
        self.search = QLineEdit()
        self.search.setObjectName("polymerSearch")
        self.search.setPlaceholderText("Find a polymer  (Ctrl+F)")
        self.search.setAccessibleName("Find a polymer by name, id or SMILES")
        self.search.setClearButtonEnabled(True)
        self.search.setFixedWidth(190)
        self.search.setProperty("iconName", "search")
        self._search_icon = self.search.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition)
        self._search_icon.setProperty("iconName", "search")
        self.search.textEdited.connect(lambda _text: self._find(forward=False))
        self.search.returnPressed.connect(lambda: self._find(forward=True))
        bar.addWidget(self.search)
        find = self._action("&Find a polymer", self._focus_search, keys=keys.Find)
        self._edit_menu.addSeparator()
        self._edit_menu.addAction(find)

    def _titled(self, text: str, slot: Callable[[], object]) -> QAction:
        return self._action(text, slot)

    # -- wiring ---------------------------------------------------------------------------------------------------

    def _connect(self) -> None:
        session = self.session
        session.snapshot_changed.connect(self._show_snapshot)
        session.noticed.connect(self._show_notice)
        session.inspected.connect(self._show_inspection)
        session.exported.connect(self._announce_export)
        session.jobs.progressed.connect(self.status_line.show_progress)
        session.busy_changed.connect(self._show_busy)

        self.welcome_page.files_dropped.connect(self.open_files)
        self.welcome_page.open_requested.connect(self._open_tables)
        self.welcome_page.paste_requested.connect(self._paste_table)
        self.welcome_page.example_chosen.connect(self._open_example)
        self.welcome_page.open_study_requested.connect(self._open_study)
        self.welcome_page.recent_chosen.connect(self._open_recent)
        self.keeper.changed.connect(self._show_name)
        self.keeper.autosaved.connect(lambda kept: self.status_line.show_note("Autosaved" if kept else ""))
        self.keeper.offers_changed.connect(self._show_offers)
        self._show_name()
        self._show_offers(self.keeper.offers)
        self.study_views.made.connect(self._take_in)
        self.study_views.completed.connect(self._show_study)
        self.study_views.settled.connect(self._on_settled)
        session.following.is_showing = lambda: not self.study_views.is_settled
        self.warm_up.progressed.connect(lambda share: self.status_line.show_quiet_progress(share, SENTENCE))
        self.study_views.made_ahead.connect(self.warm_up.begin)
        self.warm_up.finished.connect(self.status_line.hide_quiet_progress)
        self.match_desk.selected.connect(self.select)
        self.polymer_search.found.connect(self.select)
        self.polymer_search.missed.connect(self._say_nothing_found)
        self.import_desk.opened.connect(self.help_desk.serve)
        self.help_desk.table_wanted.connect(lambda path: self.open_files((path,)))
        self.status_line.cancel_requested.connect(session.cancel)
        self.status_line.log_requested.connect(self._toggle_log)
        self.message_bar.log_requested.connect(self._show_log)

    def _show_study(self) -> None:
        self._show_snapshot(self.session.study.snapshot())

    def _show_snapshot(self, snapshot: Snapshot) -> None:
        has_data = bool(snapshot.tables)
        if self._had_tables and not has_data:
            self._forget_messages()
            if snapshot.can_redo:
                again = NoticeAction("Redo", self.session.redo)
                text = "Everything was undone. It can be done again until other tables are opened."
                self.message_bar.show_notice(Notice("caution", text, action=again))
        self._had_tables = has_data
        if has_data and not self.study_views.is_complete:
            self._get_ready()
            return  # it comes again when the views are there
        if has_data != self._has_data:
            self.maximising.restore()
            self._has_data = has_data
            # All of the window changes, which takes long to arrange and longer to paint.
            paint_turns().one_by_one((self, *self._parts()) if has_data else (self,))
            self.pages.setCurrentWidget(self.views if has_data else self.welcome_page)
            for dock in self.docks:
                dock.setVisible(has_data)
            self._arrangement.follow()  # what was hidden has not followed changes of width
            (self.data_panel.table if has_data else self.welcome_page).setFocus()
        if self._selected and snapshot.row(self._selected) is None:
            self._selected = ""
        if has_data and not self._selected:
            from affinecal_gui.study.data.row_columns import columns_of

            used = np.flatnonzero(columns_of(snapshot).in_state("used"))
            if used.size:
                self._selected = snapshot.rows[used[0]].key
            elif snapshot.corrected is not None and snapshot.rows:
                self._selected = snapshot.rows[0].key
        self.study_views.show_snapshot(snapshot)
        self.study_views.show_selection(self._selected)
        self.export_desk.show_selection(self._selected)
        if (snapshot.calibration is not None and not snapshot.stale) or snapshot.corrected is not None:
            self.session.inspect(self._selected)
        elif not has_data and self.study_views.has("inspector"):
            self._show_inspection(None)
        ready = snapshot.calibration is not None
        for action in self._export_actions:
            action.setEnabled(ready)
        self.predictions_action.setEnabled(ready or snapshot.corrected is not None)
        self.measure_next_action.setEnabled(
            snapshot.calibration is not None and bool(snapshot.calibration.measure_next)
        )
        self.fit_action.setEnabled(has_data)
        self.match_report_action.setEnabled(snapshot.compared)
        self._label_step(self.undo_action, "Undo", snapshot.can_undo)
        self._label_step(self.redo_action, "Redo", snapshot.can_redo)

    def _parts(self) -> tuple[QWidget, ...]:
        model = (self.model_panel, *self.model_panel.bodies)
        plots = (self.parity_view, self.residual_view, self.coefficient_view)
        return (self.data_panel, *plots, *model, self.inspector)

    def _on_settled(self, snapshot: Snapshot) -> None:
        self.snapshot_shown.emit(snapshot)
        self.session.following.go_on()

    _has_data: bool | None = None
    _had_tables = False  # also while the views are still being made

    @staticmethod
    def _label_step(action: QAction, verb: str, step: str) -> None:
        action.setEnabled(bool(step))
        action.setText(f"&{verb} {step[:1].lower()}{step[1:]}" if step else f"&{verb}")

    def _show_inspection(self, content: "InspectorContent | None") -> None:
        self.study_views.tell(partial(self._inspect, content))

    def _inspect(self, content: "InspectorContent | None") -> None:
        self.inspector.show_content(content)
        bar = self.inspector_dock.titleBarWidget()
        if isinstance(bar, DockTitleBar):
            bar.set_detail(content.label if content is not None else "", content.id if content is not None else "")

    def _show_notice(self, notice: Notice) -> None:
        if notice.kind in {"problem", "caution"}:
            if not self.centralWidget().isVisibleTo(self):
                self.maximising.restore()  # or nobody would see it
            self.message_bar.show_notice(notice)
        if notice.kind != "logged":
            self.status_line.show_message(notice.text, notice.kind)
        self.message_log.add(notice)

    def _show_busy(self, busy: bool) -> None:
        self.cancel_action.setEnabled(busy)
        self._follow_maximising()
        if not busy:
            self.status_line.hide_progress()

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing is being computed, made or drawn."""
        if self.session.study.state.tables and not self._has_data:
            return False  # the views are still being made
        views = self.study_views
        busy = self.session.is_busy or self.import_desk.is_busy or self.export_desk.is_drawing
        busy = busy or self.polymer_search.is_searching or self._themes.is_changing or paint_turns().is_painting
        return not busy and not self.warm_up.is_running and views.is_settled and not views.is_drawing

    def select(self, key: str) -> None:
        """Show this polymer everywhere."""
        if key == self._selected:
            return
        self._selected = key
        self.polymer_search.drop()
        self.study_views.show_selection(key)
        self.export_desk.show_selection(key)
        self.session.inspect(key)

    def _mark_selected(self, keys: tuple[str, ...]) -> None:
        for name in ("parity_view", "residual_view"):
            if self.study_views.has(name):
                getattr(self, name).show_selected(keys)

    def _focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _find(self, *, forward: bool) -> None:
        """Select the first polymer whose name, id or repeat unit holds the text; with ``forward`` the next one."""
        self.polymer_search.find(self.search.text().strip(), forward=forward)

    def _say_nothing_found(self, text: str) -> None:
        self.status_line.show_message(f"No polymer's name, id or repeat unit holds \u201c{text}\u201d.")

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint; everything that the first picture does not need is imported once it is on the screen."""
        super().paintEvent(event)
        if not self._has_been_seen:
            self._has_been_seen = True
            QTimer.singleShot(0, self, self._get_ready)

    _has_been_seen = False

    def _get_ready(self) -> None:
        """Make the views piece by piece, then import in the background what works on studies."""
        if self.warm_up.prepare():
            self.study_views.make_ahead()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Drop the words of the tool bar where they would crowd it."""
        super().resizeEvent(event)
        leaps = bool(self._has_data) and is_leap(event.oldSize(), event.size())
        if leaps:
            # Not while an edge is dragged: parts that wait show their ground for a moment.
            paint_turns().one_by_one(self._parts())
        self._arrangement.follow(leaps=leaps)
        style = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        if event.size().width() < WORDS_FROM:
            style = Qt.ToolButtonStyle.ToolButtonIconOnly
        for button in self._worded_buttons:
            if isinstance(button, QToolButton):
                button.setToolButtonStyle(style)

    def _choose_model(self, model: str) -> None:
        settings = self.session.study.state.settings
        self.session.change_settings(replace(settings, model=model, follows_advice=False))

    def _toggle_block(self, block: str) -> None:
        settings = self.session.study.state.settings
        self.session.change_settings(replace(settings, blocks_off=settings.blocks_off ^ {block}))

    def _choose_bands(self, bands: str) -> None:
        settings = self.session.study.state.settings
        self.session.change_settings(replace(settings, bands=bands))  # type: ignore[arg-type]

    def _choose_block_factor(self, block: str, factor: float) -> None:
        self.session.change_settings(self.session.study.state.settings.with_block_factor(block, factor))

    @property
    def settings(self) -> Settings:
        """What the user has chosen."""
        return self.session.study.state.settings

    # -- files ----------------------------------------------------------------------------------------------------

    def open_files(self, paths: tuple[str, ...]) -> None:
        """Open a study, or read tables into the present one; of both, the tables go into the study that is opened."""
        studies = [path for path in paths if is_study(path)]
        calibrators = [path for path in paths if is_calibrator(path)]
        tables = tuple(path for path in paths if not is_study(path) and not is_calibrator(path))
        if paths:
            self.message_bar.clear()
        for path in calibrators:
            self._show_notice(calibrator_notice(path))
        if studies:
            then = partial(self.session.open_files, tables) if tables else None
            self._leave_study(partial(self.keeper.open, studies[0], then))
        elif tables:
            self.session.open_files(tables)
        if len(studies) > 1:
            self._show_notice(Notice("caution", f"A window shows one study: only {Path(studies[0]).name} was opened."))

    def _open_tables(self) -> None:
        self.open_files(tuple(self.dialogs.open_tables()))

    def _paste_table(self) -> None:
        text = QGuiApplication.clipboard().text()
        if not text.strip():
            self._show_notice(Notice("caution", "The clipboard holds no text. Copy a table in your spreadsheet first."))
            return
        self.session.open_text(text)

    def _new_study(self) -> None:
        self._leave_study(self.session.new_study)

    def _open_example(self, key: str) -> None:
        self._leave_study(partial(self.session.open_example, key))

    def _forget_messages(self) -> None:
        """Take down what was said of a study that is gone; the log keeps it."""
        self.message_bar.clear()
        self.status_line.show_message("")

    # -- the study file -------------------------------------------------------------------------------------------

    def _open_study(self) -> None:
        path = self.dialogs.open_study()
        if path:
            self._leave_study(partial(self.keeper.open, path))

    def _open_recent(self, key: str) -> None:
        recoverable = next((found for found in self.keeper.offers.recoverable if str(found.path) == key), None)
        if recoverable is not None:
            self._leave_study(partial(self.keeper.recover, recoverable))
        else:
            self._leave_study(partial(self.keeper.open, key))

    def _leave_study(self, go_on: Callable[[], object]) -> None:
        """Ask once what becomes of unsaved changes, then go on; not at all when the user thinks better of it."""
        if not self.session.study.state.tables and self.session.study.snapshot().can_redo:
            question = "The study that was undone cannot be brought back once another one is opened."
            if not self.dialogs.confirm("Open another study", question, "Open"):
                return
        answer = self.dialogs.save_changes(self.keeper.name) if self.keeper.is_modified else "discard"
        if answer == "save":
            self._save_study(partial(self._go_to_another_study, go_on))
        elif answer == "discard":
            self._go_to_another_study(go_on)

    def _go_to_another_study(self, go_on: Callable[[], object]) -> None:
        self._forget_messages()
        go_on()

    def _save_study(self, then: Callable[[], object] | None = None) -> None:
        path = self.keeper.path
        if not path:
            self._save_study_as(then)
        elif not self.keeper.was_changed_outside() or self.dialogs.confirm(
            "Save study", f"{Path(path).name} was changed by another program since it was opened here.", "Replace"
        ):
            self.keeper.save(path, then)

    def _save_study_as(self, then: Callable[[], object] | None = None) -> None:
        if not self.session.study.state.tables:
            return
        chosen = self.dialogs.save_file("Save study", self.keeper.suggested_name, STUDY_FILTER)
        if not chosen:
            return
        path = with_study_suffix(chosen)
        is_asked = str(path) == chosen or not path.exists()  # else the dialog asked about another name
        if is_asked or self.dialogs.confirm("Save study", f"{path.name} exists already.", "Replace"):
            self.keeper.save(str(path), then)

    def _show_name(self) -> None:
        name = self.keeper.name.replace("[*]", "[*][*]")
        self.setWindowTitle(f"{name}[*] — AffineCal" if name else "AffineCal")
        self.setWindowModified(self.keeper.is_modified)
        can_save = bool(self.session.study.state.tables)
        self.save_action.setEnabled(can_save and (self.keeper.is_modified or not self.keeper.path))
        self.save_as_action.setEnabled(can_save)

    def _show_offers(self, offers: Offers) -> None:
        entries = [
            Entry(str(found.path), f"{found.title}, not saved", found.manifest.summary, found.when)
            for found in offers.recoverable
        ]
        entries += [Entry(study.path, study.title, study.subtitle, study.day()) for study in offers.recent]
        self.welcome_page.show_recent(entries[:SHOWN_STUDIES])
        self.recent_menu.clear()
        for entry in entries:
            action = self.recent_menu.addAction(entry.title.replace("&", "&&"))
            action.setToolTip(entry.key)
            action.triggered.connect(lambda _checked=False, key=entry.key: self._open_recent(key))
        self.recent_menu.setEnabled(bool(entries))
        if offers.recoverable and not self._has_told_of_recovery:
            self._has_told_of_recovery = True
            count = len(offers.recoverable)
            what = "A study was not saved" if count == 1 else f"{count} studies were not saved"
            text = f"{what} when AffineCal ended. Open it again under File, Open recent study."
            self._show_notice(Notice("caution", text if count == 1 else text.replace("Open it", "Open them")))

    _has_told_of_recovery = False

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the files that were dropped."""
        paths = tuple(url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile())
        if paths:
            event.acceptProposedAction()
            # Reading starts after the drop has ended: the program that files are dragged from waits for it.
            QTimer.singleShot(0, self, lambda: self.open_files(paths))
        else:
            self._show_notice(Notice("caution", "Only files on this computer can be dropped here."))

    # -- exports --------------------------------------------------------------------------------------------------

    @property
    def _block_order(self) -> tuple[str, ...]:
        """Names of descriptor blocks in the order in which the user arranged them last."""
        return tuple(kept_choice(self._settings, "coefficients/order", "").splitlines())

    def _keep_block_order(self, names: tuple[str, ...]) -> None:
        self._settings.setValue("coefficients/order", "\n".join(names))
        self.export_desk.show_block_order(names)

    def _announce_export(self, paths: tuple[str, ...]) -> None:
        names = ", ".join(Path(path).name for path in paths)
        folder = Path(paths[0]).parent if paths else ""
        self.status_line.show_message(f"Saved {names} in {folder}.", "done")

    def _show_match_report(self) -> None:
        """Answer the link of the data panel: show the polymers without MD value, there and in the report."""
        self.data_panel.show_unmatched()
        self.match_desk.open(only_without_partner=True)

    def _open_match_report(self) -> None:
        self.match_desk.open()

    # -- appearance -----------------------------------------------------------------------------------------------

    def _apply_theme(self, theme: Theme) -> None:
        self._themes.continue_with(self._colour_in_steps(theme))

    def _colour_in_steps(self, theme: Theme) -> Iterator[None]:
        for action in self.findChildren(QAction):
            name = action.property("iconName")
            if name:
                action.setIcon(icon(name, theme.palette, "accent" if name == "calibrate" else "text"))
        for view in (*self._themed, self.import_desk, self.match_desk, self.export_desk, self.help_desk):
            yield
            if isValid(view):
                view.apply_theme(theme)
        yield from self.study_views.colour_in_steps(theme)

    def _choose_appearance(self, choice: str) -> None:
        self._themes.set_choice(choice)  # type: ignore[arg-type]
        self._settings.setValue("appearance", choice)
        for name, action in self.appearance_actions.items():
            action.setChecked(name == choice)

    def _toggle_maximised(self) -> None:
        self.maximising.toggle_focused()

    def _restore_views(self) -> None:
        self.maximising.restore()

    def _follow_maximising(self, *_: object) -> None:
        """Let Escape cancel what is running, and put views back only when nothing is."""
        self.restore_action.setEnabled(bool(self.maximising.current) and not self.cancel_action.isEnabled())

    def reset_layout(self) -> None:
        """Put every part back where it was at first."""
        self.maximising.restore()
        self.restoreState(self._first_layout, LAYOUT_VERSION)
        for dock in self.docks:
            dock.setVisible(bool(self._has_data))
        self._arrangement.follow()
        self._arrangement.size_docks()

    def _restore_layout(self) -> None:
        geometry = kept_choice(self._settings, "window/geometry", QByteArray())
        state = kept_choice(self._settings, "window/state", QByteArray())
        if not geometry.isEmpty():
            self.restoreGeometry(geometry)
        if not state.isEmpty():
            self.restoreState(state, LAYOUT_VERSION)

    def _toggle_log(self) -> None:
        dock = self.message_log.dock
        if dock is not None and dock.isVisible():
            dock.hide()
        else:
            self._show_log()

    def _show_log(self) -> None:
        """Show the messages of this session below everything else."""
        dock = self.message_log.dock
        if dock is None:
            dock = LogDock(self.message_log, self)
            dock.folder_wanted.connect(self._open_log_folder)
            self.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, dock)
        dock.show()
        dock.raise_()

    def _open_log_folder(self) -> None:
        from affinecal_gui.log import log_folder

        QDesktopServices.openUrl(QUrl.fromLocalFile(str(log_folder())))

    def _about(self) -> None:
        self.dialogs.inform(
            "About AffineCal",
            f"AffineCal {__version__}\n\nCorrects molecular-dynamics values of polymer properties with the few measurements "
            "you have.\n\nPlease cite the method: S. Minami, K. Fukumizu, Y. Hayashi and R. Yoshida, Transfer Learning with "
            "Affine Model Transformation, Advances in Neural Information Processing Systems 36 (NeurIPS 2023).\n\n"
            "Copyright 2026 The AffineCal developers. MIT licence: free to use, change and pass on, without warranty. The "
            "licences of the bundled data and typefaces are in NOTICE.md.",
        )

    is_leaving = False

    @Slot()
    def end_at_once(self) -> None:
        """End the program without a question; what is not saved is offered at the next start."""
        self.is_leaving = True
        self.session.cancel()
        self.keeper.keep_for_next_start()
        self.close()
        QApplication.exit(0)  # also out of a question that is open

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved changes, stop every job, remember the layout, go."""
        if self.keeper.is_modified and not self.is_leaving:
            answer = self.dialogs.save_changes(self.keeper.name)
            if answer == "save":
                self._save_study(self.close)
            if answer != "discard":
                event.ignore()  # not yet, or not at all
                return
        self.is_leaving = True
        self.maximising.restore()
        if self._has_data:
            self._settings.setValue("window/geometry", self.saveGeometry())
            self._settings.setValue("window/state", self.saveState(LAYOUT_VERSION))
        self.session.jobs.stop_all()
        self.keeper.stop()
        self.import_desk.shut_down()
        self.match_desk.shut_down()
        self.export_desk.shut_down()
        self.help_desk.shut_down()
        self.polymer_search.shut_down()
        self.hide()  # as the last window, which ends the program; what is under way may need a moment to end
        self.session.shut_down()
        self.keeper.close()
        self.warm_up.stop()
        self.study_views.close()
        self._collector.stop()
        super().closeEvent(event)
