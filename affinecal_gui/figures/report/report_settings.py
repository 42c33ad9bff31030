"""The settings of a calibration in a report: words for their names, and values that are read at a glance."""

from collections.abc import Mapping, Sequence

import numpy as np

from affinecal_gui.numbers import significant

_NAMES = {
    "log_scale": "fitted on the natural logarithm",
    "protocol": "protocol",
    "repetitions": "repetitions of the out-of-fold predictions",
    "outer_folds": "folds of the out-of-fold predictions",
    "inner_folds": "folds that choose the penalties",
    "penalties": "penalties by hand",
    "lambda_1_grid": "grid of λ₁",
    "lambda_2_grid": "grid of λ₂",
    "lambda_beta": "λ of β",
    "interval_level": "interval level",
    "bands": "bands of the coefficients",
    "bootstrap": "refits of the bootstrap",
    "measure_next": "suggested measurements",
    "seed": "seed of the random numbers",
    "blocks_off": "descriptor blocks switched off",
    "block_factors": "penalty factors of blocks",
    "weighting": "weights",
    "robust": "values far from the fit count less",
    "wide_beyond": "intervals widen far from the measured polymers",
    "cautious_prior": "penalties reduced with few polymers where intervals widen",
}
_NAMES_IN_VALUES = {"lambda_1": "λ₁", "lambda_2": "λ₂", "lambda_beta": "λ of β"}
_LONGEST = 500  # characters


def settings_rows(settings: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return name and value of every setting, in their order; settings not known here keep their own name."""
    unused = {"bootstrap"} if settings.get("bands", "bootstrap") != "bootstrap" else set()
    return [
        (_NAMES.get(name, str(name)), _shortened(setting_text(value)))
        for name, value in settings.items()
        if name not in unused
    ]


def setting_text(value: object) -> str:
    """Return a value as text: a long regular grid by its ends, a number with four digits, nothing as "none".

    >>> setting_text([0.01, 0.1, 1.0, 10.0, 100.0]), setting_text([]), setting_text(True)
    ('5 values from 0.01 to 100, equal steps of the logarithm', 'none', 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, Mapping):
        parts = [f"{_name(name)}: {setting_text(part)}" for name, part in value.items()]
        return "; ".join(parts) or "none"
    if isinstance(value, (list, tuple, set, frozenset)):
        items = sorted(value, key=str) if isinstance(value, (set, frozenset)) else value
        return _grid(items) or ", ".join(map(setting_text, items)) or "none"
    return str(value)


def _name(name: object) -> str:
    return _NAMES_IN_VALUES.get(str(name), str(name).replace("_", "-"))


def _number(value: float) -> str:
    text = significant(value, 4)
    return text.rstrip("0").rstrip(".") if "." in text and "×" not in text else text


def _grid(values: Sequence[object]) -> str:
    """Return what a grid of five or more numbers with equal steps is; "" for anything else."""
    if len(values) < 5 or not all(isinstance(value, float) for value in values):
        return ""
    numbers = np.array(values, dtype=np.float64)
    if not (np.isfinite(numbers).all() and np.all(numbers > 0)):
        return ""
    steps = np.diff(np.log(numbers))
    if not np.allclose(steps, steps[0], rtol=1e-6, atol=1e-9):
        return ""
    ends = f"from {_number(float(numbers[0]))} to {_number(float(numbers[-1]))}"
    return f"{len(values)} values {ends}, equal steps of the logarithm"


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
