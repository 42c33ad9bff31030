"""What is said of simulations that failed a check: how many, why, and how many of their values are used all the same."""

from collections.abc import Sequence

from affinecal_gui.tables.flagged_runs import FlaggedRuns
from affinecal_gui.tables.simulations.reasons import REASON_LABELS


def flagged_sentence(flagged: Sequence[FlaggedRuns]) -> str:
    """Return the counts of one table by reason; "" where nothing failed a check."""
    aside = [f"{one.set_aside:,} {reason_label(one.reason)}" for one in flagged if one.set_aside]
    used = [f"{one.used:,} {reason_label(one.reason)}" for one in flagged if one.used]
    parts = []
    if aside:
        parts.append(f"Simulations set aside: {', '.join(aside)}.")
    if used:
        parts.append(f"Values used as you said: {', '.join(used)}.")
    return " ".join(parts)


def reason_label(reason: str) -> str:
    """Return a reason in two or three words."""
    return {str(known): words for known, words in REASON_LABELS.items()}.get(reason, reason)
