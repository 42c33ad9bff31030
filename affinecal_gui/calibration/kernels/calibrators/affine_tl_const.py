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
    explanation=(
        "Good where MD is off by an amount that depends on the structure, and polymers of like structure have like "
        "MD values: a curve in the MD value and an amount from the structure, learned together, so that neither takes what "
        "belongs to the other."
    ),
    kernels=_fitting,
)
