"""A stored result -> the study as it stood when it was saved, without calculating anything anew."""

from dataclasses import replace

import numpy as np

from affinecal_gui.errors import UserError
from affinecal_gui.study.data.assembly import Assembly, assemble
from affinecal_gui.study.derived import Derived, calibrated
from affinecal_gui.study.describing.describing import FORCE_FIELD, Description, DescriptorTable, blocks_of, engine_of
from affinecal_gui.study.describing.own_descriptors import blocks_of_names
from affinecal_gui.study.fitting.calibrating import DescribedLibrary, Training, training_of
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.stored.stored_result import StoredResult
from affinecal_gui.task import UNWATCHED, Task


def restore(state: StudyState, stored: StoredResult, *, task: Task = UNWATCHED) -> Derived | None:
    """Return what was derived from ``state``, with the stored calibration in it.

    Only the matching of polymers is done again. None when it, or the choice of the training set, turns out differently
    than it did when the result was made: then the result belongs to other polymers and has to be calculated anew.
    """
    try:
        choices = state.settings.matching
        assembly = assemble(state.tables, state.quantity, choices, task=task)
        if assembly.report is None or len(assembly.library_md) != len(stored.descriptors):
            return None
        described = _described(assembly, stored)
        training = training_of(assembly, described, state.settings, task=task)
    except UserError:
        return None
    if not _belongs(stored, state, assembly, training):
        return None
    calibration = replace(stored.calibration, made_with=stored.program)
    return calibrated(state, assembly, described, training, calibration, task=task)


def _belongs(stored: StoredResult, state: StudyState, assembly: Assembly, training: Training) -> bool:
    calibration, settings = stored.calibration, state.settings
    usable = np.where(training.usable_library, assembly.library_md, np.nan)
    return (
        calibration.log_scale == settings.log_scale
        and calibration.interval_level == settings.interval_level
        and calibration.seed == settings.seed
        and np.array_equal(calibration.measured, assembly.measured[training.rows])
        and np.array_equal(calibration.md, assembly.library_md[training.library])
        and np.array_equal(calibration.library_md, usable, equal_nan=True)
    )


def _described(assembly: Assembly, stored: StoredResult) -> DescribedLibrary:
    blocks = blocks_of_names(stored.descriptor_names)
    present = engine_of(FORCE_FIELD)
    # Descriptors of another engine are shown with the result that was made from them, but never mixed with new ones.
    computed = _computed(assembly, stored) if blocks == blocks_of(FORCE_FIELD) and stored.engine == present else None
    engine = "" if stored.engine == present else stored.engine
    return DescribedLibrary(stored.descriptors, stored.problems, blocks, computed, engine)


def _computed(assembly: Assembly, stored: StoredResult) -> DescriptorTable:
    """Return the descriptors that were computed, so that they are not computed again when the study is changed."""
    ready = assembly.ready_descriptors
    has_ready = np.zeros(len(stored.descriptors), dtype=bool)
    if ready is not None:
        has_ready |= np.isfinite(ready).all(axis=1)
    rows = [row for row, smiles in enumerate(assembly.library_smiles) if smiles and not has_ready[row]]
    known: dict[str, Description] = {}
    for row in rows:
        problem = stored.problems[row]
        known[assembly.library_smiles[row]] = (None, problem) if problem else (stored.descriptors[row], "")
    smiles = tuple(assembly.library_smiles[row] for row in rows)
    problems = tuple(stored.problems[row] for row in rows)
    return DescriptorTable(smiles, stored.descriptors[rows], problems, FORCE_FIELD, known)
