"""What the window can wish for: every action of the user ends here, becomes a step of the study or a job, and comes back."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from affinecal_gui.study.importing.remembered_choices import RememberedChoices
from affinecal_gui.study.snapshot import SETTING_FACTS, MatchingChoices, Settings, Snapshot, changed_settings
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.study import Study
from affinecal_gui.study.table_source import PASTED, ImportChoices, TableSource, source_of_pasted
from affinecal_gui.study.words.correction_words import corrections_again
from affinecal_gui.ui.running.deferred_release import DeferredRelease
from affinecal_gui.ui.running.job import AnyJob
from affinecal_gui.ui.running.latest_only import LatestOnly
from affinecal_gui.ui.running.worker import JobRunner
from affinecal_gui.ui.session.notices import Notice, NoticeAction, notice_of
from affinecal_gui.ui.session.study_jobs import (
    OF_THE_STUDY,
    AskPolymer,
    Derive,
    DropCorrections,
    Export,
    Forecast,
    Inspect,
    Loading,
    ReadAgain,
    ReadBundledMD,
    ReadExample,
    ReadFiles,
    ReadInUnit,
    ReadPasted,
    RememberChoices,
    ReportMatching,
    StudyForecast,
    UnderstandTables,
)
from affinecal_gui.ui.session.table_readings import TableReadings

if TYPE_CHECKING:  # these import the chemistry, which the first window does not wait for
    from affinecal_gui.study.derived import Derived
    from affinecal_gui.study.importing.importing import Examined
    from affinecal_gui.study.importing.loading import Loaded, OpenTable
    from affinecal_gui.tables.values.polymer_table import PolymerTable

logger = logging.getLogger(__name__)


class Session(QObject):
    """The study of one window, its jobs, and the wishes of its user."""

    snapshot_changed = Signal(object)  # Snapshot
    busy_changed = Signal(bool)
    noticed = Signal(object)  # Notice
    files_opened = Signal(object)  # tuple of path strings that were read
    inspected = Signal(object)  # study.inspection.Inspection
    exported = Signal(object)  # tuple of path strings that were written
    tables_asked = Signal(object)  # tuple of study.loading.OpenTable: what their columns are for is to be asked
    matching_reported = Signal(object)  # study.matching_content.MatchingContent
    started_anew = Signal()  # before the study becomes an empty one
    example_opened = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.study = Study()
        self.study.subscribe(self._on_study_changed)
        self.jobs = JobRunner(self, awaits_imports=True)
        self.jobs.failed.connect(self._on_failed)
        self.jobs.cancelled.connect(self._on_cancelled)
        self.latest_only = LatestOnly(self._derive, lambda: self.jobs.is_running(Derive), self)
        for signal in (self.jobs.busy_changed, self.latest_only.changed):
            signal.connect(self._tell_whether_busy)
        self._deferred_release = DeferredRelease(self)
        self.remembered = RememberedChoices()
        self._readings = TableReadings()
        self._loading: list[str] = []  # files named while others were still being read join them
        self._loading_property: str | None = None

    # -- wishes ---------------------------------------------------------------------------------------------------

    def open_files(self, paths: Sequence[str]) -> None:
        """Read these files and add them to the study; files still being read are read as well."""
        for path in paths:
            if path not in self._loading:
                self._loading.append(path)
        self._load()

    def open_text(self, text: str, called: str = PASTED) -> None:
        """Read a table that came as text, and add it to the study under a name with a number."""
        names = {table.name for table in self._tables()} | set(self._readings)
        source = source_of_pasted(text, names, called)
        self.jobs.start(ReadPasted(source, self._tables(), self.remembered), self._take_over)

    def understand_again(self, opened: "Sequence[OpenTable]") -> None:
        """Try again what could not be settled, now that more is known; what is still open is asked again."""
        if opened:
            self._understand(opened, self.remembered)

    def take_as_guessed(self, opened: Sequence["OpenTable"]) -> None:
        """Import tables with open questions without asking anybody, which is told."""
        names = " and ".join(table.source.name for table in opened)
        verb = "leaves" if len(opened) == 1 else "leave"
        self.noticed.emit(Notice("caution", f"{names} {verb} a question open; the likeliest answer was taken."))
        self._understand(opened, None)

    def _understand(self, opened: "Sequence[OpenTable]", remembered: RememberedChoices | None) -> None:
        self.jobs.start(UnderstandTables(tuple(opened), self._tables(), remembered), self._take_over)

    def import_table(self, table: "PolymerTable", source: TableSource, choices: ImportChoices) -> None:
        """Add a table that the user has looked at, or put it in the place of what was read of it before."""
        known = any(loaded.table.path == table.path for loaded in self.study.state.tables)
        self._readings.keep(source, choices)
        self.files_opened.emit((table.path,))
        label = f"Change how {table.name} is read" if known else f"Add {table.name}"
        self._change(label, self.study.state.with_tables((table,)))

    def remember_choices(self, examined: "Examined", *, keep: bool) -> None:
        """Keep choices for files of the same shape, and corrections for this very file; or forget both."""
        self.jobs.start(RememberChoices(self.remembered, examined, keep))

    def drop_corrections(self, source: TableSource, choices: ImportChoices) -> None:
        """Forget what was corrected by hand in a file, and read it as it is."""
        self.jobs.start(DropCorrections(source, choices, self._tables(), self.remembered), self._take_over)

    def reading_of(self, key: str) -> tuple[TableSource, ImportChoices] | None:
        """Return where a table of the study came from, and how it was read."""
        table = next((loaded.table for loaded in self.study.state.tables if loaded.key == key), None)
        return None if table is None else self._readings.of(table)

    @property
    def tables_are_as_they_come(self) -> bool:
        """Whether reading the files of the tables again, with nothing chosen, gives the tables of the study."""
        return self._readings.are_as_they_come(self.study.state.tables)

    def read_in_unit(self, key: str, unit: str) -> None:
        """Take the measured values of a table to be in another unit than it says."""
        table = next((loaded.table for loaded in self.study.state.tables if loaded.key == key), None)
        if table is not None:
            job = ReadInUnit(table, self.study.state.quantity.key, unit)
            self.jobs.start(job, partial(self._take_in_unit, unit))

    def use_flagged(self, key: str, reasons: Sequence[str]) -> None:
        """Read a table of simulations again, with the values that failed a check for these reasons, and no others."""
        reading = self.reading_of(key)
        if reading is not None:
            source, choices = reading
            job = ReadAgain(source, choices.using_flagged(reasons), self.study.state.tables)
            self.jobs.start(job, self._take_again)

    def link_by_hand(self, measured: str, md: str | None) -> None:
        """Link a measured row to an MD row, both by their keys; None takes the link away."""
        name = next((row.label for row in self.study.snapshot().rows if row.key == measured), measured)
        verb = "Link" if md is not None else "Take away the link of"
        self._change(f"{verb} {name}", self.study.state.with_link(measured, md))

    def change_matching(self, label: str, choices: MatchingChoices) -> None:
        """Compare other values, or other rows; ``label`` names the step for undo."""
        self._change(label, self.study.state.with_matching(choices))

    def report_matching(self) -> None:
        """Work out what became of every measured row."""
        assembly = self.study.derived.assembly
        if assembly is not None:
            job = ReportMatching(assembly, self.study.snapshot())  # type: ignore[arg-type]  # Assembly
            self.jobs.start(job, self.matching_reported.emit)

    def open_example(self, key: str) -> None:
        """Start anew with a bundled study."""
        self.new_study()
        self.jobs.start(ReadExample(key), self._take_loaded)

    def use_bundled_md(self) -> None:
        """Add the MD values that come with the program."""
        self.jobs.start(ReadBundledMD(self._tables()), self._take_loaded)

    def new_study(self) -> None:
        """Forget everything that is loaded."""
        self.latest_only.forget()
        self.jobs.cancel_all()
        self._loading.clear()
        self.started_anew.emit()
        self.study.clear()

    def replace_study(self, state: StudyState, derived: "Derived | None") -> None:
        """Go on with a study that comes out of a file; without a result, it is worked out now."""
        for kind in OF_THE_STUDY:
            self.jobs.drop(kind)
        self._loading.clear()
        self.study.open(state, derived)
        self._derive()

    def remove_table(self, key: str) -> None:
        """Take a table out of the study."""
        name = next((loaded.table.name for loaded in self.study.state.tables if loaded.key == key), key)
        self._change(f"Remove {name}", self.study.state.without_table(key))

    def change_settings(self, settings: Settings) -> None:
        """Make other choices; the calibration follows."""
        before = self.study.state.settings
        if settings.follows_advice:  # what is shown then is no choice of the user's
            settings = replace(settings, model=before.model)
        if settings.property_key != before.property_key:
            state = self.study.state.with_property(settings.property_key)
            self._tell_doubts(state)
            self._change("Change property", state)
        elif settings != before:
            changed = [SETTING_FACTS[name] for name in changed_settings(before, settings)]
            label, merge = (changed[0].undo, changed[0].merges) if len(changed) == 1 else ("Change settings", False)
            self._change(label, replace(self.study.state, settings=settings), merge=merge)

    def toggle_left_out(self, keys: Sequence[str]) -> None:
        """Leave these rows out of the fit, or take them back in when all of them are out."""
        settings = self.study.state.settings
        wanted = frozenset(keys)
        if wanted <= settings.left_out:
            left_out, verb = settings.left_out - wanted, "Take back in"
        else:
            left_out, verb = settings.left_out | wanted, "Leave out"
        count = f"{len(wanted)} polymer{'s' if len(wanted) != 1 else ''}"
        self._change(f"{verb} {count}", replace(self.study.state, settings=replace(settings, left_out=left_out)))

    def write_note(self, key: str, text: str) -> None:
        """Write a note about a row; an empty one takes it away."""
        settings = self.study.state.settings
        note = " ".join(text.split())
        if note == settings.note_of(key):
            return
        name = next((row.label for row in self.study.snapshot().rows if row.key == key), key)
        label = f"Note about {name}" if note else f"Take away the note about {name}"
        self._change(label, replace(self.study.state, settings=settings.with_note(key, note)))

    def undo(self) -> None:
        """Take back the last step."""
        if self.study.undo():
            self._derive()

    def redo(self) -> None:
        """Do again what was taken back."""
        if self.study.redo():
            self._derive()

    def calibrate(self) -> None:
        """Calibrate again, even if nothing changed; where values of one kind are missing, say so."""
        snapshot = self.study.snapshot()
        if snapshot.tables and not snapshot.compared and snapshot.match_summary:
            text = f"There is nothing to calibrate yet. {snapshot.match_summary}"
            self.noticed.emit(Notice("caution", text, stands_while=lambda shown: not shown.compared))
        self._derive(again=True)

    def forecast(self) -> None:
        """Forecast how the error falls with more measured polymers."""
        if self.study.derived.snapshot.calibration is not None and not self.study.needs_work:
            self.jobs.start(Forecast(self.study.derived), self._take_forecast)

    def cancel(self) -> None:
        """Stop whatever is running; the last result stands."""
        self.latest_only.forget()
        self.jobs.cancel_all()

    def inspect(self, row_key: str) -> None:
        """Work out what there is to say about one polymer."""
        if row_key:
            self.jobs.start(Inspect(self.study.snapshot(), row_key), self.inspected.emit)

    def export(self, job: Export) -> None:
        """Run one export in the background."""
        self.jobs.start(job, self.exported.emit)

    # -- jobs -----------------------------------------------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        """Whether anything is under way, or about to be."""
        return self.jobs.is_busy or self.latest_only.is_waiting

    def shut_down(self) -> bool:
        """End every thread; returns whether all of them ended in time."""
        self.latest_only.forget()
        ended = self._deferred_release.shut_down()
        return self.jobs.shut_down() and ended

    def _load(self) -> None:
        self.jobs.start(ReadFiles(tuple(self._loading), self._tables(), self.remembered), self._take_loaded)

    def _tables(self) -> "tuple[PolymerTable, ...]":
        return tuple(loaded.table for loaded in self.study.state.tables)

    def _change(self, label: str, state: StudyState, *, merge: bool = False) -> None:
        self.study.execute(label, state, merge=merge)
        if merge:
            self.latest_only.wish()
        else:
            self._derive()

    def _tell_whether_busy(self) -> None:
        self.busy_changed.emit(self.is_busy)

    def _derive(self, *, again: bool = False) -> None:
        if self.study.state.tables and (again or self.study.needs_work):
            job = Derive(self.study.state, self.study.derived, again)
            self.jobs.start(job, self._take_derived, self.study.accept)
        elif not self.study.state.tables:
            from affinecal_gui.study.derived import Derived

            self.jobs.cancel_all()
            self.study.accept(Derived(state=self.study.state))
        self.latest_only.forget()  # this was the latest wish

    def _on_study_changed(self, snapshot: Snapshot) -> None:
        self._deferred_release.follow(snapshot.rows)
        self.snapshot_changed.emit(snapshot)

    def _take_derived(self, derived: "Derived") -> None:
        self.study.accept(derived)
        self.noticed.emit(self._about_this_state(Notice(derived.kind, derived.message)))
        self.latest_only.go_on()

    def _about_this_state(self, notice: Notice) -> Notice:
        """Let what is said of the study stand until the study is another one."""
        state = self.study.state
        return notice._replace(stands_while=lambda _shown: self.study.state is state)

    def _take_forecast(self, result: StudyForecast) -> None:
        shown = self.study.derived.snapshot
        if shown.calibration is result.of.snapshot.calibration:  # else it is the forecast of what is not shown any more
            found = replace(result.derived.snapshot, predicted_md=shown.predicted_md)
            self.study.accept(replace(result.derived, snapshot=found))
            self.noticed.emit(Notice("done", result.sentence))

    def _take_in_unit(self, unit: str, table: "PolymerTable") -> None:
        if any(loaded.table.path == table.path for loaded in self.study.state.tables):
            self._change(f"Read {table.name} in {unit}", self.study.state.with_tables((table,)))

    def _take_again(self, found: "Examined") -> None:
        """Put a table that was read again in the place of what was read of it before."""
        if found.table is None:
            self.noticed.emit(Notice("caution", found.error))
        elif any(loaded.table.path == found.table.path for loaded in self.study.state.tables):
            self.import_table(found.table, found.source, found.choices)

    def _take_loaded(self, loaded: "Loaded") -> None:
        self._loading.clear()
        self._take_over(loaded)

    def _take_over(self, loaded: "Loaded") -> None:
        """Add what was read to the study, and pass on what has to be asked."""
        for error in loaded.errors:
            self.noticed.emit(notice_of(error))
        if loaded.tables:
            names = ", ".join(table.name for table in loaded.tables)
            state = self.study.state.with_tables(loaded.tables)
            if loaded.property_key:
                state = state.with_property(loaded.property_key)
            for source, choices in zip(loaded.sources, loaded.choices, strict=True):
                self._readings.keep(source, choices)
            self.files_opened.emit(tuple(table.path for table in loaded.tables))
            in_use = state.settings.property_key
            self.noticed.emit(Notice("done", " ".join(_summary(table, in_use) for table in loaded.tables)))
            for source, choices in zip(loaded.sources, loaded.choices, strict=True):
                self._tell_corrections(source, choices)
            self._tell_doubts(state, loaded.tables)
            self._change(f"Add {names}", state)
            if loaded.property_key:
                self.example_opened.emit()
        if loaded.asked:
            self.tables_asked.emit(loaded.asked)

    def _tell_corrections(self, source: TableSource, choices: ImportChoices) -> None:
        """Say what was corrected by hand in a file when it was opened earlier, and offer to read it as it is."""
        if choices.known_content:
            action = NoticeAction("Drop the corrections", partial(self.drop_corrections, source, choices))
            self.noticed.emit(Notice("info", corrections_again(source.name, choices), action=action))

    def _tell_doubts(self, state: StudyState, new: "Sequence[PolymerTable]" = ()) -> None:
        """Tell what is assumed of the values that are in use now; what concerns other columns is for the log until then."""
        from affinecal_gui.study.importing.importing import doubts_about, other_doubts

        key = state.settings.property_key
        is_other = key != self.study.state.settings.property_key
        for table in (loaded.table for loaded in state.tables) if is_other else new:
            doubts = doubts_about(table, key)
            if doubts:
                self.noticed.emit(Notice("caution", doubts))
        for table in new:
            others = other_doubts(table, key)
            if others:
                count = f"{len(others)} remark{'s' if len(others) != 1 else ''}"
                text = f"{table.name}: {count} on properties that are not in use."
                self.noticed.emit(Notice("logged", text, "\n".join(others)))

    def _on_failed(self, job: AnyJob, error: BaseException) -> None:
        if isinstance(job, Loading):
            self._loading.clear()
        if not job.tells_itself:
            notice = notice_of(error)
            self.noticed.emit(self._about_this_state(notice) if isinstance(job, Derive) else notice)
        self.latest_only.go_on()

    def _on_cancelled(self, job: AnyJob) -> None:
        if isinstance(job, Loading):
            self._loading.clear()
        if isinstance(job, Derive) and not self.study.state.tables:
            return  # there is nothing left that it could be the result of
        if not job.tells_itself and not isinstance(job, Inspect | ReportMatching | RememberChoices | AskPolymer):
            has_result = self.study.snapshot().calibration is not None
            self.noticed.emit(Notice("info", "Cancelled. The last result stands." if has_result else "Cancelled."))


def _summary(table: "PolymerTable", property_key: str) -> str:
    from affinecal_gui.study.importing.importing import summary_of_table

    return summary_of_table(table, property_key)
