"""``affinecal screen``: a library of any length to calibrated values."""

import argparse

from affinecal_gui.commands.progress_lines import answer
from affinecal_gui.commands.words import path, positive
from affinecal_gui.task import Task


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
    parser.add_argument("--resume", action="store_true", help="go on where the same run was stopped")
    parser.add_argument("--jobs", type=positive, default=1, metavar="N", help="worker processes (default 1)")
    parser.set_defaults(command=run)


def run(options: argparse.Namespace, task: Task) -> None:
    """Screen the library, and tell what became of its rows."""
    from affinecal_gui.tasks.screening.engines import LocalProcesses
    from affinecal_gui.tasks.screening.screening import screen_library

    report = screen_library(
        options.library,
        options.calibrator,
        options.output,
        where=options.where,
        top=options.top,
        engine=LocalProcesses(options.jobs),
        overwrite=options.overwrite,
        resume=options.resume,
        task=task,
    )
    answer(report, options, task)
