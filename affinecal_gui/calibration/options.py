"""What the user can choose about a calibration."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from affinecal_gui.calibration.input_errors import CalibrationInputError
from affinecal_gui.calibration.results import ModelName, Penalties
from affinecal_gui.numbers import significant

PAPER_LAMBDA_1 = tuple(float(x) for x in np.logspace(-2, 2, 25))
PAPER_LAMBDA_2 = (50.0, 100.0, 150.0)
WIDE_LAMBDA_2 = tuple(float(x) for x in np.logspace(0, 3, 13))
"""1 ... 1000: the best value of the heat-capacity example (about 32) lies below the paper's three."""

DEALING = 0
"""Which random folds the default protocol deals. Another number would be as good; none is better than another."""

LARGEST_PENALTY = 1e100
"""Beyond it products with the descriptors may overflow, and the coefficients are zero all the same."""


@dataclass(frozen=True, slots=True)
class CalibrationOptions:
    """Everything that, with the data, determines a calibration.

    ``protocol="default"`` is leak-free: scaling constants and penalties are learned inside every training part.
    ``"paper"`` follows Minami et al. (NeurIPS 2023, supplement): descriptors z-scored over all measured polymers, their
    penalty grid, five contiguous inner folds, and block updates that stop at a relative change of 1e-3.

    ``bands="posterior"`` covers the truth about as often as it says, ``"bootstrap"`` shows how the penalised fit depends on
    which polymers were measured (see :mod:`affinecal_gui.calibration.uncertainty.parameter_bands`).
    """

    log_scale: bool = True  # fit the natural logarithm of the property
    protocol: Literal["default", "paper"] = "default"
    repetitions: int = 5  # of the out-of-fold predictions, each with its own random folds
    outer_folds: int = 10  # more than for the penalties: each training part is nearly as large as the whole
    inner_folds: int = 5  # for the penalties, inside each training part
    penalties: Mapping[ModelName, Penalties] | None = None  # by hand; models not named here: by cross-validation
    lambda_1_grid: tuple[float, ...] | None = None  # None: the protocol's own
    lambda_2_grid: tuple[float, ...] | None = None
    lambda_beta: float = 1.0
    interval_level: float = 0.9
    bands: Literal["posterior", "bootstrap", "none"] = "posterior"  # of coefficients and parameters
    bootstrap: int = 100  # refits, when bands are made by them
    measure_next: int = 10  # number of polymers to suggest; 0 for none
    seed: int = 0
    blocks_off: frozenset[int] = frozenset()  # positions of descriptor blocks left out of the models
    block_factors: Mapping[int, float] = field(default_factory=dict)  # by position: multiply both penalties of a block
    wide_beyond: bool = True  # intervals of calibrators with descriptors widen far from the fit; not in older files
    cautious_prior: bool = False  # penalties were chosen with caution, as in older calibrator files: see noise/prior
    robust: bool = False  # whether values far from a fit count less, see affinecal_gui.calibration.calibrators.robust

    @property
    def by_hand(self) -> Mapping[ModelName, Penalties]:
        """Penalties set by hand; empty when all are chosen by cross-validation."""
        return {} if self.penalties is None else self.penalties

    @property
    def dealing(self) -> int:
        """What the random folds follow from: always the same, so that another seed changes neither a value nor an interval.

        The paper's protocol draws them from the seed, as published.
        """
        return self.seed if self.protocol == "paper" else DEALING

    @property
    def lambda_1(self) -> tuple[float, ...]:
        """The grid of lambda_1."""
        return PAPER_LAMBDA_1 if self.lambda_1_grid is None else self.lambda_1_grid

    @property
    def lambda_2(self) -> tuple[float, ...]:
        """The grid of lambda_2."""
        if self.lambda_2_grid is not None:
            return self.lambda_2_grid
        return PAPER_LAMBDA_2 if self.protocol == "paper" else WIDE_LAMBDA_2

    def check(self) -> None:
        """Raise CalibrationInputError when a choice makes no sense."""
        if not 0.0 < self.interval_level < 1.0:
            raise CalibrationInputError(
                f"The interval level must lie between 0 and 1, not {significant(self.interval_level)}."
            )
        if self.repetitions < 1 or self.outer_folds < 2 or self.inner_folds < 2:
            raise CalibrationInputError("Cross-validation needs at least one repetition and two folds.")
        numbers = [number for p in self.by_hand.values() for number in (p.lambda_1, p.lambda_2, p.lambda_beta)]
        if not self.lambda_1 or not self.lambda_2:
            raise CalibrationInputError("The penalty grid is empty: give at least one λ₁ and one λ₂.")
        for number in (*self.lambda_1, *self.lambda_2, self.lambda_beta, *numbers):
            if not np.isfinite(number) or number < 0.0:
                raise CalibrationInputError(
                    f"Penalties must be finite and not negative; one of them is {significant(number)}."
                )
            if number > LARGEST_PENALTY:
                raise CalibrationInputError(
                    f"A penalty of {significant(number)} is too large: beyond {significant(LARGEST_PENALTY)} it leaves "
                    "nothing of the coefficients but rounding. Choose a smaller one."
                )
        for number in (*self.lambda_1, *(p.lambda_1 for p in self.by_hand.values())):
            if number <= 0.0:
                raise CalibrationInputError("λ₁ must be positive: without it the coefficients have no unique answer.")
        for number in (self.lambda_beta, *(p.lambda_beta for p in self.by_hand.values())):
            if number <= 0.0:
                raise CalibrationInputError("The penalty of β must be positive: it keeps β and the coefficients apart.")
        if any(not (np.isfinite(factor) and factor > 0.0) for factor in self.block_factors.values()):
            raise CalibrationInputError("The factors of block penalties must be positive numbers.")
        if self.measure_next < 0:
            raise CalibrationInputError("The number of suggestions cannot be negative.")
        if self.bands == "bootstrap" and self.bootstrap < 20:
            raise CalibrationInputError("Bands need at least 20 bootstrap refits.")
