"""Fused ridge on the difference: y = f + c + x' gamma."""

from typing import TYPE_CHECKING

from affinecal_gui.calibration.calibrators.calibrator import Calibrator, Equation
from affinecal_gui.calibration.calibrators.parameters import INTERCEPT

if TYPE_CHECKING:
    from affinecal_gui.calibration.calibrators.training import LinearFitting


def _fitting(key: str) -> "LinearFitting":
    from affinecal_gui.calibration.calibrators.fitting.log_difference import DifferenceFitting

    return DifferenceFitting(key)


LOG_DIFFERENCE = Calibrator(
    key="log_difference",
    name="log-difference",
    short_title="Log-diff.",
    name_on_linear_scale="difference",
    role="green",
    equation="y = f + c + xᵀγ",
    explanation="The difference between measured and MD value, predicted from the descriptors.",
    linear=_fitting,
    penalties=("lambda_1", "lambda_2"),
    parameters=(INTERCEPT,),
    report_equation=Equation(
        "",
        r"$y = f + c + x^\mathrm{T}\gamma$",
        "<i>y</i> = <i>f</i> + <i>c</i> + <i>x</i><sup>T</sup><i>γ</i>",
    ),
)
