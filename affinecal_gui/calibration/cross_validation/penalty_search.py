"""What a cross-validation of the penalty grid starts from, and which pair (lambda_1, lambda_2) it chooses."""

from typing import Literal

import numpy as np

from affinecal_gui.calibration.calibrators.affine import AffineFit
from affinecal_gui.calibration.cross_validation.resampling import ResampledStart
from affinecal_gui.calibration.data.array_checks import read_only
from affinecal_gui.calibration.results import FloatArray, PenaltySurface


def repeated_start(start: AffineFit, times: int) -> ResampledStart:
    """Use one fit as the starting point of every training set."""
    return ResampledStart(
        np.full(times, start.alpha_1),
        np.full(times, start.alpha_0),
        np.full(times, start.beta),
        np.tile(start.gamma, (times, 1)),
    )


def surface_from_errors(lambda_1: FloatArray, lambda_2: FloatArray, error: FloatArray) -> PenaltySurface:
    """Choose the first best pair of mean squared errors (a, b), and say whether it lies on an edge."""
    i, j = np.unravel_index(int(np.argmin(error)), error.shape)
    edges: list[Literal["lambda_1", "lambda_2"]] = []
    if lambda_1.shape[0] > 1 and i in (0, lambda_1.shape[0] - 1):
        edges.append("lambda_1")
    if lambda_2.shape[0] > 1 and j in (0, lambda_2.shape[0] - 1):
        edges.append("lambda_2")
    return PenaltySurface(
        lambda_1=read_only(lambda_1.copy()),
        lambda_2=read_only(lambda_2.copy()),
        rmse=read_only(np.sqrt(error)),
        chosen=(int(i), int(j)),
        on_edge=tuple(edges),
    )
