"""The options of a measurement: each size has the value that is measured with, and one with which all is over at once.

``--smoke`` takes the latter, to see that a script still runs; the suite does so with all of them.
"""

import argparse
from typing import Any


class Options(argparse.ArgumentParser):
    """Reads sizes and other options, and knows ``--smoke``."""

    def __init__(self, doc: str | None) -> None:
        super().__init__(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
        self.add_argument("--smoke", action="store_true", help="as little as can be, to see that everything runs")
        self._sizes: dict[str, tuple[Any, Any]] = {}

    def size(self, name: str, usual: Any, smoke: Any, **how: Any) -> None:
        """Add an option, by position unless its name begins with two hyphens."""
        if isinstance(usual, list):
            how = {"nargs": "*"} | how
        elif not name.startswith("--"):
            how = {"nargs": "?"} | how
        sample = (usual or smoke)[0] if isinstance(usual, list) else usual
        added = self.add_argument(name, type=type(sample), default=None, **how)
        self._sizes[added.dest] = (usual, smoke)

    def read(self) -> argparse.Namespace:
        """Return the options of the command line."""
        chosen = self.parse_args()
        for name, (usual, smoke) in self._sizes.items():
            # Positional lists that are not given are empty ones.
            if getattr(chosen, name) in (None, []):
                setattr(chosen, name, smoke if chosen.smoke else usual)
        return chosen
