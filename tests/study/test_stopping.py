"""Long work on large tables asks often whether to stop: counted in questions, as seconds depend on the machine."""

from collections.abc import Callable
from pathlib import Path

import pytest

from affinecal_gui.errors import Cancelled
from affinecal_gui.progress import CancelCheck
from affinecal_gui.study.row_columns import natural_ranks
from affinecal_gui.tables.polymer_table import to_polymer_table
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.roles import guess_roles

ROWS = 60_000


class Asked:
    """Counts questions, and answers the last of them with yes."""

    def __init__(self, stop_at: int = 0) -> None:
        self.count, self._stop_at = 0, stop_at

    def __call__(self) -> bool:
        self.count += 1
        return self.count == self._stop_at


def read(folder: Path, heading: str, value: str, rows: int) -> RawTable:
    """A long table."""
    lines = [f"id,smiles,{heading}", *(f"P{row},*CC(*){'C' * (row % 9)},{value}" for row in range(rows))]
    path = folder / "a.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return read_table(path)


def alike(cancelled: CancelCheck) -> object:
    return natural_ranks(["the same"] * ROWS, cancelled=cancelled)


def different(cancelled: CancelCheck) -> object:
    return natural_ranks([f"P{row}" for row in range(ROWS)], cancelled=cancelled)


@pytest.mark.parametrize(("work", "least"), [(alike, 10), (different, 20)])
def test_sorting_asks_often_and_stops_at_any_answer(work: Callable[[CancelCheck], object], least: int) -> None:
    asks_often_and_stops(work, least)


@pytest.mark.parametrize(
    ("heading", "value", "rows", "least"), [("Cp [J/(kg K)]", "2000", ROWS, 8), ("Cp [J/(mol K)]", "120", 3000, 20)]
)
def test_reading_values_asks_often_and_stops_at_any_answer(
    tmp_path: Path, heading: str, value: str, rows: int, least: int
) -> None:
    raw = read(tmp_path, heading, value, rows)
    roles = guess_roles(raw)
    asks_often_and_stops(lambda cancelled: to_polymer_table(raw, roles, cancelled=cancelled), least)


def asks_often_and_stops(work: Callable[[CancelCheck], object], least: int) -> None:
    """Count the questions, then answer some of them."""
    asked = Asked()
    work(asked)
    assert asked.count >= least
    for number in (1, 2, asked.count // 2, asked.count):
        with pytest.raises(Cancelled):
            work(Asked(number))
