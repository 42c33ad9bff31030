"""Writing a zip archive part by part, and taking members over from an archive written before without unpacking them.

The standard library's writer can do neither: it takes no member that is compressed already, and cannot begin a member
again. What is written here is the plainest archive there is: PKWARE, .ZIP File Format Specification 6.3.10, sections 4.3.7
(local headers), 4.3.12 (directory) and 4.3.16 (end), for archives below 4 GB.
"""

import os
import stat
import struct
import time
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from affinecal_gui.task import UNWATCHED, Task

Packing = Literal["none", "quick", "small"]
"""None: as it is. Quick: each character by how often it comes, at most eight times smaller. Small: repetitions as well."""

AT_ONCE = 1 << 20  # bytes between two questions whether to stop

_STORED, _DEFLATED = 0, 8
_VERSION = 20  # of the format, which knows deflated members
_UNIX = 3
_UTF_8_NAME = 0x800
_FILE_MODE = (stat.S_IFREG | 0o644) << 16
_LOCAL = struct.Struct("<4s5H3L2H")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")


@dataclass(frozen=True, slots=True)
class ZipEntry:
    """A member as it lies in an archive."""

    name: str
    method: int
    checksum: int  # CRC-32 of the content
    packed_checksum: int  # CRC-32 of the bytes in the archive
    packed: int  # bytes in the archive
    size: int  # bytes of the content
    offset: int  # of its header
    start: int  # of its bytes


@dataclass(frozen=True, slots=True)
class Written:
    """A member of an archive that has been written, to be taken over as long as that file stays as it is."""

    path: Path
    signature: tuple[int, ...]
    entry: ZipEntry


class ZipWriter:
    """Writes members one after the other into an open file; ``finish`` completes the archive.

    Parameters
    ----------
    file
        Empty, opened for writing, and able to go back.
    task
        Asked after every megabyte at the latest.
    """

    def __init__(self, file: IO[bytes], *, task: Task = UNWATCHED) -> None:
        self._file = file
        self._task = task
        now = time.localtime()
        self._date = max(now.tm_year - 1980, 0) << 9 | now.tm_mon << 5 | now.tm_mday
        self._time = now.tm_hour << 11 | now.tm_min << 5 | now.tm_sec // 2
        self._offset = 0
        self.entries: list[ZipEntry] = []

    def add(self, name: str, parts: Iterable[bytes], packing: Packing) -> ZipEntry:
        """Write a member whose content comes in parts."""
        method = _STORED if packing == "none" else _DEFLATED
        start = self._begin(name)
        checksum = packed_checksum = size = packed = 0
        for content, written in _packed(parts, packing):
            self._task.check()
            checksum, size = zlib.crc32(content, checksum), size + len(content)
            packed_checksum, packed = zlib.crc32(written, packed_checksum), packed + len(written)
            self._file.write(written)
        return self._end(ZipEntry(name, method, checksum, packed_checksum, packed, size, self._offset, start))

    def take_over(self, name: str, written: Written) -> ZipEntry | None:
        """Copy a member of an archive; None, and nothing is written, if that is not as it was any more."""
        old = written.entry
        try:
            source = written.path.open("rb")
        except OSError:
            return None
        with source:
            if signature(source.fileno()) != written.signature:
                return None
            source.seek(old.start)
            start = self._begin(name)
            left, checksum = old.packed, 0
            while left and (part := source.read(min(left, AT_ONCE))):
                self._task.check()
                self._file.write(part)
                left, checksum = left - len(part), zlib.crc32(part, checksum)
        if left or checksum != old.packed_checksum:
            self._go_back(self._offset)
            return None
        return self._end(
            ZipEntry(name, old.method, old.checksum, old.packed_checksum, old.packed, old.size, self._offset, start)
        )

    def forget_last(self) -> None:
        """Take the member back that was written last."""
        self._offset = self.entries.pop().offset
        self._go_back(self._offset)

    def finish(self) -> None:
        """Write the directory and the end of the archive."""
        start = self._offset
        for entry in self.entries:
            name = entry.name.encode()
            nothing = (0,) * 4  # extra field, comment, disk, kind of text
            fields = _UNIX << 8 | _VERSION, *self._common(entry), len(name), *nothing, _FILE_MODE, entry.offset
            self._file.write(_CENTRAL.pack(b"PK\1\2", *fields) + name)
        size = self._file.tell() - start
        count = len(self.entries)
        self._file.write(_END.pack(b"PK\5\6", 0, 0, count, count, size, start, 0))

    def signature(self) -> tuple[int, ...]:
        """Return what changes when the file is written again or replaced."""
        self._file.flush()
        return signature(self._file.fileno())

    def _begin(self, name: str) -> int:
        """Leave space for the header; returns where the bytes of the member begin."""
        self._file.write(bytes(_LOCAL.size + len(name.encode())))
        return self._file.tell()

    def _end(self, entry: ZipEntry) -> ZipEntry:
        """Fill in the header, now that all is known."""
        name = entry.name.encode()
        self._file.seek(entry.offset)
        self._file.write(_LOCAL.pack(b"PK\3\4", *self._common(entry), len(name), 0) + name)
        self._offset = self._file.seek(entry.start + entry.packed)
        self.entries.append(entry)
        return entry

    def _common(self, entry: ZipEntry) -> tuple[int, ...]:
        flags = 0 if entry.name.isascii() else _UTF_8_NAME
        sizes = entry.checksum, entry.packed, entry.size
        return _VERSION, flags, entry.method, self._time, self._date, *sizes

    def _go_back(self, offset: int) -> None:
        self._file.seek(offset)
        self._file.truncate()


def signature(file: int) -> tuple[int, ...]:
    """Return what changes when an open file is written or replaced."""
    found = os.fstat(file)
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _packed(parts: Iterable[bytes], packing: Packing) -> Iterator[tuple[bytes, bytes]]:
    """Yield pieces of the content with the bytes to write, which lag behind."""
    if packing == "none":
        yield from ((piece, piece) for piece in _pieces(parts))
        return
    level, strategy = (6, zlib.Z_DEFAULT_STRATEGY) if packing == "small" else (1, zlib.Z_HUFFMAN_ONLY)
    squeeze = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL, strategy)
    for piece in _pieces(parts):
        yield piece, squeeze.compress(piece)
    yield b"", squeeze.flush()


def _pieces(parts: Iterable[bytes]) -> Iterator[bytes]:
    for part in parts:
        if len(part) <= AT_ONCE:
            yield part
        else:
            for start in range(0, len(part), AT_ONCE):
                yield part[start : start + AT_ONCE]
