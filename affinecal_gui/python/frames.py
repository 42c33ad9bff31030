"""Files -> data frames, and data frames -> the tables that the services of the study understand.

A frame that was read from a file and handed to a study gives the very numbers that the file gives: its headings and rows
stand as in the file, and a column is made numbers only where every cell of it is one.
"""

import os
import warnings
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from affinecal_gui.python.arguments import one_of, text, texts, whole_number
from affinecal_gui.python.cells import cell_text
from affinecal_gui.python.choosing import Errors
from affinecal_gui.python.places import LINE, lines_of
from affinecal_gui.python.sentences import as_value_errors, refuse
from affinecal_gui.tables.cells.number_formats import FormatGuess, guess_number_format
from affinecal_gui.tables.cells.numbers import read_number_column
from affinecal_gui.tables.errors import TableError, shortened
from affinecal_gui.tables.evidence.column_evidence import label_of
from affinecal_gui.tables.evidence.unit_guesses import fits_heading
from affinecal_gui.tables.headings.column_roles import ColumnRole, Roles
from affinecal_gui.tables.headings.role_names import VALUE_ROLES, Role
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.raw_table import DecimalMark, Delimiter, RawTable, TextColumn
from affinecal_gui.tables.reading import read_table as read_raw_table
from affinecal_gui.tables.simulations.reasons import REASONS, Reason
from affinecal_gui.tables.text.options import ReadOptions
from affinecal_gui.tables.units.properties import PROPERTIES
from affinecal_gui.tables.units.units import UnitProblem, conversion
from affinecal_gui.tables.words import is_missing_word

Thousands = Literal["", ",", ".", " ", "'"]
"""Marks between thousands; "": there are none."""

SAMPLE_CELLS = 2_000
"""Cells of a column that are looked at to tell its decimal mark."""

_NUMBERS: frozenset[Role] = VALUE_ROLES | {
    "uncertainty", "lowest", "highest", "repeats", "temperature", "fraction", "descriptor",
}  # fmt: skip
"""Roles of columns that hold numbers; columns of ids, for example, stay texts even if they look like numbers."""


def read_table(
    path: str | os.PathLike[str],
    *,
    encoding: str | None = None,
    delimiter: Delimiter | None = None,
    decimal: DecimalMark | None = None,
    thousands: Thousands | None = None,
    header_line: int | None = None,
    sheet: str | None = None,
    use_flagged: Reason | Collection[Reason] = (),
    errors: Errors = "raise",
) -> pd.DataFrame:
    """Read a table of any format that the window reads: text, workbooks, Parquet, JSON, structures.

    Parameters
    ----------
    path
        The file.
    encoding, delimiter, decimal, thousands, header_line, sheet
        How it is read; what is None is found out. ``header_line`` counts from 1, 0 means that there are no headings.
    use_flagged
        A reason, such as "not-equilibrated", or several, for which values of simulations are used though the simulation
        itself says that they failed a check.
    errors
        "raise": a row with more cells than there are headings is a ValueError; "report": it is left out, and listed in
        ``attrs["notes"]``.

    Returns
    -------
    DataFrame
        The headings and rows of the file; the index is the line of each row. Columns of values, uncertainties, temperatures
        and descriptors are numbers (in the unit of the file) where all of their cells are numbers or empty; everything else
        is text, None where a cell is empty. ``attrs["units"]`` has the units that the file names by heading,
        ``attrs["name"]`` and ``attrs["path"]`` the file, ``attrs["notes"]`` what was put right while it was read, and
        ``attrs["questions"]`` what its decimal marks leave open.

    Raises
    ------
    ValueError
        The file is missing, locked, empty or no table, or has such a row.
    """
    one_of(errors, get_args(Errors), "errors")
    flagged = tuple(one_of(reason, REASONS, "use_flagged") for reason in texts(use_flagged, "use_flagged") or ())
    options = ReadOptions(
        encoding=text(encoding, "encoding"),
        delimiter=one_of(delimiter, get_args(Delimiter), "delimiter"),
        decimal=one_of(decimal, get_args(DecimalMark), "decimal"),
        thousands=one_of(thousands, get_args(Thousands), "thousands"),
        header_line=whole_number(header_line, "header_line"),
        sheet=text(sheet, "sheet"),
        use_flagged=flagged or None,
    )
    if thousands and thousands == decimal:
        raise ValueError(f"decimal and thousands cannot both be {decimal!r}")
    with as_value_errors():
        raw = read_raw_table(path, options)
        ragged = [
            f"{raw.name}, line {skipped.line}: {skipped.reason}." for skipped in raw.skipped if skipped.kind == "ragged"
        ]
        if errors == "raise":
            refuse(ragged, "Put cells that hold delimiters in quotation marks.")
        roles = guess_roles(raw)
        frame = frame_of(raw, roles)
    # What a study would say of the numbers has to be said now: it will not see how they were written.
    numeric = [c for c in roles.columns if pd.api.types.is_float_dtype(frame[c.heading])]
    assumed = [(column.heading, _marks_of(raw, column).note) for column in numeric]
    marks = [f"{raw.name}: {shortened(heading)}: {note}." for heading, note in assumed if note]
    frame.attrs["notes"] += [*ragged, *marks]
    for note in marks:
        warnings.warn(note, UserWarning, stacklevel=2)
    return frame


def frame_of(raw: RawTable, roles: Roles) -> pd.DataFrame:
    """Return a file as a data frame; see :func:`read_table`."""
    columns = {role.heading: _cells(raw, role) for role in roles.columns}
    frame = pd.DataFrame(columns, index=pd.Index(raw.lines, name=LINE))
    # Where a column may have either mark, all of its texts are looked at again by the study.
    doubtful = [role for role in roles.columns if role.role in _NUMBERS and not _is_certain(raw, role)]
    marks = set() if doubtful else {role.style.decimal for role in roles.columns if role.role in _NUMBERS}
    asked = {question.about: question.text for question in reversed(roles.open)}  # the first is about the marks
    frame.attrs = {
        "name": raw.name,
        "path": str(Path(raw.path).absolute()),
        "units": {heading: unit for n, heading in enumerate(raw.headings) if (unit := label_of(raw, n).unit)},
        "notes": list(raw.notes),
        "decimal": marks.pop() if len(marks) == 1 else None,
        "questions": {role.heading: asked[role.column] for role in doubtful if role.column in asked},
    }
    return frame


def _cells(raw: RawTable, role: ColumnRole) -> Any:
    """Return the cells of a column as numbers, if there is no doubt that they are these numbers, else as text."""
    column = raw.columns[role.column]
    if role.role in _NUMBERS:
        numbers = read_number_column(column, role.style)
        if all(is_missing_word(column[row]) for row in numbers.odd) and _is_certain(raw, role):
            return numbers.values
    return np.array([cell or None for cell in column], dtype=object)


def _is_certain(raw: RawTable, role: ColumnRole) -> bool:
    """Whether the cells of a column tell by themselves which of their marks is the decimal one; if not, a study asks."""
    guess = _marks_of(raw, role)
    return guess.certain and guess.format == role.style


def _marks_of(raw: RawTable, role: ColumnRole) -> FormatGuess:
    """Return the decimal and thousands marks that the cells of a column have."""
    return guess_number_format(
        [cell for cell in raw.columns[role.column][:SAMPLE_CELLS] if not is_missing_word(cell)],
        chosen=raw.decimal,
        delimiter=raw.delimiter if raw.format == "text" else None,
        fits=fits_heading(role.unit, role.quantity),
    )


def table_of(
    frame: pd.DataFrame, called: str, units: Mapping[str, str] | None = None, *, path: str | None = None
) -> RawTable:
    """Return a data frame as a table of texts, which the services of the study read like any other.

    Parameters
    ----------
    frame
        Polymers and their values; a named index is a column, too.
    called
        What to call it in sentences, if it does not say so itself.
    units
        Units by heading, beside those of ``attrs["units"]`` and of the headings; others are passed over.
    path
        Of the table in the study; None for that of the frame.

    Raises
    ------
    TypeError
        It is no data frame.
    ValueError
        Two columns have one name, or a unit contradicts the heading.
    """
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(
            f"{called} must be a pandas DataFrame, not {type(frame).__name__}; read a file with read_table()."
        )
    name = str(frame.attrs.get("name") or called)
    units = {**_said(frame.attrs.get("units")), **_said(units)}
    frame = _with_named_index(frame)
    headings = tuple(map(_heading, frame.columns))
    twice = sorted({heading for heading in headings if headings.count(heading) > 1})
    if twice:
        raise ValueError(f"{name} has more than one column called “{twice[0]}”. Rename one of them.")
    decimal = _decimal(frame)
    raw = RawTable(
        path=path or str(frame.attrs.get("path") or name),
        name=name,
        format="frame",
        headings=headings,
        columns=tuple(
            TextColumn.of(cell_text(value, decimal) for value in frame.iloc[:, number])
            for number in range(len(headings))
        ),
        lines=np.array(lines_of(frame), dtype=np.int64),
        decimal=decimal,
    )
    return _with_units(raw, units)


def _heading(column: object) -> str:
    """Return the name of a column as a heading: the levels of one that has several stand beside each other."""
    levels = column if isinstance(column, tuple) else (column,)
    return " ".join(part for level in levels if (part := cell_text(level, ".")))


def _with_named_index(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame whose index is a column as well, if it has a name: names and ids often stand there."""
    names = [name for name in frame.index.names if name not in (None, LINE) and name not in frame.columns]
    if not names:
        return frame
    levels = {_heading(name): frame.index.get_level_values(frame.index.names.index(name)) for name in names}
    named = frame.set_axis(pd.Index(map(_heading, frame.columns), dtype=object), axis=1)
    return pd.concat([pd.DataFrame(levels, index=frame.index), named], axis=1)


def _decimal(frame: pd.DataFrame) -> DecimalMark | None:
    """Return the decimal mark of the texts of a frame; None where they have to be looked at."""
    if "decimal" in frame.attrs:
        said = frame.attrs["decimal"]
        return said if said in (".", ",") else None
    texts = [frame.iloc[:, number] for number in range(frame.shape[1])]
    for column in texts:
        if pd.api.types.is_numeric_dtype(column):
            continue
        if any(isinstance(value, str) and value[:1].isdigit() and "," in value for value in column):
            return None
    return "."


def _said(units: object) -> dict[str, str]:
    if units is None:
        return {}
    if not isinstance(units, Mapping):
        raise TypeError("units must be a mapping of headings to units, for example {'Cp': 'J/(g K)'}")
    return {str(heading).strip(): str(unit).strip() for heading, unit in units.items() if unit is not None}


def _with_units(raw: RawTable, units: Mapping[str, str]) -> RawTable:
    """Give columns the units that are said of them, as if they stood in a row below the headings."""
    for number, heading in enumerate(raw.headings):
        written = label_of(raw, number).unit
        if heading in units and written and not _is_one_unit(units[heading], written):
            raise TableError(
                f"{raw.name}, column {heading}: the heading names the unit {written}, but {units[heading]} was said of it. "
                "Correct one of them."
            )
    below = tuple(units.get(heading, "") for heading in raw.headings)
    return replace(raw, units=below if any(below) else ())


def _is_one_unit(one: str, other: str) -> bool:
    """Whether two texts name the same unit, however it is written: "g/cm3" and "g cm^-3"."""
    bare = [unit.replace(" ", "").strip("[]()") for unit in (one, other)]
    if bare[0] == bare[1]:
        return True
    for quantity in PROPERTIES:
        try:
            ways = [conversion(unit, quantity) for unit in (one, other)]
        except UnitProblem:
            continue
        return ways[0] == replace(ways[1], written=ways[0].written, assumed=ways[0].assumed)
    return False
