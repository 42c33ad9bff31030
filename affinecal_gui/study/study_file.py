"""The study file: one ``.affinecal`` file with everything, readable by hand, whole at every instant.

The layout is described in ``docs/study-file.md``.
"""

import datetime
import os
import platform
from collections.abc import MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from affinecal_gui import __version__
from affinecal_gui.progress import CancelCheck, Progress, never, part_of, silent
from affinecal_gui.study.archive import Archive, Member, write_archive
from affinecal_gui.study.calibrating import DescribedLibrary
from affinecal_gui.study.derive import Derived
from affinecal_gui.study.describing import FORCE_FIELD, engine_of
from affinecal_gui.study.manifest import (
    FORMAT,
    LARGEST_DOCUMENT,
    MANIFEST,
    RESULT,
    SETTINGS,
    ContentOf,
    Manifest,
    TableEntry,
    documents_of,
    read_manifest,
    table_names,
)
from affinecal_gui.study.migrations import FORMAT_VERSION
from affinecal_gui.study.restoring import restore
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.stored_errors import DamagedContent, StudyFileError
from affinecal_gui.study.stored_records import from_plain, to_json, to_plain
from affinecal_gui.study.stored_result import (
    StoredResult,
    descriptor_member,
    is_storable,
    read_result,
    result_members,
)
from affinecal_gui.study.stored_settings import read_settings, settings_member
from affinecal_gui.study.stored_tables import MOST_CELLS, cells_of, read_stored_table, table_members
from affinecal_gui.study.study_summary import summary_of

LARGEST_KEPT = 64 << 20  # bytes of members that are kept in memory for the next save

KnownMembers = MutableMapping[tuple[int, Path], tuple[object, tuple[Member, ...]]]
"""Members made for the last save, by the identity of what they hold, so that only what changed is written out anew."""


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
    known: KnownMembers | None = None,
    compress: bool = True,
    progress: Progress = silent,
    cancelled: CancelCheck = never,
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
        When ``cancelled()`` became true; the file is the one before then.
    """
    target = Path(os.path.abspath(path))  # noqa: PTH100 - links are not followed: the paths of tables are not either
    if derived is not None and (derived.state != state or derived.snapshot.calibration is None):
        derived = None
    members = _Members(target.name, target.parent, known, cancelled)
    inputs = [settings_member(state.settings)]
    for number, loaded in enumerate(state.tables):
        share = part_of(progress, number / len(state.tables), (number + 1) / len(state.tables))
        inputs += members.of(loaded, lambda: table_members(loaded, target.parent, progress=share, cancelled=cancelled))  # noqa: B023 - called at once
    _refuse_too_large(target.name, state)
    outcome = _result(state, derived, inputs, members)
    manifest = Manifest(
        format=FORMAT,
        version=FORMAT_VERSION,
        saved=datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        program=programs(),
        seed=state.settings.seed,
        tables=tuple(TableEntry(loaded.key, loaded.table.name, len(loaded.table)) for loaded in state.tables),
        has_result=bool(outcome),
        title=state.quantity.title,
        summary=summary_of(state, derived),
        original=original,
        process=process,
    )
    written = (Member(MANIFEST, to_json(to_plain(manifest))), *inputs, *outcome)
    for member in written:
        if member.name.endswith(".json") and len(member.content) > LARGEST_DOCUMENT:
            raise StudyFileError(f"{target.name} cannot be saved: a table has too many columns. Leave some out.")
    write_archive(target, written, overwrite=overwrite, compress=compress, cancelled=cancelled)
    members.keep()
    return manifest


class _Members:
    """Makes members, or takes those that were made for the last save."""

    def __init__(self, name: str, folder: Path, known: KnownMembers | None, cancelled: CancelCheck) -> None:
        self.name, self.folder, self.cancelled = name, folder, cancelled
        self._known: KnownMembers = {} if known is None else known
        self._made: dict[tuple[int, Path], tuple[object, tuple[Member, ...]]] = {}

    def of(self, thing: object, make: Any) -> tuple[Member, ...]:
        key = (id(thing), self.folder)
        before = self._known.get(key)
        found: tuple[Member, ...] = before[1] if before is not None and before[0] is thing else tuple(make())
        self._made[key] = (thing, found)
        return found

    def keep(self) -> None:
        """Remember for the next save what is not too large to be remembered."""
        self._known.clear()
        room = LARGEST_KEPT
        for key, (thing, found) in self._made.items():
            room -= sum(len(member.content) for member in found)
            if room >= 0:
                self._known[key] = (thing, found)


def _refuse_too_large(name: str, state: StudyState) -> None:
    cells = sum(len(loaded.table) * (8 + len(loaded.table.values)) for loaded in state.tables)
    if cells > MOST_CELLS:
        raise StudyFileError(
            f"{name} cannot be saved: its tables have about {cells} cells, and a study file can hold {MOST_CELLS}. "
            "Remove a table, or leave columns out that are not needed."
        )


def _result(state: StudyState, derived: Derived | None, inputs: list[Member], members: _Members) -> tuple[Member, ...]:
    if derived is None:
        return ()
    calibration, described = derived.snapshot.calibration, derived.descriptors
    assert calibration is not None
    if not isinstance(described, DescribedLibrary) or not is_storable(calibration, described.values):
        return ()
    result = StoredResult(
        calibration,
        described.values,
        described.problems,
        described.blocks.columns,
        described.engine or engine_of(FORCE_FIELD),
        calibration.made_with or programs(),
        {member.name: member.checksum for member in inputs},
    )
    of_descriptors = members.of(described.values, lambda: (descriptor_member(result, cancelled=members.cancelled),))
    return (*result_members(result, derived.snapshot.rows, cancelled=members.cancelled), *of_descriptors)


# -- and back -----------------------------------------------------------------------------------------------------------


def open_study(
    path: str | os.PathLike[str], *, progress: Progress = silent, cancelled: CancelCheck = never
) -> OpenedStudy:
    """Read a study.

    The file may come from anywhere: nothing in it is run, everything is checked, and no file makes the program take more
    memory than a large study does.

    Raises
    ------
    StudyFileError
        The file is missing, is no study, is damaged, or was saved by a newer version; the sentence says which.
    Cancelled
        When ``cancelled()`` became true.
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
            share = part_of(progress, 0.6 * number / len(keys), 0.6 * (number + 1) / len(keys))
            share(0.0, f"Reading {manifest.tables[number].name}")
            description = documents[table_names(key)[0]]
            tables.append(
                read_stored_table(archive, key, description, target.parent, progress=share, cancelled=cancelled)
            )
        state = StudyState(tuple(tables), settings)
        stored = None
        if manifest.has_result:
            stored = read_result(archive, documents[RESULT], cancelled=cancelled)
        unchanged = stored is not None and all(
            name in stored.inputs and stored.inputs[name] == archive.checksum(name)
            for name in (SETTINGS, *(name for key in keys for name in table_names(key)))
        )
    derived = None
    if stored is not None and unchanged:
        progress(0.6, f"Opening {target.name}")
        derived = restore(state, stored, progress=part_of(progress, 0.6, 1.0), cancelled=cancelled)
    progress(1.0, f"Opened {target.name}")
    return OpenedStudy(state, derived, manifest, _notes(manifest, stored, unchanged, derived))


def _notes(
    manifest: Manifest, stored: StoredResult | None, unchanged: bool, derived: Derived | None
) -> tuple[str, ...]:
    if not manifest.has_result:
        return ()
    if stored is not None and not unchanged:
        return ("The file was edited after it was saved, so its result is calculated anew.",)
    if stored is None or derived is None:
        return (
            "This version of AffineCal reads the tables differently than the one that saved the study, so the result is "
            "calculated anew.",
        )
    present = programs()
    if any(stored.program.get(name) != present[name] for name in ("AffineCal", "RDKit")):
        maker = ", ".join(f"{name} {stored.program[name]}" for name in ("AffineCal", "RDKit") if name in stored.program)
        return (f"The result is shown as {maker} calculated it; Calibrate calculates it anew.",)
    return ()


__all__ = [
    "FORMAT_VERSION",
    "KnownMembers",
    "Manifest",
    "OpenedStudy",
    "StudyFileError",
    "open_study",
    "read_manifest",
    "save_study",
]
