"""Text packed with gzip, bzip2 or Zstandard: unpacked block by block while it is read, and never without end."""

import bz2
import gzip
import io
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import BinaryIO, Protocol

from affinecal_gui.tables.errors import TableError

PACKED_SUFFIXES = (".gz", ".bz2", ".zst")

MOST_BYTES = 512 * 1024**2
"""Of the unpacked text of a table that is read whole: a packed file can hold a thousand times its size."""
MOST_TIMES = 200
"""A table of text becomes ten times smaller, one of equal rows some fifty times."""
_HARMLESS = 16 * 1024**2  # bytes, below which no proportion is suspicious
_GUESSED_TIMES = 4  # for progress: how many times its size a packed text will be


class _Source(Protocol):
    """Unpacked bytes."""

    def read(self, size: int, /) -> bytes: ...
    def close(self) -> None: ...


def _zstandard(path: str) -> _Source:
    import pyarrow  # type: ignore[import-untyped, unused-ignore]  # heavy, and few files need it

    source: _Source = pyarrow.input_stream(path, compression="zstd")
    return source


_OPENERS: Mapping[bytes, Callable[[str], _Source]] = {
    b"\x1f\x8b": gzip.GzipFile,
    b"BZh": bz2.BZ2File,
    b"\x28\xb5\x2f\xfd": _zstandard,
}


def is_packed(head: bytes) -> bool:
    """Whether a file that begins so is packed in a way that is unpacked here."""
    return any(head.startswith(signature) for signature in _OPENERS)


def without_packing(name: str) -> str:
    """Return the name that a packed file has when it is unpacked: "table.tsv" of "table.tsv.gz"."""
    stem, dot, suffix = name.rpartition(".")
    return stem if dot and stem and f".{suffix.lower()}" in PACKED_SUFFIXES else name


def open_text(path: str, name: str, *, whole: bool = True) -> tuple[BinaryIO, int]:
    """Open a file of text, packed or not.

    Parameters
    ----------
    path, name
        The file as given and as shown.
    whole
        All of its text will be kept, so that it must not be larger than memory allows.

    Returns
    -------
    (BinaryIO, int)
        The bytes from the beginning of the text, and how many there are; of packed text that is a guess. Reading raises
        TableError where packed text is damaged, too large, or so much larger than its file that it is made to do harm.
    """
    with Path(path).open("rb") as file:
        head = file.read(4)
    size = Path(path).stat().st_size
    opener = next((opener for signature, opener in _OPENERS.items() if head.startswith(signature)), None)
    if opener is None:
        return Path(path).open("rb"), size
    unpacked = _Unpacked(opener(path), name, size, MOST_BYTES if whole else None)
    return io.BufferedReader(unpacked, 1 << 16), _GUESSED_TIMES * size


class _Unpacked(io.RawIOBase):
    """The unpacked bytes of a file, counted."""

    def __init__(self, source: _Source, name: str, size: int, most: int | None) -> None:
        super().__init__()
        self._source, self._name, self._size, self._most = source, name, size, most
        self._done = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview | bytearray", /) -> int:  # type: ignore[override]
        try:
            block = self._source.read(len(buffer))
        except (EOFError, gzip.BadGzipFile, zlib.error, ValueError) as error:
            raise self._damaged() from error
        except OSError as error:
            if error.errno is None:  # bz2 and zstd say so that its content is wrong
                raise self._damaged() from error
            raise
        self._done += len(block)
        if self._most is not None and self._done > self._most:
            raise TableError(
                f"{self._name} unpacks to more than {self._most // 1024**2} MB. Leave rows or columns out."
            )
        if self._done > max(_HARMLESS, MOST_TIMES * self._size):
            raise TableError(
                f"{self._name} unpacks to more than {MOST_TIMES} times its size, as no table does. "
                "If it is one, unpack it first."
            )
        buffer[: len(block)] = block
        return len(block)

    def close(self) -> None:
        if not self.closed:
            self._source.close()
        super().close()

    def _damaged(self) -> TableError:
        return TableError(f"{self._name} is damaged: its packed content ends too early or is wrong. Get it again.")
