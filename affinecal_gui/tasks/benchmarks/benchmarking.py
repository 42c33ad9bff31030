"""The service behind ``affinecal benchmark``: the paper's evaluation on the user's own data."""

from pathlib import Path
from typing import Any

import numpy as np

from affinecal_gui import __version__
from affinecal_gui.calibration.calibrators.linear.affine import AFFINE
from affinecal_gui.calibration.calibrators.linear.log_difference import LOG_DIFFERENCE
from affinecal_gui.calibration.calibrators.linear.ordinary import ORDINARY
from affinecal_gui.calibration.calibrators.linear.raw_md import RAW_MD
from affinecal_gui.calibration.calibrators.objectives.affine import Solver
from affinecal_gui.calibration.checking.paper_protocol import (
    PAPER_CALIBRATORS,
    PaperBenchmark,
    PaperRepetition,
    run_paper_protocol,
)
from affinecal_gui.calibration.names import calibrator_name
from affinecal_gui.figures.quantity import Quantity
from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.tables.writing.csv_export import Cell, write_table
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.tasks.benchmarks.described_study import DESCRIBED, read_described
from affinecal_gui.tasks.reading.data_files import DataFiles
from affinecal_gui.tasks.writing.json_file import write_json
from affinecal_gui.tasks.writing.results_folder import results_folder

OUTPUTS = ("benchmark.json", "benchmark.csv", "benchmark.svg", "benchmark.png")
CSV_COLUMNS = (
    "seed", "model", "rmse", "lambda_1", "lambda_2", "alpha_0", "alpha_1", "beta", "iterations", "converged",
)  # fmt: skip


def benchmark_files(
    files: DataFiles,
    output: Path,
    *,
    solver: Solver = "block",
    tolerance: float = 1e-3,
    repetitions: int = 20,
    overwrite: bool = False,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> list[str]:
    """Run the 20 repetitions of the paper and write benchmark.json, benchmark.csv and the figure.

    The data set is the measured polymers that have an MD value and descriptors, in the order of the measured file.

    Returns
    -------
    list of str
        The table of mean and standard deviation, for a person.

    Raises
    ------
    UserError
        A file cannot be read, the data do not suffice, or a result exists already and ``overwrite`` is false.
    """
    with results_folder(output, OUTPUTS, overwrite=overwrite, inputs=files.paths) as folder:
        study = read_described(files, log_scale=True, cache=cache, task=task)
        assembly, training, described = study.assembly, study.training, study.described
        benchmark = run_paper_protocol(
            described.values[training.library],
            assembly.library_md[training.library],
            assembly.measured[training.rows],
            described.blocks.sizes,
            repetitions=repetitions,
            solver=solver,
            tolerance=tolerance,
            task=task.part(DESCRIBED, 0.95),
        )
        ids = _ids(assembly, training.rows)
        write_json(folder / "benchmark.json", benchmark_content(benchmark, ids))
        rows = [row for repetition in benchmark.repetitions for row in _tidy(repetition)]
        write_table(folder / "benchmark.csv", CSV_COLUMNS, rows)
        _draw(benchmark, assembly, folder)
        task.report(1.0, "Done")
    return [*study.notes, *_report(benchmark, assembly, output)]


def benchmark_content(benchmark: PaperBenchmark, ids: list[str]) -> dict[str, Any]:
    """Return what ``benchmark.json`` says; ``ids`` name the polymers of the data set in its order."""
    return {
        "program": f"AffineCal {__version__}",
        "protocol": "paper",
        "solver": benchmark.solver,
        "tolerance": benchmark.tolerance,
        "n_polymers": benchmark.n_polymers,
        "train_size": benchmark.train_size,
        "test_size": benchmark.test_size,
        "notes": list(benchmark.notes),
        "models": {
            model: {"rmse_mean": benchmark.rmse_mean[model], "rmse_sd": _finite(benchmark.rmse_sd[model])}
            for model in PAPER_CALIBRATORS
        },
        "repetitions": [
            {
                "seed": repetition.seed,
                "test_ids": [ids[index] for index in repetition.test],
                RAW_MD.key: {"rmse": repetition.rmse[RAW_MD.key]},
                ORDINARY.key: {"rmse": repetition.rmse[ORDINARY.key]},
                LOG_DIFFERENCE.key: {
                    "rmse": repetition.rmse[LOG_DIFFERENCE.key],
                    "lambda_1": repetition.log_difference_lambda_1,
                    "lambda_2": repetition.log_difference_lambda_2,
                },
                AFFINE.key: {
                    "rmse": repetition.rmse[AFFINE.key],
                    "lambda_1": repetition.affine_lambda_1,
                    "lambda_2": repetition.affine_lambda_2,
                    "alpha_0": repetition.alpha_0,
                    "alpha_1": repetition.alpha_1,
                    "beta": repetition.beta,
                    "iterations": repetition.iterations,
                    "converged": repetition.converged,
                },
            }
            for repetition in benchmark.repetitions
        ],
    }


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


def _ids(assembly: Assembly, rows: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[str]:
    chosen = [assembly.rows[row] for row in rows]
    return [row.measured_id or row.id or row.name or row.smiles for row in chosen]


def _tidy(repetition: PaperRepetition) -> list[tuple[Cell, ...]]:
    """Return one line per model, with the cells of :data:`CSV_COLUMNS`; None where a model has no such number."""
    rmse = repetition.rmse
    none: tuple[None, ...] = (None,) * 7
    penalties = repetition.log_difference_lambda_1, repetition.log_difference_lambda_2
    return [
        (repetition.seed, RAW_MD.key, rmse[RAW_MD.key], *none),
        (repetition.seed, ORDINARY.key, rmse[ORDINARY.key], *none),
        (repetition.seed, LOG_DIFFERENCE.key, rmse[LOG_DIFFERENCE.key], *penalties, *none[:5]),
        (
            repetition.seed,
            AFFINE.key,
            rmse[AFFINE.key],
            repetition.affine_lambda_1,
            repetition.affine_lambda_2,
            repetition.alpha_0,
            repetition.alpha_1,
            repetition.beta,
            repetition.iterations,
            repetition.converged,
        ),
    ]


def _draw(benchmark: PaperBenchmark, assembly: Assembly, folder: Path) -> None:
    from affinecal_gui.figures.plots.benchmark import benchmark_figure
    from affinecal_gui.figures.saving import save_figure

    quantity = assembly.quantity
    drawn = Quantity(quantity.title, quantity.symbol, quantity.symbol_math, quantity.unit, log_scale=True)
    figure = benchmark_figure(benchmark, drawn)
    for suffix in ("svg", "png"):
        save_figure(figure, folder / f"benchmark.{suffix}")


def _report(benchmark: PaperBenchmark, assembly: Assembly, output: Path) -> list[str]:
    lines = [
        *benchmark.notes,
        f"{len(benchmark.repetitions)} repetitions, {benchmark.train_size} polymers for training and "
        f"{benchmark.test_size} held out; RMSE of ln {assembly.quantity.symbol}, mean ± standard deviation:",
    ]
    lines += [
        f"  {calibrator_name(model, log_scale=True):<16} {benchmark.rmse_mean[model]:.4f} ± {benchmark.rmse_sd[model]:.4f}"
        for model in PAPER_CALIBRATORS
    ]
    unfinished = sum(not repetition.converged for repetition in benchmark.repetitions)
    if unfinished:
        lines.append(f"The affine model did not converge in {unfinished} repetitions.")
    lines.append(f"Written to {output}: {', '.join(OUTPUTS)}.")
    return lines
