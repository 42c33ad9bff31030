"""What a study file says about itself, and its JSON members in the present format. Light: lists of studies need it."""

import datetime
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from affinecal_gui.study.records.archive import Archive
from affinecal_gui.study.records.stored_errors import DamagedContent, StudyFileError
from affinecal_gui.study.records.stored_records import from_json, from_plain
from affinecal_gui.study.stored.migrations import FORMAT_VERSION, Documents, migrate

FORMAT = "AffineCal study"
CALIBRATOR_FORMAT = "AffineCal calibrator"
MANIFEST = "manifest.json"
SETTINGS = "settings.json"
RESULT = "result/result.json"
RESULT_CHECKSUMS = "result/checksums.json"
"""The CRC-32 of every other member of the result, by name: numbers that somebody has put in by hand are not shown."""
LARGEST_DOCUMENT = 16 << 20  # bytes of one JSON member


def table_names(key: str) -> tuple[str, str, str]:
    """Return the names of the members that hold the table with this key: meanings, rows, problems."""
    return f"tables/{key}.json", f"tables/{key}.csv", f"tables/{key}.problems.csv"


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A table of the study in the manifest."""

    key: str
    name: str
    rows: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a study file says about itself."""

    format: str
    version: int
    saved: str  # date and time, ISO 8601
    program: Mapping[str, str]  # names and versions
    seed: int
    tables: tuple[TableEntry, ...]
    has_result: bool
    has_checksums: bool = (
        False  # RESULT_CHECKSUMS is beside the result; the first programs wrote none, and did not say so
    )
    title: str = ""  # the target property
    summary: str = ""  # the study in a few words
    original: str = ""  # of a recovery file: the study that it is the newer state of; "" if that was never saved
    process: int = 0  # of a recovery file: the program that wrote it

    @property
    def time(self) -> datetime.datetime | None:
        """When the file was saved; None if that cannot be understood."""
        try:
            return datetime.datetime.fromisoformat(self.saved).astimezone()
        except (ValueError, OverflowError, OSError):
            return None


def read_manifest(path: str | os.PathLike[str]) -> Manifest:
    """Return what a study file says about itself, without reading the rest; raise StudyFileError if it is none."""
    with Archive(path) as archive, ContentOf(archive):
        return from_plain(Manifest, documents_of(archive, everything=False)[MANIFEST], MANIFEST)


class ContentOf:
    """While the content of an archive is read: tell what is not as it should be in a sentence that names the file."""

    def __init__(self, archive: Archive) -> None:
        self._name = archive.name

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if isinstance(error, DamagedContent):
            raise StudyFileError(f"{self._name} is damaged: {error}. Use an older copy of it.") from None


def documents_of(archive: Archive, *, everything: bool) -> Documents:
    """Return the JSON members in the present format: the manifest, and with ``everything`` all that it names.

    Raises
    ------
    StudyFileError
        The archive is no study, or one of a newer version.
    DamagedContent
        A member is missing or is no JSON object.
    """
    if MANIFEST not in archive:
        raise StudyFileError(f"{archive.name} is not a study: it is a zip file of something else.")
    manifest = _document(archive, MANIFEST)
    documents: Documents = {MANIFEST: manifest}
    version = manifest.get("version")
    if manifest.get("format") == CALIBRATOR_FORMAT:
        raise StudyFileError(
            f"{archive.name} is a calibrator, not a study: affinecal apply calibrates the MD values of a table with it."
        )
    if manifest.get("format") != FORMAT or not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise StudyFileError(f"{archive.name} is not a study: its manifest is that of something else.")
    if version > FORMAT_VERSION:
        raise StudyFileError(
            f"{archive.name} was saved by a newer version of AffineCal (study format {version}, while this version reads "
            f"up to {FORMAT_VERSION}). Update AffineCal to open it."
        )
    if everything:
        documents |= {name: _document(archive, name) for name in _named(manifest)}
    migrate(documents, version)
    return documents


def _document(archive: Archive, name: str) -> dict[str, Any]:
    return from_json(archive.read(name, LARGEST_DOCUMENT), name)


def _named(manifest: dict[str, Any]) -> Iterator[str]:
    """Yield the names of the JSON members that a manifest, of any version, names."""
    yield SETTINGS
    tables = manifest.get("tables")
    if not isinstance(tables, list):
        raise DamagedContent(f"{MANIFEST}: tables is no list")
    keys = [entry.get("key") if isinstance(entry, dict) else None for entry in tables]
    for key in keys:
        if not isinstance(key, str) or re.fullmatch(r"t[1-9][0-9]{0,5}", key) is None:
            raise DamagedContent(f"{MANIFEST}: a table has no key such as t1")
    if len(set(keys)) != len(keys):
        raise DamagedContent(f"{MANIFEST}: two tables have the same key")
    yield from (table_names(str(key))[0] for key in keys)
    if manifest.get("has_result") is True:
        yield RESULT
