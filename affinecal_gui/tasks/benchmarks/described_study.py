"""What every benchmark on the user's own tables begins with: reading them, matching, and describing the polymers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from affinecal_gui.study.data.assembly import Assembly, assemble
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.fitting.calibrating import DescribedLibrary, Training, describe_library, training_of
from affinecal_gui.study.importing.unit_doubts import refuse_unnamed_units
from affinecal_gui.study.snapshot import Settings
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.task import Task
from affinecal_gui.tasks.reading.data_files import DataFiles, read_study
from affinecal_gui.tasks.reading.study_read import reading_notes

DESCRIBED = 0.3
"""Share of the whole that it takes."""


@dataclass(frozen=True, slots=True, eq=False)
class DescribedStudy:
    """Tables that are matched, their polymers described, and which of them can be fitted."""

    settings: Settings
    tables: Sequence[PolymerTable]
    assembly: Assembly
    described: DescribedLibrary
    training: Training

    @property
    def notes(self) -> list[str]:
        """What was read as what, in sentences."""
        return reading_notes(self.tables, self.assembly)


def read_described(
    files: DataFiles, *, log_scale: bool | None = None, cache: DescriptorCache | None, task: Task
) -> DescribedStudy:
    """Read the tables of a benchmark; it takes the first :data:`DESCRIBED` of the task.

    Parameters
    ----------
    log_scale
        Of a protocol that prescribes it; None leaves the usual scale of the property.

    Raises
    ------
    UserError
        A file cannot be read, its unit is not known, or too few polymers can be fitted.
    """
    state, tables = read_study(files, task=task)
    settings = state.settings if log_scale is None else replace(state.settings, log_scale=log_scale)
    assembly = assemble(state.tables, state.quantity, settings.matching, task=task.part(0.05, 0.1))
    refuse_unnamed_units(assembly.unit_doubts, state.tables)
    described = describe_library(assembly, cache=cache, task=task.part(0.1, DESCRIBED))
    return DescribedStudy(settings, tables, assembly, described, training_of(assembly, described, settings))
