"""The rows of a study by columns: what a table of hundreds of thousands of polymers is sorted, filtered and searched by.

Going through the rows one by one takes longer than a window may be deaf. Whoever makes rows makes their columns as well, in
the background; nothing here is one long call, so that other threads get the interpreter in between.
"""

import heapq
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.study.snapshot import PolymerRow, RowState, Snapshot
from affinecal_gui.task import UNWATCHED, Task

TextColumn = Literal["label", "smiles", "state"]
STATES: tuple[RowState, ...] = get_args(RowState)
_STATE_NUMBERS = {state: number for number, state in enumerate(STATES)}
_Array = TypeVar("_Array", bound="np.ndarray[Any, Any]")
CHUNK = 5_000  # rows in one call that keeps the interpreter to itself
SORTED = 2_000  # texts that are sorted in one such call
_LETTERS_AT_ONCE = 500_000  # counted in one such call
_ROWS_AT_ONCE = 500  # looked at between two questions whether to stop
SEARCHED = 20_000  # rows that are searched in one step
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True, eq=False)
class RowColumns:
    """The columns of r rows, in their order."""

    rows: tuple[PolymerRow, ...]
    number_of: Mapping[str, int]  # position of a row by its key
    keys: NDArray[np.int64]  # (r,) a number for each key, by which many of them are compared at once
    measured: FloatArray  # (r,)
    md: FloatArray  # (r,)
    training_index: NDArray[np.intp]  # (r,)
    library_index: NDArray[np.intp]  # (r,)
    states: NDArray[np.int8]  # (r,) positions in STATES
    texts: "SearchedTexts"
    _ranks: dict[TextColumn, NDArray[np.int32]] = field(default_factory=dict, repr=False)

    def in_state(self, state: RowState) -> NDArray[np.bool_]:
        """Return which rows are in a state."""
        found: NDArray[np.bool_] = self.states == _STATE_NUMBERS[state]
        return found

    def ranks(self, column: TextColumn, *, task: Task = UNWATCHED) -> NDArray[np.int32]:
        """Return the place of each row in the order of a text; equal texts, whatever their case, have equal places."""
        known = self._ranks.get(column)
        if known is None:
            known = self._ranks[column] = natural_ranks(
                [text_of(row, column) for row in task.each(self.rows, _ROWS_AT_ONCE)], task=task
            )
        return known

    def has_ranks(self, column: TextColumn) -> bool:
        """Whether :meth:`ranks` answers at once."""
        return column in self._ranks or len(self.rows) <= CHUNK

    def with_states(self, rows: tuple[PolymerRow, ...], *, task: Task = UNWATCHED) -> "RowColumns":
        """Return the columns of the same rows, of which state, reason and place in the fit may have changed."""
        states = _states(task.each(rows, _ROWS_AT_ONCE), len(rows))
        training = _integers([row.training_index for row in task.each(rows, _ROWS_AT_ONCE)])
        return replace(self.in_states(rows, states), training_index=training)

    def in_states(self, rows: tuple[PolymerRow, ...], states: NDArray[np.int8]) -> "RowColumns":
        """Return the columns of the same rows in other ``states`` (r,); what is known of the order of texts stays."""
        ranks: dict[TextColumn, NDArray[np.int32]] = {
            column: ranks for column, ranks in self._ranks.items() if column != "state"
        }
        return replace(self, rows=rows, states=states, _ranks=ranks)


def with_left_out(snapshot: Snapshot, before: frozenset[str], now: frozenset[str]) -> Snapshot:
    """Show at once which rows were just left out or taken back in; the calibration follows later.

    Parameters
    ----------
    before, now
        Keys of the rows that were left out of the calibration at hand, and of those that shall be.
    """
    columns = columns_of(snapshot) if before != now else None
    if columns is None:
        return snapshot
    rows, states = list(snapshot.rows), columns.states.copy()
    for key in before ^ now:
        number = columns.number_of.get(key, -1)
        if number < 0:
            continue
        state: RowState = "left out" if key in now else "waiting"
        if rows[number].state == ("used" if key in now else "left out"):
            rows[number] = replace(rows[number], state=state)
            states[number] = _STATE_NUMBERS[state]
    states.flags.writeable = False
    shown = tuple(rows)
    return replace(snapshot, rows=shown, columns=columns.in_states(shown, states))


def row_columns(rows: tuple[PolymerRow, ...], *, task: Task = UNWATCHED) -> RowColumns:
    """Take rows apart."""

    def every() -> Iterator[PolymerRow]:
        return task.each(rows, _ROWS_AT_ONCE)

    columns = RowColumns(
        rows,
        {row.key: number for number, row in enumerate(every())},
        _read_only(np.fromiter((hash(row.key) for row in every()), np.int64, len(rows))),
        _floats([row.measured for row in every()]),
        _floats([row.md for row in every()]),
        _integers([row.training_index for row in every()]),
        _integers([row.library_index for row in every()]),
        _states(every(), len(rows)),
        SearchedTexts.of(rows, task=task),
    )
    columns.ranks("label", task=task)  # the order in which tables are shown at first
    return columns


def columns_of(snapshot: Snapshot) -> RowColumns:
    """Return the columns of a snapshot's rows: those made with them, or new ones."""
    made = snapshot.columns
    if isinstance(made, RowColumns) and made.rows is snapshot.rows:
        return made
    return row_columns(snapshot.rows)


@dataclass(frozen=True, slots=True, eq=False)
class SearchedTexts:
    """Name, id and repeat unit of every row, one behind the other, in small letters and UTF-8."""

    _letters: NDArray[np.uint8]
    _starts: NDArray[np.intp]  # where the text of each row begins
    _frequencies: NDArray[np.intp]  # of the 256 bytes

    @classmethod
    def of(cls, rows: Sequence[PolymerRow], *, task: Task = UNWATCHED) -> "SearchedTexts":
        """Collect the texts."""
        parts: list[bytes] = []
        sizes = np.zeros(len(rows), dtype=np.intp)
        for start in range(0, len(rows), CHUNK):
            part = task.each(rows[start : start + CHUNK], _ROWS_AT_ONCE)
            texts = [searched_text(row).encode() for row in part]
            sizes[start : start + len(texts)] = [len(text) for text in texts]
            parts.append(b"".join(texts))
        letters = np.frombuffer(b"".join(parts), dtype=np.uint8)
        starts = np.zeros(len(rows), dtype=np.intp)
        np.cumsum(sizes[:-1], out=starts[1:])
        frequencies = np.zeros(256, dtype=np.intp)
        for start in task.each(range(0, letters.size, _LETTERS_AT_ONCE), 1):
            frequencies += np.bincount(letters[start : start + _LETTERS_AT_ONCE], minlength=256)
        return cls(letters, _read_only(starts), _read_only(frequencies))

    def containing(self, word: str, *, task: Task = UNWATCHED) -> NDArray[np.bool_]:
        """Return the rows in which a word, or several on one line, occurs; small and large letters are the same.

        Raises
        ------
        Cancelled
            When the task was cancelled; it is asked every few milliseconds.
        """
        sought = np.frombuffer(word.casefold().encode(), dtype=np.uint8)
        found = np.zeros(self._starts.size, dtype=np.bool_)
        if not sought.size:
            found[:] = True
            return found
        rarest = int(np.argmin(self._frequencies[sought]))
        for first in task.each(range(0, self._starts.size, SEARCHED), 1):
            starts = self._starts[first : first + SEARCHED]
            after = first + starts.size
            end = self._starts[after] if after < self._starts.size else self._letters.size
            letters = self._letters[starts[0] : end]
            places = np.flatnonzero(letters == sought[rarest]) - rarest
            places = places[(places >= 0) & (places <= letters.size - sought.size)]
            for offset, letter in enumerate(sought):
                if offset != rarest:
                    places = places[letters[places + offset] == letter]
            # Every text ends in a line break, which no word contains, so that a word lies in one text.
            found[first + np.searchsorted(starts - starts[0], places, side="right") - 1] = True
        return found


def searched_text(row: PolymerRow) -> str:
    """Return what a filter looks into: name, id and repeat unit."""
    return f"{row.name}\n{row.id}\n{row.smiles}\n".casefold()


def text_of(row: PolymerRow, column: TextColumn) -> str:
    """Return the text by which rows are sorted."""
    if column == "label":
        return row.label
    return row.smiles if column == "smiles" else state_text(row)


def state_text(row: PolymerRow) -> str:
    """Return state and reason as one text: "invalid: one attachment point only"."""
    if not row.reason or row.reason.casefold().startswith(row.state.casefold()):
        return row.reason or row.state
    return f"{row.state}: {row.reason}"


def natural_key(text: str) -> str:
    """Return a key by which "nylon 6" comes before "nylon 11"."""
    return _DIGITS.sub(lambda digits: digits[0].zfill(12), text.casefold())


def natural_ranks(texts: Sequence[str], *, task: Task = UNWATCHED) -> NDArray[np.int32]:
    """Return the place of every text among all of them in the order of :func:`natural_key`.

    Sorting all of them would be one long call that keeps the interpreter to itself; parts are sorted and merged. Texts
    that occur again, such as states, are looked at once.
    """
    known: dict[str, int] = {}
    numbers = [known.setdefault(text, len(known)) for text in task.each(texts, CHUNK)]
    parts: list[list[tuple[str, int]]] = []
    part: list[tuple[str, int]] = []
    for text, number in task.each(known.items(), SORTED):
        part.append((natural_key(text), number))
        if len(part) == SORTED:
            part.sort()
            parts.append(part)
            part = []
    ranks = np.zeros(len(known), dtype=np.int32)
    rank, last = -1, None
    for key, number in task.each(heapq.merge(*parts, sorted(part)), SORTED):
        if key != last:
            rank, last = rank + 1, key
        ranks[number] = rank
    return _read_only(ranks[np.array(numbers, dtype=np.intp)])


def _states(rows: Iterable[PolymerRow], count: int) -> NDArray[np.int8]:
    return _read_only(np.fromiter((_STATE_NUMBERS[row.state] for row in rows), np.int8, count))


def _floats(values: list[float]) -> FloatArray:
    return _read_only(np.array(values, dtype=np.float64))


def _integers(values: list[int]) -> NDArray[np.intp]:
    return _read_only(np.array(values, dtype=np.intp))


def _read_only(array: _Array) -> _Array:
    array.flags.writeable = False
    return array


def is_measured(columns: RowColumns) -> NDArray[np.bool_]:
    """Return which rows belong to the list of measured polymers; the others have an MD value only."""
    md_only = columns.in_state("predicted") | (columns.library_index >= 0) | ~np.isnan(columns.md)
    return ~np.isnan(columns.measured) | ~md_only


def without_md(columns: RowColumns) -> NDArray[np.bool_]:
    """Return which rows are measured polymers with a repeat unit that nobody has simulated."""
    found = columns.in_state("no MD value") & np.isfinite(columns.measured) & (columns.library_index < 0)
    for number in np.flatnonzero(found).tolist():
        found[number] = bool(columns.rows[number].smiles)
    return found
