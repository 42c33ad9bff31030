"""The screening of a library as a job: the calibrator of the study is saved, and what is found is told as it comes."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from affinecal_gui.errors import UserError
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.state import StudyState
from affinecal_gui.task import Task
from affinecal_gui.ui.dialogs.screening.wish import Wish
from affinecal_gui.ui.running.job import Job

if TYPE_CHECKING:  # imports the chemistry
    from affinecal_gui.study.calibrator_files.calibrator_file import CalibratorFile
    from affinecal_gui.study.derived import Derived
    from affinecal_gui.tables.units.properties import Property
    from affinecal_gui.tasks.screening.next_steps import NextStep, StepsWanted
    from affinecal_gui.tasks.screening.results.so_far import FoundSoFar
    from affinecal_gui.tasks.screening.results.trade_off import TradeOffSoFar
    from affinecal_gui.tasks.screening.wished import Goal, Wishes

CALIBRATOR = "calibrator.affinecal-model"
"""In the folder of the results: what they were made with, for ``affinecal screen`` and for going on."""
BEGIN_ANEW = "Begin anew"
SECONDS_BETWEEN_NEWS = 0.5

_IN_WORDS_OF_THE_WINDOW = {
    "add --overwrite to begin anew": f"tick “{BEGIN_ANEW}”",
    "Add --overwrite": f"Tick “{BEGIN_ANEW}”",
    "add --overwrite": f"tick “{BEGIN_ANEW}”",
    "--resume continues": "Start goes on from there",
    "with --calibrator (": "in the panel of the model (",
}
_one_at_a_time = threading.Lock()


@dataclass(frozen=True, slots=True)
class ScreeningChoice:
    """What the user has chosen."""

    library: Path
    output: Path
    top: int
    ranked_by: Literal["value", "bound", "probability"]  # bound: of the interval, the one that is sure
    highest_first: bool
    begin_anew: bool = False
    wishes: Mapping[str, Wish] = field(default_factory=dict)  # by key of the property
    calibrators: tuple[Path, ...] = ()  # of other properties
    steps: "StepsWanted | None" = None  # None: no next steps are listed


@dataclass(frozen=True, slots=True, eq=False)
class ScreeningNews:
    """How far a screening is."""

    sentence: str
    found: "FoundSoFar | None" = None  # None before the first partition
    calibrated: "Derived | None" = None  # the study, once it is calibrated in this session; None before
    steps: "tuple[NextStep, ...]" = ()  # in the end
    of: str = ""  # what follows the names of the columns of the property that is shown
    trade_off: "TradeOffSoFar | None" = None  # with another property; None where there is none
    beside: str = ""  # title and unit of that property


@dataclass(frozen=True, eq=False)
class ScreenLibrary(Job[ScreeningNews]):
    """Save the calibrator that is shown beside the results, and screen a library with it."""

    tells_itself: ClassVar[bool] = True

    state: StudyState
    derived: "Derived"
    snapshot: Snapshot
    choice: ScreeningChoice

    def run(self, task: Task, publish: Callable[[ScreeningNews], None]) -> ScreeningNews:
        """Screen; what an earlier run of the same has finished is kept."""
        with _alone(task):
            try:
                return self._screen(task, publish)
            except UserError as error:
                raise UserError(in_words_of_the_window(str(error))) from error

    def _screen(self, task: Task, publish: Callable[[ScreeningNews], None]) -> ScreeningNews:
        from affinecal_gui.study.calibrator_files.calibrator_file import open_calibrator
        from affinecal_gui.tasks.screening.columns import column
        from affinecal_gui.tasks.screening.results.finishing import rankings_of
        from affinecal_gui.tasks.screening.results.so_far import FinishedPartition, Watcher
        from affinecal_gui.tasks.screening.results.trade_off import TradeOff
        from affinecal_gui.tasks.screening.screening import screen_library

        choice, quantity = self.choice, self.state.quantity
        if not choice.library.exists():
            raise UserError(f"There is no {choice.library}. Choose the library again.")
        quantities = [quantity, *(open_calibrator(path).facts.quantity for path in choice.calibrators)]
        wishes = self._wishes()
        news = _News(task, publish)
        news.tell("Getting the calibrator ready")
        calibrator = self._calibrator(news, news.task.part(0.0, 0.1))
        of = column("", quantity, quantities)
        found = rankings_of(quantities, wishes)
        rankings = {"value": found[0], "bound": found[1], "probability": found[-1]}  # the last where bounds are wished
        watcher = Watcher(rankings[choice.ranked_by], choice.top, of=of)
        steps: list[NextStep] = []
        trade_off = None
        if len(quantities) > 1:
            names = (column("value", quantities[0], quantities), column("value", quantities[1], quantities))
            own, other = (choice.wishes.get(one.key, Wish()) for one in quantities[:2])
            goal = wishes.goals.get(quantities[0].key, "high")
            trade_off = TradeOff(names, (goal if own.middle is None else own.middle, other.aim))
            news.beside = title_with_unit(quantities[1])

        def watch(finished: FinishedPartition) -> None:
            watcher.take(finished)
            if trade_off is not None:
                trade_off.take(finished.file)
                news.trade_off = trade_off.so_far
            news.find(watcher.so_far)

        report = screen_library(
            choice.library,
            [calibrator, *choice.calibrators],
            choice.output,
            where=wishes,
            top=choice.top,
            steps=choice.steps,
            steps_found=steps.extend,
            overwrite=choice.begin_anew,
            resume=not choice.begin_anew,
            watch=watch,
            task=news.task.part(0.1, 1.0),
        )
        return ScreeningNews(
            " ".join(report), watcher.so_far, news.calibrated, tuple(steps), of, news.trade_off, news.beside
        )

    def _wishes(self) -> "Wishes":
        from affinecal_gui.tasks.screening.wished import Wishes

        wished = self.choice.wishes
        goals: dict[str, Goal] = {key: one.goal for key, one in wished.items() if one.goal}
        if not self.choice.highest_first:
            goals.setdefault(self.state.quantity.key, "low")
        return Wishes({key: (one.low, one.high) for key, one in wished.items() if one.is_bound}, goals)

    def _calibrator(self, news: "_News", task: Task) -> Path:
        """Return the file of the calibrator that is shown; one that holds it already is left as it is."""
        from affinecal_gui.study.calibrator_files.calibrator_file import holds_calibrator, save_calibrator_file
        from affinecal_gui.study.calibrator_files.making import calibrated_here, calibrator_file_of
        from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
        from affinecal_gui.tasks.screening.results.dataset import MANIFEST

        here = calibrated_here(self.state, self.derived, cache=DescriptorCache(), task=task.part(0.0, 0.5))
        news.calibrated = here
        one: CalibratorFile = calibrator_file_of(here, self.snapshot.settings.model, "open", task=task.part(0.5, 1.0))
        folder = self.choice.output
        path = folder / CALIBRATOR
        if path.exists() and holds_calibrator(path, one):
            return path
        if (folder / MANIFEST).exists() and not self.choice.begin_anew:
            raise UserError(
                f"{folder} holds a screening with another calibrator. Choose another folder, or tick “{BEGIN_ANEW}”."
            )
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"{folder} cannot be made a folder ({error.strerror}). Choose another one.") from None
        save_calibrator_file(path, one, overwrite=True, task=task.silent)
        return path


def title_with_unit(quantity: "Property") -> str:
    """Return what an axis says."""
    return f"{quantity.title}, {quantity.unit}" if quantity.unit else quantity.title


def in_words_of_the_window(sentence: str) -> str:
    """Name what the window offers where a sentence names an option of the command line."""
    for option, words in _IN_WORDS_OF_THE_WINDOW.items():
        sentence = sentence.replace(option, words)
    return sentence


class _News:
    """Hands on what is found, twice a second at most; what had to wait is told while the work goes on."""

    def __init__(self, task: Task, publish: Callable[[ScreeningNews], None]) -> None:
        self._publish, self._watched = publish, task
        self._waiting: ScreeningNews | None = None
        self._found: FoundSoFar | None = None
        self.calibrated: Derived | None = None
        self.trade_off: TradeOffSoFar | None = None
        self.beside = ""
        self._told = 0.0
        self.task = Task(self._report, self._is_cancelled)

    def tell(self, sentence: str) -> None:
        self._waiting = ScreeningNews(
            sentence, self._found, self.calibrated, trade_off=self.trade_off, beside=self.beside
        )
        self._hand_on()

    def find(self, found: "FoundSoFar") -> None:
        self._found = found
        self.tell("")

    def _report(self, fraction: float, sentence: str) -> None:
        self._watched.report(fraction, sentence)
        if self._found is None:
            self.tell(sentence)

    def _is_cancelled(self) -> bool:
        self._hand_on()
        return self._watched.is_cancelled

    def _hand_on(self) -> None:
        now = time.monotonic()
        if self._waiting is not None and now - self._told >= SECONDS_BETWEEN_NEWS:
            waiting, self._waiting, self._told = self._waiting, None, now
            self._publish(waiting)


@contextlib.contextmanager
def _alone(task: Task) -> Iterator[None]:
    """Wait until a screening that was stopped has left its folder."""
    while not _one_at_a_time.acquire(timeout=0.02):
        task.check()
    try:
        yield
    finally:
        _one_at_a_time.release()
