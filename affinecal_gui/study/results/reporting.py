"""The report of a study: what the window shows, as one HTML file or one PDF."""

import contextlib
import datetime
from dataclasses import replace
from pathlib import Path

from affinecal_gui.errors import UserError
from affinecal_gui.figures.report.corrected_content import CorrectedPolymer, CorrectedReport
from affinecal_gui.figures.report.report import save_report
from affinecal_gui.figures.report.report_data import ReportData, ReportFile, ReportPolymer, ReportSuggestion, ReportWay
from affinecal_gui.study.finished import finished, quantity_alone, quantity_of
from affinecal_gui.study.quantum_properties import MOVED_WORDS
from affinecal_gui.study.results.reproducing import ways_to_reproduce
from affinecal_gui.study.results.study_figures import arranged_coefficients, corrected_plot, mode_plot
from affinecal_gui.study.shown.next_measurements import next_measurements, what_the_list_is
from affinecal_gui.study.shown.row_values import row_values
from affinecal_gui.study.snapshot import WEIGHTING_WORDS, CorrectedValues, Snapshot
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.stored.study_file import programs
from affinecal_gui.study.words.comparison_words import not_recommended
from affinecal_gui.study.words.explanations import explain_parameters
from affinecal_gui.study.words.forecast_words import forecast_sentences
from affinecal_gui.study.words.outlier_words import notes_shown
from affinecal_gui.task import UNWATCHED, Task

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def write_report(
    snapshot: Snapshot,
    state: StudyState,
    path: Path,
    *,
    study_name: str = "",
    date: datetime.date | None = None,
    overwrite: bool = False,
    task: Task = UNWATCHED,
) -> Path:
    """Write the report of a finished calibration, or of MD values corrected without one; the suffix says in which format.

    Parameters
    ----------
    snapshot, state
        What the window shows, and what it follows from.
    study_name
        Name of the study file, for the command that does it again; "" when there is none.
    date
        Written below the title; today when None.

    Raises
    ------
    UserError
        There is nothing to report, the ending is unknown, the file exists or cannot be written.
    Cancelled
        The caller asked for a stop; nothing was written.
    """
    if snapshot.corrected is not None:
        of_corrected = corrected_report(snapshot, snapshot.corrected, date=date)
        return save_report(of_corrected, path, overwrite=overwrite, task=task)
    data = report_data(snapshot, state, study_name=study_name, date=date)
    return save_report(data, path, overwrite=overwrite, task=task)


def corrected_report(
    snapshot: Snapshot, corrected: CorrectedValues, *, date: datetime.date | None = None
) -> CorrectedReport:
    """Return what the report says about MD values that are corrected without a calibration."""
    quantity = quantity_alone(snapshot)
    # Without a matching the polymers are the rows of the one table.
    columns = zip(snapshot.rows, corrected.values, corrected.lower, corrected.upper, corrected.problems, strict=True)
    return CorrectedReport(
        quantity=quantity,
        files=tuple(ReportFile(t.file_name, t.gives, t.rows, t.rejected) for t in snapshot.tables),
        sentences=corrected.notes,
        level=corrected.interval_level,
        simulation=MOVED_WORDS[snapshot.settings.rigid_bonds],
        polymers=tuple(
            CorrectedPolymer(
                row.label, row.measured, row.md, float(value), float(lower), float(upper), problem, row.smiles
            )
            for row, value, lower, upper, problem in columns
        ),
        values=corrected_plot(snapshot),
        modes=mode_plot(snapshot),
        versions=programs(),
        date=_in_words(datetime.date.today() if date is None else date),
    )


def report_data(
    snapshot: Snapshot, state: StudyState, *, study_name: str = "", date: datetime.date | None = None
) -> ReportData:
    """Return what the report says about a finished calibration; raise UserError when there is none."""
    calibration = finished(snapshot)
    model = snapshot.settings.model
    blocks = None
    if calibration.models[model].coefficients is not None:
        with contextlib.suppress(UserError):  # a report without coefficients is still a report
            calibration, blocks = arranged_coefficients(snapshot, model)
    if calibration.settings:  # the mathematics knows blocks by their position only
        off = sorted(snapshot.settings.blocks_off)
        factors = [f"{name} × {factor:g}" for name, factor in sorted(snapshot.settings.block_penalties)]
        weighting = WEIGHTING_WORDS[snapshot.settings.weighting]
        said = {**calibration.settings, "blocks_off": off, "block_factors": factors, "weighting": weighting}
        calibration = replace(calibration, settings=said)
    calibration = replace(calibration, notes=notes_shown(snapshot))
    polymers = _polymers(snapshot)
    return ReportData(
        quantity=quantity_of(snapshot),
        calibration=calibration,
        model=model,
        advice=not_recommended(calibration, model),
        blocks=blocks,
        files=tuple(ReportFile(t.file_name, t.gives, t.rows, t.rejected) for t in snapshot.tables),
        match_summary=snapshot.match_summary,
        measured_polymers=tuple(one for one in polymers if one.measured == one.measured or one.state == "invalid"),
        other_polymers=tuple(one for one in polymers if one.measured != one.measured and one.state != "invalid"),
        measure_next=tuple(
            ReportSuggestion(found.row.label, found.row.smiles, found.narrower, found.narrower_in_all)
            for found in next_measurements(snapshot)
        ),
        measure_next_sentence=what_the_list_is(snapshot),
        forecast=forecast_sentences(calibration, snapshot.quantity),
        explanation=explain_parameters(snapshot),
        ways=tuple(ReportWay(way.sentence, way.command) for way in ways_to_reproduce(state, study_name)),
        versions=calibration.made_with or programs(),
        date=_in_words(datetime.date.today() if date is None else date),
    )


def _in_words(day: datetime.date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def _polymers(snapshot: Snapshot) -> tuple[ReportPolymer, ...]:
    values = row_values(snapshot)
    inside = finished(snapshot).validity.inside
    return tuple(
        ReportPolymer(
            row.label,
            row.smiles,
            float(values.measured[i]),
            float(values.md[i]),
            float(values.calibrated[i]),
            float(values.lower[i]),
            float(values.upper[i]),
            row.state,
            snapshot.told_of(row),
            outside=0 <= row.library_index < inside.size and not inside[row.library_index],
        )
        for i, row in enumerate(snapshot.rows)
    )
