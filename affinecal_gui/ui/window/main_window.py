"""The main window: where the parts lie, and which wish of which part goes where. Views never talk to each other."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSettings, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QStackedWidget, QVBoxLayout, QWidget
from shiboken6 import isValid

from affinecal_gui.study.importing.examples import EXAMPLES
from affinecal_gui.study.importing.remembered_choices import RememberedChoices
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.dialogs.asking.ask_desk import AskDesk
from affinecal_gui.ui.dialogs.calibrators.calibrator_desk import CalibratorDesk
from affinecal_gui.ui.dialogs.exporting.export_desk import ExportDesk
from affinecal_gui.ui.dialogs.help.help_desk import HelpDesk
from affinecal_gui.ui.dialogs.help.support_desk import SupportDesk
from affinecal_gui.ui.dialogs.importing.import_desk import ImportDesk
from affinecal_gui.ui.dialogs.importing.set_aside_desk import SetAsideDesk
from affinecal_gui.ui.dialogs.matching.match_desk import MatchDesk
from affinecal_gui.ui.dialogs.screening.screen_desk import ScreenDesk
from affinecal_gui.ui.parts.first_size import fit_to_screen
from affinecal_gui.ui.parts.kept_choices import read_quietly
from affinecal_gui.ui.parts.theme.theme import Theme, icon
from affinecal_gui.ui.parts.theme.theme_keeper import PAINTED_ALONE, ThemeKeeper
from affinecal_gui.ui.running.collector import MainThreadCollector
from affinecal_gui.ui.running.paint_turns import is_leap, paint_turns
from affinecal_gui.ui.session.dialogs import Dialogs, NativeDialogs
from affinecal_gui.ui.session.notices import Notice, NoticeAction
from affinecal_gui.ui.session.session import Session
from affinecal_gui.ui.session.study_answers import StudyAnswers
from affinecal_gui.ui.session.study_keeper import StudyKeeper
from affinecal_gui.ui.views.polymers.polymer_search import PolymerSearch
from affinecal_gui.ui.views.welcome.entry_list import Entry
from affinecal_gui.ui.views.welcome.welcome_page import WelcomePage
from affinecal_gui.ui.window.action_wiring import ActionWiring
from affinecal_gui.ui.window.actions.menus import Menus
from affinecal_gui.ui.window.actions.tool_bar import MainToolBar
from affinecal_gui.ui.window.actions.window_actions import WindowActions
from affinecal_gui.ui.window.block_order import BlockOrder
from affinecal_gui.ui.window.layout.arrangement import FIRST_SIZE, SMALLEST
from affinecal_gui.ui.window.layout.docks import Docks
from affinecal_gui.ui.window.layout.maximising import Maximising
from affinecal_gui.ui.window.note_desk import NoteDesk
from affinecal_gui.ui.window.opening_desk import OpeningDesk
from affinecal_gui.ui.window.saving_desk import SavingDesk
from affinecal_gui.ui.window.selection import Selection
from affinecal_gui.ui.window.study_views import PAIR, StudyViews
from affinecal_gui.ui.window.telling.log_panel import LogDesk
from affinecal_gui.ui.window.telling.message_bar import MessageBar
from affinecal_gui.ui.window.telling.messages import Messages
from affinecal_gui.ui.window.telling.status_line import StatusLine
from affinecal_gui.ui.window.view_list import LINES
from affinecal_gui.ui.window.view_wiring import ViewWiring
from affinecal_gui.ui.window.warm_up import SENTENCE, WarmUp

if TYPE_CHECKING:  # the views are made behind the first window
    from affinecal_gui.study.shown.inspector_content import InspectorContent

SHOWN_STUDIES = 3  # on the welcome page; the menu has all


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
        fit_to_screen(self, SMALLEST, FIRST_SIZE)
        self._themes = themes
        self._settings = settings if settings is not None else QSettings()
        read_quietly(self._settings)
        self._collector = MainThreadCollector(self)
        self.dialogs: Dialogs = dialogs if dialogs is not None else NativeDialogs(self)
        self._make_services(study_folder)
        self._make_parts()
        self._connect_services()
        self._connect_parts()
        self._arrange()
        self._connect_actions()
        self.docks.restore(self._settings)
        self._themes.changed.connect(self._apply_theme)
        self._apply_theme(self._themes.theme)
        self._show_snapshot(self.session.study.snapshot())
        self._show_busy(False)

    # -- what there is --------------------------------------------------------------------------------------------

    def _make_services(self, study_folder: Path | None) -> None:
        """Make what answers wishes: the session, the file of the study, and a desk for each kind of question."""
        self.session = session = Session(self)
        if study_folder is not None:
            session.remembered = RememberedChoices(study_folder / "imports.json")
        self.keeper = StudyKeeper(session, study_folder, self)
        self.import_desk = ImportDesk(session, self.dialogs, self)
        self.note_desk = NoteDesk(session, self)
        self.set_aside_desk = SetAsideDesk(session, self.dialogs, self)
        self.match_desk = MatchDesk(session, self.dialogs, self)
        self.study_answers = StudyAnswers(session, self)
        self.ask_desk = AskDesk(session, self.study_answers, self.dialogs, self)
        self.screen_desk = ScreenDesk(session, self.dialogs, self)
        self.calibrator_desk = CalibratorDesk(session, self.dialogs, self)
        self.export_desk = ExportDesk(session, self.dialogs, self._settings, lambda: self.keeper, self)
        self.help_desk = HelpDesk(session, self)
        self.support_desk = SupportDesk(session, self.dialogs, self)
        self.saving_desk = SavingDesk(session, self.keeper, self.dialogs, self)
        self.opening_desk = OpeningDesk(session, self.keeper, self.dialogs, self.saving_desk, self)
        self.log_desk = LogDesk(self)
        self.selection = Selection(self)
        self.polymer_search = PolymerSearch(session.study.snapshot, lambda: self.selection.key, self)
        self._block_order = BlockOrder(self._settings, self)

    @property
    def _desks(
        self,
    ) -> tuple[ImportDesk | MatchDesk | AskDesk | ScreenDesk | CalibratorDesk | ExportDesk | HelpDesk, ...]:
        """Who has dialogs that stay open."""
        return (
            self.import_desk,
            self.match_desk,
            self.ask_desk,
            self.screen_desk,
            self.calibrator_desk,
            self.export_desk,
            self.help_desk,
        )

    def _make_parts(self) -> None:
        """Make what is seen, except the views of a study, which are made behind the first window."""
        self.message_bar = MessageBar(self._themes.theme)
        self.welcome_page = WelcomePage()
        self.welcome_page.show_examples(tuple((example.key, example.title, example.subtitle) for example in EXAMPLES))
        self.status_line = StatusLine()
        self.messages = Messages(self.message_bar, self.status_line, self.log_desk, self._uncover_messages, self)
        self.window_actions = WindowActions(self)
        self.menus = Menus(self.menuBar(), self.window_actions, self._themes.choice)
        self.tool_bar = MainToolBar(self, self.window_actions)
        self.study_views = StudyViews(self)
        self.warm_up = WarmUp(self)
        self._wiring = ViewWiring(
            views=self.study_views,
            session=self.session,
            selection=self.selection,
            order=self._block_order,
            imports=self.import_desk,
            notes=self.note_desk,
            set_aside=self.set_aside_desk,
            matches=self.match_desk,
            exports=self.export_desk,
            answers=self.study_answers,
        )

    def findChild(self, *arguments: Any, **options: Any) -> Any:
        """Find a part of the window, also one that has not been made yet."""
        self.study_views.make_all()
        return super().findChild(*arguments, **options)

    # -- where it lies --------------------------------------------------------------------------------------------

    def _connect_actions(self) -> None:
        wiring = ActionWiring(
            self.session,
            self.opening_desk,
            self.saving_desk,
            self.export_desk,
            self.match_desk,
            self.ask_desk,
            self.screen_desk,
            self.tool_bar,
            self.maximising,
            self.help_desk,
            self.log_desk,
            self.support_desk,
            self.dialogs,
        )
        wiring.connect(self.window_actions, close=self.close, reset_layout=self.reset_layout)

    def _arrange(self) -> None:
        self.pages = QStackedWidget()
        self.pages.addWidget(self.welcome_page)
        centre = QWidget()
        layout = QVBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.message_bar)
        layout.addWidget(self.pages, 1)
        self.setCentralWidget(centre)
        self.addToolBar(self.tool_bar)
        self.maximising = Maximising(self, centre, lambda: self.study_views.view_pair)
        self.maximising.changed.connect(self._follow_maximising)
        self.docks = Docks(self, self.maximising)
        self.menus.add_docks(dock.toggleViewAction() for dock in self.docks)
        self.statusBar().addWidget(self.status_line, 1)
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().setContentsMargins(0, 0, 0, 0)

    @Slot(str)
    def _take_in(self, name: str) -> None:
        """Place and connect a view that has just been made."""
        if name == PAIR:
            self.pages.addWidget(self.study_views.view_pair)
        else:
            view = getattr(self.study_views, name)
            view.setProperty(PAINTED_ALONE, True)
            if not self.docks.hold(name, view):
                view.header.add_tool(self.maximising.add(name, LINES[name].title, view))
        self._wiring.connect(name)

    # -- which wish goes where ------------------------------------------------------------------------------------

    def _connect_services(self) -> None:
        session = self.session
        session.snapshot_changed.connect(self._show_snapshot)
        session.noticed.connect(self.messages.show)
        session.inspected.connect(self._show_inspection)
        session.exported.connect(self.messages.announce_export)
        session.jobs.progressed.connect(self.status_line.show_progress)
        session.busy_changed.connect(self._show_busy)
        session.latest_only.is_showing = lambda: not self.study_views.is_settled
        self.keeper.changed.connect(self._show_name)
        self.keeper.autosaved.connect(lambda kept: self.status_line.show_note("Autosaved" if kept else ""))
        self.opening_desk.opening.connect(self.message_bar.clear)
        self.opening_desk.noticed.connect(self.messages.show)
        self.opening_desk.offered.connect(self._show_offered)
        self.saving_desk.left.connect(self.messages.forget)
        self.import_desk.opened.connect(self.help_desk.serve)
        self.match_desk.selected.connect(self.select)
        self.ask_desk.selected.connect(self.select)
        self.opening_desk.calibrator_wished.connect(self.calibrator_desk.open_file)
        self.help_desk.table_wanted.connect(lambda path: self.open_files((path,)))
        self.selection.changed.connect(self._show_selection)
        self.polymer_search.found.connect(self.select)
        self.polymer_search.missed.connect(self.messages.say_nothing_found)
        self._block_order.changed.connect(self.export_desk.show_block_order)
        self.export_desk.show_block_order(self._block_order.names)
        self._show_name()
        self.opening_desk.offer(self.keeper.offers)

    def _connect_parts(self) -> None:
        self.welcome_page.files_dropped.connect(self.open_files)
        self.welcome_page.open_requested.connect(self.opening_desk.ask_for_tables)
        self.welcome_page.paste_requested.connect(self.opening_desk.paste)
        self.welcome_page.example_chosen.connect(self.opening_desk.open_example)
        self.welcome_page.open_study_requested.connect(self.opening_desk.ask_for_study)
        self.welcome_page.recent_chosen.connect(self.opening_desk.open_offered)
        self.menus.example_chosen.connect(self.opening_desk.open_example)
        self.menus.study_chosen.connect(self.opening_desk.open_offered)
        self.menus.appearance_chosen.connect(self._choose_appearance)
        self.tool_bar.find_wanted.connect(lambda text, forward: self.polymer_search.find(text, forward=forward))
        self.status_line.cancel_requested.connect(self.session.cancel)
        self.status_line.log_requested.connect(self.log_desk.toggle)
        self.message_bar.log_requested.connect(self.log_desk.show)
        self.message_bar.crash_report_requested.connect(self.support_desk.save_crash_report)
        self.study_views.made.connect(self._take_in)
        self.study_views.completed.connect(lambda: self._show_snapshot(self.session.study.snapshot()))
        self.study_views.settled.connect(self._on_settled)
        self.study_views.made_ahead.connect(self.warm_up.begin)
        self.warm_up.progressed.connect(lambda share: self.status_line.show_quiet_progress(share, SENTENCE))
        self.warm_up.finished.connect(self.status_line.hide_quiet_progress)

    @Slot(object)
    def open_files(self, paths: tuple[str, ...]) -> None:
        """Open a study, or read tables into the present one; of both, the tables go into the study that is opened."""
        self.opening_desk.open_files(paths)

    @Slot(str)
    def select(self, key: str) -> None:
        """Show this polymer everywhere."""
        self.selection.choose(key)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the files that were dropped."""
        self.opening_desk.open_dropped(event)

    # -- what is shown --------------------------------------------------------------------------------------------

    _has_data: bool | None = None
    _had_tables = False  # also while the views are still being made

    def _show_snapshot(self, snapshot: Snapshot) -> None:
        has_data = bool(snapshot.tables)
        if self._had_tables and not has_data:
            self.messages.forget()
            if snapshot.can_redo:
                again = NoticeAction("Redo", self.session.redo)
                text = "Everything was undone. It can be done again until other tables are opened."
                self.message_bar.show_notice(Notice("caution", text, action=again))
        self._had_tables = has_data
        if has_data and not self.study_views.is_complete:
            self._get_ready()
            return  # it comes again when the views are there
        if has_data != self._has_data:
            self._show_page(has_data)
        self.selection.follow(snapshot)
        self.study_views.show_snapshot(snapshot)
        self.study_views.show_selection(self.selection.key)
        self.export_desk.show_selection(self.selection.key)
        if (snapshot.calibration is not None and not snapshot.stale) or snapshot.corrected is not None:
            self.session.inspect(self.selection.key)
        elif not has_data and self.study_views.has("inspector"):
            self._show_inspection(None)
        self.window_actions.show_snapshot(snapshot)

    def _show_page(self, has_data: bool) -> None:
        """Show the views of a study, or the first page."""
        self.maximising.restore()
        self._has_data = has_data
        # All of the window changes, which takes long to arrange and longer to paint.
        paint_turns().one_by_one((self, *self._painted_parts()) if has_data else (self,))
        self.pages.setCurrentWidget(self.study_views.view_pair if has_data else self.welcome_page)
        self.docks.set_visible(has_data)
        self.docks.arrangement.follow()  # what was hidden has not followed changes of width
        (self.study_views.data_panel.table if has_data else self.welcome_page).setFocus()

    def _painted_parts(self) -> tuple[QWidget, ...]:
        views = self.study_views
        model = (views.model_panel, *views.model_panel.bodies)
        return (
            views.data_panel,
            views.parity_view,
            views.residual_view,
            views.coefficient_view,
            *model,
            views.inspector,
        )

    @Slot(object)
    def _on_settled(self, snapshot: Snapshot) -> None:
        self.snapshot_shown.emit(snapshot)
        self.session.latest_only.go_on()

    @Slot(str)
    def _show_selection(self, key: str) -> None:
        self.polymer_search.drop()
        self.study_views.show_selection(key)
        self.export_desk.show_selection(key)
        self.session.inspect(key)

    def _show_inspection(self, content: "InspectorContent | None") -> None:
        self.study_views.tell(partial(self._inspect, content))

    def _inspect(self, content: "InspectorContent | None") -> None:
        self.study_views.inspector.show_content(content)
        self.study_views.coefficient_view.show_inspected(content)

    def _uncover_messages(self) -> None:
        if not self.centralWidget().isVisibleTo(self):
            self.maximising.restore()  # or nobody would see it

    def _show_busy(self, busy: bool) -> None:
        self.window_actions.cancel.setEnabled(busy)
        self._follow_maximising()
        if not busy:
            self.status_line.hide_progress()

    def _follow_maximising(self, *_: object) -> None:
        """Let Escape cancel what is running, and put views back only when nothing is."""
        actions = self.window_actions
        actions.restore.setEnabled(bool(self.maximising.current) and not actions.cancel.isEnabled())

    def _show_name(self) -> None:
        name = self.keeper.name.replace("[*]", "[*][*]")
        self.setWindowTitle(f"{name}[*] — AffineCal" if name else "AffineCal")
        self.setWindowModified(self.keeper.is_modified)
        can_save = bool(self.session.study.state.tables)
        self.window_actions.save.setEnabled(can_save and (self.keeper.is_modified or not self.keeper.path))
        self.window_actions.save_as.setEnabled(can_save)

    def _show_offered(self, entries: tuple[Entry, ...]) -> None:
        self.welcome_page.show_recent(entries[:SHOWN_STUDIES])
        self.menus.show_recent(entries)

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing is being computed, made or drawn."""
        if self.session.study.state.tables and not self._has_data:
            return False  # the views are still being made
        views = self.study_views
        busy = self.session.is_busy or self.import_desk.is_busy or self.export_desk.is_drawing
        busy = busy or self.polymer_search.is_searching or self._themes.is_changing or paint_turns().is_painting
        return not busy and not self.warm_up.is_running and views.is_settled and not views.is_drawing

    # -- appearance -----------------------------------------------------------------------------------------------

    def _apply_theme(self, theme: Theme) -> None:
        self._themes.continue_with(self._colour_in_steps(theme))

    def _colour_in_steps(self, theme: Theme) -> Iterator[None]:
        for action in self.findChildren(QAction):
            name = action.property("iconName")
            if name:
                action.setIcon(icon(name, theme.palette, "accent" if name == "calibrate" else "text"))
        parts = (self.message_bar, self.welcome_page, self.status_line)
        for part in (*parts, *self._desks):
            yield
            if isValid(part):
                part.apply_theme(theme)
        yield from self.study_views.colour_in_steps(theme)

    def _choose_appearance(self, choice: str) -> None:
        self._themes.set_choice(choice)  # type: ignore[arg-type]
        self._settings.setValue("appearance", choice)

    def reset_layout(self) -> None:
        """Put every part back where it was at first."""
        self.maximising.restore()
        self.docks.reset(visible=bool(self._has_data))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let docks and tool bar follow another size."""
        super().resizeEvent(event)
        leaps = bool(self._has_data) and is_leap(event.oldSize(), event.size())
        if leaps:
            # Not while an edge is dragged: parts that wait show their ground for a moment.
            paint_turns().one_by_one(self._painted_parts())
        self.docks.arrangement.follow(leaps=leaps)
        self.tool_bar.fit_to_width(event.size().width())

    # -- the beginning and the end --------------------------------------------------------------------------------

    _has_been_seen = False
    is_leaving = False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint; everything that the first picture does not need is imported once it is on the screen."""
        super().paintEvent(event)
        if not self._has_been_seen:
            self._has_been_seen = True
            QTimer.singleShot(0, self, self._get_ready)

    def _get_ready(self) -> None:
        """Make the views piece by piece, then import in the background what works on studies."""
        if self.warm_up.prepare():
            self.study_views.make_ahead()

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
        if not self.is_leaving and not self.saving_desk.may_close(self.close):
            event.ignore()
            return
        self.is_leaving = True
        self.maximising.restore()
        if self._has_data:
            self.docks.keep(self._settings)
        self.session.jobs.stop_all()
        self.keeper.stop()
        for service in (*self._desks, self.polymer_search):
            service.shut_down()
        self.hide()  # as the last window, which ends the program; what is under way may need a moment to end
        self.session.shut_down()
        self.keeper.close()
        self.warm_up.stop()
        self.study_views.close()
        self._collector.stop()
        super().closeEvent(event)
