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
    explanation=(
        "Good with many measurements, where the effect of the structure grows or fades with the MD value: as "
        "AffineTL-const, and that effect may depend on the MD value."
    ),
    kernels=_fitting,
    work=20.0,
)
