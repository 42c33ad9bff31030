"""A CSV file that takes hours to write: it grows beside its destination, survives any end, and can be continued.

``descriptors.csv.part`` holds the finished lines, and ``descriptors.csv.part.json`` says what they were made from. A part
that was made from the same is continued after its last whole line; what was cut off by the end of the program, or of the
machine, is cut away. Only the complete file takes the name of the destination.
"""

import contextlib
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO

from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.files import FileExists, cannot_write, destination, move_without_replacing
from affinecal_gui.study.records.file_lock import FileLock, try_lock
from affinecal_gui.tables.writing.csv_export import csv_bytes

BUFFER_BYTES = 1 << 18
SECONDS_BETWEEN_WRITES = 0.5
_LONGEST_LINE = 64 << 20


class UnfinishedExists(FileExists):
    """A part made from the very same is there already; whether it is continued is for the user to say."""


def place_of_table(path: Path) -> Path:
    """Return the file that a name stands for, so that its part lies beside it, in the same file system.

    Raises
    ------
    UserError
        There is something that is no file, or it cannot be found out.
    """
    try:
        return destination(path)
    except OSError as error:
        raise cannot_write(path, error) from None


def part_of_table(path: Path) -> Path:
    """Return where the finished lines of a table are while it is being written."""
    return path.parent / f"{path.name}.part"


@contextlib.contextmanager
def told_how_to_go_on(output: Path, finished: Callable[[], int]) -> Iterator[None]:
    """While a table grows: say how it can be continued where it was stopped, or is there in part already.

    Parameters
    ----------
    output
        The destination.
    finished
        Returns how many rows are finished.

    Raises
    ------
    UserError
        There is a part or a file already, and nothing says what becomes of it.
    Cancelled
        The run was stopped; the text says how much is finished.
    """
    try:
        yield
    except UnfinishedExists:
        raise UserError(
            f"{output.name}.part holds rows of this very table that an earlier run has finished. Add --resume to "
            "continue it, or --overwrite to begin anew."
        ) from None
    except FileExists as error:
        raise UserError(f"{error} Name another file, or add --overwrite.") from None
    except (Cancelled, KeyboardInterrupt):
        if not finished():
            raise
        raise Cancelled(
            f"Stopped with {finished():,} rows finished; {output.name}.part keeps them. Add --resume to continue."
        ) from None


class ResumableTable:
    """Writes the lines of a table one by one; a context manager.

    Parameters
    ----------
    path
        The destination.
    columns
        Its headings.
    made_from
        What decides about the content of the lines: input, options, versions. A part made from anything else is never
        continued.
    overwrite
        Replace the destination, and a part that is not continued.
    resume
        Continue a part that was made from the same, where there is one.
    found
        Is handed every line, as bytes, that is finished already when a part is continued.

    Raises
    ------
    UserError
        There is something that is no file under this name, the folder cannot be written, or another program is writing this
        very file.
    UnfinishedExists
        There is a part made from the same, and neither ``resume`` nor ``overwrite`` is true.
    FileExists
        The destination exists, or a part that was made from something else, and ``overwrite`` is false.
    """

    def __init__(
        self,
        path: Path,
        columns: Sequence[str],
        made_from: Mapping[str, str],
        *,
        overwrite: bool = False,
        resume: bool = False,
        found: Callable[[bytes], None] = lambda _line: None,
    ) -> None:
        self.path = place_of_table(path)
        self.part = part_of_table(self.path)
        self.lines = 0
        """How many lines are finished, the headings not counted."""
        self._notes = self.path.with_name(f"{self.path.name}.part.json")
        self._heading = csv_bytes(columns, ())
        self._delimiters = len(columns) - 1
        self._made_from = dict(made_from)
        self._overwrite, self._resume, self._found = overwrite, resume, found
        self._file: IO[bytes] | None = None
        self._lock: FileLock | None = None
        self._written = 0  # bytes of whole lines in the file; a cut-off one may follow
        self._buffer = bytearray()  # whole lines
        self._last_write = 0.0

    # -- the beginning ----------------------------------------------------------------------------------------------------

    def __enter__(self) -> "ResumableTable":
        with self._plain_errors():
            if self.path.exists() and not self._overwrite:
                raise FileExists(f"{self.path.name} exists already.")
            had_notes = self._notes.exists()
            self._lock = try_lock(self._notes)
            if self._lock is None:
                raise UserError(f"{self.path.name} is being written by another program. Wait until it has ended.")
            try:
                self._open(continues=self._may_continue())
            except BaseException:
                self._close(remove_notes=not had_notes)
                raise
        return self

    def _may_continue(self) -> bool:
        """Return whether there is a part to be continued; raise when the user has to say what becomes of it."""
        if not self.part.exists():
            return False
        known = self._known()
        if known == self._made_from:
            if not self._resume and not self._overwrite:
                raise UnfinishedExists(f"{self.part.name} holds a part of this file.")
            return self._resume
        if not self._overwrite:
            raise FileExists(f"{self.part.name} is left from another run: {self._difference(known)}.")
        return False

    def _known(self) -> Mapping[str, str] | None:
        """Return what the part was made from; None when nothing says so."""
        assert self._lock is not None
        try:
            known = json.loads(self._lock.read())
        except (ValueError, RecursionError):
            return None
        return known if isinstance(known, dict) else None

    def _difference(self, known: Mapping[str, str] | None) -> str:
        if known is None:
            return "nothing says what it was made from"
        names = [name for name, value in self._made_from.items() if known.get(name) != value]
        return f"made from another {' and '.join(names)}" if names else "made from more than this one"

    def _open(self, *, continues: bool) -> None:
        assert self._lock is not None
        if not continues:
            # A part without notes is never continued: lines of two runs cannot come to stand in one file.
            self._lock.write(b"")
            self.part.unlink(missing_ok=True)  # not emptied: it may be the destination by a second name
            self.part.touch(exist_ok=False)
            self._lock.write(json.dumps(self._made_from, indent=1).encode())
        self._file = self.part.open("r+b", buffering=0)
        if continues:
            self._written = self._take_finished()
        if not self._written:
            self._buffer += self._heading
        self._write()

    def _take_finished(self) -> int:
        """Hand out the finished lines; return how many bytes they take, headings included."""
        size = 0
        with self.part.open("rb", buffering=BUFFER_BYTES) as file:
            for line in _whole_lines(file):
                if size == 0:
                    if line != self._heading:
                        break
                # Zeros, or lines without their cells, are what a machine that lost its power may leave behind.
                elif b"\x00" in line or line.count(b",") < self._delimiters:
                    break
                else:
                    self._found(line)
                    self.lines += 1
                size += len(line)
        return size

    # -- the middle -------------------------------------------------------------------------------------------------------

    def add(self, line: bytes) -> None:
        """Take a line with its end; it is in the file half a second later."""
        self._buffer += line
        self.lines += 1
        if len(self._buffer) > BUFFER_BYTES or time.monotonic() - self._last_write > SECONDS_BETWEEN_WRITES:
            self.flush()

    def flush(self) -> None:
        """Hand everything to the system, which keeps it even if the program is killed."""
        with self._plain_errors():
            self._write()

    def _write(self) -> None:
        """Write the buffer behind the whole lines.

        An interruption at any place leaves it possible to do the same again: only the last step takes note of it.
        """
        assert self._file is not None
        self._file.seek(self._written)
        self._file.truncate()
        left = memoryview(self._buffer)
        while left:
            left = left[self._file.write(left) or 0 :]
        self._last_write = time.monotonic()
        del left
        self._written, self._buffer = self._written + len(self._buffer), bytearray()

    # -- the end ----------------------------------------------------------------------------------------------------------

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is None:
            try:
                with self._plain_errors():
                    self._write()
                    self._move()
            except BaseException:
                self._close(remove_notes=False)
                raise
            self._close(remove_notes=True)
            return
        with contextlib.suppress(OSError):  # what is wrong has been said already, and a part may be shorter
            self._write()
        if not self.lines:
            with contextlib.suppress(OSError):
                self._close_file()
                self.part.unlink()
        self._close(remove_notes=not self.lines)

    def _move(self) -> None:
        assert self._file is not None
        os.fsync(self._file.fileno())
        self._close_file()
        if self._overwrite:
            os.replace(self.part, self.path)  # noqa: PTH105 - the same call on every system
        else:
            move_without_replacing(self.part, self.path)
        with contextlib.suppress(OSError):
            self.part.unlink(missing_ok=True)  # of two names for one file

    def _close_file(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _close(self, *, remove_notes: bool) -> None:
        self._close_file()
        if self._lock is not None:
            self._lock.release(remove=remove_notes)
            self._lock = None

    @contextlib.contextmanager
    def _plain_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise cannot_write(self.path, error) from None


def _whole_lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a CSV file that are whole; a line end between quotation marks ends no line."""
    line, quotes = b"", 0
    while piece := file.readline(_LONGEST_LINE):
        line += piece
        quotes += piece.count(b'"')
        if piece.endswith(b"\n") and quotes % 2 == 0:
            yield line
            line, quotes = b"", 0
        elif len(line) > _LONGEST_LINE:
            return
