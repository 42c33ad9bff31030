"""The weighted mean of the fitted calibrators."""

from affinecal_gui.calibration.calibrators.calibrator import Calibrator, Equation
from affinecal_gui.calibration.calibrators.linear.affine import AFFINE
from affinecal_gui.calibration.calibrators.linear.log_difference import LOG_DIFFERENCE
from affinecal_gui.calibration.calibrators.linear.ordinary import ORDINARY
from affinecal_gui.calibration.calibrators.parameters import weight_parameters

_MEMBERS = (ORDINARY, LOG_DIFFERENCE, AFFINE)

COMBINED = Calibrator(
    key="combined",
    name="combined",
    short_title="Combined",
    role="rose",
    name_in_sentence="the combined calibrator",
    equation="y = Σ wₖ yₖ",
    explanation="The weighted mean of the other three: by their errors on held-out polymers, and nearer to the line the less "
    "likely it is that polymers of like structure depart alike from it.",
    combines=tuple(one.key for one in _MEMBERS),
    parameters=weight_parameters((one.key, one.name, one.name_on_linear_scale) for one in _MEMBERS),
    report_equation=Equation(
        "Combined",
        r"$y = \sum_k w_k\, y_k, \quad w_k \geq 0, \quad \sum_k w_k = 1$",
        "<i>y</i> = Σ<sub><i>k</i></sub> <i>w</i><sub><i>k</i></sub> <i>y</i><sub><i>k</i></sub>, "
        "<i>w</i><sub><i>k</i></sub> ≥ 0, Σ<sub><i>k</i></sub> <i>w</i><sub><i>k</i></sub> = 1",
    ),
)
