"""Which characters the bytes of a text file stand for."""

import codecs
import re
from dataclasses import dataclass

from charset_normalizer import from_bytes

from affinecal_gui.tables.text.old_encodings import scores_of

SAMPLE_BYTES = 1 << 18

_BYTE_ORDER_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose little-endian mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_SHIFTED = re.compile(rb"\x1b\$[@B]")
"""How Japanese begins among the seven-bit characters of ISO-2022-JP."""


@dataclass(frozen=True, slots=True)
class EncodingGuess:
    """A name that Python's codecs understand, and how sure the guess is."""

    encoding: str
    confidence: float  # 0 to 1
    note: str = ""  # what the user should know, as a sentence


def guess_encoding(sample: bytes, *, complete: bool = False) -> EncodingGuess:
    """Guess the encoding of a text from its beginning.

    Byte order marks decide; so do NUL bytes at every other place (UTF-16 without a mark) and valid UTF-8. What is left
    is an old one-byte or two-byte encoding: the one wins whose reading of the bytes outside ASCII is the most ordinary.

    Parameters
    ----------
    sample
        The first bytes of the file.
    complete
        True when the sample is the whole file, so that a character cut off at its end is an error.
    """
    for mark, name in _BYTE_ORDER_MARKS:
        if sample.startswith(mark):
            return EncodingGuess(name, 1.0)
    wide = _utf16_without_mark(sample)
    if wide:
        return EncodingGuess(wide, 0.95)
    if sample.isascii():
        return EncodingGuess("iso2022_jp" if _SHIFTED.search(sample) else "utf-8", 1.0)
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(sample, final=complete)
    except UnicodeDecodeError:
        return _guess_without_utf8(sample)
    return EncodingGuess("utf-8", 1.0)


def _guess_without_utf8(sample: bytes) -> EncodingGuess:
    text = sample.decode("utf-8", errors="replace")
    broken = text.count("\ufffd")
    sound = sum(1 for character in text if ord(character) > 127) - broken
    if sound > 3 * broken:
        return EncodingGuess("utf-8", 0.8, "some bytes are not UTF-8 and read as \ufffd")
    scores = scores_of(sample)
    best = max(scores, key=lambda name: scores[name])
    if scores[best] >= 0.5:
        rival = max(score for name, score in scores.items() if name != best)
        return EncodingGuess(best, 0.5 + min(scores[best] - rival, 1.0) / 2)
    hint = from_bytes(sample[:20_000]).best()
    if hint is not None and hint.encoding not in ("ascii", "utf_8"):
        return EncodingGuess(hint.encoding, 0.4)
    return EncodingGuess("cp1252", 0.3)


def with_byte_order(encoding: str, sample: bytes) -> str:
    """Return the encoding with an order of its bytes where neither its name nor the beginning of the text says one.

    A decoder of Python refuses such a text; others take it for little-endian, as nearly all of them are.
    """
    name = codecs.lookup(encoding).name
    if name == "utf-16" and not sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _utf16_without_mark(sample) or "utf-16-le"
    if name == "utf-32" and not sample.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32-le"
    return encoding


def _utf16_without_mark(sample: bytes) -> str:
    head = sample[:4096]
    if len(head) < 4:
        return ""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    pairs = len(head) // 2
    if odd > 0.4 * pairs and even < 0.05 * pairs:
        return "utf-16-le"
    if even > 0.4 * pairs and odd < 0.05 * pairs:
        return "utf-16-be"
    return ""
