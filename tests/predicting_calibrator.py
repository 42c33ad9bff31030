"""A small calibrator that predicts MD values as well."""

from dataclasses import replace
from functools import cache

import numpy as np

from affinecal_gui.calibration.sharing.shared_surrogate import SharedSurrogate
from affinecal_gui.calibration.sharing.with_training import TrainedCalibrator
from affinecal_gui.calibration.surrogate.surrogate import fit_surrogate
from affinecal_gui.study.calibrator_files.calibrator_file import CalibratorFile
from affinecal_gui.study.calibrator_files.making import calibrator_file_of
from affinecal_gui.study.describing.describing import describe_text
from tests.study.small_study import small_result


@cache
def predicting_calibrator(model: str = "affine") -> CalibratorFile:
    """Return a calibrator of the small study, with MD values predicted by those of 36 polymers."""
    one = calibrator_file_of(small_result(), model, "open")
    assert isinstance(one.calibrator, TrainedCalibrator)
    simulated = [f"*{'C' * carbons}{end}*" for carbons in range(1, 13) for end in ("O", "S", "C(=O)O")]
    X = np.array([describe_text(text)[0] for text in simulated])
    f = np.array([8.0 + 0.05 * len(text) for text in simulated])
    training = one.calibrator.training
    surrogate = SharedSurrogate(
        fit_surrogate(f, X, one.calibrator.sizes), np.log(training.md) + 0.1, np.full(len(training.md), 0.1)
    )
    return replace(
        one,
        manifest=replace(one.manifest, version=2, has_surrogate=True),
        calibrator=replace(one.calibrator, surrogate=surrogate),
        simulated=tuple(simulated),
    )
