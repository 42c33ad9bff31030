"""What the atoms, bonds, angles and dihedrals of one polymer contribute to its calibrated value."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from affinecal_gui.figures.labels import target_scale
from affinecal_gui.figures.plots.structure import ColouredStructure, draw_share_legend, lay_out_structure
from affinecal_gui.figures.quantity import Quantity
from affinecal_gui.figures.sheet import (
    OpenSheet,
    Sheet,
    figure_of,
    line_height,
    new_figure,
    shortened,
    text_width,
    wrap,
)
from affinecal_gui.figures.style import (
    BODY,
    FRAME,
    IDENTITY,
    LOWERS,
    MUTED,
    NOTE,
    RAISES,
    TITLE,
    journal_style,
    plain,
)  # fmt: skip
from affinecal_gui.numbers import decimal

_MARGIN = 1.0  # mm
_ROW = 5.0


@dataclass(frozen=True, slots=True)
class Share:
    """One part of the correction, on the target scale."""

    label: str  # "atoms", "bonds", "angles", "dihedrals"
    value: float


def attribution_figure(
    shares: Sequence[Share],
    quantity: Quantity,
    *,
    polymer: str = "",
    total: float | None = None,
    structure: ColouredStructure | None = None,
    width_mm: float = 85.0,
    notes: bool = True,
) -> Figure:
    """Draw the shares of the correction of one polymer as bars, with their sum, below its structure.

    Parameters
    ----------
    shares
        Parts that add up to ``total``.
    quantity
        The calibrated property.
    polymer
        What the polymer is called.
    total
        The correction that the shares add up to; their sum when None.
    structure
        The repeat unit, drawn with every atom in the colour of its share.
    width_mm
        Width of the figure; its height follows.
    notes
        Say below the figure, in sentences, what it shows.

    Raises
    ------
    ValueError
        The shares do not add up to ``total`` within 1e-6 of its size.
    """
    with journal_style():
        return figure_of(
            draw_attribution(
                new_figure,
                shares,
                quantity,
                polymer=polymer,
                total=total,
                structure=structure,
                width_mm=width_mm,
                notes=notes,
            )
        )


def draw_attribution(
    open_sheet: OpenSheet,
    shares: Sequence[Share],
    quantity: Quantity,
    *,
    polymer: str = "",
    total: float | None = None,
    structure: ColouredStructure | None = None,
    width_mm: float = 85.0,
    notes: bool = True,
) -> Sheet:
    """Draw :func:`attribution_figure` on the sheet that ``open_sheet`` provides; call it inside ``journal_style()``."""
    added = sum(share.value for share in shares)
    total = added if total is None else total
    if abs(added - total) > 1e-6 * max(abs(total), *(abs(share.value) for share in shares), 1e-12):
        raise ValueError(f"the shares add up to {added}, not to {total}")

    places = _places([share.value for share in shares])
    labels = [plain(share.label) for share in shares]
    values = [_change(share.value, places) for share in shares]
    name_width = max([text_width(label, BODY) for label in [*labels, "sum"]])
    value_width = max(text_width(value, BODY, bold=True) for value in [*values, _change(total, places)])
    left = _MARGIN + name_width + 2.0
    panel_width = width_mm - left - value_width - 3.0 - _MARGIN

    heading = f"Effect on {target_scale(quantity)}"
    name = shortened(plain(polymer), BODY, width_mm - 2 * _MARGIN)
    head_height = line_height(TITLE) + (line_height(BODY) if name else 0.0) + 1.0
    picture = None if structure is None else lay_out_structure(structure, width_mm - 2 * _MARGIN, 0.6 * width_mm)
    words = _note(quantity, structure, drawn=picture is not None) if notes else ""
    note = wrap(words, NOTE, width_mm - 2 * _MARGIN) if words else []
    picture_height = 0.0 if picture is None else picture.height + 9.0
    height = (
        _MARGIN
        + head_height
        + picture_height
        + _ROW * (len(shares) + 1)
        + 2.5
        + line_height(NOTE) * len(note)
        + _MARGIN
    )
    sheet = open_sheet(width_mm, height)

    y = height - _MARGIN - line_height(TITLE) * 0.78
    sheet.write(_MARGIN, y, heading, size=TITLE, bold=True)
    if name:
        sheet.write(_MARGIN, y - line_height(BODY), name, size=BODY, colour=MUTED, parse_math=False)
    top = height - _MARGIN - head_height
    if structure is not None and picture is not None:
        picture.draw(sheet, _MARGIN, top - picture.height)
        legend_top = top - picture.height - 1.5
        draw_share_legend(sheet, structure.full, target_scale(quantity), _MARGIN, legend_top, picture.width)
        top -= picture_height
    _draw_bars(sheet, shares, left, top, panel_width)
    for row, (label, value) in enumerate(zip(labels, values, strict=True)):
        middle = top - (row + 0.5) * _ROW
        sheet.write(_MARGIN, middle, label, va="center_baseline", parse_math=False)
        sheet.write(width_mm - _MARGIN, middle, value, ha="right", va="center_baseline")
    middle = top - (len(shares) + 0.5) * _ROW
    sheet.line([_MARGIN, width_mm - _MARGIN], [middle + _ROW / 2] * 2, color=FRAME, linewidth=0.4)
    sheet.write(_MARGIN, middle, "sum", bold=True, va="center_baseline")
    sheet.write(width_mm - _MARGIN, middle, _change(total, places), bold=True, ha="right", va="center_baseline")
    y = middle - _ROW / 2 - 2.5
    for line in note:
        sheet.write(_MARGIN, y - line_height(NOTE) * 0.78, line, size=NOTE, colour=MUTED, parse_math=False)
        y -= line_height(NOTE)
    return sheet


def _places(values: Sequence[float]) -> int:
    """Decimal places that show two digits of the largest share, at least."""
    largest = max((abs(value) for value in values), default=0.0)
    return int(np.clip(1 - math.floor(math.log10(largest)), 0, 12)) if largest > 0 else 3


def _change(value: float, places: int) -> str:
    return ("+" if value > 0 and round(value, places) != 0 else "") + decimal(value, places)


def _draw_bars(sheet: Sheet, shares: Sequence[Share], left: float, top: float, width: float) -> None:
    low, high = min(0.0, *(share.value for share in shares)), max(0.0, *(share.value for share in shares))
    span = high - low or 1.0
    zero = left - low / span * width
    for row, share in enumerate(shares):
        length = share.value / span * width
        middle = top - (row + 0.5) * _ROW
        colour = RAISES if share.value > 0 else LOWERS
        sheet.box(min(zero, zero + length), middle - 1.3, abs(length), 2.6, facecolor=colour, edgecolor="none")
    sheet.line([zero, zero], [top, top - len(shares) * _ROW], color=IDENTITY, linewidth=0.5)


def _note(quantity: Quantity, structure: ColouredStructure | None, *, drawn: bool) -> str:
    name = plain(quantity.symbol)
    sentences = [f"Left of the line lowers, right of it raises the calibrated {name}; zero is the average polymer."]
    if drawn:
        sentences.append("Circles: each atom with its hydrogens and its part of the bonds, angles and dihedrals.")
    elif structure is not None:
        sentences.append(f"The repeat unit of {structure.unit.molecule.GetNumAtoms()} atoms is too large to be drawn.")
    return " ".join(sentences)
