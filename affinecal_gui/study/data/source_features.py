"""Further MD properties of the same polymers, from which the methods with kernels can learn beside the MD value itself."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.calibrators.registry import kernel_keys
from affinecal_gui.errors import UserError
from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.study.snapshot import Settings
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.values.polymer_table import PolymerTable

FloatArray = NDArray[np.float64]


def further_properties(assembly: Assembly) -> tuple[Property, ...]:
    """Return the properties of which the MD tables have values, the calibrated one not among them."""
    if assembly.md_side is None or assembly.report is None:
        return ()
    found = assembly.md_side.table.properties("md")
    return tuple(quantity for quantity in found if quantity.key != assembly.quantity.key)


def learned_from(settings: Settings) -> tuple[str, ...]:
    """Return the keys of the further MD properties that a calibrator of these settings learns from."""
    return settings.sources if settings.methods or settings.model in kernel_keys() else ()


def without_sources(assembly: Assembly, keys: Sequence[str]) -> dict[int, str]:
    """Return the library polymers without a value of one of these MD properties, each with its reason in a sentence.

    A property that the MD table does not have at all is not looked at: :func:`further_sources` tells of it.
    """
    known = {quantity.key.casefold(): quantity for quantity in further_properties(assembly)}
    reasons: dict[int, str] = {}
    for quantity in (known[key.casefold()] for key in keys if key.casefold() in known):
        for index in np.flatnonzero(~np.isfinite(_of_library(assembly, quantity.key))).tolist():
            title = quantity.title.lower() if quantity.is_known else quantity.title
            reasons.setdefault(
                index,
                f"It has no MD value of {title}, from which methods with kernels learn. Add it, or take that off.",
            )
    return reasons


def further_sources(assembly: Assembly, keys: Sequence[str], *, log_scale: bool) -> FloatArray:
    """(m, p) values of further MD properties of the library polymers; logarithms where that can be and the fit uses them.

    Raises
    ------
    UserError
        The MD table has no such property.
    """
    columns = [_of_library(assembly, key) for key in keys]
    return np.column_stack([np.log(column) if log_scale and _is_positive(column) else column for column in columns])


def sources_of_newcomers(
    table: PolymerTable, assembly: Assembly, keys: Sequence[str], *, log_scale: bool
) -> FloatArray:
    """(p, s) the same properties of the rows of another MD table, on the scale that the library has; nan where it has none.

    Raises
    ------
    UserError
        The MD table of the study has no such property.
    """
    columns = []
    for key in keys:
        own = table.values.get(("md", _key_in(assembly, key)))
        column = np.full(len(table), np.nan) if own is None else np.array(own.values)
        if log_scale and _is_positive(_of_library(assembly, key)):
            column = np.log(np.where(column > 0.0, column, np.nan))
        columns.append(column)
    return np.column_stack(columns)


def _of_library(assembly: Assembly, key: str) -> FloatArray:
    """(m,) the mean of the values that the MD rows of each polymer have."""
    found, side, report = _key_in(assembly, key), assembly.md_side, assembly.report
    assert side is not None
    assert report is not None
    values = side.table.values["md", found].values
    own = [values[list(polymer.counted_rows)] for polymer in report.library]
    return np.array([np.mean(some[np.isfinite(some)]) if np.isfinite(some).any() else np.nan for some in own])


def _is_positive(column: FloatArray) -> bool:
    return bool((column[np.isfinite(column)] > 0.0).all())


def _key_in(assembly: Assembly, key: str) -> str:
    if assembly.md_side is None or assembly.report is None:
        raise UserError("Further sources need a table of MD values.")
    known = {quantity.key.casefold(): quantity.key for quantity in further_properties(assembly)}
    found = known.get(key.casefold())
    if found is None:
        others = ", ".join(known.values()) or "none"
        raise UserError(f"The MD table has no further property “{key}” to learn from. It has: {others}.")
    return found
