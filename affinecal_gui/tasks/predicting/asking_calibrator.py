"""The service that answers what a calibrator file says of one polymer, with its MD value or without."""

from dataclasses import replace
from math import isfinite, nan

import numpy as np

from affinecal_gui import __version__
from affinecal_gui.calibration.sharing.with_training import TrainedCalibrator
from affinecal_gui.errors import UserError
from affinecal_gui.numbers import interval, shortest, significant
from affinecal_gui.polymers.copolymers.composition import Composition, parse_composition
from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit
from affinecal_gui.study.asking.asked_polymer import AskedPolymer
from affinecal_gui.study.asking.asked_text import read_asked
from affinecal_gui.study.calibrator_files.calibrator_file import CalibratorFile
from affinecal_gui.study.data.assembly import ROOM_TEMPERATURE
from affinecal_gui.study.describing.describing import FORCE_FIELD, blocks_of, describe_polymers
from affinecal_gui.study.md_origin import md_origin
from affinecal_gui.study.shown.inspection import coloured_picture
from affinecal_gui.study.shown.inspector_content import InspectorContent, ValueLine
from affinecal_gui.study.words.validity_words import NO_VALUE, range_sentence
from affinecal_gui.tables.cells.numbers import read_number
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.tasks.predicting.calibrated_rows import name_of
from affinecal_gui.tasks.predicting.corrected_rows import further_sources, stood_in_sentence
from affinecal_gui.tasks.predicting.predicted_rows import without_md_value

INSIDE = "Inside the range of the polymers used for the fit."
CORRECTED_MD = "MD, quantum-corrected"
NEEDS_MD = "Type its MD value: the calibrator cannot predict one."


def ask_calibrator(opened: CalibratorFile, text: str, md_text: str, *, task: Task = UNWATCHED) -> AskedPolymer:
    """Say what a calibrator says of one polymer.

    Parameters
    ----------
    opened
        The calibrator.
    text
        A SMILES with two attachment points, a molfile or a composition.
    md_text
        Its MD value in the unit of the property, as it is typed; where there is none it is predicted if the calibrator can.
    """
    if not text.strip():
        return AskedPolymer(text)
    try:
        read = read_asked(text)
        composition = parse_composition(read.smiles)
    except InvalidRepeatUnit as problem:
        return AskedPolymer(text, hint=str(problem))
    asked = AskedPolymer(
        text, read.smiles, notes=tuple(note for note in (read.remark, *composition.notes) if note), standing=""
    )
    try:
        return _answered(asked, composition, opened, _number(md_text), task)
    except UserError as problem:
        return replace(asked, content=_drawn(opened, read.smiles, composition, task), missing=str(problem))


def _number(text: str) -> float:
    """Read an MD value; nan without one."""
    if not text.strip():
        return nan
    found = read_number(text)
    if not isfinite(found.value) or found.suffix:
        raise UserError(f"The MD value “{text.strip()}” is not a number.")
    return found.value


def _answered(
    asked: AskedPolymer, composition: Composition, opened: CalibratorFile, md: float, task: Task
) -> AskedPolymer:
    facts, calibrator = opened.facts, opened.calibrator
    if facts.descriptors.names != blocks_of(FORCE_FIELD).columns:
        raise UserError("The calibrator uses descriptors of its own, which cannot be computed from a structure.")
    described = describe_polymers([asked.smiles], task=task.silent)
    if described.problems[0]:
        raise UserError(described.problems[0])
    simulated, further = isfinite(md), None
    if simulated:
        further = further_sources(opened, [asked.smiles], np.array([md]), np.array([nan]), task=task)
        found = calibrator.apply(np.array([md]), described.values, None if further is None else further.values)
    elif opened.predicts_md:
        assert isinstance(calibrator, TrainedCalibrator)
        predicted, found = calibrator.apply_unsimulated(described.values)
        md = float(predicted[0])
    else:
        raise UserError(NEEDS_MD)
    if not found.usable[0]:
        raise UserError(without_md_value(md))
    content = _drawn(opened, asked.smiles, composition, task)
    if found.withheld[0]:
        return replace(asked, content=content, missing=NO_VALUE)
    value, lower, upper = (float(array[0]) for array in (found.values, found.lower, found.upper))
    said = range_sentence(
        facts.model,
        inside=bool(found.inside[0]),
        md_inside=bool(found.md_inside[0]),
        structure_inside=bool(found.structure_inside[0]),
    )
    corrected = [] if further is None or found.stood_in[0] else [ValueLine(CORRECTED_MD, float(further.values[0, 0]))]
    content = replace(
        content,
        values=(
            ValueLine("MD" if simulated else "MD, predicted", md),
            *corrected,
            ValueLine("Calibrated", value, lower, upper),
        ),
        validity=said or INSIDE,
        inside=bool(found.inside[0]),
    )
    how = "the MD value given" if simulated else "an MD value predicted from the structure"
    source = ""
    if found.stood_in[0]:
        source = stood_in_sentence(opened, "" if further is None else further.problems[0])
    elif opened.sources is not None:
        source = f"The MD value is corrected for quantum effects at {shortest(ROOM_TEMPERATURE)} K."
    held = opened.md_conditions.words
    at = f"The MD values of its fit hold at {held}." if simulated and held else ""
    basis = " ".join(part for part in (f"By {name_of(opened)} from {how}.", at, source, facts.advice) if part)
    unit = f" {facts.quantity.unit}" if facts.quantity.unit else ""
    return replace(
        asked,
        content=content,
        value=value,
        lower=lower,
        upper=upper,
        level=facts.level,
        origin=md_origin(facts.model, simulated=simulated),
        basis=basis,
        sentence=(
            f"The {facts.quantity.title.lower()} of {asked.smiles} is {significant(value, 4)}{unit} ({100 * facts.level:g} % "
            f"interval {interval(lower, upper, 4)}{unit}). {' '.join(part for part in (basis, said) if part)} (AffineCal "
            f"{__version__}.)"
        ),
    )


def _drawn(opened: CalibratorFile, smiles: str, composition: Composition, task: Task) -> InspectorContent:
    quantity = opened.facts.quantity
    picture = coloured_picture(composition, {}, task=task)
    return InspectorContent(
        key="",
        label=smiles,
        smiles=smiles,
        svg=picture.svg,
        svg_dark=picture.svg_dark,
        symbol_html=quantity.symbol_html,
        unit=quantity.unit,
        largest_value=opened.facts.typical_md,
    )
