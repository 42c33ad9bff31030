"""The affine calibrator: y = alpha_0 + alpha_1 f - (1 + beta f) x' gamma."""

from typing import TYPE_CHECKING

from affinecal_gui.calibration.calibrators.calibrator import Calibrator, Equation
from affinecal_gui.calibration.calibrators.parameters import ALPHA_0, ALPHA_1, BETA

if TYPE_CHECKING:
    from affinecal_gui.calibration.calibrators.training import LinearFitting


def _fitting(key: str) -> "LinearFitting":
    from affinecal_gui.calibration.calibrators.fitting.affine import AffineFitting

    return AffineFitting(key)


AFFINE = Calibrator(
    key="affine",
    name="affine",
    short_title="Affine",
    role="blue",
    equation="y = α₀ + α₁ f − (1 + β f) xᵀγ",
    explanation="A line in the MD value, and a correction from the descriptors that may depend on it.",
    linear=_fitting,
    penalties=("lambda_1", "lambda_2", "lambda_beta"),
    parameters=(ALPHA_0, ALPHA_1, BETA),
    sign=-1,
    report_equation=Equation(
        "Affine model transfer",
        r"$y = \alpha_0 + \alpha_1 f - (1 + \beta f)\; x^\mathrm{T}\gamma$",
        "<i>y</i> = <i>α</i><sub>0</sub> + <i>α</i><sub>1</sub> <i>f</i> "
        "− (1 + <i>β</i> <i>f</i>) <i>x</i><sup>T</sup><i>γ</i>",
    ),
)
