"""``affinecal fit``: two tables, or a study, to calibrated values, figures and a report."""

import argparse
from typing import TYPE_CHECKING

from affinecal_gui.commands.choice_arguments import add_calibrator_argument, add_choice_arguments, choices_of
from affinecal_gui.commands.data_arguments import (
    add_cache_argument,
    add_data_arguments,
    add_jobs_argument,
    check_study_alone,
    data_files,
    descriptor_cache,
)
from affinecal_gui.commands.progress_lines import answer
from affinecal_gui.commands.words import number, path
from affinecal_gui.errors import UserError
from affinecal_gui.task import Task

if TYPE_CHECKING:
    from affinecal_gui.tables.writing.csv_export import CsvStyle


def add_parser(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "fit",
        parents=[common],
        help="calibrate MD values with measured values",
        description="Calibrate MD values with measured values; writes predictions.csv, coefficients.csv, metrics.json, and "
        "the parity and coefficient figures as SVG and PNG, and left_out.csv where rows were left out: which, and why. "
        "Heat capacities by MD do without measured values: what is classical in them is taken off.",
    )
    parser.add_argument("--study", type=path, metavar="S.affinecal", help="a saved study, instead of two tables")
    add_data_arguments(parser, protocols=None, required=False)
    add_calibrator_argument(parser, more="; metrics.json has the errors of all")
    add_choice_arguments(parser)
    parser.add_argument("--report", action="store_true", help="write report.pdf and report.html as well")
    parser.add_argument(
        "--forecast",
        action="store_true",
        help="forecast the error with more measured polymers; writes forecast.csv and forecast.svg and .png as well",
    )
    parser.add_argument(
        "--wished-error",
        type=number,
        metavar="RMSE",
        help="say how many measured polymers the forecast takes to that error: of ln of the property, or with --linear of "
        "the property in its unit",
    )
    parser.add_argument(
        "--excel",
        action="store_true",
        help="write a byte order mark before each CSV table, by which Excel knows that it is UTF-8 (default: without)",
    )
    parser.add_argument(
        "--decimal-comma",
        action="store_true",
        help="write CSV tables with decimal commas and semicolons, for spreadsheets set to a country that uses them",
    )
    parser.add_argument(
        "--save-calibrator",
        type=path,
        metavar="NAME.affinecal-model",
        help="save the calibrator as a file of its own, for affinecal apply",
    )
    parser.add_argument(
        "--grade",
        choices=("open", "closed"),
        help="what that file holds: open (default), the training polymers with their measured values, by which it gives the "
        "intervals of the study; closed, coefficients only",
    )
    parser.add_argument(
        "--output", type=path, required=True, metavar="DIR", help="folder for the results; made if missing"
    )
    add_cache_argument(parser)
    add_jobs_argument(parser)
    parser.set_defaults(command=run)


def run(options: argparse.Namespace, task: Task) -> None:
    """Calibrate, write the results, and tell what they are."""
    from affinecal_gui.tasks.fitting.fitting import fit_files, fit_study
    from affinecal_gui.tasks.fitting.forecasting import ForecastWish
    from affinecal_gui.tasks.fitting.saving_calibrators import SavedCalibrator

    if options.grade is not None and options.save_calibrator is None:
        raise UserError(
            "--grade says what a calibrator file holds: name the file with --save-calibrator, or leave it out."
        )
    if options.wished_error is not None and not options.forecast:
        raise UserError("--wished-error is a question to the forecast: give --forecast too, or leave it out.")
    wish = ForecastWish(options.wished_error) if options.forecast else None
    saved = None
    if options.save_calibrator is not None:
        saved = SavedCalibrator(options.save_calibrator, options.grade or "open", overwrite=options.overwrite)
    if options.study is not None:
        check_study_alone(options)
        report = fit_study(
            options.study,
            options.output,
            choices=choices_of(options),
            report=options.report,
            forecast=wish,
            style=_csv_style(options),
            calibrator=saved,
            overwrite=options.overwrite,
            jobs=options.jobs,
            cache=descriptor_cache(options),
            task=task,
        )
    elif options.md is None:
        raise UserError(
            "Name two tables, --experiment E.csv --md M.csv, or a saved study, --study S.affinecal. MD values of heat "
            "capacities do without measured ones: --md M.csv."
        )
    elif options.experiment is None:
        report = _corrected(options, task)
    else:
        report = fit_files(
            data_files(options),
            options.output,
            choices=choices_of(options),
            report=options.report,
            forecast=wish,
            style=_csv_style(options),
            calibrator=saved,
            overwrite=options.overwrite,
            jobs=options.jobs,
            cache=descriptor_cache(options),
            task=task,
        )
    answer(report, options, task)


def _corrected(options: argparse.Namespace, task: Task) -> list[str]:
    """Correct MD values without measured ones."""
    from affinecal_gui.tasks.fitting.correcting import correct_file
    from affinecal_gui.tasks.reading.sheets import options_by_file

    for option, given in (
        ("--descriptors", options.descriptors),
        ("--other-md", options.other_md),
        ("--value-column", options.value_column),
        ("--forecast", options.forecast),
        ("--save-calibrator", options.save_calibrator),
    ):
        if given:
            raise UserError(f"{option} needs measured values: name their table with --experiment, or leave it out.")
    sheet, option = (options.md_sheet, "--md-sheet") if options.md_sheet is not None else (options.sheet, "--sheet")
    reading = options_by_file(sheet, [options.md], option=option, task=task)[options.md]
    return correct_file(
        options.md,
        options.output,
        property_key=options.property,
        md_column=options.md_column,
        options=reading.replace(use_flagged=tuple(options.use_flagged or ()) or None),
        choices=choices_of(options),
        report=options.report,
        style=_csv_style(options),
        overwrite=options.overwrite,
        jobs=options.jobs,
        cache=descriptor_cache(options),
        task=task,
    )


def _csv_style(options: argparse.Namespace) -> "CsvStyle":
    from affinecal_gui.tables.writing.csv_export import CsvStyle

    return CsvStyle(byte_order_mark=options.excel, decimal_comma=options.decimal_comma)
