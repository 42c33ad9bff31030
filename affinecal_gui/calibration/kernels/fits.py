"""The methods fitted to s training sets; every fit predicts other rows of one of them, in standardised units of y."""

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.kernels.training_sets import CrossGrams
from affinecal_gui.calibration.results import FloatArray

Features = Literal["source", "target", "both"]


class TransferFits(Protocol):
    """What every method's fits can do."""

    def predict(self, s: int, grams: CrossGrams) -> FloatArray:
        """(k,) predictions of k rows by the fit to training set s."""


@dataclass(frozen=True, slots=True)
class RidgeFits:
    """Direct, Only source or Augmented: one kernel ridge regression."""

    features: Features
    a: FloatArray  # (s, n)
    d: FloatArray  # (s,)

    def predict(self, s: int, grams: CrossGrams) -> FloatArray:
        """(k,) predictions."""
        K: FloatArray = getattr(grams, self.features)
        return np.asarray(K @ self.a[s] + self.d[s])


@dataclass(frozen=True, slots=True)
class OffsetFits:
    """HTL-offset: what Only source leaves is learned from the descriptors."""

    source: RidgeFits
    rest: RidgeFits  # of the standardised residuals
    mean: FloatArray  # (s,) of the residuals
    sd: FloatArray  # (s,)

    def predict(self, s: int, grams: CrossGrams) -> FloatArray:
        """(k,) predictions."""
        rest = self.rest.predict(s, grams) * self.sd[s] + self.mean[s]
        return np.asarray(self.source.predict(s, grams) + rest)


@dataclass(frozen=True, slots=True)
class ScaleFits:
    """HTL-scale: the ratio of the target to what Only source predicts is learned from the descriptors.

    Ratios are those of values on the scale of the target, not standardised.
    """

    source: RidgeFits
    ratio: RidgeFits  # of the standardised ratios
    mean: FloatArray  # (s,) of the ratios
    sd: FloatArray  # (s,)
    y_mean: FloatArray  # (s,)
    y_sd: FloatArray  # (s,)
    guarded: NDArray[np.int64]  # (s,) training rows whose source prediction was too near zero to divide by

    def predict(self, s: int, grams: CrossGrams) -> FloatArray:
        """(k,) predictions."""
        source = self.source.predict(s, grams) * self.y_sd[s] + self.y_mean[s]
        value = source * (self.ratio.predict(s, grams) * self.sd[s] + self.mean[s])
        return np.asarray((value - self.y_mean[s]) / self.y_sd[s])


@dataclass(frozen=True, slots=True)
class AffineTLFits:
    """AffineTL-const (b = 0) or AffineTL-full."""

    a: FloatArray  # (s, n)
    b: FloatArray  # (s, n)
    c: FloatArray  # (s, n)
    d: FloatArray  # (s,)
    iterations: NDArray[np.int64]  # (s,) 0: closed form
    converged: NDArray[np.bool_]  # (s,)
    objectives: FloatArray  # (s, starts) where each start ended; (s, 0) for the closed form

    def predict(self, s: int, grams: CrossGrams) -> FloatArray:
        """(k,) predictions."""
        g = grams.factor @ self.b[s] + 1.0
        return np.asarray(grams.source @ self.a[s] + g * (grams.target @ self.c[s]) + self.d[s])
