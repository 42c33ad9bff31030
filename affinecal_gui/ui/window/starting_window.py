"""A main window whose first picture waits for nothing that it does not show.

What works in the window is made behind that, a step a turn of the event loop, and at once for who needs it before.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QSettings, QTimer, Signal, Slot
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QMainWindow

from affinecal_gui.ui.running.in_steps import one_step, take_all
from affinecal_gui.ui.running.making_ahead import MakingAhead
from affinecal_gui.ui.window.telling.message_bar import MessageBar
from affinecal_gui.ui.window.telling.status_line import StatusLine

if TYPE_CHECKING:  # made behind the first window
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

    def __get__(self, window: "StartingWindow", _owner: type) -> Part:
        part: Part = getattr(window.workings, self._name)
        return part


class StartingWindow(QMainWindow):
    """Shows itself, then makes what works in it; who derives from it makes what is shown, and connects both.

    Parameters
    ----------
    dialogs
        Who asks the user; None for the system's own dialogs.
    settings
        Where choices are kept.
    study_folder
        Takes the place of the user's own for recovery files and recent studies.
    """

    seen = Signal()  # after the first picture is on the screen

    message_bar: MessageBar
    status_line: StatusLine
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

    def __init__(self, dialogs: "Dialogs | None", settings: QSettings, study_folder: Path | None) -> None:
        super().__init__()
        self._settings = settings
        self._ahead = MakingAhead(self)
        self._workings: Workings | None = None
        self._making = self._make_workings(dialogs, study_folder)
        self._first_wish: Callable[[], object] | None = None
        self.seen.connect(self._get_ready)

    def connect_workings(self, workings: "Workings") -> None:
        """Connect what was made just now with what is shown."""
        raise NotImplementedError

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
        self.connect_workings(self._workings)
        if self._first_wish is not None:
            QTimer.singleShot(0, self, self._first_wish)

    @cached_property
    def warm_up(self) -> "WarmUp":
        """What imports behind the window, in the first thread; what has to be settled before there are threads is."""
        from affinecal_gui.ui.parts.theme.fonts import load_whole_family
        from affinecal_gui.ui.running.collector import MainThreadCollector
        from affinecal_gui.ui.running.memory import keep_little_in_reserve
        from affinecal_gui.ui.window.warm_up import SENTENCE, WarmUp

        keep_little_in_reserve()
        load_whole_family()
        self._collector = MainThreadCollector(self)
        warm_up = WarmUp(self)
        warm_up.is_founded.connect(self._make_ahead)
        warm_up.progressed.connect(lambda share: self.status_line.show_quiet_progress(share, SENTENCE))
        warm_up.finished.connect(self.status_line.hide_quiet_progress)
        self._ahead.ended.connect(warm_up.begin)
        return warm_up

    _has_been_seen = False

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

    def begin_with(self, sentence: str, do: Callable[[], object]) -> None:
        """Do something as soon as the window can, and say until then what will be done."""
        if self._workings is None:
            self._first_wish = do
            self.status_line.show_quiet_progress(0.0, sentence)
        else:
            do()

    def stop_making(self) -> None:
        """Make and import nothing more: the window closes."""
        self._ahead.stop()
        self.warm_up.stop()
        self._collector.stop()
