"""Average effects: how the calibrated value of a method with kernels changes with each descriptor, over the measured ones.

A function made of kernels has no coefficients in x. Its derivative by a descriptor differs from polymer to polymer; the mean
over the n polymers of the fit is one number per descriptor:

    e_j = (1/n) sum_i  t_i  d h(z_i) / d z_j                                                         (E1)

at fixed source features, with h the part of the method that looks at the descriptors, and t_i what it is multiplied by:
1 (Direct, Augmented, HTL-offset, AffineTL-const, co-kriging), the source prediction (HTL-scale) or g2(f_i) + 1
(AffineTL-full). For h = K3 c this is linear in c, ``e = Q'c``; for kernels of the distance, dk/dz_j = -slope(r) (z_j - z'_j).

With the penalty read as the prior covariance K3/l3 of h and a measurement of weight one as the unit, h is a Gaussian process,
and the posterior variance of (E1) is

    v_j = A_j / l3 - (Q_j/l3)' P (Q_j/l3),    A_j = (1/n²) sum_ii' t_i t_i' d²k(z_i, z_i') / dz_j dz'_j   (E2)

P = M^-1 - M^-1 11' M^-1 / (1'M^-1 1), M = W^-1 + K1/l1 + (t t') o K3/l3: the matrix of the fit itself (without K1 where there
is none; in co-kriging the columns of the line are taken out of P as the intercept is). What is fitted first (the source part
of the HTL methods) or multiplies (g2) is taken as it was fitted, penalties as chosen; in co-kriging, that is their geometric
mean. The Matérn kernel 1/2 has no derivatives in this sense; its effects have no band.

The unit, the scatter s of a measurement of weight one, comes from leaving out each row in turn. With u = P y the row that was
left out misses by u_i / P_ii, for which the posterior expects a variance of s² / P_ii, so that

    s² = mean of u_i² / P_ii                                                                        (E3)

This is, as for the linear calibrators, the size of held-out residuals in units of what the model claims for them. Residuals
that are not divided by that would not do: a small penalty claims little, and bands would become tens of times too wide.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from affinecal_gui.calibration.kernels.cokriging import CokrigingFits
from affinecal_gui.calibration.kernels.fits import AffineTLFits, OffsetFits, RidgeFits, ScaleFits
from affinecal_gui.calibration.kernels.gram import default_length, gram_matrix, kernel_slopes
from affinecal_gui.calibration.kernels.method_fit import FittedMethod
from affinecal_gui.calibration.kernels.methods import TransferOptions
from affinecal_gui.calibration.kernels.training_sets import TransferSets, lengths
from affinecal_gui.calibration.results import CoefficientEstimates, FloatArray


@dataclass(frozen=True, slots=True)
class _Part:
    """The part of a fitted method that looks at the descriptors, and what is around it."""

    c: FloatArray  # (n,) coefficients of its kernel
    times: FloatArray  # (n,) what it is multiplied by, standardised units of y per unit of the part
    penalty: float
    rest: FloatArray | None  # (n, n) K1/l1, where it was fitted together with a part of the source features
    in_model: FloatArray  # (n,) what its kernel is multiplied by in the equations of the fit
    u: FloatArray  # (n,) weighted residuals of the fit, P y
    augmented: bool = False
    line: FloatArray | None = None  # (n, p) columns beside the intercept that are fitted without a penalty


def average_effects(
    one: FittedMethod,
    sets: TransferSets,
    options: TransferOptions,
    *,
    factors: FloatArray,
    polymers: int,
    level: float | None,
) -> CoefficientEstimates | None:
    """Return (E1) of a method fitted to a single training set; None where it does not look at the descriptors.

    Parameters
    ----------
    one, sets, options
        The fit.
    factors
        (d,) by which the penalties of the descriptors are multiplied: effects are per standard unit without them.
    polymers
        Number of different polymers.
    level
        Of the bands; None for no bands.

    Returns
    -------
    CoefficientEstimates
        Per standard unit of each descriptor, target scale; ``average`` is True.
    """
    scaling = sets.scalings[0]
    d = scaling.Z.shape[1]
    part = _part_of(one, sets)
    if part is None or not d:
        return None
    slopes, variance = _derivatives(part, sets, options)
    effect = scaling.y_sd * slopes / factors
    half = np.full(d, np.nan)
    if level is not None and variance is not None:
        half = scaling.y_sd * np.sqrt(variance) / factors
        half *= float(stdtrit(max(polymers - 1, 1), 0.5 * (1.0 + level)))
    found = CoefficientEstimates(
        effect,
        effect - half,
        effect + half,
        scaling.target.mean.copy(),
        scaling.target.scale / factors,
        1,
        average=True,
    )
    for values in (found.gamma, found.lower, found.upper, found.mean, found.scale):
        values.setflags(write=False)
    return found


def _part_of(one: FittedMethod, sets: TransferSets) -> _Part | None:
    fits, n = one.fits, sets.y.shape[1]
    ones = np.ones(n)
    chosen = dict(zip(one.search.names, map(float, one.search.penalties[0]), strict=True))
    if isinstance(fits, RidgeFits):
        if fits.features == "source":
            return None
        u = chosen["λ"] * fits.a[0]
        return _Part(fits.a[0], ones, chosen["λ"], None, ones, u, augmented=fits.features == "both")
    if isinstance(fits, OffsetFits):
        return _Part(fits.rest.a[0], ones * fits.sd[0], chosen["λ"], None, ones, chosen["λ"] * fits.rest.a[0])
    if isinstance(fits, ScaleFits):
        source = (sets.source[0] @ fits.source.a[0] + fits.source.d[0]) * fits.y_sd[0] + fits.y_mean[0]
        times = source * float(fits.sd[0]) / float(fits.y_sd[0])
        return _Part(fits.ratio.a[0], times, chosen["λ"], None, ones, chosen["λ"] * fits.ratio.a[0])
    if isinstance(fits, CokrigingFits):
        S, line = sets.scalings[0].S, fits.line[0]
        missed = sets.y[0] - line[0] - S @ line[1:] - sets.target[0] @ fits.c[0]
        u = missed if sets.root is None else sets.root[0] ** 2 * missed
        return _Part(fits.c[0], ones, chosen["λ"], None, ones, u, line=S)
    assert isinstance(fits, AffineTLFits)
    g = sets.factor[0] @ fits.b[0] + 1.0
    return _Part(fits.c[0], g, chosen["l3"], sets.source[0] / chosen["l1"], g, chosen["l1"] * fits.a[0])


def _derivatives(part: _Part, sets: TransferSets, options: TransferOptions) -> tuple[FloatArray, FloatArray | None]:
    """(d,) values of (E1), standardised units of y per unit of Z, and (d,) their variances, None where there are none."""
    scaling = sets.scalings[0]
    own, target, both = lengths(scaling, options)
    Z, coordinates, unit, length = scaling.Z, scaling.Z, 1.0, target
    if part.augmented:
        first = 1.0 if options.length_source is None else default_length(scaling.S.shape[1]) / own
        unit = 1.0 if options.length_target is None else default_length(scaling.dimension) / target
        coordinates, length = np.hstack([scaling.S * first, Z * unit]), both
    n, t = len(Z), part.times / len(Z)
    kernel = options.kernel_target
    K = gram_matrix(kernel, coordinates, coordinates, length)
    if kernel == "linear":
        Q = t.sum() * unit**2 * Z / length**2
        A = np.full(Z.shape[1], t.sum() ** 2 * unit**2 / length**2)
    else:
        slope, bend = kernel_slopes(kernel, coordinates, coordinates, length)
        weighted = t[:, None] * slope
        # Q_mj = -sum_i t_i slope_im (z_ij - z_mj), in the unit of the coordinates
        Q = -(weighted.T @ Z - weighted.sum(axis=0)[:, None] * Z) * unit**2
        if bend is None:
            return np.asarray(Q.T @ part.c), None
        pairs = (t[:, None] * t[None, :]) * bend
        squares = 2.0 * (pairs.sum(axis=1) @ Z**2 - np.einsum("ij,ij->j", Z, pairs @ Z))
        A = unit**2 * (t @ slope @ t) + unit**4 * squares
    g = part.in_model
    value = np.asarray(Q.T @ part.c)
    if not part.penalty > 0.0:
        return value, None
    M = (g[:, None] * g[None, :]) * K / part.penalty
    if part.rest is not None:
        M = M + part.rest
    M[np.diag_indices(n)] += 1.0 if sets.root is None else sets.root[0] ** -2.0
    inverse = np.linalg.inv(M)
    one = inverse.sum(axis=1)
    P = inverse - one[:, None] * one[None, :] / one.sum()
    if part.line is not None:
        # The intercept is out of P by now; what is left of the other columns goes the same way.
        across = P @ part.line
        P = P - across @ np.linalg.pinv(part.line.T @ across, hermitian=True) @ across.T
    B = g[:, None] * Q / part.penalty
    variance = np.maximum(A / part.penalty - np.einsum("ij,ij->j", B, P @ B), 0.0)
    scatter = float(np.mean(part.u**2 / np.diag(P)))
    return value, variance * scatter
