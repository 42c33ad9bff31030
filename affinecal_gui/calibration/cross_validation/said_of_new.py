"""What the fits to all training parts say of polymers that come when everything is fitted: quickly, one at a time or many."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from affinecal_gui.calibration.calibrators.linear.log_difference import LOG_DIFFERENCE
from affinecal_gui.calibration.calibrators.training import Fitted
from affinecal_gui.calibration.cross_validation.out_of_fold import HeldOut, scatter_about, spread_about, typical_weight
from affinecal_gui.calibration.cross_validation.predicted_md import KnownMD, Widening, widening
from affinecal_gui.calibration.cross_validation.prepared import Prepared
from affinecal_gui.calibration.cross_validation.spread_of_parts import SpreadOfParts
from affinecal_gui.calibration.data.problem import CalibrationProblem
from affinecal_gui.calibration.results import FloatArray, ModelName
from affinecal_gui.calibration.uncertainty.intervals import OutOfFold

UNCHANGED = Widening(0.0, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class PartFits:
    """The fits of one calibrator to all training parts, with the spread about them, ready to be asked."""

    fits: tuple[Fitted, ...]
    parts: tuple[Prepared, ...]
    about: SpreadOfParts | None  # None for the MD value as it is
    measuring: float  # variance of a measurement
    widenings: tuple[Widening, ...]


def part_fits(problem: CalibrationProblem, held_out: HeldOut, model: ModelName) -> PartFits:
    """Return the fits of a linear calibrator to all training parts."""
    fits, parts, beside = tuple(held_out.fits[model]), tuple(held_out.parts), held_out.fits[LOG_DIFFERENCE.key]
    measuring = 1.0 / typical_weight(problem)
    return PartFits(
        fits,
        parts,
        spread_about(problem, parts, fits, beside),
        measuring,
        tuple(
            UNCHANGED
            if seen.deviation is None
            else widening(one, seen.deviation[own.rows], scatter_about(problem, one, own, other), measuring)
            for one, own, other, seen in zip(fits, parts, beside, held_out.known, strict=True)
        ),
    )


def said_of_new(held_out: OutOfFold, of_parts: PartFits, X: FloatArray, known: Sequence[KnownMD]) -> OutOfFold:
    """Return what is said of held-out polymers together with what the fits say of others.

    Parameters
    ----------
    held_out
        Of the same calibrator.
    of_parts
        Its fits.
    X
        (m, d') descriptors, not scaled; nan in the rows of polymers without.
    known
        (r k,) whose library are these polymers.
    """
    repetitions, folds = held_out.library.shape[:2]
    library, spread = np.empty((2, repetitions, folds, len(X)))
    variance = np.zeros((len(known), len(X)))
    if of_parts.about is not None:
        variance = of_parts.about.variance([seen.library_f for seen in known], X)
    for position, (one, own, wider, seen) in enumerate(
        zip(of_parts.fits, of_parts.parts, of_parts.widenings, known, strict=True)
    ):
        at = divmod(position, folds)
        library[at] = one.predict(seen.library_f, own.scale.apply(X))
        spread[at] = np.sqrt(of_parts.measuring + variance[position])
        if seen.library_deviation is not None:
            spread[at] = wider.of(spread[at], seen.library_deviation)
    return replace(held_out, library=library, library_spread=spread)
