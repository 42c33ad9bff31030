"""Kernel ridge regression on the source features alone."""

from typing import TYPE_CHECKING

from affinecal_gui.calibration.calibrators.calibrator import Calibrator

if TYPE_CHECKING:
    from affinecal_gui.calibration.kernels.method_fit import KernelFitting


def _fitting() -> "KernelFitting":
    from affinecal_gui.calibration.kernels.method_fit import RidgeFitting

    return RidgeFitting("source")


ONLY_SOURCE = Calibrator(
    key="only_source",
    name="only source",
    short_title="Source",
    role="brown",
    equation="y = g(f)",
    explanation=(
        "Good where MD is off in the same way for all polymers, but not by a straight line: a smooth curve through "
        "measured against MD values."
    ),
    kernels=_fitting,
    uses_descriptors=False,
)
