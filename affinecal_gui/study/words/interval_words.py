"""Words for what intervals are made of."""

from typing import Final

import numpy as np

from affinecal_gui.calibration.interval_parts import MORE_RUNS
from affinecal_gui.calibration.results import IntervalParts

PARTS: Final = ("measurement", "simulation", "few_polymers", "model_form")
"""The shares, as :class:`affinecal_gui.calibration.results.IntervalParts` calls them."""


def part_words(parts: IntervalParts) -> dict[str, str]:
    """Return what to call each share; what is not stated is not told apart from the form of the model."""
    unstated = [name for name in PARTS[:2] if not np.nan_to_num(getattr(parts, name)).any()]
    form = "model form" + (f" and unstated errors of {' and '.join(unstated)}" if unstated else "")
    return {
        "measurement": "measurement",
        "simulation": "simulation",
        "few_polymers": "too few polymers",
        "model_form": form,
    }


def narrowing_sentence(parts: IntervalParts, index: int) -> str:
    """Say by how much more simulations of a library polymer would narrow its interval; "" where that is not known."""
    share = float(parts.five_more_runs[index])
    if not np.isfinite(share):
        return ""
    return f"With {MORE_RUNS} more simulations of this polymer its interval would be {100.0 * share:.1f} % narrower."
