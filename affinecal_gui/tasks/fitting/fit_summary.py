"""What a calibration found, as sentences for somebody at a terminal."""

from collections.abc import Sequence
from pathlib import Path

from affinecal_gui.calibration.names import calibrator_name
from affinecal_gui.calibration.results import ERROR_LEVEL, Calibration
from affinecal_gui.notes import detail
from affinecal_gui.numbers import interval, significant
from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.results.left_out import LEFT_OUT, LeftOutRow, left_out_lines
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.words.outlier_words import notes_shown
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tasks.reading.study_read import reading_notes


def summary(
    snapshot: Snapshot,
    derived: Derived,
    tables: tuple[PolymerTable, ...],
    output: Path,
    outputs: Sequence[str],
    left_out: Sequence[LeftOutRow] = (),
    further: Sequence[str] = (),
) -> list[str]:
    """Say in plain words what was done and what was left out; ``further`` is said before where the files are."""
    calibration = snapshot.calibration
    assert calibration is not None
    assert isinstance(derived.assembly, Assembly)
    lines = [*reading_notes(tables, derived.assembly), *left_out_lines(left_out)]
    lines.append(derived.message)
    lines += _error_table(calibration, snapshot.quantity)
    lines.append(calibration.recommendation.sentence)
    lines += _whose_values(snapshot, calibration)
    if snapshot.settings.weighting == "none" and snapshot.weightings:
        options = " or ".join(f"--weights {weighting}" for weighting in snapshot.weightings)
        sentence = f"All measured values count the same; {options} lets them count by what the tables say of them."
        lines.append(detail(sentence))
    lines += [*notes_shown(snapshot), *further]
    written = (*outputs, LEFT_OUT) if left_out else outputs
    lines.append(f"Written to {output}: {', '.join(written)}.")
    return lines


def _whose_values(snapshot: Snapshot, calibration: Calibration) -> list[str]:
    """Say whose values are written where that is not the recommended calibrator."""
    model, recommended = snapshot.settings.model, calibration.recommendation.recommended
    if model == recommended:
        return []
    own, other = (calibrator_name(name, log_scale=calibration.log_scale) for name in (model, recommended))
    return [
        f"predictions.csv holds the values of {own}, which is not the recommended calibrator; without --calibrator {model} "
        f"it holds those of {other}."
    ]


def _error_table(calibration: Calibration, quantity: Property | None) -> list[str]:
    """Return the errors of all calibrators with their intervals over polymers.

    On a linear scale both kinds of error are the same and stand there once.
    """
    unit = (quantity.unit if quantity is not None else "") or "no unit"
    level = f"{100 * ERROR_LEVEL:.0f} % interval over polymers"
    lines = [f"Out-of-fold RMSE ({f'ln scale; {unit}' if calibration.log_scale else unit}; {level}):"]
    titles = {name: calibrator_name(name, log_scale=calibration.log_scale) for name in calibration.models}
    width = max(16, *map(len, titles.values()))
    for name, result in calibration.models.items():
        metrics = result.metrics
        numbers = [(metrics.rmse, metrics.rmse_interval)]
        if calibration.log_scale:
            numbers.insert(0, (metrics.rmse_target_scale, metrics.rmse_target_scale_interval))
        cells = [f"{significant(value, 4):>12} {f'({interval(*bounds)})':<18}" for value, bounds in numbers]
        lines.append(f"  {titles[name]:<{width}} {' '.join(cells)}".rstrip())
    return lines
