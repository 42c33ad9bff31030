"""Descriptors that a table of the study brings along take the place of computed ones."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.polymers.copolymers.composition import identity_of
from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit
from affinecal_gui.study.data.cross_references import further_ids
from affinecal_gui.study.importing.merging import MergedTable
from affinecal_gui.study.state import LoadedTable
from affinecal_gui.tables.matching.ids import id_key, same_id
from affinecal_gui.tables.matching.matching import MatchReport
from affinecal_gui.tables.matching.polymer_reports import Polymer
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.task import UNWATCHED, Task

FloatArray = NDArray[np.float64]


def find_ready_descriptors(
    tables: Sequence[LoadedTable], report: MatchReport, md: MergedTable, *, task: Task = UNWATCHED
) -> tuple[tuple[str, ...], FloatArray | None]:
    """Return descriptor names and (m, d) values of the library polymers, from the last table that has descriptors.

    A polymer is found by its id, else by the text of its repeat unit, else by its identity; without a row it is nan.
    """
    source = next((loaded.table for loaded in reversed(tables) if loaded.table.descriptors is not None), None)
    if source is None or source.descriptors is None:
        return (), None
    rows = _Rows(source, md.table, task)
    values = np.full((len(report.library), source.descriptors.shape[1]), np.nan)
    for index, polymer in enumerate(task.each(report.library, 200)):
        row = rows.find(polymer)
        if row is not None:
            values[index] = source.descriptors[row]
    values.flags.writeable = False
    return source.descriptor_names, values


class _Rows:
    """Finds the row of a polymer of the MD table in a table of descriptors."""

    def __init__(self, table: PolymerTable, md: PolymerTable, task: Task) -> None:
        self._md, self._task = md, task
        self._further = further_ids(md, task=task)
        self._by_id: dict[str, int] = {}
        several: set[str] = set()  # ids of several polymers, which name none
        for row, text in enumerate(task.each(table.ids)):
            if text.strip():
                key = id_key(text)
                earlier = self._by_id.setdefault(key, row)
                if table.smiles[earlier] != table.smiles[row] or same_id(table.ids[earlier]) != same_id(text):
                    several.add(key)
                self._by_id[key] = row
        self._by_id = {key: row for key, row in self._by_id.items() if key not in several}
        for column in further_ids(table, task=task):
            for row, text in enumerate(task.each(column)):
                if text.strip() and id_key(text) not in several:
                    self._by_id.setdefault(id_key(text), row)
        self._by_text = {text: row for row, text in enumerate(task.each(table.smiles)) if text}
        self._by_identity: dict[str, int] | None = None

    def find(self, polymer: Polymer) -> int | None:
        md = self._md
        for row in polymer.rows:
            labels = [id_key(text) for text in (md.ids[row], *(column[row] for column in self._further))]
            found = next((self._by_id[label] for label in labels if label and label in self._by_id), None)
            if found is None and md.smiles[row]:
                found = self._by_text.get(md.smiles[row])
            if found is not None:
                return found
        if polymer.identity is None:
            return None
        if self._by_identity is None:
            self._by_identity = self._identities()
        return self._by_identity.get(polymer.identity.stereo_key, self._by_identity.get(polymer.identity.key))

    def _identities(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for text, row in self._task.each(self._by_text.items(), 5):
            try:
                identity = identity_of(text)
            except InvalidRepeatUnit:
                continue
            found.setdefault(identity.stereo_key, row)
            found.setdefault(identity.key, row)
        return found
