"""MD as it is: y = f."""

from typing import TYPE_CHECKING

from affinecal_gui.calibration.calibrators.calibrator import Calibrator

if TYPE_CHECKING:
    from affinecal_gui.calibration.calibrators.training import LinearFitting


def _fitting(key: str) -> "LinearFitting":
    from affinecal_gui.calibration.calibrators.training import LinearFitting

    return LinearFitting(key)  # which fits nothing


RAW_MD = Calibrator(
    key="md",
    name="MD as it is",
    short_title="MD",
    name_in_sentence="the MD value as it is",
    role="grey",
    equation="y = f",
    explanation="The MD value itself, not calibrated.",
    linear=_fitting,
    is_raw=True,
    uses_descriptors=False,
)
