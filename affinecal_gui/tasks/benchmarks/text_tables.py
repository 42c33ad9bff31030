"""Reads the tables of texts: an embedding and a score or class for each, and how often each has which phrase."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from affinecal_gui.calibration.networks.fitting import Loss
from affinecal_gui.calibration.networks.texts import FEWEST, TextData
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.tables.cells.numbers import read_number_column
from affinecal_gui.tables.errors import TableError, shortened
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.reading import read_table
from affinecal_gui.task import UNWATCHED, Task

PHRASE, COUNT = "phrase", "count"
"""Headings of a table of counts that has a row for each phrase of each text."""

_NUMBERS = 0.5  # share of cells from which on a column is one of numbers


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of two tables."""

    names: tuple[str, ...]  # (n,)
    phrases: tuple[str, ...]  # (d,)
    classes: tuple[str, str] | None  # what 0 and 1 of y are; None of scores
    columns: tuple[str, ...]  # (p,) headings of the embedding
    data: TextData


def read_texts(embeddings: Path, counts: Path, target: str, *, task: Task = UNWATCHED) -> tuple[Texts, tuple[str, ...]]:
    """Return the texts of a table of embeddings and a table of counts, and sentences on what was left out.

    The first column of both names the text. The table of embeddings has the column ``target``, of scores or of two
    classes, and columns of numbers. The table of counts has either a column for each phrase, or a row for each phrase of a
    text, with the columns :data:`PHRASE` and, unless each row counts once, :data:`COUNT`.

    Raises
    ------
    TableError
        A file cannot be read, a column is missing, a cell is no number (with its line), a text is there twice or in one of
        the tables alone, there are too few texts, or one class, or more than two.
    """
    raw = read_table(embeddings, task=task.silent)
    names = _names(raw)
    _once(raw, names)
    headings = [heading.strip() for heading in raw.headings]
    if target not in headings[1:]:
        raise TableError(f"{raw.name} has no column “{shortened(target)}”, which should hold what is predicted.")
    if len(names) < FEWEST:
        raise TableError(f"{raw.name} has {len(names)} texts; {FEWEST} or more are needed.")
    y, classes = _values(raw, headings.index(target, 1))
    vectors: list[FloatArray] = []
    used, named = [], []
    for number, heading in enumerate(headings):
        task.check()
        if number == 0 or heading == target:
            continue
        values = read_number_column(raw.columns[number]).values
        if np.mean(np.isfinite(values)) < _NUMBERS:
            named.append(heading)
        else:
            vectors.append(_all_numbers(raw, number, values))
            used.append(heading)
    if not vectors:
        raise TableError(f"{raw.name} has no columns of numbers beside “{shortened(target)}”: no embedding.")
    phrases, tallies = _counts(read_table(counts, task=task.silent), raw.name, names, task)
    notes = []
    if named:
        notes.append(f"Columns of text are not used: {', '.join(map(shortened, named))}.")
    loss: Loss = "squared" if classes is None else "logistic"
    return Texts(names, phrases, classes, tuple(used), TextData(np.column_stack(vectors), tallies, y, loss)), tuple(
        notes
    )


def _names(raw: RawTable) -> tuple[str, ...]:
    """Return what the first column calls the texts, once the table is seen to begin with its headings."""
    if (raw.header_line or 1) > 1:
        raise TableError(
            f"{raw.name}: line {raw.header_line} was taken for the headings, since a cell of it is no number where those "
            "below are. Correct it, and let the file begin with its headings."
        )
    if len(raw.columns) < 2:
        raise TableError(
            f"{raw.name} has one column; the first should name the text, and the others say something of it."
        )
    names = tuple(cell.strip() for cell in raw.columns[0])
    if "" in names:
        raise TableError(f"{raw.name}, line {int(raw.lines[names.index('')])}: the first column names no text.")
    return names


def _once(raw: RawTable, names: Sequence[str]) -> None:
    """Refuse a table in which a text has two rows."""
    seen: set[str] = set()
    for row, name in enumerate(names):
        if name in seen:
            raise TableError(
                f"{raw.name}, line {int(raw.lines[row])}: the text “{shortened(name)}” is there already; leave one of its "
                "rows."
            )
        seen.add(name)


def _values(raw: RawTable, number: int) -> tuple[FloatArray, tuple[str, str] | None]:
    """Return scores, or 0 and 1 of two classes and what these are called."""
    cells = [cell.strip() for cell in raw.columns[number]]
    where = f"column “{shortened(raw.headings[number])}”"
    if "" in cells:
        raise TableError(
            f"{raw.name}, line {int(raw.lines[cells.index('')])}, {where}: a value is missing. Add it or remove the row."
        )
    kinds = sorted(set(cells))
    if len(kinds) == 1:
        raise TableError(
            f"{raw.name}, {where}: all texts have “{shortened(kinds[0])}”; there is nothing to tell apart."
        )
    if len(kinds) == 2:
        return np.array([float(cell == kinds[1]) for cell in cells]), (kinds[0], kinds[1])
    values = read_number_column(raw.columns[number]).values
    if np.mean(np.isfinite(values)) < _NUMBERS:
        raise TableError(
            f"{raw.name}, {where}: {len(kinds)} classes ({', '.join(map(shortened, kinds[:3]))} …). Two can be told "
            "apart, or scores predicted."
        )
    return _all_numbers(raw, number, values), None


def _all_numbers(raw: RawTable, number: int, values: NDArray[np.float64]) -> FloatArray:
    wrong = np.flatnonzero(~np.isfinite(values))
    if len(wrong):
        row = int(wrong[0])
        cell = shortened(raw.columns[number][row])
        what = f"“{cell}” is not a number" if cell else "a value is missing"
        where = f"{raw.name}, line {int(raw.lines[row])}, column “{shortened(raw.headings[number])}”"
        raise TableError(f"{where}: {what}. Correct it or remove the row.")
    return values


def _counts(raw: RawTable, other: str, names: Sequence[str], task: Task) -> tuple[tuple[str, ...], csr_array]:
    """Return the phrases, and how often each text has them (n, d), in the order of ``names``."""
    counted = _names(raw)
    if not counted:
        raise TableError(f"{raw.name} has headings and no rows; it should say how often the texts have each phrase.")
    places = {name: place for place, name in enumerate(names)}
    for row, name in enumerate(counted):
        if name not in places:
            raise TableError(
                f"{raw.name}, line {int(raw.lines[row])}: {other} has no row for the text “{shortened(name)}”."
            )
    rows = np.array([places[name] for name in counted], dtype=np.int64)
    headings = [heading.strip() for heading in raw.headings]
    if PHRASE in headings:
        return _counts_by_row(raw, rows, len(names), headings)
    _once(raw, counted)
    missing = [name for name in names if name not in set(counted)]
    if missing:
        raise TableError(
            f"{raw.name} has no row for the text “{shortened(missing[0])}”"
            f"{f' and {len(missing) - 1} others' if len(missing) > 1 else ''} of {other}; add or leave out."
        )
    columns = []
    for number in range(1, len(headings)):
        task.check()
        values = _not_negative(raw, number, _all_numbers(raw, number, read_number_column(raw.columns[number]).values))
        columns.append(values)
    tallies = np.zeros((len(names), len(columns)))
    tallies[rows] = np.column_stack(columns)
    return tuple(headings[1:]), csr_array(tallies)


def _counts_by_row(
    raw: RawTable, rows: NDArray[np.int64], texts: int, headings: Sequence[str]
) -> tuple[tuple[str, ...], csr_array]:
    said = [cell.strip() for cell in raw.columns[headings.index(PHRASE)]]
    phrases = sorted(set(said) - {""})
    places = {phrase: place for place, phrase in enumerate(phrases)}
    if "" in said:
        raise TableError(f"{raw.name}, line {int(raw.lines[said.index('')])}, column “{PHRASE}”: a phrase is missing.")
    often = np.ones(len(said))
    if COUNT in headings:
        number = headings.index(COUNT)
        often = _not_negative(raw, number, _all_numbers(raw, number, read_number_column(raw.columns[number]).values))
    columns = np.array([places[phrase] for phrase in said], dtype=np.int64)
    # Rows of one text and phrase add up.
    return tuple(phrases), csr_array((often, (rows, columns)), shape=(texts, len(phrases)))


def _not_negative(raw: RawTable, number: int, values: FloatArray) -> FloatArray:
    below = np.flatnonzero(values < 0.0)
    if len(below):
        row = int(below[0])
        where = f"{raw.name}, line {int(raw.lines[row])}, column “{shortened(raw.headings[number])}”"
        raise TableError(f"{where}: “{shortened(raw.columns[number][row])}” is negative and no count.")
    return values
