"""The choices about a calibration as arguments of Python -> the choices of the study."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np

from affinecal_gui.calibration.calibrators.registry import RECOMMENDED, calibrator_keys
from affinecal_gui.calibration.results import ModelName, Penalties
from affinecal_gui.polymers.vibrations.constraint import Constraint
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
    if isinstance(blocks_off, str):
        blocks_off = (blocks_off,)
    return Choices(
        protocol=one_of(protocol, get_args(Protocol), "protocol"),
        seed=_seed(seed),
        model=one_of(calibrator, (*calibrator_keys(), RECOMMENDED), "calibrator"),
        log_scale=None if log is None else bool(log),
        weighting=one_of(weights, get_args(Weighting), "weights"),
        penalties=_penalties(penalties),
        blocks_off=None if blocks_off is None else tuple(blocks_off),
        block_factors=None if block_penalties is None else dict(block_penalties),
        interval_level=None if interval is None else float(interval),
        bands=one_of(bands, get_args(Bands), "bands"),
        rigid_bonds=one_of(rigid_bonds, get_args(Constraint), "rigid_bonds"),
        robust=None if robust is None else bool(robust),
        temperature_tolerance=None if temperature_tolerance is None else float(temperature_tolerance),
        md_on_one_level=None if md_on_one_level is None else bool(md_on_one_level),
    )


def one_of(value: Any, allowed: Sequence[Any], what: str) -> Any:
    """Return a value that is None or one of those allowed; raise ValueError for any other."""
    if value is not None and value not in allowed:
        raise ValueError(f"{what} must be one of {', '.join(map(repr, allowed))}, not {value!r}")
    return value


def _seed(seed: object) -> int | None:
    if seed is None:
        return None
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise ValueError(f"seed must be a whole number that is not negative, not {seed!r}")
    return int(seed)


def _penalties(penalties: Sequence[float] | None) -> Penalties | None:
    if penalties is None:
        return None
    numbers = [float(number) for number in penalties]
    if len(numbers) not in (2, 3):
        raise ValueError("penalties takes two or three numbers: λ₁, λ₂ and, if you like, λ of β.")
    return Penalties(*numbers)
