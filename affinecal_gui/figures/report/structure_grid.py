"""Structures side by side in a report: how high each row is on a page and how it is drawn; and the same for the web."""

import base64
from dataclasses import dataclass
from html import escape

from affinecal_gui.figures.plots.structure import (
    ColouredStructure,
    StructureLayout,
    draw_structures,
    lay_out_structure,
)  # fmt: skip
from affinecal_gui.figures.report.report_document import Structure, Structures
from affinecal_gui.figures.sheet import Sheet, line_height, shortened, wrap
from affinecal_gui.figures.style import MUTED, SMALL, TEXT, plain
from affinecal_gui.polymers.copolymers.composition import Composition, parse_composition
from affinecal_gui.polymers.copolymers.composition_drawing import MOST_DRAWN, draw_composition_svg
from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit

_BETWEEN = 3.0  # mm between columns
_BELOW = 2.5  # mm below a row
_TALLEST = 15.0  # mm, of a structure
_LONGEST_BOND = 4.2  # mm
_MOST_LINES = 2  # of a name; of a SMILES that stands for a structure twice as many
_PIXELS = (168, 84)  # of a structure on a page of the web
_LONGEST_BOND_PIXELS = 19.0


@dataclass(frozen=True, slots=True)
class _Cell:
    layouts: tuple[
        StructureLayout, ...
    ]  # of the units of a copolymer one after the other; none where nothing can be drawn
    texts: tuple[tuple[str, bool], ...]  # lines below, and whether they are muted

    @property
    def picture(self) -> float:
        """Height of the structure in mm."""
        return max((one.height for one in self.layouts), default=0.0)


class GridRows:
    """The rows of a grid in a given width, measured; call it inside ``journal_style()``. All lengths in mm."""

    def __init__(self, grid: Structures, width: float) -> None:
        self._step = (width + _BETWEEN) / grid.columns
        cells = [_cell(one, self._step - _BETWEEN) for one in grid.cells]
        self._rows = [cells[at : at + grid.columns] for at in range(0, len(cells), grid.columns)]
        self._pictures = [max(cell.picture for cell in row) for row in self._rows]
        texts = [max(len(cell.texts) for cell in row) for row in self._rows]
        line = line_height(SMALL)
        self.heights = tuple(
            picture + line * count + _BELOW for picture, count in zip(self._pictures, texts, strict=True)
        )

    def draw(self, page: Sheet, left: float, y: float, start: int, stop: int) -> float:
        """Draw some of the rows below ``y``, and return where they end."""
        placed: list[tuple[StructureLayout, float, float]] = []
        for at in range(start, stop):
            foot = y - self._pictures[at]
            for number, cell in enumerate(self._rows[at]):
                x = left + number * self._step
                _write(page, cell, x, foot)
                for layout in cell.layouts:
                    placed.append((layout, x, foot + (self._pictures[at] - layout.height) / 2))
                    x += layout.width
            y -= self.heights[at]
        draw_structures(page, placed)
        return y


def _write(page: Sheet, cell: _Cell, x: float, foot: float) -> None:
    line = line_height(SMALL)
    for number, (text, muted) in enumerate(cell.texts):
        ink = MUTED if muted else TEXT
        page.write(x, foot - line * (number + 0.8), text, size=SMALL, colour=ink, parse_math=False)


def _cell(structure: Structure, width: float) -> _Cell:
    composition = _composition(structure.smiles)
    layouts = () if composition is None else _laid_out(composition, width)
    texts = [(line, False) for line in _lines(structure.name, width, _MOST_LINES)]
    if not layouts and structure.smiles != structure.name:
        texts += [(line, True) for line in _lines(structure.smiles, width, 2 * _MOST_LINES)]
    if composition is not None and composition.is_copolymer:
        texts += [(line, True) for line in _lines(_shares(composition), width, 1)]
    texts += [(line, True) for text in structure.lines for line in _lines(text, width, _MOST_LINES)]
    return _Cell(layouts, tuple(texts))


def _composition(smiles: str) -> Composition | None:
    try:
        return parse_composition(smiles)
    except InvalidRepeatUnit:
        return None


def _laid_out(composition: Composition, width: float) -> tuple[StructureLayout, ...]:
    units = composition.units[:MOST_DRAWN]
    found = [
        lay_out_structure(ColouredStructure(unit, {}), width / len(units), _TALLEST, longest_bond=_LONGEST_BOND)
        for unit in units
    ]
    return tuple(one for one in found if one is not None) if None not in found else ()


def _shares(composition: Composition) -> str:
    return " : ".join(f"{100 * share:.3g}" for share in composition.fractions) + " mol %"


def _lines(text: str, width: float, most: int) -> list[str]:
    lines = wrap(plain(text), SMALL, width)
    if len(lines) > most:
        lines[most - 1 :] = [shortened(lines[most - 1] + "…", SMALL, width)]
    return lines


def structures_html(grid: Structures) -> str:
    """Return the grid for a page of the web; names and SMILES are escaped."""
    cells = "".join(map(_figure, grid.cells))
    return f'<div class="structures">{cells}</div>\n<p class="subtitle">{escape(grid.caption)}</p>\n'


def _figure(structure: Structure) -> str:
    composition = _composition(structure.smiles)
    smiles = escape(structure.smiles)
    if composition is None:
        picture = f"<code>{smiles}</code>"
    else:
        width, height = _PIXELS
        drawn = draw_composition_svg(composition, width, height, largest_bond=_LONGEST_BOND_PIXELS)
        data = base64.b64encode(drawn.encode()).decode("ascii")
        picture = f'<img src="data:image/svg+xml;base64,{data}" alt="{smiles}" title="{smiles}">'
    below = "".join(f"<small>{escape(line)}</small>" for line in structure.lines)
    return f'<figure class="structure">{picture}<figcaption>{escape(structure.name)}{below}</figcaption></figure>\n'
