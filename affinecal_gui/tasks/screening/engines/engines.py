"""Where partitions are screened: every engine calls the same function with the same partitions."""

from collections import deque
from collections.abc import Iterator
from functools import partial
from typing import Protocol

from affinecal_gui.errors import UserError
from affinecal_gui.study.describing.describing import SECONDS_PER_POLYMER, chunks_of, describe_text
from affinecal_gui.study.describing.worker_pool import Failed, results_in_order
from affinecal_gui.task import Task
from affinecal_gui.tasks.screening.engines.job import ScreeningJob, given_up_because, screen_partition
from affinecal_gui.tasks.screening.library.partitions import Partition
from affinecal_gui.tasks.screening.library.reading_rows import OK, Reason, polymers_of

LEAST_SECONDS = 60.0
SECONDS_PER_ROW = 0.1
"""Processor time that a partition may take before its polymers are looked at one by one: fifty times the usual."""

SECONDS_PER_SLOW_ROW = 3.0 * SECONDS_PER_POLYMER
"""The same where each polymer is known to end in its time: for its description, its vibrations, which take as long for the
largest that have any, and all else."""


class Engine(Protocol):
    """Screens partitions."""

    def run(
        self, job: ScreeningJob, partitions: Iterator[Partition], *, task: Task
    ) -> Iterator[tuple[Partition, bytes | Failed]]:
        """Yield each partition with its table, in any order; Failed where the process that had it ended or took too long.

        Raises
        ------
        UserError
            Nobody is there any more who could screen the rest.
        """
        ...


class LocalProcesses:
    """Processes of this computer, by a pipe each; one that dies takes nothing with it but the partition it was at."""

    def __init__(self, jobs: int = 1) -> None:
        self._jobs = jobs

    def run(
        self, job: ScreeningJob, partitions: Iterator[Partition], *, task: Task
    ) -> Iterator[tuple[Partition, bytes | Failed]]:
        """Yield each partition with its table, in order; WorkersCannotStart where not one process can be started."""
        handed_out: deque[Partition] = deque()
        first = next(partitions, None)
        if first is None:
            return

        def chunks() -> Iterator[tuple[Partition, ...]]:
            handed_out.append(first)
            yield (first,)
            for one in partitions:
                handed_out.append(one)
                yield (one,)

        a_row = SECONDS_PER_SLOW_ROW if first.looked_at else SECONDS_PER_ROW
        seconds = max(LEAST_SECONDS, a_row * len(first.rows))
        results = results_in_order(
            partial(screen_partition, job), chunks(), processes=self._jobs, seconds=seconds, task=task
        )
        for result in results:
            yield handed_out.popleft(), result


def screened(
    engine: Engine, job: ScreeningJob, partitions: Iterator[Partition], *, task: Task
) -> Iterator[tuple[Partition, bytes]]:
    """Yield each partition with its table, in any order; a polymer that ends every process is a row without a value.

    Raises
    ------
    UserError
        Nobody is there who could screen, or a partition ends every process that has it without any of its polymers doing so.
    """
    for one, table in engine.run(job, partitions, task=task):
        if isinstance(table, Failed):
            mended = one.without(_given_up(job, one, task))
            ((_, table),) = engine.run(job, iter([mended]), task=task)
        if isinstance(table, Failed):
            last = one.first_row + len(one.rows) - 1
            raise UserError(
                f"Rows {one.first_row:,} to {last:,} cannot be screened: the process that had them ended or took too long, "
                f"twice ({table.detail}). Is there memory left? What is finished is kept; --resume continues."
            )
        yield one, table


def _given_up(job: ScreeningJob, partition: Partition, task: Task) -> dict[int, Reason]:
    """Describe the polymers of a partition one by one in a process of this computer; return those that do not survive it."""
    read = polymers_of(job.layout, partition.rows)
    places: dict[str, list[int]] = {}
    for place, (text, reason) in enumerate(zip(read.smiles, read.reasons, strict=True)):
        if reason == OK:
            places.setdefault(text, []).append(place)
    results = results_in_order(
        describe_text, chunks_of(iter(places)), processes=1, seconds=SECONDS_PER_POLYMER, task=task
    )
    return {
        place: given_up_because(result)
        for own, result in zip(places.values(), results, strict=True)
        if isinstance(result, Failed)
        for place in own
    }
