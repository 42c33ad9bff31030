"""``affinecal describe``: repeat units to the 190 force-field descriptors."""

import argparse

from affinecal_gui.commands.data_arguments import add_row_by_row_arguments, cache_of_files
from affinecal_gui.commands.progress_lines import answer
from affinecal_gui.commands.words import path
from affinecal_gui.task import Task


def add_parser(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "describe",
        parents=[common],
        help="compute the 190 force-field descriptors of repeat units",
        description="Compute the 190 force-field descriptors of each repeat unit; one row per input row, in order: id, "
        "smiles, the descriptors, status (ok or error), message. Text files of any length are read row by row. A run that "
        "was stopped leaves its finished rows in OUT.csv.part, and the same command with --resume goes on from there.",
        epilog="Copolymers: repeat units separated by |, their mole fractions likewise in a column of fractions "
        "(*CC*|*CC(*)C and 0.7|0.3), or one column each (smiles_1, smiles_2, fraction_1, fraction_2). A heading that "
        "speaks of weight or wt% makes them fractions of the weight.",
    )
    parser.add_argument("input", type=path, metavar="IN.csv")
    parser.add_argument("--output", type=path, required=True, metavar="OUT.csv")
    parser.add_argument(
        "--smiles-column",
        metavar="NAME",
        action="append",
        default=[],
        help="the column of the repeat units (default: found); once for each unit of copolymers in several columns",
    )
    parser.add_argument(
        "--fraction-column",
        metavar="NAME",
        action="append",
        default=[],
        help="the column of the mole fractions of copolymers (default: found); likewise",
    )
    add_row_by_row_arguments(parser)
    parser.set_defaults(command=run)


def run(options: argparse.Namespace, task: Task) -> None:
    """Describe the repeat units, and tell how many could not be."""
    from affinecal_gui.tasks.describing.describing_files import describe_file

    report = describe_file(
        options.input,
        options.output,
        smiles_columns=options.smiles_column,
        fraction_columns=options.fraction_column,
        sheet=options.sheet,
        jobs=options.jobs,
        cache=cache_of_files(options),
        overwrite=options.overwrite,
        resume=options.resume,
        task=task,
    )
    answer([report], options, task)
