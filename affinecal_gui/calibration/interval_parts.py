"""What the intervals of library polymers are made of, and what more simulations would narrow.

The spread of a polymer, on which its interval is built, is a sum of variances: that of a measurement about the calibrator,
which holds errors of measurement, noise of MD values and what the calibrator leaves out; and what the measured polymers
leave open of its parameters. Here each has its share, by the fit to all polymers. One unit of the spread is the scatter that
held-out residuals show, as for the intervals themselves.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from affinecal_gui.calibration.calibrators.fitted import directions, posterior
from affinecal_gui.calibration.calibrators.linear.log_difference import LOG_DIFFERENCE
from affinecal_gui.calibration.calibrators.noise.line_spread import line_variance
from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.cross_validation.out_of_fold import (
    as_prior,
    prior_of_structure,
    scatter_about,
    typical_weight,
)
from affinecal_gui.calibration.cross_validation.predicted_md import widening
from affinecal_gui.calibration.data.array_checks import read_only
from affinecal_gui.calibration.data.row_blocks import row_blocks
from affinecal_gui.calibration.kept_fit import KeptFit
from affinecal_gui.calibration.results import FloatArray, IntervalParts, ModelName
from affinecal_gui.calibration.uncertainty.parameter_bands import measurement_scatter

MORE_RUNS: Final = 5
"""Further simulations of a polymer, of which is said how far they would narrow its interval."""

DECIMALS: Final = 4
"""Of a share."""


@dataclass(frozen=True, slots=True)
class _Variances:
    """Of m polymers, in units of the scatter of a measurement of weight one."""

    about: FloatArray  # (m,) of a measurement about the calibrator, noise of its MD value apart
    noise: FloatArray  # (m,)
    left_out: FloatArray  # (m,) of what a calibrator without descriptors leaves out of the structure
    parameters: FloatArray  # (m,)


def interval_parts(kept_fit: KeptFit, model: ModelName) -> IntervalParts | None:
    """Return the parts of the intervals by a linear calibrator, or one that combines some; None for any other.

    Parameters
    ----------
    kept_fit
        Of a finished calibration.
    model
        The calibrator.
    """
    record, problem = calibrator(model), kept_fit.problem
    members = record.combines or (model,)
    if any(name not in kept_fit.fits for name in members) or problem.predicted is not None:
        return None
    weights = kept_fit.weights[model] if record.combines else np.ones(1)
    found = [_variances(kept_fit, name) for name in members]

    def total(name: str) -> FloatArray:
        # A member without weight may know nothing of a polymer, which must not spoil the sum.
        return np.asarray(
            sum(weight * getattr(one, name) for weight, one in zip(weights, found, strict=True) if weight > 0.0)
        )

    about, noise, left_out, parameters = (total(name) for name in ("about", "noise", "left_out", "parameters"))
    scatter = measurement_scatter(problem.y, kept_fit.held_out.models[model])
    whole = about + noise + left_out + parameters
    measurement = np.zeros(len(whole))
    if scatter > 0.0:
        measurement = np.minimum((problem.measurement_error / scatter) ** 2, about)
    narrower = np.full(len(whole), np.nan)
    if problem.library_runs is not None:
        runs = np.where(problem.library_runs >= 1.0, problem.library_runs, np.nan)
        narrower = 1.0 - np.sqrt(1.0 - noise / whole * MORE_RUNS / (runs + MORE_RUNS))

    def given(values: FloatArray) -> FloatArray:
        return read_only(np.round(values[problem.library_order.place], DECIMALS))

    return IntervalParts(
        given(measurement / whole),
        given(noise / whole),
        given(parameters / whole),
        given((about - measurement + left_out) / whole),
        given(narrower),
    )


def _variances(kept_fit: KeptFit, model: ModelName) -> _Variances:
    problem, everything, one = kept_fit.problem, kept_fit.everything, kept_fit.fits[model]
    part, f = everything.part, problem.library_f
    nothing = np.zeros(len(f))
    left_out, parameters = np.zeros(len(f)), np.zeros(len(f))
    beside = kept_fit.fits[LOG_DIFFERENCE.key]
    structure = prior_of_structure(problem, one, beside, everything.polymers)
    as_said = as_prior(one, everything.polymers, problem.options)
    known = None if structure is not None or calibrator(model).is_raw else posterior(as_said, part)
    for rows in row_blocks(len(f)):
        Z = everything.scale.apply(problem.library_X[rows])
        if structure is not None:
            left_out[rows], parameters[rows] = line_variance(part, structure, f[rows], Z)
        elif known is not None:
            parameters[rows] = known.variance(directions(one, part, f[rows], Z))
    about, noise = 1.0 / typical_weight(problem), nothing
    if part.noise is not None and problem.library_noise is not None:
        about = 1.0 / part.typical_weight
        wider = widening(one, part.noise, scatter_about(problem, one, everything, beside), about)
        if wider.typical > 0.0:
            noise = wider.share * problem.library_noise**2 / wider.typical
            about -= wider.share
    return _Variances(np.where(np.isfinite(f), about, np.nan), noise, np.maximum(left_out, 0.0), parameters)
