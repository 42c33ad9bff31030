"""The service behind ``affinecal benchmark --protocol sarcos``: the paper's robot arm, where all transfer methods compete."""

from collections.abc import Sequence
from pathlib import Path

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
    run_transfer_protocol,
)
from affinecal_gui.calibration.names import calibrator_title
from affinecal_gui.errors import UserError
from affinecal_gui.files import write_atomically
from affinecal_gui.numbers import significant
from affinecal_gui.tables.cells.numbers import read_number_column
from affinecal_gui.tables.errors import TableError, shortened
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.writing.csv_export import write_table
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.tasks.benchmarks.sarcos_published import differences, read_published
from affinecal_gui.tasks.benchmarks.sarcos_tables import (
    REPETITION_COLUMNS,
    SUMMARY_COLUMNS,
    benchmark_content,
    benchmark_html,
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


def benchmark_sarcos(
    data: Path,
    output: Path,
    *,
    repetitions: int = PAPER_REPETITIONS,
    sizes: Sequence[int] = PAPER_SIZES,
    targets: Sequence[int] = tuple(range(1, TORQUES + 1)),
    draw: Draw = "halves",
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
    with results_folder(output, OUTPUTS, overwrite=overwrite, inputs=(data,)) as folder:
        task.report(0.0, f"Reading {data.name}")
        inputs, torques = read_sarcos(data, task=task)
        benchmark = run_transfer_protocol(
            inputs,
            torques,
            targets=[target - 1 for target in chosen],
            sizes=sorted(set(sizes)),
            repetitions=repetitions,
            options=options,
            draw=draw,
            task=task.part(0.01, 0.97),
        )
        task.report(0.97, "Writing the results")
        published = read_published()
        how = how_it_was_done(data.name, benchmark)
        content = benchmark_content(benchmark, published, how, options or TransferOptions())
        write_json(folder / "benchmark.json", content)
        write_table(folder / "benchmark.csv", SUMMARY_COLUMNS, summary_rows(benchmark, published))
        write_table(folder / "repetitions.csv", REPETITION_COLUMNS, repetition_rows(benchmark))
        page = benchmark_html(benchmark, published, how)
        write_atomically(folder / "benchmark.html", page.encode())
        _draw(benchmark, folder)
        task.report(1.0, "Done")
    return _report(benchmark, how, output)


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


def how_it_was_done(name: str, benchmark: TransferBenchmark) -> tuple[str, ...]:
    """Say in sentences how the figures came about, and how that differs from the paper."""
    halves = (
        f"{name}: training sets are drawn at random from one fixed half of its rows ({benchmark.pool_rows}), the errors are "
        f"those on the other half ({benchmark.evaluation_rows}). The paper drew from the separate training file of this data "
        f"set and evaluated on all 4,449 rows of the test file."
    )
    scaled = (
        "As in the paper: inputs, source features (the six other torques) and target are z-scored over each training set, "
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
    if benchmark.guarded:
        sentences.append(
            f"HTL-scale: {benchmark.guarded} training rows had a source prediction below a twentieth of the largest, which "
            f"was divided by instead."
        )
    return tuple(sentences)


def _draw(benchmark: TransferBenchmark, folder: Path) -> None:
    from affinecal_gui.figures.plots.transfer_benchmark import transfer_benchmark_figure
    from affinecal_gui.figures.saving import save_figure

    figure = transfer_benchmark_figure(benchmark, read_published().authors_mean)
    for suffix in ("svg", "png"):
        save_figure(figure, folder / f"benchmark.{suffix}")


def _report(benchmark: TransferBenchmark, how: Sequence[str], output: Path) -> str:
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
            lines.append(f"  {calibrator_title(name, log_scale=True):<15}" + "".join(f"{cell:>15}" for cell in cells))
    lines += ["", "* better, † worse than Direct (Welch’s t-test, 1 %)."]
    lines.append(differences(benchmark, read_published()).sentence)
    lines.append(f"Written to {output}: {', '.join(OUTPUTS)}.")
    return "\n".join(lines)
