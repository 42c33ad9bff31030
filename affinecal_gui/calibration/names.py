"""What the calibrators are called: the one source for tables, figures, sentences, files and the window."""

from affinecal_gui.calibration.results import ModelName

_NAMES: dict[ModelName, str] = {
    "md": "MD as it is",
    "ordinary": "ordinary",
    "log_difference": "log-difference",
    "affine": "affine",
    "only_source": "only source",
    "direct": "direct",
    "augmented": "augmented",
    "htl_offset": "HTL-offset",
    "htl_scale": "HTL-scale",
    "affine_tl_const": "AffineTL-const",
    "affine_tl_full": "AffineTL-full",
}
_LINEAR: dict[ModelName, str] = {"log_difference": "difference"}
"""Names that differ on a linear scale, where a difference is not one of logarithms."""

_IN_A_SENTENCE: dict[ModelName, str] = {"md": "the MD value as it is", "ordinary": "ordinary regression"}


def calibrator_name(model: ModelName, *, log_scale: bool) -> str:
    """Return the name of a calibrator for a list or a table cell, in small letters where it is not an abbreviation."""
    return _NAMES[model] if log_scale else _LINEAR.get(model, _NAMES[model])


def calibrator_title(model: ModelName, *, log_scale: bool) -> str:
    """Return the name of a calibrator as a heading or a label."""
    return capital(calibrator_name(model, log_scale=log_scale))


def calibrator_in_sentence(model: ModelName, *, log_scale: bool) -> str:
    """Return the name of a calibrator inside a sentence."""
    return _IN_A_SENTENCE.get(model, calibrator_name(model, log_scale=log_scale))


def capital(text: str) -> str:
    """Start a text with a capital letter."""
    return text[:1].upper() + text[1:]
