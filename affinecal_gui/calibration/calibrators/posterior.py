"""How far a new measurement may lie from its calibrated value, as the linearised model itself sees it.

Given beta the calibrators are linear in their other parameters, and the ridge penalty acts like a prior. Minimising
``sum_i w_i r_i^2 + gamma' Lambda gamma`` is the mode of a Gaussian model with scatter sigma / sqrt(w_i), a prior
covariance sigma^2 Lambda^-1 of gamma and a flat prior of the intercepts. In units of sigma^2 the variance of a calibrated
value is then known in closed form, and that of a new measurement is 1 more. beta joins as one more direction with prior
precision n lambda_beta (a Gauss-Newton step). sigma itself is left open: the intervals take it from held-out residuals.

Where the slope in the MD value was corrected for noise in it (:mod:`affinecal_gui.calibration.calibrators.noise.noisy_md`),
the parameters are ``A theta`` with ``A = I + k C e e'``, theta those of the fit as it was, C their covariance, e the slope
and k as :attr:`Correction.gain`. Their covariance is ``A C A' = C + (2 k + k^2 e'Ce) (C e)(C e)'``.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import cho_factor, solve_triangular

from affinecal_gui.calibration.results import FloatArray

SINGULAR = 1e-12
"""Share of the largest eigenvalue below which a direction counts as undetermined."""


@dataclass(frozen=True, slots=True)
class Directions:
    """Derivatives of k predictions with respect to the parameters of a calibrator."""

    flat: FloatArray  # (k, p) unpenalised parameters
    penalised: FloatArray  # (k, q) parameters whose prior precision is diagonal


@dataclass(frozen=True, slots=True)
class SlopeCorrection:
    """By how much a slope was corrected for noise in the MD value."""

    slope: int  # which flat parameter it is
    gain: float  # k: the other parameters follow the slope by their covariance with it, times k


@dataclass(frozen=True, slots=True)
class Posterior:
    """Posterior of the parameters: ``covariance = T' T`` for predictions with factor ``T = factor(directions)``."""

    training: Directions
    precision: FloatArray  # (q,) prior precision, diagonal
    weights: FloatArray  # (n,)
    correction: SlopeCorrection | None = None  # None: the parameters are those of the fit

    def covariance(self, new: Directions) -> FloatArray:
        """(k, k) covariance of k calibrated values in units of the scatter of one measurement of weight one."""
        if self.correction is not None:
            of_fit = replace(self, correction=None)
            with_slope, own = of_fit.with_slope(new, self.correction.slope)
            return of_fit.covariance(new) + added(self.correction, own) * np.outer(with_slope, with_slope)
        positive, negative = self._factors(new)
        return np.asarray(positive.T @ positive - negative.T @ negative)

    def variance(self, new: Directions) -> FloatArray:
        """(k,) diagonal of :meth:`covariance`, never negative."""
        if self.correction is not None:
            of_fit = replace(self, correction=None)
            with_slope, own = of_fit.with_slope(new, self.correction.slope)
            return np.asarray(of_fit.variance(new) + added(self.correction, own) * with_slope**2)
        positive, negative = self._factors(new)
        return np.asarray(np.maximum((positive**2).sum(axis=0) - (negative**2).sum(axis=0), 0.0))

    def with_slope(self, new: Directions, slope: int) -> tuple[FloatArray, float]:
        """(k,) covariance of k calibrated values with a flat parameter of the fit, and the variance of that parameter."""
        p, q = new.flat.shape[1], new.penalised.shape[1]
        also = Directions(np.vstack([new.flat, np.eye(p)[slope]]), np.vstack([new.penalised, np.zeros(q)]))
        positive, negative = self._factors(also)
        found = positive.T @ positive[:, -1] - negative.T @ negative[:, -1]
        return found[:-1], float(found[-1])

    def form(self) -> FloatArray:
        """(p + q, p + q) covariance of the parameters: of directions d, flat before penalised, the variance is d'Cd."""
        p, q = self.training.flat.shape[1], self.training.penalised.shape[1]
        one_each = np.eye(p + q)
        return self.covariance(Directions(one_each[:, :p], one_each[:, p:]))

    def log_determinants(self) -> float:
        """Ln |V| + ln |H'V^-1 H|, V the prior covariance of weighted measurements, H the directions without a penalty.

        It is what restricted likelihood takes away for flexibility; directions that nothing tells apart are left out.
        """
        n, q = self.training.penalised.shape
        root = np.sqrt(self.weights)[:, None]
        H, Z = root * self.training.flat, root * self.training.penalised / np.sqrt(self.precision)
        if q > n:
            lower = cho_factor(Z @ Z.T + np.eye(n), lower=True)[0]
            G = solve_triangular(lower, H, lower=True, check_finite=False)
            gram = G.T @ G
        else:
            lower = cho_factor(Z.T @ Z + np.eye(q), lower=True)[0]
            inner = solve_triangular(lower, Z.T @ H, lower=True, check_finite=False) if q else np.zeros((0, H.shape[1]))
            gram = H.T @ H - inner.T @ inner
        told = np.linalg.eigvalsh(gram)
        told = told[told > SINGULAR * max(float(told.max(initial=0.0)), 0.0)]
        return float(2.0 * np.log(np.diag(lower)).sum() + np.log(told).sum())

    def whitening(self) -> "Whitening":
        """Return what does not depend on the predictions: it is worked out once for any number of them."""
        n, q = self.training.penalised.shape
        root = np.sqrt(self.weights)[:, None]
        H, deviation = root * self.training.flat, 1.0 / np.sqrt(self.precision)
        Z = root * self.training.penalised * deviation  # now the prior is the identity
        if q > n:  # as many equations as polymers
            lower = cho_factor(Z @ Z.T + np.eye(n), lower=True)[0]
            solved = solve_triangular(lower, np.column_stack([Z * deviation, H]), lower=True, check_finite=False)
            G = solved[:, q:]
            return Whitening(solved[:, :q], G, _half_inverse(G.T @ G), deviation)
        # as many as parameters
        lower = cho_factor(Z.T @ Z + np.eye(q), lower=True)[0]
        right = np.column_stack([np.diag(deviation), Z.T @ H])
        # Of no equations SciPy 1.13 makes an error.
        solved = solve_triangular(lower, right, lower=True, check_finite=False) if q else right
        # Woodbury: V^-1 = I - Z P^-1 Z'. Here A alone carries the covariance of the penalised part.
        inner = solved[:, q:]
        return Whitening(solved[:, :q], inner, _half_inverse(H.T @ H - inner.T @ inner), None)

    def _factors(self, new: Directions) -> tuple[FloatArray, FloatArray]:
        """Matrices (., k) A and B with covariance A'A - B'B."""
        own = self.whitening()
        known = own.penalised @ new.penalised.T
        rest = own.half @ (new.flat.T - own.flat.T @ known)
        if own.prior is None:
            return np.vstack([known, rest]), np.zeros((0, len(new.flat)))
        return np.vstack([(new.penalised * own.prior).T, rest]), known


@dataclass(frozen=True, slots=True)
class Whitening:
    """A posterior as linear maps of directions d = (flat, penalised), of which sums of squares are the variance.

    With u = ``penalised`` d_penalised and r = ``half`` (d_flat - ``flat``' u) the variance is
    ``|prior * d_penalised|^2 - |u|^2 + |r|^2``, or ``|u|^2 + |r|^2`` where there is no ``prior``.
    """

    penalised: FloatArray  # (k, q)
    flat: FloatArray  # (k, p)
    half: FloatArray  # (r, p)
    prior: FloatArray | None  # (q,) prior standard deviations


def added(correction: SlopeCorrection, own: float) -> float:
    """Return the factor of covariances with a slope that the correction adds; ``own`` is the variance of it as fitted."""
    return correction.gain * (2.0 + correction.gain * own)


def _half_inverse(gram: FloatArray) -> FloatArray:
    """R with R'R the pseudo-inverse of a small positive semi-definite matrix; undetermined directions get none."""
    if not len(gram):
        return np.zeros((0, 0))
    size = np.sqrt(np.maximum(np.diag(gram), 1e-300))
    values, vectors = np.linalg.eigh(gram / np.outer(size, size))
    good = values > SINGULAR * max(float(values[-1]), 0.0)
    return np.asarray((vectors[:, good] / np.sqrt(values[good])).T / size)
