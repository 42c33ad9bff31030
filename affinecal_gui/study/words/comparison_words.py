"""How two calibrators compare, in words made from the numbers."""

from affinecal_gui.calibration.names import calibrator_in_sentence, capital
from affinecal_gui.calibration.results import Calibration, ModelName, PairedComparison, Recommendation

CLEAR = 0.05
"""A difference with a smaller probability is called clear."""

TEST_WORDS = (
    "p: how often chance alone would make such a difference, paired over polymers, each of which counts twice, as judge and "
    "as teacher. Welch’s test, used in the paper, takes the repetitions for independent and calls "
    "differences clear too easily."
)


def is_clear(pair: PairedComparison) -> bool:
    """Whether the difference is clear of chance by the paired test over polymers; not when it could not be tested."""
    return pair.paired_p_value < CLEAR


def not_recommended(calibration: Calibration, model: ModelName) -> str:
    """Say that a calibrator is not the recommended one; "" where it is."""
    recommended = calibration.recommendation.recommended
    if model == recommended:
        return ""
    own, other = (calibrator_in_sentence(name, log_scale=calibration.log_scale) for name in (model, recommended))
    return f"{capital(own)} is not the recommended calibrator; that is {other}."


def clear_count(recommendation: Recommendation) -> str:
    """Return how many of the differences are clear, in a few words."""
    pairs = recommendation.comparisons
    clear = sum(map(is_clear, pairs))
    if not pairs:
        return ""
    if len(pairs) == 1:
        return "a clear difference" if clear else "no clear difference"
    return f"{clear or 'none'} of {len(pairs)} differences clear"


def comparison_sentence(pair: PairedComparison, titles: "dict[ModelName, str]", difference: str) -> str:
    """Return one comparison as a sentence; ``difference`` is the difference of the errors as text."""
    if pair.difference == 0.0:
        return f"{titles[pair.better]} and {titles[pair.worse]} predict equally well."
    start = f"{titles[pair.better]} predicts better than {titles[pair.worse]} by {difference}"
    if pair.paired_p_value != pair.paired_p_value:
        return f"{start}; that was not tested."
    return f"{start}, which is {'clear of chance' if is_clear(pair) else 'possibly chance'}."
