"""The file that ``affinecal fit --save-calibrator`` writes beside its results."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from affinecal_gui.calibration.results import ModelName
from affinecal_gui.errors import UserError
from affinecal_gui.files import FileExists
from affinecal_gui.study.stored.study_names import CALIBRATOR_SUFFIX, is_calibrator
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.tasks.writing.own_inputs import keep_inputs

if TYPE_CHECKING:  # a fit whose calibrator is not saved does not wait for what makes files of them
    from affinecal_gui.study.calibrator_files.description import Grade
    from affinecal_gui.study.derived import Derived


@dataclass(frozen=True, slots=True)
class SavedCalibrator:
    """Where the calibrator of a fit is saved, and what the file holds."""

    path: Path
    grade: "Grade"
    overwrite: bool = False

    def check(self, inputs: Iterable[Path]) -> None:
        """Raise UserError where the file could not be written, before anything is computed."""
        if not is_calibrator(self.path):
            raise UserError(f"{self.path.name}: give a calibrator file the ending {CALIBRATOR_SUFFIX}.")
        keep_inputs((self.path,), inputs)
        if self.path.exists() and not self.overwrite:
            raise FileExists(f"{self.path.name} exists already.")

    def save(self, derived: "Derived", model: ModelName, *, task: Task = UNWATCHED) -> list[str]:
        """Write the calibrator of a study; return what the file holds, in sentences.

        Raises
        ------
        UserError
            The calibrator cannot be saved alone, or the file cannot be written.
        """
        from affinecal_gui.study.calibrator_files.calibrator_file import save_calibrator_file
        from affinecal_gui.study.calibrator_files.making import calibrator_file_of, what_it_holds

        one = calibrator_file_of(derived, model, self.grade, task=task)
        save_calibrator_file(self.path, one, overwrite=self.overwrite, task=task)
        return [f"Calibrator saved as {self.path}. {what_it_holds(one)}"]
