"""``affinecal apply``: a calibrator file to the MD values of a table."""

import argparse

from affinecal_gui.commands.data_arguments import add_row_by_row_arguments, cache_of_files
from affinecal_gui.commands.progress_lines import answer
from affinecal_gui.commands.words import number, path
from affinecal_gui.task import Task


def add_parser(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "apply",
        parents=[common],
        help="calibrate MD values with a calibrator file, without its study",
        description="Calibrate the MD values of a table with a calibrator file (fit --save-calibrator); writes one row per "
        "row of the table, in order, with interval, range of validity, and the reason where there is no value. Text files of "
        "any length are read row by row. A run that was stopped leaves its finished rows in OUT.csv.part, and the same "
        "command with --resume goes on from there.",
        epilog="The MD value of a row without one is predicted if the calibrator file can do that (an open one, made with at "
        "least 30 MD values), which the column md_origin says; if not, the row is listed with that reason.",
    )
    parser.add_argument("calibrator", type=path, metavar="NAME.affinecal-model", help="the calibrator file")
    parser.add_argument("input", type=path, metavar="TABLE.csv", help="table of MD values to calibrate")
    parser.add_argument("--output", type=path, required=True, metavar="OUT.csv")
    parser.add_argument(
        "--md-column",
        metavar="NAME",
        help="heading of the column of MD values, where the table has several that could be it (default: found)",
    )
    parser.add_argument(
        "--temperature-tolerance",
        type=number,
        metavar="K",
        help="how far the temperature of an MD value may be from those of the fit, where both are stated (default: as far as "
        "in the study)",
    )
    add_row_by_row_arguments(parser)
    parser.set_defaults(command=run)


def run(options: argparse.Namespace, task: Task) -> None:
    """Calibrate the table, and tell what became of its rows."""
    from affinecal_gui.tasks.predicting.applying import apply_file

    report = apply_file(
        options.calibrator,
        options.input,
        options.output,
        md_column=options.md_column,
        temperature_tolerance=options.temperature_tolerance,
        sheet=options.sheet,
        jobs=options.jobs,
        cache=cache_of_files(options),
        overwrite=options.overwrite,
        resume=options.resume,
        task=task,
    )
    answer(report, options, task)
