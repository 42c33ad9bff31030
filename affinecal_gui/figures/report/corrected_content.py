"""What a report says of MD values that were corrected for quantum effects without a calibration."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from affinecal_gui.calibration.calibrators.quantum_corrected import QUANTUM_CORRECTED
from affinecal_gui.figures.plots.corrected import CorrectedPlot, ModePlot, draw_corrected, draw_modes
from affinecal_gui.figures.quantity import Quantity
from affinecal_gui.figures.report.report_data import ReportFile
from affinecal_gui.figures.report.report_document import Document, Element, Formula, Heading, Paragraph, Picture, Table
from affinecal_gui.figures.sheet import OpenSheet, Sheet
from affinecal_gui.numbers import MISSING, in_column, places_for

WIDTH_MM = 120.0  # of figures


@dataclass(frozen=True, slots=True, eq=False)
class CorrectedPolymer:
    """One polymer; numbers in the unit of the quantity, nan where there is none."""

    name: str
    measured: float
    md: float
    corrected: float
    lower: float
    upper: float
    problem: str  # "" or why it has no corrected value
    smiles: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class CorrectedReport:
    """Everything such a report is made of. The same data give the same report, byte for byte."""

    quantity: Quantity
    files: Sequence[ReportFile]
    sentences: Sequence[str]  # what was corrected, what the intervals rest on, what was assumed
    level: float  # of the intervals
    simulation: str  # which vibrations it moves
    polymers: Sequence[CorrectedPolymer]
    values: CorrectedPlot
    modes: ModePlot
    versions: Mapping[str, str] = field(default_factory=dict)
    date: str = ""


def corrected_document(data: CorrectedReport, *, most_rows: int) -> Document:
    """Write the report; the table of polymers ends after ``most_rows`` rows and says so."""
    equation = QUANTUM_CORRECTED.report_equation
    assert equation is not None
    elements: list[Element] = [Paragraph(sentence) for sentence in data.sentences]
    if data.files:
        head = ("Table", "Gives", "Rows read", "Rows not readable")
        rows = [(one.name, one.gives, str(one.rows), str(one.rejected)) for one in data.files]
        elements += [Heading("Data"), Table(head, rows, ("left", "left", "right", "right"))]
    elements += [
        Heading("Method"),
        Paragraph(
            "From each MD value that is taken off which classical mechanics gives the vibrations of a repeat unit too much: "
            "E is the share of its classical heat that a vibration of wavenumber ν holds at temperature T, M the molar mass. "
            f"The vibrations are those of the infinite chain in GAFF2; the simulation moves {data.simulation}.",
            introduces=True,
        ),
        Formula(equation.mathematics, equation.markup),
        Heading("Corrected values"),
        Picture(
            partial(_draw_values, data), "Figure 1. Corrected against MD values.", "Corrected values over MD values."
        ),
        Picture(
            partial(_draw_modes, data),
            "Figure 2. Vibrations of the mean polymer: those that the simulation moves, and the heat they hold in truth.",
            "Density of modes over the wavenumber.",
        ),
        *_polymers(data, most_rows),
    ]
    if data.versions:
        versions = Table(("Program or library", "Version"), list(data.versions.items()), ("left", "left"))
        elements += [Heading("How it was made"), versions]
    count = sum(bool(np.isfinite(one.corrected)) for one in data.polymers)
    subtitle = " · ".join(part for part in (data.date, f"{count} of {len(data.polymers)} MD values corrected") if part)
    return Document(f"Quantum correction of {data.quantity.title.lower()}", subtitle, tuple(elements))


def _polymers(data: CorrectedReport, most_rows: int) -> list[Element]:
    unit = f", {data.quantity.unit}" if data.quantity.unit else ""
    known = np.array([one.md for one in data.polymers])
    places = places_for(float(np.max(np.abs(known[np.isfinite(known)]), initial=0.0)))
    rows = [
        (
            one.name or one.smiles,
            one.smiles if one.smiles != one.name else "",
            in_column(one.measured, places),
            in_column(one.md, places),
            in_column(one.corrected, places),
            f"{in_column(one.lower, places)} to {in_column(one.upper, places)}" if np.isfinite(one.lower) else MISSING,
        )
        for one in data.polymers[:most_rows]
    ]
    cut = ""
    if len(data.polymers) > most_rows:
        cut = f"The first {most_rows} of {len(data.polymers)} polymers; predictions.csv holds all of them."
    head = ("Polymer", "Repeat unit", f"Measured{unit}", "MD", "Corrected", f"{100 * data.level:g} % interval")
    whole = "Repeat units that end in … are whole in predictions.csv."
    table = Table(head, rows, ("left", "left", "right", "right", "right", "right"), cut, whole)
    found: list[Element] = [Heading("Polymers"), table]
    failed = [(one.name or one.smiles, one.problem) for one in data.polymers if one.problem][:most_rows]
    if failed:
        found += [Heading("Without a corrected value"), Table(("Polymer", "Reason"), failed, ("left", "left"))]
    return found


def _draw_values(data: CorrectedReport, open_sheet: OpenSheet) -> Sheet:
    return draw_corrected(open_sheet, data.values, data.quantity, width_mm=WIDTH_MM)


def _draw_modes(data: CorrectedReport, open_sheet: OpenSheet) -> Sheet:
    return draw_modes(open_sheet, data.modes, width_mm=WIDTH_MM)
