"""The repeat unit in a figure: the layout of the window, drawn with the lines and the typeface of the figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import nan

import numpy as np
from matplotlib.collections import EllipseCollection, LineCollection, PolyCollection
from numpy.typing import NDArray
from rdkit import Chem, rdBase
from rdkit.Chem.Draw import rdMolDraw2D

from affinecal_gui.figures.sheet import Sheet, line_height, text_width
from affinecal_gui.figures.style import FRAME, MUTED, NOTE, POINT, TEXT
from affinecal_gui.numbers import significant, with_true_minus
from affinecal_gui.polymers.drawing.depiction import BOND_LENGTH, depict
from affinecal_gui.polymers.drawing.drawing import CIRCLE_RADIUS, LARGEST_DRAWN, Colour, element_colour, share_colours
from affinecal_gui.polymers.reading.repeat_unit import RepeatUnit

FloatArray = NDArray[np.float64]

Stroke = tuple[FloatArray, Colour | str]
"""A line, (2, 2) in mm, and its colour."""

_LONGEST_BOND = 7.0  # mm: a small unit does not become a poster
_SHORTEST_LETTERED = 2.6  # mm: below, letters would cover the structure
_LETTERS = 0.40  # height of the type over the length of a bond
_STROKE = 0.75  # of a bond, across an open end
_APART = 0.13  # of a bond, between the lines of a double bond
_SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SUPERSCRIPT = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")


@dataclass(frozen=True, slots=True)
class ColouredStructure:
    """A repeat unit and what its atoms contribute.

    ``shares`` gives, on the target scale, the share of each heavy atom together with its hydrogens, by its index in
    ``unit.molecule``. Colours are full at ``limit``; nan takes the largest share.
    """

    unit: RepeatUnit
    shares: Mapping[int, float]
    limit: float = nan

    @property
    def full(self) -> float:
        """The share at which the colour is full; 0 when there are no shares."""
        if np.isfinite(self.limit):
            return self.limit
        return max((abs(share) for share in self.shares.values()), default=0.0)


@dataclass(frozen=True, slots=True)
class StructureLayout:
    """A structure laid out for a width; positions in mm from its lower left corner."""

    structure: ColouredStructure
    molecule: Chem.Mol
    positions: FloatArray  # (A, 2)
    bond: float  # mm
    width: float
    height: float

    @property
    def lettered(self) -> bool:
        """Whether atoms are named by letters."""
        return self.bond >= _SHORTEST_LETTERED

    def draw(self, sheet: Sheet, left: float, bottom: float) -> None:
        """Draw with the lower left corner at (left, bottom)."""
        draw_structures(sheet, [(self, left, bottom)])

    def circles(self) -> tuple[FloatArray, list[Colour]]:
        """Return where coloured circles lie, (C, 2), and their colours."""
        colours = share_colours(self.structure.shares, self.structure.full, dark=False)
        return self.positions[list(colours)], list(colours.values())

    def bonds(self) -> tuple[list[Stroke], list[FloatArray]]:
        """Return the lines of all bonds, and the filled triangles of those that point forwards."""
        strokes: list[Stroke] = []
        wedges: list[FloatArray] = []
        rings = [np.array(ring) for ring in self.molecule.GetRingInfo().AtomRings()]
        for bond in self.molecule.GetBonds():
            begin, end = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
            start, stop = self._shortened(begin, end)
            along = self.positions[end] - self.positions[begin]
            across = np.array([-along[1], along[0]]) / max(float(np.hypot(*along)), 1e-9) * self.bond * _APART
            lines: list[FloatArray]
            match bond.GetBondType():
                case Chem.BondType.DOUBLE:
                    ring = next((ring for ring in rings if begin in ring and end in ring), None)
                    lines = self._double(
                        start, stop, across, None if ring is None else self.positions[ring].mean(axis=0)
                    )
                case Chem.BondType.TRIPLE:
                    lines = [np.array([start + k * across, stop + k * across]) for k in (-1, 0, 1)]
                case _ if bond.GetBondDir() == Chem.BondDir.BEGINWEDGE:
                    wedges.append(np.array([start, stop + 0.7 * across, stop - 0.7 * across]))
                    continue
                case _ if bond.GetBondDir() == Chem.BondDir.BEGINDASH:
                    strokes += [(line, TEXT) for line in _rungs(start, stop, 0.7 * across)]
                    continue
                case _:
                    lines = [np.array([start, stop])]
            strokes += self._inked(lines, begin, end)
        return strokes, wedges

    @property
    def line_width(self) -> float:
        """Of bonds, in points."""
        return float(np.clip(0.13 * self.bond / POINT * 0.55, 0.45, 0.9))

    def _inked(self, lines: list[FloatArray], begin: int, end: int) -> list[Stroke]:
        """Give the halves of bonds the colours of their elements where no letters name these."""
        inks = (TEXT, TEXT) if self.lettered else (self._ink(begin), self._ink(end))
        if inks[0] == inks[1]:
            return [(line, inks[0]) for line in lines]
        halves = ((line[0], line.mean(axis=0), line[1]) for line in lines)
        return [
            (np.array(part), ink)
            for first, middle, last in halves
            for part, ink in (((first, middle), inks[0]), ((middle, last), inks[1]))
        ]

    def _ink(self, atom: int) -> Colour | str:
        return element_colour(self.molecule.GetAtomWithIdx(atom).GetAtomicNum()) or TEXT

    @staticmethod
    def _double(start: FloatArray, stop: FloatArray, across: FloatArray, centre: FloatArray | None) -> list[FloatArray]:
        if centre is None:
            return [np.array([start + k * across, stop + k * across]) for k in (-0.55, 0.55)]
        side = 1.0 if float(across @ (centre - (start + stop) / 2)) > 0 else -1.0
        inner = 0.12 * (stop - start)
        return [np.array([start, stop]), np.array([start + inner, stop - inner]) + 1.1 * side * across]

    def _shortened(self, begin: int, end: int) -> tuple[FloatArray, FloatArray]:
        """Return the ends of a bond, kept clear of letters."""
        start, stop = self.positions[begin].copy(), self.positions[end].copy()
        clear = (stop - start) * 0.27
        if self.lettered and self._letters(begin):
            start += clear
        if self.lettered and self._letters(end):
            stop -= clear
        return start, stop

    def end_strokes(self) -> list[FloatArray]:
        """Return the strokes across the open ends."""
        strokes = []
        for mark in self.structure.unit.attachment_points:
            (inner,) = (atom.GetIdx() for atom in self.molecule.GetAtomWithIdx(mark).GetNeighbors())
            along = self.positions[mark] - self.positions[inner]
            half = np.array([-along[1], along[0]]) / max(float(np.hypot(*along)), 1e-9) * self.bond * _STROKE / 2
            strokes.append(np.array([self.positions[mark] - half, self.positions[mark] + half]))
        return strokes

    def _letters(self, atom: int) -> str:
        found = self.molecule.GetAtomWithIdx(atom)
        carbon = found.GetAtomicNum() == 6 and found.GetDegree() and not found.GetFormalCharge()
        return "" if found.GetAtomicNum() == 0 or carbon else found.GetSymbol()

    def write_letters(self, sheet: Sheet, left: float, bottom: float) -> None:
        """Name the atoms that are not carbon."""
        size = float(np.clip(_LETTERS * self.bond / POINT, 5.0, 8.0))
        for atom in self.molecule.GetAtoms():
            symbol = self._letters(atom.GetIdx())
            if not symbol:
                continue
            x, y = self.positions[atom.GetIdx()] + np.array([left, bottom])
            count = atom.GetTotalNumHs()
            hydrogens = "" if not count else "H" if count == 1 else "H" + str(count).translate(_SUBSCRIPT)
            charge = _charge(atom.GetFormalCharge())
            half = text_width(symbol, size) / 2
            side = self._free_side(atom)
            if side == "left":
                word, anchor, ha = hydrogens + symbol + charge, x + half + text_width(charge, size), "right"
            elif side == "right" or not hydrogens:
                word, anchor, ha = symbol + hydrogens + charge, x - half, "left"
            else:
                step = line_height(size) * (0.85 if side == "above" else -0.85)
                sheet.write(x, y + step, hydrogens, size=size, ha="center", va="center_baseline", parse_math=False)
                word, anchor, ha = symbol + charge, x - half, "left"
            sheet.write(anchor, y, word, size=size, ha=ha, va="center_baseline", parse_math=False)  # type: ignore[arg-type]

    def _free_side(self, atom: Chem.Atom) -> str:
        """Return where the hydrogens of an atom have most room; beside it rather than above or below."""
        here = self.positions[atom.GetIdx()]
        others = np.delete(self.positions, atom.GetIdx(), axis=0)
        if not len(others):
            return "right"
        # The middle of a bond is an obstacle as its ends are.
        middles = [(here + self.positions[other.GetIdx()]) / 2 for other in atom.GetNeighbors()]
        obstacles = np.vstack([others, *middles])
        sides = {"right": (0.75, 0.0), "left": (-0.75, 0.0), "above": (0.0, 0.6), "below": (0.0, -0.6)}
        room = {
            side: float(np.hypot(*(obstacles - here - np.array(step) * self.bond).T).min()) / self.bond
            for side, step in sides.items()
        }
        beside = max(("right", "left"), key=lambda side: room[side])
        return beside if room[beside] > 0.62 else max(room, key=lambda side: room[side])


def draw_structures(sheet: Sheet, placed: Sequence[tuple[StructureLayout, float, float]]) -> None:
    """Draw structures, each with its lower left corner ``(left, bottom)``; all in one panel, which many need not wait for."""
    if not placed:
        return
    left, bottom = min(at for _, at, _ in placed), min(at for _, _, at in placed)
    width = max(at + layout.width for layout, at, _ in placed) - left
    height = max(at + layout.height for layout, _, at in placed) - bottom
    axes = sheet.panel(left, bottom, width, height)
    axes.set_xlim(0, width)
    axes.set_ylim(0, height)
    axes.set_axis_off()
    for layout, x, y in placed:
        corner = np.array([x - left, y - bottom])
        centres, faces = layout.circles()
        if faces:
            diameter = np.full(len(faces), 2 * CIRCLE_RADIUS * layout.bond)
            circles = EllipseCollection(
                diameter, diameter, np.zeros(len(faces)), units="xy", offsets=centres + corner,
                offset_transform=axes.transData, facecolors=faces, edgecolors="none", zorder=1,
            )  # fmt: skip
            axes.add_collection(circles, autolim=False)
    lines: list[FloatArray] = []
    inks: list[Colour | str] = []
    widths: list[float] = []
    triangles: list[FloatArray] = []
    ends: list[FloatArray] = []
    for layout, x, y in placed:
        corner = np.array([x - left, y - bottom])
        strokes, wedges = layout.bonds()
        lines += [line + corner for line, _ in strokes]
        inks += [ink for _, ink in strokes]
        widths += [layout.line_width] * len(strokes)
        triangles += [wedge + corner for wedge in wedges]
        ends += [stroke + corner for stroke in layout.end_strokes()]
    axes.add_collection(
        LineCollection(lines, colors=inks, linewidths=widths, capstyle="round", zorder=2), autolim=False
    )
    axes.add_collection(PolyCollection(triangles, facecolors=TEXT, edgecolors="none", zorder=2), autolim=False)
    axes.add_collection(LineCollection(ends, colors=FRAME, linewidths=0.9, zorder=2), autolim=False)
    for layout, x, y in placed:
        if layout.lettered:
            layout.write_letters(sheet, x, y)


def lay_out_structure(
    structure: ColouredStructure, width: float, tallest: float, *, longest_bond: float = _LONGEST_BOND
) -> StructureLayout | None:
    """Place a structure in ``width`` x at most ``tallest`` mm; None when it has too many atoms to be drawn.

    Bonds are at most ``longest_bond`` mm long: a small unit leaves room around it.
    """
    unit = structure.unit
    if unit.molecule.GetNumAtoms() > LARGEST_DRAWN:
        return None
    with rdBase.BlockLogs():
        depicted = depict(unit, width_to_height=width / tallest)
        molecule = rdMolDraw2D.PrepareMolForDrawing(depicted, kekulize=True, addChiralHs=False, forceCoords=False)
    positions: FloatArray = np.array(molecule.GetConformer().GetPositions()[:, :2]) / BOND_LENGTH
    positions -= positions.min(axis=0)
    across, up = positions.max(axis=0)
    room = 2.4  # bonds: letters, circles and strokes stick out
    bond = min(longest_bond, width / (across + room), tallest / (up + room / 1.5))
    height = bond * (up + room / 1.5)
    placed = positions * bond + (np.array([width, height]) - np.array([across, up]) * bond) / 2
    return StructureLayout(structure, molecule, placed, bond, width, height)


def draw_share_legend(sheet: Sheet, full: float, target: str, left: float, top: float, width: float) -> float:
    """Draw the colours of the shares with words at both ends, and return the height in mm."""
    lowers, raises = f"lowers {target}", f"raises {target}"
    gap, bar_height = 1.6, 2.0
    ends = max(text_width(lowers, NOTE), text_width(raises, NOTE))
    bar = max(10.0, min(34.0, width - 2 * (ends + gap)))
    start = left + (width - bar) / 2
    axes = sheet.panel(start, top - bar_height, bar, bar_height)
    samples = np.linspace(-1.0, 1.0, 65)
    colours = share_colours(dict(enumerate(samples)), 1.0, dark=False)
    edges = np.linspace(-1.0, 1.0, 66)
    cells = [np.array([[a, 0], [b, 0], [b, 1], [a, 1]]) for a, b in pairwise(edges)]
    faces = [colours[k] for k in range(65)]
    axes.add_collection(PolyCollection(cells, facecolors=faces, edgecolors="face", linewidths=0.2), autolim=False)
    axes.set_xlim(-1, 1)
    axes.set_ylim(0, 1)
    axes.set_axis_off()
    middle = top - bar_height / 2
    sheet.write(start - gap, middle, lowers, size=NOTE, colour=MUTED, ha="right", va="center_baseline")
    sheet.write(start + bar + gap, middle, raises, size=NOTE, colour=MUTED, va="center_baseline")
    below = top - bar_height - line_height(NOTE) * 0.9
    size = significant(full, 2)
    for x, text in ((start, with_true_minus(f"-{size}")), (start + bar / 2, "0"), (start + bar, f"+{size}")):
        sheet.write(x, below, text, size=NOTE, colour=MUTED, ha="center")
    return bar_height + line_height(NOTE) * 1.2


def _charge(charge: int) -> str:
    if charge == 0:
        return ""
    size = "" if abs(charge) == 1 else str(abs(charge))
    return (size + ("+" if charge > 0 else "-")).translate(_SUPERSCRIPT)


def _rungs(start: FloatArray, stop: FloatArray, across: FloatArray) -> list[FloatArray]:
    """Return the hatched wedge of a bond that points backwards."""
    return [
        np.array([start + share * (stop - start) + share * across, start + share * (stop - start) - share * across])
        for share in np.linspace(0.15, 1.0, 6)
    ]
