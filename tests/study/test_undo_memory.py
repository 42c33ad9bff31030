"""Steps back are limited by what they hold, not only by their number, and the last one always stays."""

from dataclasses import replace

import numpy as np
import pytest

from affinecal_gui.study import study as study_module
from affinecal_gui.study.snapshot import Settings
from affinecal_gui.study.state import LoadedTable, StudyState
from affinecal_gui.study.study import Study
from affinecal_gui.study.undo_memory import steps_to_keep, table_bytes
from affinecal_gui.tables.values.polymer_table import PolymerTable
from tests.study.small_study import small_state


def table(rows: int = 1000) -> PolymerTable:
    """A table of which most is the array of descriptors: 800 bytes a row."""
    one = small_state().tables[0].table
    texts = tuple(f"*C{'C' * (i % 20)}*" for i in range(rows))
    return replace(
        one,
        lines=tuple(range(rows)), ids=texts, names=texts, smiles=texts, details={}, temperature=None, phase=None,
        values={}, descriptor_names=tuple(map(str, range(100))), descriptors=np.zeros((rows, 100)),
    )  # fmt: skip


def state_of(*tables: PolymerTable, settings: Settings | None = None) -> StudyState:
    """A state with these tables."""
    loaded = tuple(LoadedTable(f"t{number}", one) for number, one in enumerate(tables, 1))
    return StudyState(loaded, Settings() if settings is None else settings)


def test_the_size_of_a_table_is_about_that_of_what_it_holds() -> None:
    assert 800_000 < table_bytes(table()) < 1_400_000
    assert table_bytes(table(2000)) == pytest.approx(2 * table_bytes(table()), rel=0.05)
    assert table_bytes(table(0)) == 0


def test_a_text_that_all_rows_share_is_counted_once() -> None:
    single, rows = "300.0", 1000
    with_shared = replace(table(rows), details={"temp": (single,) * rows})
    with_own = replace(table(rows), details={"temp": tuple(f"{number}.0" for number in range(rows))})
    bare = table_bytes(table(rows))
    assert table_bytes(with_shared) - bare == 8 * rows
    assert 50 * rows < table_bytes(with_own) - bare < 70 * rows


def test_tables_that_were_replaced_are_kept_for_undo_only_up_to_a_size() -> None:
    states = [state_of(table()) for _ in range(6)]
    one = table_bytes(states[0].tables[0].table)
    assert steps_to_keep(states[:-1], states[-1], 10 * one) == 5
    assert steps_to_keep(states[:-1], states[-1], 3 * one + 5000) == 3
    assert steps_to_keep(states[:-1], states[-1], 10) == 1  # whatever it holds
    assert steps_to_keep([], states[-1], 10) == 0


def test_what_states_share_is_counted_once_and_what_is_present_not_at_all() -> None:
    present, gone = table(), table()
    steps = [state_of(present, gone, settings=Settings(seed=seed)) for seed in range(50)]
    assert steps_to_keep(steps, state_of(present), table_bytes(gone) + 50_000) == 50
    assert steps_to_keep(steps, state_of(present, gone), 50_000) == 50


def test_a_study_forgets_its_oldest_steps_and_goes_back_as_far_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    one = table_bytes(table())
    monkeypatch.setattr(study_module, "UNDO_BYTES", 3 * one + 5000)
    study = Study()
    states = [state_of(table()) for _ in range(8)]
    for number, state in enumerate(states):
        study.execute(f"step {number}", state)
    back = 0
    while study.undo():
        back += 1
    assert back == 3
    assert study.state is states[4]
    assert study.redo()
    assert study.state is states[5]


def test_long_selections_are_counted() -> None:
    keys = [f"t1.{row}" for row in range(20_000)]
    states = [state_of(settings=Settings(left_out=frozenset(keys[:-n]))) for n in range(1, 40)]
    assert steps_to_keep(states[:-1], states[-1], 10_000_000) < 25
