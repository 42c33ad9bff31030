"""Rows that do not belong to the table above them: below other headings, another unit, or a title of other values."""

from collections.abc import Sequence

from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.evidence.column_evidence import SAMPLE_CELLS, is_unit_of
from affinecal_gui.tables.headings.column_roles import ColumnRole
from affinecal_gui.tables.headings.heading_units import split_heading
from affinecal_gui.tables.headings.heading_words import HEADINGS, MD_WORDS, MEASURED_WORDS, VALUE_WORDS, words_of
from affinecal_gui.tables.headings.role_names import VALUE_ROLES
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.units.property_names import simplified
from affinecal_gui.tables.units.unit_spelling import plainly_spelled
from affinecal_gui.tables.units.units import is_unit_text
from affinecal_gui.tables.words import is_missing_word
from affinecal_gui.task import UNWATCHED, Task

ROWS_AT_ONCE = 10_000  # between two questions whether to stop

SAVE_APART = "Save that table as a file of its own"
"""What to do about rows that stand in another table below."""


def rows_below(
    raw: RawTable, key: ColumnRole, values: Sequence[ColumnRole], task: Task
) -> tuple[dict[int, str], list[str]]:
    """Find the rows of a further table in the same columns, and those whose values have another unit.

    A further table begins with a row of headings that names the polymers as the first did and calls a value otherwise.
    Another unit begins with a row that has no polymer and nothing but a unit among its values, with the name of the
    property or without, or that holds a title alone which names one. Values of the other kind begin below a title such as
    "Calculated" in a table of measured ones.

    Parameters
    ----------
    raw
        The table.
    key
        The column of repeat units, or of ids where there is none.
    values
        The columns of values, at least one.
    task
        Asked whether to stop.

    Returns
    -------
    Row -> why it cannot be used, and a note for each place where such rows begin.
    """
    called = {simplified(key.heading), *HEADINGS["smiles" if key.role == "smiles" else "id"]}
    below: dict[int, str] = {}
    notes: list[str] = []
    reason = ""
    for row, cell in enumerate(task.each(raw.columns[key.column], ROWS_AT_ONCE)):
        if "*" not in cell:
            here = f"{raw.name}, line {raw.lines[row]}: "
            if simplified(cell) in called:
                other = _other_heading(raw, row, values)
                if other is None:
                    continue
                if other and not reason:
                    notes.append(
                        f"{here}another table begins here, with “{shortened(other)}” for “{shortened(values[0].heading)}”. "
                        "Its rows are not used; save it as a file of its own."
                    )
                reason = f"it stands in another table below, under “{shortened(other)}”" if other else ""
            elif (title := _title(raw, row, cell, values)) and (found := _said_by(title, values)) is not None:
                if found and not reason:
                    notes.append(
                        f"{here}below the title “{shortened(title)}” stand {found}. The rows below are not used; save them "
                        "as a file of their own."
                    )
                reason = f"it stands below the title “{shortened(title)}”" if found else ""
            elif (unit := _unit_alone(raw, row, cell, values)) is not None:
                if unit and not reason:
                    notes.append(
                        f"{here}another unit begins here, “{shortened(unit)}” under “{shortened(values[0].heading)}”. "
                        "The rows below are not used; save them as a file of their own."
                    )
                reason = f"it stands below another unit, “{shortened(unit)}”" if unit else ""
        if reason:
            below[row] = reason
    return below, notes


def rows_above(raw: RawTable, columns: Sequence[ColumnRole], task: Task = UNWATCHED) -> int:
    """Return how many rows belong to the table itself, before those of a further one or of another unit begin.

    Only the first rows are looked at, by which a column is judged; where nothing begins among them it is the number of all.
    """
    key = next((c for role in ("smiles", "id") for c in columns if c.role == role), None)
    values = [column for column in columns if column.role in VALUE_ROLES]
    if key is None or not values:
        return raw.row_count
    below, _ = rows_below(raw.head(SAMPLE_CELLS), key, values, task)
    return min(below, default=raw.row_count)


LONGEST_TITLE = 60


def _title(raw: RawTable, row: int, polymer: str, values: Sequence[ColumnRole]) -> str:
    """Return the only text of a row that has nothing else, as a title between rows has; "" for any other row."""
    if any(not is_missing_word(raw.columns[column.column][row]) for column in values):
        return ""
    filled = [cell for cell in (polymer, *raw.row(row)) if cell][:3]
    is_alone = len(filled) == 1 or (len(filled) == 2 and filled[0] == polymer)
    return filled[-1] if is_alone and len(filled[-1]) <= LONGEST_TITLE else ""


def _said_by(title: str, values: Sequence[ColumnRole]) -> str | None:
    """Return what a title says of the rows below it that is not true of those above; "" if it agrees; None if nothing."""
    words = set(words_of(title))
    kinds = {kind for kind, of in (("md", MD_WORDS), ("measured", MEASURED_WORDS)) if words & of}
    if len(kinds) == 1 and words <= MD_WORDS | MEASURED_WORDS | VALUE_WORDS:
        kind = kinds.pop()
        if all(column.role == kind for column in values):
            return ""
        return "MD values" if kind == "md" else "measured values"
    unit = split_heading(title)[1]
    found = next((c for c in values if c.quantity is not None and unit and is_unit_of(unit, c.quantity)), None)
    if found is None:
        return None
    return "" if plainly_spelled(unit) == plainly_spelled(found.unit) else f"values in {shortened(unit)}"


def _other_heading(raw: RawTable, row: int, values: Sequence[ColumnRole]) -> str | None:
    """Return the first heading in a row that differs from that of its column, "" if none does; None for other rows."""
    found = [(column.heading, raw.columns[column.column][row]) for column in values]
    written = [(heading, text) for heading, text in found if not is_missing_word(text)]
    if not any(any(map(str.isalpha, text)) for _, text in written):
        return None
    return next((text for heading, text in written if simplified(text) != simplified(heading)), "")


def _unit_alone(raw: RawTable, row: int, polymer: str, values: Sequence[ColumnRole]) -> str | None:
    """Return the unit that a row without a polymer names, "" where it is that of its column; None for other rows."""
    if not is_missing_word(polymer):
        return None
    named = [(column, _unit_in(raw.columns[column.column][row], column)) for column in values]
    units = [(column, unit) for column, unit in named if unit]
    if not units:
        return None
    return next((unit for column, unit in units if plainly_spelled(unit) != plainly_spelled(column.unit)), "")


def _unit_in(cell: str, column: ColumnRole) -> str:
    """Return the unit that is all of a cell, or stands there behind the name of the column: "°C", "Tg (°C)"."""
    if not any(map(str.isalpha, cell)):
        return ""
    if is_unit_text(cell):
        return cell
    name, unit = split_heading(cell)
    return unit if simplified(name) == simplified(split_heading(column.heading)[0]) else ""
