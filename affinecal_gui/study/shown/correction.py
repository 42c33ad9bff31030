"""The correction of one polymer, split exactly among its atoms, bonds, angles and dihedrals."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.calibrators.parameters import weight_name
from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.results import Calibration, CoefficientEstimates, ModelName, ModelResult
from affinecal_gui.errors import UserError
from affinecal_gui.polymers.copolymers.composition import parse_composition
from affinecal_gui.polymers.copolymers.composition_text import holds_several_units
from affinecal_gui.polymers.descriptors.attribution import Attribution, MixedAttribution, attribute, mixed
from affinecal_gui.polymers.descriptors.blocks import DescriptorBlocks
from affinecal_gui.polymers.reading.repeat_unit import RepeatUnit, parse_repeat_unit
from affinecal_gui.study.describing.describing import FORCE_FIELD, blocks_of
from affinecal_gui.study.finished import NO_CALIBRATION
from affinecal_gui.study.snapshot import PolymerRow, Snapshot
from affinecal_gui.study.words.validity_words import is_withheld

NOT_LINEAR = (
    "A method with kernels is not linear in the descriptors: its correction cannot be split among atoms. Choose the affine "
    "or the difference calibrator for that."
)

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Correction:
    """What the descriptors add to the calibrated value of a polymer, on the target scale."""

    unit: RepeatUnit
    attribution: Attribution
    shares: Mapping[int, float]  # of each heavy atom with its hydrogens, by its index in ``unit.molecule``


def correction_of(snapshot: Snapshot, row: PolymerRow) -> Correction:
    """Split the correction of a polymer by the chosen calibrator.

    Raises
    ------
    UserError
        There is nothing to split, with the reason: no calibration, a calibrator without coefficients, own descriptors,
        or a polymer without an MD value.
    """
    calibration, model = _calibration_of(snapshot, row)
    return split_correction(calibration, model, snapshot.blocks, row.smiles, row.md, called=row.label)


def mixed_correction_of(snapshot: Snapshot, row: PolymerRow) -> MixedAttribution:
    """Split the correction of a copolymer by the chosen calibrator among kinds of terms and among its units.

    Raises
    ------
    UserError
        As :func:`correction_of`, but for copolymers.
    """
    calibration, model = _calibration_of(snapshot, row)
    estimates = _splittable(calibration, model, snapshot.blocks)
    composition = parse_composition(row.smiles)
    gamma = _acting(calibration, calibration.models[model], row.md)
    units = [attribute(unit, gamma, estimates.mean, estimates.scale, FORCE_FIELD) for unit in composition.units]
    return mixed(units, composition.fractions)


def _calibration_of(snapshot: Snapshot, row: PolymerRow) -> tuple[Calibration, ModelName]:
    """Return what corrects a polymer; raise UserError where nothing does."""
    calibration, model = snapshot.calibration, snapshot.settings.model
    if calibration is None or model not in calibration.models:
        raise UserError(NO_CALIBRATION)
    if row.library_index < 0 or (calibration.log_scale and not row.md > 0):
        raise UserError(f"{row.label} has no MD value to correct, so there is no correction to split.")
    if is_withheld(calibration, model, row.library_index):
        raise UserError(f"{row.label} is too unlike the polymers of the fit: there is no correction to split.")
    return calibration, model


def _splittable(calibration: Calibration, model: ModelName, blocks: DescriptorBlocks | None) -> CoefficientEstimates:
    """Return the coefficients by which corrections are split; raise UserError where there are none, or own descriptors."""
    estimates = calibration.models[model].coefficients
    if estimates is None:
        raise UserError(
            "The chosen calibrator does not look at descriptors. Choose the affine or the difference calibrator."
        )
    if estimates.average:
        raise UserError(NOT_LINEAR)
    if blocks is None or blocks != blocks_of(FORCE_FIELD):
        raise UserError("Own descriptors belong to whole polymers and cannot be split among atoms.")
    return estimates


def split_correction(
    calibration: Calibration,
    model: ModelName,
    blocks: DescriptorBlocks | None,
    smiles: str,
    md: float,
    *,
    called: str,
) -> Correction:
    """Split the correction of a polymer, ``called`` so, by a calibrator of a calibration with descriptors of ``blocks``.

    Raises
    ------
    UserError
        There is nothing to split: a calibrator without coefficients, own descriptors, or a copolymer.
    """
    estimates = _splittable(calibration, model, blocks)
    if holds_several_units(smiles):
        raise UserError(f"{called} is a copolymer; corrections are split among the atoms of homopolymers only.")
    unit = parse_repeat_unit(smiles)
    gamma = _acting(calibration, calibration.models[model], md)
    attribution = attribute(unit, gamma, estimates.mean, estimates.scale, FORCE_FIELD)
    per_atom = attribution.per_atom()
    shares = {
        atom.GetIdx(): float(per_atom[atom.GetIdx()]) for atom in unit.molecule.GetAtoms() if atom.GetAtomicNum() > 0
    }
    return Correction(unit, attribution, shares)


def _acting(calibration: Calibration, result: ModelResult, md: float) -> FloatArray:
    """Return gamma as it acts on a polymer with this MD value: with its sign, and with the affine model's factor beta f + 1.

    Where others are combined, it is the sum of theirs by their weights.
    """
    members = calibrator(result.model).combines
    if members:
        weights = {name: result.parameters[weight_name(name)].value for name in members}
        acting = [
            weights[name] * _acting(calibration, calibration.models[name], md) for name in members if weights[name]
        ]
        return np.asarray(sum(acting))
    estimates = result.coefficients
    if estimates is None:
        return np.zeros(1)  # it does not look at the descriptors
    log_scale = calibration.log_scale
    beta = result.parameters["beta"].value if "beta" in result.parameters else 0.0
    f = log(md) if log_scale else md
    return estimates.sign * (1.0 + beta * f) * estimates.gamma
