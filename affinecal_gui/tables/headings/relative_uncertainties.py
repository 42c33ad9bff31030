"""Uncertainties in per cent, and other shares of the value: how headings name them and what their numbers mean."""

import re
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.tables.words import fold_digits

RELATIVE = "relative"
"""Stands as unit of a column of uncertainties whose heading says that they are shares, but not of a hundred or of one."""

RELATIVE_PERCENT = "% relative"
"""As :data:`RELATIVE`, of a hundred: per cent of the value even where the value itself is in per cent."""

ShareKind = Literal["none", "percent", "fraction", "unclear"]
"""What the numbers of an uncertainty are: in a unit, per cent of the value, fractions of it; or which of both is unclear."""

LARGEST_FRACTION = 0.3
SMALLEST_PERCENT = 0.5

_PERCENT_WORDS = frozenset(
    ("%", "percent", "percentage", "perc", "pct", "pc", "prozent", "pourcent", "porcentaje", "百分比")
)
_RELATIVE_WORDS = frozenset(
    (
        "rel",
        "relative",
        "relativ",
        "relativer",
        "relatif",
        "relativa",
        "relativo",
        "fractional",
        "fract",
        "相対",
        "相对",
    )
)
_BETWEEN = frozenset(("in", "per", "cent", "en"))
_RELATIVE_UNCERTAINTIES = frozenset(
    (
        *("rsd", "rsu", "rse", "urel", "relstd", "relsd", "relerr", "cov", "vk", "variationskoeffizient"),
        *("相対標準偏差", "相対誤差", "相対不確かさ", "変動係数", "相对标准偏差", "相对误差", "变异系数", "变动系数"),
        *("상대표준편차", "변동계수"),
    )
)
_ONLY_WITH_PERCENT = frozenset(("cv", "c v", "ur", "sr"))  # "Cv" is a heat capacity
_VARIATION = re.compile(
    r"\bcoeff?(?:icient)? of var(?:iation)?\b|\bcoefficient de variation\b|\bcoeficiente de variación\b"
)


_COVERAGE = re.compile(r"[(\[,;\s_]*\bk\s*(?:=|_)?\s*(?P<k>[1-4](?:[.,]\d+)?)\s*[)\]]?", re.IGNORECASE)
_SIGMAS = re.compile(
    r"(?<![\d.,\w])(?P<k>[1-4])(?:\s*[-_]?\s*(?:σ|sigma|s\.?d\.?|std)|(?<=[23])s)(?![^\W_])", re.IGNORECASE
)
_EXPANDED = re.compile(
    r"(?<![^\W_])(?:expanded|erweiterte|élargie|expandida)(?![^\W_])|(?<![^\W_])U_?95(?!\d)"
    r"|\b9\d(?:\.\d)?\s*%\s*CI(?![^\W_])|(?<![^\W_])CI_?\s*9\d\s*%?"
    r"|(?:\b9\d(?:\.\d)?\s*%\s*)?(?<![^\W_])(?:confidence interval|Konfidenzintervall)(?![^\W_])",
    re.IGNORECASE,
)


def coverage_factor(heading: str) -> float | None:
    """Return how many standard uncertainties the numbers below a heading are; None where it names no factor.

    >>> coverage_factor("U (k=2)"), coverage_factor("2 sigma"), coverage_factor("Cp_std"), coverage_factor("expanded unc.")
    (2.0, 2.0, 1.0, None)
    """
    found = _COVERAGE.search(heading) if "=" in heading or _EXPANDED.search(heading) else None
    found = found or _SIGMAS.search(heading)
    if found is not None:
        return float(found["k"].replace(",", "."))
    return None if _EXPANDED.search(heading) else 1.0


def without_coverage(heading: str) -> str:
    """Take away what says how many standard uncertainties are meant: "Cp u (k=2)" -> "Cp u", "2 sigma" -> "sigma".

    >>> without_coverage("Tg U (k = 2)"), without_coverage("density 2σ"), without_coverage("expanded uncertainty")
    ('Tg U', 'density sigma', 'uncertainty')
    """
    if coverage_factor(heading) == 1.0:
        return heading
    text = _COVERAGE.sub(" ", heading) if "=" in heading or _EXPANDED.search(heading) else heading
    text = _SIGMAS.sub(lambda found: re.sub(r"^[1-4]\s*[-_]?\s*", "", found[0]).replace("σ", "sigma"), text)
    text = _EXPANDED.sub(lambda found: "" if found[0].casefold().startswith(("exp", "erw", "él")) else "U", text)
    return " ".join(text.split())


def statistic_words(words: Sequence[str], unit: str) -> tuple[tuple[str, ...], str]:
    """Take the words out of a heading by which an uncertainty is one in per cent or relative.

    Parameters
    ----------
    words
        Of the heading, without its unit, in lower case.
    unit
        As written in the heading.

    Returns
    -------
    words, unit
        Words that name an absolute uncertainty of the same value, and "%", :data:`RELATIVE`, :data:`RELATIVE_PERCENT`, or ""
        where nothing says that it is a share.

    >>> statistic_words(("cp", "rsd"), "%")
    (('cp', 'uncertainty'), '% relative')
    >>> statistic_words(("%", "error"), "")
    (('error',), '%')
    >>> statistic_words(("cp",), "J/(kg K)")
    (('cp',), '')
    """
    joined = _VARIATION.sub("rsd", " ".join(words))
    spread = [part for word in joined.split() for part in re.split(r"(%)", fold_digits(word)) if part]
    percent = is_percent(unit) or not _PERCENT_WORDS.isdisjoint(spread) or ("per" in spread and "cent" in spread)
    relative = False
    kept: list[str] = []
    for word in spread:
        if word in _RELATIVE_UNCERTAINTIES or (percent and word in _ONLY_WITH_PERCENT):
            relative = True
            kept.append("uncertainty")
        elif word in _RELATIVE_WORDS:
            relative = True
        elif word not in _PERCENT_WORDS and not (percent and word in _BETWEEN):
            kept.append(word)
    if not percent and not relative:
        return tuple(words), ""
    return tuple(kept), (RELATIVE_PERCENT if percent else RELATIVE) if relative else "%"


def is_percent(unit: str) -> bool:
    """Whether a unit is per cent of something: "%", "wt%", "percent", "mol-%"."""
    folded = fold_digits(unit).casefold()
    return "%" in folded or any(word in _PERCENT_WORDS for word in re.split(r"[\W_]+", folded)) or "per cent" in folded


def share_kind(unit: str, numbers: NDArray[np.float64], *, value_in_percent: bool) -> ShareKind:
    """Tell what the numbers of a column of uncertainties are.

    Parameters
    ----------
    unit
        Of the column of uncertainties, as written or as :func:`statistic_words` gives it.
    numbers
        (rows,) its numbers.
    value_in_percent
        Whether the value is in per cent itself: its uncertainty in per cent is then in the same unit, and no share.
    """
    percent, relative = is_percent(unit), RELATIVE in unit
    if percent:
        return "percent" if relative or not value_in_percent else "none"
    if not relative:
        return "none"
    known = np.abs(numbers[np.isfinite(numbers)])
    if not len(known) or float(known.max()) <= LARGEST_FRACTION:
        return "fraction"
    return "percent" if float(np.median(known)) >= SMALLEST_PERCENT else "unclear"
