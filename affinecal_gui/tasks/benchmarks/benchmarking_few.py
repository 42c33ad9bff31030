"""The service behind ``affinecal benchmark --protocol few``: how many measurements it takes, from none to all."""

from dataclasses import asdict
from pathlib import Path

import numpy as np

from affinecal_gui import __version__
from affinecal_gui.calibration.calibrators.quantum_corrected import QUANTUM_CORRECTED
from affinecal_gui.calibration.checking.few_measurements import WITH_OFFSET, FewMeasurements, few_measurements
from affinecal_gui.calibration.names import calibrator_name
from affinecal_gui.numbers import significant
from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.fitting.calibrating import calibrate_study, quantum_library
from affinecal_gui.study.fitting.quantum import refuse_incomplete
from affinecal_gui.tables.writing.csv_export import write_table
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.tasks.benchmarks.described_study import DESCRIBED, read_described
from affinecal_gui.tasks.reading.data_files import DataFiles
from affinecal_gui.tasks.writing.json_file import write_json
from affinecal_gui.tasks.writing.results_folder import results_folder

OUTPUTS = ("benchmark.json", "benchmark.csv")
CSV_COLUMNS = ("measurements", "model", "rmse", "standard deviation over the draws", "draws")


def benchmark_few(
    files: DataFiles,
    output: Path,
    *,
    draws: int = 400,
    overwrite: bool = False,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> list[str]:
    """Predict polymers from random draws of 4, 8, 12, 20 and 40 others, from none, and out of fold from all.

    Returns
    -------
    list of str
        The table of errors, for a person.

    Raises
    ------
    UserError
        A file cannot be read, the property has no quantum-corrected MD value, the data do not suffice, or a result exists
        already and ``overwrite`` is false.
    """
    with results_folder(output, OUTPUTS, overwrite=overwrite, inputs=files.paths) as folder:
        study = read_described(files, log_scale=True, cache=cache, task=task)
        assembly, training, settings = study.assembly, study.training, study.settings
        fitted = training.library.tolist()
        quantum = quantum_library(assembly, training, settings, cache=cache, task=task.part(DESCRIBED, 0.35))
        refuse_incomplete(assembly.quantity, quantum, fitted)
        assert quantum is not None
        found = few_measurements(
            np.log(assembly.measured[training.rows]),
            np.log(assembly.library_md[training.library]),
            np.log(quantum.values[training.library]),
            draws=draws,
            task=task.part(0.35, 0.6),
        )
        calibration = calibrate_study(
            assembly, study.described, training, settings, quantum=quantum, task=task.part(0.6, 0.99)
        )
        found += [
            FewMeasurements(len(fitted), model, result.metrics.rmse_target_scale, float("nan"), 1)
            for model, result in calibration.models.items()
        ]
        content = {
            "program": f"AffineCal {__version__}",
            "protocol": "few",
            "property": assembly.quantity.key,
            "n_polymers": len(fitted),
            "all": calibration.protocol,
            "recommended_with_all": calibration.recommendation.recommended,
            "errors": [{key: value if value == value else None for key, value in asdict(one).items()} for one in found],
            "notes": list(quantum.notes),
        }
        write_json(folder / "benchmark.json", content)
        rows = [(one.measurements, one.model, one.rmse, one.spread, one.draws) for one in found]
        write_table(folder / "benchmark.csv", CSV_COLUMNS, rows)
        task.report(1.0, "Done")
    lines = [*study.notes, *quantum.notes, *_table(found, assembly, draws)]
    return [*lines, f"Written to {output}: {', '.join(OUTPUTS)}."]


def _table(found: list[FewMeasurements], assembly: Assembly, draws: int) -> list[str]:
    """Write the errors as a table: a line for each number of measurements."""
    models = list(dict.fromkeys(one.model for one in found))
    titles = {model: _title(model) for model in models}
    width = {model: max(8, len(title)) for model, title in titles.items()}
    rmse = {(one.measurements, one.model): one.rmse for one in found}
    numbers = list(dict.fromkeys(one.measurements for one in found))
    lines = [
        f"RMSE of ln {assembly.quantity.symbol} of the polymers not measured; mean of {draws} random draws, and out of fold "
        f"with all {numbers[-1]}:",
        "  measured  " + "  ".join(f"{titles[model]:>{width[model]}}" for model in models),
    ]
    for number in numbers:
        cells = [significant(rmse[number, model]) if (number, model) in rmse else "" for model in models]
        line = "  ".join(f"{cell:>{width[model]}}" for cell, model in zip(cells, models, strict=True))
        lines.append(f"  {number:>8}  {line}".rstrip())
    return lines


def _title(model: str) -> str:
    if model == WITH_OFFSET:
        return f"{QUANTUM_CORRECTED.name} + offset"
    return calibrator_name(model, log_scale=True)
