"""The calibrator file: one ``.affinecal-model`` file that calibrates without the study it comes from.

The layout is described in ``docs/calibrator-files.md``.
"""

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from affinecal_gui.calibration.calibrators.registry import calibrator as calibrator_record
from affinecal_gui.calibration.sharing.coefficients_only import CoefficientsOnly
from affinecal_gui.calibration.sharing.with_training import TrainedCalibrator, can_be_shared
from affinecal_gui.polymers.descriptors.blocks import DescriptorBlocks
from affinecal_gui.polymers.force_field.fingerprint import force_field_fingerprint
from affinecal_gui.study.calibrator_files.description import (
    CARD,
    CHECKSUMS,
    COEFFICIENTS,
    DESCRIPTION,
    FORMAT_VERSION,
    MANIFEST,
    SOURCES,
    SURROGATE,
    TRAINING,
    ArrayShapes,
    CalibratorFacts,
    CalibratorManifest,
    SourceFacts,
    SurrogateFacts,
    TrainingFacts,
)
from affinecal_gui.study.calibrator_files.plain_numbers import StoredArrays, array_member
from affinecal_gui.study.calibrator_files.stored_coefficients import (
    CoefficientFacts,
    arrays_of_coefficients,
    facts_of_coefficients,
    read_coefficients,
)
from affinecal_gui.study.calibrator_files.stored_sources import (
    arrays_of_closed_sources,
    arrays_of_sources,
    check_sources,
    read_closed_sources,
    read_sources,
)
from affinecal_gui.study.calibrator_files.stored_surrogate import (
    arrays_of_surrogate,
    facts_of_surrogate,
    read_surrogate,
)
from affinecal_gui.study.calibrator_files.stored_training import arrays_of_training, read_training
from affinecal_gui.study.describing.own_descriptors import blocks_of_names
from affinecal_gui.study.md_conditions import MDConditions, MDPressures, MDTemperatures
from affinecal_gui.study.records.archive import CALIBRATOR, Archive, Member, new_archive
from affinecal_gui.study.records.stored_errors import DamagedContent, StudyFileError
from affinecal_gui.study.records.stored_records import from_json, from_plain, to_json, to_plain, without_markup
from affinecal_gui.study.stored.manifest import CALIBRATOR_FORMAT
from affinecal_gui.study.stored.manifest import FORMAT as STUDY_FORMAT
from affinecal_gui.task import UNWATCHED, Task

LARGEST_DOCUMENT = 16 << 20  # bytes of one JSON member
LARGEST_CARD = 1 << 20
KEPT_WHOLE = 8 << 20  # bytes of a member that is not unpacked a second time once its checksum is known

_SHAPES = "numbers.json"


@dataclass(frozen=True, slots=True, eq=False)
class CalibratorFile:
    """A calibrator with everything that its file says of it."""

    manifest: CalibratorManifest
    facts: CalibratorFacts
    calibrator: TrainedCalibrator | CoefficientsOnly
    training: TrainingFacts | None  # of an open one
    card: str  # Markdown
    simulated: tuple[str, ...] = ()  # repeat units of the polymers that its surrogate learned from
    sources: SourceFacts | None = None  # of a calibrator of several

    @property
    def predicts_md(self) -> bool:
        """Whether it calibrates polymers without an MD value, too."""
        return isinstance(self.calibrator, TrainedCalibrator) and self.calibrator.surrogate is not None

    @property
    def md_conditions(self) -> MDConditions:
        """The temperatures of the MD values of its fit."""
        return MDConditions(self.facts.md_temperatures or MDTemperatures(), self.facts.md_pressures or MDPressures())

    @property
    def blocks(self) -> DescriptorBlocks:
        """The blocks of the descriptors that it looks at."""
        return blocks_of_names(self.facts.descriptors.names)


def save_calibrator_file(
    path: str | os.PathLike[str], one: CalibratorFile, *, overwrite: bool = False, task: Task = UNWATCHED
) -> None:
    """Write a calibrator to a file, which appears when it is complete.

    Raises
    ------
    UserError
        The file exists and may not be replaced, the folder is missing or read-only, or the disk is full.
    """
    members = list(_members(one))
    sums = {member.name: hashlib.sha256(member.content).hexdigest() for member in members}
    with new_archive(path, CALIBRATOR, overwrite=overwrite, task=task) as archive:
        for member in (*members, Member(CHECKSUMS, to_json(sums))):
            archive.add(member, task)


def _members(one: CalibratorFile) -> Iterable[Member]:
    yield Member(MANIFEST, to_json(to_plain(one.manifest)))
    yield Member(CARD, one.card.encode())
    yield Member(DESCRIPTION, to_json(to_plain(one.facts)))
    if one.sources is not None:
        yield Member(SOURCES, to_json(to_plain(one.sources)))
    if isinstance(one.calibrator, CoefficientsOnly):
        yield Member(COEFFICIENTS, to_json(to_plain(facts_of_coefficients(one.calibrator))))
        arrays = arrays_of_coefficients(one.calibrator)
        if one.calibrator.sources is not None:
            arrays |= arrays_of_closed_sources(one.calibrator.sources)
    else:
        yield Member(TRAINING, to_json(to_plain(one.training)))
        arrays = arrays_of_training(one.calibrator)
        if one.calibrator.sources is not None:
            arrays |= arrays_of_sources(one.calibrator.sources)
        if one.calibrator.surrogate is not None:
            surrogate = one.calibrator.surrogate
            yield Member(SURROGATE, to_json(to_plain(facts_of_surrogate(surrogate, one.simulated))))
            arrays |= arrays_of_surrogate(surrogate)
    yield Member(_SHAPES, to_json(to_plain(ArrayShapes({name: own.shape for name, own in arrays.items()}))))
    for name, values in arrays.items():
        yield array_member(name, values)


def holds_calibrator(path: str | os.PathLike[str], one: CalibratorFile) -> bool:
    """Return whether a file can be read and holds this very calibrator, whenever it was saved."""
    sums = {member.name: hashlib.sha256(member.content).hexdigest() for member in _members(one)}
    try:
        with Archive(Path(path), CALIBRATOR) as archive:
            stored = _document(archive, CHECKSUMS)
    except (StudyFileError, DamagedContent):
        return False
    return {**stored, MANIFEST: ""} == {**sums, MANIFEST: ""}


# -- and back -----------------------------------------------------------------------------------------------------------


def open_calibrator(path: str | os.PathLike[str]) -> CalibratorFile:
    """Read a calibrator.

    The file may come from anywhere: nothing in it is run, and everything is checked.

    Raises
    ------
    StudyFileError
        The file is missing, is no calibrator, is damaged, was saved by a newer version, or belongs to another force field;
        the sentence says which.
    """
    target = Path(os.path.abspath(path))  # noqa: PTH100 - links are not followed
    with Archive(target, CALIBRATOR) as archive:
        try:
            return _opened(archive)
        except DamagedContent as error:
            raise StudyFileError(f"{archive.name} is damaged: {error}. Ask for it again where it comes from.") from None


def _opened(archive: Archive) -> CalibratorFile:
    manifest = _manifest(archive)
    _check_sums(archive)
    facts = from_plain(CalibratorFacts, _document(archive, DESCRIPTION), DESCRIPTION)
    _check_facts(facts, archive.name)
    stored = from_plain(ArrayShapes, _document(archive, _SHAPES), _SHAPES)
    arrays = StoredArrays(archive, stored.shapes)
    calibrator: TrainedCalibrator | CoefficientsOnly
    training, simulated = None, tuple[str, ...]()
    one_source = calibrator_record(facts.model).one_source
    if (SOURCES in archive) != bool(one_source):
        raise DamagedContent(f"{SOURCES} is not what {DESCRIPTION} says of it")
    sources = from_plain(SourceFacts, _document(archive, SOURCES), SOURCES) if one_source else None
    if sources is not None:
        check_sources(sources)
    if manifest.has_surrogate != (SURROGATE in archive) or (manifest.has_surrogate and manifest.grade == "closed"):
        raise DamagedContent(f"{SURROGATE} is not what {MANIFEST} says of it")
    if manifest.grade == "closed":
        own = from_plain(CoefficientFacts, _document(archive, COEFFICIENTS), COEFFICIENTS)
        calibrator = read_coefficients(facts, own, len(facts.descriptors.names), arrays)
        if sources is not None:
            of_sources = read_closed_sources(sources, len(facts.descriptors.names), arrays)
            calibrator = replace(calibrator, sources=of_sources)
    else:
        training = from_plain(TrainingFacts, _document(archive, TRAINING), TRAINING)
        sizes = blocks_of_names(facts.descriptors.names).sizes
        calibrator = read_training(facts, training, sizes, arrays)
        used = sum(size for position, size in enumerate(sizes) if position not in training.blocks_off)
        if sources is not None:
            parts = calibrator.training.fold.shape[0] * (int(calibrator.training.fold.max()) + 1)
            known = read_sources(sources, one_source, facts.polymers, parts, used, arrays)
            calibrator = replace(calibrator, sources=known)
        if manifest.has_surrogate:
            how = from_plain(SurrogateFacts, _document(archive, SURROGATE), SURROGATE)
            calibrator = replace(calibrator, surrogate=read_surrogate(how, facts.polymers, used, arrays))
            simulated = how.simulated
    card = archive.read(CARD, LARGEST_CARD).decode("utf-8", errors="replace")
    return CalibratorFile(manifest, _plain_words(facts), calibrator, training, without_markup(card), simulated, sources)


def _manifest(archive: Archive) -> CalibratorManifest:
    name = archive.name
    if MANIFEST not in archive:
        raise StudyFileError(f"{name} is not a calibrator: it is a zip file of something else.")
    document = _document(archive, MANIFEST)
    version = document.get("version")
    if document.get("format") == STUDY_FORMAT:
        raise StudyFileError(f"{name} is a study, not a calibrator: name it with --study, or open it as a study.")
    if (
        document.get("format") != CALIBRATOR_FORMAT
        or not isinstance(version, int)
        or isinstance(version, bool)
        or version < 1
    ):
        raise StudyFileError(f"{name} is not a calibrator: its manifest is that of something else.")
    assert isinstance(version, int)
    if version > FORMAT_VERSION:
        raise StudyFileError(
            f"{name} was saved by a newer version of AffineCal (calibrator format {version}, while this version reads up to "
            f"{FORMAT_VERSION}). Update AffineCal to use it."
        )
    return from_plain(CalibratorManifest, document, MANIFEST)


def _check_sums(archive: Archive) -> None:
    """Refuse parts that are not those that were saved."""
    sums = _document(archive, CHECKSUMS)
    for name in archive.names():
        if name in (CHECKSUMS, "mimetype"):
            continue
        if sums.get(name) is None:
            raise DamagedContent(f"{name} is not among its checksums")
        if sums[name] != _sum_of(archive, name):
            raise DamagedContent(f"{name} is not as it was saved, its checksum differs")
    for name in sums:
        if name not in archive:
            raise DamagedContent(f"{name} is missing")


def _sum_of(archive: Archive, name: str) -> str:
    if archive.size(name) <= KEPT_WHOLE:
        content = archive.read(name, KEPT_WHOLE)
        archive.keep(name, content)
        return hashlib.sha256(content).hexdigest()
    digest = hashlib.sha256()
    with archive.stream(name) as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _plain_words(facts: CalibratorFacts) -> CalibratorFacts:
    """Return the facts with their sentences as plain text."""
    return replace(facts, protocol=without_markup(facts.protocol), advice=without_markup(facts.advice))


def _check_facts(facts: CalibratorFacts, name: str) -> None:
    descriptors = facts.descriptors
    if not can_be_shared(facts.model):
        raise DamagedContent(f"{DESCRIPTION}: the calibrator {facts.model} is none that has a file of its own")
    if not 0.0 < facts.level < 1.0:
        raise DamagedContent(f"{DESCRIPTION}: level is not between 0 and 1")
    for held in (facts.md_temperatures, facts.md_pressures):
        if held is not None and not held.can_be:
            raise DamagedContent(f"{DESCRIPTION}: the {held.noun}s of its MD values cannot be")
    if len(set(descriptors.names)) != len(descriptors.names):
        raise DamagedContent(f"{DESCRIPTION}: two descriptors have the same name")
    if descriptors.computed and descriptors.tables != force_field_fingerprint():
        raise StudyFileError(
            f"{name} was made with other tables of the force field {descriptors.force_field} than this version of AffineCal "
            "has, so its descriptors would be others. Use it with the version that made it, or ask for a new one."
        )


def _document(archive: Archive, name: str) -> dict[str, object]:
    return from_json(archive.read(name, LARGEST_DOCUMENT), name)
