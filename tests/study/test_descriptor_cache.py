"""The cache on disk: remembers, stays small, and is never a reason to fail."""

import multiprocessing
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.study.descriptor_cache import CachedPolymer, DescriptorCache


def polymer(number: int) -> CachedPolymer:
    return CachedPolymer(f"identity {number}", np.full(190, float(number)))


@pytest.fixture
def cache(tmp_path: Path) -> DescriptorCache:
    return DescriptorCache(tmp_path / "folder" / "descriptors.sqlite", most_polymers=100)


def test_finds_what_was_stored_by_every_text_of_the_polymer(cache: DescriptorCache) -> None:
    same = polymer(1)
    cache.store({"*CC*": same, "*CCCC*": same, "*CO*": polymer(2)}, "engine 1")
    found = cache.find(["*CCCC*", "*CO*", "*CS*"], "engine 1")
    assert set(found) == {"*CCCC*", "*CO*"}
    np.testing.assert_array_equal(found["*CCCC*"], same.values)


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
