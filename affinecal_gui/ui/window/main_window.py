"""The main window: where the parts lie, and which wish of which part goes where. Views never talk to each other.

Its first picture shows the menus, the tool bar, the welcome page and the status line, and waits for nothing else. What works
in the window is made behind it, a step a turn, and at once for who needs it before.
"""

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import QSettings, QSize, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QStackedWidget, QVBoxLayout, QWidget
from shiboken6 import isValid

from affinecal_gui.study.importing.examples import EXAMPLES
from affinecal_gui.ui.parts.first_size import fit_to_screen, keep_place, restore_place
from affinecal_gui.ui.parts.kept_choices import read_quietly
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.parts.theme.theme_keeper import PAINTED_ALONE, ThemeKeeper
from affinecal_gui.ui.running.in_steps import one_step, take_all
from affinecal_gui.ui.running.making_ahead import MakingAhead
from affinecal_gui.ui.running.paint_turns import is_leap, paint_turns
from affinecal_gui.ui.session.notices import Notice, NoticeAction
from affinecal_gui.ui.views.welcome.entry_list import Entry
from affinecal_gui.ui.views.welcome.welcome_page import WelcomePage
from affinecal_gui.ui.window.actions.menus import Menus
from affinecal_gui.ui.window.actions.tool_bar import MainToolBar
from affinecal_gui.ui.window.actions.window_actions import WindowActions
from affinecal_gui.ui.window.telling.message_bar import MessageBar
from affinecal_gui.ui.window.telling.status_line import StatusLine
from affinecal_gui.ui.window.view_list import LINES, PAIR

if TYPE_CHECKING:  # made behind the first window
    from affinecal_gui.study.shown.inspector_content import InspectorContent
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
    from affinecal_gui.ui.session.dialogs import Dialogs
    from affinecal_gui.ui.session.session import Session
    from affinecal_gui.ui.session.study_answers import StudyAnswers
    from affinecal_gui.ui.session.study_keeper import StudyKeeper
    from affinecal_gui.ui.views.polymers.polymer_search import PolymerSearch
    from affinecal_gui.ui.window.layout.docks import Docks
    from affinecal_gui.ui.window.layout.maximising import Maximising
    from affinecal_gui.ui.window.note_desk import NoteDesk
    from affinecal_gui.ui.window.opening_desk import OpeningDesk
    from affinecal_gui.ui.window.saving_desk import SavingDesk
    from affinecal_gui.ui.window.selection import Selection
    from affinecal_gui.ui.window.study_views import StudyViews
    from affinecal_gui.ui.window.telling.log_panel import LogDesk
    from affinecal_gui.ui.window.telling.messages import Messages
    from affinecal_gui.ui.window.warm_up import WarmUp
    from affinecal_gui.ui.window.workings import Workings

SMALLEST = QSize(1100, 700)
FIRST_SIZE = QSize(1500, 950)
SHOWN_STUDIES = 3  # on the welcome page; the menu has all


IMPORTED_BEFORE = (
    "affinecal_gui.ui.session.study_jobs",
    "affinecal_gui.ui.session.session",
    "affinecal_gui.ui.session.study_keeper",
    "affinecal_gui.ui.session.dialogs",
    "affinecal_gui.ui.dialogs.importing.import_desk",
    "affinecal_gui.ui.dialogs.matching.match_desk",
    "affinecal_gui.ui.dialogs.asking.ask_desk",
    "affinecal_gui.ui.dialogs.screening.screen_desk",
    "affinecal_gui.ui.dialogs.calibrators.calibrator_desk",
    "affinecal_gui.ui.dialogs.exporting.export_desk",
    "affinecal_gui.ui.window.layout.docks",
    "affinecal_gui.ui.window.study_views",
)
"""What the workings import that takes long, each in a step of its own."""

Part = TypeVar("Part")


class _Working(Generic[Part]):
    """One of the workings, under the name that it has there."""

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = name

    def __get__(self, window: "MainWindow", _owner: type) -> Part:
        part: Part = getattr(window.workings, self._name)
        return part


class MainWindow(QMainWindow):
    """One window, one study."""

    seen = Signal()  # after the first picture is on the screen
    snapshot_shown = Signal(object)  # after every view has taken over a snapshot

    session: "_Working[Session]" = _Working()
    keeper: "_Working[StudyKeeper]" = _Working()
    dialogs: "_Working[Dialogs]" = _Working()
    import_desk: "_Working[ImportDesk]" = _Working()
    note_desk: "_Working[NoteDesk]" = _Working()
    set_aside_desk: "_Working[SetAsideDesk]" = _Working()
    match_desk: "_Working[MatchDesk]" = _Working()
    study_answers: "_Working[StudyAnswers]" = _Working()
    ask_desk: "_Working[AskDesk]" = _Working()
    screen_desk: "_Working[ScreenDesk]" = _Working()
    calibrator_desk: "_Working[CalibratorDesk]" = _Working()
    export_desk: "_Working[ExportDesk]" = _Working()
    help_desk: "_Working[HelpDesk]" = _Working()
    support_desk: "_Working[SupportDesk]" = _Working()
    saving_desk: "_Working[SavingDesk]" = _Working()
    opening_desk: "_Working[OpeningDesk]" = _Working()
    log_desk: "_Working[LogDesk]" = _Working()
    selection: "_Working[Selection]" = _Working()
    polymer_search: "_Working[PolymerSearch]" = _Working()
    study_views: "_Working[StudyViews]" = _Working()
    maximising: "_Working[Maximising]" = _Working()
    docks: "_Working[Docks]" = _Working()
    messages: "_Working[Messages]" = _Working()

    def __init__(
        self,
        themes: ThemeKeeper,
        dialogs: "Dialogs | None" = None,
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
        self._ahead = MakingAhead(self)
        self._workings: Workings | None = None
        self._making = self._make_workings(dialogs, study_folder)
        self._first_wish: Callable[[], object] | None = None
        self._make_parts()
        self._connect_parts()
        self._arrange()
        restore_place(self, self._settings)
        self.seen.connect(self._get_ready)
        self._themes.changed.connect(self._apply_theme)
        self._apply_theme(self._themes.theme)

    # -- what there is --------------------------------------------------------------------------------------------

    def _make_parts(self) -> None:
        """Make what the first picture shows."""
        centre = QWidget()
        self.setCentralWidget(centre)
        self.message_bar = MessageBar(self._themes.theme, centre)
        self.pages = QStackedWidget(centre)
        self.welcome_page = WelcomePage(self.pages)
        self.welcome_page.show_examples(tuple((example.key, example.title, example.subtitle) for example in EXAMPLES))
        self.status_line = StatusLine()
        self.window_actions = WindowActions(self, lambda: self.workings)
        self.menus = Menus(self.menuBar(), self.window_actions, self._themes.choice)
        self.tool_bar = MainToolBar(self, self.window_actions)

    @property
    def workings(self) -> "Workings":
        """What works in the window; it is made at once where it is needed before its turn."""
        if self._workings is None:
            self.warm_up.await_foundations()
            take_all(self._making)
        if self._workings is None:
            raise RuntimeError("The workings of the window could not be made.")
        return self._workings

    def _make_workings(self, dialogs: "Dialogs | None", study_folder: Path | None) -> Iterator[None]:
        """Make what works in the window, a step at a time; the last one connects it."""
        for name in IMPORTED_BEFORE:
            import_module(name)
            yield
        from affinecal_gui.ui.window.workings import Workings

        yield
        self._workings = Workings(
            self,
            self.centralWidget(),
            self.message_bar,
            self.status_line,
            self._ahead,
            dialogs,
            self._settings,
            study_folder,
        )
        self._connect_workings(self._workings)

    @cached_property
    def warm_up(self) -> "WarmUp":
        """What imports behind the window, in the first thread; what has to be settled before there are threads is."""
        from affinecal_gui.ui.running.collector import MainThreadCollector
        from affinecal_gui.ui.running.memory import keep_little_in_reserve
        from affinecal_gui.ui.window.warm_up import SENTENCE, WarmUp

        keep_little_in_reserve()
        self._collector = MainThreadCollector(self)
        warm_up = WarmUp(self)
        warm_up.is_founded.connect(self._make_ahead)
        warm_up.progressed.connect(lambda share: self.status_line.show_quiet_progress(share, SENTENCE))
        warm_up.finished.connect(self.status_line.hide_quiet_progress)
        self._ahead.ended.connect(warm_up.begin)
        return warm_up

    def findChild(self, *arguments: Any, **options: Any) -> Any:
        """Find a part of the window, also one that has not been made yet."""
        self.study_views.make_all()
        return super().findChild(*arguments, **options)

    # -- where it lies --------------------------------------------------------------------------------------------

    def _arrange(self) -> None:
        self.pages.addWidget(self.welcome_page)
        layout = QVBoxLayout(self.centralWidget())
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.message_bar)
        layout.addWidget(self.pages, 1)
        self.addToolBar(self.tool_bar)
        self.statusBar().addWidget(self.status_line, 1)
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().setContentsMargins(0, 0, 0, 0)
        self.welcome_page.setFocus()

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
        self.workings.view_wiring.connect(name)

    # -- which wish goes where ------------------------------------------------------------------------------------

    def _connect_parts(self) -> None:
        """Connect what the first picture shows; who answers is asked for, and made, with the first wish."""
        page, menus, bar = self.welcome_page, self.menus, self.tool_bar
        page.files_dropped.connect(self.open_files)
        page.open_requested.connect(lambda: self.opening_desk.ask_for_tables())
        page.paste_requested.connect(lambda: self.opening_desk.paste())
        page.example_chosen.connect(lambda key: self.opening_desk.open_example(key))
        page.open_study_requested.connect(lambda: self.opening_desk.ask_for_study())
        page.recent_chosen.connect(lambda key: self.opening_desk.open_offered(key))
        menus.example_chosen.connect(lambda key: self.opening_desk.open_example(key))
        menus.study_chosen.connect(lambda key: self.opening_desk.open_offered(key))
        menus.appearance_chosen.connect(self._choose_appearance)
        menus.view.aboutToShow.connect(lambda: self.workings)  # which lists its docks there
        bar.find_wanted.connect(lambda: self.messages.forget_search())
        bar.find_wanted.connect(lambda text, forward: self.polymer_search.find(text, forward=forward))
        self.status_line.cancel_requested.connect(lambda: self.session.cancel())
        self.status_line.log_requested.connect(lambda: self.log_desk.toggle())
        self.message_bar.log_requested.connect(lambda: self.log_desk.show())
        self.message_bar.crash_report_requested.connect(lambda: self.support_desk.save_crash_report())

    def _connect_workings(self, workings: "Workings") -> None:
        session, keeper, views = workings.session, workings.keeper, workings.study_views
        session.snapshot_changed.connect(self._show_snapshot)
        session.noticed.connect(workings.messages.show)
        session.inspected.connect(self._show_inspection)
        session.exported.connect(workings.messages.announce_export)
        session.jobs.progressed.connect(self.status_line.show_progress)
        session.busy_changed.connect(self._show_busy)
        session.latest_only.is_showing = lambda: not views.is_settled
        keeper.changed.connect(self._show_name)
        keeper.autosaved.connect(lambda kept: self.status_line.show_note("Autosaved" if kept else ""))
        workings.opening_desk.opening.connect(self.message_bar.clear)
        workings.opening_desk.noticed.connect(workings.messages.show)
        workings.opening_desk.offered.connect(self._show_offered)
        workings.opening_desk.calibrator_wished.connect(workings.calibrator_desk.open_file)
        workings.saving_desk.left.connect(workings.messages.forget)
        workings.import_desk.opened.connect(workings.help_desk.serve)
        workings.match_desk.selected.connect(self.select)
        workings.ask_desk.selected.connect(self.select)
        workings.help_desk.table_wanted.connect(lambda path: self.open_files((path,)))
        workings.selection.changed.connect(self._show_selection)
        workings.polymer_search.found.connect(self.select)
        workings.polymer_search.missed.connect(workings.messages.say_nothing_found)
        workings.block_order.changed.connect(workings.export_desk.show_block_order)
        workings.export_desk.show_block_order(workings.block_order.names)
        workings.maximising.changed.connect(self._follow_maximising)
        workings.action_wiring(self.tool_bar).connect(
            self.window_actions, close=self.close, reset_layout=self.reset_layout
        )
        views.made.connect(self._take_in)
        views.completed.connect(lambda: self._show_snapshot(session.study.snapshot()))
        views.settled.connect(self._on_settled)
        workings.docks.restore(self._settings)
        self.menus.add_docks(dock.toggleViewAction() for dock in workings.docks)
        self._show_name()
        self._show_snapshot(session.study.snapshot())
        self._show_busy(False)
        workings.opening_desk.offer(keeper.offers)
        if self._first_wish is not None:
            self._first_wish()

    def begin_with(self, sentence: str, do: Callable[[], object]) -> None:
        """Do something as soon as the window can, and say until then what will be done."""
        if self._workings is None:
            self._first_wish = do
            self.status_line.show_quiet_progress(0.0, sentence)
        else:
            do()

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

    _has_data = False
    _had_tables = False  # also while the views are still being made

    def _show_snapshot(self, snapshot: "Snapshot") -> None:
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
        if snapshot.calibration is not None and not snapshot.stale:
            self.message_bar.drop_those_of_result()
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
    def _on_settled(self, snapshot: "Snapshot") -> None:
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
        if self._workings is None:
            return False
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
        self.window_actions.apply_theme(theme)
        for part in (self.tool_bar, self.message_bar, self.welcome_page, self.status_line):
            yield
            part.apply_theme(theme)
        if self._workings is None:
            return  # what is made later asks for the theme in use
        for desk in self._workings.desks:
            yield
            if isValid(desk):
                desk.apply_theme(theme)
        yield from self._workings.study_views.colour_in_steps(theme)

    def _choose_appearance(self, choice: str) -> None:
        self._themes.set_choice(choice)  # type: ignore[arg-type]
        self._settings.setValue("appearance", choice)

    def reset_layout(self) -> None:
        """Put every part back where it was at first."""
        self.maximising.restore()
        self.docks.reset(visible=self._has_data)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let docks and tool bar follow another size."""
        super().resizeEvent(event)
        leaps = self._has_data and is_leap(event.oldSize(), event.size())
        if leaps:
            # Not while an edge is dragged: parts that wait show their ground for a moment.
            paint_turns().one_by_one(self._painted_parts())
        if self._workings is not None:
            self._workings.docks.arrangement.follow(leaps=leaps)
        self.tool_bar.fit_to_width(event.size().width())

    # -- the beginning and the end --------------------------------------------------------------------------------

    _has_been_seen = False
    is_leaving = False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint; everything that the first picture does not need is made once it is on the screen."""
        super().paintEvent(event)
        if not self._has_been_seen:
            self._has_been_seen = True
            QTimer.singleShot(0, self, self.seen.emit)

    def _get_ready(self) -> None:
        """Import what the workings rest on, make them and the views piece by piece, then import what works on studies."""
        self.warm_up.prepare()

    @Slot()
    def _make_ahead(self) -> None:
        self._ahead.take(self._making)
        self._ahead.take(one_step(lambda: self.study_views.make_ahead()))

    @Slot()
    def end_at_once(self) -> None:
        """End the program without a question; what is not saved is offered at the next start."""
        self.is_leaving = True
        if self._workings is not None:
            self.session.cancel()
            self.keeper.keep_for_next_start()
        self.close()
        QApplication.exit(0)  # also out of a question that is open

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved changes, stop every job, remember the layout, go."""
        if self._workings is not None and not self._leave(self._workings):
            event.ignore()
            return
        self._ahead.stop()
        self.warm_up.stop()
        self._collector.stop()
        super().closeEvent(event)

    def _leave(self, workings: "Workings") -> bool:
        """End all work; returns whether the user agrees."""
        if not self.is_leaving and not workings.saving_desk.may_close(self.close):
            return False
        self.is_leaving = True
        workings.maximising.restore()
        if self._has_data:
            keep_place(self, self._settings)
            workings.docks.keep(self._settings)
        workings.session.jobs.stop_all()
        workings.keeper.stop()
        for service in (*workings.desks, workings.polymer_search):
            service.shut_down()
        self.hide()  # as the last window, which ends the program; what is under way may need a moment to end
        workings.session.shut_down()
        workings.keeper.close()
        workings.study_views.close()
        return True
