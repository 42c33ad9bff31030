"""Further MD properties of the same polymers, from which the methods with kernels can learn beside the MD value itself."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.errors import UserError
from affinecal_gui.study.assembly import Assembly
from affinecal_gui.tables.properties import Property

FloatArray = NDArray[np.float64]


def further_properties(assembly: Assembly) -> tuple[Property, ...]:
    """Return the properties of which the MD tables have values, the calibrated one not among them."""
    if assembly.md_side is None or assembly.report is None:
        return ()
    found = assembly.md_side.table.properties("md")
    return tuple(quantity for quantity in found if quantity.key != assembly.quantity.key)


def further_sources(assembly: Assembly, keys: Sequence[str], *, log_scale: bool) -> FloatArray:
    """(m, p) values of further MD properties of the library polymers; logarithms where that can be and the fit uses them.

    Raises
    ------
    UserError
        The MD table has no such property.
    """
    side, report = assembly.md_side, assembly.report
    if side is None or report is None:
        raise UserError("Further sources need a table of MD values.")
    known = {quantity.key.casefold(): quantity.key for quantity in further_properties(assembly)}
    columns = []
    for key in keys:
        found = known.get(key.casefold())
        if found is None:
            others = ", ".join(known.values()) or "none"
            raise UserError(f"The MD table has no further property “{key}” to learn from. It has: {others}.")
        values = side.table.values["md", found].values
        own = [values[list(polymer.rows)] for polymer in report.library]
        column = np.array([np.mean(some[np.isfinite(some)]) if np.isfinite(some).any() else np.nan for some in own])
        told = column[np.isfinite(column)]
        columns.append(np.log(column) if log_scale and (told > 0.0).all() else column)
    return np.column_stack(columns)
