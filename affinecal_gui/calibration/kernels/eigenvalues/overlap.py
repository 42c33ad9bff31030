"""How fast the eigenvalues of the kernels fall, and whether source features and descriptors say the same.

The excess risk that Minami et al. (NeurIPS 2023, section 4) prove for the affine model transfer is governed by how fast the
eigenvalues of K1 and of the product K2 o K3 fall: by the smallest s with

    lambda_i <= ||K||_F² i^(-1/s)   for all i                                                        (D1)

A small s means few effective directions, thus little to be learned from few samples. Where the source features are
functions of the descriptors, rows that are near in the one are near in the other, and the product falls faster than it
would if the two had nothing to do with each other. That comparison can be made on the user's own data: by shuffling which
source features belong to which descriptors.
"""

import numpy as np

from affinecal_gui.calibration.data.array_checks import read_only
from affinecal_gui.calibration.kernels.eigenvalues.decay import clean_eigenvalues, decay_rates
from affinecal_gui.calibration.kernels.methods import TransferOptions
from affinecal_gui.calibration.kernels.training_sets import cross_grams, learn_scaling
from affinecal_gui.calibration.results import Decay, FloatArray, Overlap

__all__ = ("Decay", "Overlap", "decay", "judge_overlap")

SHUFFLES = 40


def decay(K: FloatArray) -> Decay:
    """Return the eigenvalues of a Gram matrix K (n, n) and the smallest s of (D1)."""
    values = read_only(clean_eigenvalues(K))
    norm = float(np.linalg.norm(K))
    if norm == 0.0:
        return Decay(values, norm, 0.0)
    # A Gram matrix of small numbers can have an eigenvalue above its squared norm: no s holds.
    return Decay(values, norm, float(decay_rates(values, np.asarray(norm**2))))


def judge_overlap(
    S: FloatArray,
    X: FloatArray,
    options: TransferOptions | None = None,
    *,
    sizes: tuple[int, ...] | None = None,
    factors: tuple[float, ...] = (),
    seed: int = 0,
) -> Overlap:
    """Compare the decay of K1, K3 and K2 o K3 with that after shuffling.

    Parameters
    ----------
    S, X
        (n, p) source features and (n, d) descriptors, not scaled.
    options
        Kernels and length scales.
    sizes
        Block sizes of the descriptors; None for plain z-scores.
    factors
        Of the penalties of these blocks; empty for 1.
    seed
        Of the shuffles.
    """
    options = TransferOptions() if options is None else options
    scaling = learn_scaling(S, X, np.zeros(len(S)), sizes, factors)
    grams = cross_grams(scaling.S, scaling.Z, scaling, options)
    generator = np.random.default_rng(seed)
    rates = []
    for _ in range(SHUFFLES):
        order = generator.permutation(len(S))
        rates.append(decay(grams.factor[np.ix_(order, order)] * grams.target).rate)
    return Overlap(
        decay(grams.source), decay(grams.target), decay(grams.factor * grams.target), read_only(np.array(rates))
    )
