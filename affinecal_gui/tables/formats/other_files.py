"""Files that are no table of text: what they are, and what to do about it."""

import codecs
import re

from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.text.encodings import guess_encoding

_PACKED = "Unpack it first."
_SAVE = "Save the data as CSV, or choose another file."
_SIGNATURES: tuple[tuple[bytes, str, str], ...] = (
    (b"%PDF", "a PDF document", _SAVE),
    (b"\x89PNG", "a picture", _SAVE),
    (b"\xff\xd8\xff", "a picture", _SAVE),
    (b"GIF8", "a picture", _SAVE),
    (b"\x1f\x8b", "packed twice", _PACKED),
    (b"BZh", "packed twice", _PACKED),
    (b"\xfd7zXZ", "an xz archive", _PACKED),
    (b"7z\xbc\xaf", "a 7z archive", _PACKED),
    (b"Rar!", "a RAR archive", _PACKED),
    (b"\x7fELF", "a program", _SAVE),
    (b"MZ\x90", "a program", _SAVE),
    (b"SQLite format 3", "a database", _SAVE),
    (b"\x89HDF", "an HDF5 file", _SAVE),
    (b"\x93NUMPY", "a NumPy array", _SAVE),
    # Of every version but the first two, which are text and hold nothing that is read as a table with a heading.
    *(
        (begin, "a Python pickle, which could run code and is never opened", _SAVE)
        for begin in (b"\x80\x02", b"\x80\x03", b"\x80\x04\x95", b"\x80\x05\x95")
    ),
    (b"{\\rtf", "a text document", _SAVE),
)
_POINTERS: tuple[tuple[re.Pattern[bytes], str, str], ...] = (
    (re.compile(rb"version https?://(?:git-lfs|hawser)\.github\.com/spec/"), "Git LFS", "git lfs pull"),
    (re.compile(rb"(?:\.\./)*(?:\.git)?/annex/objects/\S"), "git-annex", "git annex get"),
    (re.compile(rb"(?:[^\n]*\n){0,20}?outs:\s*\n\s*-\s+(?:md5|etag|hash|size|path):"), "DVC", "dvc pull"),
)
"""What stands in the place of a file that a repository keeps elsewhere."""
_WEB_PAGE = re.compile(rb"<!doctype html|<html|<head|<body|<table|<\?xml|<!--")


def refuse_other_files(sample: bytes, name: str) -> None:
    """Raise a TableError that says what a file is whose beginning is that of no table of text."""
    for signature, kind, advice in _SIGNATURES:
        if sample.startswith(signature):
            raise TableError(f"{name} is {kind}. {advice}")
    text = _narrow(sample[:4096]).lstrip()
    for pattern, keeper, command in _POINTERS:
        if pattern.match(text):
            raise TableError(
                f"{name} is a {keeper} pointer: it stands for the file, which was not downloaded. Run “{command}” in its "
                "folder, or download the file itself."
            )
    head = text.lower()
    if _WEB_PAGE.match(head) or b"<table" in head:
        raise TableError(
            f"{name} is a web page or XML, whatever its name says. Open it in a spreadsheet and save it as CSV or XLSX. If "
            "it was downloaded, download the file itself, not the page that shows it."
        )
    if (
        not sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        and guess_encoding(sample).encoding[:6] != "utf-16"
    ):
        control = sum(
            sample[:4096].count(bytes([code])) for code in range(1, 32) if code not in (9, 10, 11, 12, 13, 26, 27)
        )
        if control + 0.3 * sample[:4096].count(0) > 0.02 * len(sample[:4096]) + 2:
            raise TableError(f"{name} is not a table of text. Save the data as CSV or XLSX, or choose another file.")


def _narrow(sample: bytes) -> bytes:
    """Return the beginning of a text without byte order mark, with one byte for each character of ASCII."""
    encoding = "utf-8-sig"
    if sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    return sample.decode(encoding, errors="replace").encode("utf-8", errors="replace").replace(b"\r\n", b"\n")
