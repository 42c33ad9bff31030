"""A calibrator with its training polymers <-> the parts of its file."""

from collections.abc import Mapping, Sequence

import numpy as np

from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.calibrators.training import Fitted
from affinecal_gui.calibration.input_errors import CalibrationInputError
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import FloatArray, ModelName, Penalties
from affinecal_gui.calibration.sharing.with_training import (
    TrainedCalibrator,
    TrainingSet,
    fits_needed,
    members_of,
)
from affinecal_gui.study.calibrator_files.description import CalibratorFacts, TrainingFacts
from affinecal_gui.study.calibrator_files.plain_numbers import StoredArrays
from affinecal_gui.study.records.stored_errors import DamagedContent
from affinecal_gui.tables.errors import shortened

MOST_PARTS = 100_000  # repetitions times folds

ROBUST = "weights of a robust fit"
NOISE = "standard errors of md"

_CONSTANTS = ("a0", "a1", "b", "f_mean", "f_sd", "unit", "sign", "lambda_1", "lambda_2", "lambda_beta")


def arrays_of_training(one: TrainedCalibrator) -> dict[str, FloatArray]:
    """Return the numbers of a calibrator by their names in the file."""
    training = one.training
    found = {
        "measured": training.measured,
        "md": training.md,
        "descriptors": training.descriptors,
        "groups": training.groups.astype(np.float64),
        "folds": training.fold.astype(np.float64),
        "weights of members": one.weights,
    }
    if training.weights is not None:
        found["weights"] = training.weights
    if training.noise is not None:
        found[NOISE] = training.noise
    if training.counted is not None:
        found[ROBUST] = training.counted
    if one.weights_of_parts is not None:
        found["weights of members in parts"] = one.weights_of_parts
    for name in members_of(one.model):
        found |= arrays_of_fits(f"{name}", [one.fits[name]])
    for name in fits_needed(one.model):
        found |= arrays_of_fits(f"{name} in parts", one.fits_of_parts[name])
    return found


def arrays_of_fits(name: str, fits: Sequence[Fitted]) -> dict[str, FloatArray]:
    """Return the numbers of fits of one calibrator by their names in the file, which begin with ``name``."""
    constants = [[getattr(one, field) for field in _CONSTANTS[:7]] + _penalties(one.penalties) for one in fits]
    return {f"{name}, constants": np.array(constants), f"{name}, coefficients": np.stack([one.c for one in fits])}


def _penalties(penalties: Penalties | None) -> list[float]:
    if penalties is None:
        return [float("nan")] * 3
    return [penalties.lambda_1, penalties.lambda_2, penalties.lambda_beta]


def read_training(
    facts: CalibratorFacts, how: TrainingFacts, sizes: tuple[int, ...], arrays: StoredArrays
) -> TrainedCalibrator:
    """Return the calibrator; raise DamagedContent where its parts do not fit each other."""
    n, d, model = facts.polymers, sum(sizes), facts.model
    if len(how.names) != n or len(how.smiles) != n:
        raise DamagedContent("training.json does not name every polymer of the fit")
    if any(not 0 <= position < len(sizes) for position in (*how.blocks_off, *dict(how.block_factors))):
        raise DamagedContent("training.json names a block of descriptors that is not there")
    fold = arrays.whole_numbers("folds", (None, n), n)
    folds = int(fold.max(initial=0)) + 1
    if folds < 2 or not 1 <= len(fold) * folds <= MOST_PARTS:
        raise DamagedContent("the training polymers were not dealt to folds")
    if any(len(np.unique(dealt)) != folds for dealt in fold):
        raise DamagedContent("a fold has no training polymer")
    weights = arrays.read("weights", (n,)) if arrays.has("weights") else None
    if weights is not None and not (weights > 0.0).all():
        raise DamagedContent("a weight is not positive")
    noise = arrays.read(NOISE, (n,)) if arrays.has(NOISE) else None
    if noise is not None and (noise < 0.0).any():
        raise DamagedContent("a standard error of an MD value is negative")
    parts, members = len(fold) * folds, members_of(model)
    counted = arrays.read(ROBUST, (1 + parts, n)) if arrays.has(ROBUST) else None
    if counted is not None and not (
        (counted >= 0.0).all()
        and (counted[0] > 0.0).all()
        and all(
            (counted[1 + at * folds + k, dealt != k] > 0.0).all() for at, dealt in enumerate(fold) for k in range(folds)
        )
    ):
        raise DamagedContent("a weight of the robust fit is not positive")
    used = sum(size for position, size in enumerate(sizes) if position not in how.blocks_off)
    combines = bool(calibrator(model).combines)
    made = TrainedCalibrator(
        model,
        CalibrationOptions(
            log_scale=facts.log_scale,
            protocol=how.protocol,
            interval_level=facts.level,
            measure_next=0,
            blocks_off=frozenset(how.blocks_off),
            block_factors=dict(how.block_factors),
            wide_beyond=how.wide_beyond,
            cautious_prior=how.cautious_prior,
            robust=counted is not None,
        ),
        sizes,
        TrainingSet(
            arrays.read("measured", (n,)),
            arrays.read("md", (n,)),
            arrays.read("descriptors", (n, d)),
            weights,
            arrays.whole_numbers("groups", (n,), n),
            fold,
            noise,
            counted,
        ),
        {name: read_fits(name, f"{name}", 1, used, arrays)[0] for name in members},
        {name: read_fits(name, f"{name} in parts", parts, used, arrays) for name in fits_needed(model)},
        _weights("weights of members", (len(members),), arrays),
        _weights("weights of members in parts", (parts, len(members)), arrays) if combines else None,
    )
    try:
        made.check()
    except CalibrationInputError as error:
        raise DamagedContent(f"its training polymers cannot be right ({shortened(str(error), 120)})") from None
    return made


def _weights(name: str, shape: tuple[int, ...], arrays: StoredArrays) -> FloatArray:
    weights = arrays.read(name, shape)
    if (weights < 0.0).any() or np.abs(weights.sum(axis=-1) - 1.0).max(initial=0.0) > 1e-6:
        raise DamagedContent(f"{name} do not add up to one")
    return weights


def read_fits(model: ModelName, name: str, count: int, used: int, arrays: StoredArrays) -> list[Fitted]:
    """Return ``count`` fits of a linear calibrator that looks at ``used`` descriptors; raise DamagedContent as above."""
    constants = arrays.read(f"{name}, constants", (count, len(_CONSTANTS)), unknown=True)
    coefficients = arrays.read(f"{name}, coefficients", (count, used if calibrator(model).uses_descriptors else 0))
    return [
        _fitted(model, dict(zip(_CONSTANTS, own, strict=True)), c)
        for own, c in zip(constants.tolist(), coefficients, strict=True)
    ]


def _fitted(model: ModelName, own: Mapping[str, float], c: FloatArray) -> Fitted:
    known = [own[name] for name in _CONSTANTS[:7]]
    if any(value != value for value in known) or own["f_sd"] <= 0.0 or own["unit"] <= 0.0 or own["sign"] not in (-1, 1):
        raise DamagedContent(f"the constants of {model} cannot be right")
    penalties = None
    if own["lambda_1"] == own["lambda_1"]:
        penalties = Penalties(own["lambda_1"], own["lambda_2"], own["lambda_beta"])
        if not (penalties.lambda_1 > 0.0 and penalties.lambda_2 >= 0.0 and penalties.lambda_beta > 0.0):
            raise DamagedContent(f"the penalties of {model} cannot be right")
    return Fitted(
        model,
        own["a0"],
        own["a1"],
        own["b"],
        c,
        own["f_mean"],
        own["f_sd"],
        own["unit"],
        int(own["sign"]),
        penalties,
    )
