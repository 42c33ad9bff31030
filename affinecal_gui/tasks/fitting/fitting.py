"""The service behind ``affinecal fit``: two files in, tables and figures out."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from affinecal_gui.errors import UserError
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.fitting.choices import NOTHING_SAID, Choices
from affinecal_gui.study.importing.unit_doubts import refuse_unnamed_units
from affinecal_gui.study.results.exporting import write_coefficients, write_predictions
from affinecal_gui.study.results.left_out import (
    LEFT_OUT,
    LeftOutRow,
    left_out_rows,
    raw_tables,
    write_left_out,
)
from affinecal_gui.study.results.study_figures import write_figures
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.state import StudyState
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.writing.csv_export import PLAIN, CsvStyle
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.tasks.fitting.fit_metrics import metrics_of
from affinecal_gui.tasks.fitting.fit_summary import summary
from affinecal_gui.tasks.fitting.forecasting import FORECASTS, ForecastWish
from affinecal_gui.tasks.fitting.saving_calibrators import SavedCalibrator
from affinecal_gui.tasks.fitting.simulate_again import SIMULATE_AGAIN, write_simulate_again
from affinecal_gui.tasks.reading.data_files import DataFiles, read_study
from affinecal_gui.tasks.writing.json_file import write_json
from affinecal_gui.tasks.writing.results_folder import results_folder

OUTPUTS = (
    "predictions.csv",
    "coefficients.csv",
    "metrics.json",
    "parity.svg",
    "parity.png",
    "coefficients.svg",
    "coefficients.png",
)
REPORTS = ("report.pdf", "report.html")

CORRECTED_FIGURES = ("corrected.svg", "corrected.png", "modes.svg", "modes.png")
"""Instead of the others where MD values are corrected, not calibrated."""

_OF_A_CALIBRATION = {FORECASTS[0]: "--forecast"}
"""Options by the first file that they add."""

NOTHING_DERIVED = Derived()

CALIBRATED, WRITING = 0.7, 0.9
"""Shares of the work after which all is calibrated, and after which results are written."""


def fit_files(
    files: DataFiles,
    output: Path,
    *,
    choices: Choices = NOTHING_SAID,
    report: bool = False,
    forecast: ForecastWish | None = None,
    style: CsvStyle = PLAIN,
    calibrator: SavedCalibrator | None = None,
    overwrite: bool = False,
    jobs: int = 1,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> list[str]:
    """Calibrate the MD values of one file with the measured values of another and write everything to a folder.

    ``choices`` are made instead of those by default. With ``report``, the report is written as well, as PDF and as HTML.
    With ``forecast`` the error with more measured polymers is forecast, and the forecast written. In ``cache`` descriptors
    of earlier runs are found and new ones are kept; None computes all of them. Rows that were not used are listed in
    ``left_out.csv``, polymers whose simulations failed a check in
    ``simulate_again.csv``. ``calibrator`` is a file for the calibrator alone.
    Where too few heat capacities are measured for a calibration, MD values corrected for quantum effects are written, with
    figures of their own and without coefficients. ``jobs`` processes describe the polymers.

    Returns
    -------
    list of str
        What was done, for a person: matches, rows left out, the errors of all calibrators.

    Raises
    ------
    UserError
        A file cannot be read, the data cannot be calibrated, or a result exists already and ``overwrite`` is false.
    """
    outputs = _outputs(report, forecast)
    if calibrator is not None:
        calibrator.check(files.paths)
    with results_folder(
        output, (*outputs, *CORRECTED_FIGURES, LEFT_OUT, SIMULATE_AGAIN), overwrite=overwrite, inputs=files.paths
    ) as folder:
        state, tables = read_study(files, task=task)
        state = choices.applied(state)
        derived = derive_as_told(
            state,
            choices,
            files.experiment.name,
            calibrated_only=False,
            jobs=jobs,
            cache=cache,
            task=task.part(0.1, CALIBRATED),
        )
        if derived.snapshot.calibration is None:
            return _write_corrected(derived, folder, output, tables, outputs, calibrator, style)
        derived = _with_forecast(derived, forecast, task)
        snapshot, left_out = _write_results(derived, folder, "", outputs, forecast=forecast, style=style, task=task)
        again = write_simulate_again(folder, tables)
        saved = [] if calibrator is None else calibrator.save(derived, snapshot.settings.model, task=task.silent)
    told = [] if forecast is None else forecast.told(snapshot)
    return [*summary(snapshot, derived, tables, output, outputs, left_out, told), *again, *saved]


def fit_study(
    study: Path,
    output: Path,
    *,
    choices: Choices = NOTHING_SAID,
    report: bool = False,
    forecast: ForecastWish | None = None,
    style: CsvStyle = PLAIN,
    calibrator: SavedCalibrator | None = None,
    overwrite: bool = False,
    jobs: int = 1,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> list[str]:
    """Calibrate a saved study anew, with the choices stored in it but for those given here, and write everything to a folder.

    Returns
    -------
    list of str
        What was done, for a person.

    Raises
    ------
    UserError
        The file is no study, its data cannot be calibrated, or a result exists already and ``overwrite`` is false.
    """
    from affinecal_gui.study.stored.study_file import open_study

    outputs = _outputs(report, forecast)
    if calibrator is not None:
        calibrator.check((study,))
    with results_folder(
        output, (*outputs, *CORRECTED_FIGURES, LEFT_OUT, SIMULATE_AGAIN), overwrite=overwrite, inputs=(study,)
    ) as folder:
        opened = open_study(study, task=task.part(0.0, 0.1))
        state = choices.applied(opened.state)
        derived = derive_as_told(
            state,
            choices,
            study.name,
            calibrated_only=False,
            jobs=jobs,
            cache=cache,
            task=task.part(0.1, CALIBRATED),
        )
        if derived.snapshot.corrected is not None and derived.snapshot.compared:
            return _write_corrected(derived, folder, output, (), outputs, calibrator, style)
        if derived.snapshot.calibration is None:
            raise UserError(f"{study.name} cannot be calibrated: it holds no measured and MD values of one property.")
        derived = _with_forecast(derived, forecast, task)
        snapshot, left_out = _write_results(
            derived, folder, study.name, outputs, forecast=forecast, style=style, task=task
        )
        saved = [] if calibrator is None else calibrator.save(derived, snapshot.settings.model, task=task.silent)
        tables = tuple(loaded.table for loaded in state.tables)
        again = write_simulate_again(folder, tables)
    told = [] if forecast is None else forecast.told(snapshot)
    return [*summary(snapshot, derived, tables, output, outputs, left_out, told), *again, *saved]


def _write_corrected(
    derived: Derived,
    folder: Path,
    output: Path,
    read: Sequence[PolymerTable],
    outputs: Sequence[str],
    calibrator: SavedCalibrator | None,
    style: CsvStyle,
) -> list[str]:
    """Write what there is where too few are measured for a calibration: corrected MD values.

    Raises
    ------
    UserError
        Something was asked for that only a calibration can give.
    """
    from affinecal_gui.tasks.fitting.correcting import corrected_summary, write_corrected

    wished = [option for name, option in _OF_A_CALIBRATION.items() if name in outputs]
    if calibrator is not None:
        wished.append("--save-calibrator")
    if wished:
        raise UserError(
            f"{wished[0]} needs a calibration, for which too few polymers have both values. Leave it out: the MD values are "
            "corrected for quantum effects."
        )
    report = REPORTS[0] in outputs
    left_out = write_corrected(derived, folder, read, report=report, style=style)
    return [*corrected_summary(derived, output, left_out, report=report), *write_simulate_again(folder, read)]


def derive_as_told(
    state: StudyState,
    choices: Choices,
    measured: str,
    *,
    calibrated_only: bool = True,
    sources: Sequence[str] = (),
    jobs: int = 1,
    cache: DescriptorCache | None = None,
    previous: Derived = NOTHING_DERIVED,
    task: Task = UNWATCHED,
) -> Derived:
    """Calibrate; stop as soon as the polymers are matched if the tables do not give the weights that are wished for.

    Stop as well where values that name no unit differ from the others as if they had another.
    """

    def check(partial: Derived) -> None:
        refuse_unnamed_units(partial.snapshot.unit_doubts, state.tables)
        choices.check_weighting(partial.snapshot.weightings, measured)

    return derive(
        state,
        previous,
        calibrated_only=calibrated_only,
        processes=jobs if jobs > 1 else 0,  # one describes here, where it need not be started
        cache=cache,
        sources=sources,
        publish=check,
        task=task,
    )


def _outputs(report: bool, forecast: ForecastWish | None) -> tuple[str, ...]:
    return (*OUTPUTS, *(FORECASTS if forecast is not None else ()), *(REPORTS if report else ()))


def _with_forecast(derived: Derived, forecast: ForecastWish | None, task: Task) -> Derived:
    return derived if forecast is None else forecast.made(derived, task.part(CALIBRATED, WRITING))


def _write_results(
    derived: Derived,
    folder: Path,
    study_name: str,
    outputs: Sequence[str],
    *,
    forecast: ForecastWish | None,
    style: CsvStyle,
    task: Task,
) -> tuple[Snapshot, tuple[LeftOutRow, ...]]:
    """Write the results of a calibration and return them as the window would show them, and the rows left out."""
    from affinecal_gui.study.data.assembly import Assembly

    snapshot = replace(derived.snapshot, settings=derived.state.settings.shown_for(derived.snapshot.calibration))
    reports = [name for name in REPORTS if name in outputs]
    task.report(WRITING, "Writing the results")
    write_predictions(snapshot, folder / "predictions.csv", style=style)
    write_coefficients(snapshot, folder / "coefficients.csv", style=style)
    assert isinstance(derived.assembly, Assembly)
    # The lines of a study are those of files that may have changed since; those of files just read are right.
    raws = {} if study_name else raw_tables(loaded.table for loaded in derived.assembly.tables)
    left_out = left_out_rows(snapshot, derived.assembly, raws)
    if left_out:
        write_left_out(folder / LEFT_OUT, left_out, style=style)
    write_json(folder / "metrics.json", metrics_of(snapshot))
    for name in ("parity", "coefficients"):
        write_figures(name, snapshot, [folder / f"{name}.{suffix}" for suffix in ("svg", "png")])
    if forecast is not None:
        forecast.write(snapshot, folder, style)
    if reports:
        from affinecal_gui.study.results.reporting import write_report
    for number, name in enumerate(reports):
        write_report(
            snapshot,
            derived.state,
            folder / name,
            study_name=study_name,
            task=task.part(0.92 + 0.04 * number, 0.96 + 0.04 * number),
        )
    task.report(1.0, "Done")
    return snapshot, left_out
