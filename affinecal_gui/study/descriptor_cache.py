"""Descriptors kept on disk, so that reopening a study costs nothing. Safe to delete at any time.

An SQLite file in the user's cache folder, shared by running programs. The values of a polymer are stored once, under its
identity; every way in which its repeat unit was written points there. Force field, engine and RDKit version are part of the
key, so that an update never shows numbers of before.
"""

import contextlib
import logging
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import platformdirs
from numpy.typing import NDArray

logger = logging.getLogger(__name__)

MOST_POLYMERS = 50_000  # of 190 numbers, 1.5 kB each: about 100 MB with the names
SECONDS_TO_WAIT = 2.0  # for another program that is writing
NAMES_A_QUESTION = 500  # SQLite limits the number of parameters

_SCHEMA = """
CREATE TABLE IF NOT EXISTS polymers (
    identity TEXT NOT NULL, engine TEXT NOT NULL, description BLOB NOT NULL, used REAL NOT NULL,
    PRIMARY KEY (identity, engine)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS names (
    text TEXT NOT NULL, engine TEXT NOT NULL, identity TEXT NOT NULL,
    PRIMARY KEY (text, engine)
) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class CachedPolymer:
    """What is stored for one way of writing a repeat unit."""

    identity: str
    values: NDArray[np.float64]  # (d,)


def default_path() -> Path:
    """Return where the cache lies on this system."""
    return Path(platformdirs.user_cache_dir("AffineCal", appauthor=False)) / "descriptors.sqlite"


def path_of_files() -> Path:
    """Return where results of described files lie: beside the others, so that a large file does not drive out studies."""
    return default_path().with_name("described_files.sqlite")


class DescriptorCache:
    """The cache file. Whatever is wrong with it, the worst that happens is that descriptors are computed again."""

    def __init__(self, path: Path | None = None, most_polymers: int = MOST_POLYMERS) -> None:
        self.path = default_path() if path is None else path
        self.most_polymers = most_polymers

    def find(self, texts: Sequence[str], engine: str) -> dict[str, NDArray[np.float64]]:
        """Return the stored values of those repeat units that have some, by text."""
        found: dict[str, NDArray[np.float64]] = {}
        with self._connection() as connection:
            if connection is None:
                return found
            identities = []
            for start in range(0, len(texts), NAMES_A_QUESTION):
                part = list(texts[start : start + NAMES_A_QUESTION])
                marks = ",".join("?" * len(part))
                question = (
                    "SELECT names.text, polymers.identity, polymers.description FROM names JOIN polymers "
                    "ON polymers.identity = names.identity AND polymers.engine = names.engine "
                    f"WHERE names.engine = ? AND names.text IN ({marks})"
                )
                for text, identity, description in connection.execute(question, [engine, *part]):
                    values = np.frombuffer(description, dtype="<f8")
                    if np.isfinite(values).all():
                        found[text] = values
                        identities.append((time.time(), identity, engine))
            connection.executemany("UPDATE polymers SET used = ? WHERE identity = ? AND engine = ?", identities)
        return found

    def store(self, polymers: Mapping[str, CachedPolymer], engine: str) -> None:
        """Add what was computed, by text, and drop what was used least when the file has become too large."""
        with self._connection() as connection:
            if connection is None:
                return
            now = time.time()
            connection.executemany(
                "INSERT OR REPLACE INTO polymers VALUES (?, ?, ?, ?)",
                [(p.identity, engine, p.values.astype("<f8").tobytes(), now) for p in polymers.values()],
            )
            connection.executemany(
                "INSERT OR REPLACE INTO names VALUES (?, ?, ?)",
                [(text, engine, polymer.identity) for text, polymer in polymers.items()],
            )
            (count,) = connection.execute("SELECT COUNT(*) FROM polymers").fetchone()
            if count > self.most_polymers:
                # Down to nine tenths, so that the next store does not have to clean up again.
                excess = count - self.most_polymers * 9 // 10
                connection.execute(
                    "DELETE FROM polymers WHERE (identity, engine) IN "
                    "(SELECT identity, engine FROM polymers ORDER BY used LIMIT ?)",
                    (excess,),
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
            connection.executescript(_SCHEMA)
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
