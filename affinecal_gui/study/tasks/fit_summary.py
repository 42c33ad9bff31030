"""What a calibration found, as sentences for somebody at a terminal."""

from collections.abc import Sequence
from pathlib import Path

from affinecal_gui.calibration.names import calibrator_name
from affinecal_gui.calibration.results import Calibration
from affinecal_gui.numbers import significant
from affinecal_gui.study.derive import Derived
from affinecal_gui.study.results.left_out import LEFT_OUT, LeftOutRow, left_out_lines
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.tasks.tables_read import columns_taken, remarks_of
from affinecal_gui.study.unit_doubts import doubts_in_words
from affinecal_gui.tables.polymer_table import PolymerTable
from affinecal_gui.tables.properties import Property

MOST_NOTES = 10


def summary(
    snapshot: Snapshot,
    derived: Derived,
    tables: tuple[PolymerTable, ...],
    output: Path,
    outputs: Sequence[str],
    left_out: Sequence[LeftOutRow] = (),
) -> str:
    """Say in plain words what was done and what was left out."""
    calibration = snapshot.calibration
    assert calibration is not None
    key = snapshot.quantity.key if snapshot.quantity is not None else None
    doubts = doubts_in_words(snapshot.unit_doubts, derived.state.tables)
    lines = [*columns_taken(tables, key), *doubts, snapshot.match_summary, *_matching_notes(derived)]
    lines += remarks_of(tables, key)
    lines += left_out_lines(left_out)
    lines.append(derived.message)
    lines += _error_table(calibration, snapshot.quantity)
    lines.append(calibration.recommendation.sentence)
    lines += _whose_values(snapshot, calibration)
    if snapshot.settings.weighting == "none" and snapshot.weightings:
        options = " or ".join(f"--weights {weighting}" for weighting in snapshot.weightings)
        lines.append(f"All measured values count the same; {options} lets them count by what the tables say of them.")
    lines += calibration.notes
    written = (*outputs, LEFT_OUT) if left_out else outputs
    lines.append(f"Written to {output}: {', '.join(written)}.")
    return "\n".join(lines)


def _whose_values(snapshot: Snapshot, calibration: Calibration) -> list[str]:
    """Say whose values are written where that is not the recommended calibrator."""
    model, recommended = snapshot.settings.model, calibration.recommendation.recommended
    if model == recommended:
        return []
    own, other = (calibrator_name(name, log_scale=calibration.log_scale) for name in (model, recommended))
    return [f"predictions.csv holds the values of {own}; --calibrator {recommended} writes those of {other}."]


def _error_table(calibration: Calibration, quantity: Property | None) -> list[str]:
    """Return the errors of all calibrators; on a linear scale both kinds of error are the same and stand there once."""
    unit = (quantity.unit if quantity is not None else "") or "no unit"
    lines = [f"Out-of-fold RMSE ({f'ln scale; {unit}' if calibration.log_scale else unit}):"]
    for name, result in calibration.models.items():
        numbers = [result.metrics.rmse]
        if calibration.log_scale:
            numbers.insert(0, result.metrics.rmse_target_scale)
        title = calibrator_name(name, log_scale=calibration.log_scale)
        lines.append(f"  {title:<16} {'   '.join(f'{significant(number, 4):>12}' for number in numbers)}")
    return lines


def _matching_notes(derived: Derived) -> list[str]:
    """Say what was combined or ignored when the tables were compared, at most a few lines of it."""
    from affinecal_gui.study.assembly import Assembly

    notes = list(derived.assembly.notes) if isinstance(derived.assembly, Assembly) else []
    more = [f"... and {len(notes) - MOST_NOTES} more remarks of this kind."] if len(notes) > MOST_NOTES else []
    return notes[:MOST_NOTES] + more
