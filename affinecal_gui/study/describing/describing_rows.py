"""From rows to described rows, in order and in bounded memory: each different polymer is described once.

A polymer is told from another by its text as it is written. Another way to write it has the same descriptors, but not to
the last bit; taking them over would make the bytes of a file depend on what was described before.
"""

import contextlib
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.study.describing.describing import (
    CHUNK,
    FORCE_FIELD,
    SECONDS_PER_POLYMER,
    describe_text,
    engine_of,
    reason_of,
)
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.describing.worker_pool import Failed, results_in_order
from affinecal_gui.tables.writing.csv_export import number_text
from affinecal_gui.task import Task

MOST_WAITING = 20_000  # rows that wait for one before them
REMEMBERED_BYTES = 64 << 20  # of results, so that a polymer that comes again is not described again
ASKED_AT_ONCE = 512  # polymers that the cache is asked for, or given, at once: every question costs a transaction

DescribedCells = tuple[bytes | None, str]
"""The descriptors as bytes of a :class:`_Form`, or None and the reason why there are none."""


@dataclass(frozen=True, slots=True)
class RowToDescribe:
    """One row of the input."""

    line: int
    called: str
    text: str  # of its polymer
    problem: str = ""  # why it is no row at all, as a sentence


class _Form(NamedTuple):
    """How descriptors wait as bytes until they are needed."""

    made: Callable[[NDArray[np.float64]], bytes]
    read: Callable[[bytes], NDArray[np.float64]]


def described_cells(text: str, force_field: str = FORCE_FIELD) -> DescribedCells:
    """Describe a polymer and write its numbers as they stand in the file; runs in worker processes."""
    return _described(text, force_field, _CELLS)


def described_numbers(text: str, force_field: str = FORCE_FIELD) -> DescribedCells:
    """Describe a polymer whose numbers are calculated with; runs in worker processes."""
    return _described(text, force_field, _NUMBERS)


def _described(text: str, force_field: str, form: _Form) -> DescribedCells:
    values, reason = describe_text(text, force_field)
    return None if values is None else form.made(values), reason


def _cells(values: NDArray[np.float64]) -> bytes:
    return ",".join(map(number_text, values.tolist())).encode()


def _values_of_cells(cells: bytes) -> NDArray[np.float64]:
    return np.array(cells.split(b","), dtype=np.float64)


_CELLS: Final = _Form(_cells, _values_of_cells)
_NUMBERS: Final = _Form(lambda values: values.tobytes(), np.frombuffer)


def describe_rows(
    rows: Iterator[RowToDescribe],
    write: Callable[[RowToDescribe, DescribedCells], None],
    *,
    jobs: int,
    cache: DescriptorCache | None,
    task: Task,
    as_cells: bool = True,
) -> None:
    """Hand every row with its description to ``write``, in order.

    Parameters
    ----------
    rows
        The rows; taken as they are needed.
    write
        Called once for each.
    jobs
        Worker processes.
    cache
        Where results of earlier runs are found and new ones are kept.
    as_cells
        Hand them over as they stand in a file; else as the bytes of an array of float64, which costs a tenth.

    Raises
    ------
    WorkersCannotStart
        When not a single worker process can be started.
    """
    run = _Run(rows, write, None if cache is None else _Kept(cache, _CELLS if as_cells else _NUMBERS))
    results = results_in_order(
        partial(described_cells if as_cells else described_numbers, force_field=FORCE_FIELD),
        run.chunks(),
        processes=jobs,
        seconds=SECONDS_PER_POLYMER,
        task=task,
    )
    try:
        with contextlib.closing(results):
            for result in results:
                run.take((None, reason_of(result)) if isinstance(result, Failed) else result)
        run.write_finished()
    finally:
        run.keep()


@dataclass(slots=True, eq=False)
class _Polymer:
    """A polymer of the file, and its description once there is one."""

    text: str
    described: DescribedCells | None = None

    @property
    def size(self) -> int:
        cells = self.described[0] if self.described is not None else None
        return 400 + len(self.text) + len(cells or b"")


class _Run:
    """What waits, what is being described, and what is remembered."""

    def __init__(
        self,
        rows: Iterator[RowToDescribe],
        write: Callable[[RowToDescribe, DescribedCells], None],
        kept: "_Kept | None",
    ) -> None:
        self._rows, self._write, self._kept = rows, write, kept
        self._waiting: deque[tuple[RowToDescribe, _Polymer]] = deque()
        self._handed_out: deque[_Polymer] = deque()
        self._known: OrderedDict[str, _Polymer] = OrderedDict()  # the latest come last
        self._known_bytes = 0

    def chunks(self) -> Iterator[tuple[str, ...]]:
        """Take rows; yield the polymers among them that are to be described, some at a time."""
        together = CHUNK if self._kept is None else max(CHUNK, ASKED_AT_ONCE)
        new: list[_Polymer] = []
        for row in self._rows:
            polymer = self._polymer_of(row)
            self._waiting.append((row, polymer))
            if polymer.described is None and polymer.text not in self._known:
                self._known[polymer.text] = polymer
                new.append(polymer)
            while len(new) >= together or len(self._waiting) > MOST_WAITING:
                yield from self._hand_out(new)
                new = []
                self.write_finished()
                if len(self._waiting) > MOST_WAITING:
                    yield ()  # they all wait for one that is being described
        yield from self._hand_out(new)

    def _polymer_of(self, row: RowToDescribe) -> _Polymer:
        if row.problem:
            return _Polymer("", (None, row.problem))
        polymer = self._known.get(row.text)
        if polymer is None:
            return _Polymer(row.text)
        self._known.move_to_end(row.text)
        return polymer

    def _hand_out(self, new: Sequence[_Polymer]) -> Iterator[tuple[str, ...]]:
        """Yield those that the cache does not know."""
        if self._kept is not None:
            found = self._kept.find([polymer.text for polymer in new])
            for polymer in new:
                if polymer.text in found:
                    self._finish(polymer, (found[polymer.text], ""))
            new = [polymer for polymer in new if polymer.described is None]
        for start in range(0, len(new), CHUNK):
            portion = new[start : start + CHUNK]
            self._handed_out.extend(portion)
            yield tuple(polymer.text for polymer in portion)

    def take(self, described: DescribedCells) -> None:
        """Take the description of the polymer that was handed out first."""
        polymer = self._handed_out.popleft()
        self._finish(polymer, described)
        if self._kept is not None and described[0] is not None:
            self._kept.add(polymer.text, described[0])
        self.write_finished()

    def _finish(self, polymer: _Polymer, described: DescribedCells) -> None:
        polymer.described = described
        self._known_bytes += polymer.size
        while self._known_bytes > REMEMBERED_BYTES:
            text, oldest = self._known.popitem(last=False)
            if oldest.described is None:
                self._known[text] = oldest  # is waited for
            else:
                self._known_bytes -= oldest.size

    def write_finished(self) -> None:
        """Write the rows that wait for nothing any more."""
        while self._waiting and (described := self._waiting[0][1].described) is not None:
            row, _ = self._waiting.popleft()
            self._write(row, described)

    def keep(self) -> None:
        """Let the cache keep what is new."""
        if self._kept is not None:
            self._kept.store()


class _Kept:
    """The cache, by the texts of polymers as they are written."""

    def __init__(self, cache: DescriptorCache, form: _Form) -> None:
        self._cache, self._form = cache, form
        self._engine = f"{engine_of(FORCE_FIELD)}, as written"
        self._new: dict[str, bytes] = {}

    def find(self, texts: Sequence[str]) -> dict[str, bytes]:
        found = self._cache.find(texts, self._engine) if texts else {}
        return {text: self._form.made(values) for text, values in found.items()}

    def add(self, text: str, cells: bytes) -> None:
        self._new[text] = cells
        if len(self._new) >= ASKED_AT_ONCE:
            self.store()

    def store(self) -> None:
        if self._new:
            described = {text: self._form.read(cells) for text, cells in self._new.items()}
            self._new = {}
            self._cache.store(described, self._engine)
