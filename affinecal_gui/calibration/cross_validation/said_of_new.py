"""What the fits to all training parts say of polymers that come when everything is fitted: quickly, one at a time or many.

The spread about a fit is a quadratic form of what is known of a polymer. It is worked out once for each part, where
:func:`affinecal_gui.calibration.cross_validation.out_of_fold.spread_held_out` solves for the polymers it is given.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from affinecal_gui.calibration.calibrators.fitted import directions, posterior
from affinecal_gui.calibration.calibrators.line_spread import line_spread_form
from affinecal_gui.calibration.calibrators.linear.log_difference import LOG_DIFFERENCE
from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.calibrators.training import Fitted
from affinecal_gui.calibration.cross_validation.out_of_fold import (
    HeldOut,
    Prepared,
    as_prior,
    needs_structure,
    typical_weight,
)
from affinecal_gui.calibration.cross_validation.predicted_md import KnownMD, Widening, widening
from affinecal_gui.calibration.data.problem import CalibrationProblem
from affinecal_gui.calibration.results import FloatArray, ModelName
from affinecal_gui.calibration.solvers.fused_ridge import to_modes
from affinecal_gui.calibration.uncertainty.intervals import OutOfFold

NO_FORM = np.zeros((0, 0))
UNCHANGED = Widening(0.0, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class PartFit:
    """One fit to one training part, with the spread about it."""

    fitted: Fitted
    own: Prepared
    by_structure: bool  # the form speaks of the line and the modes of the descriptors, not of the parameters
    form: FloatArray  # (k, k); none for the MD value as it is
    measuring: float  # variance of a measurement
    widening: Widening

    def values(self, f: FloatArray, Z: FloatArray) -> FloatArray:
        """(k,) of polymers with MD values (k,) and descriptors (k, d) in the units of the part, target scale."""
        return self.fitted.predict(f, Z)

    def spread(self, f: FloatArray, Z: FloatArray, deviation: FloatArray | None) -> FloatArray:
        """(k,) relative spread about these values; ``deviation`` (k,) of MD values that are predicted."""
        variance = np.full(len(f), self.measuring)
        if len(self.form):
            d = self._directions(f, Z)
            variance = variance + np.maximum(((d @ self.form) * d).sum(axis=1), 0.0)
        spread = np.sqrt(variance)
        return spread if deviation is None else self.widening.of(spread, deviation)

    def _directions(self, f: FloatArray, Z: FloatArray) -> FloatArray:
        part = self.own.part
        if self.by_structure:
            t = (f - part.f_mean) / part.f_sd
            return np.column_stack([np.ones(len(f)), t, to_modes(np.ascontiguousarray(Z), part.sizes)])
        found = directions(self.fitted, part, f, Z)
        return np.column_stack([found.flat, found.penalised])


def part_fits(problem: CalibrationProblem, held_out: HeldOut, model: ModelName) -> list[PartFit]:
    """Return the fits of a linear calibrator to all training parts, ready to be asked."""
    measuring, structure = 1.0 / typical_weight(problem), needs_structure(model, problem.options)
    found = []
    of_all = zip(held_out.fits[model], held_out.parts, held_out.fits[LOG_DIFFERENCE.key], held_out.known, strict=True)
    for fitted, own, other, seen in of_all:
        by_structure = structure and len(other.c) > 0 and other.penalties is not None
        if calibrator(model).is_raw:
            form = NO_FORM
        elif by_structure and other.penalties is not None:
            form = line_spread_form(own.part, other.penalties, own.polymers)
        else:
            form = posterior(as_prior(fitted, own.polymers, problem.options), own.part).form()
        wider = UNCHANGED if seen.deviation is None else widening(fitted, own.part, seen.deviation[own.rows])
        found.append(PartFit(fitted, own, by_structure, form, measuring, wider))
    return found


def said_of_new(held_out: OutOfFold, fits: Sequence[PartFit], X: FloatArray, known: Sequence[KnownMD]) -> OutOfFold:
    """Return what is said of held-out polymers together with what the fits say of others.

    Parameters
    ----------
    held_out
        Of the same calibrator.
    fits
        One for each training part.
    X
        (m, d') descriptors, not scaled; nan in the rows of polymers without.
    known
        (r k,) whose library are these polymers.
    """
    repetitions, folds = held_out.library.shape[:2]
    library, spread = np.empty((2, repetitions, folds, len(X)))
    for position, (one, seen) in enumerate(zip(fits, known, strict=True)):
        at = divmod(position, folds)
        Z = one.own.scale.apply(X)
        library[at] = one.values(seen.library_f, Z)
        spread[at] = one.spread(seen.library_f, Z, seen.library_deviation)
    return replace(held_out, library=library, library_spread=spread)
