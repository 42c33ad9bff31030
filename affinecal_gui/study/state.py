"""What determines a study: its tables and the choices made. Everything else is derived from this."""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from affinecal_gui.study.snapshot import Settings
from affinecal_gui.tables.properties import Property, find_property

if TYPE_CHECKING:  # these import the chemistry, which the first window does not wait for
    from affinecal_gui.tables.polymer_table import PolymerTable
    from affinecal_gui.tables.roles import ValueKind


@dataclass(frozen=True, slots=True, eq=False)
class LoadedTable:
    """One table of the study. ``key`` is its name inside the study; row keys are built from it."""

    key: str
    table: "PolymerTable"


@dataclass(frozen=True, slots=True)
class StudyState:
    """Immutable; a change makes a new one. Tables compare by identity, settings by value."""

    tables: tuple[LoadedTable, ...] = ()
    settings: Settings = field(default_factory=Settings)

    def with_tables(self, added: "tuple[PolymerTable, ...]") -> "StudyState":
        """Add tables; one of the same path takes the place of the earlier one. Settle on a property that has values."""
        tables = list(self.tables)
        for table in added:
            same = next((i for i, known in enumerate(tables) if known.table.path == table.path), None)
            if same is None:
                tables.append(LoadedTable(self._free_key(tables), table))
            else:
                tables[same] = LoadedTable(tables[same].key, table)
        return replace(self, tables=tuple(tables)).with_property_settled()

    def without_table(self, key: str) -> "StudyState":
        """Remove a table."""
        tables = tuple(loaded for loaded in self.tables if loaded.key != key)
        return replace(self, tables=tables).with_property_settled()

    def with_property(self, key: str) -> "StudyState":
        """Make ``key`` the target property, on its usual scale, with nothing left out."""
        chosen = replace(
            self.settings,
            property_key=key,
            log_scale=find_property(key).log_by_default,
            penalties=None,
            left_out=frozenset(),
        )
        return replace(self, settings=chosen)

    def with_property_settled(self) -> "StudyState":
        """Keep the target property if it has values; else take the first that can be calibrated, or at least is measured."""
        candidates = self.quantities() or self.quantities_of("measured") or self.quantities_of("md")
        keys = [candidate.key for candidate in candidates]
        if not keys or self.settings.property_key in keys:
            return self
        return self.with_property(keys[0])

    def quantities_of(self, kind: "ValueKind") -> tuple[Property, ...]:
        """Properties that some table has values of this kind ("measured" or "md") for, in order of appearance."""
        found: dict[str, Property] = {}
        for loaded in self.tables:
            for quantity in loaded.table.properties(kind):
                found.setdefault(quantity.key, quantity)
        return tuple(sorted(found.values(), key=lambda quantity: not quantity.is_known))

    @property
    def quantity(self) -> Property:
        """The target property, with the unit that its tables give it."""
        key = self.settings.property_key
        candidates = (*self.quantities_of("measured"), *self.quantities_of("md"))
        return next((candidate for candidate in candidates if candidate.key == key), find_property(key))

    def quantities(self) -> tuple[Property, ...]:
        """Properties that have both measured and MD values."""
        simulated = {quantity.key for quantity in self.quantities_of("md")}
        return tuple(quantity for quantity in self.quantities_of("measured") if quantity.key in simulated)

    @staticmethod
    def _free_key(tables: list[LoadedTable]) -> str:
        taken = {loaded.key for loaded in tables}
        number = 1
        while f"t{number}" in taken:
            number += 1
        return f"t{number}"
