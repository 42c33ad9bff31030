"""The words of the import preview: roles, marks, encodings, and what can be done about a row that is not used."""

from collections.abc import Mapping
from typing import NamedTuple

from affinecal_gui.tables.cells.numbers import looks_numeric
from affinecal_gui.tables.headings.column_roles import ColumnRole
from affinecal_gui.tables.headings.role_names import Role
from affinecal_gui.tables.problems import RowProblem
from affinecal_gui.tables.raw_table import DecimalMark, Delimiter, RawTable

ROLE_TITLES: Mapping[Role, str] = {
    "ignored": "Not used",
    "detail": "Kept as text",
    "name": "Name",
    "id": "Id",
    "smiles": "Repeat unit",
    "measured": "Measured value",
    "md": "MD value",
    "uncertainty": "Uncertainty",
    "lowest": "Lowest value",
    "highest": "Highest value",
    "range": "Range found",
    "repeats": "Number of reports",
    "unit": "Unit of each row",
    "temperature": "Temperature",
    "phase": "Phase",
    "source": "Source",
    "fraction": "Fraction",
    "descriptor": "Descriptor",
}

QUIET_ROLES: frozenset[Role] = frozenset(("ignored", "detail"))

DELIMITERS: Mapping[Delimiter, str] = {
    ",": "Comma ,",
    ";": "Semicolon ;",
    "\t": "Tab",
    "|": "Bar |",
    "whitespace": "Blanks",
    "none": "One column",
}

DECIMAL_MARKS: Mapping[DecimalMark, str] = {".": "Point", ",": "Comma"}

THOUSANDS_MARKS: Mapping[str, str] = {"": "None", ",": "Comma", ".": "Point", " ": "Space", "'": "Apostrophe"}

ENCODINGS: Mapping[str, str] = {
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "cp1252": "Windows-1252",
    "cp932": "Shift JIS",
    "gb18030": "GB 18030",
    "latin-1": "Latin-1",
    "cp1251": "Windows-1251",
    "mac-roman": "Mac Roman",
}


def encoding_key(encoding: str) -> str:
    """Return the entry of :data:`ENCODINGS` that an encoding belongs to, or its own name."""
    plain = encoding.lower().replace("_", "-")
    plain = {"utf-8-sig": "utf-8", "utf8": "utf-8", "windows-1252": "cp1252", "iso-8859-1": "latin-1"}.get(plain, plain)
    return "utf-16" if plain.startswith("utf-16") else plain


def type_words(column: ColumnRole, cells: tuple[str, ...]) -> str:
    """Say what the cells of a column are, where there is nothing to choose."""
    if column.role == "smiles":
        return "SMILES, two ends *"
    if column.role == "range":
        return "lowest to highest"
    if column.role in ("repeats", "descriptor", "fraction", "uncertainty", "lowest", "highest"):
        return "number"
    filled = [cell for cell in cells if cell]
    numeric = sum(looks_numeric(cell) for cell in filled)
    return "number" if filled and numeric > 0.7 * len(filled) else "text"


class WayOut(NamedTuple):
    """What the user can do about a row that is not used."""

    words: str
    column: str = ""  # heading of the cell to change; "" where nothing can be done here
    text: str = ""  # to put there at once, or to begin with
    at_once: bool = False


def way_out(problem: RowProblem, raw: RawTable, smiles: str) -> WayOut:
    """Return what to offer for a problem.

    Parameters
    ----------
    problem
        The row.
    raw
        The table.
    smiles
        Heading of the column of repeat units; "" without one.
    """
    if problem.is_total:
        return WayOut("nothing needed")
    if problem.column not in raw.headings:
        return WayOut(problem.suggestion or "see the file")
    if problem.suggestion.startswith("Read as "):
        return WayOut(problem.suggestion, problem.column, problem.suggestion.removeprefix("Read as "), at_once=True)
    if problem.column == smiles:
        if problem.text and "no repeat unit" not in problem.reason:
            return WayOut("Edit", problem.column, problem.text)
        return WayOut("Type it", problem.column, "")
    return WayOut("Type a value", problem.column, problem.text)
