"""One study: what was loaded and chosen, what followed from it, and the way back."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from affinecal_gui.study.data.row_columns import with_left_out
from affinecal_gui.study.derived import Derived, summarise
from affinecal_gui.study.snapshot import Settings, Snapshot
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.undo_memory import steps_to_keep

UNDO_LIMIT = 200
UNDO_BYTES = 256_000_000  # about, of what only steps back hold; the last one can be taken back whatever it holds


@dataclass(frozen=True, slots=True)
class Step:
    """A change that can be taken back: its label in the menu, and the state before or after it."""

    label: str
    state: StudyState


@dataclass(slots=True)
class Study:
    """The one place where state changes.

    A state is immutable, so undo is going back to an earlier one, and what was derived from it is derived again (the
    parts that did not change are kept). Whoever shows the study subscribes and is handed the new snapshot.
    """

    state: StudyState = field(default_factory=StudyState)
    derived: Derived = field(default_factory=Derived)
    _undo: list[Step] = field(default_factory=list)
    _redo: list[Step] = field(default_factory=list)
    _listeners: list[Callable[[Snapshot], None]] = field(default_factory=list)

    def subscribe(self, listener: Callable[[Snapshot], None]) -> None:
        """Call ``listener(snapshot)`` after every change."""
        self._listeners.append(listener)

    def execute(self, label: str, state: StudyState, *, merge: bool = False) -> None:
        """Make ``state`` the present one; ``label`` names the step for undo. The same state again is no step.

        With ``merge`` a step of the same label right before is continued, so that the many small changes of one drag are
        taken back together.
        """
        if state == self.state:
            return
        if not (merge and self._undo and self._undo[-1].label == label):
            self._undo.append(Step(label, self.state))
        self._redo.clear()
        self.state = state
        kept = steps_to_keep([step.state for step in self._undo[-UNDO_LIMIT:]], state, UNDO_BYTES)
        del self._undo[: len(self._undo) - kept]
        self._announce()

    def change_settings(self, label: str, settings: Settings) -> None:
        """Change what the user has chosen, as one step."""
        self.execute(label, replace(self.state, settings=settings))

    def undo(self) -> bool:
        """Go back one step; False when there is none."""
        return self._travel(self._undo, self._redo)

    def redo(self) -> bool:
        """Take back the last undo; False when there is none."""
        return self._travel(self._redo, self._undo)

    def accept(self, derived: Derived) -> None:
        """Take over what was derived from the present state or, partly, from an earlier one."""
        self.derived = derived
        self._announce()

    def open(self, state: StudyState, derived: Derived | None = None) -> None:
        """Go on with another study and, if it is known, what was derived from it; this is not undone."""
        self.state, self.derived = state, Derived() if derived is None else derived
        self._undo.clear()
        self._redo.clear()
        self._announce()

    def clear(self) -> None:
        """Start anew; this is not undone."""
        self.open(StudyState())

    @property
    def needs_work(self) -> bool:
        """Whether anything derived belongs to an earlier state."""
        return self.derived.state != self.state

    @property
    def _differs_only_in_view(self) -> bool:
        """Whether what was derived shows the present state but for which calibrator is large: every one is derived."""
        before, now = self.derived.state, self.state
        return self.derived.snapshot.calibration is not None and before == replace(
            now,
            settings=replace(
                now.settings,
                model=before.settings.model,
                follows_advice=before.settings.follows_advice,
                notes=before.settings.notes,
            ),
        )

    def snapshot(self) -> Snapshot:
        """Return the picture that views show; the tables are those of the present state, whatever was derived yet."""
        derived = self.derived.snapshot if self.state.tables else Snapshot()
        derived = with_left_out(derived, self.derived.state.settings.left_out, self.state.settings.left_out)
        return replace(
            derived,
            tables=tuple(summarise(loaded, self.state.quantity) for loaded in self.state.tables),
            settings=self.state.settings.shown_for(derived.calibration),
            stale=bool(self.state.tables) and self.needs_work and not self._differs_only_in_view,
            can_undo=self._undo[-1].label if self._undo else "",
            can_redo=self._redo[-1].label if self._redo else "",
        )

    def _travel(self, source: list[Step], target: list[Step]) -> bool:
        if not source:
            return False
        step = source.pop()
        target.append(Step(step.label, self.state))
        self.state = step.state
        self._announce()
        return True

    def _announce(self) -> None:
        picture = self.snapshot()
        for listener in tuple(self._listeners):
            listener(picture)
