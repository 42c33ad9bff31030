"""The jobs of a session: what is worked out for the study of a window, each with its arguments and its result."""

from abc import ABC
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.importing.remembered_choices import RememberedChoices
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.state import LoadedTable, StudyState
from affinecal_gui.study.table_source import ImportChoices, TableSource
from affinecal_gui.task import Task
from affinecal_gui.ui.running.job import Job

if TYPE_CHECKING:  # these import the chemistry, which the first window does not wait for
    from affinecal_gui.study.asking.answering import Answers
    from affinecal_gui.study.asking.asked_polymer import AskedPolymer
    from affinecal_gui.study.data.assembly import Assembly
    from affinecal_gui.study.derived import Derived
    from affinecal_gui.study.importing.importing import Examined
    from affinecal_gui.study.importing.loading import Loaded, OpenTable
    from affinecal_gui.study.shown.inspector_content import InspectorContent
    from affinecal_gui.study.shown.matching_content import MatchingContent
    from affinecal_gui.tables.values.polymer_table import PolymerTable


class Loading(Job["Loaded"], ABC):
    """Reading files into the study."""


@dataclass(frozen=True, eq=False)
class ReadFiles(Loading):
    """Read files that the user named."""

    paths: tuple[str, ...]
    beside: "tuple[PolymerTable, ...]"
    remembered: RememberedChoices

    def run(self, task: Task, publish: "Callable[[Loaded], None]") -> "Loaded":
        """Read them; what is open about them is not decided."""
        from affinecal_gui.study.importing.loading import load_tables

        paths = tuple(Path(path) for path in self.paths)
        return load_tables(paths, beside=self.beside, remembered=self.remembered, ask=True, task=task)


@dataclass(frozen=True, eq=False)
class ReadExample(Loading):
    """Read the files of a bundled example."""

    key: str

    def run(self, task: Task, publish: "Callable[[Loaded], None]") -> "Loaded":
        """Read them."""
        from affinecal_gui.study.importing.examples import example_files, find_example
        from affinecal_gui.study.importing.loading import load_tables

        example = find_example(self.key)
        loaded = load_tables(example_files(example), task=task)
        return replace(loaded, property_key=example.property_key)


@dataclass(frozen=True, eq=False)
class ReadBundledMD(Loading):
    """Read the MD values that come with the program."""

    beside: "tuple[PolymerTable, ...]"

    def run(self, task: Task, publish: "Callable[[Loaded], None]") -> "Loaded":
        """Read them."""
        from affinecal_gui.study.importing.bundled_md import bundled_md
        from affinecal_gui.study.importing.loading import load_tables

        return load_tables((bundled_md(),), beside=self.beside, task=task)


@dataclass(frozen=True, eq=False)
class ReadPasted(Job["Loaded"]):
    """Read a table that was pasted."""

    source: TableSource
    beside: "tuple[PolymerTable, ...]"
    remembered: RememberedChoices

    def run(self, task: Task, publish: "Callable[[Loaded], None]") -> "Loaded":
        """Read it; what is open about it is not decided."""
        from affinecal_gui.study.importing.loading import load_sources

        return load_sources([self.source], beside=self.beside, remembered=self.remembered, ask=True, task=task)


@dataclass(frozen=True, eq=False)
class UnderstandTables(Job["Loaded"]):
    """Try again what could not be settled about tables."""

    opened: "tuple[OpenTable, ...]"
    beside: "tuple[PolymerTable, ...]"
    remembered: RememberedChoices | None  # None: the likeliest answers are taken, and nobody is asked

    def run(self, task: Task, publish: "Callable[[Loaded], None]") -> "Loaded":
        """Settle what can be settled now."""
        from affinecal_gui.study.importing.loading import understand

        ask = self.remembered is not None
        return understand(self.opened, beside=self.beside, remembered=self.remembered, ask=ask, task=task)


@dataclass(frozen=True, eq=False)
class RememberChoices(Job[None]):
    """Keep choices for files of the same shape, and corrections for this very file; or forget both."""

    remembered: RememberedChoices
    examined: "Examined"
    keep: bool

    def run(self, task: Task, publish: Callable[[None], None]) -> None:
        """Write the file of choices."""
        found = self.examined
        if self.keep:
            self.remembered.remember(found.shape, found.choices.options, found.roles)
            self.remembered.remember_corrections(found.shape, found.raw, found.choices, found.roles, task=task)
        else:
            self.remembered.forget_file(found.shape, found.raw, task=task)


@dataclass(frozen=True, eq=False)
class DropCorrections(Job["Loaded"]):
    """Forget what was corrected by hand in a file, and read it as it is."""

    source: TableSource
    choices: ImportChoices
    beside: "tuple[PolymerTable, ...]"
    remembered: RememberedChoices

    def run(self, task: Task, publish: "Callable[[Loaded], None]") -> "Loaded":
        """Read it; what is open about it is not decided."""
        from affinecal_gui.study.importing.loading import load_sources

        self.remembered.forget(self.choices.known_shape)
        self.remembered.forget(self.choices.known_shape, self.choices.known_content)
        return load_sources([self.source], beside=self.beside, remembered=self.remembered, ask=True, task=task)


@dataclass(frozen=True, eq=False)
class ReadInUnit(Job["PolymerTable"]):
    """Take the measured values of a table to be in another unit than it says."""

    table: "PolymerTable"
    property_key: str
    unit: str

    def run(self, task: Task, publish: "Callable[[PolymerTable], None]") -> "PolymerTable":
        """Convert the values."""
        from affinecal_gui.study.importing.unit_doubts import with_measured_unit

        return with_measured_unit(self.table, self.property_key, self.unit)


@dataclass(frozen=True, eq=False)
class ReadAgain(Job["Examined"]):
    """Read a table of the study again, with other choices."""

    source: TableSource
    choices: ImportChoices
    beside: tuple[LoadedTable, ...]

    def run(self, task: Task, publish: "Callable[[Examined], None]") -> "Examined":
        """Read it."""
        from affinecal_gui.study.importing.importing import examine

        return examine(self.source, self.choices, beside=self.beside, task=task)


@dataclass(frozen=True, eq=False)
class Derive(Job["Derived"]):
    """Derive a study from its state and from what was derived before; what is ready early is published."""

    state: StudyState
    previous: "Derived"
    again: bool  # even if nothing changed

    def run(self, task: Task, publish: "Callable[[Derived], None]") -> "Derived":
        """Match, describe and calibrate."""
        from affinecal_gui.study.derive import derive

        return derive(
            self.state,
            self.previous,
            again=self.again,
            processes=1,
            cache=DescriptorCache(),
            publish=publish,
            task=task,
        )


@dataclass(frozen=True, slots=True, eq=False)
class StudyForecast:
    """A calibrated study with the forecast of its error."""

    of: "Derived"  # as it was
    derived: "Derived"
    sentence: str


@dataclass(frozen=True, eq=False)
class Forecast(Job[StudyForecast]):
    """Forecast how the error falls with more measured polymers."""

    derived: "Derived"

    def run(self, task: Task, publish: Callable[[StudyForecast], None]) -> StudyForecast:
        """Calibrate where that was done elsewhere, and forecast."""
        from affinecal_gui.study.calibrator_files.making import calibrated_here
        from affinecal_gui.study.fitting.forecasting import with_forecast
        from affinecal_gui.study.words.forecast_words import forecast_sentences

        here = calibrated_here(self.derived.state, self.derived, cache=DescriptorCache(), task=task.part(0.0, 0.4))
        assert here.snapshot.calibration is not None
        found = with_forecast(here.snapshot.calibration, task=task.part(0.0 if here is self.derived else 0.4, 1.0))
        made = replace(here, snapshot=replace(here.snapshot, calibration=found))
        return StudyForecast(self.derived, made, " ".join(forecast_sentences(found, here.snapshot.quantity)))


@dataclass(frozen=True, eq=False)
class LearnAnswers(Job["Answers"]):
    """Prepare for questions about polymers; what can be answered before MD values can be predicted is published."""

    snapshot: Snapshot
    derived: "Derived"
    previous: "Answers | None"

    def run(self, task: Task, publish: "Callable[[Answers], None]") -> "Answers":
        """Prepare, then learn to predict MD values."""
        from affinecal_gui.study.asking.answering import learn, prepare_answers

        answers = prepare_answers(self.snapshot, self.derived, self.previous, task=task)
        publish(answers)
        return learn(answers, self.derived, cache=DescriptorCache(), task=task)


@dataclass(frozen=True, eq=False)
class AskPolymer(Job["AskedPolymer"]):
    """Answer what is known of a polymer."""

    answers: "Answers"
    text: str

    def run(self, task: Task, publish: "Callable[[AskedPolymer], None]") -> "AskedPolymer":
        """Answer."""
        return self.answers.ask(self.text, task=task)


@dataclass(frozen=True, eq=False)
class Inspect(Job["InspectorContent | None"]):
    """Work out what there is to say about one polymer."""

    snapshot: Snapshot
    row_key: str

    def run(self, task: Task, publish: "Callable[[InspectorContent | None], None]") -> "InspectorContent | None":
        """Work it out; None where there is no such row."""
        from affinecal_gui.study.shown.inspection import inspect_polymer

        return inspect_polymer(self.snapshot, self.row_key, task=task)


@dataclass(frozen=True, eq=False)
class ReportMatching(Job["MatchingContent"]):
    """Work out what became of every measured row."""

    assembly: "Assembly"
    snapshot: Snapshot

    def run(self, task: Task, publish: "Callable[[MatchingContent], None]") -> "MatchingContent":
        """Work it out."""
        from affinecal_gui.study.shown.matching_content import matching_content

        return matching_content(self.assembly, self.snapshot, task=task)


class Export(Job[tuple[str, ...]], ABC):
    """Writing files out of the study; the result are their paths."""


OF_THE_STUDY = (
    Loading,
    ReadPasted,
    DropCorrections,
    UnderstandTables,
    ReadInUnit,
    ReadAgain,
    Derive,
    Forecast,
    Inspect,
    ReportMatching,
    AskPolymer,
    LearnAnswers,
)
"""Jobs whose results belong to the study that is in the window."""
