"""The MD values that come with the program, for studies with measured values alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file
from pathlib import Path

from affinecal_gui.bundled import resources
from affinecal_gui.study.state import StudyState

BUNDLED_PROPERTIES = frozenset({"density", "Cp", "refractive_index", "thermal_conductivity"})
"""Keys of the properties of which :func:`bundled_md` has values: polymers simulated with RadonPy, as PI1070 has them."""


@contextmanager
def bundled_md() -> Iterator[Path]:
    """Yield the table as a path that exists while the block runs (the program may live in an archive)."""
    with as_file(resources() / "examples") as folder:
        yield folder / "md_radonpy.csv"


def bundled_md_would_help(state: StudyState) -> bool:
    """Whether a study has measured values that the bundled MD values could be compared with, and no MD values."""
    measured = {quantity.key for quantity in state.quantities_of("measured")}
    return bool(measured & BUNDLED_PROPERTIES) and not state.quantities_of("md")
