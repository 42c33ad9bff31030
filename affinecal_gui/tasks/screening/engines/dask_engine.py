"""Partitions on the workers of a Dask scheduler, which may be on other computers.

A worker that dies takes nothing with it: its partitions go to others, and one that has ended several workers is looked at
polymer by polymer. Workers need the same version of AffineCal, and no access to the files of a screening: calibrators are
handed over, libraries are read and tables are written where the command runs.
"""

import contextlib
import logging
import shlex
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING, Any

from affinecal_gui.errors import UserError
from affinecal_gui.study.describing.describing import FORCE_FIELD, engine_of
from affinecal_gui.study.describing.worker_pool import Failed
from affinecal_gui.task import Task
from affinecal_gui.tasks.screening.calibrator_sources import contents_of, hand_over
from affinecal_gui.tasks.screening.engines.job import ScreeningJob, screen_partition
from affinecal_gui.tasks.screening.library.partitions import Partition

if TYPE_CHECKING:
    from distributed import Client, Future

SECONDS_TO_CONNECT = 20.0
SECONDS_WITHOUT_WORKERS = 300.0
"""How long it is waited for a worker to come, or to come back."""

AHEAD = 2
"""Partitions that wait for each thread of a worker, so that none has nothing to do."""

POLL_SECONDS = 0.2

FOR_WORKERS = {"MALLOC_TRIM_THRESHOLD_": "100000000", "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"}
"""Environment of a worker. Dask has its workers give every 64 kB back to the system at once, so that describing takes
a tenth longer; and look a hundred times a second at what they do, for which nobody asks here: 4 %."""

QUEUES = ("slurm", "pbs", "sge")

_HOW_TO_HAVE_IT = "An installer does not bring it; with Python, pip install “affinecal[cluster]”."


class DaskScheduler:
    """The workers of a scheduler that is running."""

    def __init__(self, address: str) -> None:
        self._address = address

    def run(
        self, job: ScreeningJob, partitions: Iterator[Partition], *, task: Task
    ) -> Iterator[tuple[Partition, bytes | Failed]]:
        """Yield each partition with its table, as they come.

        Raises
        ------
        UserError
            Dask is not installed, the scheduler is not there or has gone away, or no worker comes.
        """
        needed()
        with self._connected(job) as client:
            try:
                yield from _Work(client, job, self._address).results(partitions, task)
            except (CancelledError, OSError) as error:
                raise self._gone() from error

    @contextlib.contextmanager
    def _connected(self, job: ScreeningJob) -> "Iterator[Client]":
        from distributed import Client

        _say_nothing()
        try:
            client = Client(self._address, timeout=SECONDS_TO_CONNECT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise UserError(
                f"There is no Dask scheduler at {self._address}. Start one with “dask scheduler”, and name the address that "
                "it tells."
            ) from error
        try:
            client.register_plugin(_handing_over(contents_of(job.calibrators)), name="affinecal calibrators")
            yield client
        finally:
            with contextlib.suppress(OSError, TimeoutError):
                client.close(timeout=POLL_SECONDS)

    def _gone(self) -> UserError:
        return UserError(
            f"The Dask scheduler at {self._address} has gone away. Start it again; what is finished is kept, and --resume "
            "continues."
        )


class _Work:
    """One run: what the workers have, and what has come back."""

    def __init__(self, client: "Client", job: ScreeningJob, address: str) -> None:
        self._client, self._job, self._address = client, job, address
        self._waiting: dict[Future, Partition] = {}
        self._threads, self._looked = 0, 0.0
        self._worked = time.monotonic()

    def results(self, partitions: Iterator[Partition], task: Task) -> Iterator[tuple[Partition, bytes | Failed]]:
        more = True
        while more or self._waiting:
            task.check()
            self._look_at_workers()
            while more and len(self._waiting) < max(AHEAD * self._threads, 1):
                one = next(partitions, None)
                if one is None:
                    more = False
                    break
                self._hand_out(one)
            yield from self._finished()

    def _look_at_workers(self) -> None:
        now = time.monotonic()
        if self._looked and now - self._looked < 1.0:
            return
        self._looked = now
        if self._client.status != "running":
            raise OSError("the connection is closed")
        self._threads = sum(self._client.nthreads().values())
        if self._threads:
            self._worked = now
        elif now - self._worked > SECONDS_WITHOUT_WORKERS:
            raise UserError(
                f"The Dask scheduler at {self._address} has had no worker for {SECONDS_WITHOUT_WORKERS:.0f} s. Start some "
                "with “dask worker”; what is finished is kept, and --resume continues."
            )

    def _hand_out(self, one: Partition) -> None:
        future = self._client.submit(
            screen_on_worker, self._job, one, engine_of(FORCE_FIELD), key=f"{one.file_name}-{len(one.given_up)}"
        )
        self._waiting[future] = one

    def _finished(self) -> Iterator[tuple[Partition, bytes | Failed]]:
        from distributed import wait

        if not self._waiting:
            return
        try:
            with self._client.as_current():
                done = wait(list(self._waiting), timeout=POLL_SECONDS, return_when="FIRST_COMPLETED").done
        except TimeoutError:
            return
        for future in done:
            one = self._waiting.pop(future)
            table = self._result(future)
            future.release()
            yield one, table

    def _result(self, future: "Future") -> bytes | Failed:
        from distributed import KilledWorker

        try:
            found: bytes = future.result()
        except KilledWorker:
            return Failed(took_too_long=False, detail="the workers that had it died")
        except UserError:
            raise
        except (ImportError, AttributeError) as error:
            raise UserError(
                f"The workers of the Dask scheduler at {self._address} do not have this version of AffineCal ({error}). "
                "Install it there."
            ) from error
        return found


def screen_on_worker(job: ScreeningJob, partition: Partition, engine: str) -> bytes:
    """Screen a partition as :func:`affinecal_gui.tasks.screening.engines.job.screen_partition` does; runs on a worker.

    Raises
    ------
    UserError
        The worker would compute other numbers, being of another version.
    """
    own = engine_of(FORCE_FIELD)
    if own != engine:
        raise UserError(
            f"A worker has {own}, and the command {engine}: their numbers may differ. Install the same "
            "versions on all workers."
        )
    return screen_partition(job, partition)


def _say_nothing() -> None:
    """Keep Dask from telling the terminal, with its traces, what a UserError says in one sentence.

    It is not allowed to speak again, because its threads go on trying to reach a scheduler after the client was closed.
    """
    for name in tuple(logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _handing_over(contents: Mapping[str, bytes]) -> Any:
    from distributed import WorkerPlugin

    class HandingOver(WorkerPlugin):  # type: ignore[misc]
        """Gives the files to every worker, those that come later among them."""

        def setup(self, worker: Any) -> None:
            hand_over(contents)

    return HandingOver()


def needed() -> None:
    """Raise UserError where Dask is not installed."""
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise UserError(f"Clusters need Dask, which is not installed. {_HOW_TO_HAVE_IT}") from error


@contextlib.contextmanager
def queued_workers(queue: str, options: str) -> Iterator[DaskScheduler]:
    """Start a scheduler here, and workers as jobs of a queue; end both after the block.

    Parameters
    ----------
    queue
        One of :data:`QUEUES`.
    options
        "workers=8 cores=1 memory=2GB walltime=04:00:00 queue=main": how many workers, and what dask-jobqueue is told of each.

    Raises
    ------
    UserError
        dask-jobqueue is not installed, an option is not understood, or the queue takes no job.
    """
    needed()
    try:
        import dask_jobqueue
    except ImportError as error:
        raise UserError(f"Queues need dask-jobqueue, which is not installed. {_HOW_TO_HAVE_IT}") from error
    kinds = {
        "slurm": dask_jobqueue.SLURMCluster,
        "pbs": dask_jobqueue.PBSCluster,
        "sge": dask_jobqueue.SGECluster,
    }
    told = _options(queue, options)
    count = int(told.pop("workers"))
    try:
        cluster = kinds[queue](**told)
    except (TypeError, ValueError, RuntimeError) as error:
        raise UserError(f"--{queue}: {error}. Write for example “workers=8 cores=1 memory=2GB”.") from error
    with cluster:
        for _ in range(count):
            cluster.worker_spec.update(cluster.new_worker_spec())

        async def jobs_taken() -> None:
            await cluster

        try:
            cluster.sync(jobs_taken)
        except (OSError, RuntimeError) as error:
            said = " ".join(str(error).partition("stderr:")[2].split()) or error
            raise UserError(f"--{queue}: the queue takes no job ({said}).") from error
        yield DaskScheduler(cluster.scheduler_address)


def _options(queue: str, text: str) -> dict[str, Any]:
    told: dict[str, Any] = {"workers": 1, "cores": 1, "processes": 1, "memory": "2GB"}
    told["job_script_prologue"] = [f"export {name}={value}" for name, value in FOR_WORKERS.items()]
    for word in shlex.split(text):
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            raise UserError(f"--{queue}: “{word}” is not understood; write for example “workers=8 cores=1 memory=2GB”.")
        whole = name in ("workers", "cores", "processes")
        if whole and not (value.isdigit() and int(value)):
            raise UserError(f"--{queue}: {name} must be a whole number, 1 or more, and not “{value}”.")
        told[name] = int(value) if whole else value
    return told
