"""What the window can wish for: every action of the user ends here, becomes a step of the study or a job, and comes back."""

import logging
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from affinecal_gui.errors import MoreNeeded, UserError
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.importing.remembered_choices import RememberedChoices
from affinecal_gui.study.snapshot import SETTING_FACTS, MatchingChoices, Settings, Snapshot, changed_settings
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.study import Study
from affinecal_gui.study.table_source import NOTHING_CHOSEN, ImportChoices, TableSource, source_of_pasted
from affinecal_gui.tables.flagged_runs import used_reasons
from affinecal_gui.task import Task
from affinecal_gui.ui.running.deferred_release import LettingGo
from affinecal_gui.ui.running.latest_only import Following
from affinecal_gui.ui.running.worker import JobRunner, Publish, Work

if TYPE_CHECKING:  # these import the chemistry, which the first window does not wait for
    from affinecal_gui.study.derived import Derived
    from affinecal_gui.study.importing.importing import Examined
    from affinecal_gui.study.importing.loading import Loaded, OpenTable
    from affinecal_gui.study.state import LoadedTable
    from affinecal_gui.tables.headings.column_roles import Roles
    from affinecal_gui.tables.values.polymer_table import PolymerTable

logger = logging.getLogger(__name__)

ASK, LEARN = "ask", "learn to predict MD"
"""Purposes of the jobs that answer questions about polymers, and that prepare for them."""

OF_THE_STUDY = (
    "load", "paste", "understand", "unit", "flagged", "derive", "forecast", "inspect", "matching report", ASK, LEARN,
)  # fmt: skip
"""Purposes of jobs whose results belong to the study that is in the window."""

LARGEST_PASTED = 32_000_000  # characters of pasted text that are kept so that it can be read in another way


@dataclass(frozen=True, slots=True)
class NoticeAction:
    """What a message offers to do."""

    label: str  # of the button
    run: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Notice:
    """A message for the user: one or two sentences, and for a fault of the program the details to copy."""

    kind: str  # "done", "info", "caution" or "problem"; "logged": for the log alone
    text: str
    details: str = ""
    action: NoticeAction | None = None


def notice_of(error: BaseException) -> Notice:
    """Turn an exception into words: a UserError speaks for itself, anything else is a fault of the program."""
    if isinstance(error, UserError):
        return Notice("info" if isinstance(error, MoreNeeded) else "problem", str(error))
    details = "".join(traceback.format_exception(error))
    return Notice(
        "problem",
        "Something went wrong inside AffineCal; what you loaded is untouched. The details are in the log.",
        details,
    )


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
        self.jobs.done.connect(self._on_done)
        self.jobs.published.connect(self._on_published)
        self.jobs.failed.connect(self._on_failed)
        self.jobs.cancelled.connect(self._on_cancelled)
        self.following = Following(self._derive, lambda: self.jobs.is_running("derive"), self)
        for signal in (self.jobs.busy_changed, self.following.changed):
            signal.connect(self._tell_whether_busy)
        self._letting_go = LettingGo(self)
        self.remembered = RememberedChoices()
        self._readings: dict[str, tuple[TableSource, ImportChoices]] = {}  # how each table was read, by its path
        self._loading: list[str] = []  # files named while others were still being read join them
        self._loading_property: str | None = None

    # -- wishes ---------------------------------------------------------------------------------------------------

    def open_files(self, paths: Sequence[str]) -> None:
        """Read these files and add them to the study; files still being read are read as well."""
        for path in paths:
            if path not in self._loading:
                self._loading.append(path)
        self._load()

    def open_text(self, text: str) -> None:
        """Read a table that was pasted and add it to the study."""
        names = {table.name for table in self._tables()} | set(self._readings)
        self._start("paste", _read_text(source_of_pasted(text, names), self._tables(), self.remembered))

    def understand_again(self, opened: "Sequence[OpenTable]") -> None:
        """Try again what could not be settled, now that more is known; what is still open is asked again."""
        if opened:
            self._start("understand", _understand(tuple(opened), self._tables(), self.remembered))

    def take_as_guessed(self, opened: Sequence["OpenTable"]) -> None:
        """Import tables with open questions without asking anybody, which is told."""
        names = " and ".join(table.source.name for table in opened)
        verb = "leaves" if len(opened) == 1 else "leave"
        self.noticed.emit(Notice("caution", f"{names} {verb} a question open; the likeliest answer was taken."))
        self._start("understand", _understand(tuple(opened), self._tables(), None))

    def import_table(self, table: "PolymerTable", source: TableSource, choices: ImportChoices) -> None:
        """Add a table that the user has looked at, or put it in the place of what was read of it before."""
        known = any(loaded.table.path == table.path for loaded in self.study.state.tables)
        self._keep_reading(source, choices)
        self.files_opened.emit((table.path,))
        label = f"Change how {table.name} is read" if known else f"Add {table.name}"
        self._change(label, self.study.state.with_tables((table,)))

    def remember_choices(self, shape: str, choices: ImportChoices, roles: "Roles | None") -> None:
        """Keep choices for files of the same shape; without roles, forget them."""
        self._start("remember", _remember(self.remembered, shape, choices, roles))

    def reading_of(self, key: str) -> tuple[TableSource, ImportChoices] | None:
        """Return where a table of the study came from, and how it was read."""
        table = next((loaded.table for loaded in self.study.state.tables if loaded.key == key), None)
        if table is None:
            return None
        # Of a table out of a study file only its path is known; pasted text does not come back.
        is_file = Path(table.path).is_absolute()
        source = TableSource(table.path) if is_file else TableSource(table.path, "")
        as_stored = NOTHING_CHOSEN.using_flagged(used_reasons(table.flagged))
        known, choices = self._readings.get(table.path, (source, as_stored))
        return known, replace(choices, base=table.roles, columns=(), kind=None, known_shape="")

    @property
    def tables_are_as_they_come(self) -> bool:
        """Whether reading the files of the tables again, with nothing chosen, gives the tables of the study."""
        for loaded in self.study.state.tables:
            reading = self._readings.get(loaded.table.path)
            if reading is None or reading[0].text is not None:
                return False
            choices, roles = reading[1], loaded.table.roles
            # Of values that failed a check the commands and the lines of Python say which are used.
            chosen = choices.options.chosen - {"use_flagged"} or choices.base or choices.columns or choices.edits
            # A unit that was corrected later is in the roles alone.
            if chosen or (roles is not None and any(column.reason == "chosen" for column in roles.columns)):
                return False
        return True

    def read_in_unit(self, key: str, unit: str) -> None:
        """Take the measured values of a table to be in another unit than it says."""
        table = next((loaded.table for loaded in self.study.state.tables if loaded.key == key), None)
        if table is not None:
            self._start("unit", _read_in_unit(table, self.study.state.quantity.key, unit))

    def use_flagged(self, key: str, reasons: Sequence[str]) -> None:
        """Read a table of simulations again, with the values that failed a check for these reasons, and no others."""
        reading = self.reading_of(key)
        if reading is not None:
            source, choices = reading
            self._start("flagged", _read_again(source, choices.using_flagged(reasons), self.study.state.tables))

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
            self.jobs.start("matching report", _report_matching(assembly, self.study.snapshot()))

    def open_example(self, key: str) -> None:
        """Start anew with a bundled study."""
        self.new_study()
        self._start("load", _read_example(key))

    def use_bundled_md(self) -> None:
        """Add the MD values that come with the program."""
        self._start("load", _read_bundled_md(self._tables()))

    def new_study(self) -> None:
        """Forget everything that is loaded."""
        self.following.forget()
        self.jobs.cancel_all()
        self._loading.clear()
        self.started_anew.emit()
        self.study.clear()

    def replace_study(self, state: StudyState, derived: "Derived | None") -> None:
        """Go on with a study that comes out of a file; without a result, it is worked out now."""
        for purpose in OF_THE_STUDY:
            self.jobs.drop(purpose)
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
        """Calibrate again, even if nothing changed."""
        self._derive(again=True)

    def forecast(self) -> None:
        """Forecast how the error falls with more measured polymers."""
        if self.study.derived.snapshot.calibration is not None and not self.study.needs_work:
            self._start("forecast", _forecast(self.study.derived))

    def cancel(self) -> None:
        """Stop whatever is running; the last result stands."""
        self.following.forget()
        self.jobs.cancel_all()

    def inspect(self, row_key: str) -> None:
        """Work out what there is to say about one polymer."""
        if row_key:
            self.jobs.start("inspect", _inspect(self.study.snapshot(), row_key))

    def export(self, work: Work) -> None:
        """Run one export in the background; it returns the paths that it wrote."""
        self._start("export", work)

    # -- jobs -----------------------------------------------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        """Whether anything is under way, or about to be."""
        return self.jobs.is_busy or self.following.is_waiting

    def shut_down(self) -> bool:
        """End every thread; returns whether all of them ended in time."""
        self.following.forget()
        ended = self._letting_go.shut_down()
        return self.jobs.shut_down() and ended

    def _start(self, purpose: str, work: Work) -> None:
        self.jobs.start(purpose, work)

    def _load(self) -> None:
        self._start("load", _read_files(tuple(self._loading), self._tables(), self.remembered))

    def _tables(self) -> "tuple[PolymerTable, ...]":
        return tuple(loaded.table for loaded in self.study.state.tables)

    def _change(self, label: str, state: StudyState, *, merge: bool = False) -> None:
        self.study.execute(label, state, merge=merge)
        if merge:
            self.following.wish()
        else:
            self._derive()

    def _tell_whether_busy(self) -> None:
        self.busy_changed.emit(self.is_busy)

    def _derive(self, *, again: bool = False) -> None:
        if self.study.state.tables and (again or self.study.needs_work):
            self._start("derive", derive_from(self.study.state, self.study.derived, again))
        elif not self.study.state.tables:
            from affinecal_gui.study.derived import Derived

            self.jobs.cancel_all()
            self.study.accept(Derived(state=self.study.state))
        self.following.forget()  # this was the latest wish

    def _on_study_changed(self, snapshot: Snapshot) -> None:
        self._letting_go.follow(snapshot.rows)
        self.snapshot_changed.emit(snapshot)

    def _on_published(self, purpose: str, partial: object) -> None:
        if purpose == "derive":
            self.study.accept(partial)  # type: ignore[arg-type]  # Derived, as derive_from publishes

    def _on_done(self, purpose: str, result: object) -> None:
        from affinecal_gui.study.derived import Derived
        from affinecal_gui.study.importing.importing import Examined
        from affinecal_gui.study.importing.loading import Loaded

        if isinstance(result, Loaded):
            if purpose == "load":
                self._loading.clear()
            self._take_over(result)
        elif isinstance(result, Derived):
            self.study.accept(result)
            self.noticed.emit(Notice(result.kind, result.message))
            self.following.go_on()
        elif purpose == "inspect":
            self.inspected.emit(result)
        elif purpose == "export":
            self.exported.emit(result)
        elif purpose == "matching report":
            self.matching_reported.emit(result)
        elif isinstance(result, Examined):
            self._take_again(result)
        elif purpose == "forecast":
            assert isinstance(result, _WithForecast)
            if self.study.derived is result.of:  # else it is the forecast of what is not shown any more
                self.study.accept(result.derived)
                self.noticed.emit(Notice("done", result.sentence))
        elif purpose == "unit":
            assert isinstance(result, _InUnit)
            if any(loaded.table.path == result.table.path for loaded in self.study.state.tables):
                state = self.study.state.with_tables((result.table,))
                self._change(f"Read {result.table.name} in {result.unit}", state)

    def _take_again(self, found: "Examined") -> None:
        """Put a table that was read again in the place of what was read of it before."""
        if found.table is None:
            self.noticed.emit(Notice("caution", found.error))
        elif any(loaded.table.path == found.table.path for loaded in self.study.state.tables):
            self.import_table(found.table, found.source, found.choices)

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
                self._keep_reading(source, choices)
            self.files_opened.emit(tuple(table.path for table in loaded.tables))
            in_use = state.settings.property_key
            self.noticed.emit(Notice("done", " ".join(_summary(table, in_use) for table in loaded.tables)))
            self._tell_doubts(state, loaded.tables)
            self._change(f"Add {names}", state)
            if loaded.property_key:
                self.example_opened.emit()
        if loaded.asked:
            self.tables_asked.emit(loaded.asked)

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

    def _keep_reading(self, source: TableSource, choices: ImportChoices) -> None:
        """Remember how a table was read, and of pasted text, which is nowhere else, as much as there is room for."""
        self._readings.pop(source.path, None)
        self._readings[source.path] = (source, choices)
        room = LARGEST_PASTED
        for path, (known, made) in reversed(list(self._readings.items())):
            room -= len(known.text or "")
            if room < 0 and known.text:
                self._readings[path] = (TableSource(path, ""), made)

    def _on_failed(self, purpose: str, error: BaseException) -> None:
        if purpose == "load":
            self._loading.clear()
        self.noticed.emit(notice_of(error))
        self.following.go_on()

    def _on_cancelled(self, purpose: str) -> None:
        if purpose == "load":
            self._loading.clear()
        if purpose == "derive" and not self.study.state.tables:
            return  # there is nothing left that it could be the result of
        if purpose not in {"inspect", "matching report", "remember", ASK}:
            has_result = self.study.snapshot().calibration is not None
            self.noticed.emit(Notice("info", "Cancelled. The last result stands." if has_result else "Cancelled."))


@dataclass(frozen=True, slots=True, eq=False)
class _InUnit:
    """A table whose values were read in another unit."""

    table: "PolymerTable"
    unit: str


@dataclass(frozen=True, slots=True, eq=False)
class _WithForecast:
    """A calibrated study with its forecast."""

    of: "Derived"  # as it was
    derived: "Derived"
    sentence: str


# Each of these makes the work of one job. What they import is heavy and is therefore imported in the job's thread.


def _read_files(paths: tuple[str, ...], beside: "tuple[PolymerTable, ...]", remembered: RememberedChoices) -> Work:
    def work(task: Task, publish: Publish) -> object:
        from affinecal_gui.study.importing.loading import load_tables

        return load_tables(
            tuple(Path(path) for path in paths),
            beside=beside,
            remembered=remembered,
            ask=True,
            task=task,
        )

    return work


def _read_text(source: TableSource, beside: "tuple[PolymerTable, ...]", remembered: RememberedChoices) -> Work:
    def work(task: Task, publish: Publish) -> object:
        from affinecal_gui.study.importing.loading import load_sources

        return load_sources([source], beside=beside, remembered=remembered, ask=True, task=task)

    return work


def _understand(
    opened: "tuple[OpenTable, ...]", beside: "tuple[PolymerTable, ...]", remembered: RememberedChoices | None
) -> Work:
    def work(task: Task, publish: Publish) -> object:
        from affinecal_gui.study.importing.loading import understand

        return understand(
            opened,
            beside=beside,
            remembered=remembered,
            ask=remembered is not None,
            task=task,
        )

    return work


def _remember(remembered: RememberedChoices, shape: str, choices: ImportChoices, roles: "Roles | None") -> Work:
    def work(task: Task, publish: Publish) -> object:
        if roles is None:
            remembered.forget(shape)
        else:
            remembered.remember(shape, choices.options, roles)
        return None

    return work


def _read_again(source: TableSource, choices: ImportChoices, beside: "tuple[LoadedTable, ...]") -> Work:
    def work(task: Task, publish: Publish) -> object:
        from affinecal_gui.study.importing.importing import examine

        return examine(source, choices, beside=beside, task=task)

    return work


def _read_in_unit(table: "PolymerTable", property_key: str, unit: str) -> Work:
    def work(task: Task, publish: Publish) -> object:
        from affinecal_gui.study.importing.unit_doubts import with_measured_unit

        return _InUnit(with_measured_unit(table, property_key, unit), unit)

    return work


def _forecast(derived: "Derived") -> Work:
    def work(task: Task, publish: Publish) -> object:
        from affinecal_gui.study.calibrator_files.making import calibrated_here
        from affinecal_gui.study.fitting.forecasting import with_forecast
        from affinecal_gui.study.words.forecast_words import forecast_sentences

        here = calibrated_here(derived.state, derived, cache=DescriptorCache(), task=task.part(0.0, 0.4))
        assert here.snapshot.calibration is not None
        found = with_forecast(here.snapshot.calibration, task=task.part(0.4, 1.0))
        made = replace(here, snapshot=replace(here.snapshot, calibration=found))
        return _WithForecast(derived, made, " ".join(forecast_sentences(found, here.snapshot.quantity)))

    return work


def _report_matching(assembly: object, snapshot: Snapshot) -> Work:
    def work(task: Task, publish: Publish) -> object:
        from affinecal_gui.study.data.assembly import Assembly
        from affinecal_gui.study.shown.matching_content import matching_content

        assert isinstance(assembly, Assembly)
        return matching_content(assembly, snapshot, task=task)

    return work


def _summary(table: "PolymerTable", property_key: str) -> str:
    from affinecal_gui.study.importing.importing import summary_of_table

    return summary_of_table(table, property_key)


def _read_example(key: str) -> Work:
    def work(task: Task, publish: Publish) -> object:
        from affinecal_gui.study.importing.examples import example_files, find_example
        from affinecal_gui.study.importing.loading import load_tables

        example = find_example(key)
        with example_files(example) as paths:
            loaded = load_tables(paths, task=task)
        return replace(loaded, property_key=example.property_key)

    return work


def _read_bundled_md(beside: "tuple[PolymerTable, ...]") -> Work:
    def work(task: Task, publish: Publish) -> object:
        from affinecal_gui.study.importing.bundled_md import bundled_md
        from affinecal_gui.study.importing.loading import load_tables

        with bundled_md() as path:
            return load_tables((path,), beside=beside, task=task)

    return work


def derive_from(state: StudyState, previous: object, again: bool) -> Work:
    """Return the work that derives a study from its state and from what was derived before."""

    def work(task: Task, publish: Publish) -> object:
        from affinecal_gui.study.derive import derive
        from affinecal_gui.study.derived import Derived

        assert isinstance(previous, Derived)
        return derive(
            state,
            previous,
            again=again,
            processes=1,
            cache=DescriptorCache(),
            publish=publish,
            task=task,
        )

    return work


def _inspect(snapshot: Snapshot, row_key: str) -> Work:
    def work(task: Task, publish: Publish) -> object:
        from affinecal_gui.study.shown.inspection import inspect_polymer

        return inspect_polymer(snapshot, row_key, task=task)

    return work
