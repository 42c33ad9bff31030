"""The calibrators of a screening: named by what is in their files, opened once in each process."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from affinecal_gui.calibration.sharing.coefficients_only import CoefficientsOnly
from affinecal_gui.calibration.sharing.with_training import TrainedCalibrator
from affinecal_gui.errors import UserError
from affinecal_gui.study.calibrator_files.calibrator_file import CalibratorFile, open_calibrator
from affinecal_gui.study.describing.describing import FORCE_FIELD, blocks_of
from affinecal_gui.tables.row_stream import facts_of
from affinecal_gui.tables.units.properties import Property

_MOST_OPEN = 20

_handed_over: dict[str, bytes] = {}
"""Files by their SHA-256, in a process that may not reach the folder they come from."""


@dataclass(frozen=True, slots=True)
class CalibratorSource:
    """A calibrator file."""

    path: str
    digest: str  # SHA-256


@dataclass(frozen=True, slots=True, eq=False)
class ScreenedCalibrator:
    """A calibrator that is open."""

    name: str  # of its file
    file: CalibratorFile

    @property
    def quantity(self) -> Property:
        """What it calibrates."""
        return self.file.facts.quantity

    @property
    def predicts_md(self) -> bool:
        """Whether it calibrates polymers without an MD value as well."""
        return self.file.predicts_md

    @property
    def calibrator(self) -> TrainedCalibrator | CoefficientsOnly:
        """What does it."""
        return self.file.calibrator


def calibrator_sources(paths: Sequence[Path]) -> tuple[CalibratorSource, ...]:
    """Name calibrator files by their contents.

    Raises
    ------
    UserError
        One cannot be read, two calibrate the same property, or they use different ready descriptors.
    """
    sources = tuple(CalibratorSource(str(path.resolve()), facts_of(path).digest) for path in paths)
    seen: dict[str, str] = {}
    for path, source in zip(paths, sources, strict=True):
        one = opened(source)
        title = one.quantity.title.lower()
        if one.quantity.key in seen:
            raise UserError(
                f"{seen[one.quantity.key]} and {path.name} both calibrate {title}: name one calibrator for each property."
            )
        seen[one.quantity.key] = path.name
    ready = {descriptors_asked_for(opened(source)) for source in sources}
    if len(ready) > 1:
        raise UserError(
            f"{' and '.join(path.name for path in paths[:3])} use different descriptors of their own: "
            "screen with one at a time."
        )
    return sources


def descriptors_asked_for(one: ScreenedCalibrator) -> tuple[str, ...]:
    """Return the ready descriptors that the library has to bring; none where they are those of the force field."""
    names = one.file.facts.descriptors.names
    return () if names == blocks_of(FORCE_FIELD).columns else names


@lru_cache(maxsize=_MOST_OPEN)
def opened(source: CalibratorSource) -> ScreenedCalibrator:
    """Open a calibrator, once in each process; raise UserError where it cannot be."""
    name = Path(source.path).name
    content = _handed_over.get(source.digest)
    if content is None:
        return ScreenedCalibrator(name, open_calibrator(source.path))
    with tempfile.TemporaryDirectory(prefix="affinecal-") as folder:
        copy = Path(folder) / name
        copy.write_bytes(content)
        return ScreenedCalibrator(name, open_calibrator(copy))


def hand_over(contents: Mapping[str, bytes]) -> None:
    """Let this process open these files, by their SHA-256, without the folder they come from."""
    _handed_over.update(contents)


def contents_of(sources: Sequence[CalibratorSource]) -> dict[str, bytes]:
    """Return what is handed over to processes of other computers."""
    return {source.digest: Path(source.path).read_bytes() for source in sources}
