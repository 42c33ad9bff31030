"""Kernel ridge regression on the descriptors alone: no transfer."""

from typing import TYPE_CHECKING

from affinecal_gui.calibration.calibrators.calibrator import Calibrator

if TYPE_CHECKING:
    from affinecal_gui.calibration.kernels.method_fit import KernelFitting


def _fitting() -> "KernelFitting":
    from affinecal_gui.calibration.kernels.method_fit import RidgeFitting

    return RidgeFitting("target")


DIRECT = Calibrator(
    key="direct",
    name="direct",
    short_title="Direct",
    role="olive",
    equation="y = g(x)",
    explanation=(
        "Good where MD says little about the property, and to see what it adds: a smooth function of the structure; "
        "MD is not looked at."
    ),
    kernels=_fitting,
    uses_md=False,
)
