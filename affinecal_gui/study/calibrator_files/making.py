"""From a finished calibration to the file of one of its calibrators."""

import datetime
from dataclasses import replace

import numpy as np

from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.kept_fit import KeptFit
from affinecal_gui.calibration.names import calibrator_in_sentence, calibrator_name, capital
from affinecal_gui.calibration.results import Calibration, ModelName
from affinecal_gui.calibration.sharing.coefficients_only import CoefficientsOnly, without_training
from affinecal_gui.calibration.sharing.with_training import TrainedCalibrator, can_be_shared, trained_calibrator
from affinecal_gui.errors import UserError
from affinecal_gui.polymers.descriptors.blocks import DescriptorBlocks
from affinecal_gui.polymers.force_field.fingerprint import force_field_fingerprint
from affinecal_gui.study.calibrator_files.calibrator_file import CalibratorFile
from affinecal_gui.study.calibrator_files.description import (
    COEFFICIENTS_ONLY,
    SEVERAL_SOURCES,
    WITH_TRAINING,
    CalibratorFacts,
    CalibratorManifest,
    DescriptorFacts,
    Grade,
    SourceFacts,
    TrainingFacts,
)
from affinecal_gui.study.calibrator_files.model_card import model_card
from affinecal_gui.study.calibrator_files.stated_licences import stated_licences
from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.describing.describing import FORCE_FIELD, blocks_of
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.fitting.calibrating import DescribedLibrary
from affinecal_gui.study.fitting.quantum import CORRECTED
from affinecal_gui.study.importing.unit_doubts import typical_md
from affinecal_gui.study.md_conditions import MDConditions
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.stored.manifest import CALIBRATOR_FORMAT
from affinecal_gui.study.stored.study_file import programs
from affinecal_gui.study.words.comparison_words import not_recommended
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.task import UNWATCHED, Task


def calibrated_here(
    state: StudyState, previous: Derived, *, cache: DescriptorCache | None = None, task: Task = UNWATCHED
) -> Derived:
    """Return a study that was calibrated in this session: as it is, or calibrated anew where it comes out of a file.

    Raises
    ------
    UserError
        It cannot be calibrated.
    """
    calibration = previous.snapshot.calibration
    if previous.state == state and calibration is not None and isinstance(calibration.kept_fit, KeptFit):
        return previous
    return derive(state, previous, again=True, calibrated_only=True, cache=cache, task=task)


def calibrator_file_of(derived: Derived, model: ModelName, grade: Grade, *, task: Task = UNWATCHED) -> CalibratorFile:
    """Take one calibrator out of a study that was calibrated in this session.

    An open one predicts MD values as well, where there are enough of them to learn from.

    Raises
    ------
    UserError
        The study is not calibrated, or this calibrator cannot be passed on; the sentence says why.
    """
    calibration, described = derived.snapshot.calibration, derived.descriptors
    quantity = derived.snapshot.quantity
    if calibration is None or quantity is None or not isinstance(described, DescribedLibrary):
        raise UserError("There is no calibration yet: load measured and MD values first.")
    kept_fit = calibration.kept_fit
    if not isinstance(kept_fit, KeptFit):
        raise UserError("This calibration comes out of a study file: calibrate again before the calibrator is saved.")
    check_can_be_shared(calibration, model)
    sources = _source_facts(derived, kept_fit, model)
    facts = _facts(derived, calibration, model, described.blocks, quantity)
    shared: TrainedCalibrator | CoefficientsOnly
    training, simulated, predicts = None, tuple[str, ...](), False
    if grade == "closed":
        shared = without_training(kept_fit, model)
        if sources is not None and shared.sources is not None:
            sources = replace(sources, form=shared.sources.form)
    else:
        shared = trained_calibrator(kept_fit, model, described.blocks.sizes, task=task)
        training = _training_facts(derived, kept_fit)
        predicts = shared.surrogate is not None
        simulated = _simulated(derived) if predicts else ()
    tables = [loaded.table for loaded in derived.state.tables]
    only_coefficients = COEFFICIENTS_ONLY if sources is None else SEVERAL_SOURCES
    return CalibratorFile(
        CalibratorManifest(
            CALIBRATOR_FORMAT,
            only_coefficients if grade == "closed" else WITH_TRAINING,
            datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
            programs(),
            grade,
            summary_of(facts),
            has_surrogate=predicts,
        ),
        facts,
        shared,
        training,
        model_card(
            facts,
            calibration,
            grade,
            [table.name for table in tables],
            stated_licences(tables, grade),
            simulated=len(simulated),
            sources=sources,
        ),
        simulated,
        sources,
    )


def _source_facts(derived: Derived, kept_fit: KeptFit, model: ModelName) -> SourceFacts | None:
    """Return what a calibrator of several sources needs of a polymer beside its MD value; None of any other.

    Raises
    ------
    UserError
        It needs what the row of another table does not have.
    """
    if not calibrator(model).one_source or kept_fit.sources is None:
        return None
    names = kept_fit.sources.names
    of_tables = [name for name in names[1:] if name != CORRECTED]
    if of_tables:
        raise UserError(
            f"{capital(calibrator_in_sentence(model, log_scale=derived.state.settings.log_scale))} cannot be saved as a "
            f"calibrator file, because it weighs the MD values of {' and '.join(of_tables)} side by side, and nothing tells "
            "which values of another table are whose: save the study instead, or choose a calibrator of the MD value alone "
            f"with --calibrator ({calibrator(model).one_source})."
        )
    return SourceFacts(names, derived.state.settings.rigid_bonds)


def _simulated(derived: Derived) -> tuple[str, ...]:
    """Return the repeat units, as written, of the polymers with MD values."""
    assembly = derived.assembly
    assert isinstance(assembly, Assembly)
    known = zip(assembly.library_smiles, np.isfinite(assembly.library_md).tolist(), strict=True)
    return tuple(dict.fromkeys(smiles for smiles, has_md in known if has_md))


def _training_facts(derived: Derived, kept_fit: KeptFit) -> TrainingFacts:
    options = kept_fit.problem.options
    by_place = {row.training_index: row for row in derived.snapshot.rows if row.training_index >= 0}
    rows = [by_place[index] for index in kept_fit.problem.order.given.tolist()]
    return TrainingFacts(
        options.protocol,
        tuple(sorted(options.blocks_off)),
        tuple(sorted(options.block_factors.items())),
        tuple(row.label for row in rows),
        tuple(row.smiles for row in rows),
        options.wide_beyond,
        options.cautious_prior,
    )


def check_can_be_shared(calibration: Calibration, model: ModelName) -> None:
    """Raise UserError where a calibrator cannot be saved as a file of its own."""
    if model not in calibration.models:
        raise UserError(
            f"{capital(calibrator_in_sentence(model, log_scale=calibration.log_scale))} is not among the calibrators of this "
            "study, so it cannot be saved."
        )
    if can_be_shared(model):
        return
    linear = [name for name in calibration.models if can_be_shared(name)]
    own = capital(calibrator_in_sentence(model, log_scale=calibration.log_scale))
    why = (
        "needs more of every polymer than its MD value, such as its vibrations"
        if calibrator(model).needs_further_data
        else "is made of kernels, which compare each polymer with all those of the fit"
    )
    raise UserError(
        f"{own} cannot be saved as a calibrator file, because it {why}: save the study instead, or choose another with "
        f"--calibrator ({', '.join(linear)})."
    )


def summary_of(facts: CalibratorFacts) -> str:
    """Say in a few words what a calibrator is."""
    name = calibrator_name(facts.model, log_scale=facts.log_scale)
    unit = f", {facts.quantity.unit}" if facts.quantity.unit else ""
    return f"{name} calibrator of {facts.quantity.title.lower()}{unit}, trained with {facts.polymers} polymers"


def _facts(
    derived: Derived, calibration: Calibration, model: ModelName, blocks: DescriptorBlocks, quantity: Property
) -> CalibratorFacts:
    computed = set(blocks.columns) <= set(blocks_of(FORCE_FIELD).columns)
    held = _md_conditions(derived)
    return CalibratorFacts(
        quantity=quantity,
        model=model,
        log_scale=calibration.log_scale,
        level=calibration.interval_level,
        protocol=calibration.protocol,
        polymers=len(calibration.measured),
        descriptors=DescriptorFacts(
            blocks.columns,
            computed,
            FORCE_FIELD if computed else "",
            force_field_fingerprint() if computed else "",
        ),
        typical_md=float(f"{typical_md(derived.state.tables, quantity):.1e}"),
        advice=not_recommended(calibration, model),
        md_temperatures=held.temperatures if held.temperatures.are_stated else None,
        md_pressures=held.pressures if held.pressures.are_stated else None,
    )


def _md_conditions(derived: Derived) -> MDConditions:
    assembly = derived.assembly
    assert isinstance(assembly, Assembly)
    return assembly.md_conditions


def what_it_holds(one: CalibratorFile) -> str:
    """Say what of the training polymers is in a file, before it is passed on."""
    count = one.facts.polymers
    if one.manifest.grade == "open":
        simulated = len(one.simulated)
        predicts = (
            f" and predicts MD values as well, by those of {simulated} polymers, whose repeat units it holds too"
            if simulated
            else ""
        )
        return (
            f"It holds the repeat units and the measured values of {count} polymers{predicts}; one of grade closed holds "
            "coefficients only: the same values, with intervals that are told by the distance from the centre of the fit."
        )
    return f"It holds coefficients only, and no repeat unit or measured value of the {count} polymers of the fit."
