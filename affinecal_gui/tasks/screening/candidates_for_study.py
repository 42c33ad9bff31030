"""The best rows of a screening as a table of MD values for a study: those that the library has simulated."""

import csv
import io
import math
from collections.abc import Iterable, Sequence

from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tasks.screening.identities import identity_code
from affinecal_gui.tasks.screening.results.so_far import Candidate


def to_add(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return the candidates with an MD value of their own, once each, without those that the calibrator knew already.

    A predicted MD value is no simulation: a study would take it for one.
    """
    found: dict[bytes | int, Candidate] = {}
    for one in candidates:
        if one.origin == "md" and math.isfinite(one.md) and not one.known:
            found.setdefault(identity_code(one.smiles) or one.row, one)
    return list(found.values())


def table_for_study(candidates: Sequence[Candidate], quantity: Property) -> str:
    """Return a table of MD values in the unit of the property, as text that is read like a file."""
    unit = f" [{quantity.unit}]" if quantity.unit else ""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["id", "name", "smiles", f"MD {quantity.key}{unit}"])
    for one in candidates:
        writer.writerow([one.id or f"row {one.row}", one.name, one.smiles, repr(one.md)])
    return text.getvalue()
