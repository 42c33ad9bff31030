"""A table of polymers with values in canonical units."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.tables.flagged_runs import FlaggedRuns
from affinecal_gui.tables.headings.column_roles import Roles
from affinecal_gui.tables.headings.role_names import ValueKind
from affinecal_gui.tables.problems import RowProblem
from affinecal_gui.tables.simulation_jobs import SimulationJob
from affinecal_gui.tables.units.properties import Property, find_property, is_known_property
from affinecal_gui.tables.values.value_columns import FloatArray, ValueColumn, ValueKey, read_only, taken_columns


@dataclass(frozen=True, slots=True)
class PolymerTable:
    """Polymers and their values, as one file gives them. Every sequence has one entry per used row."""

    name: str  # of the file
    path: str
    lines: tuple[int, ...]  # line of the file
    ids: tuple[str, ...]  # "" where there is none
    names: tuple[str, ...]
    smiles: tuple[str, ...]  # as written
    values: Mapping[ValueKey, ValueColumn]
    details: Mapping[str, tuple[str, ...]]  # further columns by heading, as text
    temperature: FloatArray | None  # (rows,) K
    phase: tuple[str, ...] | None
    descriptor_names: tuple[str, ...]
    descriptors: FloatArray | None  # (rows, d) ready descriptors
    problems: tuple[RowProblem, ...]
    rows_read: int  # rows of the file, used and rejected
    rows_rejected: int
    notes: tuple[str, ...] = ()  # what was put right while reading the file, in sentences; see also remarks()
    roles: Roles | None = None
    again: tuple[SimulationJob, ...] = ()  # polymers to simulate again, because their values failed a check
    flagged: tuple[FlaggedRuns, ...] = ()  # how many simulations failed a check, by reason
    pressure: FloatArray | None = None  # (rows,) MPa

    @property
    def row_count(self) -> int:
        """Number of used rows; with :attr:`rows_rejected` it adds up to :attr:`rows_read`."""
        return len(self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    def properties(self, kind: ValueKind) -> tuple[Property, ...]:
        """Return the properties of which the table holds measured, or MD, values; those known by name come first."""
        own = {} if self.roles is None else {c.quantity.key: c.quantity for c in self.roles.values if c.quantity}
        found = [own.get(key) or find_property(key) for of, key in self.values if of == kind]
        return tuple(sorted(found, key=lambda quantity: not quantity.is_known))

    def remarks(self, property_key: str | None = None) -> tuple[str, ...]:
        """Return what was put right or assumed, in sentences.

        Parameters
        ----------
        property_key
            The property of interest; None: all that are known by name.
        """
        keys = [
            key for key in self.values if key[1] == property_key or (property_key is None and is_known_property(key[1]))
        ]
        return (*self.notes, *(sentence for key in keys for sentence in self.values[key].remarks))

    def has(self, kind: ValueKind, property_key: str) -> bool:
        """Whether the table has such a column."""
        return (kind, property_key) in self.values

    def taken(self, rows: NDArray[np.int64]) -> "PolymerTable":
        """Return a table of these rows only; who leaves rows out lists them."""

        def part(texts: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(texts[row] for row in rows.tolist())

        return dataclasses.replace(
            self,
            lines=tuple(self.lines[row] for row in rows.tolist()),
            ids=part(self.ids),
            names=part(self.names),
            smiles=part(self.smiles),
            values=taken_columns(self.values, rows),
            details=MappingProxyType({heading: part(texts) for heading, texts in self.details.items()}),
            temperature=None if self.temperature is None else read_only(self.temperature[rows]),
            phase=None if self.phase is None else part(self.phase),
            pressure=None if self.pressure is None else read_only(self.pressure[rows]),
            descriptors=None if self.descriptors is None else read_only(self.descriptors[rows]),
        )

    def label(self, row: int) -> str:
        """Name a row by its name, else its id, else its repeat unit."""
        return self.names[row] or self.ids[row] or self.smiles[row]
