"""What calibrators and kernels are called: the one source for tables, figures, sentences, files and the window."""

from typing import TYPE_CHECKING

from affinecal_gui.calibration.calibrators.registry import CALIBRATORS, calibrator

if TYPE_CHECKING:  # numpy is not loaded for a name
    from affinecal_gui.calibration.results import KernelName

MD_AS_IT_IS = "MD as it is"
"""What the MD value is called among several sources."""

KERNEL_TITLES: dict["KernelName", str] = {
    "rbf": "Gaussian (RBF)",
    "matern52": "Matérn 5/2",
    "matern32": "Matérn 3/2",
    "matern12": "Matérn 1/2",
    "linear": "Linear",
}
"""From the smoothest to the roughest; the linear one last."""

KERNEL_MEANINGS: dict["KernelName", str] = {
    "rbf": "The smoothest: polymers that differ little have nearly the same value.",
    "matern52": "Smooth, with room for bends.",
    "matern32": "Less smooth: the value may change quickly from one polymer to a similar one.",
    "matern12": "The roughest: only polymers that are nearly the same tell of each other.",
    "linear": "No bends: twice the difference has twice the effect.",
}
"""What each kernel takes for granted about the property."""


def calibrator_name(model: str, *, log_scale: bool) -> str:
    """Return the name of a calibrator for a list or a table cell, in small letters where it is not an abbreviation."""
    one = calibrator(model)
    return one.name if log_scale else one.name_on_linear_scale or one.name


def calibrator_title(model: str, *, log_scale: bool) -> str:
    """Return the name of a calibrator as a heading or a label."""
    return capital(calibrator_name(model, log_scale=log_scale))


def calibrator_in_sentence(model: str, *, log_scale: bool) -> str:
    """Return the name of a calibrator inside a sentence."""
    return calibrator(model).name_in_sentence or calibrator_name(model, log_scale=log_scale)


def key_named(text: str) -> str:
    """Return the key of the calibrator that a text names, by its key or as it is called anywhere; else the text as it is.

    >>> key_named("Difference"), key_named("log-difference"), key_named("AffineTL-full"), key_named("best")
    ('log_difference', 'log_difference', 'affine_tl_full', 'best')
    """
    wanted = _folded(text)
    for one in CALIBRATORS:
        if wanted in map(_folded, filter(None, (one.key, one.name, one.name_on_linear_scale, one.name_in_sentence))):
            return one.key
    return text


def _folded(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def capital(text: str) -> str:
    """Start a text with a capital letter."""
    return text[:1].upper() + text[1:]
