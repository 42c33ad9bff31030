"""The parameters that results, tables and reports show: what each is called, and which of a linear fit it is."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
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
    meaning_on_linear_scale: str = ""  # where that is another one; both meanings are

    def for_scale(self, *, log_scale: bool) -> "Parameter":
        """Return what it is called where values, or their logarithms, are fitted."""
        words = self.meaning_on_linear_scale
        return self if log_scale or not words else replace(self, short_meaning=words, meaning=words)


ALPHA_0 = Parameter("alpha_0", "alpha_0", "α₀", "offset", "offset")
ALPHA_1 = Parameter("alpha_1", "alpha_1", "α₁", "weight of MD", "weight of the MD value")
BETA = Parameter("beta", "beta", "β", "coupling to MD", "how the correction changes with the MD value")
INTERCEPT = Parameter("intercept", "alpha_0", "c", "mean difference", "mean difference")
ALPHA_K = Parameter("alpha_k", None, "αₖ", "weight of a source", "weight of a source")
"""Stands for as many parameters as there are sources: see :func:`parameters_found`."""
BETA_OF_MEAN = Parameter(
    "beta of the mean source",
    "beta",
    "β",
    "coupling to the mean source",
    "how the correction changes with the mean source",
)

_SUBSCRIPTS = "₁₂₃₄₅₆₇₈₉"
_OF_SOURCE = "alpha of "


def source_weight_name(source: str) -> str:
    """Return what a calibrator of several sources calls the weight of one of them among its parameters."""
    return f"{_OF_SOURCE}{source}"


def sources_taken(weights: Iterable[tuple[str, float]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the sources that a calibrator takes and those that it leaves, by the names and values of its parameters."""
    of_sources = [(name.removeprefix(_OF_SOURCE), value) for name, value in weights if name.startswith(_OF_SOURCE)]
    taken = tuple(name for name, value in of_sources if value != 0.0)
    return taken, tuple(name for name, value in of_sources if value == 0.0)


def parameters_found(known: Iterable[Parameter], names: Iterable[str], *, log_scale: bool) -> tuple[Parameter, ...]:
    """Return those of a calibrator's parameters that a result has, by its names: the weight of each source is one."""
    listed = list(names)
    sources = [name for name in listed if name.startswith(_OF_SOURCE)]
    found: list[Parameter] = []
    for one in known:
        if one is not ALPHA_K:
            found += [one.for_scale(log_scale=log_scale)] if one.name in listed else []
            continue
        for number, name in enumerate(sources):
            symbol = f"α{_SUBSCRIPTS[number] if number < len(_SUBSCRIPTS) else 'ₖ'}"
            meaning = f"weight of {name.removeprefix(_OF_SOURCE)}"
            found.append(replace(one, name=name, symbol=symbol, short_meaning=meaning, meaning=meaning))
    return tuple(found)


def weight_name(member: str) -> str:
    """Return what a combined calibrator calls the weight of a member among its parameters."""
    return f"weight of {member}"


def weight_parameters(members: Iterable[tuple[str, str, str]]) -> tuple[Parameter, ...]:
    """Return the parameters of the weighted mean of calibrators: of their keys, names, and other names on linear scale."""
    return tuple(
        Parameter(
            weight_name(key),
            None,
            f"w{number}",
            f"weight of {name}",
            f"weight of {name}",
            f"weight of {linear}" if linear else "",
        )
        for number, (key, name, linear) in zip(_SUBSCRIPTS, members, strict=False)
    )
