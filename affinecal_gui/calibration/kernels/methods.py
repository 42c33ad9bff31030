"""The choices that go with the methods with kernels."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from affinecal_gui.calibration.input_errors import CalibrationInputError
from affinecal_gui.calibration.kernels.gram import KERNELS, KernelName
from affinecal_gui.calibration.results import TransferName

__all__ = (
    "PAPER_FOLDS",
    "PAPER_L1",
    "PAPER_L2",
    "PAPER_L3",
    "PAPER_RIDGE",
    "Solver",
    "TransferName",
    "TransferOptions",
)

PAPER_RIDGE = tuple(float(x) for x in np.logspace(-4, 2, 50))
PAPER_L1 = (1e-3, 1e-2, 1e-1, 1.0)
PAPER_L2 = (1e-2, 1e-1, 1.0, 10.0)
PAPER_L3 = (1e-2, 1e-1, 1.0, 10.0)
PAPER_FOLDS = 5

Solver = Literal["newton", "block"]


@dataclass(frozen=True, slots=True)
class TransferOptions:
    """Everything that, with the data, determines the fits; the defaults are the paper's grids and kernels.

    Wider grids were tried on the bundled examples and did not predict better: with penalties below the paper's, kernels of
    a single MD value extrapolate without measure.

    ``solver="newton"`` finds the optimum of AffineTL-full from b = 0, and for final fits from ``starts - 1`` random starts
    as well, of which the best is kept. ``"block"`` is the paper's program: block updates from one random start.
    """

    kernel_source: KernelName = "rbf"  # K1, on the source features
    kernel_target: KernelName = "rbf"  # K3, on the descriptors
    kernel_factor: KernelName | None = None  # K2 of AffineTL-full, on the source features; None: that of K1
    length_source: float | None = None  # None: square root of the dimension
    length_target: float | None = None
    ridge: tuple[float, ...] = PAPER_RIDGE  # of the five methods made of kernel ridge regressions, and of co-kriging
    l1: tuple[float, ...] = PAPER_L1
    l2: tuple[float, ...] = PAPER_L2
    l3: tuple[float, ...] = PAPER_L3
    folds: int = PAPER_FOLDS
    starts: int = 5
    seed: int = 0
    solver: Solver = "newton"
    smallest_share: float = 0.05  # HTL-scale divides by at least this share of the largest source prediction

    @property
    def factor(self) -> KernelName:
        """The kernel K2."""
        return self.kernel_source if self.kernel_factor is None else self.kernel_factor

    def check(self) -> None:
        """Raise CalibrationInputError when a choice makes no sense."""
        for kernel in (self.kernel_source, self.factor, self.kernel_target):
            if kernel not in KERNELS:
                raise CalibrationInputError(f"There is no kernel “{kernel}”; choose one of {', '.join(KERNELS)}.")
        for length in (self.length_source, self.length_target):
            if length is not None and not (np.isfinite(length) and length > 0.0):
                raise CalibrationInputError(f"The length scale of a kernel must be a positive number, not {length:g}.")
        grids = (self.ridge, self.l1, self.l2, self.l3)
        if not all(grids):
            raise CalibrationInputError("A penalty grid is empty: give at least one penalty of each kind.")
        if not all(np.isfinite(number) and number >= 0.0 for grid in grids for number in grid):
            raise CalibrationInputError("Penalties must be finite and not negative.")
        if not all(number > 0.0 for grid in grids[1:] for number in grid):
            raise CalibrationInputError("The penalties l₁, l₂ and l₃ must be positive.")
        if self.folds < 2:
            raise CalibrationInputError("Cross-validation needs at least two folds.")
        if self.starts < 1:
            raise CalibrationInputError("At least one start is needed.")
        if not 0.0 < self.smallest_share <= 1.0:
            raise CalibrationInputError("The smallest share of a source prediction must lie between 0 and 1.")
