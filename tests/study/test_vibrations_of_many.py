"""Correcting the MD values of a library of any length: in portions, with few spectra in memory."""

import numpy as np
import pytest

from affinecal_gui.study.fitting import quantum
from affinecal_gui.study.fitting.quantum import QuantumValues, Simulated, quantum_values
from affinecal_gui.tables.units.properties import find_property
from affinecal_gui.task import UNWATCHED, Task

POLYMERS = ("*CC*", "*CO*", "*C[Po]*", "*CCO*", "", "*CCCO*", "*CC(C)*")


def values_of(task: Task = UNWATCHED) -> QuantumValues:
    simulated = Simulated(POLYMERS, np.full(len(POLYMERS), 3_500.0), np.full(len(POLYMERS), 300.0))
    return quantum_values(find_property("Cp"), simulated, "hydrogen", task=task)


def test_portions_give_the_values_of_all_at_once_and_keep_the_first_spectra(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once, told = values_of(), list[tuple[float, str]]()
    monkeypatch.setattr(quantum, "CORRECTED_AT_ONCE", 2)
    monkeypatch.setattr(quantum, "SPECTRA_KEPT", 4)
    in_portions = values_of(Task(progress=lambda fraction, sentence: told.append((fraction, sentence))))
    np.testing.assert_array_equal(in_portions.values, at_once.values)
    assert in_portions.problems == at_once.problems
    assert "no repeat unit" in at_once.problems[4]
    assert [spectrum is not None for spectrum in at_once.spectra] == [True, True, False, True, False, True, True]
    assert [spectrum is not None for spectrum in in_portions.spectra] == [True, True, False, True, False, False, False]
    assert told[-1] == (1.0, "Computed the vibrations of 6 of 6 polymers")
    assert sorted(told) == told
