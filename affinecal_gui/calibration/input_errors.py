"""Data that a calibration cannot use, told so that the caller can name the polymer."""

from typing import Literal

from affinecal_gui.errors import UserError


class CalibrationInputError(UserError, ValueError):
    """Some values cannot be used; ``rows`` says which, so that the caller can add names, files and lines.

    It is a ValueError too, as scikit-learn's conventions ask of estimators.

    Attributes
    ----------
    rows
        Positions, from 0, in the array that ``table`` names; empty when the complaint is about the data as a whole.
    table
        "measured" for the n polymers of the fit, "library" for the m polymers with an MD value.
    """

    def __init__(
        self, message: str, rows: tuple[int, ...] = (), table: Literal["measured", "library"] = "measured"
    ) -> None:
        super().__init__(message)
        self.rows = rows
        self.table = table
