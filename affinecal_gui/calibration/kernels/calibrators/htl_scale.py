"""Only source first, then the ratio of y to it from the descriptors."""

from typing import TYPE_CHECKING

from affinecal_gui.calibration.calibrators.calibrator import Calibrator
from affinecal_gui.calibration.kernels.calibrators.only_source import ONLY_SOURCE

if TYPE_CHECKING:
    from affinecal_gui.calibration.kernels.method_fit import KernelFitting


def _fitting() -> "KernelFitting":
    from affinecal_gui.calibration.kernels.method_fit import ScaleFitting

    return ScaleFitting(ONLY_SOURCE.key)


HTL_SCALE = Calibrator(
    key="htl_scale",
    name="HTL-scale",
    short_title="Scale",
    role="red",
    equation="y = g(f) · h(x)",
    explanation=(
        "Good where MD is too high or too low by a factor that depends on the structure: a curve in the MD value, "
        "times a factor that is predicted from the structure."
    ),
    kernels=_fitting,
    builds_on=(ONLY_SOURCE.key,),
)
