"""What to say and to ask of a study that has no measured values, or no MD values, of its property."""

from collections.abc import Sequence
from dataclasses import dataclass

from affinecal_gui.study.snapshot import PropertyQuestion
from affinecal_gui.study.state import LoadedTable
from affinecal_gui.tables.headings.role_names import ValueKind
from affinecal_gui.tables.units.properties import Property

LISTED = 5  # properties that a sentence names

_WORDS: dict[ValueKind, str] = {"measured": "measured values", "md": "MD values"}
_OTHER: dict[ValueKind, ValueKind] = {"measured": "md", "md": "measured"}


@dataclass(frozen=True, slots=True)
class MissingHalf:
    """What is said in the place of the polymers that match."""

    sentence: str
    reason: str  # of every row: why it has no partner
    question: PropertyQuestion | None = None  # whose answer would bring the halves together


def missing_half(tables: Sequence[LoadedTable], quantity: Property, kind: ValueKind) -> MissingHalf:
    """Say what is missing beside the values of one kind, and ask what a column that is not understood holds.

    Parameters
    ----------
    tables
        All tables of the study.
    quantity
        The target property, of which there are values of this kind only.
    kind
        Of the values that there are.
    """
    other = _OTHER[kind]
    there = _properties(tables, other)
    wanted = f"a table of {_WORDS[other]} of {_called(quantity)}"
    unknown = [(kind, quantity)] if not quantity.is_known else []
    if there:
        reason = f"No table has {_WORDS[other]} of {_called(quantity)}."
        facts = f"{_tables_with(tables, other)} of {_listed([_called(found) for found in there])}. "
        unknown += [(kind, found) for found in _properties(tables, kind) if not found.is_known and found != quantity]
        unknown += [(other, found) for found in there if not found.is_known]
    else:
        reason = "No MD table is loaded yet." if other == "md" else "No measured values are loaded yet."
        facts = ""
    if not unknown:
        return MissingHalf(f"{facts}Add {wanted}.", reason)
    asked_kind, asked = unknown[0]
    table = next(loaded for loaded in tables if asked.key in {p.key for p in loaded.table.properties(asked_kind)})
    question = f"{facts}Which property is {_called(asked)} of {table.table.name}?"
    if not there:
        question += f" If it is none that AffineCal knows, add {wanted}."
    return MissingHalf(question, reason, PropertyQuestion(table.key, question))


def _properties(tables: Sequence[LoadedTable], kind: ValueKind) -> list[Property]:
    found: dict[str, Property] = {}
    for loaded in tables:
        for quantity in loaded.table.properties(kind):
            found.setdefault(quantity.key, quantity)
    return list(found.values())


def _tables_with(tables: Sequence[LoadedTable], kind: ValueKind) -> str:
    names = [loaded.table.name for loaded in tables if loaded.table.properties(kind)]
    return f"{_listed(names)} {'has' if len(names) == 1 else 'have'} {_WORDS[kind]}"


def _called(quantity: Property) -> str:
    """Return the name of a property inside a sentence; a heading that is no known one is quoted."""
    return quantity.title.lower() if quantity.is_known else f"\u201c{quantity.title}\u201d"


def _listed(words: Sequence[str]) -> str:
    shown = list(words[:LISTED])
    if len(words) > LISTED:
        shown.append(f"{len(words) - LISTED} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
