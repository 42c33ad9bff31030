"""The folder of a screening: one Parquet file for each partition, and a manifest of what they were made from.

A partition is there whole or not at all, so a run that was stopped, however it was stopped, is continued by those that are
missing. The folder belongs to one run at a time.
"""

import contextlib
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from affinecal_gui.errors import UserError
from affinecal_gui.files import cannot_write, left_unfinished, write_atomically
from affinecal_gui.study.records.file_lock import FileLock, try_lock
from affinecal_gui.tasks.screening.library.partitions import Partition
from affinecal_gui.tasks.writing.results_folder import LOCK

MANIFEST = "manifest.json"
ROWS = "rows"  # folder of the partitions
SUMMARY = "summary.json"
DUPLICATES = "duplicates.parquet"
TOP = "top_by_*.csv"
NEXT_STEPS = "next_steps.csv"


class Dataset:
    """The folder while it is being written; a context manager.

    Parameters
    ----------
    path
        The folder; made if missing.
    made_from
        What decides about the content of the partitions: library, calibrators, versions.
    overwrite
        Begin anew, whatever is there.
    resume
        Continue what an earlier run made from the same.

    Raises
    ------
    UserError
        The folder cannot be used, another run is writing to it, or it holds a screening and nothing says what becomes of it.
    """

    def __init__(self, path: Path, made_from: Mapping[str, str], *, overwrite: bool, resume: bool) -> None:
        self.path, self._made_from = path, dict(made_from)
        self._overwrite, self._resume = overwrite, resume
        self._lock: FileLock | None = None
        self._made: list[Path] = []  # folders, innermost first

    def __enter__(self) -> "Dataset":
        try:
            if self.path.exists() and not self.path.is_dir():
                raise UserError(f"{self.path} is a file; name a folder for the results.")
            self._made = [folder for folder in (self.rows, self.path, *self.path.parents) if not folder.exists()]
            self.rows.mkdir(parents=True, exist_ok=True)
            self._lock = try_lock(self.path / LOCK)
            if self._lock is None:
                raise UserError(
                    f"Another run is writing its results to {self.path}. Wait until it has ended, or name another folder."
                )
            self._tidy()
            if not self._continues():
                self._empty()
                self._write_manifest(complete=False)
        except OSError as error:
            self._release()
            raise cannot_write(self.path / MANIFEST, error) from None
        except BaseException:
            self._release()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._release()

    @property
    def rows(self) -> Path:
        """The folder of the partitions."""
        return self.path / ROWS

    def has(self, partition: Partition) -> bool:
        """Whether a partition is finished."""
        import pyarrow
        import pyarrow.parquet

        try:
            found = pyarrow.parquet.read_metadata(self.rows / partition.file_name)
        except (OSError, pyarrow.ArrowException):
            return False
        return bool(found.num_rows == len(partition.rows))

    def add(self, partition: Partition, table: bytes) -> None:
        """Write a partition; raise UserError where the disk is full or the folder is gone."""
        write_atomically(self.rows / partition.file_name, table, overwrite=True)

    def write(self, name: str, content: bytes) -> None:
        """Write another file of the folder; raise as :meth:`add`."""
        write_atomically(self.path / name, content, overwrite=True)

    def remove(self, name: str) -> None:
        """Remove a file of the folder that an earlier run has left, if it has."""
        (self.path / name).unlink(missing_ok=True)

    @property
    def partitions(self) -> list[Path]:
        """The files of the partitions, in order."""
        return sorted(self.rows.glob("part-*.parquet"))

    def complete(self, about: Mapping[str, Any], files: list[Path]) -> None:
        """Say in the manifest that nothing is missing, and what there is."""
        import pyarrow.parquet

        first, listed = 1, list[dict[str, Any]]()
        for file in files:
            count = pyarrow.parquet.read_metadata(file).num_rows
            digest = hashlib.sha256(file.read_bytes()).hexdigest()
            listed.append({"file": f"{ROWS}/{file.name}", "first_row": first, "rows": count, "sha256": digest})
            first += count
        self._write_manifest(complete=True, more={**about, "rows": first - 1, "partitions": listed})

    def _continues(self) -> bool:
        """Return whether what is there is continued; raise where the user has to say what becomes of it."""
        known = self._known()
        if known is None or self._overwrite:
            if known is None and not self._overwrite and any(self.rows.iterdir()):
                raise UserError(
                    f"{self.rows} holds files, and nothing says what they were made from. Name another folder, or add "
                    "--overwrite."
                )
            return False
        made_from = known.get("made_from")
        if made_from != self._made_from:
            different = [
                name
                for name, value in self._made_from.items()
                if not isinstance(made_from, dict) or made_from.get(name) != value
            ]
            raise UserError(
                f"{self.path} holds a screening made from another {' and '.join(different) or 'choice'}. Name another "
                "folder, or add --overwrite to begin anew."
            )
        if self._resume:
            return True
        if known.get("complete"):
            raise UserError(f"{self.path} holds this very screening already. Add --overwrite to do it again.")
        raise UserError(
            f"{self.path} holds rows of this very screening that an earlier run has finished. Add --resume to continue it, "
            "or --overwrite to begin anew."
        )

    def _known(self) -> dict[str, Any] | None:
        try:
            known = json.loads((self.path / MANIFEST).read_bytes())
        except FileNotFoundError:
            return None
        except (ValueError, RecursionError):
            known = None
        return known if isinstance(known, dict) else {}

    def _empty(self) -> None:
        """Remove what an earlier screening has left, its manifest first: what has none is never continued."""
        (self.path / MANIFEST).unlink(missing_ok=True)
        for old in (
            *self.path.glob(TOP),
            self.path / SUMMARY,
            self.path / DUPLICATES,
            self.path / NEXT_STEPS,
            *self.partitions,
        ):
            old.unlink(missing_ok=True)

    def _tidy(self) -> None:
        """Remove what a run that was killed has half written; the folder belongs to this one alone."""
        for left in (*left_unfinished(self.path), *left_unfinished(self.rows)):
            left.unlink(missing_ok=True)

    def _write_manifest(self, *, complete: bool, more: Mapping[str, Any] | None = None) -> None:
        about = {"format": "AffineCal screening", "complete": complete, "made_from": self._made_from, **(more or {})}
        self.write(MANIFEST, json.dumps(about, indent=1, ensure_ascii=False).encode())

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None
        for folder in self._made:  # if nothing came into them
            with contextlib.suppress(OSError):
                folder.rmdir()
