"""Where tables with open questions wait: one preview after the other, and the corrections offered after matching."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from affinecal_gui.study.snapshot import PropertyQuestion, Snapshot, UnitDoubt
from affinecal_gui.study.table_source import ImportChoices, TableSource
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.session.dialogs import Dialogs
from affinecal_gui.ui.session.notices import Notice, NoticeAction
from affinecal_gui.ui.session.session import Session

if TYPE_CHECKING:  # these import the chemistry, which the first window does not wait for
    from affinecal_gui.study.importing.importing import Examined
    from affinecal_gui.study.importing.loading import OpenTable
    from affinecal_gui.ui.dialogs.importing.import_dialog import ImportDialog
    from affinecal_gui.ui.dialogs.importing.preview_job import PreviewJob


class ImportDesk(QObject):
    """Opens the previews of one window."""

    opened = Signal(object)  # the dialog, just before it is shown

    def __init__(self, session: Session, dialogs: Dialogs, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self.dialogs = dialogs
        self._window = window
        self._waiting: list[OpenTable] = []
        self._preview_job: PreviewJob | None = None
        self._told: set[UnitDoubt | PropertyQuestion] = set()
        self.dialog: ImportDialog | None = None
        session.tables_asked.connect(self.ask)
        session.snapshot_changed.connect(self._tell_unit_doubts)
        session.snapshot_changed.connect(self._ask_for_property)
        session.started_anew.connect(self._give_up)

    @property
    def is_busy(self) -> bool:
        """Whether a preview is being worked out."""
        return self._preview_job is not None and self._preview_job.is_busy

    @Slot(object)
    def ask(self, tables: "Sequence[OpenTable]") -> None:
        """Show the previews of these tables, one after the other."""
        known = {waiting.source.path for waiting in self._waiting}
        self._waiting += [table for table in tables if table.source.path not in known]
        self._next()

    def adjust(self, key: str) -> None:
        """Show the preview of a table of the study again."""
        reading = self._session.reading_of(key)
        if reading is not None and self.dialog is None:
            source, choices = reading
            self._show(source, choices, None)

    def shut_down(self) -> bool:
        """Close the preview and end its thread; returns whether it ended in time."""
        self._give_up()
        return self._preview_job is None or self._preview_job.shut_down()

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        if self.dialog is not None:
            self.dialog.apply_theme(theme)

    def _next(self) -> None:
        if self.dialog is not None or not self._waiting:
            return
        table = self._waiting.pop(0)
        self._show(table.source, table.choices, table)

    def _show(self, source: TableSource, choices: ImportChoices, table: "OpenTable | None") -> None:
        from affinecal_gui.ui.dialogs.importing.import_dialog import ImportDialog
        from affinecal_gui.ui.dialogs.importing.preview_job import PreviewJob

        if self._preview_job is None:
            self._preview_job = PreviewJob(self)
        dialog = ImportDialog(source.name, self._preview_job, choices, self._window)
        dialog.import_wanted.connect(self._import)
        dialog.finished.connect(self._close)
        dialog.setProperty("tableName", source.name)
        dialog.setProperty("isNew", table is not None)
        self.dialog = dialog
        self._preview_job.begin(source, choices, self._session.study.state.tables, table)
        self.opened.emit(dialog)
        if self.dialogs.show_dialog(dialog):
            return
        # Nobody can be asked: the likeliest answers are taken, for all tables together, as each may help with the others.
        self._preview_job.end()
        self.dialog = None
        dialog.deleteLater()
        if table is not None:
            opened, self._waiting = (table, *self._waiting), []
            self._session.take_as_guessed(opened)

    @Slot(object, bool)
    def _import(self, examined: "Examined", remember: bool) -> None:
        assert examined.table is not None
        self._session.remember_choices(examined, keep=remember)
        self._session.import_table(examined.table, examined.source, examined.choices)

    @Slot(int)
    def _close(self, result: int) -> None:
        dialog, self.dialog = self.dialog, None
        if self._preview_job is not None:
            self._preview_job.end()
        if dialog is None:
            return
        if not result and dialog.property("isNew"):
            self._session.noticed.emit(Notice("info", f"{dialog.property('tableName')} was not imported."))
        # What was just imported may answer the questions of the others.
        waiting, self._waiting = self._waiting, []
        if result:
            self._session.understand_again(waiting)
        else:
            self._waiting = waiting
            self._next()

    @Slot()
    def _give_up(self) -> None:
        self._waiting.clear()
        self._told.clear()
        if self.dialog is not None:
            self.dialog.reject()

    @Slot(object)
    def _ask_for_property(self, snapshot: Snapshot) -> None:
        """Offer to say what a column holds where that keeps measured and MD values apart; once for each question."""
        question = snapshot.property_question
        if question is not None and question not in self._told:
            self._told.add(question)
            action = NoticeAction("Choose…", partial(self.adjust, question.table))
            is_open = partial(_asks_for_property, question)
            self._session.noticed.emit(Notice("caution", question.sentence, action=action, stands_while=is_open))

    @Slot(object)
    def _tell_unit_doubts(self, snapshot: Snapshot) -> None:
        """Offer another unit for measured values that it would bring to the MD values; once for each doubt."""
        for doubt in snapshot.unit_doubts:
            if doubt in self._told:
                continue
            self._told.add(doubt)
            name = next((table.file_name for table in snapshot.tables if table.key == doubt.table), "")
            again = partial(self._session.read_in_unit, doubt.table, doubt.unit)
            action = NoticeAction(f"Read as {doubt.unit}", again) if doubt.unit else None
            is_open = partial(_doubts_unit, doubt)
            notice = Notice("caution", f"{name}: {doubt.sentence}", action=action, stands_while=is_open)
            self._session.noticed.emit(notice)


def _asks_for_property(question: PropertyQuestion, shown: Snapshot) -> bool:
    return shown.property_question == question


def _doubts_unit(doubt: UnitDoubt, shown: Snapshot) -> bool:
    return doubt in shown.unit_doubts
