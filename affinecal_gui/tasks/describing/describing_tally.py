"""What became of the rows of a file, over all runs that it took to describe them."""

import csv
from pathlib import Path

from affinecal_gui.tables.errors import shortened

REASONS_SHOWN = 3
LONGEST_SHOWN = 120
"""Characters of a repeat unit in the report; a damaged cell may hold millions."""


class Tally:
    """Counts rows, and remembers why the first of those that could not be described could not."""

    def __init__(self) -> None:
        self.rows = 0
        self.errors = 0
        self._reasons: list[str] = []
        self._unplaced: list[tuple[int, str, str]] = []  # row, polymer, reason, of an earlier run; the line is to come

    def take(self, line: int, text: str, reason: str) -> None:
        """Count a row of this run; ``reason`` is "" when it was described."""
        self.rows += 1
        if reason:
            self.errors += 1
            self._note(line, text, reason)

    def take_finished(self, line: bytes) -> None:
        """Count a row as an earlier run has written it."""
        if not line.endswith(b",ok,\n"):
            self.errors += 1
            if len(self._unplaced) < REASONS_SHOWN:
                cells = next(csv.reader([line.decode("utf-8")]))
                self._unplaced.append((self.rows, cells[1], cells[-1]))
        self.rows += 1

    def place(self, number: int, line: int) -> None:
        """Learn in which line of the input the row of an earlier run stands; rows come in order."""
        if self._unplaced and self._unplaced[0][0] == number:
            _, text, reason = self._unplaced.pop(0)
            self._note(line, text, reason)

    def report(self, output: Path) -> str:
        """Say it in words."""
        lines = [f"{self.rows - self.errors} of {self.rows} rows described; written to {output}."]
        if self.errors:
            rows = "1 row has" if self.errors == 1 else f"{self.errors} rows have"
            lines.append(f"{rows} status error; the column “message” says why. The first:")
            lines += [f"  {reason}" for reason in self._reasons]
        return "\n".join(lines)

    def _note(self, line: int, text: str, reason: str) -> None:
        if len(self._reasons) < REASONS_SHOWN:
            self._reasons.append(f"line {line}, {shortened(text, LONGEST_SHOWN) or 'empty'}: {reason}")
