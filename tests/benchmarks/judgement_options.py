"""The options that all measurements on simulated studies have: RadonPy's table, the designs, their numbers and sizes."""

import argparse
import os
import tempfile
from pathlib import Path

from tests.benchmarks.judgement_designs import DESIGNS, Polymers, read_polymers
from tests.benchmarks.options import Options

REPOSITORY = Path(__file__).resolve().parents[2]


class StudyOptions(Options):
    """Reads them; ``--smoke`` takes the bundled MD values."""

    def __init__(
        self, doc: str | None, *, designs: tuple[str, str], numbers: tuple[str, str], sets: tuple[int, int]
    ) -> None:
        super().__init__(doc)
        self.add_argument("--md", type=Path, help="RadonPy's table of MD values (PI1070.csv)")
        self.size("--designs", *designs, help="some of: " + ", ".join(DESIGNS))
        self.size("--n", *numbers, help="numbers of measured polymers")
        self.size("--sets", *sets, help="simulated studies of each kind")
        folder = Path(tempfile.gettempdir())
        kept, own = f"judgement_descriptors_{os.getuid()}.npz", f"judgement_smoke_{os.getuid()}.npz"
        self.size("--cache", folder / kept, folder / own, help="where descriptors are kept")

    def read(self) -> argparse.Namespace:
        """Return the options of the command line."""
        told = super().read()
        if told.smoke:
            told.md = REPOSITORY / "resources" / "examples" / "md_radonpy.csv"
        elif told.md is None:
            self.error("name RadonPy's table with --md")
        return told


def polymers_of(told: argparse.Namespace) -> Polymers:
    """Return the polymers of the table that was named."""
    return read_polymers(told.md, told.cache)
