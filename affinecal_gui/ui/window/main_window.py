"""The main window: where the parts lie, and which wish of which part goes where. Views never talk to each other.

Its first picture shows the menus, the tool bar, the welcome page and the status line.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSettings, QSize, Signal, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QStackedWidget, QVBoxLayout, QWidget
from shiboken6 import isValid

from affinecal_gui.study.importing.examples import EXAMPLES
from affinecal_gui.ui.parts.first_size import fit_to_screen, keep_place, restore_place
from affinecal_gui.ui.parts.kept_choices import read_quietly
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.parts.theme.theme_keeper import PAINTED_ALONE, ThemeKeeper
from affinecal_gui.ui.running.paint_turns import is_leap, paint_turns
from affinecal_gui.ui.session.notices import Notice, NoticeAction
from affinecal_gui.ui.views.welcome.entry_list import Entry
from affinecal_gui.ui.views.welcome.welcome_page import WelcomePage
from affinecal_gui.ui.window.actions.menus import Menus
from affinecal_gui.ui.window.actions.tool_bar import MainToolBar
from affinecal_gui.ui.window.actions.window_actions import WindowActions
from affinecal_gui.ui.window.starting_window import StartingWindow
from affinecal_gui.ui.window.telling.message_bar import MessageBar
from affinecal_gui.ui.window.telling.status_line import StatusLine
from affinecal_gui.ui.window.view_list import LINES, PAIR

if TYPE_CHECKING:  # made behind the first window
    from affinecal_gui.study.shown.inspector_content import InspectorContent
    from affinecal_gui.study.snapshot import Snapshot
    from affinecal_gui.ui.session.dialogs import Dialogs
    from affinecal_gui.ui.window.workings import Workings

SMALLEST = QSize(1100, 700)
FIRST_SIZE = QSize(1500, 950)
SHOWN_STUDIES = 3  # on the welcome page; the menu has all


class MainWindow(StartingWindow):
    """One window, one study."""

    snapshot_shown = Signal(object)  # after every view has taken over a snapshot

    def __init__(
        self,
        themes: ThemeKeeper,
        dialogs: "Dialogs | None" = None,
        settings: QSettings | None = None,
        study_folder: Path | None = None,
    ) -> None:
        """Make the window; ``study_folder`` takes the place of the user's own for recovery files and recent studies."""
        super().__init__(dialogs, settings if settings is not None else QSettings(), study_folder)
        self.setObjectName("mainWindow")
        self.setWindowTitle("AffineCal")
        self.setAcceptDrops(True)
        fit_to_screen(self, SMALLEST, FIRST_SIZE)
        self._themes = themes
        read_quietly(self._settings)
        self._make_parts()
        self._connect_parts()
        self._arrange()
        restore_place(self, self._settings)
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

    def connect_workings(self, workings: "Workings") -> None:
        """Connect the workings with each other and with what is shown."""
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
        workings.help_desk.table_wanted.connect(lambda path: self.opening_desk.open_files((path,)))
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

    @Slot(object)
    def open_files(self, paths: tuple[str, ...]) -> None:
        """Open a study, or read tables into the present one; of both, the tables go into the study that is opened."""
        self.opening_desk.open_named(paths)

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
        self.message_bar.show_snapshot(snapshot)
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

    is_leaving = False

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
        self.stop_making()
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
