"""Only source first, then what it leaves from the descriptors."""

from typing import TYPE_CHECKING

from affinecal_gui.calibration.calibrators.calibrator import Calibrator
from affinecal_gui.calibration.kernels.calibrators.only_source import ONLY_SOURCE

if TYPE_CHECKING:
    from affinecal_gui.calibration.kernels.method_fit import KernelFitting


def _fitting() -> "KernelFitting":
    from affinecal_gui.calibration.kernels.method_fit import OffsetFitting

    return OffsetFitting(ONLY_SOURCE.key)


HTL_OFFSET = Calibrator(
    key="htl_offset",
    name="HTL-offset",
    short_title="Offset",
    role="sky",
    equation="y = g(f) + h(x)",
    explanation=(
        "Good where MD is too high or too low by an amount that depends on the structure: a curve in the MD value, "
        "then what it leaves is predicted from the structure."
    ),
    kernels=_fitting,
    builds_on=(ONLY_SOURCE.key,),
)
