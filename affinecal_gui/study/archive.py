"""The container of a study file: a zip archive that is written whole or not at all, and read without trusting it.

Nothing is ever unpacked to disk, so names inside an archive can do no harm; those that look as if they wanted to are
refused all the same. What is read is bounded before it is read: the size of the archive and of its directory, the number
of members, their sizes one by one and together, and how far they may expand.
"""

import contextlib
import io
import os
import stat
import struct
import time
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, BinaryIO

from affinecal_gui.progress import CancelCheck, never, stop_if
from affinecal_gui.study.stored_errors import DamagedContent, StudyFileError
from affinecal_gui.tables.errors import file_name, shortened
from affinecal_gui.tables.export import replacing

MEDIA_TYPE = "application/x-affinecal-study"
MEDIA_TYPE_MEMBER = "mimetype"
"""The first member, not compressed: programs such as ``file`` know the kind of the archive by its first bytes."""

LARGEST_ARCHIVE = 1 << 30  # bytes of the file
LARGEST_MEMBER = 512 << 20  # bytes of one member, unpacked
LARGEST_TOTAL = 768 << 20  # bytes of all members, unpacked
LARGEST_DIRECTORY = 1 << 20  # bytes of the list of members
MOST_MEMBERS = 4000
MOST_EXPANSION = 200
"""How many times larger than its place in the archive a member may be if it is large; ours are stored uncompressed then."""
ALWAYS_EXPANDED = 16 << 20  # bytes; smaller members may expand as they like

_END = b"PK\x05\x06"
_END_LENGTH = 22
_FAR_END = b"PK\x06\x07"  # of archives beyond 4 GB, which a study never is
_FAR_END_LENGTH = 20
_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    OverflowError,
    NotImplementedError,
    RuntimeError,
    MemoryError,
)
"""What the standard library raises for archives that are not whole, each seen in tests with damaged files."""


@dataclass(frozen=True, slots=True)
class Member:
    """One file inside the archive."""

    name: str
    content: bytes

    @property
    def checksum(self) -> int:
        """CRC-32 of the content, as the archive stores it."""
        return zlib.crc32(self.content)


def write_archive(
    path: str | os.PathLike[str],
    members: Iterable[Member],
    *,
    overwrite: bool,
    compress: bool = True,
    cancelled: CancelCheck = never,
) -> None:
    """Write a zip archive that appears under its name when it is complete.

    Raises
    ------
    StudyFileError
        The content is larger than what would be read again.
    TableError
        The folder is missing or read-only, the disk is full, or the file exists and ``overwrite`` is false.
    Cancelled
        When ``cancelled()`` became true; nothing has changed then.
    """
    now = time.localtime()[:6]
    total, count = 0, 0
    with replacing(path, overwrite=overwrite, cancelled=cancelled) as file, zipfile.ZipFile(file, "w") as archive:
        for member in (Member(MEDIA_TYPE_MEMBER, MEDIA_TYPE.encode()), *members):
            stop_if(cancelled)
            total += len(member.content)
            count += 1
            if len(member.content) > LARGEST_MEMBER or total > LARGEST_TOTAL or count > MOST_MEMBERS:
                raise StudyFileError(
                    f"{file_name(os.fspath(path))} cannot be saved: its tables are larger than a study file can hold "
                    f"({LARGEST_TOTAL >> 20} MB of text). Remove a table, or columns that are not needed."
                )
            info = zipfile.ZipInfo(member.name, now)
            info.compress_type = zipfile.ZIP_STORED
            if compress and member.name != MEDIA_TYPE_MEMBER and not _expands_too_far(member.content):
                info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            archive.writestr(info, member.content)


def _expands_too_far(content: bytes) -> bool:
    """Whether a reader that bounds the expansion would refuse this content if it were compressed."""
    return len(content) > ALWAYS_EXPANDED and len(content) > MOST_EXPANSION // 2 * len(zlib.compress(content, 1))


class Archive:
    """An archive opened for reading; use it in a with statement.

    Raises
    ------
    StudyFileError
        The file does not exist, is no zip archive, is damaged, or has the marks of an attack.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.name = file_name(os.fspath(path))
        self._file = self._opened(Path(path))
        try:
            self._check_end()
            with self._sentences():
                self._zip = zipfile.ZipFile(self._file)
            self._members = self._checked()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> "Archive":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._zip.close()
        self._file.close()

    def __contains__(self, name: object) -> bool:
        return name in self._members

    def checksum(self, name: str) -> int:
        """Return the CRC-32 of a member as the archive states it; reading the member to its end proves it."""
        return self._info(name).CRC

    def size(self, name: str) -> int:
        """Return the unpacked size of a member, bytes."""
        return self._info(name).file_size

    def read(self, name: str, most: int) -> bytes:
        """Return a member that has at most so many bytes."""
        if self.size(name) > most:
            raise DamagedContent(f"{name} is too large")
        with self.stream(name) as stream, self._sentences():
            return stream.read()

    @contextlib.contextmanager
    def stream(self, name: str) -> Iterator[BinaryIO]:
        """Open a member as a stream of bytes; damage that shows while it is read is told as a StudyFileError."""
        info = self._info(name)
        with self._sentences():
            opened = self._zip.open(info)
        with opened, io.BufferedReader(_Stream(opened, self)) as stream:
            yield stream

    def _info(self, name: str) -> zipfile.ZipInfo:
        if name not in self._members:
            raise DamagedContent(f"{name} is missing")
        return self._members[name]

    def _opened(self, path: Path) -> IO[bytes]:
        name = self.name
        try:
            kind = path.stat()
            if stat.S_ISDIR(kind.st_mode):
                raise StudyFileError(f"{name} is a folder. Choose a study file.")
            if not stat.S_ISREG(kind.st_mode):
                raise StudyFileError(f"{name} is not a file that can be opened. Choose a study file.")
            if kind.st_size > LARGEST_ARCHIVE:
                raise StudyFileError(f"{name} is larger than a study can be ({kind.st_size >> 20} MB).")
            return path.open("rb")
        except FileNotFoundError:
            raise StudyFileError(f"{name} does not exist any more; it was moved, renamed or deleted.") from None
        except PermissionError:
            raise StudyFileError(f"{name} cannot be read: no permission, or another program holds it.") from None
        except (OSError, ValueError) as error:
            raise StudyFileError(
                f"{shortened(name)} cannot be read ({getattr(error, 'strerror', '') or error})."
            ) from None

    def _check_end(self) -> None:
        """Look at the end of the archive, which says how long the list of members is, before that list is read."""
        with self._sentences():
            start = self._file.read(4)
            size = self._file.seek(0, os.SEEK_END)
            self._file.seek(max(0, size - _END_LENGTH - _FAR_END_LENGTH))
            end = self._file.read()
            self._file.seek(0)
        if start[:2] != b"PK":
            raise StudyFileError(f"{self.name} is not a study: its content is something else. Choose another file.")
        last = end[-_END_LENGTH:]
        if len(end) < _END_LENGTH or not last.startswith(_END) or last[-2:] != b"\0\0":
            raise StudyFileError(f"{self.name} is incomplete: its end is missing. Use an older copy of it.")
        directory = int.from_bytes(last[12:16], "little")
        if end.startswith(_FAR_END) or directory > LARGEST_DIRECTORY:
            raise StudyFileError(f"{self.name} is not a study: it holds more files than a study has.")

    def _checked(self) -> dict[str, zipfile.ZipInfo]:
        infos = self._zip.infolist()
        if len(infos) > MOST_MEMBERS:
            raise StudyFileError(f"{self.name} is not a study: it holds {len(infos)} files.")
        members: dict[str, zipfile.ZipInfo] = {}
        seen: set[str] = set()
        total = 0
        for info in infos:
            name, shown = info.orig_filename, shortened(info.orig_filename)
            if _leads_elsewhere(name):
                raise StudyFileError(f"{self.name} is not safe to open: it holds a file named “{shown}”.")
            if name.casefold() in seen:
                raise StudyFileError(f"{self.name} is damaged: it holds “{shown}” more than once.")
            seen.add(name.casefold())
            if info.is_dir():
                continue
            if info.flag_bits & 0x1:
                raise StudyFileError(f"{self.name} is locked with a password. Unlock it with the program that did so.")
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise StudyFileError(
                    f"{self.name} is packed in a way that studies are not. Pack it as a plain zip file."
                )
            total += info.file_size
            if info.file_size > LARGEST_MEMBER or total > LARGEST_TOTAL or _is_bomb(info):
                raise StudyFileError(f"{self.name} is not safe to open: “{shown}” would expand to an enormous size.")
            members[name] = info
        return members

    @contextlib.contextmanager
    def _sentences(self) -> Iterator[None]:
        """Tell damage as a sentence."""
        try:
            yield
        except _UNREADABLE:
            raise StudyFileError(f"{self.name} is damaged and cannot be opened. Use an older copy of it.") from None


class _Stream(io.RawIOBase):
    """The bytes of a member, with damage told as a sentence."""

    def __init__(self, source: IO[bytes], archive: Archive) -> None:
        self._source, self._archive = source, archive

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        with self._archive._sentences():
            content = self._source.read(len(view))
        view[: len(content)] = content
        return len(content)


def _leads_elsewhere(name: str) -> bool:
    """Whether a name would lead out of the folder that the archive is unpacked to, on any system."""
    parts = name.replace("\\", "/").split("/")
    return not name or "\0" in name or "\\" in name or ":" in name or parts[0] == "" or ".." in parts


def _is_bomb(info: zipfile.ZipInfo) -> bool:
    return info.file_size > ALWAYS_EXPANDED and info.file_size > MOST_EXPANSION * max(info.compress_size, 1)
