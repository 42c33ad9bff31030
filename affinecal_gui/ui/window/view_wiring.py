"""Which wish of which view goes where. Views never talk to each other."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from affinecal_gui.study.snapshot import Settings
from affinecal_gui.ui.dialogs.exporting.export_desk import ExportDesk
from affinecal_gui.ui.dialogs.importing.import_desk import ImportDesk
from affinecal_gui.ui.dialogs.importing.set_aside_desk import SetAsideDesk
from affinecal_gui.ui.dialogs.matching.match_desk import MatchDesk
from affinecal_gui.ui.session.session import Session
from affinecal_gui.ui.session.study_answers import StudyAnswers
from affinecal_gui.ui.window.block_order import BlockOrder
from affinecal_gui.ui.window.note_desk import NoteDesk
from affinecal_gui.ui.window.selection import Selection
from affinecal_gui.ui.window.study_views import StudyViews


@dataclass(frozen=True, eq=False)
class ViewWiring:
    """Connects each view, once it is made, with those who answer it."""

    views: StudyViews
    session: Session
    selection: Selection
    order: BlockOrder
    imports: ImportDesk
    notes: NoteDesk
    set_aside: SetAsideDesk
    matches: MatchDesk
    exports: ExportDesk
    answers: StudyAnswers

    def connect(self, name: str) -> None:
        """Connect the view of this name; what holds several views has no wishes of its own."""
        wire = {
            "data_panel": self._data_panel,
            "model_panel": self._model_panel,
            "inspector": self._inspector,
            "parity_view": self._parity_view,
            "residual_view": self._residual_view,
            "coefficient_view": self._coefficient_view,
        }.get(name)
        if wire is not None:
            wire()

    def _data_panel(self) -> None:
        panel = self.views.data_panel
        panel.selected.connect(self.selection.choose)
        panel.table.several_selected.connect(self._mark_selected)
        panel.leave_out_toggled.connect(self.session.toggle_left_out)
        panel.table_removed.connect(self.session.remove_table)
        panel.adjust_wanted.connect(self.imports.adjust)
        panel.match_report_requested.connect(self._show_unmatched)
        self.matches.left.connect(panel.show_matched_again)
        panel.note_wanted.connect(self.notes.ask)
        panel.set_aside_wanted.connect(self.set_aside.open)
        panel.bundled_md_wanted.connect(self.session.use_bundled_md)
        panel.predicted_md_wanted.connect(self.answers.predict_rows)
        self.answers.predicting_changed.connect(panel.show_predicting)
        panel.forecast_wanted.connect(self.session.forecast)
        panel.export_requested.connect(self.exports.export_list)
        panel.settings_changed.connect(self.session.change_settings)

    def _model_panel(self) -> None:
        panel = self.views.model_panel
        panel.settings_changed.connect(self.session.change_settings)
        panel.leave_out_requested.connect(self.session.toggle_left_out)
        panel.export_requested.connect(self.exports.open_figures)
        panel.copy_requested.connect(self.exports.copy)

    def _inspector(self) -> None:
        inspector = self.views.inspector
        inspector.selected.connect(self.selection.choose)
        self._connect_figure(inspector, lambda: "attribution")

    def _parity_view(self) -> None:
        view = self.views.parity_view
        self._connect_points(view)
        view.model_chosen.connect(self._choose_model)
        self._connect_figure(view, lambda: view.figure, lambda: view.figure_options)

    def _residual_view(self) -> None:
        view = self.views.residual_view
        self._connect_points(view)
        self._connect_figure(view, lambda: "residuals", lambda: view.figure_options)

    def _coefficient_view(self) -> None:
        view = self.views.coefficient_view
        self._connect_figure(view, lambda: view.figure)
        view.calibrator_chosen.connect(self._choose_model)
        view.block_toggled.connect(self._toggle_block)
        view.block_factor_chosen.connect(self._choose_block_factor)
        view.bands_chosen.connect(self._choose_bands)
        view.order_changed.connect(self.order.keep)
        view.set_order(self.order.names)

    # -- what several views wish ----------------------------------------------------------------------------------

    def _connect_points(self, view: Any) -> None:
        """Connect a plot in which every point is a polymer."""
        table = self.views.data_panel.table
        view.set_thumbnail(table.thumbnail)
        view.selected.connect(self.selection.choose)
        view.several_selected.connect(table.select_keys)

    def _connect_figure(self, view: Any, figure: Callable[[], str], options: Callable[[], Any] | None = None) -> None:
        """Connect a view that can be saved and copied as a figure, as it is shown where there are options."""
        view.export_requested.connect(partial(self._with_options, self.exports.open_figures, figure, options))
        view.copy_requested.connect(partial(self._with_options, self.exports.copy, figure, options))

    @staticmethod
    def _with_options(do: Callable[..., object], figure: Callable[[], str], options: Callable[[], Any] | None) -> None:
        if options is None:
            do(figure())
        else:
            do(figure(), options())

    def _mark_selected(self, keys: tuple[str, ...]) -> None:
        if self.views.has("parity_view"):
            self.views.parity_view.show_selected(keys)
        if self.views.has("residual_view"):
            self.views.residual_view.show_selected(keys)

    def _show_unmatched(self) -> None:
        """Show the polymers without MD value, in the data panel and in the report."""
        self.views.data_panel.show_unmatched()
        self.matches.open(only_without_partner=True)

    # -- settings -------------------------------------------------------------------------------------------------

    @property
    def _settings(self) -> Settings:
        return self.session.study.state.settings

    def _choose_model(self, model: str) -> None:
        self.session.change_settings(replace(self._settings, model=model, follows_advice=False))

    def _toggle_block(self, block: str) -> None:
        self.session.change_settings(replace(self._settings, blocks_off=self._settings.blocks_off ^ {block}))

    def _choose_bands(self, bands: str) -> None:
        self.session.change_settings(replace(self._settings, bands=bands))  # type: ignore[arg-type]

    def _choose_block_factor(self, block: str, factor: float) -> None:
        self.session.change_settings(self._settings.with_block_factor(block, factor))
