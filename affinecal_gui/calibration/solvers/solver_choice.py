"""Direct solver or block relaxation, on problems whose power series are known."""

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from affinecal_gui.calibration.data.training_sets import Regression
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.solvers.block_relaxation import (
    GammaAt,
    SolvableProblems,
    Start,
    first_alpha_and_beta,
    relax,
    relax_on_series,
)
from affinecal_gui.calibration.solvers.profile_minimum import ExpandableProblems, minimise_profile
from affinecal_gui.calibration.solvers.profile_series import IntArray, ProfileSeries

SolverName = Literal["direct", "block"]


class AffineProblems(ExpandableProblems, SolvableProblems, Protocol):
    """Problems that either solver can work on."""


@dataclass(frozen=True, slots=True)
class Solution:
    """Parameters of B problems; alpha in the centred basis of their regression."""

    alpha_1: FloatArray  # (B,)
    alpha_0: FloatArray  # (B,)
    beta: FloatArray  # (B,)
    inaccurate: IntArray  # which problems their series does not describe well enough at this beta


@dataclass(frozen=True, slots=True)
class AffineSolver:
    """How to solve the problems of S training sets over the same n rows.

    ``start`` has one entry for each training set and only matters for block relaxation.
    """

    name: SolverName
    f: FloatArray  # (n,)
    training_weights: FloatArray  # (S, n)
    regression: Regression  # of the S training sets
    lambda_beta: float
    tolerance: float
    max_iterations: int
    start: Start | None = None

    def solve(
        self, problems: AffineProblems, series: ProfileSeries, gamma_at: GammaAt, training_set: IntArray
    ) -> Solution:
        """Solve B problems.

        Parameters
        ----------
        problems : AffineProblems
            For those that the series does not describe.
        series : ProfileSeries
            About beta = 0.
        gamma_at : callable
            Best gamma by the series.
        training_set : (B,) array of int
            Which training set each problem has.
        """
        if self.name == "direct":
            least = minimise_profile(problems, series)
            inaccurate = np.flatnonzero(~series.accurate(least.beta))
            return Solution(least.alpha_1, least.alpha_0, least.beta, inaccurate)
        first = start = None
        if self.start is not None:
            f = np.broadcast_to(self.f, self.training_weights.shape)
            once = first_alpha_and_beta(
                self.regression, f, self.training_weights, self.start.beta, self.start.v, self.lambda_beta
            )
            first = (once[0][training_set], once[1][training_set], once[2][training_set])
            start = self.start.take(training_set)
        found, followed = relax_on_series(
            series,
            problems.regression,
            self.lambda_beta,
            gamma_at,
            first,
            start,
            self.tolerance,
            self.max_iterations,
        )
        alpha_1, alpha_0, beta = found.alpha_1, found.alpha_0, found.beta
        inaccurate = np.flatnonzero(~followed)
        if len(inaccurate):
            part = None if start is None else start.take(inaccurate)
            again = relax(problems, inaccurate, part, self.tolerance, self.max_iterations)
            alpha_1[inaccurate], alpha_0[inaccurate], beta[inaccurate] = again.alpha_1, again.alpha_0, again.beta
        return Solution(alpha_1, alpha_0, beta, inaccurate)
