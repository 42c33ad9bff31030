"""What a view of a study is: all that the window asks of it, and what it may offer besides."""

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.parts.theme.theme import Theme


@runtime_checkable
class StudyView(Protocol):
    """A widget that reads a snapshot and computes nothing.

    A class whose views take long to make has a class method ``in_steps()`` as well: a generator that returns the view, and
    stops where the next event may come first.
    """

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show another state of the study, now."""
        ...

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        ...


@runtime_checkable
class TakesSteps(Protocol):
    """A view that can show a snapshot in several turns."""

    def show_in_steps(self, snapshot: Snapshot) -> Iterator[None]:
        """Show a snapshot, and stop where the next event may come first."""
        ...


@runtime_checkable
class FollowsSelection(Protocol):
    """A view that marks the chosen polymer."""

    def show_selection(self, key: str) -> None:
        """Show the polymer of this row as the chosen one; none, where no row has this key."""
        ...


@runtime_checkable
class ShowsChoices(Protocol):
    """A view from which the user chooses: what is chosen is shown before everything else of a snapshot."""

    def show_choices(self, snapshot: Snapshot) -> None:
        """Show what is chosen, now."""
        ...


@runtime_checkable
class DrawsPictures(Protocol):
    """A view whose pictures of structures are drawn in a thread."""

    @property
    def is_drawing(self) -> bool:
        """Whether pictures are still to come."""
        ...

    def close_thumbnails(self) -> bool:
        """Stop drawing for good; returns whether the thread ended in time."""
        ...
