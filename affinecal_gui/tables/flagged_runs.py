"""How many simulations of a table failed a check, by reason: what was set aside, and what is used all the same."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FlaggedRuns:
    """The simulations of one table with which one thing is wrong."""

    reason: str  # one of tables.simulations.reasons: Reason or NoValue
    set_aside: int  # simulations of which a value is not used
    used: int  # values that are used because the user says so
    examples: tuple[str, ...]  # names of the first that were set aside


def used_reasons(flagged: Iterable[FlaggedRuns]) -> tuple[str, ...]:
    """Return the reasons for which values are used though a check says no, as ``ReadOptions.use_flagged`` takes them."""
    return tuple(one.reason for one in flagged if one.used)
