"""Descriptors that a table of the study brings along take the place of computed ones."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.polymers.composition import composition_identity, parse_composition
from affinecal_gui.polymers.repeat_unit import InvalidRepeatUnit
from affinecal_gui.study.cross_references import further_ids
from affinecal_gui.study.merging import MergedTable
from affinecal_gui.study.state import LoadedTable
from affinecal_gui.tables.matching import MatchReport, Polymer
from affinecal_gui.tables.polymer_table import PolymerTable

FloatArray = NDArray[np.float64]


def find_ready_descriptors(
    tables: Sequence[LoadedTable], report: MatchReport, md: MergedTable
) -> tuple[tuple[str, ...], FloatArray | None]:
    """Return descriptor names and (m, d) values of the library polymers, from the last table that has descriptors.

    A polymer is found by its id, else by the text of its repeat unit, else by its identity; without a row it is nan.
    """
    source = next((loaded.table for loaded in reversed(tables) if loaded.table.descriptors is not None), None)
    if source is None or source.descriptors is None:
        return (), None
    rows = _Rows(source)
    values = np.full((len(report.library), source.descriptors.shape[1]), np.nan)
    for index, polymer in enumerate(report.library):
        row = rows.find(polymer, md.table)
        if row is not None:
            values[index] = source.descriptors[row]
    values.flags.writeable = False
    return source.descriptor_names, values


class _Rows:
    """Finds the row of a polymer in a table of descriptors."""

    def __init__(self, table: PolymerTable) -> None:
        self._table = table
        self._by_id = {text.strip().casefold(): row for row, text in enumerate(table.ids) if text.strip()}
        for column in further_ids(table):
            for row, text in enumerate(column):
                if text.strip():
                    self._by_id.setdefault(text.strip().casefold(), row)
        self._by_text = {text: row for row, text in enumerate(table.smiles) if text}
        self._by_identity: dict[str, int] | None = None

    def find(self, polymer: Polymer, md: PolymerTable) -> int | None:
        further = further_ids(md)
        for row in polymer.rows:
            labels = [text.strip().casefold() for text in (md.ids[row], *(column[row] for column in further))]
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
        for text, row in self._by_text.items():
            try:
                identity = composition_identity(parse_composition(text))
            except InvalidRepeatUnit:
                continue
            found.setdefault(identity.stereo_key, row)
            found.setdefault(identity.key, row)
        return found
