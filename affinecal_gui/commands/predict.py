"""``affinecal predict``: further polymers to calibrated values."""

import argparse

from affinecal_gui.commands.choice_arguments import add_calibrator_argument, add_choice_arguments, choices_of
from affinecal_gui.commands.data_arguments import (
    add_cache_argument,
    add_data_arguments,
    check_study_alone,
    data_files,
    descriptor_cache,
)
from affinecal_gui.commands.progress_lines import answer
from affinecal_gui.commands.words import path
from affinecal_gui.errors import UserError
from affinecal_gui.task import Task


def add_parser(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "predict",
        parents=[common],
        help="calibrate polymers that a study has not seen",
        description="Calibrate further polymers with a saved study, or with two tables, by their MD values or, where a row "
        "has none, by one that is predicted from the MD table; writes one row per row of the table, in order, with interval, "
        "range of validity, where the MD value comes from, and the reason where there is no value.",
    )
    parser.add_argument("input", type=path, metavar="NEW.csv", help="table of repeat units, with MD values or without")
    parser.add_argument("--study", type=path, metavar="S.affinecal", help="a saved study, instead of two tables")
    add_data_arguments(parser, protocols=None, required=False)
    add_calibrator_argument(parser)
    add_choice_arguments(parser)
    parser.add_argument("--output", type=path, required=True, metavar="OUT.csv")
    add_cache_argument(parser)
    parser.set_defaults(command=run)


def run(options: argparse.Namespace, task: Task) -> None:
    """Calibrate further polymers, and tell what became of them."""
    from affinecal_gui.tasks.predicting.predicting import predict_with_study, predict_with_tables

    if options.study is not None:
        check_study_alone(options, has_sheets=True)
        report = predict_with_study(
            options.input,
            options.output,
            options.study,
            sheet=options.sheet,
            choices=choices_of(options),
            overwrite=options.overwrite,
            cache=descriptor_cache(options),
            task=task,
        )
    elif options.experiment is None or options.md is None:
        raise UserError(
            "Name what to calibrate with: a saved study, --study S.affinecal, or --experiment E.csv --md M.csv."
        )
    else:
        report = predict_with_tables(
            options.input,
            options.output,
            data_files(options),
            choices=choices_of(options),
            overwrite=options.overwrite,
            cache=descriptor_cache(options),
            task=task,
        )
    answer(report, options, task)
