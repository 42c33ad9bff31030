"""Which calibrator to use: paired comparisons over the held-out polymers, and advice in plain English."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtr

from affinecal_gui.calibration.calibrators.linear.affine import AFFINE
from affinecal_gui.calibration.calibrators.registry import RAW, calibrator, calibrator_keys
from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.error_intervals import difference_of
from affinecal_gui.calibration.metrics import root_mean_square
from affinecal_gui.calibration.names import calibrator_in_sentence, capital
from affinecal_gui.calibration.results import ERROR_LEVEL, FloatArray, ModelName, PairedComparison, Recommendation
from affinecal_gui.numbers import decimal, p_value, significant

SIGNIFICANCE = 0.05
"""A difference of two errors is called clear of chance when chance alone makes such a one less often."""

STRUCTURE_SIGNIFICANCE = 0.03
"""A correction by the descriptors is called more than chance when scatter alone looks like one less often: see
``structure_evidence``. Chosen among 0.01, 0.02, 0.03, 0.05 and 0.1 by simulation (docs/uncertainty.md)."""

_ROUNDING = 1e-9
_NO_GAP = 5e-4
"""Differences up to this share of the error cannot be seen in a table."""


@dataclass(frozen=True, slots=True)
class HeldOutErrors:
    """Errors of one calibrator for polymers that it has not seen, target scale."""

    residuals: FloatArray  # (n,) of the reported out-of-fold values (the mean over repetitions)
    repetition_rmse: FloatArray  # (r,)

    @property
    def rmse(self) -> float:
        """Root mean square of the residuals."""
        return root_mean_square(self.residuals)


def held_out_errors(measured: FloatArray, predicted: FloatArray) -> HeldOutErrors:
    """Collect the errors of one calibrator.

    Parameters
    ----------
    measured
        (n,) target scale.
    predicted
        (r, n) out-of-fold values of every repetition, target scale.
    """
    return HeldOutErrors(
        predicted.mean(axis=0) - measured, np.array([root_mean_square(row - measured) for row in predicted])
    )


def welch_p_value(a: FloatArray, b: FloatArray) -> float:
    """Two-sided Welch t-test that two sets of repetition errors have the same mean, as the paper uses it.

    Repetitions share their polymers, so this test calls differences real too easily; the paired one over polymers
    (``error_intervals``) does not.
    nan with fewer than two repetitions.
    """
    if len(a) < 2 or len(b) < 2:
        return float("nan")
    a, b = _scaled(a, b)
    va, vb = float(np.var(a, ddof=1)) / len(a), float(np.var(b, ddof=1)) / len(b)
    difference = float(a.mean() - b.mean())
    if va + vb <= (1e-14 * abs(difference)) ** 2:
        return 1.0 if difference == 0.0 else 0.0
    freedom = (va + vb) ** 2 / (va**2 / (len(a) - 1) + vb**2 / (len(b) - 1))
    return float(2.0 * stdtr(freedom, -abs(difference) / np.sqrt(va + vb)))


def _scaled(*values: FloatArray) -> tuple[FloatArray, ...]:
    """Divide by the largest of all, so that the squares of neither huge nor tiny units overflow; tests do not mind."""
    largest = max(float(np.abs(some).max(initial=0.0)) for some in values)
    return tuple(some / largest if largest > 0.0 and np.isfinite(largest) else some for some in values)


def rounding_of(y: FloatArray, log_scale: bool) -> float:
    """Differences of errors up to this size, target scale, are rounding: 1e-9 of the size of the values.

    On the logarithmic scale that is 1e-9 of the values themselves, plus 1e-9 of the logarithms.
    """
    return _ROUNDING * (float(np.abs(y).max(initial=0.0)) + (1.0 if log_scale else 0.0))


def compare(
    errors: Mapping[ModelName, HeldOutErrors],
    groups: IntArray,
    log_scale: bool,
    rounding: float = 0.0,
    *,
    md_varies: bool = True,
    structure: float = float("nan"),
) -> Recommendation:
    """Compare all calibrators in pairs and recommend one.

    It starts from the better of MD as it is and a line (of equals the simpler): calibrators without descriptors. Values that
    are corrected by physics go before a line through a few measured ones, unless that is clearly better: what is known
    beforehand does not owe its error to the polymers that happen to be measured. The combined calibrator takes the place of
    a line always, since it keeps to the line as far as nothing speaks for more; that of MD as it is when polymers of like
    structure depart alike from the line, which says more than two held-out errors of few polymers; that of values corrected
    by physics when, besides, its error is lower. Where nothing is combined, the best with descriptors takes the place of
    any of them on the same two conditions. Any other must be clearly better than that; those of several sources so clearly
    that as many tries as there are of them do not explain it.

    Parameters
    ----------
    errors
        Of every calibrator, target scale.
    groups
        (n,) equal for rows of the same polymer.
    log_scale
        Whether the target scale is the natural logarithm of the property.
    rounding
        RMSEs that differ by no more are equal, see :func:`rounding_of`; however regular, rounding is no difference.
    md_varies
        Whether the MD values differ, so that alpha_1 and beta can be told.
    structure
        Probability of :func:`affinecal_gui.calibration.checking.structure_evidence.structure_p_value`; nan where untold.
    """
    everyone = [name for name in calibrator_keys() if name in errors]
    rmse = {name: errors[name].rmse for name in everyone}
    comparisons = [
        _compared(first, second, errors, groups, rounding)
        for i, first in enumerate(everyone)
        for second in everyone[i + 1 :]
    ]
    against = {frozenset((pair.better, pair.worse)): pair for pair in comparisons}
    several = [name for name in everyone if calibrator(name).one_source]
    names = [name for name in everyone if name not in several]
    best = _lowest(names, rmse, rounding)
    plain = [name for name in names if not (calibrator(name).uses_descriptors or calibrator(name).needs_kernels)]
    recommended = base = _without_descriptors(plain or names, rmse, against, rounding)
    combining = [name for name in names if calibrator(name).combines]
    described = [name for name in names if name not in plain and not calibrator(name).needs_kernels]
    if combining or described:
        challenger = _lowest(combining or described, rmse, rounding)
        of_line = base in calibrator(challenger).combines
        over_md = bool(combining) and base == RAW
        errs_less = rmse[challenger] < rmse[base] - rounding
        if of_line or (structure < STRUCTURE_SIGNIFICANCE and (over_md or errs_less)):
            recommended = challenger
    if best != recommended and against[frozenset((best, recommended))].paired_p_value < SIGNIFICANCE:
        recommended = best
    best = _lowest(everyone, rmse, rounding)
    if best in several and against[frozenset((best, recommended))].paired_p_value < SIGNIFICANCE / len(several):
        recommended = best
    found = Recommendation(best, recommended, "", tuple(comparisons), structure)
    return replace(found, sentence=_sentence(found, base, errors, against, log_scale, md_varies))


def _without_descriptors(
    names: Sequence[ModelName],
    rmse: Mapping[ModelName, float],
    against: Mapping[frozenset[ModelName], PairedComparison],
    rounding: float,
) -> ModelName:
    """Return the one of these to start from: the lowest, but values given by physics until a fitted one is clearly better."""
    lowest = _lowest(names, rmse, rounding)
    given = [name for name in names if calibrator(name).is_given]
    if not given or calibrator(lowest).is_given or lowest == RAW:
        return lowest
    known = _lowest(given, rmse, rounding)
    return lowest if against[frozenset((known, lowest))].paired_p_value < SIGNIFICANCE else known


def _compared(
    first: ModelName,
    second: ModelName,
    errors: Mapping[ModelName, HeldOutErrors],
    groups: IntArray,
    rounding: float,
) -> PairedComparison:
    """Compare two calibrators; of two equals the first one, which is simpler, counts as the better."""
    gap = errors[second].rmse - errors[first].rmse
    better, worse = (first, second) if gap >= -rounding else (second, first)
    if abs(gap) <= rounding:
        return PairedComparison(better, worse, 0.0, 1.0, 1.0, 0.0, 0.0)
    found = difference_of(errors[better].residuals, errors[worse].residuals, groups)
    welch = welch_p_value(errors[better].repetition_rmse, errors[worse].repetition_rmse)
    return PairedComparison(better, worse, abs(gap), welch, found.p_value, found.lower, found.upper)


def _lowest(names: Sequence[ModelName], rmse: Mapping[ModelName, float], rounding: float) -> ModelName:
    """Return the calibrator with the lowest error, of equals the first."""
    least = min(rmse[name] for name in names)
    return next(name for name in names if rmse[name] <= least + rounding)


def no_better_than(
    model: ModelName, rmse: Mapping[ModelName, float], comparisons: Sequence[PairedComparison] = ()
) -> ModelName | None:
    """Return the simpler calibrator that makes ``model`` pointless: MD itself if that errs less, else the best of them.

    None where ``model`` has a smaller error than all simpler ones. ``rmse``: out of fold, target scale; ``comparisons``
    say which of two errors count as equal.
    """
    if model == RAW or model not in rmse:
        return None
    equal = {pair.better for pair in comparisons if pair.worse == model and pair.difference == 0.0}
    simpler = [name for name in calibrator_keys()[: calibrator_keys().index(model)] if name in rmse]
    better = [name for name in simpler if rmse[name] <= rmse[model] or name in equal]
    if RAW in better:
        return RAW
    return min((rmse[name], name) for name in better)[1] if better else None


def warning_about(
    model: ModelName, rmse: Mapping[ModelName, float], comparisons: Sequence[PairedComparison], log_scale: bool
) -> str:
    """Return a sentence where a calibrator predicts no better than MD itself or than a simpler one; else "".

    It is called worse only where ``comparisons`` find the difference clear of chance.
    """
    rival = no_better_than(model, rmse, comparisons)
    if rival is None:
        return ""
    own, other = (calibrator_in_sentence(name, log_scale=log_scale) for name in (model, rival))
    pair = next((pair for pair in comparisons if (pair.better, pair.worse) == (rival, model)), None)
    if pair is not None and pair.difference == 0.0:
        comparative, numbers = "no better than", "their errors are equal"
    else:
        figures = _pair_of_figures(rmse[model], rmse[rival], fewest=3 if log_scale else 0)
        numbers = f"out-of-fold RMSE {figures[0]} against {figures[1]}"
        clear = pair is not None and pair.paired_p_value < SIGNIFICANCE
        comparative = "worse than" if clear else "no better than"
    if rival == RAW:
        return f"{capital(own)} predicts {comparative} {other} ({numbers}): do not use its values."
    return f"{capital(own)} predicts {comparative} {other}, which is simpler ({numbers})."


def _sentence(
    found: Recommendation,
    base: ModelName,
    errors: Mapping[ModelName, HeldOutErrors],
    against: Mapping[frozenset[ModelName], PairedComparison],
    log_scale: bool,
    md_varies: bool,
) -> str:
    """Say which calibrator has the lowest error, whether that is more than noise, which to use, and which not to use."""
    best, recommended, structure = found.best, found.recommended, found.structure_p_value
    comparisons = found.comparisons

    def name(model: ModelName) -> str:
        return calibrator_in_sentence(model, log_scale=log_scale)

    first = capital(name(best))
    if not against:
        return f"{first} is the only calibrator."
    if best == RAW and recommended == RAW:
        return (
            f"{first} has the lowest error and is recommended: no calibrator predicts better. These measurements do not "
            f"call for a calibration."
        )
    rmse = {model: one.rmse for model, one in errors.items()}
    keeps_to_line = base in calibrator(recommended).combines and structure >= STRUCTURE_SIGNIFICANCE
    asked = structure >= STRUCTURE_SIGNIFICANCE and not keeps_to_line
    asked_for = f"; less than {STRUCTURE_SIGNIFICANCE:g} is asked for" if asked else ""
    alike = (
        f"that polymers of like structure depart alike from a line in the MD values ({p_value(structure)}{asked_for})"
    )
    by_structure = recommended != base and structure < STRUCTURE_SIGNIFICANCE and recommended != RAW
    if recommended == best:
        rival = (
            base if base != best else min((other for other in errors if other != best), key=lambda other: rmse[other])
        )
        advice = f"{first} has the lowest error and is recommended"
        if by_structure:
            advice += f": it is more than chance {alike}, and"
        elif keeps_to_line:
            advice += f": it keeps to the line as far as it may be chance {alike}, and"
        else:
            advice += ":"
        advice += f" {_margin(against[frozenset((best, rival))], name(rival), rmse[best], log_scale)}"
    else:
        rival = recommended
        pair = against[frozenset((best, rival))]
        gap, _ = _figures(pair.difference, pair.difference, rmse[best], fewest=3 if log_scale else 0)
        advice = (
            f"{first} has the lowest error, by {gap} over {name(rival)}, which may be chance "
            f"({p_value(pair.paired_p_value)}). {capital(name(rival))} is recommended: "
        )
        if by_structure:
            advice += f"it is more than chance {alike}, and combining is the safer way to correct for it"
        elif keeps_to_line:
            advice += f"it keeps to the line as far as it may be chance {alike}"
        elif calibrator(recommended).is_given:
            advice += "it owes nothing to the measured polymers, and nothing fitted is clearly better"
        elif np.isfinite(structure) and structure >= STRUCTURE_SIGNIFICANCE:
            advice += f"it may be chance {alike}"
        else:
            advice += "nothing less simple is clearly better"
    if rival == RAW and recommended == RAW:
        advice += ". These measurements do not call for a calibration"
    if md_varies and recommended not in (RAW, AFFINE.key) and _as_good(best, AFFINE.key, errors):
        advice += "; affine also shows α₁ and β"
    useless = [
        model for model in calibrator_keys() if model != recommended and no_better_than(model, rmse, comparisons) == RAW
    ]
    if len(useless) < 2:
        return " ".join([f"{advice}.", *(warning_about(model, rmse, comparisons, log_scale) for model in useless)])
    names = [name(model) for model in useless]
    least, most = (extreme(rmse[model] for model in useless) for extreme in (min, max))
    low, against_md = _pair_of_figures(least, rmse[RAW], fewest=3 if log_scale else 0)
    high, _ = _pair_of_figures(most, rmse[RAW], fewest=3 if log_scale else 0)
    return (
        f"{advice}. {capital(', '.join(names[:-1]))} and {names[-1]} predict no better than {name(RAW)} (out-of-fold RMSE "
        f"{low} to {high} against {against_md}): do not use their values."
    )


def _margin(pair: PairedComparison, rival: str, error: float, log_scale: bool) -> str:
    """Say by how much a calibrator is better than another, with the interval of the difference."""
    if pair.difference <= _NO_GAP * error:
        return f"{rival} predicts as well"
    gap, least = _figures(pair.difference, pair.lower, error, fewest=3 if log_scale else 0)
    start = f"its out-of-fold RMSE is {gap} below that of {rival}"
    if not np.isfinite(pair.paired_p_value):
        return start
    if pair.paired_p_value < SIGNIFICANCE:
        _, most = _figures(pair.difference, pair.upper, error, fewest=3 if log_scale else 0)
        percent = f"{100 * ERROR_LEVEL:.0f} %"
        return f"{start} ({least} to {most} with {percent}), more than chance explains ({p_value(pair.paired_p_value)})"
    return f"{start}, which may be chance ({p_value(pair.paired_p_value)})"


def _as_good(best: ModelName, model: ModelName, errors: Mapping[ModelName, HeldOutErrors]) -> bool:
    """Whether a calibrator errs less than MD itself, and no more than the best one within what repetitions vary."""
    if model not in errors or no_better_than(model, {name: one.rmse for name, one in errors.items()}) == RAW:
        return False
    return errors[model].rmse - errors[best].rmse <= _variation(errors[best], errors[model])


def _variation(a: HeldOutErrors, b: HeldOutErrors) -> float:
    """Return the standard deviation of the repetition errors, the larger of two calibrators; 0 with one repetition."""
    if len(a.repetition_rmse) < 2:
        return 0.0
    return max(float(np.std(one.repetition_rmse, ddof=1)) for one in (a, b))


def _figures(difference: float, varies: float, error: float, fewest: int) -> tuple[str, str]:
    """Write two numbers with the same decimals: two significant digits of the larger, at least as many as tables show.

    More where it takes more to tell them apart.
    """
    size = max(varies, difference, error * 1e-3)
    decimals = int(np.clip(1 - np.floor(np.log10(size)), fewest, 12)) if size > 0.0 else fewest
    while decimals < 12 and difference != varies and decimal(difference, decimals) == decimal(varies, decimals):
        decimals += 1  # "0.0023, less than 0.0023" would say nothing
    return decimal(difference, decimals), decimal(varies, decimals)


def _pair_of_figures(one: float, other: float, fewest: int) -> tuple[str, str]:
    """Write two errors with the same decimals: as many as tell them apart, up to six digits of the larger."""
    largest, gap = max(one, other), abs(one - other)
    if not (largest > 0.0 and np.isfinite(largest)):
        return significant(one), significant(other)
    wanted = np.floor(np.log10(largest)) - np.floor(np.log10(gap)) + 1 if gap > 0.0 else 3
    decimals = int(np.clip(np.clip(wanted, 3, 6) - 1 - np.floor(np.log10(largest)), fewest, 12))
    return decimal(one, decimals), decimal(other, decimals)
