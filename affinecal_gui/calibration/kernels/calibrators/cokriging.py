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
    explanation="Linear in the MD value, smooth in the structure: good where polymers of like structure are off alike.",
    kernels=_fitting,
    work=2.0,
)
