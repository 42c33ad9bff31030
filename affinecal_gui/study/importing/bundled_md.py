"""The MD values that come with the program, for studies with measured values alone."""

from pathlib import Path

from affinecal_gui.bundled import resources
from affinecal_gui.study.state import StudyState

BUNDLED_PROPERTIES = frozenset({"density", "Cp", "refractive_index", "thermal_conductivity"})
"""Keys of the properties of which :func:`bundled_md` has values: polymers simulated with RadonPy, as PI1070 has them."""


def bundled_md() -> Path:
    """Return where the table is."""
    return resources() / "examples" / "md_radonpy.csv"


def bundled_md_would_help(state: StudyState) -> bool:
    """Whether a study has measured values that the bundled MD values could be compared with, and no MD values."""
    measured = {quantity.key for quantity in state.quantities_of("measured")}
    return bool(measured & BUNDLED_PROPERTIES) and not state.quantities_of("md")
