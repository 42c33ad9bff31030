"""A calibrator without the polymers that it was trained with: the same values, intervals from the centre of the training set.

What a study says of the interval of a polymer follows from the covariance of its fits. With fewer polymers than descriptors
that covariance, and every function that returns the same intervals, tells exactly which polymers are in the training set:
they span the directions in which it is smaller than the prior. So it is not kept. The interval is here the quantile of the
held-out residuals, each divided by a spread that grows with the distance from the centre of the training set; as much as
with the spreads of the study for nine tenths of the polymers of its library. Held-out residuals divided by any spread that
does not look at them are exchangeable with that of a new polymer, so the intervals keep their coverage.

Nothing is kept as it was learned: centres are rounded to standard units, standard units to powers of two, ranges to a
sixteenth of themselves, scores to three digits. The coefficients are those of the rounded units, so that the values are the
same. Without the standard units that the coefficients were penalised in, they cannot be solved for the training set either.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Context

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.calibrators.training import Fitted
from affinecal_gui.calibration.checking.extrapolation import without_meaning
from affinecal_gui.calibration.cross_validation.given_values import scaled_values
from affinecal_gui.calibration.kept_fit import KeptFit
from affinecal_gui.calibration.metrics import to_property_unit
from affinecal_gui.calibration.results import FloatArray, ModelName
from affinecal_gui.calibration.sharing.applied import Applied
from affinecal_gui.calibration.sharing.usable import usable_rows
from affinecal_gui.calibration.sharing.wishes import ErrorsShown
from affinecal_gui.calibration.sharing.with_training import members_of
from affinecal_gui.calibration.uncertainty.intervals import OutOfFold, scores

MOST_SCORES = 200
"""Quantiles of the scores that are kept."""

SHARE_BELOW = 0.9
"""Share of the library whose spread grows with the distance from the centre no faster than is assumed."""

USUAL_SHARE = 0.95
"""A polymer is unlike those of the fit when it is farther from their centre than this share of them."""


@dataclass(frozen=True, slots=True)
class LinearForm:
    """``offset + slope t + (factor + factor_slope t) (constant + z'c)``, target scale; t and z in rounded units."""

    offset: float
    slope: float
    factor: float
    factor_slope: float
    constant: float


@dataclass(frozen=True, slots=True)
class RoundedUnits:
    """In what MD values (target scale) and descriptors are measured: ``t = (f - md_centre) / md_unit`` and so on."""

    md_centre: float
    md_unit: float
    centre: FloatArray  # (d,) 0 in blocks that are switched off
    unit: FloatArray  # (d,)
    used: FloatArray  # (d,) 1 where a descriptor is looked at, else 0


@dataclass(frozen=True, slots=True)
class Ranges:
    """Of the training set, target scale, rounded: MD values inwards, measured ones outwards."""

    lowest_md: float
    highest_md: float
    lowest: float
    highest: float
    typical: float  # size of a measured value
    farthest: float  # mean square of z, beyond which a polymer is unlike those of the fit


@dataclass(frozen=True, slots=True)
class Spread:
    """How the scatter about a calibrated value grows: ``1 + (1 + t^2) / n + growth mean(z^2)``, squared."""

    polymers: int  # n
    growth: float


@dataclass(frozen=True, slots=True, eq=False)
class SourcesOnly:
    """What a calibrator of several sources adds to that of the MD value alone, without its training set.

    Its values are those of the form at the mean of the sources that it takes, and what these weigh beyond their share of it.
    """

    form: LinearForm  # of the mean source in the units of MD values
    coefficients: FloatArray  # (d,)
    taken: NDArray[np.bool_]  # (1 + p,) which sources, the MD value first
    apart: FloatArray  # (1 + p,) weights that add up to zero; 0 of what is not taken
    scores: FloatArray  # (s,) sorted

    def values(self, units: RoundedUnits, F: FloatArray, z: FloatArray) -> FloatArray:
        """(k,) target scale, nan where a source is missing; F (k, 1 + p) are all, z (k, d) descriptors in rounded units."""
        t = (F[:, self.taken].mean(axis=1) - units.md_centre) / units.md_unit
        return _value_of(self.form, self.coefficients, t, z) + F[:, self.taken] @ self.apart[self.taken]


@dataclass(frozen=True, slots=True, eq=False)
class CoefficientsOnly:
    """One linear calibrator, of several sources or not, or one that combines some, without its training set."""

    model: ModelName
    log_scale: bool
    level: float
    units: RoundedUnits
    forms: tuple[LinearForm, ...]  # they add up
    coefficients: FloatArray  # (forms, d) in rounded units
    spread: Spread
    scores: FloatArray  # (s,) sorted
    ranges: Ranges
    sources: SourcesOnly | None = None  # of a calibrator of several

    def apply(self, md: FloatArray, descriptors: FloatArray, further: FloatArray | None = None) -> Applied:
        """Calibrate k polymers with MD values (k,), property unit, and descriptors (k, d); nan where there are none.

        ``further`` (k, p) are the sources beside the MD value of a calibrator of several, likewise.
        """
        usable = usable_rows(md, descriptors, log_scale=self.log_scale)
        with np.errstate(all="ignore"):
            f = np.where(usable, np.log(md) if self.log_scale else md, np.nan)
        t, z = _in_units(self.units, f, np.where(usable[:, None], descriptors, np.nan))
        distance = _distance(self.units, z)
        values, spread, ranges = np.zeros(len(md)), _spread(self.spread, t, distance), self.ranges
        for form, own in zip(self.forms, self.coefficients, strict=True):
            values += _value_of(form, own, t, z)
        found = self._with_meaning(f, values, self._quantile(self.scores) * spread)
        stood_in = np.zeros(len(md), dtype=bool)
        if self.sources is not None:
            known = np.full((len(md), len(self.sources.taken)), np.nan)
            known[:, 0] = f
            if further is not None:
                known[:, 1:] = scaled_values(further, log_scale=self.log_scale)
            own = self.sources.values(self.units, known, z)
            of_all = self._with_meaning(f, own, self._quantile(self.sources.scores) * spread)
            stood_in = usable & ~np.isfinite(known[:, self.sources.taken]).all(axis=1)
            found = [np.where(stood_in, instead, one) for instead, one in zip(found, of_all, strict=True)]
        md_inside = (f >= ranges.lowest_md) & (f <= ranges.highest_md)
        structure_inside = distance <= ranges.farthest
        values, lower, upper = (to_property_unit(one, self.log_scale) for one in found)
        inside = np.asarray(md_inside & structure_inside)
        return Applied(
            values, lower, upper, usable, inside, np.asarray(md_inside), np.asarray(structure_inside), stood_in
        )

    def _with_meaning(self, f: FloatArray, values: FloatArray, half: FloatArray) -> list[FloatArray]:
        """Return values and the ends of their intervals, target scale, without extrapolations of no meaning."""
        lower, upper, ranges = values - half, values + half, self.ranges
        if not calibrator(self.model).is_raw:
            typical = math.copysign(ranges.typical, ranges.lowest + ranges.highest)
            typical = min(max(typical, ranges.lowest), ranges.highest)  # it was rounded
            nothing = without_meaning(
                np.array([ranges.lowest, typical, typical, typical, ranges.highest]),
                np.array([ranges.lowest_md, ranges.highest_md]),
                f,
                values,
                lower,
                upper,
                self.log_scale,
            )
            for one in (values, lower, upper):
                one[nothing] = np.nan
        return [values, lower, upper]

    @property
    def effects(self) -> FloatArray:
        """(d,) change of the calibrated value, target scale, per unit of each descriptor, at the centre of the MD values.

        The units are standard units rounded to powers of two.
        """
        if self.sources is not None:
            return np.asarray(self.sources.form.factor * self.sources.coefficients * self.units.used)
        own = (form.factor * coefficients for form, coefficients in zip(self.forms, self.coefficients, strict=True))
        return np.asarray(sum(own, np.zeros(self.coefficients.shape[1])) * self.units.used)

    def errors_shown(self, *, simulated: bool = True) -> ErrorsShown:
        """Return held-out residuals; nothing tells their signs, so that each counts as both, nor their polymers.

        Raises
        ------
        ValueError
            Those with predicted MD values are asked for, which it cannot make.
        """
        if not simulated:
            raise ValueError("a calibrator without its training polymers predicts no MD values")
        own = self.scores if self.sources is None else self.sources.scores
        both = np.concatenate([-own[::-1], own])
        return ErrorsShown(both[None], self.spread.polymers, self.level, in_order=False)

    def _quantile(self, scores: FloatArray) -> float:
        n, count = self.spread.polymers, len(scores)
        rank = min(math.ceil(self.level * (n + 1) / n * count - 1e-9), count)
        return float(scores[rank - 1])


def without_training(kept_fit: KeptFit, model: ModelName) -> CoefficientsOnly:
    """Take the coefficients of one calibrator out of a finished calibration, and nothing of its training set."""
    problem, everything, options = kept_fit.problem, kept_fit.everything, kept_fit.problem.options
    members = members_of(model)
    alone = calibrator(model).one_source or model
    held_out = kept_fit.held_out.models[alone]
    weights = kept_fit.weights[model] if calibrator(model).combines else np.ones(1)
    units = _rounded_units(kept_fit)
    fits = [(kept_fit.fits[name], float(weight)) for name, weight in zip(members, weights, strict=True) if weight > 0.0]
    forms, coefficients = zip(*(_form(one, weight, units, kept_fit) for one, weight in fits), strict=True)

    t, z = _in_units(units, problem.f, _widened(problem.X, kept_fit))
    distance = _distance(units, z)
    n = problem.polymers
    spread = Spread(n, _growth(kept_fit, alone, units))
    of_training = _spread(spread, t, distance)
    y, part = problem.y, everything.part
    farthest = float(np.quantile(distance, USUAL_SHARE, method="higher"))
    lowest_md, highest_md = _ends(part.f, inwards=True)
    lowest, highest = _ends(y, inwards=False)
    return CoefficientsOnly(
        model,
        options.log_scale,
        options.interval_level,
        units,
        tuple(forms),
        np.stack(coefficients),
        spread,
        _scores_of(kept_fit, held_out, of_training),
        Ranges(
            lowest_md, highest_md, lowest, highest, _rounded(float(np.median(np.abs(y))), 1), _rounded_up(farthest, 2)
        ),
        _sources_of(kept_fit, model, units, of_training),
    )


def _sources_of(
    kept_fit: KeptFit, model: ModelName, units: RoundedUnits, of_training: FloatArray
) -> SourcesOnly | None:
    known, one = kept_fit.sources, kept_fit.of_sources.get(model)
    if known is None or one is None:
        return None
    form, coefficients = _form(one.fit.of_mean, 1.0, units, kept_fit)
    taken, apart = np.zeros(len(known.names), dtype=bool), np.zeros(len(known.names))
    taken[list(one.fit.sources)], apart[list(one.fit.sources)] = True, one.fit.apart
    # The centre of the sources is a mean of the training set: it is not kept, only what it adds to the offset.
    form = replace(form, offset=form.offset - float(one.fit.centre @ one.fit.apart))
    return SourcesOnly(form, coefficients, taken, apart, _scores_of(kept_fit, one.out_of_fold, of_training))


def _scores_of(kept_fit: KeptFit, held_out: OutOfFold, of_training: FloatArray) -> FloatArray:
    """Return the quantiles of held-out residuals, each divided by the spread ``of_training`` (n,)."""
    return _thinned(np.sort((scores(kept_fit.problem.y, held_out) * held_out.spread / of_training).ravel()))


def _value_of(form: LinearForm, coefficients: FloatArray, t: FloatArray, z: FloatArray) -> FloatArray:
    zc = form.constant + z @ coefficients
    return np.asarray(form.offset + form.slope * t + (form.factor + form.factor_slope * t) * zc)


def _in_units(units: RoundedUnits, f: FloatArray, X: FloatArray) -> tuple[FloatArray, FloatArray]:
    z = np.where(units.used > 0.0, (X - units.centre) / units.unit, 0.0 * X)
    return (f - units.md_centre) / units.md_unit, z


def _distance(units: RoundedUnits, z: FloatArray) -> FloatArray:
    """(k,) mean square of the descriptors that are looked at."""
    return np.asarray((z**2).sum(axis=1) / max(float(units.used.sum()), 1.0))


def _spread(spread: Spread, t: FloatArray, distance: FloatArray) -> FloatArray:
    return np.sqrt(1.0 + (1.0 + t**2) / spread.polymers + spread.growth * distance)


def _rounded_units(kept_fit: KeptFit) -> RoundedUnits:
    kept, scale, part = kept_fit.problem.kept, kept_fit.everything.scale, kept_fit.everything.part
    centre, unit = np.zeros(len(kept)), np.ones(len(kept))
    unit[kept] = _power_of_two(scale.scale)
    centre[kept] = np.round(scale.mean / unit[kept]) * unit[kept]
    md_unit = float(_power_of_two(np.array([part.f_sd]))[0])
    return RoundedUnits(round(part.f_mean / md_unit) * md_unit, md_unit, centre, unit, kept.astype(np.float64))


def _form(one: Fitted, weight: float, units: RoundedUnits, kept_fit: KeptFit) -> tuple[LinearForm, FloatArray]:
    """Return a fit, times its weight, in rounded units: the same function with other constants."""
    kept, scale = kept_fit.problem.kept, kept_fit.everything.scale
    stretch, shift = units.md_unit / one.f_sd, (units.md_centre - one.f_mean) / one.f_sd
    own = np.zeros(len(kept))
    constant = 0.0
    if len(one.c):
        own[kept] = one.c * units.unit[kept] / scale.scale
        constant = float(one.c @ ((units.centre[kept] - scale.mean) / scale.scale))
    outer = weight * one.unit
    form = LinearForm(
        outer * (one.a0 + one.a1 * shift),
        outer * one.a1 * stretch,
        outer * one.sign * (1.0 + one.b * shift),
        outer * one.sign * one.b * stretch,
        constant,
    )
    return form, own


def _growth(kept_fit: KeptFit, model: ModelName, units: RoundedUnits) -> float:
    """Return how fast the spread grows with the distance from the centre, for most polymers of the library."""
    problem, held_out = kept_fit.problem, kept_fit.held_out.models[model]
    typical = 1.0 if problem.weights is None else 1.0 / float(np.mean(1.0 / problem.weights))
    X, f = np.concatenate([problem.X, problem.library_X]), np.concatenate([problem.f, problem.library_f])
    of_library = (held_out.library_spread**2).mean(axis=(0, 1))
    squared = np.concatenate([(held_out.spread**2).mean(axis=0), of_library]) * typical
    t, z = _in_units(units, f, _widened(X, kept_fit))
    distance = _distance(units, z)
    known = np.isfinite(distance) & np.isfinite(t) & np.isfinite(squared) & (distance > 0.0)
    if not known.any():
        return 0.0
    rest = (squared - 1.0 - (1.0 + t**2) / problem.polymers)[known] / distance[known]
    return _rounded_up(max(float(np.quantile(rest, SHARE_BELOW)), 0.0), 2)


def _widened(X: FloatArray, kept_fit: KeptFit) -> FloatArray:
    """(k, d) descriptors with 0 in the blocks that are switched off."""
    wide = np.zeros((len(X), len(kept_fit.problem.kept)))
    wide[:, kept_fit.problem.kept] = X
    return wide


def _thinned(ordered: FloatArray) -> FloatArray:
    """Return at most :data:`MOST_SCORES` quantiles, rounded up, so that intervals only become wider."""
    step = max(1, math.ceil(len(ordered) / MOST_SCORES))
    kept: Sequence[float] = ordered[::-1][::step][::-1].tolist()
    return np.array([_rounded_up(score, 3) for score in kept])


def _ends(values: FloatArray, *, inwards: bool) -> tuple[float, float]:
    """Return the range of values on a grid of about a sixteenth of it."""
    low, high = float(values.min()), float(values.max())
    size = high - low or abs(high) or 1.0
    step = 2.0 ** (round(math.log2(size)) - 4)
    first, last = (math.ceil, math.floor) if inwards else (math.floor, math.ceil)
    return first(low / step) * step, last(high / step) * step


def _power_of_two(values: FloatArray) -> FloatArray:
    return np.asarray(np.exp2(np.round(np.log2(values))))


def _rounded(value: float, digits: int) -> float:
    return float(f"{value:.{digits - 1}e}")


def _rounded_up(value: float, digits: int) -> float:
    return float(Context(prec=digits, rounding=ROUND_CEILING).create_decimal_from_float(value))
