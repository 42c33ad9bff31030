"""What a run of hours has finished so far: lines of JSON beside its results, from which the same run goes on.

``benchmark.part`` says in its first line what it was made from; each further line is a part that is finished. A line that was
cut off by the end of the program, or of the machine, is cut away.
"""

import contextlib
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.files import cannot_write

LARGEST = 64 << 20
"""Bytes that are read; more is nothing that was written here."""


class FinishedParts:
    """The finished parts of a run, in a folder that is locked by the caller.

    Parameters
    ----------
    path
        Their file, which is made with the first of them.
    made_from
        What decides about the content of the parts: input, options, versions. Parts made from anything else are never used.
    overwrite
        Whether parts that are not used may be given up.
    resume
        Whether parts that were made from the same are used.

    Raises
    ------
    UserError
        There are parts already, and nothing says what becomes of them, or they were made from something else; or the file
        cannot be read.
    """

    def __init__(self, path: Path, made_from: Mapping[str, str], *, overwrite: bool, resume: bool) -> None:
        self._path, self._made_from = path, dict(made_from)
        self._guard = threading.Lock()
        self._found: dict[str, Any] = {}
        self._written = b""  # whole lines that are in the file
        self._take(overwrite=overwrite, resume=resume)

    @property
    def known(self) -> Mapping[str, Any]:
        """The content of every finished part, by its name."""
        return self._found

    def add(self, name: str, content: object) -> None:
        """Keep a part, whatever becomes of the program; any thread may.

        Raises
        ------
        UserError
            The file cannot be written.
        """
        line = _line([name, content])
        with self._guard, self._plain_errors():
            if not self._found:
                self._written = _line(self._made_from)
                self._path.write_bytes(self._written + line)
            else:
                with self._path.open("r+b") as file:
                    file.seek(len(self._written))
                    file.truncate()  # of a line that could not be written as a whole
                    file.write(line)
            self._written += line
            self._found[name] = content

    def remove(self) -> None:
        """Remove the file, once the results are in place."""
        with self._plain_errors():
            self._path.unlink(missing_ok=True)

    @contextlib.contextmanager
    def told_how_to_go_on(self, total: int, what: str) -> Iterator[None]:
        """Say where the run is stopped how many of its parts are kept, and how it goes on.

        Raises
        ------
        Cancelled
            The run was stopped.
        """
        try:
            yield
        except (Cancelled, KeyboardInterrupt):
            if not self._found:
                raise
            raise Cancelled(
                f"Stopped with {len(self._found)} of {total} {what} finished; {self._path} keeps them. Add --resume to "
                "continue."
            ) from None

    def _take(self, *, overwrite: bool, resume: bool) -> None:
        with self._plain_errors():
            if not self._path.exists():
                return
            with self._path.open("rb") as file:
                lines = file.read(LARGEST).splitlines(keepends=True)
        read = list(_read(lines))
        made_from = read[0] if read else None
        if made_from != self._made_from:
            if not overwrite:
                raise UserError(
                    f"{self._path} is left from another run: {self._difference(made_from)}. Name another folder, or add "
                    "--overwrite."
                )
        elif resume:
            self._found = dict(read[1:])
            self._written = b"".join(lines[: len(read)])
        elif not overwrite:
            raise UserError(
                f"{self._path} holds what an earlier run of this very kind has finished. Add --resume to continue it, or "
                "--overwrite to begin anew."
            )

    def _difference(self, known: Any) -> str:
        if not isinstance(known, dict):
            return "nothing says what it was made from"
        names = [name for name, value in self._made_from.items() if known.get(name) != value]
        return f"made from another {' and '.join(names)}" if names else "made from more than this one"

    @contextlib.contextmanager
    def _plain_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise cannot_write(self._path, error) from None


def _line(content: object) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode() + b"\n"


def _read(lines: Sequence[bytes]) -> Iterator[Any]:
    """Yield what the lines hold, up to the first that is not whole or none of these lines."""
    for number, line in enumerate(lines):
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            return
        is_part = isinstance(found, list) and len(found) == 2 and isinstance(found[0], str)
        if not line.endswith(b"\n") or not (is_part if number else isinstance(found, dict)):
            return
        yield found
