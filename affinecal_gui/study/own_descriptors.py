"""Blocks of a table that brings its own descriptors: columns called ``block_0, block_1, ...``."""

import re

from affinecal_gui.polymers.blocks import DescriptorBlock, DescriptorBlocks
from affinecal_gui.study.describing import FORCE_FIELD, blocks_of


def blocks_of_names(names: tuple[str, ...]) -> DescriptorBlocks:
    """Return the blocks that column names stand for.

    The published layout of 190 columns gets the physical units of the force field; any other table has one block for each
    prefix, in the order of the columns, with the column numbers as values.
    """
    published = blocks_of(FORCE_FIELD)
    if names == published.columns:
        return published
    members: dict[str, list[str]] = {}
    for name in names:
        found = re.fullmatch(r"(.+?)_?(\d+)", name)
        members.setdefault(found[1] if found else name, []).append(name)
    blocks = []
    for prefix, columns in members.items():
        numbers = [int(re.search(r"\d+$", column)[0]) if re.search(r"\d+$", column) else 0 for column in columns]  # type: ignore[index]
        low, high = min(numbers), max(numbers)
        span = max(high - low, 1)
        blocks.append(
            DescriptorBlock(
                name=prefix,
                title=prefix,
                symbol=prefix,
                unit="",
                over="atom",
                columns=tuple(columns),
                minimum=float(low),
                maximum=float(low + span),
                centres=tuple((number - low) / span for number in numbers),
                width=1 / (2 * len(columns)),
            )
        )
    return DescriptorBlocks(tuple(blocks))
