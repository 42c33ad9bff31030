"""Descriptors kept on disk, so that reopening a study costs nothing. Safe to delete at any time.

An SQLite file in the user's cache folder, shared by running programs. Values are stored once, under a checksum of themselves;
every way in which a repeat unit was written and that gives the very same values points there. Ways that differ in the last
digit have values of their own: no result depends on what was described before. Force field, engine and RDKit version are part
of the key, so that an update never shows numbers of before.

SQLite notices damage to its own structure, but not to the values in it. So each row carries a checksum of everything that it
says; a row that does not fit is dropped, and what it stood for is computed again.
"""

import contextlib
import hashlib
import logging
import sqlite3
import struct
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.own_folders import own_folder

logger = logging.getLogger(__name__)

MOST_POLYMERS = 120_000  # the largest MD table has 75,540
MOST_BYTES = 400_000_000  # 190 numbers take some 2.2 kB with their names, spectra ten times as much
PAGE = 8192  # bytes: on SQLite's usual half of it, every row of 190 numbers would need a page of its own
SECONDS_TO_WAIT = 2.0  # for another program that is writing
NAMES_A_QUESTION = 500  # SQLite limits the number of parameters

VERSION = 3  # of the tables below; those of another version are dropped

_SCHEMA = (
    "DROP TABLE IF EXISTS polymers",
    "DROP TABLE IF EXISTS names",
    "CREATE TABLE polymers (identity TEXT NOT NULL, engine TEXT NOT NULL, description BLOB NOT NULL, used REAL NOT NULL, "
    "checksum BLOB NOT NULL, PRIMARY KEY (identity, engine)) WITHOUT ROWID",
    "CREATE TABLE names (text TEXT NOT NULL, engine TEXT NOT NULL, identity TEXT NOT NULL, checksum BLOB NOT NULL, "
    "PRIMARY KEY (text, engine)) WITHOUT ROWID",
    f"PRAGMA user_version = {VERSION}",
)


def default_path() -> Path:
    """Return where the cache lies on this system."""
    return own_folder("cache") / "descriptors.sqlite"


def path_of_files() -> Path:
    """Return where results of described files lie: beside the others, so that a large file does not drive out studies."""
    return default_path().with_name("described_files.sqlite")


class DescriptorCache:
    """The cache file. Whatever is wrong with it, the worst that happens is that descriptors are computed again."""

    def __init__(
        self, path: Path | None = None, most_polymers: int = MOST_POLYMERS, most_bytes: int = MOST_BYTES
    ) -> None:
        self.path = default_path() if path is None else path
        self.most_polymers, self.most_bytes = most_polymers, most_bytes

    def find(self, texts: Sequence[str], engine: str) -> dict[str, NDArray[np.float64]]:
        """Return the stored values of those repeat units that have some, by text."""
        found: dict[str, NDArray[np.float64]] = {}
        with self._connection() as connection:
            if connection is None:
                return found
            key, used, damaged = engine.encode(), [], []
            for start in range(0, len(texts), NAMES_A_QUESTION):
                part = {text.encode(): text for text in texts[start : start + NAMES_A_QUESTION]}
                marks = ",".join("?" * len(part))
                question = (
                    "SELECT names.text, names.identity, names.checksum, polymers.description, polymers.checksum "
                    "FROM names JOIN polymers ON polymers.identity = names.identity AND polymers.engine = names.engine "
                    f"WHERE names.engine = ? AND names.text IN ({marks})"
                )
                for name, identity, of_name, description, of_polymer in connection.execute(
                    question, [engine, *part.values()]
                ):
                    text = part.get(name, "")
                    if _fits(of_name, name, key, identity) and _fits(of_polymer, identity, key, description):
                        found[text] = np.frombuffer(description, dtype="<f8")
                        used.append((time.time(), identity.decode(), engine))
                    else:
                        damaged.append((text, engine))
            connection.executemany("UPDATE polymers SET used = ? WHERE identity = ? AND engine = ?", used)
            self._drop(connection, damaged)
        return found

    def _drop(self, connection: sqlite3.Connection, damaged: Sequence[tuple[str, str]]) -> None:
        """Remove rows that do not fit their checksums, by text and engine."""
        if not damaged:
            return
        logger.warning("%d of the rows of %s were damaged; they are computed again.", len(damaged), self.path)
        pointed_at = "(SELECT identity, engine FROM names WHERE text = ? AND engine = ?)"
        connection.executemany(f"DELETE FROM polymers WHERE (identity, engine) IN {pointed_at}", damaged)
        connection.executemany("DELETE FROM names WHERE text = ? AND engine = ?", damaged)

    def store(self, described: Mapping[str, NDArray[np.float64]], engine: str) -> None:
        """Add the values (d,) that were computed, by text, and drop what was used least when the file is too large."""
        with self._connection() as connection:
            if connection is None:
                return
            now, key, rows, names = time.time(), engine.encode(), [], []
            for text, values in described.items():
                description = values.astype("<f8").tobytes()
                own = _checksum(description).hex()
                identity = own.encode()
                if np.isfinite(values).all():
                    of_polymer = _checksum(identity, key, description)
                    rows.append((own, engine, description, now, of_polymer))
                    names.append((text, engine, own, _checksum(text.encode(), key, identity)))
            connection.executemany("INSERT OR REPLACE INTO polymers VALUES (?, ?, ?, ?, ?)", rows)
            connection.executemany("INSERT OR REPLACE INTO names VALUES (?, ?, ?, ?)", names)
            self._drop_least_used(connection)

    def _drop_least_used(self, connection: sqlite3.Connection) -> None:
        """Drop what was used least where there is too much: down to nine tenths, so that the next store need not."""
        # Every polymer has a name, and names are quicker to count.
        (names,) = connection.execute("SELECT COUNT(*) FROM names").fetchone()
        size = _bytes_in(connection)
        if names <= self.most_polymers and size <= self.most_bytes:
            return
        (count,) = connection.execute("SELECT COUNT(*) FROM polymers").fetchone()
        share = min(self.most_polymers / max(count, 1), self.most_bytes / max(size, 1))
        if share >= 1.0:
            return
        connection.execute(
            "DELETE FROM polymers WHERE (identity, engine) IN "
            "(SELECT identity, engine FROM polymers ORDER BY used LIMIT ?)",
            (count - int(0.9 * share * count),),
        )
        connection.execute(
            "DELETE FROM names WHERE NOT EXISTS (SELECT 1 FROM polymers "
            "WHERE polymers.identity = names.identity AND polymers.engine = names.engine)"
        )

    @contextlib.contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection | None]:
        """Yield a connection inside one transaction; None when the file cannot be used, which is no error."""
        connection = None
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, timeout=SECONDS_TO_WAIT)
            connection.text_factory = bytes  # a damaged text is not UTF-8
            _make_tables(connection)
        except (OSError, sqlite3.Error) as error:
            self._give_up(error)
            if connection is not None:
                connection.close()
            yield None
            return
        try:
            with connection:
                yield connection
        except (OSError, sqlite3.Error, ValueError) as error:
            self._give_up(error)
        finally:
            connection.close()

    def _give_up(self, error: Exception) -> None:
        logger.warning("The descriptor cache %s is not used: %s", self.path, error)
        damaged = isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)
        if damaged or isinstance(error, ValueError):
            with contextlib.suppress(OSError):
                self.path.unlink(missing_ok=True)  # not a database of ours: the next run makes a new one


def _make_tables(connection: sqlite3.Connection) -> None:
    """Make the tables of a new file, and those of a file of another version anew."""
    if _is_of_this_version(connection):
        return
    connection.execute(f"PRAGMA page_size = {PAGE}")  # of a new file; another one keeps its own
    connection.execute("BEGIN IMMEDIATE")
    if not _is_of_this_version(connection):  # another program may have made them meanwhile
        for statement in _SCHEMA:
            connection.execute(statement)
    connection.commit()


def _is_of_this_version(connection: sqlite3.Connection) -> bool:
    found: tuple[int] = connection.execute("PRAGMA user_version").fetchone()
    return found == (VERSION,)


def _bytes_in(connection: sqlite3.Connection) -> int:
    """Return how much of the file is in use; what was dropped is used again."""
    size, pages, free = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_size", "page_count", "freelist_count")
    )
    return int(size * (pages - free))


def _checksum(*parts: bytes) -> bytes:
    """Return what tells the content of a row from any other."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(struct.pack("<Q", len(part)) + part)
    return digest.digest()


def _fits(checksum: object, *parts: object) -> bool:
    """Whether a row is as it was written; a damaged one may hold any type."""
    known = [part for part in parts if isinstance(part, bytes)]
    return len(known) == len(parts) and checksum == _checksum(*known)
