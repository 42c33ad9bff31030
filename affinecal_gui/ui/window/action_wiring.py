"""Which wish of which action of the window goes where."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from affinecal_gui.ui.dialogs.asking.ask_desk import AskDesk
from affinecal_gui.ui.dialogs.exporting.export_desk import ExportDesk
from affinecal_gui.ui.dialogs.help.help_desk import HelpDesk
from affinecal_gui.ui.dialogs.help.support_desk import SupportDesk
from affinecal_gui.ui.dialogs.matching.match_desk import MatchDesk
from affinecal_gui.ui.dialogs.screening.screen_desk import ScreenDesk
from affinecal_gui.ui.session.dialogs import Dialogs
from affinecal_gui.ui.session.session import Session
from affinecal_gui.ui.window.actions import about
from affinecal_gui.ui.window.actions.tool_bar import MainToolBar
from affinecal_gui.ui.window.actions.window_actions import WindowActions
from affinecal_gui.ui.window.layout.maximising import Maximising
from affinecal_gui.ui.window.opening_desk import OpeningDesk
from affinecal_gui.ui.window.saving_desk import SavingDesk
from affinecal_gui.ui.window.telling.log_panel import LogDesk


@dataclass(frozen=True, eq=False)
class ActionWiring:
    """Connects the actions of a window with those who carry them out."""

    session: Session
    opening: OpeningDesk
    saving: SavingDesk
    exports: ExportDesk
    matches: MatchDesk
    asking: AskDesk
    screening: ScreenDesk
    tool_bar: MainToolBar
    maximising: Maximising
    help: HelpDesk
    log: LogDesk
    support: SupportDesk
    dialogs: Dialogs

    def connect(
        self, actions: WindowActions, *, close: Callable[[], object], reset_layout: Callable[[], object]
    ) -> None:
        """Connect every action, once all of its desks and parts are there."""
        wishes = {
            actions.new: self.opening.begin_study,
            actions.open: self.opening.ask_for_tables,
            actions.open_study: self.opening.ask_for_study,
            actions.save: self.saving.save,
            actions.save_as: self.saving.save_as,
            actions.quit: close,
            actions.add: self.opening.ask_for_tables,
            actions.add_in_menu: self.opening.ask_for_tables,
            actions.match_report: self.matches.open,
            actions.ask: self.asking.open,
            actions.screen: self.screening.open,
            actions.undo: self.session.undo,
            actions.redo: self.session.redo,
            actions.paste: self.opening.paste,
            actions.find: self.tool_bar.focus_search,
            actions.fit: self.session.calibrate,
            actions.cancel: self.session.cancel,
            actions.predictions: self.exports.export_predictions,
            actions.coefficients: self.exports.export_coefficients,
            actions.measure_next: self.exports.export_measure_next,
            actions.workbook: self.exports.export_workbook,
            actions.figure: self.exports.open_figures,
            actions.report: self.exports.export_report,
            actions.calibrator: self.exports.export_calibrator,
            actions.closed_calibrator: self.exports.export_closed_calibrator,
            actions.copy_sentence: self.exports.copy_sentence,
            actions.copy_command: self.exports.copy_command,
            actions.copy_python: self.exports.copy_python,
            actions.reset_layout: reset_layout,
            actions.maximise: self.maximising.toggle_focused,
            actions.restore: self.maximising.restore,
            actions.help_here: self.help.open_for_focus,
            actions.log: self.log.toggle,
            actions.crash_report: self.support.save_crash_report,
            actions.check_for_updates: self.support.check_for_updates,
            actions.about: lambda: self.dialogs.inform(about.TITLE, about.TEXT),
        }
        actions.connect(wishes)
        actions.connect(
            {action: partial(self.maximising.bring_forward, name) for name, action in actions.views.items()}
        )
        actions.connect({action: partial(self.help.open, page) for page, action in actions.pages_of_help.items()})
