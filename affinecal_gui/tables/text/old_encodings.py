"""How ordinary the bytes of a table read in each of the encodings that came before Unicode."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

SAMPLE_OF_LINES = 16_384
"""Bytes of lines with more than ASCII that are looked at."""

_WESTERN = "äöüßéèêëàâáãåíîïìóôòõøúùûñçæœÿÄÖÜÉÈÀÁÅÇÑÆØ"
_CENTRAL = _WESTERN + "ąćęłńśźżčďěňřšťůžőűăâîșțşţđĄĆĘŁŃŚŹŻČĎĚŇŘŠŤŮŽŐŰ"
_SIGNS = "°±µμ²³¹·×–—‘’“”…§«»€£®©ªº½¼\u00a0"
_WIDE_SIGNS = "℃Åμ・、。（）「」【】％＊　／＝：，±×℉°"
_TELLING = re.compile(
    r"(?<![^\W\d_])(?:°\s?[CFcf](?![^\W\d_])|[℃℉](?!\w))|(?<=[A-Za-z])[²³](?!\w)|(?<=\d)\s?±\s?(?=\d)"
    r"|(?<![^\W\d_])[µμ](?=[mgsWVSJNL](?![^\W\d_]))|ポリ|聚|聚|폴리|[Пп]оли|[Пп]ολυ|[Ππ]ολυ"
)
"""What stands in tables of polymers and hardly anywhere in bytes that are read wrongly: units, and "poly" in some scripts."""
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class _Encoding:
    name: str
    ordinary: Callable[[str], bool]  # whether a character outside ASCII is common in the texts that are written in it
    wide: bool = False  # with two bytes for a character


def _one_of(characters: str) -> Callable[[str], bool]:
    return frozenset(characters + _SIGNS).__contains__


def _between(*ranges: tuple[str, str]) -> Callable[[str], bool]:
    return lambda character: character in _SIGNS or any(first <= character <= last for first, last in ranges)


def _leading(encoding: str, *ranges: tuple[int, int]) -> Callable[[str], bool]:
    """Return whether the first byte of a character is that of a common one; rare ones stand behind them in the tables."""

    def is_common(character: str) -> bool:
        try:
            written = character.encode(encoding)
        except UnicodeEncodeError:
            return False
        in_rows = any(first <= written[0] <= last for first, last in ranges)
        return len(written) == 2 and in_rows and (encoding in ("cp932", "cp950") or written[1] >= 0xA1)

    return lambda character: character in _WIDE_SIGNS or is_common(character)


_CYRILLIC = _between(("А", "я"), ("ё", "ё"), ("Ё", "Ё"))
_ENCODINGS = (  # the commonest first: of two that read equally well, the first wins
    _Encoding("cp1252", _one_of(_WESTERN)),
    _Encoding("cp932", _leading("cp932", (0x82, 0x83), (0x88, 0x97)), wide=True),
    _Encoding("gb18030", _leading("gb18030", (0xB0, 0xD7), (0xA3, 0xA3)), wide=True),
    _Encoding("euc_jp", _leading("euc_jp", (0xA4, 0xA5), (0xB0, 0xCF)), wide=True),
    _Encoding("cp950", _leading("cp950", (0xA4, 0xC6)), wide=True),
    _Encoding("cp949", _leading("cp949", (0xB0, 0xC8)), wide=True),
    _Encoding("cp1251", _CYRILLIC),
    _Encoding("koi8_r", _CYRILLIC),
    _Encoding("cp866", _CYRILLIC),
    _Encoding("iso8859_5", _CYRILLIC),
    _Encoding("mac_roman", _one_of(_WESTERN)),
    _Encoding("cp850", _one_of(_WESTERN)),
    _Encoding("cp1250", _one_of(_CENTRAL)),
    _Encoding("cp852", _one_of(_CENTRAL)),
    _Encoding("mac_latin2", _one_of(_CENTRAL)),
    _Encoding("mac_cyrillic", _CYRILLIC),
    _Encoding("cp1253", _between(("Ά", "ώ"))),
)


def scores_of(sample: bytes) -> dict[str, float]:
    """Return how ordinary a text reads in each encoding: the share of ordinary characters, and 1 more for telling signs."""
    lines = b"\n".join(line for line in sample.splitlines() if not line.isascii())[:SAMPLE_OF_LINES]
    return {known.name: _score(lines, known) for known in _ENCODINGS}


def _score(lines: bytes, known: _Encoding) -> float:
    text = lines.decode(known.name, errors="replace")
    foreign = [character for character in text if ord(character) > 127]
    if not foreign:
        return 0.0
    odd = 0 if known.wide else sum(map(_misplaced, _WORD.findall(text)))
    ordinary = max(sum(map(known.ordinary, foreign)) - odd, 0) / len(foreign)
    return ordinary + (_TELLING.search(text) is not None and ordinary >= 0.3)


def _misplaced(word: str) -> int:
    """Count the letters of a word that are there by a wrong reading: capitals behind small ones, long runs of accents."""
    if word.isascii():
        return 0
    capitals = sum(not one.isascii() and one.isupper() and before.islower() for before, one in pairwise(word))
    accents = max((len(run) for run in re.findall("[\u00c0-\u017f]+", word)), default=0)
    return capitals + (2 + accents if accents > 2 else 0)
