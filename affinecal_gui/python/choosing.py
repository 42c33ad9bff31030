"""The choices about a calibration as arguments of Python -> the choices of the study."""

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from affinecal_gui.calibration.calibrators.registry import RECOMMENDED, calibrator_keys
from affinecal_gui.calibration.names import key_named
from affinecal_gui.calibration.results import ModelName, Penalties
from affinecal_gui.polymers.vibrations.constraint import Constraint
from affinecal_gui.python.arguments import number, numbers, numbers_by_name, one_of, texts, true_or_false, whole_number
from affinecal_gui.study.fitting.choices import Choices
from affinecal_gui.study.snapshot import Weighting

Protocol = Literal["default", "paper"]
Bands = Literal["posterior", "bootstrap"]
Errors = Literal["raise", "report"]
"""What becomes of rows that cannot be used: a ValueError, or a reason beside the results of the others."""


def choices_of(
    *,
    calibrator: ModelName | None = None,
    protocol: Protocol | None = None,
    seed: int | None = None,
    log: bool | None = None,
    weights: Weighting | None = None,
    penalties: Sequence[float] | None = None,
    blocks_off: Sequence[str] | None = None,
    block_penalties: Mapping[str, float] | None = None,
    interval: float | None = None,
    bands: Bands | None = None,
    rigid_bonds: Constraint | None = None,
    robust: bool | None = None,
    temperature_tolerance: float | None = None,
    md_on_one_level: bool | None = None,
) -> Choices:
    """Return the choices that these arguments of :class:`affinecal_gui.Study` make; raise ValueError for what is none."""
    return Choices(
        protocol=one_of(protocol, get_args(Protocol), "protocol"),
        seed=whole_number(seed, "seed"),
        model=one_of(
            key_named(calibrator) if isinstance(calibrator, str) else calibrator,
            (*calibrator_keys(), RECOMMENDED),
            "calibrator",
        ),
        log_scale=true_or_false(log, "log"),
        weighting=one_of(weights, get_args(Weighting), "weights"),
        penalties=_penalties(penalties),
        blocks_off=texts(blocks_off, "blocks_off"),
        block_factors=numbers_by_name(block_penalties, "block_penalties"),
        interval_level=number(interval, "interval"),
        bands=one_of(bands, get_args(Bands), "bands"),
        rigid_bonds=one_of(rigid_bonds, get_args(Constraint), "rigid_bonds"),
        robust=true_or_false(robust, "robust"),
        temperature_tolerance=number(temperature_tolerance, "temperature_tolerance"),
        md_on_one_level=true_or_false(md_on_one_level, "md_on_one_level"),
    )


def _penalties(penalties: Sequence[float] | None) -> Penalties | None:
    found = numbers(penalties, "penalties")
    if found is None:
        return None
    if len(found) not in (2, 3):
        raise ValueError("penalties takes two or three numbers: λ₁, λ₂ and, if you like, λ of β.")
    return Penalties(*found)
