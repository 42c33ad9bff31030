"""The service behind ``affinecal compare``: all calibrators on the same polymers, the linear ones and those of kernels."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.kernels.comparing.compare import CalibratorComparison, compare_calibrators
from affinecal_gui.calibration.kernels.methods import TransferOptions
from affinecal_gui.calibration.names import calibrator_title
from affinecal_gui.calibration.results import ModelName, TransferName
from affinecal_gui.errors import UserError
from affinecal_gui.notes import detail
from affinecal_gui.numbers import significant, with_interval
from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.study.data.source_features import further_sources
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.finished import quantity_of
from affinecal_gui.study.fitting.calibrating import DescribedLibrary, training_of
from affinecal_gui.study.fitting.choices import NOTHING_SAID, Choices
from affinecal_gui.tables.writing.csv_export import Cell, write_table
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.tasks.fitting.fit_metrics import metrics_of
from affinecal_gui.tasks.fitting.fitting import derive_as_told
from affinecal_gui.tasks.reading.data_files import DataFiles, read_study
from affinecal_gui.tasks.reading.study_read import reading_notes
from affinecal_gui.tasks.writing.json_file import write_json
from affinecal_gui.tasks.writing.results_folder import results_folder

OUTPUTS = (
    "comparison.csv",
    "comparison.json",
    "comparison.svg",
    "comparison.png",
    "parity.svg",
    "parity.png",
    "overlap.svg",
    "overlap.png",
)
COLUMNS = (
    "rank", "calibrator", "RMSE, target scale", "95 % from", "95 % to", "standard error of folds",
    "RMSE", "MAE", "R2", "within 10 %", "n", "unit",
    "fitted RMSE, target scale", "difference to the best", "difference 95 % from", "difference 95 % to",
    "paired p", "Welch p", "best", "recommended", "penalties",
)  # fmt: skip

FloatArray = NDArray[np.float64]


def compare_files(
    files: DataFiles,
    output: Path,
    *,
    choices: Choices = NOTHING_SAID,
    methods: Sequence[TransferName] | None = None,
    sources: Sequence[str] = (),
    options: TransferOptions | None = None,
    overwrite: bool = False,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> list[str]:
    """Calibrate, check all calibrators on the same held-out polymers, and write table, figures and JSON to a folder.

    ``sources`` name further MD properties that the methods with kernels learn from beside the MD value itself; the other
    arguments are those of :func:`affinecal_gui.tasks.fitting.fitting.fit_files`.

    Returns
    -------
    list of str
        The ranking, the recommendation and the warnings, for a person.

    Raises
    ------
    UserError
        A file cannot be read, the data cannot be calibrated, a source is not there, or a result exists already and
        ``overwrite`` is false.
    """
    with results_folder(output, OUTPUTS, overwrite=overwrite, inputs=files.paths) as folder:
        state, tables = read_study(files, task=task)
        state = choices.applied(state)
        derived = derive_as_told(
            state,
            choices,
            files.experiment.name,
            sources=sources,
            cache=cache,
            task=task.part(0.05, 0.3),
        )
        comparison = compare_study(derived, methods, options, sources=sources, task=task.part(0.3, 0.95))
        task.report(0.95, "Writing the results")
        settings = state.settings.shown_for(comparison.calibration)
        shown = replace(derived.snapshot, settings=settings, calibration=comparison.calibration)
        unit = shown.quantity.unit if shown.quantity is not None else ""
        write_table(folder / "comparison.csv", COLUMNS, comparison_rows(comparison, unit))
        content = {**metrics_of(shown), **comparison_content(comparison)}
        write_json(folder / "comparison.json", content)
        _draw(comparison, shown, folder)
        task.report(1.0, "Done")
    assert isinstance(derived.assembly, Assembly)
    return [
        *reading_notes(tables, derived.assembly),
        *comparison_lines(comparison),
        f"Written to {output}: {', '.join(OUTPUTS)}.",
    ]


def compare_study(
    derived: Derived,
    methods: Sequence[TransferName] | None = None,
    options: TransferOptions | None = None,
    *,
    sources: Sequence[str] = (),
    task: Task = UNWATCHED,
) -> CalibratorComparison:
    """Compare all calibrators of a study that was calibrated in this session.

    Raises
    ------
    UserError
        There is no calibration, or a further source has no values.
    """
    calibration = derived.snapshot.calibration
    if calibration is None:
        raise UserError("There is nothing to compare yet: load measured and MD values first.")
    measured, library = None, None
    if sources:
        if not isinstance(derived.assembly, Assembly) or not isinstance(derived.descriptors, DescribedLibrary):
            raise UserError("This calibration was opened from a file. Calibrate anew, then compare.")
        library = further_sources(derived.assembly, sources, log_scale=calibration.log_scale)
        training = training_of(derived.assembly, derived.descriptors, derived.state.settings, sources=sources)
        measured = library[training.library]
    return compare_calibrators(
        calibration,
        methods,
        options,
        sources=measured,
        library_sources=library,
        source_names=tuple(sources),
        task=task,
    )


def comparison_rows(comparison: CalibratorComparison, unit: str) -> list[tuple[Cell, ...]]:
    """Return one line per calibrator, the lowest error first, with the cells of :data:`COLUMNS`."""
    calibration = comparison.calibration
    advice = calibration.recommendation
    against = {pair.worse: pair for pair in advice.comparisons if pair.better == advice.best}
    rows: list[tuple[Cell, ...]] = []
    for rank, name in enumerate(comparison.ranking, 1):
        result = calibration.models[name]
        metrics, pair = result.metrics, against.get(name)
        rows.append(
            (
                rank,
                calibrator_title(name, log_scale=calibration.log_scale),
                metrics.rmse_target_scale,
                *metrics.rmse_target_scale_interval,
                metrics.rmse_standard_error,
                metrics.rmse,
                metrics.mae,
                metrics.r2,
                metrics.within_ten_percent,
                metrics.n,
                unit,
                result.fitted_metrics.rmse_target_scale,
                None if pair is None else pair.difference,
                None if pair is None else pair.lower,
                None if pair is None else pair.upper,
                None if pair is None else pair.paired_p_value,
                None if pair is None else pair.welch_p_value,
                name == advice.best,
                name == advice.recommended,
                penalty_words(comparison, name),
            )
        )
    return rows


def penalty_words(comparison: CalibratorComparison, name: ModelName) -> str:
    """Return the penalties of a calibrator's fit to all polymers as text; "" where it has none."""
    own = comparison.calibration.models[name].penalties
    if own is not None:
        return f"λ₁ = {significant(own.lambda_1)}; λ₂ = {significant(own.lambda_2)}"
    for method, values in comparison.penalties.items():
        if method == name:
            return "; ".join(f"{word} = {significant(value)}" for word, value in values.items())
    return ""


def comparison_content(comparison: CalibratorComparison) -> dict[str, Any]:
    """Return what ``comparison.json`` says beside the metrics of all calibrators."""
    overlap = comparison.overlap
    return {
        "ranking": list(comparison.ranking),
        "warning": comparison.warning,
        "transfer": {
            "penalties": {name: dict(values) for name, values in comparison.penalties.items()},
            "starts_of_affine_tl_full": [float(value) for value in comparison.starts],
            "options": asdict(comparison.options),
            "further_sources": list(comparison.sources),
            "notes": list(comparison.notes),
        },
        "overlap": {
            "source_rate": overlap.source.rate,
            "descriptor_rate": overlap.target.rate,
            "product_rate": overlap.product.rate,
            "shuffled_rate_mean": float(overlap.shuffled.mean()),
            "shuffled_rate_sd": float(overlap.shuffled.std()),
            "p_value": overlap.p_value,
            "sentence": overlap.sentence,
        },
    }


def comparison_lines(comparison: CalibratorComparison) -> list[str]:
    """Say in plain words how the calibrators rank, and what to think of it."""
    calibration = comparison.calibration
    scale = "ln" if calibration.log_scale else "target"
    lines = [
        f"{len(calibration.measured)} polymers, {calibration.protocol}; "
        f"out-of-fold RMSE, {scale} scale, with 95 % intervals over polymers:"
    ]
    for rank, name in enumerate(comparison.ranking, 1):
        metrics = calibration.models[name].metrics
        title = calibrator_title(name, log_scale=calibration.log_scale)
        error = with_interval(metrics.rmse_target_scale, *metrics.rmse_target_scale_interval)
        lines.append(f"  {rank:>2}. {title:<15} {error}")
    if comparison.sources:
        lines.append(f"The methods with kernels also learned from the MD values of {', '.join(comparison.sources)}.")
    lines.append(calibration.recommendation.sentence)
    if comparison.warning:
        lines.append(comparison.warning)
    return [*lines, detail(comparison.overlap.sentence), *comparison.notes]


def _draw(comparison: CalibratorComparison, snapshot: Any, folder: Path) -> None:
    from affinecal_gui.figures.parity.parity import parity_figure
    from affinecal_gui.figures.plots.comparison import comparison_figure
    from affinecal_gui.figures.plots.overlap import overlap_figure
    from affinecal_gui.figures.saving import save_figure

    calibration, quantity = comparison.calibration, quantity_of(snapshot)
    drawn = {
        "comparison": comparison_figure(calibration, quantity),
        "parity": parity_figure(calibration, quantity),
        "overlap": overlap_figure(comparison.overlap),
    }
    for name, figure in drawn.items():
        for suffix in ("svg", "png"):
            save_figure(figure, folder / f"{name}.{suffix}")
