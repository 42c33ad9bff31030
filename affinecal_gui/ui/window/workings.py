"""What works in a window, and is made behind its first picture: the study's session, who answers wishes, docks and views."""

from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QMainWindow, QWidget

from affinecal_gui.study.importing.remembered_choices import RememberedChoices
from affinecal_gui.ui.dialogs.asking.ask_desk import AskDesk
from affinecal_gui.ui.dialogs.calibrators.calibrator_desk import CalibratorDesk
from affinecal_gui.ui.dialogs.exporting.export_desk import ExportDesk
from affinecal_gui.ui.dialogs.help.help_desk import HelpDesk
from affinecal_gui.ui.dialogs.help.support_desk import SupportDesk
from affinecal_gui.ui.dialogs.importing.import_desk import ImportDesk
from affinecal_gui.ui.dialogs.importing.set_aside_desk import SetAsideDesk
from affinecal_gui.ui.dialogs.matching.match_desk import MatchDesk
from affinecal_gui.ui.dialogs.screening.screen_desk import ScreenDesk
from affinecal_gui.ui.running.making_ahead import MakingAhead
from affinecal_gui.ui.session.dialogs import Dialogs, NativeDialogs
from affinecal_gui.ui.session.session import Session
from affinecal_gui.ui.session.study_answers import StudyAnswers
from affinecal_gui.ui.session.study_keeper import StudyKeeper
from affinecal_gui.ui.views.polymers.polymer_search import PolymerSearch
from affinecal_gui.ui.window.action_wiring import ActionWiring
from affinecal_gui.ui.window.actions.tool_bar import MainToolBar
from affinecal_gui.ui.window.block_order import BlockOrder
from affinecal_gui.ui.window.layout.docks import Docks
from affinecal_gui.ui.window.layout.maximising import Maximising
from affinecal_gui.ui.window.note_desk import NoteDesk
from affinecal_gui.ui.window.opening_desk import OpeningDesk
from affinecal_gui.ui.window.saving_desk import SavingDesk
from affinecal_gui.ui.window.selection import Selection
from affinecal_gui.ui.window.study_views import StudyViews
from affinecal_gui.ui.window.telling.log_panel import LogDesk
from affinecal_gui.ui.window.telling.message_bar import MessageBar
from affinecal_gui.ui.window.telling.messages import Messages
from affinecal_gui.ui.window.telling.status_line import StatusLine
from affinecal_gui.ui.window.view_wiring import ViewWiring


class Workings:
    """The workings of one window.

    Parameters
    ----------
    window
        Becomes the parent of all of them.
    centre
        What lies between its docks.
    message_bar, status_line
        Where messages are shown.
    ahead
        Makes the views when their turn comes.
    dialogs
        Who asks the user; None for the system's own dialogs.
    study_folder
        Takes the place of the user's own for recovery files and recent studies.
    """

    def __init__(
        self,
        window: QMainWindow,
        centre: QWidget,
        message_bar: MessageBar,
        status_line: StatusLine,
        ahead: MakingAhead,
        dialogs: Dialogs | None,
        settings: QSettings,
        study_folder: Path | None,
    ) -> None:
        self.dialogs: Dialogs = dialogs if dialogs is not None else NativeDialogs(window)
        self.session = session = Session(window)
        if study_folder is not None:
            session.remembered = RememberedChoices(study_folder / "imports.json")
        self.keeper = StudyKeeper(session, study_folder, window)
        self.import_desk = ImportDesk(session, self.dialogs, window)
        self.note_desk = NoteDesk(session, window)
        self.set_aside_desk = SetAsideDesk(session, self.dialogs, window)
        self.match_desk = MatchDesk(session, self.dialogs, window)
        self.study_answers = StudyAnswers(session, window)
        self.ask_desk = AskDesk(session, self.study_answers, self.dialogs, window)
        self.screen_desk = ScreenDesk(session, self.dialogs, window)
        self.calibrator_desk = CalibratorDesk(session, self.dialogs, window)
        self.export_desk = ExportDesk(session, self.dialogs, settings, lambda: self.keeper, window)
        self.help_desk = HelpDesk(session, window)
        self.support_desk = SupportDesk(session, self.dialogs, window)
        self.saving_desk = SavingDesk(session, self.keeper, self.dialogs, window)
        self.opening_desk = OpeningDesk(session, self.keeper, self.dialogs, self.saving_desk, window)
        if isinstance(self.dialogs, NativeDialogs):
            self.opening_desk.named.connect(self.dialogs.begin_at)
        self.log_desk = LogDesk(window)
        self.selection = Selection(window)
        self.polymer_search = PolymerSearch(session.study.snapshot, lambda: self.selection.key, window)
        self.block_order = BlockOrder(settings, window)
        self.study_views = StudyViews(ahead, window)
        self.view_wiring = ViewWiring(
            views=self.study_views,
            session=session,
            selection=self.selection,
            order=self.block_order,
            imports=self.import_desk,
            notes=self.note_desk,
            set_aside=self.set_aside_desk,
            matches=self.match_desk,
            exports=self.export_desk,
            answers=self.study_answers,
        )
        self.maximising = Maximising(window, centre, lambda: self.study_views.view_pair)
        self.docks = Docks(window, self.maximising)
        self.messages = Messages(message_bar, status_line, self.log_desk, self.maximising.uncover, window)

    @property
    def desks(
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

    def action_wiring(self, tool_bar: MainToolBar) -> ActionWiring:
        """Return what connects the actions of the window with those who carry them out."""
        return ActionWiring(
            self.session,
            self.opening_desk,
            self.saving_desk,
            self.export_desk,
            self.match_desk,
            self.ask_desk,
            self.screen_desk,
            tool_bar,
            self.maximising,
            self.help_desk,
            self.log_desk,
            self.support_desk,
            self.dialogs,
        )
