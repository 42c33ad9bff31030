"""The picture of a repeat unit as SVG or PNG: attachment points as open bonds, atoms coloured by their share where wanted."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from rdkit import Chem, rdBase
from rdkit.Chem import rdDepictor
from rdkit.Chem.Draw import rdMolDraw2D
from rdkit.Geometry import Point2D

from affinecal_gui.polymers.drawing.depiction import BOND_LENGTH, END_BOND, depict
from affinecal_gui.polymers.reading.repeat_unit import RepeatUnit

Colour = tuple[float, float, float]
"""Red, green, blue, each 0 to 1."""

CIRCLE_RADIUS: Final = 0.48  # of a bond: circles of neighbours nearly touch
_RESOLUTION: Final = 4  # drawing units per pixel, since RDKit rounds line widths and font sizes
LARGEST_BOND: Final = 26.0  # pixels: a small repeat unit does not become a poster
_LARGEST_BOND_SMALL: Final = 14.0
LARGEST_DRAWN: Final = 500  # atoms: layout takes the cube of it, and the picture would be a grey smear
_STROKE: Final = 0.75  # of a bond: the stroke across an open end
_SHORTEST_LABELLED_BOND: Final = 7.5  # pixels; below this, letters cover the structure and only colours tell elements


def _colour(code: str) -> Colour:
    red, green, blue = (int(code[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return red, green, blue


@dataclass(frozen=True, slots=True)
class _Inks:
    """The colours of a picture on one background."""

    line: Colour  # bonds and carbon
    attachment_point: Colour
    elements: Mapping[int, Colour]
    lowers: Colour
    average: Colour
    raises: Colour


_LIGHT: Final = _Inks(
    line=_colour("#1B1F23"),
    attachment_point=_colour("#6E7780"),
    elements={
        7: _colour("#2A55C8"),
        8: _colour("#C8321E"),
        9: _colour("#1F7A3A"),
        14: _colour("#7A5C2E"),
        15: _colour("#B15A00"),
        16: _colour("#8A6A00"),
        17: _colour("#1F7A3A"),
        35: _colour("#8C2D19"),
        53: _colour("#6A2C91"),
    },
    lowers=_colour("#4AA3D8"),
    average=_colour("#E6E8EA"),
    raises=_colour("#E8834A"),
)
_DARK: Final = _Inks(
    line=_colour("#E4E7EA"),
    attachment_point=_colour("#8A949D"),
    elements={
        7: _colour("#8AB4FF"),
        8: _colour("#FF8A75"),
        9: _colour("#6FCF8E"),
        14: _colour("#D2B48C"),
        15: _colour("#FFAE5C"),
        16: _colour("#E6C34A"),
        17: _colour("#6FCF8E"),
        35: _colour("#E58A6F"),
        53: _colour("#C79BE8"),
    },
    lowers=_colour("#2E86C1"),
    average=_colour("#4A5056"),
    raises=_colour("#C9601F"),
)


def element_colour(atomic_number: int) -> Colour | None:
    """Return the colour of an element on a light ground; None for those drawn as carbon is."""
    return _LIGHT.elements.get(atomic_number)


def share_colours(shares: Mapping[int, float], limit: float, *, dark: bool) -> dict[int, Colour]:
    """Return the colour of each atom's share: diverging, grey at 0, full colour at plus and minus ``limit``.

    Parameters
    ----------
    shares
        Share of each atom, by its index in ``unit.molecule``.
    limit
        Share at which the colour is full; larger shares look the same.
    """
    inks = _DARK if dark else _LIGHT
    colours: dict[int, Colour] = {}
    for atom, share in shares.items():
        part = max(-1.0, min(1.0, share / limit)) if limit > 0 else 0.0
        end = inks.raises if part > 0 else inks.lowers
        red, green, blue = (
            average + abs(part) * (full - average) for average, full in zip(inks.average, end, strict=True)
        )
        colours[atom] = (red, green, blue)
    return colours


def draw_repeat_unit_svg(
    unit: RepeatUnit,
    width: int,
    height: int,
    *,
    dark: bool = False,
    atom_colours: Mapping[int, Colour] | None = None,
    circle_radius: float = CIRCLE_RADIUS,
    largest_bond: float = LARGEST_BOND,
) -> str:
    """Draw a repeat unit on a transparent ground.

    Parameters
    ----------
    unit
        What is drawn; its backbone runs from left to right, an attachment point is an open bond with a stroke across it.
    width, height
        Size in pixels.
    dark
        Colours for a dark ground.
    atom_colours
        Colour of the circle behind each atom, by its index in ``unit.molecule``; atoms are then labelled in one colour.
    circle_radius
        Of these circles, in bond lengths.
    largest_bond
        Longest length in pixels at which bonds are drawn; a small unit leaves room around it.

    Returns
    -------
    str
        An SVG document whose size is ``width`` x ``height``. Instead of a unit of more than ``LARGEST_DRAWN`` atoms it
        shows their number.
    """
    drawer = rdMolDraw2D.MolDraw2DSVG(width * _RESOLUTION, height * _RESOLUTION)
    _draw(drawer, unit, dark, atom_colours, circle_radius, largest_bond, line_width=1.4)
    return _sized(drawer.GetDrawingText(), width, height)


def draw_thumbnail_svg(unit: RepeatUnit, width: int = 64, height: int = 40, *, dark: bool = False) -> str:
    """Draw a repeat unit for a table row: lines that stay visible, letters only where there is room for them."""
    drawer = rdMolDraw2D.MolDraw2DSVG(width * _RESOLUTION, height * _RESOLUTION)
    _draw(drawer, unit, dark, None, CIRCLE_RADIUS, _LARGEST_BOND_SMALL, line_width=1.2)
    return _sized(drawer.GetDrawingText(), width, height)


def draw_repeat_unit_png(
    unit: RepeatUnit,
    width: int,
    height: int,
    *,
    dark: bool = False,
    atom_colours: Mapping[int, Colour] | None = None,
    scale: int = _RESOLUTION,
    thumbnail: bool = False,
) -> bytes:
    """Draw the same pictures as PNG, ``scale`` times as many pixels wide and high, for documents without SVG."""
    drawer = rdMolDraw2D.MolDraw2DCairo(width * scale, height * scale)
    largest_bond, line_width = (_LARGEST_BOND_SMALL, 1.2) if thumbnail else (LARGEST_BOND, 1.4)
    _draw(drawer, unit, dark, atom_colours, CIRCLE_RADIUS, largest_bond, line_width=line_width, resolution=scale)
    return bytes(drawer.GetDrawingText())


def _draw(
    drawer: rdMolDraw2D.MolDraw2D,
    unit: RepeatUnit,
    dark: bool,
    atom_colours: Mapping[int, Colour] | None,
    circle_radius: float,
    largest_bond: float,
    *,
    line_width: float,
    resolution: int = _RESOLUTION,
) -> None:
    """Draw a unit; widths and lengths are in pixels."""
    inks = _DARK if dark else _LIGHT
    if unit.molecule.GetNumAtoms() > LARGEST_DRAWN:
        _draw_words(drawer, f"{unit.molecule.GetNumAtoms() - 2:,} atoms", inks.line, resolution)
        return
    with rdBase.BlockLogs():
        width, height = drawer.Width() / resolution, drawer.Height() / resolution
        depicted = depict(unit, width_to_height=width / height)
        molecule = rdMolDraw2D.PrepareMolForDrawing(depicted, kekulize=True, addChiralHs=False, forceCoords=False)
        bond = min(largest_bond, _fitting_bond(molecule, width, height))
        options: Any = drawer.drawOptions()  # the stubs know no attributes
        options.clearBackground = False
        options.prepareMolsBeforeDrawing = False
        options.fixedBondLength = largest_bond * resolution
        options.padding = 0.05
        options.bondLineWidth = line_width * resolution
        options.scaleBondWidth = False
        options.minFontSize = round(7.5 * resolution)
        options.maxFontSize = round(13 * resolution)
        options.noAtomLabels = bond < _SHORTEST_LABELLED_BOND
        options.additionalAtomLabelPadding = 0.04
        options.setSymbolColour(inks.line)
        elements = {} if atom_colours else dict(inks.elements)
        options.setAtomPalette({-1: inks.line, **elements, 0: inks.line})
        for mark in unit.attachment_points:
            molecule.GetAtomWithIdx(mark).SetProp("_displayLabel", " ")
        options.fillHighlights = True
        options.continuousHighlight = False
        options.atomHighlightsAreCircles = True
        coloured = {int(atom): tuple(colour) for atom, colour in (atom_colours or {}).items()}
        drawer.DrawMolecule(
            molecule,
            highlightAtoms=list(coloured),
            highlightAtomColors=coloured,
            highlightAtomRadii=dict.fromkeys(coloured, circle_radius * BOND_LENGTH),
            highlightBonds=[],
        )
        for mark in unit.attachment_points:
            _draw_attachment_point(drawer, molecule, mark, inks.attachment_point, line_width * resolution)
    drawer.FinishDrawing()


def _draw_words(drawer: rdMolDraw2D.MolDraw2D, words: str, ink: Colour, resolution: int) -> None:
    """Draw words in the middle instead of a structure: as the label of the only atom of a molecule."""
    options: Any = drawer.drawOptions()
    options.clearBackground = False
    options.prepareMolsBeforeDrawing = False
    options.setAtomPalette({-1: ink})
    options.fixedFontSize = 11 * resolution
    plate = Chem.MolFromSmiles("[He]")
    plate.GetAtomWithIdx(0).SetProp("_displayLabel", words)
    rdDepictor.Compute2DCoords(plate)
    drawer.DrawMolecule(plate)
    drawer.FinishDrawing()


def _draw_attachment_point(
    drawer: rdMolDraw2D.MolDraw2D, molecule: Chem.Mol, mark: int, ink: Colour, line_width: float
) -> None:
    """Draw a stroke across the open end of a bond."""
    end = drawer.GetDrawCoords(mark)
    inner = drawer.GetDrawCoords(molecule.GetAtomWithIdx(mark).GetNeighbors()[0].GetIdx())
    x, y = end.x - inner.x, end.y - inner.y
    half = _STROKE / (2.0 * END_BOND)
    drawer.SetColour(ink)
    drawer.SetLineWidth(1.25 * line_width)
    drawer.DrawLine(
        Point2D(end.x - half * y, end.y + half * x), Point2D(end.x + half * y, end.y - half * x), rawCoords=True
    )


def _fitting_bond(molecule: Chem.Mol, width: float, height: float) -> float:
    """Return the length of a bond in pixels if the structure fills the room."""
    positions = molecule.GetConformer().GetPositions()
    across, up = (float(extent) + 0.5 * BOND_LENGTH for extent in (positions.max(axis=0) - positions.min(axis=0))[:2])
    return BOND_LENGTH * min(width / across, height / up)


def _sized(svg: str, width: int, height: int) -> str:
    """State the size in pixels; the view box keeps the finer drawing units."""
    return re.sub(r"width='\d+px' height='\d+px'", f"width='{width}px' height='{height}px'", svg, count=1)
