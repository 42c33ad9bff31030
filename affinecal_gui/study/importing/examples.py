"""The studies that come with the program."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import as_file
from pathlib import Path

from affinecal_gui.bundled import resources
from affinecal_gui.errors import UserError


@dataclass(frozen=True, slots=True)
class Example:
    """One bundled study: its files, and how the welcome page announces it."""

    key: str
    title: str
    subtitle: str
    file_names: tuple[str, ...]
    property_key: str


EXAMPLES: tuple[Example, ...] = (
    Example(
        "heat_capacity",
        "Specific heat capacity",
        "81 measured polymers, 62 with an MD value",
        ("heat_capacity_measured.csv", "md_radonpy.csv"),
        "Cp",
    ),
    Example(
        "density",
        "Density",
        "57 measured polymers",
        ("density_measured.csv", "md_radonpy.csv"),
        "density",
    ),
    Example(
        "optical",
        "Refractive index and Abbe number",
        "26 polymers, measured and MD in one file",
        ("optical_measured_and_md.csv",),
        "refractive_index",
    ),
    Example(
        "simpoly",
        "Amorphous density",
        "130 measured polymers of SimPoly, 51 with an MD value",
        ("simpoly_measured.csv", "md_radonpy.csv"),
        "density",
    ),
    Example(
        "radonpy_runs",
        "Folder of RadonPy results",
        "39 runs of 24 polymers, some of which failed a check",
        ("density_measured.csv", "radonpy_runs"),
        "density",
    ),
)


def find_example(key: str) -> Example:
    """Return the example with this key; raise UserError naming the ones there are."""
    for example in EXAMPLES:
        if example.key == key:
            return example
    known = ", ".join(example.key for example in EXAMPLES)
    raise UserError(f"There is no example called “{key}”. The examples are: {known}.")


@contextmanager
def example_files(example: Example) -> Iterator[tuple[Path, ...]]:
    """Yield the example's files as paths that exist while the block runs (the program may live in an archive)."""
    folder = resources() / "examples"
    with as_file(folder) as path:
        yield tuple(path / name for name in example.file_names)
