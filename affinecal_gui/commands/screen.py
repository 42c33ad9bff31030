"""``affinecal screen``: a library of any length to calibrated values."""

import argparse
import contextlib
from typing import TYPE_CHECKING

from affinecal_gui.commands.progress_lines import answer
from affinecal_gui.commands.words import number, path, positive, whole
from affinecal_gui.task import Task

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affinecal_gui.tasks.screening.engines.engines import Engine
    from affinecal_gui.tasks.screening.next_steps import StepsWanted


def add_parser(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "screen",
        parents=[common],
        help="screen a library of polymers with calibrator files",
        description="Calibrate every polymer of a library, however long, and list the best. Writes a folder of Parquet files "
        "with one row for each row of the library, in order, a manifest, the best rows, and a summary. What is written "
        "depends on the library and the calibrators alone. A run that was stopped keeps its finished partitions, and the "
        "same command with --resume goes on from there.",
    )
    parser.add_argument(
        "library",
        type=path,
        metavar="LIBRARY",
        help="table of repeat units and MD values (CSV, TSV, also .gz or .zst, Parquet), or a folder of Parquet files",
    )
    parser.add_argument(
        "--calibrator",
        type=path,
        action="append",
        required=True,
        metavar="NAME.affinecal-model",
        help="a calibrator file (fit --save-calibrator); may be given again for another property",
    )
    parser.add_argument(
        "--output", type=path, required=True, metavar="DIR", help="folder for the results; made if missing"
    )
    parser.add_argument(
        "--top", type=positive, default=100, metavar="N", help="how many of the best to list (default 100)"
    )
    parser.add_argument(
        "--where",
        default="",
        metavar="WISHES",
        help='what is wished, such as "Tg > 400 K and density between 1.0 and 1.2", or "Tg as high as possible"; every row '
        "gets the probability that all bounds are met",
    )
    for what in ("measuring", "simulating"):
        parser.add_argument(
            f"--cost-{what}",
            type=number,
            metavar="COST",
            help=f"what {what} one polymer costs, in any unit (default 1 where only the other cost is given); asks for "
            "next_steps.csv, which lists what to measure and to simulate next to find polymers that meet the wishes",
        )
    parser.add_argument(
        "--then-measure",
        type=whole,
        metavar="N",
        help="how many further measurements the next step is to be good for (default 10); goes with the costs",
    )
    parser.add_argument("--resume", action="store_true", help="go on where the same run was stopped")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--jobs", type=positive, default=1, metavar="N", help="worker processes (default 1)")
    where.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="workers of a Dask scheduler that is running, such as tcp://10.0.0.1:8786",
    )
    for queue, title in (("slurm", "Slurm"), ("pbs", "PBS"), ("sge", "SGE")):
        where.add_argument(
            f"--{queue}", metavar="OPTIONS", help=f'workers as jobs of {title}, such as "workers=8 cores=1 memory=2GB"'
        )
    parser.set_defaults(command=run)


def run(options: argparse.Namespace, task: Task) -> None:
    """Screen the library, and tell what became of its rows."""
    from affinecal_gui.tasks.screening.screening import screen_library

    with _engine(options) as engine:
        report = screen_library(
            options.library,
            options.calibrator,
            options.output,
            where=options.where,
            top=options.top,
            steps=_steps(options),
            engine=engine,
            overwrite=options.overwrite,
            resume=options.resume,
            task=task,
        )
    answer(report, options, task)


def _steps(options: argparse.Namespace) -> "StepsWanted | None":
    """Return what is said of the steps to come; None where nothing is."""
    from affinecal_gui.tasks.screening.next_steps import FURTHER, StepsWanted

    measuring, simulating, further = options.cost_measuring, options.cost_simulating, options.then_measure
    if measuring is None and simulating is None and further is None:
        return None
    return StepsWanted(
        1.0 if measuring is None else measuring,
        1.0 if simulating is None else simulating,
        FURTHER if further is None else further,
    )


@contextlib.contextmanager
def _engine(options: argparse.Namespace) -> "Iterator[Engine]":
    """Return where the library is screened, and end what was started for it."""
    from affinecal_gui.tasks.screening.engines.dask_engine import QUEUES, DaskScheduler, queued_workers
    from affinecal_gui.tasks.screening.engines.engines import LocalProcesses

    queue = next((name for name in QUEUES if getattr(options, name) is not None), None)
    if queue is not None:
        with queued_workers(queue, getattr(options, queue)) as workers:
            yield workers
    elif options.scheduler is not None:
        yield DaskScheduler(options.scheduler)
    else:
        yield LocalProcesses(options.jobs)
