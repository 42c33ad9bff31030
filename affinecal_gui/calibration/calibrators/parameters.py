"""The parameters that results, tables and reports show: what each is called, and which of a linear fit it is."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a calibrator."""

    name: str  # in results and files
    of_fit: (
        Literal["alpha_0", "alpha_1", "beta"] | None
    )  # which of a linear fit it is; None for a weight of a combination
    symbol: str
    short_meaning: str  # where there is little room
    meaning: str


ALPHA_0 = Parameter("alpha_0", "alpha_0", "α₀", "offset", "offset")
ALPHA_1 = Parameter("alpha_1", "alpha_1", "α₁", "weight of MD", "weight of the MD value")
BETA = Parameter("beta", "beta", "β", "coupling to MD", "how the correction changes with the MD value")
INTERCEPT = Parameter("intercept", "alpha_0", "c", "mean difference", "mean difference")


def weight_name(member: str) -> str:
    """Return what a combined calibrator calls the weight of a member among its parameters."""
    return f"weight of {member}"


def weight_parameters(members: Iterable[tuple[str, str]]) -> tuple[Parameter, ...]:
    """Return the parameters of the weighted mean of calibrators, of which keys and names are given."""
    return tuple(
        Parameter(weight_name(key), None, f"w{number}", f"weight of {name}", f"weight of {name}")
        for number, (key, name) in zip("₁₂₃₄₅₆₇₈₉", members, strict=False)
    )
