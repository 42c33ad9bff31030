"""``affinecal benchmark``: the evaluations of the paper, on polymers or on the robot arm."""

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from affinecal_gui.commands.data_arguments import add_cache_argument, add_data_arguments, data_files, descriptor_cache
from affinecal_gui.commands.progress_lines import answer
from affinecal_gui.commands.words import path, positive, small_number
from affinecal_gui.errors import UserError
from affinecal_gui.task import Task

_OF_TABLES = (
    "experiment", "md", "other_md", "property", "descriptors", "value_column", "md_column", "sheet", "md_sheet",
    "use_flagged", "no_cache",
)  # fmt: skip
PROTOCOL_OPTIONS = {
    "paper": (*_OF_TABLES, "solver", "tolerance"),
    "few": _OF_TABLES,
    "unsimulated": _OF_TABLES,
    "sarcos": ("data", "sizes", "targets", "draw", "features"),
    "eigenvalues": (),
    "ltc": ("data", "sources", "networks", "scaling", "resume"),
    "texts": ("data", "counts", "value_column"),
}
"""The options of ``benchmark`` that not every protocol uses, as argparse names them."""


def add_parser(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "benchmark",
        parents=[common],
        help="run the paper's evaluation on your data",
        description="Run the evaluation of Minami et al. (NeurIPS 2023): random splits, penalties by cross-validation; "
        "writes benchmark.json, benchmark.csv and a figure. The protocol paper evaluates the linear calibrators on polymers "
        "(--experiment, --md); the protocol few says how many measurements of heat capacities it takes, from none to all; "
        "the protocol unsimulated predicts polymers without their MD values, from those of other polymers; "
        "the protocol sarcos evaluates seven transfer methods on the robot arm (--data); the protocol eigenvalues, which "
        "needs no data, says how fast the eigenvalues of the kernels fall when source and descriptors overlap; the protocol "
        "ltc trains neural networks for lattice thermal conductivities on what others know of phonon scattering (--data); "
        "the protocol texts says which phrases speak for a score or class beyond what an embedding of the text knows "
        "(--data, --counts, --value-column).",
    )
    add_data_arguments(parser, protocols=tuple(PROTOCOL_OPTIONS), required=False)
    _add_sarcos_arguments(parser)
    _add_conductivity_arguments(parser)
    parser.add_argument(
        "--counts",
        type=path,
        metavar="FILE",
        help="texts: table whose first column names the text, with a column of counts for each phrase, or with a row for "
        "each phrase of a text and the columns “phrase” and “count”",
    )
    parser.add_argument(
        "--repetitions",
        type=positive,
        metavar="N",
        help="random splits (default 20; few: draws of each size, 400; unsimulated: 2; eigenvalues: 100; ltc: 10; "
        "texts: 1)",
    )
    # Without a default here, so that a choice that the protocol would not look at can be told from none.
    parser.add_argument(
        "--solver", choices=("block", "direct"), help="paper: block updates, as published, or direct (default block)"
    )
    parser.add_argument(
        "--tolerance",
        type=small_number,
        metavar="T",
        help="paper: when the solver stops (default 1e-3, as in the published results)",
    )
    parser.add_argument("--output", type=path, required=True, metavar="DIR", help="folder; made if missing")
    add_cache_argument(parser)
    parser.set_defaults(command=run)


def run(options: argparse.Namespace, task: Task) -> None:
    """Run one of the evaluations, and tell what it found."""
    _check_protocol(options)
    if options.protocol == "sarcos":
        _benchmark_sarcos(options, task)
        return
    if options.protocol == "eigenvalues":
        _benchmark_eigenvalues(options, task)
        return
    if options.protocol == "ltc":
        _benchmark_conductivity(options, task)
        return
    if options.protocol == "texts":
        _benchmark_texts(options, task)
        return
    if options.experiment is None or options.md is None:
        raise UserError("Name two tables, --experiment E.csv --md M.csv, or --protocol sarcos --data FILE.")
    given = options.repetitions
    if options.protocol == "few":
        from affinecal_gui.tasks.benchmarks.benchmarking_few import benchmark_few

        _benchmark_tables(benchmark_few, options, task, draws=given)
    elif options.protocol == "unsimulated":
        from affinecal_gui.tasks.benchmarks.benchmarking_unsimulated import benchmark_unsimulated

        _benchmark_tables(benchmark_unsimulated, options, task, repetitions=given)
    else:
        from affinecal_gui.tasks.benchmarks.benchmarking import benchmark_files

        _benchmark_tables(
            benchmark_files, options, task, repetitions=given, solver=options.solver, tolerance=options.tolerance
        )


def _add_sarcos_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        type=path,
        metavar="FILE",
        help="sarcos: table of 21 inputs and 7 torques; ltc: table of crystals with the columns “SPS (cm)”, “TC (W/mK)” and "
        "descriptors; texts: table whose first column names the text, with the numbers of its embedding and the column that "
        "--value-column names; .gz or not",
    )
    parser.add_argument(
        "--sizes", type=positive, nargs="+", metavar="N", help="sarcos: training rows (default 5 10 15 20 30 40 50)"
    )
    parser.add_argument(
        "--targets", type=positive, nargs="+", metavar="T", help="sarcos: torques, 1 to 7 (default all)"
    )
    parser.add_argument(
        "--draw",
        choices=("halves", "published"),
        help="sarcos: training sets from one half of the rows and errors on the other (default), or the training sets of the "
        "published program, as far as the test file holds them",
    )
    parser.add_argument(
        "--features",
        choices=("torques", "learned"),
        help="sarcos: the source features are the six other torques (default), or the last layer of a network for "
        "them, beside the methods that go on training that network",
    )


def _add_conductivity_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--networks", type=positive, metavar="N", help="ltc: networks trained for the source property (default 100)"
    )
    parser.add_argument(
        "--sources", type=positive, metavar="N", help="ltc: how many of these networks, the best, are used (default 10)"
    )
    parser.add_argument(
        "--scaling",
        choices=("all", "training"),
        help="ltc: standardise the target over all measured crystals, as published (default), or over each training part",
    )
    parser.add_argument(
        "--resume", action="store_true", default=None, help="ltc: go on where the same experiment was stopped"
    )


def _check_protocol(options: argparse.Namespace) -> None:
    """Refuse to ignore an option that the protocol does not use."""
    used = PROTOCOL_OPTIONS[options.protocol]
    for own in PROTOCOL_OPTIONS.values():
        foreign = [name for name in own if name not in used and getattr(options, name) is not None]
        given = [f"--{name.replace('_', '-')}" for name in foreign]
        if given:
            listed = given[0] if len(given) == 1 else f"{', '.join(given[:-1])} and {given[-1]}"
            belongs, them = ("belongs", "it") if len(given) == 1 else ("belong", "them")
            raise UserError(
                f"{listed} {belongs} to --protocol {_users_of(foreign)}; leave {them} out with --protocol {options.protocol}."
            )


def _users_of(names: list[str]) -> str:
    """Return the protocols that use all of these options."""
    users = [protocol for protocol, own in PROTOCOL_OPTIONS.items() if set(names) <= set(own)]
    return users[0] if len(users) == 1 else f"{', '.join(users[:-1])} or {users[-1]}"


def _given(**choices: Any) -> dict[str, Any]:
    """Return the choices that were made; the service has the defaults of the others."""
    return {name: choice for name, choice in choices.items() if choice is not None}


def _benchmark_tables(
    service: Callable[..., Sequence[str]], options: argparse.Namespace, task: Task, **choices: Any
) -> None:
    """Run an evaluation of two tables."""
    report = service(
        data_files(options),
        options.output,
        overwrite=options.overwrite,
        cache=descriptor_cache(options),
        task=task,
        **_given(**choices),
    )
    answer(report, options, task)


def _benchmark_sarcos(options: argparse.Namespace, task: Task) -> None:
    from affinecal_gui.tasks.benchmarks.sarcos import benchmark_sarcos

    if options.data is None:
        raise UserError("Name the table of the robot arm: --data sarcos_inv_test.csv.gz.")
    report = benchmark_sarcos(
        options.data,
        options.output,
        overwrite=options.overwrite,
        task=task,
        **_given(
            repetitions=options.repetitions,
            sizes=options.sizes,
            targets=options.targets,
            draw=options.draw,
            features=options.features,
        ),
    )
    answer([report], options, task)


def _benchmark_eigenvalues(options: argparse.Namespace, task: Task) -> None:
    from affinecal_gui.tasks.benchmarks.benchmarking_eigenvalues import benchmark_eigenvalues

    report = benchmark_eigenvalues(
        options.output, overwrite=options.overwrite, task=task, **_given(draws=options.repetitions)
    )
    answer(report, options, task)


def _benchmark_conductivity(options: argparse.Namespace, task: Task) -> None:
    from affinecal_gui.tasks.benchmarks.conductivity import benchmark_conductivity

    if options.data is None:
        raise UserError("Name the table of crystals: --data ltc_inorganic.csv.gz.")
    report = benchmark_conductivity(
        options.data,
        options.output,
        overwrite=options.overwrite,
        task=task,
        **_given(
            splits=options.repetitions,
            networks=options.networks,
            sources=options.sources,
            scaling=options.scaling,
            resume=options.resume,
        ),
    )
    answer(report, options, task)


def _benchmark_texts(options: argparse.Namespace, task: Task) -> None:
    from affinecal_gui.tasks.benchmarks.texts import benchmark_texts

    if options.data is None or options.counts is None or options.value_column is None:
        raise UserError(
            "Name the tables of embeddings and of counts, and the column that is predicted: --data embeddings.csv --counts "
            "counts.csv --value-column score."
        )
    report = benchmark_texts(
        options.data,
        options.counts,
        options.value_column,
        options.output,
        overwrite=options.overwrite,
        task=task,
        **_given(repetitions=options.repetitions),
    )
    answer(report, options, task)
