"""What follows from one state of a study, and how it becomes what is shown: rows with their states, tables, messages."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from affinecal_gui.calibration.calibrators.registry import DEFAULT
from affinecal_gui.calibration.results import Calibration, ModelName
from affinecal_gui.study.snapshot import PolymerRow, Snapshot, TableSummary
from affinecal_gui.study.state import LoadedTable, StudyState
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.task import UNWATCHED, Task

if TYPE_CHECKING:  # these import the chemistry, which the first window does not wait for
    from affinecal_gui.study.data.assembly import Assembly
    from affinecal_gui.study.fitting.calibrating import DescribedLibrary, Training
    from affinecal_gui.study.fitting.quantum import QuantumValues

ROWS_AT_ONCE = 100  # made anew between two questions whether to stop


@dataclass(frozen=True, slots=True, eq=False)
class FitInputs:
    """What a calibration starts from, worked out in this session; kept, so that a slider does not pay for it again."""

    described: "DescribedLibrary"
    training: "Training"
    chosen: tuple[object, ...]  # what the training set depends on beside the polymers
    quantum: "QuantumValues | None" = None  # corrected MD values, of properties that have any
    corrected: tuple[str, bool] | None = None  # for which rigid bonds, and whether all of the library or the fit alone


@dataclass(frozen=True, slots=True, eq=False)
class Derived:
    """What follows from one state. ``snapshot`` is complete but for settings and undo, which the study adds."""

    state: StudyState = field(default_factory=StudyState)
    snapshot: Snapshot = field(default_factory=Snapshot)
    assembly: object | None = None  # study.assembly.Assembly
    descriptors: object | None = None  # study.describing.DescriptorTable
    kind: str = "info"  # of the message: "done", "info" or "caution"
    message: str = ""  # what to tell the user when the work is done
    inputs: FitInputs | None = None  # of the calibration; None if that was not made in this session


def matched_snapshot(state: StudyState, assembly: "Assembly") -> Snapshot:
    """Return what is shown of a study before it is calibrated: its tables, and which polymer is which."""
    from affinecal_gui.study.data.source_features import further_properties
    from affinecal_gui.study.fitting.weighing import quality_of
    from affinecal_gui.study.importing.bundled_md import bundled_md_would_help

    return Snapshot(
        tables=tuple(summarise(loaded, assembly.quantity) for loaded in state.tables),
        quantity=assembly.quantity,
        quantities=state.quantities() or state.quantities_of("measured") or state.quantities_of("md"),
        further_md=tuple(quantity for quantity in further_properties(assembly) if quantity.is_known),
        rows=assembly.rows,
        columns=assembly.columns,
        weightings=quality_of(assembly).weightings,
        match_summary=assembly.summary,
        compared=assembly.report is not None,
        unit_doubts=assembly.unit_doubts,
        property_question=assembly.missing.question if assembly.missing is not None else None,
        bundled_md_would_help=bundled_md_would_help(state),
        temperature=assembly.temperature,
        temperature_is_stated=assembly.temperature_is_stated,
        md_sources=assembly.md_sources,
    )


def calibrated(
    state: StudyState,
    assembly: "Assembly",
    described: "DescribedLibrary",
    training: "Training",
    calibration: Calibration,
    shown_before: Snapshot | None = None,
    *,
    same_training: bool = False,
    task: Task = UNWATCHED,
) -> Derived:
    """Return the study with its calibration, whether that was made just now or comes out of a file.

    ``shown_before`` is a snapshot of the same polymers, with ``same_training`` of one with the same choice of them. Its
    rows stay the same objects if nothing became of them anew, so that no view takes them for others.
    """
    if shown_before is not None and (same_training or _are_in_states(shown_before.rows, training, task)):
        rows, columns = shown_before.rows, shown_before.columns
    else:
        rows = rows_with_states(assembly.rows, training.states, training.reasons, training.positions, task=task)
        columns = assembly.columns
        if columns is not None:
            columns = columns.with_states(rows, task=task)
    snapshot = replace(
        matched_snapshot(state, assembly),
        rows=rows,
        columns=columns,
        blocks=described.blocks,
        descriptors=described.values,
        calibration=calibration,
    )
    return Derived(
        state,
        snapshot,
        assembly,
        described,
        *report_of(calibration, (*_odd_ratios(assembly), *training.notes), state.settings.shown_for(calibration).model),
    )


def summarise(loaded: LoadedTable, target: Property) -> TableSummary:
    """Say in a line what a table is and gives; the target property comes first."""
    table = loaded.table
    gives: list[str] = []
    briefly: list[str] = []
    most_briefly: list[str] = []
    for kind, word in (("measured", "measured"), ("md", "MD")):
        found = table.properties(kind)  # type: ignore[arg-type]
        if found:
            first = next((quantity for quantity in found if quantity.key == target.key), found[0])
            unit = f", {first.unit}" if first.unit else ""
            more = f" and {len(found) - 1} more" if len(found) > 1 else ""
            gives.append(f"{word} {first.symbol}{unit}{more}")
            briefly.append(f"{word} {first.symbol}{more}")
            most_briefly.append(f"{word} {first.symbol}")
    if table.descriptors is not None:
        for words in (gives, briefly, most_briefly):
            words.append(f"{len(table.descriptor_names)} descriptors")
    return TableSummary(
        key=loaded.key,
        file_name=table.name,
        path=table.path,
        rows=table.rows_read,
        rejected=table.rows_rejected,
        gives="; ".join(gives) or "repeat units",
        flagged=table.flagged,
        gives_briefly=tuple("; ".join(words) for words in (briefly, most_briefly) if words),
    )


def rows_with_states(
    rows: tuple[PolymerRow, ...],
    states: Mapping[int, str],
    reasons: Mapping[int, str],
    positions: Mapping[int, int],
    *,
    task: Task = UNWATCHED,
) -> tuple[PolymerRow, ...]:
    """Return the rows with what became of them in the fit; all three mappings are by row number."""
    changed = list(rows)
    for number, state in task.each(states.items(), ROWS_AT_ONCE):
        row = rows[number]
        changed[number] = replace(
            row,
            state=state,  # type: ignore[arg-type]
            reason=reasons.get(number, row.reason),
            training_index=positions.get(number, -1),
        )
    return tuple(changed)


def _are_in_states(rows: tuple[PolymerRow, ...], training: "Training", task: Task) -> bool:
    """Whether rows say already what became of them in the fit."""
    return all(
        rows[number].state == state
        and rows[number].reason == training.reasons.get(number, rows[number].reason)
        and rows[number].training_index == training.positions.get(number, -1)
        for number, state in task.each(training.states.items())
    )


def _odd_ratios(assembly: "Assembly") -> tuple[str, ...]:
    count = assembly.odd_ratios
    if count == 1:
        return ("One measured value is far from what the others let expect of its MD value: is it right?",)
    sentence = f"{count} measured values are far from what the others let expect of their MD values: are they right?"
    return (sentence,) if count else ()


def report_of(calibration: Calibration, notes: tuple[str, ...], model: ModelName) -> tuple[str, str]:
    """Return the kind and the text of the message that ends a calibration, which shows the intervals of ``model``."""
    n = len(calibration.measured)
    shown = calibration.models.get(model, calibration.models[DEFAULT])
    covered = int(
        np.sum((shown.out_of_fold_lower <= calibration.measured) & (calibration.measured <= shown.out_of_fold_upper))
    )
    text = f"Calibrated with {n} polymers: {len(calibration.models)} models, {calibration.protocol}."
    if np.isfinite(shown.out_of_fold_lower).any():
        text += (
            f" {covered} of {n} measured values lie inside the {100 * calibration.interval_level:g} % interval shown."
        )
    if notes:
        return "caution", f"{text} {' '.join(notes)}"
    return "done", text
