"""Penalties read as a prior where it is asked how far a polymer may be off that is unlike those of the fit."""

from dataclasses import replace

from affinecal_gui.calibration.calibrators.training import Fitted
from affinecal_gui.calibration.results import Penalties

FULL_PENALTIES = 60
"""From so many polymers on the penalties are taken as they are. Of fewer they are chosen with caution, that is large, which
would make the prior, and with it the spread far away, too small; so they are multiplied by n / 60. Chosen by simulation
(docs/uncertainty.md): 90 % intervals then cover about 90 % of polymers beyond all measured ones for 20 and 62 polymers."""


def prior_penalties(penalties: Penalties, polymers: int) -> Penalties:
    """Return penalties of a fit to so many polymers as the prior of what it may leave out."""
    caution = min(1.0, polymers / FULL_PENALTIES)
    return replace(penalties, lambda_1=caution * penalties.lambda_1, lambda_2=caution * penalties.lambda_2)


def with_prior_penalties(fitted: Fitted, polymers: int) -> Fitted:
    """Return a fit whose penalties are those of the prior, everything else as it is."""
    if fitted.penalties is None:
        return fitted
    return replace(fitted, penalties=prior_penalties(fitted.penalties, polymers))
