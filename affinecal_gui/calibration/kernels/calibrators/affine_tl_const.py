"""AffineTL-const: the affine method with kernels, without coupling."""

from typing import TYPE_CHECKING

from affinecal_gui.calibration.calibrators.calibrator import Calibrator

if TYPE_CHECKING:
    from affinecal_gui.calibration.kernels.method_fit import KernelFitting


def _fitting() -> "KernelFitting":
    from affinecal_gui.calibration.kernels.method_fit import ConstantFitting

    return ConstantFitting()


AFFINE_TL_CONST = Calibrator(
    key="affine_tl_const",
    name="AffineTL-const",
    short_title="TL-const",
    role="sage",
    equation="y = g₁(f) + g₃(x)",
    explanation="A curve in the MD value and a function of the descriptors, learned together.",
    kernels=_fitting,
)
