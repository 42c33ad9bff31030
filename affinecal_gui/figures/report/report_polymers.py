"""What a report says of single polymers: their structures, their values, those left out and those worth measuring."""

from collections.abc import Sequence

import numpy as np

from affinecal_gui.calibration.results import Calibration
from affinecal_gui.figures.quantity import Quantity
from affinecal_gui.figures.report.report_data import ReportData, ReportPolymer
from affinecal_gui.figures.report.report_document import (
    Align,
    Element,
    Heading,
    Paragraph,
    Structure,
    Structures,
    Table,
)
from affinecal_gui.numbers import MISSING, decimal, in_column, places_for

MOST_DRAWN = 60
"""So many structures of measured polymers are drawn, those that are furthest off first."""

_MOST_LEFT_OUT_DRAWN = 24
_EXTREME = 10  # predicted polymers at either end of the calibrated values, and so many outside the range of validity
_OUTSIDE = "*"  # behind their names
_HOW_DRAWN = (
    "Where letters have no room, colours tell the elements: oxygen red, nitrogen blue, sulfur ochre, fluorine and chlorine "
    "green."
)
_WHOLE = "Repeat units that end in … are whole in the exported table of predictions."


def unit_after(quantity: Quantity) -> str:
    """Return the unit as the end of a column heading, never broken."""
    return ", " + quantity.unit.replace(" ", "\u00a0") if quantity.unit else ""


def left_out_section(data: ReportData, figures: int) -> list[Element]:
    """Say which measured polymers are not in the fit, and why, with their structures after ``figures`` other figures."""
    without = [polymer for polymer in data.measured_polymers if polymer.state != "used"]
    if not without:
        return []
    drawn = [one for one in without if one.smiles][:_MOST_LEFT_OUT_DRAWN]
    head = ("Measured, but not in the fit", "State", "Reason")
    found: list[Element] = [Table(head, _folded(without, {id(one) for one in drawn}), ("left", "left", "left"))]
    if drawn:
        count = f" The first {len(drawn)} of {len(without)}." if len(drawn) < len(without) else ""
        caption = f"Figure {figures + 1}. Measured polymers that are not in the fit.{count} {_HOW_DRAWN}"
        found.append(Structures([Structure(one.smiles, one.name or one.smiles) for one in drawn], caption, columns=6))
    return found


_TOLD_TOGETHER = 3
"""From so many polymers on a reason that they share is told once."""

_NAMES_IN_A_ROW = 30
"""So many names fit in one row of a table, which is never broken between pages."""


def _folded(polymers: Sequence[ReportPolymer], drawn: set[int]) -> list[tuple[str, ...]]:
    """Return name, state and reason of polymers that are not in the fit; what many share is told once.

    Names stand with the repeat unit where that is not ``drawn``.
    """

    def named(one: ReportPolymer) -> str:
        alone = id(one) in drawn or one.smiles in ("", one.name)
        return one.name or one.smiles if alone else f"{one.name} ({one.smiles})"

    alike: dict[tuple[str, str], list[ReportPolymer]] = {}
    for one in polymers:
        shared = one.reason.replace(f"the repeat unit of {one.name or one.smiles}", "their repeat unit")
        alike.setdefault((one.state, shared), []).append(one)
    rows: list[tuple[str, ...]] = []
    for (state, shared), members in alike.items():
        if len(members) < _TOLD_TOGETHER:
            rows.extend((named(one), state, one.reason) for one in members)
            continue
        names = [named(one) for one in members]
        parts = [names[begin : begin + _NAMES_IN_A_ROW] for begin in range(0, len(names), _NAMES_IN_A_ROW)]
        rows.extend(("; ".join(part), state, shared) for part in parts)
    return rows


def polymers_section(data: ReportData, figures: int, most_rows: int) -> list[Element]:
    """Return structures and values of all polymers, after ``figures`` other figures; tables end after ``most_rows`` rows."""
    places = places_for(float(np.max(np.abs(data.calibration.measured), initial=0.0)))
    found = _measured(data, figures, most_rows, places)
    figures += len([one for one in found if isinstance(one, Structures)])
    found += _predicted(data, figures, most_rows, places)
    if data.measure_next:
        found.append(Heading("Worth measuring next"))
        if data.measure_next_sentence:
            found.append(Paragraph(data.measure_next_sentence, introduces=True))
        found += _worth_measuring(data)
    if data.forecast:
        found += [Heading("The error with more measurements"), Paragraph(" ".join(data.forecast))]
    return found


def _measured(data: ReportData, figures: int, most_rows: int, places: int | None) -> list[Element]:
    used = [polymer for polymer in data.measured_polymers if polymer.state == "used"]
    if not used:
        return []
    far = sorted(used, key=lambda one: -_distance(one))
    drawn = far if len(far) <= MOST_DRAWN + 6 else far[:MOST_DRAWN]
    cells = [_with_residual(one, places) for one in drawn]
    which = "" if len(drawn) == len(used) else f"The {len(drawn)} of {len(used)} that are furthest off. "
    unit = f" ({data.quantity.unit})" if data.quantity.unit else ""
    caption = (
        f"Figure {figures + 1}. Measured polymers with measured → calibrated value{unit} and residual, furthest off first. "
        f"{which}{_HOW_DRAWN}"
    )
    head = (
        "Polymer",
        "Repeat unit",
        f"Measured{unit_after(data.quantity)}",
        "MD",
        "Calibrated",
        _level(data),
        "Residual, %",
    )
    align: tuple[Align, ...] = ("left", "left", "right", "right", "right", "right", "right")
    rows = [_row(one, places) for one in used[:most_rows]]
    table = Table(head, rows, align, _cut(used, most_rows), _WHOLE)
    if len(drawn) == len(used):  # each structure is there to be seen
        table = Table((head[0], *head[2:]), [(row[0], *row[2:]) for row in rows], (align[0], *align[2:]), table.caption)
    return [
        Heading("Measured polymers"),
        Paragraph(
            "Calibrated values are out of fold: predicted by fits that have not seen the polymer.", introduces=True
        ),
        Structures(cells, caption, columns=6),
        table,
    ]


def _predicted(data: ReportData, figures: int, most_rows: int, places: int | None) -> list[Element]:
    others = data.other_polymers
    if not others:
        return []
    drawn, how = _worth_seeing(others)
    cells = [_with_interval(one, places) for one in drawn]
    unit = f" ({data.quantity.unit})" if data.quantity.unit else ""
    caption = (
        f"Figure {figures + 1}. {how}, with calibrated value and {_level(data)}{unit}"
        f"{', * outside the range of validity' if any(one.outside for one in drawn) else ''}. {_HOW_DRAWN}"
    )
    head = ("Polymer", "Repeat unit", f"MD{unit_after(data.quantity)}", "Calibrated", _level(data))
    rows = [(row[0], row[1], *row[3:6]) for row in (_row(one, places) for one in others[:most_rows])]
    table = Table(head, rows, ("left", "left", "right", "right", "right"), _cut(others, most_rows), _WHOLE)
    return [
        Heading("Predicted polymers"),
        Paragraph(_validity(data.calibration), introduces=True),
        Structures(cells, caption),
        table,
    ]


def _worth_seeing(others: Sequence[ReportPolymer]) -> tuple[list[ReportPolymer], str]:
    """Return the predicted polymers that are drawn, and what they are."""
    known = sorted((one for one in others if np.isfinite(one.calibrated)), key=lambda one: -one.calibrated)
    if len(others) <= 2 * _EXTREME:
        return [
            *known,
            *(one for one in others if not np.isfinite(one.calibrated)),
        ], "Predicted polymers, highest first"
    ends = [*known[:_EXTREME], *known[max(_EXTREME, len(known) - _EXTREME) :]]
    seen = {id(one) for one in ends}
    outside = [one for one in others if one.outside and id(one) not in seen][:_EXTREME]
    how = f"Predicted polymers: the {_EXTREME} with the highest and the {_EXTREME} with the lowest value, highest first"
    return [*ends, *outside], f"{how}; then others outside the range of validity" if outside else how


def _with_residual(one: ReportPolymer, places: int | None) -> Structure:
    values = f"{in_column(one.measured, places)} → {in_column(one.calibrated, places)}"
    residual = decimal(_residual(one), 1)
    return Structure(one.smiles, _name(one), (f"{values}, {residual if residual[:1] in '−–' else '+' + residual} %",))


def _with_interval(one: ReportPolymer, places: int | None) -> Structure:
    return Structure(one.smiles, _name(one), (f"{in_column(one.calibrated, places)} ({_between(one, places)})",))


def _worth_measuring(data: ReportData) -> list[Element]:
    cells = [Structure(one.smiles, one.name) for one in data.measure_next]
    rows = [
        (one.name, one.smiles if one.smiles != one.name else "", decimal(one.narrower, 2), decimal(one.in_all, 2))
        for one in data.measure_next
    ]
    columns = ("Polymer", "Repeat unit", "Mean interval narrower by, %", "with those above, %")
    return [
        Table(columns, rows, ("left", "left", "right", "right")),
        Structures(cells, "The same polymers, best first."),
    ]


def _level(data: ReportData) -> str:
    return f"{100 * data.calibration.interval_level:g} % interval"


def _name(one: ReportPolymer) -> str:
    return (one.name or one.smiles) + (_OUTSIDE if one.outside else "")


def _residual(one: ReportPolymer) -> float:
    with np.errstate(all="ignore"):
        return float(100 * (np.float64(one.calibrated) / np.float64(one.measured) - 1))


def _distance(one: ReportPolymer) -> float:
    residual = _residual(one)
    return abs(residual) if np.isfinite(residual) else -1.0


def _between(one: ReportPolymer, places: int | None) -> str:
    bounds = one.lower, one.upper
    return " to ".join(in_column(bound, places) for bound in bounds) if np.all(np.isfinite(bounds)) else MISSING


def _validity(calibration: Calibration) -> str:
    inside = calibration.validity.inside
    if inside.all():
        return f"All {inside.size} polymers with an MD value lie in the range of the training data."
    return "Those with an asterisk lie outside the range of validity; their intervals may be too narrow."


def _row(one: ReportPolymer, places: int | None) -> tuple[str, ...]:
    return (
        _name(one),
        one.smiles if one.smiles != one.name else "",
        in_column(one.measured, places),
        in_column(one.md, places),
        in_column(one.calibrated, places),
        _between(one, places),
        decimal(_residual(one), 1),
    )


def _cut(polymers: Sequence[ReportPolymer], most_rows: int) -> str:
    if len(polymers) <= most_rows:
        return ""
    return f"The first {most_rows} of {len(polymers)} polymers; the exported table of predictions holds all of them."
