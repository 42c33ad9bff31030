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
    explanation="A curve in the MD value, times a factor predicted from the descriptors.",
    kernels=_fitting,
    builds_on=(ONLY_SOURCE.key,),
)
