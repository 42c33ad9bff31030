"""How far new measurements may lie from what many fits say at once: nothing is solved for a polymer that comes.

The variance about a fit (:mod:`affinecal_gui.calibration.calibrators.posterior`, for a line that knows no structure
:mod:`affinecal_gui.calibration.calibrators.noise.line_spread`) takes two things of the d descriptors of a polymer: the size
of its smooth modes in units of the prior, and some linear functions of them. Those of all training parts are one matrix, by
which a portion of polymers is multiplied; fifty fits then take about as long as ten that are solved one by one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from affinecal_gui.calibration.calibrators.fitted import posterior
from affinecal_gui.calibration.calibrators.noise.line_spread import LineForm
from affinecal_gui.calibration.calibrators.posterior import SlopeCorrection, added
from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.calibrators.training import Fitted, TrainingPart
from affinecal_gui.calibration.data.scale import DescriptorScale
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.solvers.fused_ridge import from_modes, smoothness_modes, to_modes


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What a fit asks of the d smooth modes m of a polymer."""

    linear: FloatArray  # (k, d) its linear functions of m
    prior: FloatArray | None  # (d,) the size of ``prior * m`` is wanted as well; None where it is not


@dataclass(frozen=True, slots=True, eq=False)
class AboutLine:
    """The variance about a line that knows no structure."""

    part: TrainingPart
    form: LineForm

    @property
    def asked(self) -> Asked:
        """What is taken of the descriptors."""
        return Asked(self.form.shared, self.form.prior)

    def variance(self, f: FloatArray, size: FloatArray, linear: FloatArray) -> FloatArray:
        """(m,) of polymers with MD values (m,), sizes (m,) and linear functions (m, 2); nan descriptors count as unusual."""
        here = np.column_stack([np.ones(len(f)), (f - self.part.f_mean) / self.part.f_sd])
        known = np.isfinite(size)
        shared = np.where(known, (here * linear).sum(axis=1), 0.0)
        size = np.where(known, size, self.form.largest)
        return np.asarray(np.maximum(size - 2.0 * shared + ((here @ self.form.of_line) * here).sum(axis=1), 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class _Coupling:
    """The last direction of a calibrator whose correction follows the MD value, t z'c: what it adds by itself."""

    b: float
    alone: float  # to the variance
    flat: FloatArray  # (p,) to what is left to the parameters without a penalty


class AboutFit:
    """The variance about a calibrator that is linear in its parameters, given beta."""

    def __init__(self, fitted: Fitted, part: TrainingPart) -> None:
        record = calibrator(fitted.model)
        known = posterior(fitted, part)
        own = known.whitening()
        d = len(fitted.c)
        self._part, self._half, self._correction = part, own.half, known.correction
        self._has_offset, self._has_slope = record.has_offset, record.has_slope
        self._flat = own.flat.shape[1]
        self._whitened, self._sign = len(own.penalised), 1.0 if own.prior is None else -1.0
        self._coupling: _Coupling | None = None
        whitened = own.penalised[:, :d]
        functions = [whitened, own.flat.T @ whitened]
        if record.has_coupling and d:
            last = own.penalised[:, d]
            alone = self._sign * float(last @ last) + (0.0 if own.prior is None else float(own.prior[d] ** 2))
            self._coupling = _Coupling(fitted.b, alone, own.flat.T @ last)
            functions += [(last @ whitened)[None], to_modes(fitted.c[None], part.sizes)]
        linear = np.concatenate(functions) if d else np.zeros((0, part.Z.shape[1]))
        self.asked = Asked(linear, own.prior[:d] if d and own.prior is not None else None)

    def variance(self, f: FloatArray, size: FloatArray, linear: FloatArray) -> FloatArray:
        """(m,) of polymers with MD values (m,), sizes (m,) and linear functions (m, k)."""
        t = (f - self._part.f_mean) / self._part.f_sd
        columns = [np.ones(len(f))] if self._has_offset else []
        if self._has_slope:
            columns.append(t if self._has_offset else f / self._part.f_sd)
        rest = np.stack(columns, axis=1) if columns else np.zeros((len(f), 0))
        found = np.zeros(len(f))
        if linear.shape[1]:
            n, p = self._whitened, self._flat
            whitened, flat = linear[:, :n], linear[:, n : n + p]
            found = size + self._sign * np.einsum("ij,ij->i", whitened, whitened)
            if self._coupling is None:
                rest = rest - flat
            else:
                own, across = self._coupling, linear[:, n + p]
                factor, following = 1.0 + own.b * t, t * linear[:, n + p + 1]
                found = factor * (factor * found + 2.0 * self._sign * following * across) + own.alone * following**2
                rest = rest - factor[:, None] * flat - following[:, None] * own.flat
        along = rest @ self._half.T
        found = np.maximum(found + np.einsum("ij,ij->i", along, along), 0.0)
        if self._correction is not None:
            found = found + self._of_correction(self._correction, along)
        return np.asarray(found)

    def _of_correction(self, correction: SlopeCorrection, along: FloatArray) -> FloatArray:
        of_slope = self._half[:, correction.slope]
        return np.asarray(added(correction, float(of_slope @ of_slope)) * (along @ of_slope) ** 2)


class SpreadOfParts:
    """The variance of the values of many fits, each to a training part of its own.

    Parameters
    ----------
    about
        What each fit says, part by part.
    scales
        (parts,) of the descriptors, as each part learned them.
    sizes
        Of the blocks of descriptors; they add up to d.
    """

    def __init__(
        self, about: Sequence[AboutLine | AboutFit], scales: Sequence[DescriptorScale], sizes: Sequence[int]
    ) -> None:
        self._about, self._sizes = tuple(about), tuple(sizes)
        # What is common to the means of the parts is taken off first, so that little of it is left to cancel.
        self._centre = np.mean([scale.mean for scale in scales], axis=0)
        asked = [one.asked for one in about]
        self._ends = np.cumsum([0, *(len(one.linear) for one in asked)])
        rows = [from_modes(one.linear, sizes) / scale.scale for one, scale in zip(asked, scales, strict=True)]
        shifts = [scale.mean - self._centre for scale in scales]
        self._linear = np.ascontiguousarray(np.concatenate(rows).T)  # (d, k of all parts)
        self._at_mean = np.concatenate([row @ shift for row, shift in zip(rows, shifts, strict=True)])
        self._with_prior = [number for number, one in enumerate(asked) if one.prior is not None]
        self._prior: list[tuple[FloatArray, FloatArray]] = []  # of each block: (size, parts x size), and at the means
        start = 0
        for size in sizes if self._with_prior else ():
            block = slice(start, start + size)
            modes = smoothness_modes(size)[0]
            maps, at_mean = [], []
            for number in self._with_prior:
                prior = asked[number].prior
                assert prior is not None
                own = modes * prior[block] / scales[number].scale[block, None]
                maps.append(own)
                at_mean.append(shifts[number][block] @ own)
            self._prior.append((np.ascontiguousarray(np.concatenate(maps, axis=1)), np.concatenate(at_mean)))
            start += size

    def variance(self, f: Sequence[FloatArray], X: FloatArray) -> FloatArray:
        """Return the variances by all fits, in units of the scatter of a measurement of weight one.

        Parameters
        ----------
        f
            (parts,) of the MD values (m,) that each part knows.
        X
            (m, d) descriptors, not scaled; nan in the rows of polymers without any.

        Returns
        -------
        (parts, m)
        """
        centred = X - self._centre
        linear = centred @ self._linear
        linear -= self._at_mean
        sizes = self._sizes_of(centred)
        return np.stack(
            [
                one.variance(own, sizes[number], linear[:, self._ends[number] : self._ends[number + 1]])
                for number, (one, own) in enumerate(zip(self._about, f, strict=True))
            ]
        )

    def _sizes_of(self, centred: FloatArray) -> FloatArray:
        """(parts, m) squared sizes of the modes in units of the prior of each part; 0 where it wants none."""
        m, parts = len(centred), len(self._with_prior)
        found = np.zeros((m, parts))
        start = 0
        for size, (own, at_mean) in zip(self._sizes, self._prior, strict=False):
            modes = centred[:, start : start + size] @ own
            modes -= at_mean
            together = modes.reshape(m, parts, size)
            found += np.einsum("ijk,ijk->ij", together, together)
            start += size
        sizes = np.zeros((len(self._about), m))
        sizes[self._with_prior] = found.T
        return sizes
