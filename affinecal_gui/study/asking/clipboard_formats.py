"""What drawing programs put on the clipboard -> text that can be read as a structure. Formats come by their MIME types."""

from collections.abc import Callable, Mapping
from typing import Final

from affinecal_gui.errors import UserError

_BINARY_DRAWINGS: Final = ("cdx", "chemdraw", "isis", "mdlsk")
TAKE_TEXT_INSTEAD: Final = (
    "The clipboard holds a drawing in a format of its program. Copy the structure as SMILES or as a molfile: in ChemDraw "
    "choose Edit > Copy As > SMILES or MOL Text, in Marvin Edit > Copy As."
)


class NoStructureOnClipboard(UserError):  # noqa: N818 - names the state of the clipboard
    """There is nothing that could be a structure; the message says what to copy instead."""


def _length_before_each_line(data: bytes) -> str:
    """Decode ``MDLCT``: each line of a molfile after one byte with its length."""
    lines, at = [], 0
    while at < len(data):
        end = at + 1 + data[at]
        lines.append(data[at + 1 : end])
        at = end
    return _plain(b"\n".join(lines))


def _plain(data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace").strip("\0")
    return data.decode("utf-8", errors="replace").strip("\0")


_READABLE: Final[tuple[tuple[str, Callable[[bytes], str]], ...]] = (
    ("mdlct", _length_before_each_line),
    ("molfile", _plain),
    ("mdl-mol", _plain),
    ("mdl mol", _plain),
    ("smiles", _plain),
)
"""Parts of the names of formats, and how to decode them; a molfile says more than a SMILES."""


def names_a_structure(name: str) -> bool:
    """Whether a MIME type is that of a structure that can be read."""
    return any(part in name.casefold() for part, _ in _READABLE)


def structure_on_clipboard(formats: Mapping[str, bytes], text: str) -> str:
    """Return the text that stands for the structure on the clipboard.

    Parameters
    ----------
    formats
        Contents by MIME type. Those of a system, such as ``application/x-qt-windows-mime;value="MDLCT"``, are told by the
        part that names the format.
    text
        What is there as plain text, "" without any.

    Raises
    ------
    NoStructureOnClipboard
        There is only a drawing that no other program reads, or nothing at all.
    """
    named = {name.casefold(): data for name, data in formats.items()}
    for part, decode in _READABLE:
        for name, data in named.items():
            if part in name and (found := decode(data)).strip():
                return found
    if text.strip():
        return text
    if any(part in name for name in named for part in _BINARY_DRAWINGS):
        raise NoStructureOnClipboard(TAKE_TEXT_INSTEAD)
    raise NoStructureOnClipboard(
        "There is no structure on the clipboard. Copy a repeat unit as SMILES or as a molfile."
    )
