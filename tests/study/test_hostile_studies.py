"""Study files that are damaged or made to do harm: each ends in one sentence that names the file, in little memory."""

import copy
import dataclasses
import io
import json
import os
import random
import re
import struct
import sys
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affinecal_gui.calibration.calibrators.registry import calibrator_keys
from affinecal_gui.errors import UserError
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.records import archive
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.stored import study_file, table_reading
from affinecal_gui.study.stored.manifest import read_manifest
from affinecal_gui.study.stored.study_file import open_study, save_study
from tests.study.damage import Content, edited, members, pack, paths_in, put, replaced, set_at, without
from tests.study.small_study import small_result, small_state

MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "good.affinecal"
    save_study(path, small_state(), small_result())
    return path


@pytest.fixture(scope="module")
def good(saved: Path) -> Content:
    return members(saved)


def refused(path: Path) -> str:
    """Return the sentence with which a file is refused."""
    with pytest.raises(UserError) as caught:
        open_study(path)
    sentence = str(caught.value)
    assert path.name in sentence
    assert "\n" not in sentence
    assert len(sentence) < 400
    assert "Traceback" not in sentence
    return sentence


def opens(path: Path) -> bool:
    """Return whether a file opens; if it does not, it must be refused in a sentence."""
    try:
        open_study(path)
    except UserError:
        refused(path)
        return False
    return True


def test_what_is_no_study(tmp_path: Path) -> None:
    cases: dict[str, tuple[bytes, str]] = {
        "empty": (b"", "is not a study"),
        "text": (b"name,value\nPE,1900\n" * 50, "is not a study"),
        "picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, "is not a study"),
        "short": (b"PK", "is incomplete"),
        "start": (b"PK\x03\x04" + b"\0" * 500, "is incomplete"),
    }
    for name, (content, expected) in cases.items():
        path = tmp_path / f"{name}.affinecal"
        path.write_bytes(content)
        assert expected in refused(path)
    assert "is a folder" in refused(tmp_path)
    assert "is not there" in refused(tmp_path / "missing.affinecal")
    with pytest.raises(UserError, match="cannot be read"):
        open_study("nul\0byte.affinecal")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes in a folder")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.affinecal")
    assert "not a file" in refused(tmp_path / "pipe.affinecal")


def test_other_zip_files(tmp_path: Path, good: Content) -> None:
    assert "zip file of something else" in refused(pack(tmp_path / "a.affinecal", {"word/document.xml": b"<x/>"}))
    assert "zip file of something else" in refused(pack(tmp_path / "b.affinecal", {}))
    other = edited("manifest.json", lambda manifest: manifest.update(format="Other study"))
    content = dict(good)
    other(content)
    assert "that of something else" in refused(pack(tmp_path / "c.affinecal", content))


def test_a_file_cut_short_anywhere(saved: Path, tmp_path: Path) -> None:
    whole = saved.read_bytes()
    chance = random.Random(1)
    path = tmp_path / "cut.affinecal"
    for length in [1, 4, 21, 22, len(whole) - 1, len(whole) - 22, *(chance.randrange(len(whole)) for _ in range(30))]:
        path.write_bytes(whole[:length])
        refused(path)


@pytest.mark.parametrize(
    "name",
    [
        "../evil.json",
        "tables/../../evil",
        "/etc/passwd",
        "\\\\server\\share\\x",
        "C:\\x",
        "c:evil",
        "..",
        "tables\\t1.csv",
        "a/../b",
    ],
)
def test_names_that_lead_elsewhere(tmp_path: Path, good: Content, name: str) -> None:
    path = tmp_path / "a.affinecal"
    assert "is not safe to open" in refused(pack(path, {**good, name: b"x"}))
    assert [found.name for found in tmp_path.iterdir()] == ["a.affinecal"]


def test_a_name_with_a_nul_byte(tmp_path: Path, good: Content) -> None:
    path = pack(tmp_path / "a.affinecal", {**good, "settings.jsonXevil": b"{}"})
    path.write_bytes(path.read_bytes().replace(b"settings.jsonXevil", b"settings.json\0evil"))
    assert "is not safe to open" in refused(path)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_members_twice(tmp_path: Path, good: Content) -> None:
    for name in ("settings.json", "SETTINGS.JSON"):
        path = pack(tmp_path / "a.affinecal", good)
        with zipfile.ZipFile(path, "a") as again:
            again.writestr(name, b"{}")
        assert "more than once" in refused(path)


def test_locked_and_unusual_packings(tmp_path: Path, saved: Path, good: Content) -> None:
    locked = bytearray(saved.read_bytes())
    directory = locked.rindex(b"PK\x01\x02")
    locked[directory + 8] |= 1  # the mark of a member that is encrypted
    path = tmp_path / "locked.affinecal"
    path.write_bytes(locked)
    assert "password" in refused(path)
    for method in (zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2):
        with zipfile.ZipFile(path, "w", method) as made:
            for name, data in good.items():
                made.writestr(name, data)
        assert "packed in a way" in refused(path)


# -- bombs ----------------------------------------------------------------------------------------------------------------


def peak_of(path: Path) -> int:
    """Return how many bytes were taken at most while a file was refused."""
    tracemalloc.start()
    try:
        refused(path)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_member_that_expands_without_end(tmp_path: Path, good: Content) -> None:
    path = pack(tmp_path / "bomb.affinecal", {**good, "tables/t1.csv": b"0" * (200 * MEGABYTE)})
    assert path.stat().st_size < MEGABYTE
    assert "would expand to an enormous size" in refused(path)
    assert peak_of(path) < 2 * MEGABYTE


def test_many_members_that_are_large_together(tmp_path: Path, good: Content, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "LARGEST_TOTAL", 50 * MEGABYTE)
    more = {f"more/{i}": b"0" * (15 * MEGABYTE) for i in range(4)}
    assert "enormous" in refused(pack(tmp_path / "bomb.affinecal", {**good, **more}))


def test_a_size_that_is_a_lie(tmp_path: Path, good: Content) -> None:
    """The list of members says 100 bytes where a thousand times as many come out."""
    path = pack(tmp_path / "lie.affinecal", {**good, "settings.json": b" " * 100_000})
    data = bytearray(path.read_bytes())
    for mark, at in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        start = 0
        while (start := data.find(mark, start)) >= 0:
            if data[start + at : start + at + 4] == struct.pack("<I", 100_000):
                data[start + at : start + at + 4] = struct.pack("<I", 100)
            start += 4
    path.write_bytes(data)
    refused(path)


def test_a_list_of_members_without_end(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "many.affinecal", "w") as made:
        for number in range(5000):
            made.writestr(str(number), b"")
    assert "holds 5000 files" in refused(tmp_path / "many.affinecal")
    # A directory of a gigabyte is refused by its length alone.
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 65535, 65535, 1 << 30, 0, 0)
    with (tmp_path / "huge.affinecal").open("wb") as file:
        file.write(b"PK\x03\x04")
        file.truncate(900 * MEGABYTE)  # a hole: it takes no room on the disk
        file.seek(0, os.SEEK_END)
        file.write(end)
    assert "more files than a study has" in refused(tmp_path / "huge.affinecal")
    assert peak_of(tmp_path / "huge.affinecal") < MEGABYTE


def test_a_file_larger_than_any_study(tmp_path: Path) -> None:
    with (tmp_path / "huge.affinecal").open("wb") as file:
        file.truncate(archive.LARGEST_ARCHIVE + 1)
    assert "larger than a study can be" in refused(tmp_path / "huge.affinecal")


def test_documents_that_are_too_large_or_too_deep(tmp_path: Path, good: Content) -> None:
    path = tmp_path / "a.affinecal"
    for name in ("manifest.json", "settings.json", "tables/t1.json", "result/result.json"):
        deep = b'{"a":' * 200_000
        assert "nested too deeply" in refused(pack(path, {**good, name: deep}))
        assert "nested too deeply" in refused(pack(path, {**good, name: b'{"a":' + b"[" * 200_000}))
        spaces = b" " * (17 * MEGABYTE) + b"{}"
        assert re.search("too large|enormous", refused(pack(path, {**good, name: spaces})))


def test_promised_rows_take_no_memory(tmp_path: Path, good: Content) -> None:
    content = dict(good)
    edited("tables/t1.json", lambda table: table.update(rows=3_000_000))(content)
    path = pack(tmp_path / "a.affinecal", content)
    assert "shorter than 3000000 rows" in refused(path)
    assert peak_of(path) < 4 * MEGABYTE
    edited("tables/t1.json", lambda table: table.update(rows=10**12))(content)
    assert "rows cannot be opened" in refused(pack(path, content))
    edited("tables/t1.json", lambda table: table.update(rows=3_900_000, problems=3_900_000))(content)
    assert "more cells than can be opened" in refused(pack(path, content))


def test_millions_of_rows_are_read_no_further_than_promised(tmp_path: Path, good: Content) -> None:
    header, row = good["tables/t1.csv"].split(b"\r\n")[:2]
    rows = b"\r\n".join([header, *[row] * 150_000])
    path = pack(tmp_path / "a.affinecal", {**good, "tables/t1.csv": rows})
    assert "more than the 11 rows" in refused(path)
    assert peak_of(path) < 8 * MEGABYTE


def test_a_row_or_a_cell_without_end(tmp_path: Path, good: Content, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("affinecal_gui.study.records.stored_csv.LONGEST_ROW", 100_000)
    header = good["tables/t1.csv"].split(b"\r\n")[0]
    path = tmp_path / "a.affinecal"
    for rows in (b"," * 400_000, b',,"\r\n"' * 100_000, b"x" * 90_000 + b"\r\n", b'"' + b"x" * 90_000 * 2):
        refused(pack(path, {**good, "tables/t1.csv": header + b"\r\n" + rows}))
        assert peak_of(path) < 8 * MEGABYTE


# -- wrong content --------------------------------------------------------------------------------------------------------

WRONG: dict[str, tuple[Callable[[Content], None], str]] = {
    "no settings": (without("settings.json"), "settings.json is missing"),
    "no rows": (without("tables/t2.csv"), "tables/t2.csv is missing"),
    "no result": (without("result/training.csv"), "result/training.csv is missing"),
    "a list for settings": (put("settings.json", b"[]"), "settings.json holds no object"),
    "no JSON": (put("settings.json", b"{'a': 1}"), "settings.json cannot be understood"),
    "not a number": (put("settings.json", b'{"seed": NaN}'), "NaN is not allowed"),
    "infinity": (put("settings.json", b'{"seed": -Infinity}'), "-Infinity is not allowed"),
    "beyond numbers": (put("settings.json", b'{"interval_level": 1e999}'), "1e999 is too large"),
    "a long number": (put("settings.json", b'{"seed": ' + b"9" * 5000 + b"}"), "settings.json"),
    "a name twice": (put("settings.json", b'{"seed": 1, "seed": 2}'), "stands twice"),
    "no text": (put("settings.json", b"\xff\xfe\x00"), "settings.json cannot be understood"),
    "seed of text": (edited("settings.json", lambda s: s.update(seed="1")), "seed is no whole number"),
    "seed of truth": (edited("settings.json", lambda s: s.update(seed=True)), "seed is no whole number"),
    "seed below 0": (edited("settings.json", lambda s: s.update(seed=-1)), "seed is not between"),
    "level": (edited("settings.json", lambda s: s.update(interval_level=1.0)), "interval_level is not between"),
    "no level": (edited("settings.json", lambda s: s.update(interval_level=None)), "interval_level is not between"),
    "weighting": (edited("settings.json", lambda s: s.update(weighting="by taste")), "weighting is not one of none"),
    "bands": (edited("settings.json", lambda s: s.update(bands="none")), "bands is not one of posterior, bootstrap"),
    "robust": (edited("settings.json", lambda s: s.update(robust="very")), "robust is neither true nor false"),
    "no factor": (
        edited("settings.json", lambda s: s.update(block_penalties=[["mass", None]])),
        "factor of block_penalties is not between",
    ),
    "a factor of 0": (
        edited("settings.json", lambda s: s.update(block_penalties=[["mass", 0.0]])),
        "factor of block_penalties is not between",
    ),
    "an endless factor": (
        edited("settings.json", lambda s: s.update(block_penalties=[["mass", "inf"]])),
        "factor of block_penalties is not between",
    ),
    "two factors of a block": (
        edited("settings.json", lambda s: s.update(block_penalties=[["mass", 2.0], ["mass", 3.0]])),
        "block_penalties names a block twice",
    ),
    "a factor of nothing": (edited("settings.json", lambda s: s.update(block_penalties=[[2.0]])), "no list of 2"),
    "model": (
        edited("settings.json", lambda s: s.update(model="magic")),
        f"model is not one of {', '.join(calibrator_keys())}",
    ),
    "model of list": (edited("settings.json", lambda s: s.update(model=["md"])), "model is not one of"),
    "penalties": (
        edited("settings.json", lambda s: s.update(penalties={"lambda_1": 0.0, "lambda_2": 1.0})),
        "must be above 0",
    ),
    "infinite penalty": (
        edited("settings.json", lambda s: s.update(penalties={"lambda_1": "inf", "lambda_2": 1.0})),
        "not finite",
    ),
    "temperatures": (
        edited("settings.json", lambda s: s.update(matching={"temperatures": ["inf", 300]})),
        "not finite",
    ),
    "links": (edited("settings.json", lambda s: s.update(matching={"by_hand": [["t1.1"]]})), "by_hand is no list of 2"),
    "left out": (edited("settings.json", lambda s: s.update(left_out=[1])), "left_out is no text"),
    "keys": (edited("manifest.json", lambda m: m["tables"][0].update(key="../t1")), "no key such as t1"),
    "same keys": (edited("manifest.json", lambda m: m["tables"][0].update(key="t2")), "the same key"),
    "tables": (edited("manifest.json", lambda m: m.update(tables={"a": 1})), "tables is no list"),
    "value twice": (
        edited("tables/t2.json", lambda t: t["columns"][5].update(quantity={"key": "Cp"})),
        "stands there twice",
    ),
    "no repeat units": (
        edited("tables/t1.json", lambda t: t["columns"].__delitem__(3)),
        "one column of the kind “smiles”",
    ),
    "column too few": (edited("tables/t1.json", lambda t: t["columns"].__delitem__(-1)), "cells instead of"),
    "belongs to nothing": (edited("tables/t1.json", lambda t: t["columns"][5].update(of=99)), "belongs to no value"),
    "unit": (edited("tables/t1.json", lambda t: t["columns"][4].update(unit="parsec")), "parsec"),
    "molar unit": (edited("tables/t1.json", lambda t: t["columns"][4].update(unit="J/(mol K)")), "per mole"),
    "rows below 0": (edited("tables/t1.json", lambda t: t.update(rows=-1)), "rows"),
    "rows too many": (edited("tables/t1.json", lambda t: t.update(rows=12)), "11 rows instead of 12"),
    "text for a value": (replaced("tables/t1.csv", b",1900,", b",much,"), "“much” is no number"),
    "nan for a value": (replaced("tables/t1.csv", b",1900,", b",nan,"), "“nan” is not a finite number"),
    "infinite value": (replaced("tables/t1.csv", b",1900,", b",inf,"), "“inf” is not a finite number"),
    "huge value": (replaced("tables/t1.csv", b",1900,", b",1e999,"), "“1e999” is not a finite number"),
    "text for a line": (replaced("tables/t1.csv", b"\n2,", b"\nx,"), "no whole number"),
    "negative line": (replaced("tables/t1.csv", b"\n2,", b"\n-2,"), "not between 0"),
    "open quotation": (replaced("tables/t1.csv", b'"a, b', b'"a, b"x'), "cannot be read"),
    "undecodable": (replaced("tables/t1.csv", b"polyethylene", b"poly\xff"), "cannot be read"),
    "program": (edited("result/result.json", lambda r: r.update(program=[1])), "program is no group"),
    "sizes": (edited("result/result.json", lambda r: r.update(library=-1)), "cannot be right"),
    "huge sizes": (edited("result/result.json", lambda r: r.update(library=10**9)), "cannot be right"),
    "models": (
        edited("result/result.json", lambda r: r["calibration"]["models"].update(affine=7)),
        "affine is no group",
    ),
    "swapped models": (
        edited("result/result.json", lambda r: r["calibration"]["models"]["affine"].update(model="md")),
        "another calibrator",
    ),
    "chosen": (
        edited("result/result.json", lambda r: r["calibration"]["models"]["affine"]["surface"].update(chosen=[0, 99])),
        "not on the surface",
    ),
    "ragged surface": (
        edited("result/result.json", lambda r: r["calibration"]["models"]["affine"]["surface"].update(rmse=[[1], []])),
        "different lengths",
    ),
    "sign": (
        edited("result/result.json", lambda r: r["calibration"]["models"]["affine"]["coefficients"].update(sign=0)),
        "sign is neither",
    ),
    "next": (
        edited("result/result.json", lambda r: r["calibration"]["measure_next"][0].update(library_index=-1)),
        "not there",
    ),
    "pickle": (put("settings.json", b"\x80\x04\x95\x1f\x00\x00\x00cposix\nsystem\n."), "settings.json"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_content(tmp_path: Path, good: Content, case: str) -> None:
    change, expected = WRONG[case]
    content = dict(good)
    change(content)
    sentence = refused(pack(tmp_path / "wrong.affinecal", content))
    assert sentence.startswith("wrong.affinecal is damaged: ")
    assert expected in sentence


def test_a_positions_column_that_points_outside(tmp_path: Path, good: Content) -> None:
    lines = good["result/library.csv"].split(b"\r\n")
    nearest = lines[0].split(b",").index(b"nearest 1")
    cells = lines[1].split(b",")
    cells[nearest] = b"9999"
    lines[1] = b",".join(cells)
    assert "not between 0 and 8" in refused(
        pack(tmp_path / "a.affinecal", {**good, "result/library.csv": b"\r\n".join(lines)})
    )


def test_every_value_replaced_by_a_wrong_one(tmp_path: Path, good: Content) -> None:
    """Whatever stands anywhere in a document: it opens, or it is refused in a sentence."""
    chance = random.Random(7)
    path = tmp_path / "a.affinecal"
    opened = 0
    for name in ("manifest.json", "settings.json", "tables/t1.json", "result/result.json"):
        plain = json.loads(good[name])
        places = list(paths_in(plain))
        for place in chance.sample(places, min(len(places), 3)):
            for value in (None, -1, 1e308, "x" * 40, [], {}, True, [[1]]):
                changed = copy.deepcopy(plain)
                top = set_at(changed, place, value)
                with zipfile.ZipFile(path, "w") as made:
                    for other, data in good.items():
                        new = json.dumps(changed if top is None else top).encode() if other == name else data
                        made.writestr(other, new)
                opened += opens(path)
    assert opened > 8  # many values are free: texts, notes, counts


def test_random_bytes_anywhere(saved: Path, tmp_path: Path) -> None:
    """More of these by ``python -m tests.benchmarks.fuzz_studies``."""
    whole = saved.read_bytes()
    path = tmp_path / "a.affinecal"
    for seed in range(50):
        chance = random.Random(seed)
        data = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            # The ends of an archive tell where everything is: half of the damage goes there.
            start = 0 if chance.random() < 0.5 else max(0, len(data) - 1500)
            data[chance.randrange(start, len(data))] = chance.randrange(256)
        path.write_bytes(data)
        opens(path)


def test_repeat_units_of_a_stranger_are_read_like_any_others(tmp_path: Path, good: Content) -> None:
    content = dict(good)
    for bad in (b"*CC(", b"*" * 200, b"C1" * 3000, b"\xe2\x84\xab"):
        content["tables/t1.csv"] = good["tables/t1.csv"].replace(b"*CCCC*", bad)
        state = open_study(pack(tmp_path / "a.affinecal", content)).state
        rows = {row.name: row for row in derive(state, Derived()).snapshot.rows}
        assert rows["polyethylene"].state in ("invalid", "no MD value")
        assert rows["polyethylene"].reason


@pytest.mark.parametrize("place", ["\\\\evil\\share\\md.csv", "//evil/share/md.csv", "https://evil.example/md.csv"])
@pytest.mark.parametrize("is_relative", [True, False])
def test_no_table_comes_from_another_computer(tmp_path: Path, good: Content, place: str, is_relative: bool) -> None:
    content = dict(good)
    edited("tables/t2.json", lambda table: table.update(path=place, path_is_relative=is_relative))(content)
    path = open_study(pack(tmp_path / "a.affinecal", content)).state.tables[1].table.path
    assert path == "md.csv" or (is_relative and Path(path).is_relative_to(tmp_path))


def test_sentences_of_a_stranger_are_no_markup(tmp_path: Path, good: Content) -> None:
    bad = "<img src='//evil/x.png'> p <0.05 < b"
    content = dict(good)

    def change(result: dict[str, Any]) -> None:
        result["calibration"].update(notes=[bad], protocol=bad)
        result["calibration"]["recommendation"]["sentence"] = bad

    edited("tables/t1.json", lambda table: table.update(name=bad))(content)
    opened = open_study(pack(tmp_path / "a.affinecal", content))
    assert opened.state.tables[0].table.name == "‹img src='//evil/x.png'> p <0.05 < b"
    content = dict(good)
    edited("result/result.json", change)(content)
    edited("manifest.json", lambda manifest: manifest.update(has_checksums=False))(content)
    del content["result/checksums.json"]
    derived = open_study(pack(tmp_path / "a.affinecal", content)).derived
    assert derived is not None
    calibration = derived.snapshot.calibration
    assert calibration is not None
    for text in (*calibration.notes, calibration.protocol, calibration.recommendation.sentence):
        assert text == "‹img src='//evil/x.png'> p <0.05 < b"


# -- what we write we can read --------------------------------------------------------------------------------------------


def test_content_that_compresses_too_well_is_packed_less(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    large = b",,,,,\r\n" * (3 * MEGABYTE)
    with archive.new_archive(path, overwrite=False) as written:
        written.add(archive.Member("a.csv", large))
    with archive.Archive(path) as opened, opened.stream("a.csv") as stream:
        assert zlib.crc32(stream.read()) == zlib.crc32(large) == opened.checksum("a.csv")


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.affinecal"
    monkeypatch.setattr(table_reading, "MOST_CELLS", 50)
    monkeypatch.setattr("affinecal_gui.study.stored.study_file.MOST_CELLS", 50)
    with pytest.raises(UserError, match=r"a\.affinecal cannot be saved: its tables have about \d+ cells"):
        save_study(path, small_state())
    monkeypatch.undo()
    monkeypatch.setattr(archive, "LARGEST_TOTAL", 1000)
    with pytest.raises(UserError, match=r"a\.affinecal cannot be saved: its tables are larger"):
        save_study(path, small_state())
    monkeypatch.undo()
    loaded = small_state().tables[0]
    names = ("x" * 200_000, *loaded.table.names[1:])
    long = dataclasses.replace(loaded, table=dataclasses.replace(loaded.table, names=names))
    with pytest.raises(UserError, match=r"measured\.csv cannot be saved with the study: a cell of name has 200000"):
        save_study(path, StudyState((long,)))
    assert list(tmp_path.iterdir()) == []


def test_the_manifest_alone_is_as_careful(tmp_path: Path, saved: Path, good: Content) -> None:
    assert read_manifest(saved).title == "Specific heat capacity"
    for data in (b"[]", b'{"format": "AffineCal study"}', b'{"format": "AffineCal study", "version": 1}', b"{" * 99):
        with pytest.raises(UserError, match=r"a\.affinecal"):
            read_manifest(pack(tmp_path / "a.affinecal", {**good, "manifest.json": data}))


def test_no_module_that_runs_what_it_reads(saved: Path) -> None:
    """Reading a study takes neither pickle nor eval, nor does it unpack anything to disk."""
    modules = [path for module in (archive, study_file) for path in Path(module.__file__).parent.glob("*.py")]
    assert len(modules) > 10
    for path in modules:
        text = path.read_text(encoding="utf-8")
        for word in ("pickle", "eval(", "exec(", "extract(", "extractall", "allow_pickle", "np.load"):
            assert word not in text, (path.name, word)
    assert io.BytesIO(saved.read_bytes()).read(2) == b"PK"
