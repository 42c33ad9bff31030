"""What the tables of a study say about how well its MD values are known."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.data.array_checks import read_only
from affinecal_gui.calibration.data.md_noise import MDNoise, standard_errors
from affinecal_gui.notes import detail
from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.headings.heading_words import is_scatter

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class LibraryNoise:
    """The standard errors of the MD values of a library."""

    errors: FloatArray | None  # (m,) target scale, nan where nothing is known; None where nothing is known of any
    runs: FloatArray | None = None  # (m,) of which the values are means; nan where it is not known
    remarks: tuple[str, ...] = ()

    def of(self, fit: NDArray[np.int64], library: int) -> MDNoise | None:
        """Return those of the polymers of a fit, by library index, and of a library of so many, new ones at its end."""
        if self.errors is None or not np.isfinite(self.errors[fit]).any():
            return None
        unknown = np.full(library - len(self.errors), np.nan)
        runs = None if self.runs is None else np.concatenate([self.runs, unknown])
        return MDNoise(self.errors[fit], np.concatenate([self.errors, unknown]), runs)


EXACT = LibraryNoise(None)


def library_noise(assembly: Assembly, *, log_scale: bool) -> LibraryNoise:
    """Return the standard errors of the MD values, as far as the tables tell them.

    A standard deviation is one of runs and says nothing of their mean without their number; of several rows of one
    polymer, their own scatter and number count. A stated error or uncertainty is one of the value, as it stands.
    """
    side, report = assembly.md_side, assembly.report
    if side is None or report is None:
        return LibraryNoise(None)
    column = side.table.values[("md", assembly.quantity.key)]
    values = assembly.library_md[: len(report.library)]
    scatter, runs, stated_runs = np.full((3, len(values)), np.nan)
    for index, polymer in enumerate(report.library):
        rows = [row for row in polymer.rows if row not in polymer.unused_rows]
        if len(rows) > 1 and report.rule not in ("first", "last"):
            scatter[index], runs[index] = float(np.std(column.values[rows], ddof=1)), len(rows)
            continue
        row = rows[-1] if report.rule == "last" else rows[0]
        scatter[index] = column.uncertainty[row]
        if column.repeats is not None:
            stated_runs[index] = column.repeats[row]
    heading = _heading_of_scatter(assembly)
    stated = np.isfinite(scatter) & (scatter > 0.0)
    if heading is None or (not heading and not np.isfinite(stated_runs).any()):  # errors of the values, as they stand
        with np.errstate(all="ignore"):
            errors = np.abs(scatter / np.where(np.isfinite(runs), np.sqrt(runs), 1.0) / (values if log_scale else 1.0))
        return LibraryNoise(read_only(np.where(stated, errors, np.nan)) if stated.any() else None)
    runs = np.where(np.isfinite(runs), runs, stated_runs)
    errors = standard_errors(values, scatter, runs, log_scale=log_scale)
    if np.isfinite(errors).any():
        return LibraryNoise(errors, read_only(runs))
    if not stated.any():
        return LibraryNoise(None)
    remark = (
        f"MD values are taken as exact: “{shortened(heading)}” says how far runs scatter, but not how many there were of a "
        f"polymer. With a column of their number, such as “{_count_beside(heading)}”, slopes and intervals allow for it."
    )
    return LibraryNoise(None, remarks=(detail(remark),))


def _heading_of_scatter(assembly: Assembly) -> str | None:
    """Return the heading of a column of standard deviations of the MD values; "" without a column, None for errors."""
    found = None
    for loaded in assembly.tables:
        columns = loaded.table.roles.columns if loaded.table.roles is not None else ()
        owners = {
            one.column
            for one in columns
            if one.role == "md" and one.quantity is not None and one.quantity.key == assembly.quantity.key
        }
        for one in columns:
            if one.role == "uncertainty" and one.of in owners:
                if not is_scatter(one.heading):
                    return None
                found = one.heading
    return found if found is not None else ""


def _count_beside(heading: str) -> str:
    return f"{heading.removesuffix('_std')}_count" if heading.endswith("_std") else "number of runs"
