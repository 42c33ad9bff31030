"""Options that name the tables of a command, or the study that holds them."""

import argparse
from typing import TYPE_CHECKING

from affinecal_gui.commands.words import path, positive
from affinecal_gui.errors import UserError
from affinecal_gui.tables.simulations.reasons import REASONS

if TYPE_CHECKING:
    from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
    from affinecal_gui.tasks.reading.data_files import DataFiles


def add_data_arguments(
    parser: argparse.ArgumentParser, protocols: tuple[str, ...] | None = ("default", "paper"), *, required: bool = True
) -> None:
    """Add the tables; with ``protocols`` also the choice among these."""
    parser.add_argument("--experiment", type=path, required=required, metavar="E.csv", help="table of measured values")
    parser.add_argument(
        "--md", type=path, required=required, metavar="M.csv", help="table of MD values, or a folder of RadonPy results"
    )
    parser.add_argument(
        "--other-md",
        type=path,
        action="append",
        metavar="O.csv",
        help="a further table of MD values, from another group or force field (may be repeated)",
    )
    parser.add_argument("--property", metavar="KEY", help="the property, e.g. Cp (default: the first both tables have)")
    parser.add_argument("--descriptors", type=path, metavar="D.csv", help="ready descriptors instead of computed ones")
    parser.add_argument(
        "--value-column",
        metavar="NAME",
        help="heading of the column of measured values, where the table has several that could be it (default: found)",
    )
    parser.add_argument("--md-column", metavar="NAME", help="heading of the column of MD values, likewise")
    parser.add_argument(
        "--sheet", metavar="NAME", help="sheet of a workbook, for every file that has one of this name (default: found)"
    )
    parser.add_argument(
        "--md-sheet", metavar="NAME", help="sheet of the table of MD values, where it is another one (default: --sheet)"
    )
    parser.add_argument(
        "--use-flagged",
        action="append",
        choices=REASONS,
        metavar="REASON",
        help="use MD values of RadonPy though the simulation itself says that they failed a check, for this reason: "
        f"{', '.join(REASONS)} (may be repeated; default: such values are set aside)",
    )
    if protocols is not None:
        parser.add_argument("--protocol", choices=protocols, default=protocols[0])


def add_cache_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option that keeps a command away from the descriptors of earlier runs; None where it is not given."""
    parser.add_argument(
        "--no-cache",
        action="store_true",
        default=None,
        help="neither look up nor keep descriptors of earlier runs on this computer",
    )


def add_row_by_row_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what a command offers that goes through one table of any length."""
    parser.add_argument("--sheet", metavar="NAME", help="sheet of a workbook (default: found)")
    add_cache_argument(parser)
    parser.add_argument("--resume", action="store_true", help="go on where the same run was stopped")
    add_jobs_argument(parser)


def add_jobs_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option that lets several processes describe polymers."""
    parser.add_argument("--jobs", type=positive, default=1, metavar="N", help="worker processes (default 1)")


def cache_of_files(options: argparse.Namespace) -> "DescriptorCache | None":
    """Return the cache of the commands that go through a table of any length, or None where it was declined."""
    from affinecal_gui.study.describing.descriptor_cache import DescriptorCache, path_of_files

    return None if options.no_cache else DescriptorCache(path_of_files())


def descriptor_cache(options: argparse.Namespace) -> "DescriptorCache | None":
    """Return the cache that studies share, or None where it was declined."""
    from affinecal_gui.study.describing.descriptor_cache import DescriptorCache

    return None if options.no_cache else DescriptorCache()


def check_study_alone(options: argparse.Namespace, *, has_sheets: bool = False) -> None:
    """Refuse to ignore what belongs to tables when a study is named; ``has_sheets``: another file may be a workbook."""
    files = (options.experiment, options.md, options.other_md, options.descriptors)
    sheets = (options.md_sheet, None if has_sheets else options.sheet)
    if any((*files, *sheets, options.property, options.value_column, options.md_column, options.use_flagged)):
        raise UserError("A study holds its tables: give --study alone, without tables, their columns or a property.")


def data_files(options: argparse.Namespace) -> "DataFiles":
    """Return the tables that were named, and what was said about them."""
    from affinecal_gui.tasks.reading.data_files import DataFiles

    return DataFiles(
        options.experiment,
        options.md,
        descriptors=options.descriptors,
        property_key=options.property,
        value_column=options.value_column,
        md_column=options.md_column,
        sheet=options.sheet,
        md_sheet=options.md_sheet,
        use_flagged=tuple(options.use_flagged or ()),
        other_md=tuple(options.other_md or ()),
    )
