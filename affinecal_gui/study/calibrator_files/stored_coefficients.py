"""A calibrator without its training polymers <-> the parts of its file."""

import math
from dataclasses import dataclass

import numpy as np

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.sharing.coefficients_only import (
    CoefficientsOnly,
    LinearForm,
    Ranges,
    RoundedUnits,
    Spread,
)
from affinecal_gui.study.calibrator_files.description import COEFFICIENTS, CalibratorFacts
from affinecal_gui.study.calibrator_files.plain_numbers import StoredArrays
from affinecal_gui.study.records.stored_errors import DamagedContent

MOST_FORMS = 100


@dataclass(frozen=True, slots=True)
class CoefficientFacts:
    """The single numbers of a calibrator without its training polymers."""

    forms: tuple[LinearForm, ...]
    md_centre: float
    md_unit: float
    spread: Spread
    ranges: Ranges


def facts_of_coefficients(one: CoefficientsOnly) -> CoefficientFacts:
    """Return what is written as JSON."""
    return CoefficientFacts(one.forms, one.units.md_centre, one.units.md_unit, one.spread, one.ranges)


def arrays_of_coefficients(one: CoefficientsOnly) -> dict[str, FloatArray]:
    """Return the numbers of a calibrator by their names in the file."""
    return {
        "centre": one.units.centre,
        "unit": one.units.unit,
        "used": one.units.used,
        "coefficients": one.coefficients,
        "scores": one.scores,
    }


def read_coefficients(facts: CalibratorFacts, own: CoefficientFacts, d: int, arrays: StoredArrays) -> CoefficientsOnly:
    """Return the calibrator with d descriptors; raise DamagedContent where its parts do not fit each other."""
    numbers = [
        own.md_centre,
        own.md_unit,
        own.spread.growth,
        *(getattr(own.ranges, name) for name in own.ranges.__slots__),
        *(getattr(form, name) for form in own.forms for name in form.__slots__),
    ]
    if not all(map(math.isfinite, numbers)):
        raise DamagedContent(f"{COEFFICIENTS} lacks a number")
    ranges = own.ranges
    if own.md_unit <= 0.0 or own.spread.growth < 0.0 or own.spread.polymers < 1 or ranges.lowest > ranges.highest:
        raise DamagedContent(f"{COEFFICIENTS} holds a number that cannot be right")
    if not 1 <= len(own.forms) <= MOST_FORMS:
        raise DamagedContent(f"{COEFFICIENTS} has no equation")
    unit, scores = arrays.read("unit", (d,)), arrays.read("scores", (None,))
    used = arrays.whole_numbers("used", (d,), 1).astype(np.float64)
    if not (unit > 0.0).all():
        raise DamagedContent("a unit of a descriptor is not positive")
    if not scores.size or scores.min() < 0.0 or (np.diff(scores) < 0.0).any():
        raise DamagedContent("the scores of the intervals are not in order")
    return CoefficientsOnly(
        facts.model,
        facts.log_scale,
        facts.level,
        RoundedUnits(own.md_centre, own.md_unit, arrays.read("centre", (d,)), unit, used),
        own.forms,
        arrays.read("coefficients", (len(own.forms), d)),
        own.spread,
        scores,
        ranges,
    )
