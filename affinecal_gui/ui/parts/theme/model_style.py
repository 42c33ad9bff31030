"""How each calibrator is called and drawn, everywhere."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.names import calibrator_title
from affinecal_gui.calibration.results import ModelName


@dataclass(frozen=True, slots=True)
class ModelStyle:
    """How one calibrator is called and drawn, everywhere."""

    title: str
    short_title: str  # where there is no room for the title
    role: str  # of the palette
    symbol: str  # name of the mark, see plotting.SYMBOLS
    symbol_scale: float  # evens out the areas of the marks
    explanation: str  # one sentence for tooltips


_MARKS: Mapping[str, tuple[str, float]] = MappingProxyType(
    {
        "grey": ("s", 0.86),
        "ochre": ("t1", 1.06),
        "green": ("d", 1.16),
        "blue": ("o", 1.0),
        "brown": ("t3", 1.06),
        "olive": ("p", 1.06),
        "violet": ("t", 1.06),
        "sky": ("+", 1.1),
        "red": ("x", 1.1),
        "sage": ("thin_diamond", 1.2),
        "indigo": ("h", 1.06),
        "teal": ("t2", 1.06),
        "rose": ("star", 1.2),
        "lime": ("four_star", 1.3),
        "copper": ("three_star", 1.4),
        "moss": ("octagon", 1.0),
        "navy": ("six_star", 1.2),
    }
)
"""Mark by the colour role of a calibrator, and what evens out the areas of the marks."""


def model_style(model: ModelName) -> ModelStyle:
    """Return how a calibrator is called and drawn, everywhere; one of a role not known here is drawn as the free one."""
    one = calibrator(model)
    role = one.role if one.role in _MARKS else "rose"
    title = calibrator_title(model, log_scale=True)
    return ModelStyle(title, one.short_title, role, *_MARKS[role], one.explanation)
