"""Blocks of a table that brings its own descriptors: columns called ``block_0, block_1, ...``."""

import re
from dataclasses import replace

from affinecal_gui.calibration.block_names import block_of
from affinecal_gui.polymers.descriptors.blocks import DescriptorBlock, DescriptorBlocks
from affinecal_gui.study.describing.describing import FORCE_FIELD, blocks_of


def blocks_of_names(names: tuple[str, ...]) -> DescriptorBlocks:
    """Return the blocks that column names stand for.

    The published layout of 190 columns, also with columns missing, gets the physical units of the force field. Any other
    table has one block for each prefix, in the order of the columns, with the column numbers as values. Columns with words
    in the place of the numbers (``mass_H``, ``mass_C``) are a block whose values are these words.
    """
    published = blocks_of(FORCE_FIELD)
    if names == published.columns:
        return published
    kept = set(names)
    if names == tuple(column for column in published.columns if column in kept):
        return DescriptorBlocks(
            tuple(_part(block, kept) for block in published.blocks if kept.intersection(block.columns))
        )
    members: dict[str, list[str]] = {}
    for name in names:
        members.setdefault(block_of(name), []).append(name)
    blocks = []
    for prefix, columns in members.items():
        numbered = [re.search(r"(?<!\d)\d{1,9}$", column) for column in columns]
        numbers = [int(found[0]) if found else place for place, found in enumerate(numbered)]
        words = None if any(numbered) else tuple(column.removeprefix(f"{prefix}_") for column in columns)
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
                labels=words,
            )
        )
    return DescriptorBlocks(tuple(blocks))


def _part(block: DescriptorBlock, kept: set[str]) -> DescriptorBlock:
    """Return a block with some of its columns."""
    places = [place for place, column in enumerate(block.columns) if column in kept]
    return replace(
        block,
        columns=tuple(block.columns[place] for place in places),
        centres=tuple(block.centres[place] for place in places),
        labels=None if block.labels is None else tuple(block.labels[place] for place in places),
    )
