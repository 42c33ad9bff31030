"""AffineTL-full: the affine method with kernels."""

from typing import TYPE_CHECKING

from affinecal_gui.calibration.calibrators.calibrator import Calibrator

if TYPE_CHECKING:
    from affinecal_gui.calibration.kernels.method_fit import KernelFitting


def _fitting() -> "KernelFitting":
    from affinecal_gui.calibration.kernels.method_fit import FullFitting

    return FullFitting()


AFFINE_TL_FULL = Calibrator(
    key="affine_tl_full",
    name="AffineTL-full",
    short_title="TL-full",
    role="indigo",
    equation="y = g₁(f) + (1 + g₂(f)) g₃(x)",
    explanation="As AffineTL-const, with a part of the descriptors' effect that depends on the MD value.",
    kernels=_fitting,
    work=20.0,
)
