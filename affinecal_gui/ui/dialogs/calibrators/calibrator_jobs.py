"""What is done with a calibrator file in the background: opened, asked about a polymer, applied to a table."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from affinecal_gui.task import Task
from affinecal_gui.ui.running.job import Job

if TYPE_CHECKING:  # these import the chemistry, which the first window does not wait for
    from affinecal_gui.calibration.results import FloatArray
    from affinecal_gui.study.asking.asked_polymer import AskedPolymer
    from affinecal_gui.study.calibrator_files.calibrator_file import CalibratorFile


@dataclass(frozen=True, slots=True, eq=False)
class OpenedCalibrator:
    """A calibrator file with what is shown of it."""

    path: str
    file: "CalibratorFile"
    effects: "FloatArray"  # (d,) of its descriptors

    @property
    def name(self) -> str:
        """File name."""
        return Path(self.path).name


@dataclass(frozen=True, eq=False)
class OpenCalibrator(Job[OpenedCalibrator]):
    """Read a calibrator file."""

    path: str

    def run(self, task: Task, publish: Callable[[OpenedCalibrator], None]) -> OpenedCalibrator:
        """Read it, and work out its coefficients."""
        from affinecal_gui.study.calibrator_files.calibrator_file import open_calibrator

        task.report(0.0, f"Opening {Path(self.path).name}")
        opened = open_calibrator(self.path)
        return OpenedCalibrator(self.path, opened, opened.calibrator.effects)


@dataclass(frozen=True, eq=False)
class AskCalibrator(Job["AskedPolymer"]):
    """Answer what a calibrator says of a polymer."""

    opened: OpenedCalibrator
    text: str
    md: str

    def run(self, task: Task, publish: "Callable[[AskedPolymer], None]") -> "AskedPolymer":
        """Answer."""
        from affinecal_gui.tasks.predicting.asking_calibrator import ask_calibrator

        return ask_calibrator(self.opened.file, self.text, self.md, task=task)


@dataclass(frozen=True, slots=True)
class AppliedTable:
    """A table that was calibrated, and what is said of it."""

    path: str
    said: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class ApplyCalibrator(Job[AppliedTable]):
    """Calibrate the MD values of a table, as ``affinecal apply`` does."""

    opened: OpenedCalibrator
    table: str
    path: Path

    def run(self, task: Task, publish: Callable[[AppliedTable], None]) -> AppliedTable:
        """Write the calibrated table."""
        from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
        from affinecal_gui.tasks.predicting.applying import apply_file

        said = apply_file(
            Path(self.opened.path), Path(self.table), self.path, cache=DescriptorCache(), overwrite=True, task=task
        )
        return AppliedTable(str(self.path), tuple(said))
