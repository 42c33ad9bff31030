"""The quantity on the axes of a figure, in plain strings."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Quantity:
    """How the calibrated property is written in a figure or report.

    ``symbol_math`` may hold mathematics between dollar signs; what matplotlib cannot read is shown as it stands.
    """

    title: str  # "Specific heat capacity"
    symbol: str  # plain text: "Cp"
    symbol_math: str  # r"$C_\mathrm{p}$"
    unit: str  # "J/(kg K)"; "" when dimensionless
    log_scale: bool = False  # the target scale is the natural logarithm
