"""Terms with silicon that no table lists: which similar term stands in, and that it did.

RadonPy's GAFF2_mod has parameters for silicon between methyl groups and oxygen. Where a polymer has others around it (phenyl
groups, alkoxy groups), the term of similar types is taken, which is GAFF's own first resort (Wang et al., J. Comput. Chem.
25, 1157 (2004)): first types like those that GAFF2_mod has beside silicon, then those of the same chain with carbon in the
place of silicon; around an atom that GAFF2 knows, the other way round. A bond of silicon is never taken from a bond of
carbon, which is a fifth shorter. Every term that was estimated so is told.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations

from affinecal_gui.bundled import resources

SILICON = "si"


@cache
def _similar(table: str) -> Mapping[str, str]:
    text = (resources() / "force_fields" / f"{table}.csv").read_text(encoding="utf-8")
    return dict(csv.reader(text.splitlines()[1:]))


def beside_silicon() -> Mapping[str, str]:
    """Return the type that GAFF2_mod has beside silicon for a type that it has elsewhere."""
    return _similar("similar_types")


def without_silicon() -> Mapping[str, str]:
    """Return the type of GAFF2 that is like a type that came with silicon."""
    return _similar("types_without_silicon")


def similar_terms(types: Sequence[str], alternatives: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    """Yield terms of similar types in the order in which they are tried; nothing for a term that silicon is far from.

    Parameters
    ----------
    types
        Atom types of a bond, an angle or a dihedral.
    alternatives
        What stands in for a type of GAFF everywhere: "cd" for "c2".
    """
    if not any(name in without_silicon() for name in types):
        return
    known = [alternatives.get(name, name) for name in types]
    carbon = tuple(without_silicon().get(name, name) for name in types)
    if len(types) == 3 and known[1] in beside_silicon():
        yield carbon  # the angle is decided by its central atom, which does not come with silicon
    if SILICON in types:
        places = [place for place, name in enumerate(known) if name in beside_silicon()]
        for number in range(1, len(places) + 1):
            for chosen in combinations(places, number):
                yield tuple(beside_silicon()[name] if place in chosen else name for place, name in enumerate(known))
        if len(types) == 2:
            return
    yield carbon
