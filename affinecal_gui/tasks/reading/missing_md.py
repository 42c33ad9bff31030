"""What is said of a table without MD values of the property that is calibrated."""

from collections.abc import Iterable

from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.headings.column_roles import ColumnRole
from affinecal_gui.tables.units.properties import Property

_MOST_NAMED = 5


def lacks_md(name: str, quantity: Property) -> str:
    """Return that a table has no such column: the beginning of a sentence."""
    return f"{name} has no column of MD values of {quantity.title.lower()}"


def told_without_md(name: str, quantity: Property, unused: Iterable[ColumnRole]) -> str:
    """Return the same as a sentence that names the columns of values which are not used, as one may have been meant."""
    named = [f"“{shortened(column.heading)}”" for column in unused]
    if not named:
        return f"{lacks_md(name, quantity)}."
    return (
        f"{lacks_md(name, quantity)}; {', '.join(named[:_MOST_NAMED])} {'is' if len(named) == 1 else 'are'} not used."
    )
