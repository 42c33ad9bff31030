"""``affinecal compare``: all calibrators on the same held-out polymers."""

import argparse

from affinecal_gui.calibration.calibrators.registry import kernel_keys
from affinecal_gui.commands.choice_arguments import KERNELS, add_choice_arguments, choices_of
from affinecal_gui.commands.data_arguments import add_cache_argument, add_data_arguments, data_files, descriptor_cache
from affinecal_gui.commands.progress_lines import answer
from affinecal_gui.commands.words import path
from affinecal_gui.errors import UserError
from affinecal_gui.task import Task


def add_parser(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "compare",
        parents=[common],
        help="rank all calibrators on your data",
        description="Check all calibrators on the same held-out polymers and rank them: the linear ones and the transfer "
        "methods with kernels (Direct, Only source, Augmented, HTL-offset, HTL-scale, AffineTL-const, AffineTL-full, "
        "co-kriging); writes comparison.csv, comparison.json, and figures of the errors, the parity and the overlap of MD "
        "and descriptors.",
    )
    add_data_arguments(parser, protocols=None)
    add_choice_arguments(parser)
    parser.add_argument(
        "--methods",
        nargs="+",
        metavar="NAME",
        help=f"of the kernel methods, some of {', '.join(kernel_keys())} (default all)",
    )
    parser.add_argument(
        "--source",
        action="append",
        default=[],
        metavar="KEY",
        help="a further MD property for the kernel methods to learn from, e.g. density; may be repeated",
    )
    parser.add_argument("--kernel", choices=KERNELS, default="rbf", help="of the kernel methods (default rbf)")
    for name, features in (
        ("source", "the MD value in g₁"),
        ("factor", "the MD value in g₂"),
        ("target", "the descriptors"),
    ):
        parser.add_argument(f"--kernel-{name}", choices=KERNELS, help=f"of {features}, if not that of --kernel")
    parser.add_argument("--output", type=path, required=True, metavar="DIR", help="folder; made if missing")
    add_cache_argument(parser)
    parser.set_defaults(command=run)


def run(options: argparse.Namespace, task: Task) -> None:
    """Rank the calibrators, and tell how far they are apart."""
    from affinecal_gui.calibration.kernels.methods import TransferOptions
    from affinecal_gui.tasks.fitting.comparing import compare_files

    unknown = [name for name in options.methods or () if name not in kernel_keys()]
    if unknown:
        raise UserError(f"There is no method “{unknown[0]}”. The methods are: {', '.join(kernel_keys())}.")
    wanted = options.methods or kernel_keys()
    report = compare_files(
        data_files(options),
        options.output,
        choices=choices_of(options),
        methods=tuple(name for name in kernel_keys() if name in wanted),
        sources=options.source,
        options=TransferOptions(
            kernel_source=options.kernel_source or options.kernel,
            kernel_factor=options.kernel_factor or options.kernel,
            kernel_target=options.kernel_target or options.kernel,
            seed=options.seed or 0,
        ),
        overwrite=options.overwrite,
        cache=descriptor_cache(options),
        task=task,
    )
    answer(report, options, task)
