"""How far the calibrated value of a polymer can be trusted, in words: one source for screen, files and reports."""

import math
from collections.abc import Sequence

from affinecal_gui.calibration.calibrators.parameters import sources_taken
from affinecal_gui.calibration.calibrators.registry import RAW, calibrator
from affinecal_gui.calibration.names import MD_AS_IT_IS, calibrator_in_sentence
from affinecal_gui.calibration.results import Calibration, ModelName

NO_VALUE = (
    "No calibrated value: this polymer is so unlike those of the fit that the value would lie far beyond all measured ones, "
    "or its interval would say nothing."
)


def is_withheld(calibration: Calibration, model: ModelName, library_index: int) -> bool:
    """Whether a calibrator has no value for a polymer of the library because it would be a meaningless extrapolation."""
    if model not in calibration.models:  # chosen, and still being compared
        return False
    value = float(calibration.models[model].library[library_index])
    md = float(calibration.library_md[library_index])
    described = math.isfinite(float(calibration.validity.distance[library_index]))
    return (
        model != RAW
        and math.isnan(value)
        and math.isfinite(md)
        and (described or not calibrator(model).uses_descriptors)
    )


def validity_sentence(calibration: Calibration, model: ModelName, library_index: int) -> str:
    """Say why a polymer of the library lies outside the range of validity, or has no value at all; "" inside it."""
    validity = calibration.validity
    if is_withheld(calibration, model, library_index):
        return NO_VALUE
    sentence = range_sentence(
        model,
        inside=bool(validity.inside[library_index]),
        md_inside=bool(validity.md_inside[library_index]),
        structure_inside=float(validity.distance[library_index]) <= validity.distance_limit,
    )
    return " ".join(part for part in (stand_in_sentence(calibration, model, library_index), sentence) if part)


def stand_in_sentence(calibration: Calibration, model: ModelName, library_index: int) -> str:
    """Say that a polymer lacks a source of a calibrator of several, and by which one it is calibrated instead; else ""."""
    one_source = calibrator(model).one_source
    if not one_source or model not in calibration.models or one_source not in calibration.models:
        return ""
    own, simple = calibration.models[model], calibration.models[one_source]
    value, bound = float(own.library[library_index]), float(own.library_lower[library_index])
    same = value == float(simple.library[library_index]) and bound == float(simple.library_lower[library_index])
    lacking = [
        name
        for name in sources_taken((name, one.value) for name, one in own.parameters.items())[0]
        if name != MD_AS_IT_IS
    ]
    if not same or not lacking:
        return ""
    name = calibrator_in_sentence(one_source, log_scale=calibration.log_scale)
    return stands_in_sentence(lacking, name)


def stands_in_sentence(lacking: Sequence[str], name: str) -> str:
    """Say of a polymer which sources it lacks, and the name of the calibrator that stands in."""
    return f"It has no value of {' or '.join(lacking)}: calibrated by {name} instead, which takes its MD value alone."


def range_sentence(model: ModelName, *, inside: bool, md_inside: bool, structure_inside: bool) -> str:
    """Say why a polymer lies outside the range of validity of a calibrator; "" inside it."""
    if model == RAW or inside:
        return ""
    causes = []
    if not md_inside:
        causes.append("its MD value lies beyond those of the fit")
    if calibrator(model).uses_descriptors and not structure_inside:
        causes.append("its structure is unlike those of the fit")
    if not causes:
        return ""
    return f"Outside the range of validity: {' and '.join(causes)}; the calibrated value is an extrapolation."
