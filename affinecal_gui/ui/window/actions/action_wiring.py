"""Which wish of which action of the window goes where."""

from functools import partial
from typing import TYPE_CHECKING

from affinecal_gui.ui.window.actions import about

if TYPE_CHECKING:
    from affinecal_gui.ui.window.main_window import MainWindow


def connect_actions(window: "MainWindow") -> None:
    """Connect every action of a window, once all of its desks and parts are there."""
    actions, opening, saving, exports = (
        window.window_actions,
        window.opening_desk,
        window.saving_desk,
        window.export_desk,
    )
    actions.connect(
        {
            actions.new: opening.begin_study,
            actions.open: opening.ask_for_tables,
            actions.open_study: opening.ask_for_study,
            actions.save: saving.save,
            actions.save_as: saving.save_as,
            actions.quit: window.close,
            actions.add: opening.ask_for_tables,
            actions.add_in_menu: opening.ask_for_tables,
            actions.match_report: window.match_desk.open,
            actions.ask: window.ask_desk.open,
            actions.screen: window.screen_desk.open,
            actions.undo: window.session.undo,
            actions.redo: window.session.redo,
            actions.paste: opening.paste,
            actions.find: window.tool_bar.focus_search,
            actions.fit: window.session.calibrate,
            actions.cancel: window.session.cancel,
            actions.predictions: exports.export_predictions,
            actions.coefficients: exports.export_coefficients,
            actions.measure_next: exports.export_measure_next,
            actions.workbook: exports.export_workbook,
            actions.figure: exports.open_figures,
            actions.report: exports.export_report,
            actions.calibrator: exports.export_calibrator,
            actions.closed_calibrator: exports.export_closed_calibrator,
            actions.copy_sentence: exports.copy_sentence,
            actions.copy_command: exports.copy_command,
            actions.copy_python: exports.copy_python,
            actions.reset_layout: window.reset_layout,
            actions.maximise: lambda: window.maximising.toggle_focused(),
            actions.restore: lambda: window.maximising.restore(),
            actions.help_here: window.help_desk.open_for_focus,
            actions.log: window.log_desk.toggle,
            actions.crash_report: window.support_desk.save_crash_report,
            actions.check_for_updates: window.support_desk.check_for_updates,
            actions.about: lambda: window.dialogs.inform(about.TITLE, about.TEXT),
        }
    )
    actions.connect({action: partial(window.help_desk.open, page) for page, action in actions.pages_of_help.items()})
