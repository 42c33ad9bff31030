"""The cache on disk: remembers, stays small, and is never a reason to fail."""

import logging
import multiprocessing
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from affinecal_gui.errors import Cancelled
from affinecal_gui.study.describing import describing
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.task import Task


def polymer(number: int) -> NDArray[np.float64]:
    return np.full(190, float(number))


@pytest.fixture
def cache(tmp_path: Path) -> DescriptorCache:
    return DescriptorCache(tmp_path / "folder" / "descriptors.sqlite", most_polymers=100)


def test_finds_what_was_stored_by_every_text_of_the_polymer(cache: DescriptorCache) -> None:
    same = polymer(1)
    cache.store({"*CC*": same, "*CCCC*": same, "*CO*": polymer(2)}, "engine 1")
    found = cache.find(["*CCCC*", "*CO*", "*CS*"], "engine 1")
    assert set(found) == {"*CCCC*", "*CO*"}
    np.testing.assert_array_equal(found["*CCCC*"], same)


def test_another_engine_finds_nothing(cache: DescriptorCache) -> None:
    cache.store({"*CC*": polymer(1)}, "engine 1")
    assert cache.find(["*CC*"], "engine 2") == {}


def test_drops_what_was_used_least(cache: DescriptorCache) -> None:
    cache.store({f"text {i}": polymer(i) for i in range(90)}, "engine")
    cache.find(["text 0"], "engine")
    cache.store({f"text {i}": polymer(i) for i in range(90, 130)}, "engine")
    found = cache.find([f"text {i}" for i in range(130)], "engine")
    assert len(found) == 90
    assert "text 0" in found
    assert {f"text {i}" for i in range(90, 130)} <= set(found)


def test_stays_small_where_what_is_kept_is_long(tmp_path: Path) -> None:
    cache = DescriptorCache(tmp_path / "descriptors.sqlite", most_bytes=1_000_000)
    for start in range(0, 100, 10):
        cache.store({f"text {i}": np.full(2_000, float(i)) for i in range(start, start + 10)}, "vibrations")
    found = cache.find([f"text {i}" for i in range(100)], "vibrations")
    assert 40 <= len(found) <= 60
    assert {f"text {i}" for i in range(90, 100)} <= set(found)
    assert cache.path.stat().st_size < 1_500_000


def test_more_names_than_one_question_takes(cache: DescriptorCache) -> None:
    cache.store({f"text {i}": polymer(i % 50) for i in range(2_000)}, "engine")
    assert len(cache.find([f"text {i}" for i in range(2_000)], "engine")) == 2_000


@pytest.mark.parametrize("content", [b"", b"not a database" * 100, b"SQLite format 3\0" + bytes(5_000)])
def test_a_damaged_file_is_replaced(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "descriptors.sqlite"
    path.write_bytes(content)
    for _ in range(2):  # the first use may only notice the damage
        cache = DescriptorCache(path)
        cache.store({"*CC*": polymer(3)}, "engine")
    assert set(cache.find(["*CC*"], "engine")) == {"*CC*"}


OF_9 = "(SELECT identity FROM names WHERE text = 'text 9')"

DAMAGE = {
    "a value": f"UPDATE polymers SET description = (SELECT description FROM polymers WHERE identity = {OF_9})",
    "a huge value": f"UPDATE polymers SET description = x'{np.full(190, 1e300).tobytes().hex()}'",
    "a negative value": f"UPDATE polymers SET description = x'{np.full(190, -5.0).tobytes().hex()}'",
    "no number": f"UPDATE polymers SET description = x'{np.full(190, np.nan).tobytes().hex()}'",
    "too short": "UPDATE polymers SET description = substr(description, 1, 1512)",
    "too long": "UPDATE polymers SET description = description || description",
    "half a number": "UPDATE polymers SET description = substr(description, 1, 3)",
    "a text": "UPDATE polymers SET description = 'text'",
    "a count": "UPDATE polymers SET description = 12, checksum = 7",
    "empty": "UPDATE polymers SET description = x'', checksum = x''",
    "another polymer": f"UPDATE names SET identity = {OF_9}",
    "another text": "UPDATE names SET text = 'text 1' WHERE text = 'text 2'",
    "another engine": "UPDATE polymers SET engine = 'other'; UPDATE names SET engine = 'other'",
    "no UTF-8": "UPDATE polymers SET identity = CAST(x'ff00' AS TEXT) "
    "WHERE identity = (SELECT identity FROM names WHERE text = 'text 1');"
    "UPDATE names SET identity = CAST(x'ff00' AS TEXT) WHERE text = 'text 1'",
}


@pytest.mark.parametrize("what", DAMAGE)
def test_a_row_that_does_not_fit_its_checksum_is_computed_again(what: str, cache: DescriptorCache) -> None:
    texts = [f"text {i}" for i in range(20)]
    cache.store({text: polymer(i) for i, text in enumerate(texts)}, "engine")
    with closing(sqlite3.connect(cache.path)) as connection:
        if what == "another text":
            connection.execute("DELETE FROM names WHERE text = 'text 1'")
            connection.commit()
        connection.executescript(DAMAGE[what])
    for engine in ("engine", "other"):
        for text, values in cache.find(texts, engine).items():
            assert engine == "engine"
            np.testing.assert_array_equal(values, polymer(texts.index(text)))
    cache.store({text: polymer(i) for i, text in enumerate(texts)}, "engine")
    found = cache.find(texts, "engine")
    assert [found[text][0] for text in texts] == list(range(20))


def test_dropped_rows_are_told_of_and_gone(cache: DescriptorCache, caplog: pytest.LogCaptureFixture) -> None:
    cache.store({f"text {i}": polymer(i) for i in range(20)}, "engine")
    with closing(sqlite3.connect(cache.path)) as connection:
        connection.execute(
            "UPDATE polymers SET description = x'00' "
            "WHERE identity = (SELECT identity FROM names WHERE text = 'text 3')"
        )
        connection.commit()
    with caplog.at_level(logging.WARNING):
        assert "text 3" not in cache.find(["text 3", "text 4"], "engine")
        assert "1 of the rows" in caplog.text
        caplog.clear()
        assert "text 4" in cache.find(["text 3", "text 4"], "engine")
        assert not caplog.text


@pytest.mark.parametrize(("flips", "longest"), [(1, 0), (1, 300), (4, 300)])
def test_no_damage_to_the_file_changes_a_value(tmp_path: Path, flips: int, longest: int) -> None:
    path, chance = tmp_path / "whole.sqlite", random.Random(20_250 + flips)
    values = {f"*{'C' * (i + 1)}*": np.random.default_rng(i).normal(size=190) for i in range(20)}
    DescriptorCache(path).store(values, "engine")
    whole = path.read_bytes()
    for _ in range(40):
        damaged = bytearray(whole)
        for _ in range(flips):
            start = chance.randrange(len(whole))
            damaged[start] ^= 1 << chance.randrange(8)
            end = min(start + chance.randrange(longest + 1), len(whole))
            damaged[start:end] = chance.randbytes(end - start)
        path.write_bytes(damaged)
        for text, found in DescriptorCache(path).find(list(values), "engine").items():
            np.testing.assert_array_equal(found, values[text])


def test_a_cache_of_before_without_checksums_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "descriptors.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE polymers (identity TEXT NOT NULL, engine TEXT NOT NULL, description BLOB NOT NULL, "
            "used REAL NOT NULL, PRIMARY KEY (identity, engine)) WITHOUT ROWID;"
            "CREATE TABLE names (text TEXT NOT NULL, engine TEXT NOT NULL, identity TEXT NOT NULL, "
            "PRIMARY KEY (text, engine)) WITHOUT ROWID;"
            "INSERT INTO names VALUES ('*CC*', 'engine', 'i');"
            "INSERT INTO polymers VALUES ('i', 'engine', zeroblob(1520), 1.0);"
        )
    cache = DescriptorCache(path)
    assert cache.find(["*CC*"], "engine") == {}
    cache.store({"*CC*": polymer(3)}, "engine")
    assert set(cache.find(["*CC*"], "engine")) == {"*CC*"}


def test_what_is_no_number_is_not_kept(cache: DescriptorCache) -> None:
    cache.store({"*CC*": np.full(190, np.nan), "*CO*": polymer(1)}, "engine")
    assert set(cache.find(["*CC*", "*CO*"], "engine")) == {"*CO*"}


def test_a_folder_that_cannot_be_used_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = DescriptorCache(tmp_path / "file" / "descriptors.sqlite")
    cache.store({"*CC*": polymer(1)}, "engine")
    assert cache.find(["*CC*"], "engine") == {}


def _store_many(path: Path, first: int) -> None:
    for number in range(first, first + 30):
        DescriptorCache(path).store({f"text {number}": polymer(number)}, "engine")


def test_two_programs_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "descriptors.sqlite"
    context = multiprocessing.get_context("spawn")
    programs = [context.Process(target=_store_many, args=(path, first)) for first in (0, 100)]
    for program in programs:
        program.start()
    for program in programs:
        program.join(60)
        assert program.exitcode == 0
    texts = [f"text {number}" for first in (0, 100) for number in range(first, first + 30)]
    found = DescriptorCache(path).find(texts, "engine")
    assert len(found) == 60
    assert found["text 101"][0] == 101.0


def test_no_way_of_writing_gets_the_last_digit_of_another(tmp_path: Path) -> None:
    cache = DescriptorCache(tmp_path / "cache.sqlite")
    one, other = np.array([0.1 + 0.2, 1.0]), np.array([0.3, 1.0])
    cache.store({"*CC(*)C": one}, "engine")
    cache.store({"*C(C)C*": other, "*CC(C)*": one}, "engine")
    found = cache.find(["*CC(*)C", "*C(C)C*", "*CC(C)*"], "engine")
    assert found["*CC(*)C"].tobytes() == found["*CC(C)*"].tobytes() == one.tobytes()
    assert found["*C(C)C*"].tobytes() == other.tobytes()


def test_a_run_that_is_stopped_keeps_what_it_described(cache: DescriptorCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(describing, "KEPT_AT_ONCE", 2)
    texts, worked = [f"*{'C' * length}*" for length in range(1, 8)], list[str]()

    def work(text: str) -> tuple[NDArray[np.float64], str]:
        worked.append(text)
        return polymer(len(text)), ""

    stopped = Task(cancelled=lambda: len(worked) == 5)
    with pytest.raises(Cancelled):
        describing.results_of(texts, work, "engine", done="Described", cache=cache, task=stopped)
    found = describing.results_of(texts, work, "engine", done="Described", cache=cache)
    assert worked == [*texts[:5], *texts[4:]]
    assert {text: values[0] for text, (values, _) in found.items() if values is not None} == {t: len(t) for t in texts}
    describing.results_of(texts, work, "engine", done="Described", cache=cache)
    assert len(worked) == len(texts) + 1
