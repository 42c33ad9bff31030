"""The service behind ``affinecal benchmark --protocol sarcos``: the paper's robot arm, where all transfer methods compete."""

from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.kernels.calibrators.affine_tl_full import AFFINE_TL_FULL
from affinecal_gui.calibration.kernels.calibrators.direct import DIRECT
from affinecal_gui.calibration.kernels.methods import TransferOptions
from affinecal_gui.calibration.kernels.protocol import (
    PAPER_REPETITIONS,
    PAPER_SIZES,
    Draw,
    TransferBenchmark,
    half_draws,
    run_transfer_protocol,
)
from affinecal_gui.calibration.networks.candidates import TUNING_EPOCHS
from affinecal_gui.calibration.networks.robot_arm import (
    SOURCE_EPOCHS,
    TUNING_METHODS,
    train_arm_network,
    with_tuned_networks,
)
from affinecal_gui.errors import UserError
from affinecal_gui.files import write_atomically
from affinecal_gui.numbers import significant
from affinecal_gui.tables.cells.numbers import read_number_column
from affinecal_gui.tables.errors import TableError, shortened
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.writing.csv_export import write_table
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.tasks.benchmarks.sarcos_published import Published, differences, none_published, read_published
from affinecal_gui.tasks.benchmarks.sarcos_tables import (
    REPETITION_COLUMNS,
    SUMMARY_COLUMNS,
    benchmark_content,
    benchmark_html,
    method_title,
    repetition_rows,
    summary_rows,
)
from affinecal_gui.tasks.writing.json_file import write_json
from affinecal_gui.tasks.writing.results_folder import results_folder

INPUTS, TORQUES = 21, 7
OUTPUTS = (
    "benchmark.json",
    "benchmark.csv",
    "repetitions.csv",
    "benchmark.html",
    "benchmark.svg",
    "benchmark.png",
)

FloatArray = NDArray[np.float64]

Features = Literal["torques", "learned"]


def benchmark_sarcos(
    data: Path,
    output: Path,
    *,
    repetitions: int = PAPER_REPETITIONS,
    sizes: Sequence[int] = PAPER_SIZES,
    targets: Sequence[int] = tuple(range(1, TORQUES + 1)),
    draw: Draw = "halves",
    features: Features = "torques",
    most_epochs: int = SOURCE_EPOCHS,
    options: TransferOptions | None = None,
    overwrite: bool = False,
    task: Task = UNWATCHED,
) -> str:
    """Run the comparison on the robot arm and write its tables and figure to a folder.

    Parameters
    ----------
    data
        Table of 21 inputs and 7 torques (in this order), with or without headings, packed with gzip or not.
    output
        Folder for the results.
    repetitions, sizes
        Random training sets, and how many rows they have.
    targets
        Torques to predict, 1 to 7; the six others are the source features of each.
    draw
        Where the training sets come from: :func:`affinecal_gui.calibration.kernels.protocol.run_transfer_protocol`.
    features
        "torques": the six others are the source features; "learned": the last hidden layer of a network for them, which is
        trained on the half of the rows that training sets are drawn from, and the methods that go on training it are
        compared as well.
    most_epochs
        Of any network.

    Returns
    -------
    str
        The table of means and standard deviations, for a person.

    Raises
    ------
    UserError
        The file is no such table or too short, a choice makes no sense, or a result exists already and ``overwrite`` is
        false.
    Cancelled
        When asked to stop; nothing is left behind.
    """
    chosen = sorted(set(targets))
    if not chosen or not all(1 <= target <= TORQUES for target in chosen):
        raise UserError(f"Targets are numbers of torques, 1 to {TORQUES}.")
    if features == "learned" and draw != "halves":
        raise UserError("Learned features need --draw halves: their network is trained on one half of the rows.")
    with results_folder(output, OUTPUTS, overwrite=overwrite, inputs=(data,)) as folder:
        task.report(0.0, f"Reading {data.name}")
        inputs, torques = read_sarcos(data, task=task)
        own = [target - 1 for target in chosen]
        learned = features == "learned"
        sets, evaluation = half_draws(len(inputs), repetitions)
        networks = {}
        for target in own if learned else ():
            task.check()
            task.report(0.01, f"Training the network of all torques but {target + 1}")
            networks[target] = train_arm_network(inputs, torques, target, np.sort(sets[0]), epochs=most_epochs)
        begun = process_time()
        benchmark = run_transfer_protocol(
            inputs,
            torques,
            targets=own,
            sizes=sorted(set(sizes)),
            repetitions=repetitions,
            options=options,
            draw=draw,
            features={target: one.features(inputs) for target, one in networks.items()} if learned else None,
            task=task.part(0.01, 0.4 if learned else 0.97),
        )
        times = [process_time() - begun]
        if learned:
            begun = process_time()
            benchmark = with_tuned_networks(
                benchmark,
                networks,
                sets,
                inputs,
                torques,
                evaluation,
                most_epochs=min(most_epochs, TUNING_EPOCHS[-1]),
                task=task.part(0.4, 0.97),
            )
            times.append(process_time() - begun)
        task.report(0.97, "Writing the results")
        published = none_published() if learned else read_published()
        how = how_it_was_done(data.name, benchmark, features)
        content = benchmark_content(benchmark, published, how, options or TransferOptions())
        write_json(folder / "benchmark.json", content)
        write_table(folder / "benchmark.csv", SUMMARY_COLUMNS, summary_rows(benchmark, published))
        write_table(folder / "repetitions.csv", REPETITION_COLUMNS, repetition_rows(benchmark))
        page = benchmark_html(benchmark, published, how)
        write_atomically(folder / "benchmark.html", page.encode())
        _draw(benchmark, published, folder)
        task.report(1.0, "Done")
    return _report(benchmark, published, how, times, output)


def read_sarcos(path: Path, *, task: Task = UNWATCHED) -> tuple[FloatArray, FloatArray]:
    """Return inputs (N, 21) and torques (N, 7) of a table of the robot arm.

    Raises
    ------
    TableError
        The file cannot be read or has another shape; a cell is no number, with its line.
    """
    raw = read_table(path, task=task.silent)
    if len(raw.columns) != INPUTS + TORQUES:
        raise TableError(
            f"{raw.name} has {len(raw.columns)} columns; the robot arm's has {INPUTS + TORQUES}: {INPUTS} inputs, then "
            f"{TORQUES} torques."
        )
    values = np.empty((raw.row_count, INPUTS + TORQUES))
    for number, column in enumerate(raw.columns):
        values[:, number] = read_number_column(column).values
    values = np.vstack([*_headings_as_row(raw), values])
    wrong = ~np.isfinite(values)
    if wrong.any():
        row, position = (int(index) for index in np.argwhere(wrong)[0])
        row -= len(values) - raw.row_count
        cell = shortened(raw.columns[position][row])
        what = f"“{cell}” is not a number" if cell else "a value is missing"
        where = f"{raw.name}, line {int(raw.lines[row])}, column {position + 1}"
        raise TableError(f"{where}: {what}. Correct it or remove the row.")
    return values[:, :INPUTS], values[:, INPUTS:]


def _headings_as_row(raw: RawTable) -> list[FloatArray]:
    """Return the first row of a file without headings, where its numbers were taken for them."""
    try:
        return [np.array([[float(heading) for heading in raw.headings]])] if raw.header_line else []
    except ValueError:
        return []


def how_it_was_done(name: str, benchmark: TransferBenchmark, features: Features = "torques") -> tuple[str, ...]:
    """Say in sentences how the figures came about, and how that differs from the paper."""
    halves = (
        f"{name}: training sets are drawn at random from one fixed half of its rows ({benchmark.pool_rows}), the errors are "
        f"those on the other half ({benchmark.evaluation_rows}). The paper drew from the separate training file of this data "
        f"set and evaluated on all 4,449 rows of the test file."
    )
    source = "the six other torques" if features == "torques" else "16 of a network for the six other torques"
    scaled = (
        f"As in the paper: inputs, source features ({source}) and target are z-scored over each training set, "
        "penalties chosen by five contiguous folds of it; RMSE in the unit of the torque, mean and standard deviation over "
        f"{benchmark.repetitions} training sets; Welch’s t-test against Direct at 1 %."
    )
    published = (
        f"{name}: training sets are those that the paper’s program drew from the first 30,000 rows of the training file, "
        f"each row replaced by the one of this file that is nearest in time, among its first {benchmark.pool_rows}; the "
        f"errors are those on all {benchmark.evaluation_rows} rows of this file, the training rows among them."
    )
    sentences = [published if benchmark.draw == "published" else halves, scaled]
    if AFFINE_TL_FULL.key in benchmark.rmse:
        total, agree = benchmark.converged.size, int(benchmark.starts_agree.sum())
        first, converged = int(benchmark.first_start_best.sum()), int(benchmark.converged.sum())
        sentences.append(
            f"AffineTL-full: {converged} of {total} final fits converged; in {agree} all starts ended at the same objective, "
            f"in {first} no random start ended lower than the one from AffineTL-const. Of the fits that choose its penalties "
            f"{benchmark.unfinished} did not converge."
        )
    if features == "learned":
        sentences.append(_LEARNED)
        sentences.append(_kernels_or_networks(benchmark))
    if benchmark.guarded:
        sentences.append(
            f"HTL-scale: {benchmark.guarded} training rows had a source prediction below a twentieth of the largest, which "
            f"was divided by instead."
        )
    return tuple(sentences)


_LEARNED = (
    "The network (layers of 256, 128, 64, 32 and 16, Adagrad) is trained on the half of the rows that training sets are "
    "drawn from; its last layer are the source features. Fine-tuning, L2-SP (one penalty), PAC-Net (a tenth of the weights) "
    "and MAML (to first order) go on training it with a new output, as many epochs as five folds prefer. These figures "
    "were not published with such features."
)


def _kernels_or_networks(benchmark: TransferBenchmark) -> str:
    """Say where the best kernel method has a lower mean than the best network."""
    tuned = [method.key for method in TUNING_METHODS]
    lower = total = 0
    for q in range(len(benchmark.targets)):
        for k in range(len(benchmark.sizes)):
            best = min(float(benchmark.mean(name)[q, k]) for name in tuned)
            lower += min(float(benchmark.mean(name)[q, k]) for name in benchmark.rmse if name not in tuned) < best
            total += 1
    return (
        f"In {lower} of {total} pairs of torque and size the best kernel method has a lower mean error than the best method "
        f"that trains the network."
    )


def _draw(benchmark: TransferBenchmark, published: Published, folder: Path) -> None:
    from affinecal_gui.figures.plots.transfer_benchmark import transfer_benchmark_figure
    from affinecal_gui.figures.saving import save_figure

    figure = transfer_benchmark_figure(benchmark, published.authors_mean)
    for suffix in ("svg", "png"):
        save_figure(figure, folder / f"benchmark.{suffix}")


def _report(
    benchmark: TransferBenchmark, published: Published, how: Sequence[str], times: Sequence[float], output: Path
) -> str:
    """Return the table for a person; ``times`` are seconds of kernel methods, and of those that train networks if any."""
    lines = [*how]
    for q, target in enumerate(benchmark.targets):
        lines += ["", f"Torque {target + 1:<10}" + "".join(f"{f'n = {size}':>15}" for size in benchmark.sizes)]
        for name in benchmark.rmse:
            mean, sd, p = benchmark.mean(name)[q], benchmark.sd(name)[q], benchmark.welch(name)[q]
            direct = benchmark.mean(DIRECT.key)[q] if DIRECT.key in benchmark.rmse else mean
            marks = ["" if not p[k] < 0.01 else ("*" if mean[k] < direct[k] else "†") for k in range(len(mean))]
            cells = [
                f"{significant(m)} ± {significant(s, 2)}{mark}" for m, s, mark in zip(mean, sd, marks, strict=True)
            ]
            lines.append(f"  {method_title(name):<15}" + "".join(f"{cell:>15}" for cell in cells))
    lines += ["", "* better, † worse than Direct (Welch’s t-test, 1 %)."]
    lines.append(differences(benchmark, published).sentence)
    shown = [f"{significant(one, 2)} s" for one in times]
    lines.append(
        f"Processor time: {shown[0]} for the kernel methods with all their penalties"
        + (f", {shown[1]} for those that train networks." if len(shown) > 1 else ".")
    )
    lines.append(f"Written to {output}: {', '.join(OUTPUTS)}.")
    return "\n".join(lines)
