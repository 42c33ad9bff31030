"""The output and the error stream: whatever they are, nothing that is said ends the program or is lost without a word.

A stream may know a few characters only (a code page of Windows, ASCII), be closed, be full, or be a pipe that nobody reads.
"""

import codecs
import contextlib
import io
import os
import sys
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

ERRORS = "affinecal-spelled"
"""How characters are written that a stream does not know: as they can be spelled, else by their number."""

_SPELLED = {
    "±": "+-", "−": "-", "–": "-", "—": "-", "×": "x", "·": "*", "⋅": "*", "…": "...", "→": "->",
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "′": "'", "″": '"',
    "≤": "<=", "≥": ">=", "≈": "~", "≠": "!=", "√": "sqrt", "∞": "inf", "°": "deg ", "µ": "u", "Å": "A",
    "•": "-", "†": "+", "‡": "++", "§": "section ", "\u00a0": " ", "\u202f": " ", "\u2009": " ",
}  # fmt: skip
_LOSSY = ("backslashreplace", "replace", "ignore", "xmlcharrefreplace", "namereplace")
"""Ways to treat unknown characters that cannot fail, and were chosen by the user."""


def spelled(character: str) -> str:
    r"""Return a character in ASCII.

    >>> [spelled(character) for character in "±²λé比"]
    ['+-', '2', 'lambda', 'e', '\\u6bd4']
    """
    if character in _SPELLED:
        return _SPELLED[character]
    name = unicodedata.name(character, "").split()
    if name[:3] in (["GREEK", "SMALL", "LETTER"], ["GREEK", "CAPITAL", "LETTER"]) and len(name) == 4:
        letter = name[3].replace("LAMDA", "LAMBDA")
        return letter.lower() if name[1] == "SMALL" else letter.capitalize()
    parts = unicodedata.normalize("NFKD", character)
    if parts != character:
        return "".join(spelled(part) for part in parts if not unicodedata.combining(part))
    return character.encode("ascii", "backslashreplace").decode()


def _replacement(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(spelled, error.object[error.start : error.end])), error.end


codecs.register_error(ERRORS, _replacement)


def prepare_streams() -> None:
    """Make what the program says fit for its streams; called once, before anything is said."""
    for handle in range(3):  # of closed streams; a file of results must not get their numbers
        try:
            os.fstat(handle)
        except OSError:
            with contextlib.suppress(OSError):
                os.open(os.devnull, os.O_RDWR)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, _Nowhere())
        elif isinstance(stream, io.TextIOWrapper) and stream.errors not in _LOSSY:
            stream.reconfigure(errors=ERRORS)


def say(text: str = "", *, end: str = "\n") -> None:
    """Write to the error stream; when that cannot be written to, there is nobody to tell."""
    try:
        print(text, end=end, file=sys.stderr, flush=True)
    except OSError:
        sys.stderr = _Nowhere()


def put_out(text: str, *, end: str = "\n") -> None:
    """Write to the output stream, as far as the system takes it.

    Raises
    ------
    OSError
        The stream cannot be written to: its disk is full, nobody reads the pipe. It is not used any more then.
    """
    try:
        print(text, end=end, flush=True)
    except OSError:
        sys.stdout = _Nowhere()
        raise


def parsed(parser: "argparse.ArgumentParser", words: Sequence[str]) -> "argparse.Namespace":
    """Return the options of a command; the help that it may print instead is put out as far as the system takes it.

    Raises
    ------
    SystemExit
        The words make no command, or the help was all that was asked for.
    """
    asked_for = io.StringIO()  # argparse says nothing when its help cannot be written
    try:
        with contextlib.redirect_stdout(asked_for):
            return parser.parse_args(words)
    except SystemExit:
        try:
            put_out(asked_for.getvalue(), end="")
        except BrokenPipeError:
            pass
        except OSError as error:
            say(f"affinecal: the output stream takes no more ({error.strerror or error}).")
            raise SystemExit(2) from None
        raise


class _Nowhere(io.TextIOBase):
    """A stream that takes everything, and keeps nothing."""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        return len(text)
