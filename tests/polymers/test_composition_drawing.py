"""Pictures of copolymers: every unit is there, beside the others, above its share."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from affinecal_gui.polymers.copolymers.composition import parse_composition
from affinecal_gui.polymers.copolymers.composition_drawing import draw_composition_svg, draw_composition_thumbnail_svg
from affinecal_gui.polymers.drawing.drawing import draw_repeat_unit_svg, draw_thumbnail_svg
from affinecal_gui.polymers.reading.repeat_unit import parse_repeat_unit

SVG = "{http://www.w3.org/2000/svg}"
COPOLYMER = parse_composition("*CC*|*C(C*)c1ccccc1|0.7|0.3")


def test_a_homopolymer_is_drawn_as_ever() -> None:
    unit = parse_repeat_unit("*CC(*)C")
    composition = parse_composition("*CC(*)C")
    assert draw_composition_svg(composition, 320, 200, dark=True) == draw_repeat_unit_svg(unit, 320, 200, dark=True)
    assert draw_composition_thumbnail_svg(composition, 64, 40) == draw_thumbnail_svg(unit, 64, 40)


@pytest.mark.parametrize("dark", [False, True])
def test_units_stand_side_by_side_above_their_shares(dark: bool) -> None:
    root = ElementTree.fromstring(draw_composition_svg(COPOLYMER, 320, 200, dark=dark))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("320px", "200px", "0 0 320 200")
    groups = root.findall(f"{SVG}g")
    lefts = [float(re.match(r"translate\(([\d.]+),", group.get("transform") or "")[1]) for group in groups]  # type: ignore[index]
    assert lefts == [0.0, 160.0]
    assert len(groups[1].findall(f"{SVG}path")) > len(groups[0].findall(f"{SVG}path")) > 3
    assert [text.text for text in root.findall(f"{SVG}text")] == ["70 mol %", "30 mol %"]
    assert not root.findall(f".//{SVG}svg")  # which Qt would leave out


def test_more_units_than_there_is_room_for_are_counted() -> None:
    composition = parse_composition("*CC*|*CC(*)C|*CC(*)CC|*CC(*)Cl|*CC(*)F|1|1|1|1|1")
    root = ElementTree.fromstring(draw_composition_svg(composition, 320, 200))
    assert [text.text for text in root.findall(f"{SVG}text")] == ["20 mol %", "20 mol %", "20 mol % (+2)"]


def test_a_thumbnail_shows_two_units() -> None:
    root = ElementTree.fromstring(draw_composition_thumbnail_svg(COPOLYMER, 64, 40))
    assert len(root.findall(f"{SVG}g")) == 2
    assert root.get("viewBox") == "0 0 64 40"
