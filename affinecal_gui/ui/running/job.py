"""What a job is: something to do in a thread, with its arguments and the type of its result."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Generic, TypeVar

from affinecal_gui.task import Task

Result = TypeVar("Result")


class Job(ABC, Generic[Result]):
    """Something to do in a thread. Its arguments are its fields; what is heavy to import is imported by :meth:`run`.

    Classes that derive from this one are the kinds of jobs; of one kind, derived classes included, one job at a time
    counts in a :class:`~affinecal_gui.ui.running.worker.JobRunner`.
    """

    is_background: ClassVar[bool] = False
    """Whether nobody waits for it: it is held back, for a while at most, beside jobs that somebody waits for."""

    tells_itself: ClassVar[bool] = False
    """Whether the dialog that it works for tells how it failed or was stopped, so that the window does not."""

    @abstractmethod
    def run(self, task: Task, publish: Callable[[Result], None]) -> Result:
        """Do it.

        Parameters
        ----------
        task
            Told how far the work is, and asked whether to stop.
        publish
            Hands a partial, immutable result to the main thread while the job goes on.
        """


AnyJob = Job[Any]


def kind_of(job: type[AnyJob]) -> type[AnyJob]:
    """Return the kind that a class of jobs belongs to: of the classes it derives from, the one directly below Job."""
    return next(one for one in job.__mro__ if Job in one.__bases__)
