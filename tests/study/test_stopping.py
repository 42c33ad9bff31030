"""Long work on large tables asks often whether to stop: counted in questions, as seconds depend on the machine."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.errors import Cancelled
from affinecal_gui.study.data.assembly import Assembly, assemble
from affinecal_gui.study.data.cross_references import speaking_of_the_same
from affinecal_gui.study.data.row_columns import natural_ranks, row_columns
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived, rows_with_states
from affinecal_gui.study.fitting.calibrating import training_of
from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.study.state import StudyState
from affinecal_gui.tables.matching.matching import match
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from affinecal_gui.tables.values.value_columns import column_of
from affinecal_gui.task import Task

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


def alike(task: Task) -> object:
    return natural_ranks(["the same"] * ROWS, task=task)


def different(task: Task) -> object:
    return natural_ranks([f"P{row}" for row in range(ROWS)], task=task)


@pytest.mark.parametrize(("work", "least"), [(alike, 10), (different, 20)])
def test_sorting_asks_often_and_stops_at_any_answer(work: Callable[[Task], object], least: int) -> None:
    asks_often_and_stops(work, least)


@pytest.mark.parametrize(
    ("heading", "value", "rows", "least"), [("Cp [J/(kg K)]", "2000", ROWS, 8), ("Cp [J/(mol K)]", "120", 3000, 20)]
)
def test_reading_values_asks_often_and_stops_at_any_answer(
    tmp_path: Path, heading: str, value: str, rows: int, least: int
) -> None:
    raw = read(tmp_path, heading, value, rows)
    roles = guess_roles(raw)
    asks_often_and_stops(lambda task: to_polymer_table(raw, roles, task=task), least)


LIBRARY = 3000  # rows of MD values, of 63 polymers; 40 of them are measured


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> StudyState:
    folder = tmp_path_factory.mktemp("stopping")
    units = [f"*CC(*){'C' * (row % 9)}O{'N' * (row % 7)}C" for row in range(LIBRARY)]
    simulated = ["id,smiles,MD Cp [J/(kg K)],temp,first x,second x"]
    simulated += [f"P{row},{unit},{2000 + row % 63},{300},{row},0.5" for row, unit in enumerate(units)]
    measured = ["name,smiles,measured Cp [J/(kg K)]"]
    measured += [f"polymer {row},{units[row]},{1500 + 10 * row + 37 * (row % 5)}" for row in range(40)]
    for name, lines in (("md.csv", simulated), ("measured.csv", measured)):
        (folder / name).write_text("\n".join(lines), encoding="utf-8")
    return StudyState().with_tables(load_tables([folder / "md.csv", folder / "measured.csv"]).tables)


@pytest.fixture(scope="module")
def derived(state: StudyState) -> Derived:
    return derive(state, Derived())


def in_detail(state: StudyState, derived: Derived, stage: str) -> Callable[[Task], object]:
    """Return one stage of what happens when tables are put together."""
    md, measured = (loaded.table for loaded in state.tables)
    assembly, inputs, settings = derived.assembly, derived.inputs, state.settings
    assert isinstance(assembly, Assembly)
    assert inputs is not None
    rows, training = assembly.rows, inputs.training
    return {
        "one table": lambda task: assemble(state.tables[:1], state.quantity, task=task),
        "both tables": lambda task: assemble(state.tables, state.quantity, task=task),
        "ids": lambda task: speaking_of_the_same(measured, md, [md, measured], task=task),
        "matching": lambda task: match(measured, md, state.quantity.key, task=task),
        "columns": lambda task: row_columns(rows, task=task),
        "training set": lambda task: training_of(assembly, inputs.described, settings, task=task),
        "states": lambda task: rows_with_states(rows, training.states, training.reasons, training.positions, task=task),
        "roles": lambda task: guess_roles(read_table(Path(md.path)), task=task),
    }[stage]


@pytest.mark.parametrize(
    ("stage", "least"),
    [
        ("one table", 40),
        ("both tables", 15),
        ("ids", 9),
        ("matching", 60),
        ("columns", 7),
        ("training set", 1),
        ("states", 1),
        ("roles", 12),
    ],
)
def test_putting_tables_together_asks_often_and_stops_at_any_answer(
    state: StudyState, derived: Derived, stage: str, least: int
) -> None:
    asks_often_and_stops(in_detail(state, derived, stage), least)


def test_a_column_that_nobody_has_read_yet_can_be_stopped_and_read_later(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    lines = ["id,smiles,Cp [J/(kg K)],other x", *(f"P{row},*CC*,2000,{row / 8}" for row in range(ROWS))]
    path.write_text("\n".join(lines), encoding="utf-8")
    raw = read_table(path)
    table = to_polymer_table(raw, guess_roles(raw))
    key = next(key for key in table.values if "other" in key[1])
    for number in (1, 2):
        with pytest.raises(Cancelled):
            column_of(table.values, key, Task(cancelled=Asked(number)))
    asked = Asked()
    read = column_of(table.values, key, Task(cancelled=asked))
    assert asked.count >= 2
    np.testing.assert_array_equal(read.values, np.arange(ROWS) / 8)
    assert table.values[key] is read


def asks_often_and_stops(work: Callable[[Task], object], least: int) -> None:
    """Count the questions, then answer some of them."""
    asked = Asked()
    work(Task(cancelled=asked))
    assert asked.count >= least
    for number in sorted({1, min(2, asked.count), (asked.count + 1) // 2, asked.count}):
        with pytest.raises(Cancelled):
            work(Task(cancelled=Asked(number)))
