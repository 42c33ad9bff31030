"""The service behind ``affinecal benchmark --protocol unsimulated``: polymers nobody has simulated."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from affinecal_gui import __version__
from affinecal_gui.calibration.kernels.comparing.unsimulated import LEVELS, WayTried, try_unsimulated
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.numbers import significant
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.words.unsimulated_words import what_md_adds
from affinecal_gui.tables.writing.csv_export import Cell, write_table
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.tasks.benchmarks.described_study import DESCRIBED, read_described
from affinecal_gui.tasks.reading.data_files import DataFiles
from affinecal_gui.tasks.writing.json_file import write_json
from affinecal_gui.tasks.writing.results_folder import results_folder

OUTPUTS = ("benchmark.json", "benchmark.csv")
CSV_COLUMNS = (
    "way",
    "rmse",
    *(f"coverage at {100 * level:g} %" for level in LEVELS),
    "polymers",
    "repetitions",
    *(f"coverage of the farthest tenth at {100 * level:g} %" for level in LEVELS),
)


def benchmark_unsimulated(
    files: DataFiles,
    output: Path,
    *,
    repetitions: int = 2,
    overwrite: bool = False,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> list[str]:
    """Predict held-out polymers with their MD value, with one predicted from the other MD rows, and without any.

    Returns
    -------
    list of str
        The table of errors, for a person.

    Raises
    ------
    UserError
        A file cannot be read, the data do not suffice, or a result exists already and ``overwrite`` is false.
    """
    with results_folder(output, OUTPUTS, overwrite=overwrite, inputs=files.paths) as folder:
        study = read_described(files, cache=cache, task=task)
        assembly, training, settings, described = study.assembly, study.training, study.settings, study.described
        usable = training.usable_library
        place = np.cumsum(usable) - 1
        measured = assembly.measured[training.rows]
        trial = try_unsimulated(
            measured,
            place[training.library],
            assembly.library_md[usable],
            described.values[usable],
            described.blocks.sizes,
            CalibrationOptions(log_scale=settings.log_scale, seed=settings.seed),
            repetitions=repetitions,
            task=task.part(DESCRIBED, 0.99),
        )
        found, farthest, sentence = trial.ways, trial.farthest, what_md_adds(trial)
        content = {
            "program": f"AffineCal {__version__}",
            "protocol": "unsimulated",
            "property": assembly.quantity.key,
            "log_scale": settings.log_scale,
            "n": len(measured),
            "md_rows": int(usable.sum()),
            "repetitions": repetitions,
            "rmse": {one.way: one.rmse(trial.y) for one in found},
            "coverage": {one.way: {f"{100 * level:g}": share for level, share in _coverage(one)} for one in found},
            "coverage_in_the_farthest_tenth": {
                one.way: {f"{100 * level:g}": share for level, share in _coverage(one, farthest)} for one in found
            },
            "what_md_adds": sentence,
        }
        write_json(folder / "benchmark.json", content)
        rows: list[tuple[Cell, ...]] = [
            (
                one.way,
                one.rmse(trial.y),
                *(share for _, share in _coverage(one)),
                len(measured),
                repetitions,
                *(share for _, share in _coverage(one, farthest)),
            )
            for one in found
        ]
        write_table(folder / "benchmark.csv", CSV_COLUMNS, rows)
        task.report(1.0, "Done")
    scale = f"ln {assembly.quantity.symbol}" if settings.log_scale else assembly.quantity.symbol
    lines = [
        *study.notes,
        f"RMSE of {scale} of {len(measured)} held-out polymers, {repetitions} × 5 folds, and how many of them lie inside the "
        "intervals; MD values predicted from the MD rows of other polymers:",
    ]
    for one in found:
        shares = ", ".join(f"{100 * share:.0f} % in {100 * level:g} %" for level, share in _coverage(one))
        lines.append(f"  {one.way:<18} {significant(one.rmse(trial.y)):>8}   {shares}")
    far = ", ".join(f"{100 * _coverage(one, farthest)[-1][1]:.0f} % {one.way}" for one in found)
    lines.append(f"Of the tenth least like the polymers of the fit, inside {100 * LEVELS[-1]:g} %: {far}.")
    return [*lines, sentence, f"Written to {output}: {', '.join(OUTPUTS)}."]


def _coverage(one: WayTried, among: NDArray[np.bool_] | None = None) -> list[tuple[float, float]]:
    """Return the share inside the intervals of each level, of all held-out polymers or ``among`` (r, n) some."""
    shares = [inside.mean() if among is None else inside[among].mean() for inside in one.inside]
    return [(level, float(share)) for level, share in zip(LEVELS, shares, strict=True)]
