"""Opens the list of simulations that were set aside, and passes on what the user decides about them."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from affinecal_gui.task import Task
from affinecal_gui.ui.dialogs.exporting.exports import CSV_FILTER
from affinecal_gui.ui.dialogs.importing.set_aside_dialog import SetAsideDialog
from affinecal_gui.ui.session.dialogs import Dialogs
from affinecal_gui.ui.session.session import Session
from affinecal_gui.ui.session.study_jobs import Export

if TYPE_CHECKING:  # imports the chemistry
    from affinecal_gui.tables.values.polymer_table import PolymerTable


class SetAsideDesk(QObject):
    """Simulations that failed a check, of the tables of one window."""

    def __init__(self, session: Session, dialogs: Dialogs, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self.dialogs = dialogs

    @Slot(str)
    def open(self, key: str) -> None:
        """Ask about the simulations of the table of this key."""
        tables = self._session.study.state.tables
        table = next((loaded.table for loaded in tables if loaded.key == key), None)
        if table is None:
            return
        dialog = SetAsideDialog(table.name, table.flagged, can_simulate_again=bool(table.again), parent=self._window)
        dialog.chosen.connect(lambda reasons: self._session.use_flagged(key, reasons))
        dialog.save_wanted.connect(lambda: self._save(table))
        if not self.dialogs.show_dialog(dialog):
            dialog.deleteLater()

    def _save(self, table: "PolymerTable") -> None:
        path = self.dialogs.save_file("Save what to simulate again", "simulate_again.csv", CSV_FILTER)
        if path:
            self._session.export(ExportSimulations(table, Path(path)))


@dataclass(frozen=True, eq=False)
class ExportSimulations(Export):
    """Write what is to be simulated again."""

    table: "PolymerTable"
    path: Path

    def run(self, task: Task, publish: Callable[[tuple[str, ...]], None]) -> tuple[str, ...]:
        """Write the file."""
        from affinecal_gui.tables.writing.simulation_jobs import write_simulation_jobs

        write_simulation_jobs(self.path, self.table.again, overwrite=True, task=task)
        return (str(self.path),)
