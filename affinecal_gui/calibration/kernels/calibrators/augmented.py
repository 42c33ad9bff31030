"""Kernel ridge regression on source features and descriptors together."""

from typing import TYPE_CHECKING

from affinecal_gui.calibration.calibrators.calibrator import Calibrator

if TYPE_CHECKING:
    from affinecal_gui.calibration.kernels.method_fit import KernelFitting


def _fitting() -> "KernelFitting":
    from affinecal_gui.calibration.kernels.method_fit import RidgeFitting

    return RidgeFitting("both")


AUGMENTED = Calibrator(
    key="augmented",
    name="augmented",
    short_title="Augm.",
    role="violet",
    equation="y = g(f, x)",
    explanation=(
        "Good with many measurements, where nobody knows how MD is off: one smooth function of the structure and the "
        "MD value."
    ),
    kernels=_fitting,
)
