"""A training part made ready: its rows, its scaling, and the folds by which its penalties are chosen."""

from dataclasses import dataclass

from affinecal_gui.calibration.calibrators.training import TrainingPart
from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.data.scale import DescriptorScale


@dataclass(frozen=True, slots=True)
class Prepared:
    """A training part with its scaling, before any calibrator is fitted."""

    rows: IntArray  # (k,) positions of its rows
    polymers: int  # of these rows
    part: TrainingPart
    scale: DescriptorScale
    inner: IntArray  # (k,) inner folds; the methods with kernels choose their penalties by them
    dealings: tuple[IntArray, ...]  # (k,) each: the folds by which the linear calibrators choose theirs
