"""What the parameters of a fit mean, in sentences a chemist understands, written from the numbers at hand."""

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from affinecal_gui.calibration.calibrators.parameters import INTERCEPT, Parameter, sources_taken
from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.data.array_checks import all_equal
from affinecal_gui.calibration.results import Convergence, Estimate, ModelName, ModelResult
from affinecal_gui.numbers import significant
from affinecal_gui.study.quantum_properties import HEAT_CAPACITIES
from affinecal_gui.study.snapshot import Snapshot


def explain_parameters(snapshot: Snapshot) -> str:
    """Return one or two sentences about the parameters of the chosen calibrator; "" before the first calibration."""
    calibration = snapshot.calibration
    result = None if calibration is None else calibration.models.get(snapshot.settings.model)
    if calibration is None or result is None:
        return ""
    is_heat_capacity = snapshot.quantity is not None and snapshot.quantity.key in HEAT_CAPACITIES
    one = calibrator(result.model)
    if one.is_raw:
        return "The MD values are shown as they are; nothing is fitted."
    if one.combines:
        return (
            "The calibrated value is the sum of theirs by these weights. The errors on held-out polymers give them, drawn "
            "towards equal ones where polymers are few; the less likely it is that polymers of like structure depart alike "
            "from the line, the more of them goes to ordinary regression."
        )
    if one.one_source:
        return _explain_sources(result)
    if one.needs_kernels:
        return "This calibrator is made of kernel functions; it has no parameters that could be read."
    if one.has_coupling:
        if all_equal(calibration.md):
            return "All MD values are equal, so that α₁ and β cannot be told."
        source = np.log(calibration.md) if calibration.log_scale else calibration.md
        ends = (float(np.min(source)), float(np.max(source))) if source.size else (math.nan, math.nan)
        return _explain_affine(result, ends, einstein=is_heat_capacity and calibration.log_scale)
    if one.has_slope and not one.has_offset:
        return _explain_proportion(result, calibration.log_scale)
    if one.has_slope:
        if all_equal(calibration.md) and not one.uses_descriptors:
            return "All MD values are equal: the line is the mean of the measured values."
        return _explain_line(result, calibration.log_scale)
    return _explain_difference(result, calibration.log_scale, described=one.uses_descriptors)


def explain_convergence(convergence: Convergence | None) -> tuple[bool, str]:
    """Return whether the solver ended well, and a sentence on how; no sentence where nothing was solved."""
    if convergence is None:
        return True, ""
    count = convergence.iterations
    match convergence.solver:
        case "closed form":
            return True, "Solved exactly, in closed form."
        case "direct":
            steps = f"{count} evaluation{'' if count == 1 else 's'}"
            slope = _size(convergence.slope)
            if convergence.converged:
                return True, f"Converged{f': slope in β {slope}' if convergence.slope else ''} after {steps}."
            return False, f"Not converged: the slope in β is still {slope} after {steps}."
        case "block":
            sweeps = f"{count} sweep{'' if count == 1 else 's'}"
            if convergence.converged:
                return True, f"Converged after {sweeps} of block updates."
            return False, f"Not converged after {sweeps} of block updates; the parameters may still move."


def calibrator_equation(model: ModelName, log_scale: bool) -> str:
    """Return the equation of a calibrator as plain text, with what its letters stand for."""
    of = "y and f: natural logarithm of the value" if log_scale else "y and f: the value itself"
    one = calibrator(model)
    described = "; x: standardised descriptors" if one.uses_descriptors else ""
    return f"{one.equation}  ({of}{described})"


def _explain_line(result: ModelResult, log_scale: bool) -> str:
    found = _parameter(result, "alpha_1")
    if found is None:
        return ""
    named, slope = found
    meaning = "factor" if log_scale else "amount"
    with_one = f"With {named.symbol} = 1 MD would be off by the same {meaning} everywhere."
    return f"{with_one} {_where(1.0, slope, named.symbol)}."


def _parameter(result: ModelResult, of_fit: Literal["alpha_0", "alpha_1", "beta"]) -> tuple[Parameter, Estimate] | None:
    """Return what a calibrator calls this parameter of a linear fit, and its value; None where it has none."""
    named = next((one for one in calibrator(result.model).parameters if one.of_fit == of_fit), None)
    estimate = None if named is None else result.parameters.get(named.name)
    return None if named is None or estimate is None else (named, estimate)


def _explain_sources(result: ModelResult) -> str:
    taken, left = sources_taken((name, found.value) for name, found in result.parameters.items())
    if not left:
        which = f"All of its sources are taken: {_listed(taken)}; with fewer the error is not clearly lower."
    else:
        which = f"Of its sources {_listed(taken)} {'is' if len(taken) == 1 else 'are'} taken, and not {_listed(left)}."
    return f"{which} That is chosen by polymers each of which is held out alone, anew in every check."


def _listed(names: Sequence[str]) -> str:
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _explain_proportion(result: ModelResult, log_scale: bool) -> str:
    found = _parameter(result, "alpha_1")
    if found is None:
        return ""
    _, slope = found
    if log_scale:
        return f"The logarithm of the calibrated value is {significant(slope.value)} times that of the MD value."
    return f"The calibrated value is {significant(slope.value)} times the MD value."


def _explain_difference(result: ModelResult, log_scale: bool, *, described: bool) -> str:
    found = _parameter(result, "alpha_0")
    if found is None:
        return ""
    named, intercept = found
    by = "On average" if named == INTERCEPT else f"By the {named.for_scale(log_scale=log_scale).meaning}"
    if log_scale:
        ratio = float(np.exp(np.clip(intercept.value, -700.0, 700.0)))
        start = f"{by} the measured value is {significant(ratio)} times the MD value"
    else:
        side = "above" if intercept.value >= 0 else "below"
        start = f"{by} the measured value lies {significant(abs(intercept.value))} {side} the MD value"
    return f"{start}; the descriptors say how far each polymer departs from that." if described else f"{start}."


def _explain_affine(result: ModelResult, ends: tuple[float, float], *, einstein: bool) -> str:
    of_slope, of_coupling = _parameter(result, "alpha_1"), _parameter(result, "beta")
    if of_slope is None or of_coupling is None:
        return ""
    (_, slope), (_, coupling) = of_slope, of_coupling
    if einstein:
        start = "Einstein’s theory expects α₁ = 1 and β = 0."
    else:
        start = "With α₁ = 1 and β = 0 the correction would depend on the structure alone."
    return f"{start} {_where(1.0, slope, 'α₁')}; {_explain_coupling(coupling, ends)}."


def _where(expected: float, found: Estimate, name: str) -> str:
    if not (math.isfinite(found.lower) and math.isfinite(found.upper)):
        return f"Here {name} is {significant(found.value)}"
    if found.lower <= expected <= found.upper:
        return f"Here {expected:g} lies inside the interval of {name}"
    side = "below" if found.upper < expected else "above"
    return f"Here the interval of {name} lies {side} {expected:g}"


def _explain_coupling(coupling: Estimate, ends: tuple[float, float]) -> str:
    """Say whether beta differs from zero, and what that does to the correction across the MD values of the fit."""
    if math.isfinite(coupling.lower) and coupling.lower <= 0.0 <= coupling.upper:
        return "0 lies inside that of β"
    if math.isnan(coupling.lower) and math.isnan(coupling.upper):
        return "β has no interval that would tell it from 0"
    side = "below" if coupling.value < 0 else "above"
    low, high = 1.0 + coupling.value * ends[0], 1.0 + coupling.value * ends[1]
    change = high / low - 1.0 if low > 0 and high > 0 else math.nan
    if not math.isfinite(change):
        return f"β is {side} 0"
    share = "less than 1 %" if abs(change) < 0.01 else f"{100 * abs(change):.0f} %"
    direction = "weaker" if change < 0 else "stronger"
    return f"β is {side} 0, so the correction is {share} {direction} at the highest MD values than at the lowest"


def _size(value: float) -> str:
    if value == 0.0 or not math.isfinite(value):
        return "0" if value == 0.0 else "unknown"
    return significant(value, 1)
