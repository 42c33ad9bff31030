"""Pictures of repeat units: layout that keeps the chemistry, attachment points, circles, and sizes."""

import csv
import random
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from rdkit import Chem

from affinecal_gui.polymers.chain.identity import polymer_identity
from affinecal_gui.polymers.drawing.depiction import BOND_LENGTH, END_BOND, depict
from affinecal_gui.polymers.drawing.drawing import (
    LARGEST_DRAWN,
    draw_repeat_unit_png,
    draw_repeat_unit_svg,
    draw_thumbnail_svg,
    share_colours,
)
from affinecal_gui.polymers.reading.repeat_unit import RepeatUnit, parse_repeat_unit

SVG = "{http://www.w3.org/2000/svg}"
POLYCARBONATE = "*Oc1ccc(cc1)C(C)(C)c1ccc(cc1)OC(*)=O"
UNITS = [
    POLYCARBONATE,
    "*CC*",
    "*C*",
    "*CC(*)C",
    "*C/C=C/C*",
    "*C/C=C\\C*",
    "*NCCCCNC(=O)CCCCC(*)=O",
    "*CC(*)c1ccccc1",
    "*OCCOC(=O)c1ccc(cc1)C(*)=O",
    "*N1C(=O)c2cc3c(cc2C1=O)C(=O)N(c1ccc(Oc2ccc(*)cc2)cc1)C3=O",
    "*CC(*)C(=O)[O-].[Na+]",
    "*S(=O)(=O)c1ccc(Oc2ccc(C(C)(C)c3ccc(O*)cc3)cc2)cc1",
    "*O[C@H]1O[C@H](CO)[C@@H](*)[C@H](O)[C@H]1O",
    "*C[C@H](*)C",
    "*C[C@H](C)C[C@@H](*)C",
    "*CC(*)(C)C(=O)OCCCCCCCCCCCC[n+]1ccc(N(C)C)cc1.[Br-]",
    "*=CC=*",
    "*C1CC2CCC1C2*",
    "*C(C*)OC(C(F)(F)F)(C(F)(F)F)F",
]


LETTERS = re.compile(r"<path class='atom-\d+' d='[^']")


def positions(molecule: Chem.Mol) -> np.ndarray:
    return np.array(molecule.GetConformer().GetPositions()[:, :2])


@pytest.mark.parametrize("text", UNITS)
def test_the_backbone_runs_from_left_to_right_on_one_line(text: str) -> None:
    unit = parse_repeat_unit(text)
    molecule = depict(unit)
    head, tail = (positions(molecule)[mark] for mark in unit.attachment_points)
    assert head[0] < tail[0]
    assert head[1] == pytest.approx(tail[1], abs=1e-6)


def read_back(unit: RepeatUnit, molecule: Chem.Mol) -> RepeatUnit:
    """Read the drawing, with its wedges, as a chemist would."""
    drawn = Chem.MolFromMolBlock(Chem.MolToMolBlock(molecule))
    assert drawn is not None
    for label, mark in enumerate(unit.attachment_points, start=1):
        drawn.GetAtomWithIdx(mark).SetIsotope(label)
    return parse_repeat_unit(Chem.MolToSmiles(drawn))


@pytest.mark.parametrize("text", UNITS)
def test_the_layout_shows_the_same_polymer_including_its_stereo_marks(text: str) -> None:
    unit = parse_repeat_unit(text)
    again = polymer_identity(read_back(unit, depict(unit)))
    assert again.key == polymer_identity(unit).key
    assert again.stereo_key == polymer_identity(unit).stereo_key


@pytest.mark.parametrize("text", UNITS)
def test_end_bonds_are_short_and_no_atoms_overlap(text: str) -> None:
    unit = parse_repeat_unit(text)
    molecule = depict(unit)
    places = positions(molecule)
    for bond in molecule.GetBonds():
        ends = {bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()}
        length = float(np.hypot(*(places[bond.GetBeginAtomIdx()] - places[bond.GetEndAtomIdx()])))
        if ends & set(unit.attachment_points):
            assert length == pytest.approx(END_BOND * BOND_LENGTH)
        elif not bond.IsInRing():
            assert 0.5 * BOND_LENGTH < length < 1.3 * BOND_LENGTH  # crowded groups are drawn nearer
    distances = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    assert distances[np.triu_indices(len(places), 1)].min() > 0.5 * BOND_LENGTH


@pytest.mark.parametrize(
    "text", ["*" + "C" * 30 + "*", "*NCCCCNC(=O)CCCCC(*)=O", "*" + "CCO" * 12 + "*", "*c1ccc(Oc2ccc(*)cc2)cc1"]
)
def test_a_chain_is_stretched(text: str) -> None:
    unit = parse_repeat_unit(text)
    molecule = depict(unit)
    backbone = positions(molecule)[list(Chem.GetShortestPath(molecule, *unit.attachment_points))]
    assert np.ptp(backbone[:, 1]) < 2.1 * BOND_LENGTH
    assert np.ptp(backbone[:, 0]) > 0.7 * BOND_LENGTH * (len(backbone) - 2)


def test_a_long_side_group_lies_along_the_picture() -> None:
    molecule = depict(parse_repeat_unit("*CC(*)CCCCCCCCCCCCCCCC"), width_to_height=1.6)
    extent = np.ptp(positions(molecule), axis=0)
    assert extent[0] > 2 * extent[1]


def test_counter_ions_stand_below_the_chain() -> None:
    unit = parse_repeat_unit("[Na+].*CC(*)C(=O)[O-]")
    places = positions(depict(unit))
    assert places[0, 1] < places[1:, 1].min()
    assert places[1:, 0].min() < places[0, 0] < places[1:, 0].max()


@pytest.mark.parametrize("text", UNITS)
@pytest.mark.parametrize("dark", [False, True])
def test_svg_is_well_formed_transparent_and_the_same_every_time(text: str, dark: bool) -> None:
    unit = parse_repeat_unit(text)
    svg = draw_repeat_unit_svg(unit, 290, 180, dark=dark)
    root = ElementTree.fromstring(svg)
    assert (root.get("width"), root.get("height")) == ("290px", "180px")
    assert root.find(f".//{SVG}rect") is None  # no background
    assert "#FFFFFF" not in svg.upper()
    assert svg == draw_repeat_unit_svg(unit, 290, 180, dark=dark)
    assert svg != draw_repeat_unit_svg(unit, 290, 180, dark=not dark)


def strokes(svg: str, colour: str) -> int:
    return len(re.findall(rf"stroke:{colour}", svg, flags=re.IGNORECASE))


def test_attachment_points_are_strokes_and_not_stars() -> None:
    svg = draw_repeat_unit_svg(parse_repeat_unit("*CC*"), 200, 120)
    assert strokes(svg, "#6E7780") == 2
    assert not LETTERS.search(svg)


def test_every_atom_with_a_colour_has_a_circle_of_it() -> None:
    unit = parse_repeat_unit(POLYCARBONATE)
    heavy = [atom.GetIdx() for atom in unit.molecule.GetAtoms() if atom.GetAtomicNum()]
    colours = share_colours({atom: (1.0 if atom % 2 else -1.0) for atom in heavy}, 1.0, dark=False)
    root = ElementTree.fromstring(draw_repeat_unit_svg(unit, 290, 180, atom_colours=colours))
    circles = [element.get("style", "").upper() for element in root.iter(f"{SVG}ellipse")]
    assert len(circles) == len(heavy)
    assert sum("FILL:#E8834A" in style for style in circles) == sum(atom % 2 for atom in heavy)
    assert sum("FILL:#4AA3D8" in style for style in circles) == sum(not atom % 2 for atom in heavy)
    plain = ElementTree.fromstring(draw_repeat_unit_svg(unit, 290, 180))
    assert not list(plain.iter(f"{SVG}ellipse"))


def test_share_colours_are_the_palette_at_the_ends_and_grey_between() -> None:
    colours = share_colours({0: -2.0, 1: -1.0, 2: 0.0, 3: 0.5, 4: 1.0}, 1.0, dark=False)
    codes = ["#" + "".join(f"{round(255 * part):02X}" for part in colours[atom]) for atom in range(5)]
    assert codes[:3] == ["#4AA3D8", "#4AA3D8", "#E6E8EA"]
    assert codes[4] == "#E8834A"
    middle = np.mean([colours[2], colours[4]], axis=0)
    np.testing.assert_allclose(colours[3], middle, atol=1e-12)
    assert share_colours({0: 0.0}, 0.0, dark=True)[0] == pytest.approx((0x4A / 255, 0x50 / 255, 0x56 / 255))


def test_a_thumbnail_drops_letters_that_would_hide_the_structure() -> None:
    assert LETTERS.search(draw_thumbnail_svg(parse_repeat_unit("*CC(*)O")))
    assert not LETTERS.search(draw_thumbnail_svg(parse_repeat_unit(POLYCARBONATE)))
    root = ElementTree.fromstring(draw_thumbnail_svg(parse_repeat_unit(POLYCARBONATE)))
    assert (root.get("width"), root.get("height")) == ("64px", "40px")


def test_a_huge_unit_is_named_by_its_number_of_atoms() -> None:
    unit = parse_repeat_unit("*" + "C" * (LARGEST_DRAWN + 400) + "*")
    svg = draw_repeat_unit_svg(unit, 200, 100)
    assert len(svg) < 20_000
    assert "class='atom-0'" in svg


def test_png_is_drawn_at_the_scale_that_is_asked_for() -> None:
    png = draw_repeat_unit_png(parse_repeat_unit(POLYCARBONATE), 100, 60, scale=3)
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20]) == 300
    assert int.from_bytes(png[20:24]) == 180


@pytest.mark.peer
def test_published_units_are_laid_out_as_what_they_are(shared_data: Path) -> None:
    with (shared_data / "PI1070.csv").open(encoding="utf-8") as file:
        texts = [row["smiles"] for row in csv.DictReader(file)]
    for text in random.Random(4).sample(texts, 120):
        unit = parse_repeat_unit(text)
        again = polymer_identity(read_back(unit, depict(unit)))
        assert again.key == polymer_identity(unit).key, text


@pytest.mark.parametrize(
    "text",
    [
        "*C1CC2CC1C1C2C(=O)N(*)C1=O",  # norbornane
        "*CC(*)(C)C(=O)OC12CC3CC(CC(C3)C1)C2",  # adamantane
        "*CC(*)C(=O)OC1CC2CCC1(C)C2(C)C",  # a norbornane with methyl groups on its bridge
        "*CC(*)C(=O)OC12CCC(CC1)CC2",
        "*CCCCN1C(=O)C2C3C=CC(C4C(=O)N(*)C(=O)C34)C2C1=O",
        "*c1ccc(cc1)C1(CCCCCCCCCCC1)c1ccc(*)cc1",  # a large ring with groups beside each other
    ],
)
def test_no_atom_of_a_cage_or_a_large_ring_lies_on_another(text: str) -> None:
    positions = depict(parse_repeat_unit(text)).GetConformer().GetPositions()
    distances = np.linalg.norm(positions[:, None] - positions[None, :], axis=2)
    np.fill_diagonal(distances, np.inf)
    assert distances.min() > 0.3 * BOND_LENGTH
