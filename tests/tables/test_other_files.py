"""A file that is no table is called what it is, with what to do, whatever its name says."""

import pickle
from pathlib import Path

import pytest

from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.row_stream import open_rows

LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n"
ANNEX = "/annex/objects/MD5E-s12345--0123456789abcdef.csv\n"
DVC = "outs:\n- md5: a304afb96060aad90176268345e10355\n  size: 37891850\n  hash: md5\n  path: md.csv\n"
PAGE = "\n\n<!DOCTYPE html>\n<html><head><title>md.csv at main</title></head><body></body></html>\n"
SUFFIXES = [".csv", ".xlsx", ".parquet", ".json", ".sdf", ".txt", ".csv.gz", ""]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize(
    ("text", "what", "advice"),
    [
        (LFS, "is a Git LFS pointer: it stands for the file, which was not downloaded.", "“git lfs pull”"),
        (LFS.replace("\n", "\r\n"), "is a Git LFS pointer", "“git lfs pull”"),
        (ANNEX, "is a git-annex pointer", "“git annex get”"),
        (f"../../.git{ANNEX}", "is a git-annex pointer", "“git annex get”"),
        (DVC, "is a DVC pointer", "“dvc pull”"),
        (f"md5: 0\nfrozen: true\ndeps:\n- path: a.py\n{DVC}", "is a DVC pointer", "“dvc pull”"),
        (PAGE, "is a web page or XML", "download the file itself"),
    ],
)
def test_what_stands_in_the_place_of_a_file_is_named(
    tmp_path: Path, suffix: str, encoding: str, text: str, what: str, advice: str
) -> None:
    path = tmp_path / f"md{suffix}"
    path.write_bytes(text.encode(encoding))
    for read in (read_table, lambda given: open_rows(given).__enter__()):
        with pytest.raises(TableError) as caught:
            read(path)
        sentence = str(caught.value)
        assert sentence.startswith(f"md{suffix} {what}")
        assert advice in sentence


def test_a_web_page_in_utf_16_is_named(tmp_path: Path) -> None:
    (tmp_path / "md.csv").write_bytes(PAGE.encode("utf-16"))
    with pytest.raises(TableError, match=r"md\.csv is a web page"):
        read_table(tmp_path / "md.csv")


def test_a_link_to_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    link = tmp_path / "md.csv"
    link.symlink_to(".git/annex/objects/Xz/0K/MD5E-s1--a.csv/MD5E-s1--a.csv")
    with pytest.raises(TableError, match=r"md\.csv is a link to \.git/annex/objects/.*“git annex get”"):
        read_table(link)


@pytest.mark.parametrize("text", ["version,smiles,density\n1,*CC*,0.95\n2,*CCO*,1.1\n", "outs\n*CC*\n*CCO*\n"])
def test_a_table_that_begins_a_little_like_a_pointer_is_a_table(tmp_path: Path, text: str) -> None:
    (tmp_path / "md.csv").write_text(text, encoding="utf-8")
    assert read_table(tmp_path / "md.csv").row_count == 2


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize("suffix", [".pkl", ".csv", ".csv.gz"])
def test_a_pickle_of_any_version_is_called_one_and_not_opened(tmp_path: Path, protocol: int, suffix: str) -> None:
    path = tmp_path / f"md{suffix}"
    path.write_bytes(pickle.dumps({"smiles": ["*CC*"], "Cp": [2.0]}, protocol=protocol))
    with pytest.raises(TableError, match="is a Python pickle, which could run code and is never opened"):
        read_table(path)
