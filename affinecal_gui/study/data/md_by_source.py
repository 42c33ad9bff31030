"""MD values of each source by itself, where a study has several: calibrators may weigh them, not only put them together."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.tables.matching.md_sources import sources_of

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class MDBySource:
    """The MD values of the m library polymers by each of s sources, canonical unit; nan where a source has none."""

    names: tuple[str, ...]  # (s,)
    values: FloatArray  # (m, s)


def md_by_source(assembly: Assembly) -> MDBySource | None:
    """Return the MD values by source; None where there is one source.

    They are as they are put together: at the same conditions, and on one level where that is wished for, which a calibrator
    with an offset does not notice. Polymers of the library that the study's tables do not hold have none.
    """
    side, report = assembly.md_side, assembly.report
    if side is None or report is None or not assembly.md_sources:
        return None
    of_rows = sources_of(side.table)
    if not of_rows:
        return None
    names = (assembly.md_sources[0].reference, *(one.source for one in assembly.md_sources))
    place = {name: at for at, name in enumerate(names)}
    row_values = side.table.values[("md", assembly.quantity.key)].values
    found = np.full((len(assembly.library_md), len(names)), np.nan)
    for index, polymer in enumerate(report.library):
        own: list[list[float]] = [[] for _ in names]
        for row in polymer.counted_rows:
            if of_rows[row] in place and np.isfinite(row_values[row]):
                own[place[of_rows[row]]].append(float(row_values[row]))
        found[index] = [np.mean(some) if some else np.nan for some in own]
    found.flags.writeable = False
    return MDBySource(names, found)
