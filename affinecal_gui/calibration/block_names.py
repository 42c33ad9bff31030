"""Blocks of descriptors by the names of their columns: ``k_bond_0, k_bond_1 ...`` are one, ``mass_H, mass_C ...`` another."""

import re
from collections.abc import Sequence

_NUMBERED = re.compile(r"(.+?)_?(\d+)")

_ELEMENTS = ("H", "B", "C", "N", "O", "F", "Si", "P", "S", "Cl", "Se", "Br", "Sn", "Te", "I")
"""Words that have an order, from light to heavy."""


def block_of(column: str) -> str:
    """Return what names the block of a column: all before its number, or before its last word.

    >>> block_of("k_bond_12"), block_of("mass_H"), block_of("polarity")
    ('k_bond', 'mass', 'polarity')
    """
    found = _NUMBERED.fullmatch(column)
    return found[1] if found else column.rpartition("_")[0] or column


def named_blocks(columns: Sequence[str]) -> dict[str, list[str]]:
    """Return the columns of each block: numbered ones by their numbers, elements from light to heavy, others as they come.

    Coefficients of neighbours within a block are drawn together, so a table whose columns were sorted by their texts (0, 1,
    10, 11, 2 ...) must not make other neighbours.
    """
    blocks: dict[str, list[str]] = {}
    for column in columns:
        blocks.setdefault(block_of(column), []).append(column)
    for members in blocks.values():
        places = {column: _place(column) for column in members}
        if None not in places.values():
            members.sort(key=lambda column: places[column] or 0)
    return blocks


def _place(column: str) -> int | None:
    """Return what the last part of a name is worth in an order; None where it has none."""
    found = _NUMBERED.fullmatch(column)
    if found:
        return int(found[2])
    word = column.rpartition("_")[2]
    return _ELEMENTS.index(word) if word in _ELEMENTS else None
