"""Files of text that are no tables at all, such as a letter: they are refused as what they are."""

from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.headings.column_roles import Roles
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.text.layout import usual_words

_OF_ANY_TEXT = ("ignored", "name", "detail")  # roles that words without any meaning get as well
_ROWS_LOOKED_AT = 100


def refuse_other_texts(raw: RawTable, roles: Roles) -> None:
    """Refuse a file in which no column is understood and no cell begins with a digit.

    Raises
    ------
    TableError
        It is no table; the sentence says what one looks like.
    """
    if any(column.role not in _OF_ANY_TEXT for column in roles.columns):
        return
    cells = [cell for column in raw.columns for cell in column[:_ROWS_LOOKED_AT]]
    if any(cell[:1].isdigit() for cell in cells) or (not cells and usual_words(raw.headings)):
        return
    raise TableError(
        f"{raw.name} is no table of polymers: none of its columns could be understood, and no cell holds a number. "
        "A table begins with a line of headings, such as “smiles,Cp [J/(kg K)]”, and has a line for each polymer below."
    )
