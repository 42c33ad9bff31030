"""Messages for the user."""

import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from affinecal_gui.errors import MoreNeeded, UserError

if TYPE_CHECKING:
    from affinecal_gui.study.snapshot import Snapshot


class NoticeAction(NamedTuple):
    """What a message offers to do."""

    label: str  # of the button
    run: Callable[[], object]


class Notice(NamedTuple):
    """A message for the user: one or two sentences, and for a fault of the program the details to copy."""

    kind: (
        str  # "done", "info", "caution" or "problem"; "answer": to a question of the user; "logged": for the log alone
    )
    text: str
    details: str = ""
    action: NoticeAction | None = None
    stands_while: "Callable[[Snapshot], bool]" = lambda _snapshot: True
    """Whether it is still true of a study that is shown like this; if not, it is taken down."""


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
