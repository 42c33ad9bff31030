"""Screening in the process of a test, and what it has written."""

from collections.abc import Iterator
from pathlib import Path

from affinecal_gui.errors import Cancelled
from affinecal_gui.study.describing.worker_pool import Failed
from affinecal_gui.task import Task
from affinecal_gui.tasks.screening.engines.job import ScreeningJob, screen_partition
from affinecal_gui.tasks.screening.library.partitions import Partition


class Here:
    """Screens in this process: what is done with a partition is what any worker does."""

    def __init__(self, most: int = 10**9) -> None:
        self.most, self.done = most, list[int]()

    def run(
        self, job: ScreeningJob, parts: Iterator[Partition], *, task: Task
    ) -> Iterator[tuple[Partition, bytes | Failed]]:
        for one in parts:
            if len(self.done) == self.most:
                raise Cancelled
            self.done.append(one.number)
            yield one, screen_partition(job, one)


def contents_of(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.name != ".affinecal-lock"
    }
