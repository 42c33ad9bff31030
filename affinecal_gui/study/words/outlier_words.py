"""Measured values that the others do not let expect, in words: one source for window, files, report and Python."""

from dataclasses import dataclass
from math import expm1, isfinite
from typing import TYPE_CHECKING

from affinecal_gui.calibration.calibrators.registry import DEFAULT
from affinecal_gui.notes import Note
from affinecal_gui.numbers import significant
from affinecal_gui.study.snapshot import PolymerRow, Snapshot

if TYPE_CHECKING:
    from affinecal_gui.calibration.checking.outliers import Outlier

MOST_TOLD = 5
"""So many have a sentence each; of more, the names stand in one."""

OF_SEVERAL = "measured values are far from the calibrated ones: a factor, a misprint, a unit or another sample?"

LARGE_FACTOR = 1.5
"""From here on, or below its inverse, a factor may be one of a unit."""


@dataclass(frozen=True, slots=True)
class FlaggedPolymer:
    """A polymer of a study whose measured value is flagged, and what is said of it."""

    row: PolymerRow
    outlier: "Outlier"
    sentence: Note


def flagged_polymers(snapshot: Snapshot) -> tuple[FlaggedPolymer, ...]:
    """Return the polymers that are flagged, farthest first, as the calibrator that is shown sees them; none without one."""
    calibration = snapshot.calibration
    if calibration is None:
        return ()
    from affinecal_gui.calibration.checking.outliers import outliers_of  # with SciPy, for which no view waits

    model = snapshot.settings.shown_for(calibration).model
    found = outliers_of(calibration, model if model in calibration.models else DEFAULT)
    if not found:
        return ()
    row_of = {row.training_index: row for row in snapshot.rows if row.training_index >= 0}
    return tuple(
        FlaggedPolymer(row_of[one.row], one, _sentence(row_of[one.row].label, one, log_scale=calibration.log_scale))
        for one in found
        if one.row in row_of  # while a study is being derived its rows may be of another fit
    )


def notes_shown(snapshot: Snapshot) -> tuple[str, ...]:
    """Return everything that is said beside a calibration: which measured values to look at, then its own notes."""
    calibration = snapshot.calibration
    if calibration is None:
        return ()
    return (*outlier_notes(flagged_polymers(snapshot)), *calibration.notes)


def outlier_notes(flagged: tuple[FlaggedPolymer, ...]) -> tuple[str, ...]:
    """Return a sentence for each of the first few flagged polymers, and one that names all others."""
    told: list[str] = [one.sentence for one in flagged[:MOST_TOLD]]
    if more := flagged[MOST_TOLD:]:
        names = ", ".join(one.row.label for one in more)
        told.append(f"Measured values that are far from the calibrated ones, too: {names}. Are they right?")
    return tuple(told)


def _moved(outlier: "Outlier", *, log_scale: bool) -> str:
    """Say how far a flagged polymer pulls the values of all others, where that is known."""
    if not isfinite(outlier.influence):
        return ""
    share = f"{significant(100.0 * expm1(outlier.influence), 2)} %" if log_scale else significant(outlier.influence, 2)
    return f", and fitted values of the others would move by {share}"


def _sentence(name: str, outlier: "Outlier", *, log_scale: bool) -> Note:
    factor = outlier.factor
    if factor == factor:
        times = f"{significant(factor, 3 if 0.8 < factor < 1.25 else 2)} times"  # 1.07 times, 2.9 times
        how, subject = f"the measured value is {times} the calibrated one", f"{name} {times}"
    else:
        measured, calibrated = significant(outlier.measured), significant(outlier.calibrated)
        how, subject = f"the measured value is {measured} where {calibrated} is calibrated", f"{name} {measured}"
    large = factor >= LARGE_FACTOR or factor <= 1.0 / LARGE_FACTOR
    question = "A factor, a unit or another sample?" if large else "A misprint or another sample?"
    return Note(
        f"{name}: {how}; without it the out-of-fold RMSE would be "
        f"{significant(outlier.rmse_without, 2)} instead of {significant(outlier.rmse, 2)}"
        f"{_moved(outlier, log_scale=log_scale)}. {question}",
        subject=subject,
        of_several=OF_SEVERAL,
    )
