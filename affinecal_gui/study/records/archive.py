"""The container of study and calibrator files: a zip archive, written whole or not at all, and read without trusting it.

Nothing is ever unpacked to disk, so names inside an archive can do no harm; those that look as if they wanted to are
refused all the same. What is read is bounded before it is read: the size of the archive and of its directory, the number
of members, their sizes one by one and together, and how far they may expand.
"""

import contextlib
import io
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, BinaryIO

from affinecal_gui.files import file_name, replacing
from affinecal_gui.study.records.stored_errors import DamagedContent, StudyFileError
from affinecal_gui.study.records.zip_writing import Packing, Written, ZipWriter
from affinecal_gui.tables.errors import shortened
from affinecal_gui.task import UNWATCHED, Task

MEDIA_TYPE_MEMBER = "mimetype"
"""The first member, not compressed: programs such as ``file`` know the kind of the archive by its first bytes."""

LARGEST_ARCHIVE = 1 << 30  # bytes of the file
LARGEST_MEMBER = 512 << 20  # bytes of one member, unpacked
LARGEST_TOTAL = 768 << 20  # bytes of all members, unpacked
LARGEST_DIRECTORY = 1 << 20  # bytes of the list of members
MOST_MEMBERS = 4000
MOST_KEPT = 64 << 20  # bytes of members that wait to be read a second time
MOST_EXPANSION = 200
"""How many times larger than its place in the archive a member may be if it is large; ours are packed otherwise then."""
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
class ArchiveKind:
    """What an archive of ours is for."""

    media_type: str
    noun: str  # what it is called in a sentence
    plural: str


STUDY = ArchiveKind("application/x-affinecal-study", "study", "studies")
CALIBRATOR = ArchiveKind("application/x-affinecal-model", "calibrator", "calibrators")


Parts = Callable[[Task], Iterable[bytes]]
"""Makes a content part by part, as often as it is asked to."""


@dataclass(frozen=True, slots=True)
class Member:
    """One file inside the archive."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True, eq=False)
class LargeMember:
    """One file inside the archive that is made part by part, or taken over from an archive that holds it already."""

    name: str
    parts: Parts
    is_large: bool = True  # rather packed quickly than small
    written: Written | None = None


class ArchiveWriter:
    """Takes the members of a new archive; see :func:`new_archive`."""

    def __init__(self, name: str, kind: ArchiveKind, file: IO[bytes], compress: bool, task: Task) -> None:
        self._name, self._kind, self._compress, self._task = name, kind, compress, task
        self._zip = ZipWriter(file, task=task)
        self._total = 0  # bytes of the members
        self._zip.add(MEDIA_TYPE_MEMBER, [kind.media_type.encode()], "none")
        self.written: dict[str, Written] = {}
        """Where each member lies, by its name; when the archive is complete."""

    def add(self, member: Member | LargeMember, task: Task = UNWATCHED) -> int:
        """Write a member and return the CRC-32 of its content.

        Raises
        ------
        StudyFileError
            The archive is larger than what would be read again.
        """
        self._task.check()
        entry = None
        if isinstance(member, LargeMember) and member.written is not None:
            entry = self._zip.take_over(member.name, member.written)
            if entry is not None:
                self._check(entry.size)
        if entry is None:
            entry = self._zip.add(member.name, self._bounded(member, task), self._packing(member))
            if entry.size > ALWAYS_EXPANDED and entry.size > MOST_EXPANSION // 2 * entry.packed:
                self._zip.forget_last()  # whoever reads it would take it for an attack
                entry = self._zip.add(member.name, self._bounded(member, task), "quick")
        self._total += entry.size
        return entry.checksum

    def finish(self, path: Path) -> None:
        """Complete the archive, which will lie under this path."""
        self._zip.finish()
        now = self._zip.signature()
        self.written = {entry.name: Written(path, now, entry) for entry in self._zip.entries}

    def _packing(self, member: Member | LargeMember) -> Packing:
        if isinstance(member, LargeMember) and member.is_large:
            return "quick"
        return "small" if self._compress else "none"

    def _bounded(self, member: Member | LargeMember, task: Task) -> Iterator[bytes]:
        size = 0
        for part in (member.content,) if isinstance(member, Member) else member.parts(task):
            size += len(part)
            self._check(size)
            yield part

    def _check(self, size: int) -> None:
        too_many = len(self._zip.entries) >= MOST_MEMBERS
        if size > LARGEST_MEMBER or self._total + size > LARGEST_TOTAL or too_many:
            raise StudyFileError(
                f"{self._name} cannot be saved: its tables are larger than a {self._kind.noun} file can hold "
                f"({LARGEST_TOTAL >> 20} MB of text). Remove a table, or columns that are not needed."
            )


@contextlib.contextmanager
def new_archive(
    path: str | os.PathLike[str],
    kind: ArchiveKind = STUDY,
    *,
    overwrite: bool,
    compress: bool = True,
    task: Task = UNWATCHED,
) -> Iterator[ArchiveWriter]:
    """Write a zip archive that appears under its name when it is complete, at the end of the block.

    Raises
    ------
    UserError
        The folder is missing or read-only, the disk is full, or the file exists and ``overwrite`` is false.
    Cancelled
        When the task was cancelled; nothing has changed then.
    """
    with replacing(path, overwrite=overwrite, task=task) as file:
        archive = ArchiveWriter(file_name(os.fspath(path)), kind, file, compress, task)
        yield archive
        archive.finish(Path(path))


class Archive:
    """An archive opened for reading; use it in a with statement.

    Raises
    ------
    StudyFileError
        The file does not exist, is no zip archive, is damaged, or has the marks of an attack.
    """

    def __init__(self, path: str | os.PathLike[str], kind: ArchiveKind = STUDY) -> None:
        self.name, self._kind = file_name(os.fspath(path)), kind
        self._kept: dict[str, bytes] = {}
        self._file = self._opened(Path(path))
        try:
            self._check_end()
            with self.sentences():
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

    def names(self) -> tuple[str, ...]:
        """Return the names of all members."""
        return tuple(self._members)

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
        if name in self._kept:
            return self._kept.pop(name)
        with self.stream(name) as stream, self.sentences():
            return stream.read()

    def keep(self, name: str, content: bytes) -> None:
        """Keep what was read of a member, for the next one who reads it not to unpack it again; not if it is too much."""
        if sum(map(len, self._kept.values())) + len(content) <= MOST_KEPT:
            self._kept[name] = content

    @contextlib.contextmanager
    def stream(self, name: str) -> Iterator[BinaryIO]:
        """Open a member as a stream of bytes; damage that shows while it is read is told as a StudyFileError."""
        info = self._info(name)
        with self.sentences():
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
                raise StudyFileError(f"{name} is a folder. Choose a {self._kind.noun} file.")
            if not stat.S_ISREG(kind.st_mode):
                raise StudyFileError(f"{name} is not a file that can be opened. Choose a {self._kind.noun} file.")
            if kind.st_size > LARGEST_ARCHIVE:
                raise StudyFileError(f"{name} is larger than a {self._kind.noun} can be ({kind.st_size >> 20} MB).")
            return path.open("rb")
        except FileNotFoundError:
            raise StudyFileError(
                f"{name} is not there: it was moved, renamed or deleted, or is called otherwise."
            ) from None
        except PermissionError:
            raise StudyFileError(f"{name} cannot be read: no permission, or another program holds it.") from None
        except (OSError, ValueError) as error:
            raise StudyFileError(
                f"{shortened(name)} cannot be read ({getattr(error, 'strerror', '') or error})."
            ) from None

    def _check_end(self) -> None:
        """Look at the end of the archive, which says how long the list of members is, before that list is read."""
        with self.sentences():
            start = self._file.read(4)
            size = self._file.seek(0, os.SEEK_END)
            self._file.seek(max(0, size - _END_LENGTH - _FAR_END_LENGTH))
            end = self._file.read()
            self._file.seek(0)
        if start[:2] != b"PK":
            raise StudyFileError(
                f"{self.name} is not a {self._kind.noun}: its content is something else. Choose another file."
            )
        last = end[-_END_LENGTH:]
        if len(end) < _END_LENGTH or not last.startswith(_END) or last[-2:] != b"\0\0":
            raise StudyFileError(f"{self.name} is incomplete: its end is missing. Use an older copy of it.")
        directory = int.from_bytes(last[12:16], "little")
        if end.startswith(_FAR_END) or directory > LARGEST_DIRECTORY:
            raise StudyFileError(
                f"{self.name} is not a {self._kind.noun}: it holds more files than a {self._kind.noun} has."
            )

    def _checked(self) -> dict[str, zipfile.ZipInfo]:
        infos = self._zip.infolist()
        if len(infos) > MOST_MEMBERS:
            raise StudyFileError(f"{self.name} is not a {self._kind.noun}: it holds {len(infos)} files.")
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
                    f"{self.name} is packed in a way that {self._kind.plural} are not. Pack it as a plain zip file."
                )
            total += info.file_size
            if info.file_size > LARGEST_MEMBER or total > LARGEST_TOTAL or _is_bomb(info):
                raise StudyFileError(f"{self.name} is not safe to open: “{shown}” would expand to an enormous size.")
            members[name] = info
        return members

    @contextlib.contextmanager
    def sentences(self) -> Iterator[None]:
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
        with self._archive.sentences():
            content = self._source.read(len(view))
        view[: len(content)] = content
        return len(content)


def _leads_elsewhere(name: str) -> bool:
    """Whether a name would lead out of the folder that the archive is unpacked to, on any system."""
    parts = name.replace("\\", "/").split("/")
    return not name or "\0" in name or "\\" in name or ":" in name or parts[0] == "" or ".." in parts


def _is_bomb(info: zipfile.ZipInfo) -> bool:
    return info.file_size > ALWAYS_EXPANDED and info.file_size > MOST_EXPANSION * max(info.compress_size, 1)
