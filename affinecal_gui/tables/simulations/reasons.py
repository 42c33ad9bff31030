"""Why values of simulations are set aside. Light: the command line offers these words."""

from collections.abc import Mapping
from typing import Literal, get_args

Reason = Literal["not-equilibrated", "oriented", "other-error", "no-conductivity", "conductivity-check", "impossible"]
"""Why a value that is there is set aside; the user may have it used all the same."""

NoValue = Literal["failed", "pending", "unfinished", "unreadable"]
"""Why there is no value that could be used."""

REASONS: tuple[Reason, ...] = get_args(Reason)

REASON_WORDS: Mapping[Reason | NoValue, str] = {
    "not-equilibrated": "did not reach equilibrium",
    "oriented": "is not amorphous (nematic order)",
    "other-error": "reports an error in its remarks",
    "no-conductivity": "allows no thermal conductivity (do_TC)",
    "conductivity-check": "failed the check of its thermal conductivity (check_tc)",
    "impossible": "holds a value that is impossible",
    "failed": "holds -9999, the mark of a failed run",
    "pending": "has not been simulated to the end",
    "unfinished": "ends within a cell",
    "unreadable": "holds something that is no number",
}
"""What is said of a run, after its name."""

REASON_LABELS: Mapping[Reason | NoValue, str] = {
    "not-equilibrated": "not in equilibrium",
    "oriented": "not amorphous",
    "other-error": "with an error in the remarks",
    "no-conductivity": "without thermal conductivity",
    "conductivity-check": "with a failed check of the conductivity",
    "impossible": "with an impossible value",
    "failed": "failed",
    "pending": "not simulated to the end",
    "unfinished": "cut off in the file",
    "unreadable": "with something that is no number",
}
"""The same in a few words, which follow a count."""
