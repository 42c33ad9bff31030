"""The study file: one ``.affinecal`` file with everything, readable by hand, whole at every instant.

The layout is described in ``docs/study-file.md``.
"""

import datetime
import os
import platform
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from affinecal_gui import __version__
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.describing.describing import FORCE_FIELD, engine_of
from affinecal_gui.study.fitting.calibrating import DescribedLibrary
from affinecal_gui.study.records.archive import Archive, ArchiveWriter, LargeMember, Member, new_archive
from affinecal_gui.study.records.stored_errors import DamagedContent, StudyFileError
from affinecal_gui.study.records.stored_records import from_json, from_plain, to_json, to_plain
from affinecal_gui.study.records.zip_writing import Written
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.stored.manifest import (
    FORMAT,
    LARGEST_DOCUMENT,
    MANIFEST,
    RESULT,
    RESULT_CHECKSUMS,
    SETTINGS,
    ContentOf,
    Manifest,
    TableEntry,
    documents_of,
    table_names,
)
from affinecal_gui.study.stored.migrations import FORMAT_VERSION
from affinecal_gui.study.stored.restoring import restore
from affinecal_gui.study.stored.stored_result import (
    StoredResult,
    descriptor_member,
    is_storable,
    read_result,
    result_members,
)
from affinecal_gui.study.stored.stored_settings import read_settings, settings_member
from affinecal_gui.study.stored.study_summary import summary_of
from affinecal_gui.study.stored.table_reading import MOST_CELLS, cells_of, read_stored_table
from affinecal_gui.study.stored.table_writing import table_members
from affinecal_gui.task import UNWATCHED, Task

LARGEST_KEPT = 64 << 20  # bytes of members that are kept in memory for the next save

Found = dict[tuple[int, Path], tuple[object, tuple[Member | LargeMember, ...]]]
"""Members by the identity of what they hold and the folder of the file, with what they hold."""


@dataclass(frozen=True, slots=True, eq=False)
class OpenedStudy:
    """A study as it comes out of its file."""

    state: StudyState
    derived: Derived | None  # with the stored result; None if there is none that fits: it is to be calculated then
    manifest: Manifest
    notes: tuple[str, ...] = ()  # what the user should know, in sentences


def programs() -> dict[str, str]:
    """Return names and versions of what a result depends on."""
    import numpy as np
    import rdkit
    import scipy

    return {
        "AffineCal": __version__,
        "Python": platform.python_version(),
        "RDKit": rdkit.__version__,
        "NumPy": np.__version__,
        "SciPy": scipy.__version__,
        "system": f"{platform.system()} {platform.machine()}",
    }


def save_study(
    path: str | os.PathLike[str],
    state: StudyState,
    derived: Derived | None = None,
    *,
    overwrite: bool = False,
    original: str = "",
    process: int = 0,
    known: "KnownMembers | None" = None,
    compress: bool = True,
    task: Task = UNWATCHED,
) -> Manifest:
    """Write a study to a file, which at every instant is the one before or the new one, whole.

    Parameters
    ----------
    path
        The file.
    state
        Tables and settings.
    derived
        What was derived from ``state``; a calibration in it is stored. What belongs to another state is not.
    overwrite
        Whether an existing file may be replaced.
    original, process
        Of a recovery file.
    known
        Kept by the caller from save to save.
    compress
        False writes a larger file sooner.

    Raises
    ------
    UserError
        The file exists and may not be replaced, the folder is missing or read-only, the disk is full, or the study is
        larger than a study file can be.
    Cancelled
        When the task was cancelled; the file is the one before then.
    """
    target = Path(os.path.abspath(path))  # noqa: PTH100 - links are not followed: the paths of tables are not either
    if derived is not None and (derived.state != state or derived.snapshot.calibration is None):
        derived = None
    if derived is not None and not _is_storable(derived):
        derived = None
    _refuse_too_large(target.name, state)
    manifest = Manifest(
        format=FORMAT,
        version=FORMAT_VERSION,
        saved=datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        program=programs(),
        seed=state.settings.seed,
        tables=tuple(TableEntry(loaded.key, loaded.table.name, len(loaded.table)) for loaded in state.tables),
        has_result=derived is not None,
        has_checksums=derived is not None,
        title=state.quantity.title,
        summary=summary_of(state, derived),
        original=original,
        process=process,
    )
    with KnownMembers() if known is None else known as kept:
        task.check()
        members = _Members(target.parent, kept)
        with new_archive(target, overwrite=overwrite, compress=compress, task=task) as archive:
            writing = _Writing(target.name, archive)
            writing.add(Member(MANIFEST, to_json(to_plain(manifest))))
            inputs = writing.add(settings_member(state.settings))
            for number, loaded in enumerate(state.tables):
                share = task.part(number / len(state.tables), (number + 1) / len(state.tables))
                reading = share.part(0.0, 0.5)
                found = members.of(
                    loaded,
                    lambda: table_members(loaded, target.parent, task=reading),  # noqa: B023 - called at once
                )
                inputs |= writing.add(*found, task=share.part(0.5, 1.0))
            if derived is not None:
                checksums = writing.add(*_result(derived, inputs, members, task))
                writing.add(Member(RESULT_CHECKSUMS, to_json(checksums)))
        members.keep(archive.written)
    return manifest


class _Writing:
    """Writes members, none of which may be larger than what is read again."""

    def __init__(self, name: str, archive: ArchiveWriter) -> None:
        self._name, self._archive = name, archive

    def add(self, *members: Member | LargeMember, task: Task = UNWATCHED) -> dict[str, int]:
        """Return the checksums of the members by their names."""
        for member in members:
            if isinstance(member, Member) and member.name.endswith(".json") and len(member.content) > LARGEST_DOCUMENT:
                raise StudyFileError(f"{self._name} cannot be saved: a table has too many columns. Leave some out.")
        return {member.name: self._archive.add(member, task) for member in members}


class KnownMembers:
    """What was written for the last save, so that only what has changed since is written out anew.

    Members are known by the identity of what they hold. Small ones are kept in memory; of large ones it is known where they
    lie in the file that was written, from which they are copied if it is still that file. One save at a time uses it, in a
    with statement.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: Found = {}

    def __enter__(self) -> Found:
        self._lock.acquire()
        return self._found

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def __len__(self) -> int:
        return len(self._found)

    def forget(self) -> None:
        """Know nothing any more; a save under way is waited for."""
        with self._lock:
            self._found.clear()


class _Members:
    """Makes members, or takes those that were made for the last save."""

    def __init__(self, folder: Path, known: Found) -> None:
        self._folder, self._known = folder, known
        self._made: Found = {}

    def of(self, thing: object, make: Callable[[], Iterable[Member | LargeMember]]) -> tuple[Member | LargeMember, ...]:
        """Return the members that hold a thing."""
        key = (id(thing), self._folder)
        before = self._known.get(key)
        found = before[1] if before is not None and before[0] is thing else tuple(make())
        self._made[key] = (thing, found)
        return found

    def keep(self, written: Mapping[str, Written]) -> None:
        """Remember for the next save what is not too large to be remembered, and where the rest lies."""
        self._known.clear()
        room = LARGEST_KEPT
        for key, (thing, found) in self._made.items():
            room -= sum(len(member.content) for member in found if isinstance(member, Member))
            if room >= 0:
                placed = [
                    replace(member, written=written[member.name]) if isinstance(member, LargeMember) else member
                    for member in found
                ]
                self._known[key] = (thing, tuple(placed))


def _refuse_too_large(name: str, state: StudyState) -> None:
    cells = sum(len(loaded.table) * (8 + len(loaded.table.values)) for loaded in state.tables)
    if cells > MOST_CELLS:
        raise StudyFileError(
            f"{name} cannot be saved: its tables have about {cells} cells, and a study file can hold {MOST_CELLS}. "
            "Remove a table, or leave columns out that are not needed."
        )


def _is_storable(derived: Derived) -> bool:
    calibration, described = derived.snapshot.calibration, derived.descriptors
    return (
        calibration is not None
        and isinstance(described, DescribedLibrary)
        and is_storable(calibration, described.values)
    )


def _result(
    derived: Derived, inputs: Mapping[str, int], members: _Members, task: Task
) -> tuple[Member | LargeMember, ...]:
    calibration, described = derived.snapshot.calibration, derived.descriptors
    assert calibration is not None
    assert isinstance(described, DescribedLibrary)
    names = described.blocks.columns
    result = StoredResult(
        calibration,
        described.values,
        described.problems,
        names,
        described.engine or engine_of(FORCE_FIELD),
        calibration.made_with or programs(),
        inputs,
    )
    of_descriptors = members.of(
        described.values, lambda: (descriptor_member(described.values, names, described.problems),)
    )
    return (*result_members(result, derived.snapshot.rows, task=task), *of_descriptors)


# -- and back -----------------------------------------------------------------------------------------------------------


def open_study(path: str | os.PathLike[str], *, task: Task = UNWATCHED) -> OpenedStudy:
    """Read a study.

    The file may come from anywhere: nothing in it is run, everything is checked, and no file makes the program take more
    memory than a large study does.

    Raises
    ------
    StudyFileError
        The file is missing, is no study, is damaged, or was saved by a newer version; the sentence says which.
    """
    target = Path(os.path.abspath(path))  # noqa: PTH100
    with Archive(target) as archive, ContentOf(archive):
        documents = documents_of(archive, everything=True)
        manifest = from_plain(Manifest, documents[MANIFEST], MANIFEST)
        settings = read_settings(documents[SETTINGS])
        keys = [entry.key for entry in manifest.tables]
        if sum(cells_of(documents[table_names(key)[0]], table_names(key)[0]) for key in keys) > MOST_CELLS:
            raise DamagedContent("its tables have more cells than can be opened")
        tables = []
        for number, key in enumerate(keys):
            share = task.part(0.6 * number / len(keys), 0.6 * (number + 1) / len(keys))
            share.report(0.0, f"Reading {manifest.tables[number].name}")
            description = documents[table_names(key)[0]]
            tables.append(read_stored_table(archive, key, description, target.parent, task=share))
        state = StudyState(tuple(tables), settings)
        stored = None
        if manifest.has_result:
            stored = read_result(archive, documents[RESULT], task=task)
        of_study = (SETTINGS, *(name for key in keys for name in table_names(key)))
        unchanged = (
            stored is not None
            and all(name in stored.inputs and stored.inputs[name] == archive.checksum(name) for name in of_study)
            and _result_is_as_saved(archive, manifest)
        )
    derived = None
    if stored is not None and unchanged:
        task.report(0.6, f"Opening {target.name}")
        derived = restore(state, stored, task=task.part(0.6, 1.0))
    task.report(1.0, f"Opened {target.name}")
    return OpenedStudy(state, derived, manifest, _notes(manifest, stored, unchanged, derived))


def _result_is_as_saved(archive: Archive, manifest: Manifest) -> bool:
    """Whether every member of the result is the one that was saved, as far as the file can tell: the first ones could not."""
    if RESULT_CHECKSUMS not in archive:
        return not manifest.has_checksums
    checksums = from_json(archive.read(RESULT_CHECKSUMS, LARGEST_DOCUMENT), RESULT_CHECKSUMS)
    return RESULT in checksums and all(
        name in archive and archive.checksum(name) == checksum for name, checksum in checksums.items()
    )


def _notes(
    manifest: Manifest, stored: StoredResult | None, unchanged: bool, derived: Derived | None
) -> tuple[str, ...]:
    if not manifest.has_result:
        return ()
    if stored is not None and not unchanged:
        return ("The file was edited after it was saved, so its result is calculated anew.",)
    if stored is None:
        return (
            "This version of AffineCal has other calibrators than the one that saved the study, so the result is "
            "calculated anew.",
        )
    if derived is None:
        return (
            "This version of AffineCal reads the tables differently than the one that saved the study, so the result is "
            "calculated anew.",
        )
    present = programs()
    if any(stored.program.get(name) != present[name] for name in ("AffineCal", "RDKit")):
        maker = ", ".join(f"{name} {stored.program[name]}" for name in ("AffineCal", "RDKit") if name in stored.program)
        return (f"The result is shown as {maker} calculated it; Calibrate calculates it anew.",)
    return ()
