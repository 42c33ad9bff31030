"""What MD values add for polymers that were held out, in words made from the numbers."""

from affinecal_gui.calibration.error_intervals import Difference
from affinecal_gui.calibration.kernels.comparing.unsimulated import WAYS, UnsimulatedTrial
from affinecal_gui.calibration.names import calibrator_in_sentence
from affinecal_gui.calibration.results import ModelName
from affinecal_gui.numbers import decimal, p_value, significant
from affinecal_gui.study.words.comparison_words import CLEAR

NEARLY = 1.10
"""Up to so many times the error with simulated MD values, predicted ones are said to replace the simulation nearly."""


def what_md_adds(trial: UnsimulatedTrial) -> str:
    """Say plainly what simulated and what predicted MD values add to the descriptors, and where that is nothing."""
    simulated, predicted, without = (one.rmse(trial.y) for one in trial.ways)
    of_md, of_predicted = (trial.against(way, WAYS[2]) for way in WAYS[:2])
    if not _helps(of_md):
        lower = of_md.value > 0.0
        start = f"That MD helps here may be chance ({p_value(of_md.p_value)})" if lower else "MD adds nothing here"
        return (
            f"{start}: the error is {significant(without)} without MD, {significant(simulated)} with simulated and "
            f"{significant(predicted)} with predicted MD values."
        )
    start = (
        f"Simulations help here: the error is {significant(simulated)} with them and {significant(without)} without MD "
        f"({p_value(of_md.p_value)})."
    )
    times = f"{significant(predicted)}, {decimal(predicted / simulated, 2)} times as large as with simulated ones"
    if predicted <= NEARLY * simulated:
        return f"{start} Predicted MD values nearly replace them: {times}."
    if _helps(of_predicted):
        return f"{start} Predicted MD values help less: {times}."
    return (
        f"{start} Predicted MD values add nothing to the descriptors that can be told from chance "
        f"({p_value(of_predicted.p_value)}): {times}."
    )


def stands_in_place(chosen: ModelName, other: ModelName, *, log_scale: bool) -> str:
    """Say that the chosen calibrator calibrates no predicted MD values, and which one does."""
    own, its = (calibrator_in_sentence(one, log_scale=log_scale) for one in (chosen, other))
    return f"With predicted MD values {own} is not to be had: {its} stands in its place."


def predicted_md_sentence(polymers: int, with_value: int, change: str, why_not: str) -> str:
    """Say how many measured polymers without an MD value have one predicted, and what that gained, or why they have none.

    ``change`` of the error of the others is the end of a sentence, or empty.
    """
    of = "1 measured polymer" if polymers == 1 else f"{polymers:,} measured polymers"
    start = f"{of} without an MD value:"
    if why_not or not with_value:
        return f"{start} none can be predicted. {why_not}".strip()
    used = "a predicted MD value is used" if polymers == 1 else "predicted MD values used"
    if with_value < polymers:
        used = f"predicted MD values used for {with_value:,}"
    return f"{start} {used}; {change}." if change else f"{start} {used}."


def _helps(found: Difference) -> bool:
    return found.value > 0.0 and found.p_value < CLEAR
