"""The studies that come with the program."""

from pathlib import Path
from typing import NamedTuple

from affinecal_gui.bundled import resources
from affinecal_gui.errors import UserError


class Example(NamedTuple):
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


def example_files(example: Example) -> tuple[Path, ...]:
    """Return where the example's files are."""
    folder = resources() / "examples"
    return tuple(folder / name for name in example.file_names)
