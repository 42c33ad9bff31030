"""The front door without a window: ``affinecal fit``, ``predict``, ``describe`` and ``benchmark``, for scripts and clusters.

Exit status 0: done, possibly with rows left out, which is said; 1: a fault of the program; 2: cannot be done, one sentence on
the error stream says why.
"""

import argparse
import logging
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.progress import Progress, silent

if TYPE_CHECKING:
    from affinecal_gui.study.choices import Choices
    from affinecal_gui.tables.export import CsvStyle

DONE, FAULT, CANNOT = 0, 1, 2
METHODS = ("only_source", "direct", "augmented", "htl_offset", "htl_scale", "affine_tl_const", "affine_tl_full")
KERNELS = ("rbf", "linear", "matern12", "matern32", "matern52")
CALIBRATORS = ("md", "ordinary", "log_difference", "affine", *METHODS)

PROTOCOL_OPTIONS = {
    "paper": ("experiment", "md", "property", "descriptors", "value_column", "md_column", "solver", "tolerance"),
    "sarcos": ("data", "sizes", "targets", "draw"),
}
"""The options of ``benchmark`` that one protocol alone uses, as argparse names them."""


def run_command(words: Sequence[str]) -> int:
    """Run one command and return its exit status."""
    options = command_parser().parse_args(words)
    progress = silent if options.quiet else ProgressLines()
    command: Callable[[argparse.Namespace, Progress], None] = options.command
    # A service that is asked to end ends like one that is interrupted: without half a file.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        command(options, progress)
    except UserError as error:
        _end_progress_line(progress)
        print(f"affinecal: {_in_full(error)}", file=sys.stderr)
        return CANNOT
    except (Cancelled, KeyboardInterrupt) as stop:
        _end_progress_line(progress)
        print(f"affinecal: {str(stop) or 'stopped; nothing was written half.'}", file=sys.stderr)
        return CANNOT
    except BrokenPipeError:
        return DONE  # the reader of our output had enough
    except Exception:  # noqa: BLE001 - the last line of defence, which says where to turn
        _end_progress_line(progress)
        print(f"affinecal: a fault of the program. {_kept_in_log()}", file=sys.stderr)
        return FAULT
    return DONE


def _kept_in_log() -> str:
    """Write the exception at hand to the log, and say where it is found."""
    from affinecal_gui.log import FILE_NAME, log_folder, start_log

    start_log()
    logging.getLogger(__name__).critical("A command failed", exc_info=True)
    return f"Please report it with the last lines of {log_folder() / FILE_NAME}."


def _in_full(error: UserError) -> str:
    """Return what is wrong, with what a window would offer or show elsewhere: an option, or the polymers concerned."""
    from affinecal_gui.study.too_few import TooFewPolymers
    from affinecal_gui.tables.export import FileExists

    if isinstance(error, TooFewPolymers):
        return error.in_full
    if isinstance(error, FileExists) and "--overwrite" not in str(error):
        return f"{error} The option --overwrite allows it."
    return str(error)


def command_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--quiet", action="store_true", help="no progress line")
    common.add_argument("--overwrite", action="store_true", help="replace files that exist")

    parser = argparse.ArgumentParser(prog="affinecal", description="AffineCal without a window.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    fit = commands.add_parser(
        "fit",
        parents=[common],
        help="calibrate MD values with measured values",
        description="Calibrate MD values with measured values; writes predictions.csv, coefficients.csv, metrics.json, and "
        "the parity and coefficient figures as SVG and PNG, and left_out.csv where rows were left out: which, and why.",
    )
    fit.add_argument("--study", type=_path, metavar="S.affinecal", help="a saved study, instead of two tables")
    _add_data_arguments(fit, protocols=None, required=False)
    fit.add_argument(
        "--calibrator",
        choices=CALIBRATORS,
        help="whose values are written (default: that of the study, else affine); metrics.json has the errors of all",
    )
    _add_choice_arguments(fit)
    fit.add_argument("--report", action="store_true", help="write report.pdf and report.html as well")
    fit.add_argument(
        "--excel",
        action="store_true",
        help="write a byte order mark before each CSV table, by which Excel knows that it is UTF-8 (default: without)",
    )
    fit.add_argument(
        "--decimal-comma",
        action="store_true",
        help="write CSV tables with decimal commas and semicolons, for spreadsheets set to a country that uses them",
    )
    fit.add_argument(
        "--output", type=_path, required=True, metavar="DIR", help="folder for the results; made if missing"
    )
    fit.set_defaults(command=_fit)

    predict = commands.add_parser(
        "predict",
        parents=[common],
        help="calibrate polymers that a study has not seen",
        description="Calibrate the MD values of further polymers with a saved study, or with two tables; writes one row per "
        "row of the table, in order, with interval, range of validity, and the reason where there is no value.",
    )
    predict.add_argument("input", type=_path, metavar="NEW.csv", help="table of MD values to calibrate")
    predict.add_argument("--study", type=_path, metavar="S.affinecal", help="a saved study, instead of two tables")
    _add_data_arguments(predict, protocols=None, required=False)
    predict.add_argument(
        "--calibrator", choices=CALIBRATORS, help="whose values are written (default: that of the study, else affine)"
    )
    _add_choice_arguments(predict)
    predict.add_argument("--output", type=_path, required=True, metavar="OUT.csv")
    predict.set_defaults(command=_predict)

    benchmark = commands.add_parser(
        "benchmark",
        parents=[common],
        help="run the paper's evaluation on your data",
        description="Run the evaluation of Minami et al. (NeurIPS 2023): random splits, penalties by cross-validation; "
        "writes benchmark.json, benchmark.csv and a figure. The protocol paper evaluates the linear calibrators on polymers "
        "(--experiment, --md); the protocol sarcos evaluates seven transfer methods on the robot arm (--data).",
    )
    _add_data_arguments(benchmark, protocols=("paper", "sarcos"), required=False)
    _add_sarcos_arguments(benchmark)
    benchmark.add_argument("--repetitions", type=_positive, default=20, metavar="N", help="random splits (default 20)")
    # Without a default here, so that a choice that the protocol would not look at can be told from none.
    benchmark.add_argument(
        "--solver", choices=("block", "direct"), help="paper: block updates, as published, or direct (default block)"
    )
    benchmark.add_argument(
        "--tolerance",
        type=_tolerance,
        metavar="T",
        help="paper: when the solver stops (default 1e-3, as in the published results)",
    )
    benchmark.add_argument("--output", type=_path, required=True, metavar="DIR", help="folder; made if missing")
    benchmark.set_defaults(command=_benchmark)

    compare = commands.add_parser(
        "compare",
        parents=[common],
        help="rank all calibrators on your data",
        description="Check all calibrators on the same held-out polymers and rank them: the linear ones and the transfer "
        "methods with kernels (Direct, Only source, Augmented, HTL-offset, HTL-scale, AffineTL-const, AffineTL-full); writes "
        "comparison.csv, comparison.json, and figures of the errors, the parity and the overlap of MD and descriptors.",
    )
    _add_data_arguments(compare, protocols=None)
    _add_choice_arguments(compare)
    compare.add_argument(
        "--methods",
        nargs="+",
        metavar="NAME",
        help=f"of the kernel methods, some of {', '.join(METHODS)} (default all)",
    )
    compare.add_argument(
        "--source",
        action="append",
        default=[],
        metavar="KEY",
        help="a further MD property for the kernel methods to learn from, e.g. density; may be repeated",
    )
    compare.add_argument("--kernel", choices=KERNELS, default="rbf", help="of the kernel methods (default rbf)")
    compare.add_argument("--output", type=_path, required=True, metavar="DIR", help="folder; made if missing")
    compare.set_defaults(command=_compare)

    describe = commands.add_parser(
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
    describe.add_argument("input", type=_path, metavar="IN.csv")
    describe.add_argument("--output", type=_path, required=True, metavar="OUT.csv")
    describe.add_argument(
        "--smiles-column",
        metavar="NAME",
        action="append",
        default=[],
        help="the column of the repeat units (default: found); once for each unit of copolymers in several columns",
    )
    describe.add_argument(
        "--fraction-column",
        metavar="NAME",
        action="append",
        default=[],
        help="the column of the mole fractions of copolymers (default: found); likewise",
    )
    describe.add_argument(
        "--no-cache", action="store_true", help="neither look up nor keep results of earlier runs on this computer"
    )
    describe.add_argument("--resume", action="store_true", help="go on where the same run was stopped")
    describe.add_argument("--jobs", type=_positive, default=1, metavar="N", help="worker processes (default 1)")
    describe.set_defaults(command=_describe)
    return parser


def _add_data_arguments(
    parser: argparse.ArgumentParser, protocols: tuple[str, ...] | None = ("default", "paper"), *, required: bool = True
) -> None:
    parser.add_argument("--experiment", type=_path, required=required, metavar="E.csv", help="table of measured values")
    parser.add_argument("--md", type=_path, required=required, metavar="M.csv", help="table of MD values")
    parser.add_argument("--property", metavar="KEY", help="the property, e.g. Cp (default: the first both tables have)")
    parser.add_argument("--descriptors", type=_path, metavar="D.csv", help="ready descriptors instead of computed ones")
    parser.add_argument(
        "--value-column",
        metavar="NAME",
        help="heading of the column of measured values, where the table has several that could be it (default: found)",
    )
    parser.add_argument("--md-column", metavar="NAME", help="heading of the column of MD values, likewise")
    if protocols is not None:
        parser.add_argument("--protocol", choices=protocols, default=protocols[0])


def _add_choice_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the choices about a calibration; those not given are as the study has them, or as they are by default."""
    group = parser.add_argument_group(
        "choices", "What is not given is as the study has it, or as it is by default for the property."
    )
    group.add_argument(
        "--protocol", choices=("default", "paper"), help="how the calibrators are checked (default default)"
    )
    group.add_argument("--seed", type=_seed, help="of the folds (default 0)")
    scale = group.add_mutually_exclusive_group()
    scale.add_argument("--log", dest="log_scale", action="store_const", const=True, help="fit the natural logarithm")
    scale.add_argument("--linear", dest="log_scale", action="store_const", const=False, help="fit the value itself")
    group.add_argument(
        "--weights",
        choices=("none", "uncertainty", "repeats"),
        help="let measured values count by their uncertainty, or by the number of reports behind them (default none)",
    )
    group.add_argument(
        "--penalties",
        type=_number,
        nargs="+",
        metavar="L",
        help="λ₁, λ₂ and, if you like, λ of β, instead of those that cross-validation chooses",
    )
    group.add_argument(
        "--blocks-off", nargs="+", metavar="NAME", help="descriptor blocks left out of the models, e.g. charge polar"
    )
    group.add_argument(
        "--block-penalty",
        action="append",
        metavar="NAME=FACTOR",
        help="multiply the penalties of a block, e.g. k_bond=3 (above 1: smaller and smoother coefficients); may be repeated",
    )
    group.add_argument(
        "--interval", type=_number, metavar="LEVEL", help="of the intervals, between 0 and 1 (default 0.9)"
    )
    group.add_argument(
        "--bands",
        choices=("posterior", "bootstrap"),
        help="of coefficients and parameters: where they lie at that level, or where refits to resampled polymers lie "
        "(default posterior)",
    )


def _choices(options: argparse.Namespace) -> "Choices":
    """Return the choices that the words of a command make."""
    from affinecal_gui.calibration.results import Penalties
    from affinecal_gui.study.choices import Choices

    if options.penalties is not None and len(options.penalties) not in (2, 3):
        raise UserError("--penalties takes two or three numbers: λ₁, λ₂ and, if you like, λ of β.")
    return Choices(
        protocol=options.protocol,
        seed=options.seed,
        model=getattr(options, "calibrator", None),  # compare ranks all of them
        log_scale=options.log_scale,
        weighting=options.weights,
        penalties=Penalties(*options.penalties) if options.penalties is not None else None,
        blocks_off=tuple(options.blocks_off) if options.blocks_off is not None else None,
        block_factors=_block_factors(options.block_penalty) if options.block_penalty is not None else None,
        interval_level=options.interval,
        bands=options.bands,
    )


def _block_factors(words: Sequence[str]) -> dict[str, float]:
    factors: dict[str, float] = {}
    for word in words:
        name, _, text = word.rpartition("=")
        try:
            factor = float(text)
        except ValueError:
            name = ""
        if not name:
            raise UserError(f"--block-penalty takes a block and a factor, for example k_bond=3; “{word}” is not so.")
        if name in factors:
            raise UserError(f"--block-penalty names {name} twice.")
        factors[name] = factor
    return factors


def _csv_style(options: argparse.Namespace) -> "CsvStyle":
    from affinecal_gui.tables.export import CsvStyle

    return CsvStyle(byte_order_mark=options.excel, decimal_comma=options.decimal_comma)


def _path(text: str) -> Path:
    if not text.strip():
        raise argparse.ArgumentTypeError("no file is named: the name is empty")
    return Path(text)


def _add_sarcos_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=_path, metavar="FILE", help="sarcos: table of 21 inputs and 7 torques, .gz or not"
    )
    parser.add_argument(
        "--sizes", type=_positive, nargs="+", metavar="N", help="sarcos: training rows (default 5 10 15 20 30 40 50)"
    )
    parser.add_argument(
        "--targets", type=_positive, nargs="+", metavar="T", help="sarcos: torques, 1 to 7 (default all)"
    )
    parser.add_argument(
        "--draw",
        choices=("halves", "published"),
        help="sarcos: training sets from one half of the rows and errors on the other (default), or the training sets of the "
        "published program, as far as the test file holds them",
    )


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{text}” is not a number") from None


def _tolerance(text: str) -> float:
    number = _number(text)
    if not 0.0 < number < 1.0:
        raise argparse.ArgumentTypeError("must be a number between 0 and 1")
    return number


def _positive(text: str) -> int:
    number = int(text) if text.strip().isdigit() else 0
    if number < 1:
        raise argparse.ArgumentTypeError("must be a whole number, 1 or more")
    return number


def _seed(text: str) -> int:
    number = int(text) if text.strip().isdigit() else -1
    if not 0 <= number < 2**32:
        raise argparse.ArgumentTypeError("must be a whole number from 0 to 4294967295")
    return number


def _check_study_alone(options: argparse.Namespace) -> None:
    """Refuse to ignore what belongs to tables when a study is named."""
    files = (options.experiment, options.md, options.descriptors)
    if any((*files, options.property, options.value_column, options.md_column)):
        raise UserError("A study holds its tables: give --study alone, without tables, their columns or a property.")


def _fit(options: argparse.Namespace, progress: Progress) -> None:
    from affinecal_gui.study.fitting import fit_files, fit_study

    if options.study is not None:
        _check_study_alone(options)
        report = fit_study(
            options.study,
            options.output,
            choices=_choices(options),
            report=options.report,
            style=_csv_style(options),
            overwrite=options.overwrite,
            progress=progress,
        )
    elif options.experiment is None or options.md is None:
        raise UserError("Name two tables, --experiment E.csv --md M.csv, or a saved study, --study S.affinecal.")
    else:
        report = fit_files(
            options.experiment,
            options.md,
            options.output,
            property_key=options.property,
            descriptors=options.descriptors,
            choices=_choices(options),
            report=options.report,
            value_column=options.value_column,
            md_column=options.md_column,
            style=_csv_style(options),
            overwrite=options.overwrite,
            progress=progress,
        )
    _end_progress_line(progress)
    print(report)


def _predict(options: argparse.Namespace, progress: Progress) -> None:
    from affinecal_gui.study.predicting import predict_with_study, predict_with_tables

    if options.study is not None:
        _check_study_alone(options)
        report = predict_with_study(
            options.input,
            options.output,
            options.study,
            choices=_choices(options),
            overwrite=options.overwrite,
            progress=progress,
        )
    elif options.experiment is None or options.md is None:
        raise UserError(
            "Name what to calibrate with: a saved study, --study S.affinecal, or --experiment E.csv --md M.csv."
        )
    else:
        report = predict_with_tables(
            options.input,
            options.output,
            options.experiment,
            options.md,
            property_key=options.property,
            descriptors=options.descriptors,
            value_column=options.value_column,
            md_column=options.md_column,
            choices=_choices(options),
            overwrite=options.overwrite,
            progress=progress,
        )
    _end_progress_line(progress)
    print(report)


def _check_protocol(options: argparse.Namespace) -> None:
    """Refuse to ignore an option that the protocol does not use."""
    for protocol, own in PROTOCOL_OPTIONS.items():
        given = [f"--{name.replace('_', '-')}" for name in own if getattr(options, name) is not None]
        if protocol != options.protocol and given:
            listed = given[0] if len(given) == 1 else f"{', '.join(given[:-1])} and {given[-1]}"
            belongs, them = ("belongs", "it") if len(given) == 1 else ("belong", "them")
            raise UserError(
                f"{listed} {belongs} to --protocol {protocol}; leave {them} out with --protocol {options.protocol}."
            )


def _benchmark(options: argparse.Namespace, progress: Progress) -> None:
    from affinecal_gui.study.benchmarking import benchmark_files

    _check_protocol(options)
    if options.protocol == "sarcos":
        _benchmark_sarcos(options, progress)
        return
    if options.experiment is None or options.md is None:
        raise UserError("Name two tables, --experiment E.csv --md M.csv, or --protocol sarcos --data FILE.")
    report = benchmark_files(
        options.experiment,
        options.md,
        options.output,
        property_key=options.property,
        descriptors=options.descriptors,
        repetitions=options.repetitions,
        value_column=options.value_column,
        md_column=options.md_column,
        overwrite=options.overwrite,
        progress=progress,
        **_given(solver=options.solver, tolerance=options.tolerance),
    )
    _end_progress_line(progress)
    print(report)


def _given(**choices: Any) -> dict[str, Any]:
    """Return the choices that were made; the service has the defaults of the others."""
    return {name: choice for name, choice in choices.items() if choice is not None}


def _benchmark_sarcos(options: argparse.Namespace, progress: Progress) -> None:
    from affinecal_gui.study.sarcos import benchmark_sarcos

    if options.data is None:
        raise UserError("Name the table of the robot arm: --data sarcos_inv_test.csv.gz.")
    report = benchmark_sarcos(
        options.data,
        options.output,
        repetitions=options.repetitions,
        overwrite=options.overwrite,
        progress=progress,
        **_given(sizes=options.sizes, targets=options.targets, draw=options.draw),
    )
    _end_progress_line(progress)
    print(report)


def _compare(options: argparse.Namespace, progress: Progress) -> None:
    from affinecal_gui.calibration.results import TRANSFER_NAMES
    from affinecal_gui.calibration.transfer.methods import TransferOptions
    from affinecal_gui.study.comparing import compare_files

    unknown = [name for name in options.methods or () if name not in METHODS]
    if unknown:
        raise UserError(f"There is no method “{unknown[0]}”. The methods are: {', '.join(METHODS)}.")
    wanted = options.methods or METHODS
    report = compare_files(
        options.experiment,
        options.md,
        options.output,
        property_key=options.property,
        descriptors=options.descriptors,
        choices=_choices(options),
        methods=tuple(name for name in TRANSFER_NAMES if name in wanted),
        sources=options.source,
        options=TransferOptions(kernel_source=options.kernel, kernel_target=options.kernel, seed=options.seed or 0),
        value_column=options.value_column,
        md_column=options.md_column,
        overwrite=options.overwrite,
        progress=progress,
    )
    _end_progress_line(progress)
    print(report)


def _describe(options: argparse.Namespace, progress: Progress) -> None:
    from affinecal_gui.study.describing_files import describe_file
    from affinecal_gui.study.descriptor_cache import DescriptorCache, path_of_files

    report = describe_file(
        options.input,
        options.output,
        smiles_columns=options.smiles_column,
        fraction_columns=options.fraction_column,
        jobs=options.jobs,
        cache=None if options.no_cache else DescriptorCache(path_of_files()),
        overwrite=options.overwrite,
        resume=options.resume,
        progress=progress,
    )
    _end_progress_line(progress)
    print(report)


class ProgressLines:
    """Shows progress on the error stream: one line that changes in a terminal, else a line now and then for the log."""

    SECONDS_IN_A_LOG = 60.0
    SECONDS_IN_A_TERMINAL = 0.1

    def __init__(self) -> None:
        self._in_terminal = sys.stderr.isatty()
        self._next = 0.0 if self._in_terminal else time.monotonic() + self.SECONDS_IN_A_LOG
        self._is_open = False

    def __call__(self, fraction: float, sentence: str) -> None:
        """Show what is being done, unless something was shown just before."""
        now = time.monotonic()
        if now < self._next:
            return
        text = f"{100 * fraction:5.1f} %  {sentence}"
        if self._in_terminal:
            self._next, self._is_open = now + self.SECONDS_IN_A_TERMINAL, True
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
        else:
            self._next = now + self.SECONDS_IN_A_LOG
            print(text.strip(), file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the changing line, so that whatever follows stands below it."""
        if self._is_open:
            self._is_open = False
            print(file=sys.stderr)


def _end_progress_line(progress: Progress) -> None:
    if isinstance(progress, ProgressLines):
        progress.end()
