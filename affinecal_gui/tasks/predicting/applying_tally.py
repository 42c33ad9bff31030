"""What became of the rows of a table that a calibrator was applied to, over all runs that it took."""

import csv
from collections import Counter

from affinecal_gui.notes import NAMES_TOLD, Note, limited
from affinecal_gui.study.md_origin import MDOrigin
from affinecal_gui.tables.writing.csv_export import PREDICTION_COLUMNS

MOST_REASONS = 5  # for which rows have no value; the column of notes has them all
MOST_KEPT = 1_000  # different reasons

PREDICTED: MDOrigin = "predicted MD"

_ID, _NAME, _SMILES, _VALUE, _INSIDE, _NOTE, _ORIGIN = map(
    PREDICTION_COLUMNS.index, ("id", "name", "smiles", "calibrated value", "inside training range", "note", "md_origin")
)


def told_predicted(count: int) -> str:
    """Say how many of the calibrated values rest on predicted MD values."""
    rest, them = ("rests", "it") if count == 1 else ("rest", "them")
    return (
        f"{count} {rest} on a predicted MD value. The table has no simulated one of {them}; see the column md_origin."
    )


class ApplyingTally:
    """Counts finished rows, as they stand in the file."""

    def __init__(self) -> None:
        self.rows = 0
        self._calibrated = 0
        self._outside = 0
        self._predicted = 0
        self._reasons: Counter[str] = Counter()
        self._names: dict[str, list[str]] = {}  # the first few of each reason

    def take(self, line: bytes) -> None:
        """Count a line of the file."""
        cells = next(csv.reader([line.decode("utf-8")]))
        self.rows += 1
        if cells[_VALUE]:
            self._calibrated += 1
            self._outside += cells[_INSIDE] == "no"
            self._predicted += cells[_ORIGIN] == PREDICTED
            return
        reason = cells[_NOTE]
        if reason in self._reasons or len(self._reasons) < MOST_KEPT:
            self._reasons[reason] += 1
            names = self._names.setdefault(reason, [])
            if len(names) < NAMES_TOLD:
                names.append(cells[_NAME] or cells[_ID] or cells[_SMILES])

    def lines(self, model: str) -> list[str]:
        """Say how many rows were calibrated, and why the others were not."""
        found: list[str] = [f"{self._calibrated} of {self.rows} polymers calibrated with {model}."]
        if self._predicted:
            found.append(told_predicted(self._predicted))
        found += limited(map(self._reason, self._reasons), MOST_REASONS)
        if self._outside:
            found.append(f"{self._outside} lie outside the range of the fit; the column note says which, and why.")
        return found

    def _reason(self, reason: str) -> Note:
        count, names = self._reasons[reason], [name for name in self._names[reason] if name]
        if count == 1:
            return Note(f"No value for {names[0] if names else 'one row'}: {reason}")
        more = count - len(names)
        listed = ", ".join(names) + (f" and {more} more" if names and more > 0 else "")
        return Note(f"{count} polymers have no value{f' ({listed})' if listed else ''}: {reason}")
