"""Polymers in a few groups by one trait, so that each group can have a colour and a mark of its own."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.numbers import significant
from affinecal_gui.study.shown.traits import Rows, Trait, numbers_of, texts_of, trait_of
from affinecal_gui.study.snapshot import Snapshot

MOST = 7  # groups that are told apart, beside the others and those of which nothing is known
RANGES = 5  # groups of a trait that is a number
GROUP_ROLES = ("blue", "ochre", "green", "violet", "red", "sky", "olive")
"""Roles of the palettes of window and figures, of the first group, of the second, and so on; as many as :data:`MOST`."""
OTHERS, UNKNOWN = "others", "not known"


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """To which group each of k polymers belongs."""

    trait: Trait
    labels: tuple[str, ...]  # of the groups that have polymers
    of: NDArray[np.intp]  # (k,) positions among the labels
    ordered: bool  # the groups are ranges of a number, the lowest first
    told: int  # of the labels, those that stand for themselves; behind them come the others and the unknown


def groups_by(snapshot: Snapshot, rows: Rows, key: str) -> Groups | None:
    """Group some rows by a trait; None where nothing of them has it."""
    trait = trait_of(snapshot, rows, key)
    if trait is None:
        return None
    if trait.is_number:
        return _by_number(trait, numbers_of(snapshot, rows, key))
    return _by_text(trait, texts_of(snapshot, rows, key))


def _by_text(trait: Trait, texts: tuple[str, ...]) -> Groups:
    counts = Counter(text for text in texts if text)
    # The largest groups come first; of equally large ones, those that come first in the alphabet.
    labels = sorted(counts, key=lambda text: (-counts[text], text))[:MOST]
    place = {text: number for number, text in enumerate(labels)}
    further = [word for word, there in ((OTHERS, len(counts) > MOST), (UNKNOWN, "" in texts)) if there]
    every = [*labels, *further]
    others, unknown = len(labels), len(every) - 1
    of = [unknown if not text else place.get(text, others) for text in texts]
    return Groups(trait, tuple(every), np.array(of, dtype=np.intp), ordered=False, told=len(labels))


def _by_number(trait: Trait, values: FloatArray) -> Groups:
    known = np.isfinite(values)
    distinct = np.unique(values[known])
    if distinct.size <= RANGES + 1:
        edges = distinct
        labels = [significant(float(value), 4) for value in distinct]
    else:  # ranges with about as many polymers in each
        edges = np.unique(np.quantile(values[known], np.arange(RANGES) / RANGES, method="lower"))
        ends = [*edges[1:], distinct[-1]]
        labels = [
            f"{significant(float(low))} to {'' if last else 'below '}{significant(float(high))}"
            for low, high, last in zip(edges, ends, [False] * (len(edges) - 1) + [True], strict=True)
        ]
    of = np.full(values.size, len(labels), dtype=np.intp)
    of[known] = np.searchsorted(edges, values[known], side="right") - 1
    told = len(labels)
    return Groups(trait, (*labels, UNKNOWN) if not known.all() else tuple(labels), of, ordered=True, told=told)
