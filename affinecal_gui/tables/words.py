"""What a single cell looks like, before its column has a role."""

import re

MISSING_WORDS = frozenset(
    word.strip()
    for word in """
    - | -- | --- | – | — | . | .. | ... | … | ? | ?? | / | \\ | * | ** | *** | ー | ― | −
    n/a | n.a. | n.a | na | nan | null | none | nil | n.d. | nd | n.d | n.b. | n.m. | n.r. | nr | n. b. | n. d. | n. a.
    #n/a | #na | #value! | #div/0! | #ref! | #num! | #name? | #null! | <na> | tbd | tba
    not determined | not measured | not available | not reported | not given | not stated | missing | unknown
    unbekannt | k.a. | k. a. | keine angabe | nicht bestimmt | nicht gemessen
    未測定 | 測定不可 | 不明 | なし | 無し | 欠測 | 無 | 无 | 未测 | 未测定
    """.replace("\n", " | ").split("|")
)
"""Cells that say "no value", in lower case and with full-width characters folded."""

_TOTALS = "|".join(
    (
        r"(?:arithmetic |overall |grand )?(?:mean|average|avg|ave|median|total|sum)(?: values?)?(?: of .*)?",
        r"std|sd|stdev|st dev|std dev|standard deviations?|standard error|sem|rsd",
        r"min|minimum|max|maximum|range|count|n|n ?= ?\d+",
        r"(?:arithmetischer |gesamt)?(?:mittelwerte?|mittel|durchschnitt|median|summe|gesamt|anzahl)(?: aller .*)?",
        r"standardabweichung|std abw|streuung|ø|σ|moyenne|écart type|total général|promedio|media|desviación estándar",
        r"(?:算術|相加|全体)?(?:平均|平均値|中央値|合計|総計|標準偏差|最小値?|最大値?|件数)",
        r"平均值|中位数|合计|总计|标准差|标准偏差|最小值|最大值|평균|합계|표준편차",
    )
)
_TOTAL = re.compile(rf"(?:{_TOTALS})(?: ?(?:±|\+/-|and|und|&) ?(?:{_TOTALS}))?")


def looks_like_total(text: str) -> bool:
    """Whether a cell names what a line of totals below a table gives: "Mean", "Mittelwert:", "Average (n = 81)", "平均".

    >>> looks_like_total("Std. dev."), looks_like_total("Average of all polymers"), looks_like_total("PS")
    (True, True, False)
    """
    if not text or len(text) > 60:
        return False
    plain = re.sub(r"[(（\[].*?[)）\]]", " ", fold_digits(text)).casefold().replace(".", " ").replace("-", " ")
    return _TOTAL.fullmatch(" ".join(plain.split()).strip(" :*=")) is not None


_REPEAT_UNIT = re.compile(r"\S*(\*|\[\*|\[[A-Za-z]?\d*\*|\[R\d?\])\S*")
_STAND_INS = re.compile(
    r"\[(?:Cu|Ag|Ce|Au|Po|At|Fr|Th|Lr)\]"
)  # elements that lists of generated polymers end units with
_TIMES_A_POWER = re.compile(r"\*1(?:0\^|0{3,}$|[eE][+-]?\d)")  # "CTE*1e6" is a heading
_ATTACHMENT_POINTS = re.compile(r"\*|＊")


def is_missing_word(text: str) -> bool:
    """Whether a cell says that there is no value: "", "n/a", "-", "ND", "未測定" ..."""
    return text == "" or fold_digits(text).strip().casefold() in MISSING_WORDS


def looks_like_repeat_unit(text: str) -> bool:
    """Whether a cell is the SMILES of a repeat unit, or of several with ``|`` between them, told by its attachment points.

    Validity is not checked.
    """
    if not 2 <= len(text) <= 5000 or " " in text.replace(" | ", "|") or _TIMES_A_POWER.search(text):
        return False
    marks = len(_ATTACHMENT_POINTS.findall(text))
    if marks == 0:
        return "[R1]" in text or "[R]" in text or len(_STAND_INS.findall(text)) == 2
    return marks <= 6 + 2 * text.count("|") and any(character in "CcNnOoSsPpFIB#=[" for character in text)


def fold_digits(text: str) -> str:
    """Replace full-width characters and the digits of other scripts by plain ones; superscripts stay what they are."""
    if text.isascii():
        return text
    folded = []
    for character in text:
        code = ord(character)
        if 0xFF01 <= code <= 0xFF5E:
            folded.append(chr(code - 0xFEE0))
        elif character == "\u3000":
            folded.append(" ")
        elif character.isdecimal():
            folded.append(str(int(character)))
        else:
            folded.append(character)
    return "".join(folded)


def listed(text: str) -> tuple[str, ...]:
    """Return the words of a list in the source: semicolons and ends of lines stand between them.

    >>> listed("glass transition; tg")
    ('glass transition', 'tg')
    """
    return tuple(word for line in text.split("\n") for word in map(str.strip, line.split(";")) if word)
