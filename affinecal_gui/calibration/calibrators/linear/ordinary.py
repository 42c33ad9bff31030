"""Ordinary linear regression on the MD value: y = alpha_0 + alpha_1 f."""

from typing import TYPE_CHECKING

from affinecal_gui.calibration.calibrators.calibrator import Calibrator, Equation
from affinecal_gui.calibration.calibrators.parameters import ALPHA_0, ALPHA_1

if TYPE_CHECKING:
    from affinecal_gui.calibration.calibrators.training import LinearFitting


def _fitting(key: str) -> "LinearFitting":
    from affinecal_gui.calibration.calibrators.fitting.ordinary import OrdinaryFitting

    return OrdinaryFitting(key)


ORDINARY = Calibrator(
    key="ordinary",
    name="ordinary",
    short_title="Ordinary",
    name_in_sentence="ordinary regression",
    role="ochre",
    equation="y = α₀ + α₁ f",
    explanation="A straight line through measured against MD values.",
    linear=_fitting,
    uses_descriptors=False,
    parameters=(ALPHA_0, ALPHA_1),
    report_equation=Equation(
        "Ordinary linear regression",
        r"$y = \alpha_0 + \alpha_1 f$",
        "<i>y</i> = <i>α</i><sub>0</sub> + <i>α</i><sub>1</sub> <i>f</i>",
    ),
)
