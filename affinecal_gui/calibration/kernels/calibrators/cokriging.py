"""Co-kriging: a line in the MD value, and a smooth function of the descriptors."""

from typing import TYPE_CHECKING

from affinecal_gui.calibration.calibrators.calibrator import Calibrator

if TYPE_CHECKING:
    from affinecal_gui.calibration.kernels.method_fit import KernelFitting


def _fitting() -> "KernelFitting":
    from affinecal_gui.calibration.kernels.method_fit import CokrigingFitting

    return CokrigingFitting()


COKRIGING = Calibrator(
    key="cokriging",
    name="co-kriging",
    short_title="Co-kriging",
    role="lime",
    equation="y = d + ρ f + g(x)",
    explanation=(
        "Good where polymers of like structure are off alike: a straight line in the MD value, and a smooth function "
        "of the structure."
    ),
    kernels=_fitting,
    work=2.0,
)
