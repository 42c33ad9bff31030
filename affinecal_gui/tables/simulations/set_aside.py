"""Counts what is set aside, and what is used because the user says so, and tells both by reason."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from affinecal_gui.tables.advice import USE_ALL_THE_SAME
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.flagged_runs import FlaggedRuns
from affinecal_gui.tables.simulations.reasons import REASON_WORDS, REASONS, NoValue, Reason

NAMES_TOLD = 5


def listed(names: Sequence[str]) -> str:
    """Name the first few, and say how many more there are."""
    shown = ", ".join(map(shortened, names[:NAMES_TOLD]))
    return f"{shown} and {len(names) - NAMES_TOLD} more" if len(names) > NAMES_TOLD else shown


def advice_on(reason: Reason | NoValue) -> str:
    """Return what can be done about a value that is set aside, as a clause."""
    advice = "Simulate it again"
    return f"{advice}, or have it used with {USE_ALL_THE_SAME.format(reason)}" if reason in REASONS else advice


class SetAside:
    """The tally of one table."""

    def __init__(self) -> None:
        self._runs: dict[Reason | NoValue, list[str]] = defaultdict(list)
        self._used: Counter[Reason | NoValue] = Counter()

    def add(self, reason: Reason | NoValue, run: str) -> None:
        """Count a run of which values are set aside for a reason; once for each reason."""
        self._runs[reason].append(run)

    def add_used(self, reason: Reason | NoValue) -> None:
        """Count a value that is used though there is a reason not to."""
        self._used[reason] += 1

    def counts(self) -> tuple[FlaggedRuns, ...]:
        """Return the tally by reason, in the order in which the reasons were met."""
        return tuple(
            FlaggedRuns(reason, len(runs), self._used.get(reason, 0), tuple(map(shortened, runs[:NAMES_TOLD])))
            for reason, runs in ((reason, self._runs.get(reason, [])) for reason in {**self._runs, **self._used})
        )

    def notes(self, name: str) -> list[str]:
        """Say it in sentences about the table of this name."""
        notes = []
        for reason, runs in self._runs.items():
            count = "1 result, which" if len(runs) == 1 else f"{len(runs)} results, each of which"
            them = "It is" if len(runs) == 1 else "They are"
            end = f" {them} used all the same with {USE_ALL_THE_SAME.format(reason)}." if reason in REASONS else ""
            notes.append(f"{name}: set aside {count} {REASON_WORDS[reason]} ({listed(runs)}).{end}")
        for used, times in self._used.items():
            values = "1 value is" if times == 1 else f"{times} values are"
            notes.append(f"{name}: {values} used as you said, though the run {REASON_WORDS[used]}.")
        return notes
