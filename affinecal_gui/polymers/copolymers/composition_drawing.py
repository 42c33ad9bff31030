"""Pictures of homopolymers and copolymers as SVG: the units of a copolymer side by side, with their mole fractions."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from affinecal_gui.polymers.copolymers.composition import Composition
from affinecal_gui.polymers.drawing.drawing import LARGEST_BOND, Colour, draw_repeat_unit_svg, draw_thumbnail_svg
from affinecal_gui.polymers.reading.repeat_unit import RepeatUnit

MOST_DRAWN: Final = 3  # units side by side; more would be too small to tell apart
MOST_IN_THUMBNAIL: Final = 2
_CAPTION_HEIGHT: Final = 16  # pixels
_CAPTION_SIZE: Final = 11
_INKS: Final = {False: "#58616A", True: "#A2ABB4"}
_SVG: Final = re.compile(
    r".*?<svg[^>]*?viewBox=['\"]0 0 (?P<width>[\d.]+) (?P<height>[\d.]+)['\"][^>]*>(?P<content>.*)</svg>\s*", re.DOTALL
)


def draw_composition_svg(
    composition: Composition,
    width: int,
    height: int,
    *,
    dark: bool = False,
    atom_colours: Mapping[int, Colour] | None = None,
    largest_bond: float = LARGEST_BOND,
) -> str:
    """Draw a polymer on a transparent ground; of a copolymer the first units, each above its share.

    Parameters
    ----------
    composition
        What is drawn.
    width, height
        Size in pixels.
    dark
        Colours for a dark ground.
    atom_colours
        As :func:`affinecal_gui.polymers.drawing.drawing.draw_repeat_unit_svg` takes them; of a homopolymer only.
    largest_bond
        Longest length in pixels at which bonds are drawn.
    """
    if not composition.is_copolymer:
        return draw_repeat_unit_svg(
            composition.units[0], width, height, dark=dark, atom_colours=atom_colours, largest_bond=largest_bond
        )
    parts = _side_by_side(
        composition,
        MOST_DRAWN,
        width,
        height - _CAPTION_HEIGHT,
        lambda unit, part_width, part_height: draw_repeat_unit_svg(
            unit, part_width, part_height, dark=dark, largest_bond=largest_bond
        ),
    )
    shown = min(len(composition.units), MOST_DRAWN)
    hidden = len(composition.units) - shown
    step = width / shown
    captions = [f"{100 * fraction:.3g} mol %" for fraction in composition.fractions[:shown]]
    if hidden:
        captions[-1] += f" (+{hidden})"
    parts += [
        f"<text x='{(number + 0.5) * step:.1f}' y='{height - 4}' font-family='sans-serif' font-size='{_CAPTION_SIZE}' "
        f"text-anchor='middle' fill='{_INKS[dark]}'>{caption}</text>"
        for number, caption in enumerate(captions)
    ]
    return _document(width, height, parts)


def draw_composition_thumbnail_svg(
    composition: Composition, width: int = 64, height: int = 40, *, dark: bool = False
) -> str:
    """Draw a polymer for a table row: of a copolymer the first two units, side by side."""
    if not composition.is_copolymer:
        return draw_thumbnail_svg(composition.units[0], width, height, dark=dark)
    parts = _side_by_side(
        composition,
        MOST_IN_THUMBNAIL,
        width,
        height,
        lambda unit, part_width, part_height: draw_thumbnail_svg(unit, part_width, part_height, dark=dark),
    )
    return _document(width, height, parts)


def _side_by_side(
    composition: Composition, most: int, width: int, height: int, draw: Callable[[RepeatUnit, int, int], str]
) -> list[str]:
    """Draw the first units in equal parts of the width; return them as groups of one picture."""
    units = composition.units[:most]
    step = width / len(units)
    return [_group(draw(unit, int(step), height), number * step, int(step)) for number, unit in enumerate(units)]


def _group(svg: str, left: float, width: int) -> str:
    """Turn a document into a group: pictures inside pictures are not part of the SVG that Qt draws."""
    found = _SVG.fullmatch(svg)
    assert found is not None
    scale = width / float(found["width"])
    return f"<g transform='translate({left:.2f},0) scale({scale:.6g})'>{found['content']}</g>"


def _document(width: int, height: int, parts: list[str]) -> str:
    content = "\n".join(parts)
    return (
        "<?xml version='1.0' encoding='UTF-8'?>\n"
        f"<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' version='1.1' "
        f"width='{width}px' height='{height}px' viewBox='0 0 {width} {height}'>\n{content}\n</svg>\n"
    )
