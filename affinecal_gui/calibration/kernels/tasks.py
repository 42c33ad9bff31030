"""Many small pieces of work on a few threads; the linear algebra of each releases the interpreter."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TypeVar

from affinecal_gui.task import Task
from affinecal_gui.threads import one_thread_each, worker_count

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def work_through(
    work: Callable[[Item], Answer],
    items: Sequence[Item],
    rows: int,
    task: Task,
    sentence: str,
    *,
    stopping: Event | None = None,
) -> list[Answer]:
    """Return the answers to all items, in order; the first error, or a wish to stop, ends it.

    ``rows`` is the size of the matrices: large ones are left to the threads of the linear algebra library. ``stopping`` is
    set once that has happened: items that take long look at it, because those that are being worked on are waited for.
    """
    workers = min(worker_count(), len(items)) if rows < 400 else 1
    answers: list[Answer] = []

    def done(answer: Answer) -> None:
        answers.append(answer)
        task.report(len(answers) / len(items), sentence)

    def guarded(item: Item) -> Answer:
        task.check()
        return work(item)

    with one_thread_each(rows):
        if workers < 2:
            for item in items:
                done(guarded(item))
            return answers
        with ThreadPoolExecutor(workers) as pool:
            futures = [pool.submit(guarded, item) for item in items]
            try:
                for future in futures:
                    done(future.result())
            except BaseException:
                if stopping is not None:
                    stopping.set()
                for future in futures:
                    future.cancel()
                raise
    return answers
