"""Penalties read as a prior where it is asked how far a polymer may be off that is unlike those of the fit."""

from dataclasses import replace

from affinecal_gui.calibration.calibrators.training import Fitted
from affinecal_gui.calibration.results import Penalties

FULL_PENALTIES = 60
"""From so many polymers on the penalties were taken as they are when held-out errors alone chose them. Of fewer they were
chosen with caution, that is large, which made the prior, and with it the spread far away, too small; so they were multiplied
by n / 60. Penalties that follow from the restricted likelihood are a prior as they stand; calibrator files that were made
before go on saying what they said."""


def prior_penalties(penalties: Penalties, polymers: int) -> Penalties:
    """Return penalties that were chosen with caution, for so many polymers, as the prior of what a fit may leave out."""
    caution = min(1.0, polymers / FULL_PENALTIES)
    return replace(penalties, lambda_1=caution * penalties.lambda_1, lambda_2=caution * penalties.lambda_2)


def with_prior_penalties(fitted: Fitted, polymers: int) -> Fitted:
    """Return a fit whose penalties are those of the prior, everything else as it is."""
    if fitted.penalties is None:
        return fitted
    return replace(fitted, penalties=prior_penalties(fitted.penalties, polymers))
