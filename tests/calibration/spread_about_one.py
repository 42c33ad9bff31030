"""The spread about one fit, as the product works it out for many: descriptors here are standardised already."""

import numpy as np

from affinecal_gui.calibration.calibrators.noise.line_spread import line_form
from affinecal_gui.calibration.calibrators.training import Fitted, TrainingPart
from affinecal_gui.calibration.cross_validation.spread_of_parts import AboutFit, AboutLine, SpreadOfParts
from affinecal_gui.calibration.data.scale import DescriptorScale
from affinecal_gui.calibration.results import FloatArray, Penalties


def relative_spread(
    fitted: Fitted, part: TrainingPart, f: FloatArray, Z: FloatArray, weights: FloatArray
) -> FloatArray:
    """(k,) spread of new measurements of these weights, in units of the scatter of one measurement of weight one."""
    return _spread(AboutFit(fitted, part), part, f, Z, weights)


def line_spread(
    part: TrainingPart, penalties: Penalties, f: FloatArray, Z: FloatArray, weights: FloatArray
) -> FloatArray:
    """Return the same about the line fitted to a part; the penalties are those of structure."""
    return _spread(AboutLine(part, line_form(part, penalties)), part, f, Z, weights)


def _spread(
    about: AboutFit | AboutLine, part: TrainingPart, f: FloatArray, Z: FloatArray, weights: FloatArray
) -> FloatArray:
    d = part.Z.shape[1]
    found = SpreadOfParts([about], [DescriptorScale(np.zeros(d), np.ones(d))], part.sizes)
    return np.sqrt(1.0 / weights + found.variance([f], Z)[0])
