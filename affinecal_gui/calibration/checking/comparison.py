"""Which calibrator to use: paired comparisons over the out-of-fold repetitions, and advice in plain English."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr

from affinecal_gui.calibration.calibrators.linear.affine import AFFINE
from affinecal_gui.calibration.calibrators.registry import RAW, calibrator_keys
from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.metrics import root_mean_square
from affinecal_gui.calibration.names import calibrator_in_sentence, capital
from affinecal_gui.calibration.results import FloatArray, ModelName, PairedComparison, Recommendation
from affinecal_gui.numbers import decimal, p_value, significant

SIGNIFICANCE = 0.05
"""A calibrator counts as worse than the best when the corrected test gives a smaller p-value."""

_ROUNDING = 1e-9
_NO_GAP = 5e-4
"""Differences up to this share of the error cannot be seen in a table."""


@dataclass(frozen=True, slots=True)
class RepetitionErrors:
    """Errors of one calibrator over the out-of-fold repetitions, target scale."""

    rmse: float  # of the reported out-of-fold values (the mean over repetitions)
    repetition_rmse: FloatArray  # (r,)
    fold_squared_error: FloatArray  # (j,) mean squared error of every held-out fold, repetition by repetition


def repetition_errors(measured: FloatArray, predicted: FloatArray, fold: IntArray) -> RepetitionErrors:
    """Collect the errors of one calibrator.

    Parameters
    ----------
    measured
        (n,) target scale.
    predicted
        (r, n) out-of-fold values of every repetition, target scale.
    fold
        (r, n) fold in which a polymer was held out.
    """
    squared = (predicted - measured) ** 2
    by_fold = [
        float(squared[r][fold[r] == k].mean()) for r in range(len(predicted)) for k in range(int(fold[r].max()) + 1)
    ]
    return RepetitionErrors(
        root_mean_square(predicted.mean(axis=0) - measured),
        np.array([root_mean_square(row - measured) for row in predicted]),
        np.array(by_fold),
    )


def welch_p_value(a: FloatArray, b: FloatArray) -> float:
    """Two-sided Welch t-test that two sets of repetition errors have the same mean, as the paper uses it.

    Repetitions share their polymers, so this test calls differences real too easily; the corrected one below does not.
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


def corrected_p_value(difference: FloatArray, test_share: float) -> float:
    """Two-sided corrected resampled t-test (Nadeau and Bengio, Machine Learning 52, 2003, 239-281).

    Parameters
    ----------
    difference
        (j,) difference of the mean squared errors of two calibrators in every held-out fold of every repetition.
    test_share
        Held-out polymers divided by training polymers, 1 / (k - 1) for k folds: it widens the variance because the
        training parts overlap.
    """
    j = len(difference)
    if j < 2:
        return float("nan")
    (difference,) = _scaled(difference)
    variance = float(np.var(difference, ddof=1)) * (1.0 / j + test_share)
    mean = float(difference.mean())
    if variance <= (1e-14 * abs(mean)) ** 2:
        return 1.0 if mean == 0.0 else 0.0
    return float(2.0 * stdtr(j - 1, -abs(mean) / np.sqrt(variance)))


def rounding_of(y: FloatArray, log_scale: bool) -> float:
    """Differences of errors up to this size, target scale, are rounding: 1e-9 of the size of the values.

    On the logarithmic scale that is 1e-9 of the values themselves, plus 1e-9 of the logarithms.
    """
    return _ROUNDING * (float(np.abs(y).max(initial=0.0)) + (1.0 if log_scale else 0.0))


def compare(
    errors: Mapping[ModelName, RepetitionErrors],
    test_share: float,
    log_scale: bool,
    rounding: float = 0.0,
    *,
    md_varies: bool = True,
) -> Recommendation:
    """Compare all calibrators in pairs and recommend the simplest that is not significantly worse than the best.

    A calibrator that errs more than a simpler one which is out of the question is so too: its own noise must not save it.

    Parameters
    ----------
    errors
        Of every calibrator, target scale.
    test_share
        See :func:`corrected_p_value`.
    log_scale
        Whether the target scale is the natural logarithm of the property.
    rounding
        RMSEs that differ by no more are equal, see :func:`rounding_of`; however regular, rounding is no difference.
    md_varies
        Whether the MD values differ, so that alpha_1 and beta can be told.
    """
    names = [name for name in calibrator_keys() if name in errors]
    comparisons = []
    for i, first in enumerate(names):
        for second in names[i + 1 :]:
            # Of two equals the simpler one counts as the better.
            gap = errors[second].rmse - errors[first].rmse
            better, worse = (first, second) if gap >= -rounding else (second, first)
            if abs(gap) <= rounding:
                untested = len(errors[first].fold_squared_error) < 2
                comparisons.append(PairedComparison(better, worse, 0.0, 1.0, float("nan") if untested else 1.0))
                continue
            comparisons.append(
                PairedComparison(
                    better,
                    worse,
                    abs(gap),
                    welch_p_value(errors[better].repetition_rmse, errors[worse].repetition_rmse),
                    corrected_p_value(errors[worse].fold_squared_error - errors[better].fold_squared_error, test_share),
                )
            )
    least = min(errors[name].rmse for name in names)
    best = next(name for name in names if errors[name].rmse <= least + rounding)
    against = {
        (pair.worse if pair.better == best else pair.better): pair
        for pair in comparisons
        if best in (pair.better, pair.worse)
    }
    recommended, bar = best, float("inf")
    for name in names:
        if name == best or (against[name].corrected_p_value >= SIGNIFICANCE and errors[name].rmse <= bar):
            recommended = name
            break
        bar = min(bar, errors[name].rmse)
    sentence = _sentence(best, recommended, errors, comparisons, against, log_scale, md_varies)
    return Recommendation(best, recommended, sentence, tuple(comparisons))


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
        clear = pair is not None and pair.corrected_p_value < SIGNIFICANCE
        comparative = "worse than" if clear else "no better than"
    if rival == RAW:
        return f"{capital(own)} predicts {comparative} {other} ({numbers}): do not use its values."
    return f"{capital(own)} predicts {comparative} {other}, which is simpler ({numbers})."


def _sentence(
    best: ModelName,
    recommended: ModelName,
    errors: Mapping[ModelName, RepetitionErrors],
    comparisons: Sequence[PairedComparison],
    against: Mapping[ModelName, PairedComparison],
    log_scale: bool,
    md_varies: bool,
) -> str:
    """Say which calibrator has the lowest error, whether that is more than noise, which to use, and which not to use."""

    def name(model: ModelName) -> str:
        return calibrator_in_sentence(model, log_scale=log_scale)

    first = capital(name(best))
    if not against:
        return f"{first} is the only calibrator."
    if best == RAW:
        return (
            f"{first} has the lowest error and is recommended: no calibrator predicts better. These measurements do not "
            f"call for a calibration."
        )
    rival = recommended if recommended != best else min(against, key=lambda name: errors[name].rmse)
    pair = against[rival]
    varies = _variation(errors[best], errors[rival])
    gap, noise = _figures(pair.difference, varies, errors[best].rmse, fewest=3 if log_scale else 0)
    clear = pair.corrected_p_value < SIGNIFICANCE
    chance = p_value(pair.corrected_p_value)
    small = (
        f"less than the {noise} by which repetitions vary"
        if pair.difference < varies
        else f"which may be chance ({chance})"
    )
    rmse = {model: one.rmse for model, one in errors.items()}
    if recommended == best:
        advice = f"{first} has the lowest error and is recommended"
        if clear:
            advice += (
                f": its out-of-fold RMSE is {gap} below that of {name(rival)}, more than chance explains ({chance})"
            )
        elif pair.difference <= _NO_GAP * errors[best].rmse:
            advice += f": nothing simpler comes close; {name(rival)} predicts as well but is less simple"
        else:
            advice += f": nothing simpler comes close; {name(rival)} is {gap} behind, {small}"
    else:
        advice = (
            f"{first} has the lowest error, by {gap} over {name(rival)}, {small}. {capital(name(rival))} is recommended: "
            f"the simplest that is not clearly worse"
        )
        if rival == RAW:
            advice += ". These measurements do not call for a calibration"
    if md_varies and not clear and rival != RAW and recommended != AFFINE.key and _as_good(best, AFFINE.key, errors):
        advice += "; affine also shows α₁ and β"
    useless = [model for model in calibrator_keys() if no_better_than(model, rmse, comparisons) == RAW]
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


def _as_good(best: ModelName, model: ModelName, errors: Mapping[ModelName, RepetitionErrors]) -> bool:
    """Whether a calibrator errs less than MD itself, and no more than the best one within what repetitions vary."""
    if model not in errors or no_better_than(model, {name: one.rmse for name, one in errors.items()}) == RAW:
        return False
    return errors[model].rmse - errors[best].rmse <= _variation(errors[best], errors[model])


def _variation(a: RepetitionErrors, b: RepetitionErrors) -> float:
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
