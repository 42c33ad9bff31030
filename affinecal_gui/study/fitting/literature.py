"""How far quantum-corrected MD values lie from measured ones: what is known of their errors without a measurement.

The bundled heat capacities are quoted from the literature and the MD values are RadonPy's, so what is said of other
simulations and other samples is as good as these are like them.
"""

import csv
import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.bundled import resources
from affinecal_gui.polymers.copolymers.composition import identity_of
from affinecal_gui.polymers.vibrations.heat_capacity import classical_surplus, corrected_heat_capacity
from affinecal_gui.study.describing.spectra import spectra_of

FloatArray = NDArray[np.float64]


@cache
def literature_errors() -> FloatArray:
    """(n,) ln(corrected MD value / measured value) of the bundled heat capacities that have an MD value."""
    simulated = {identity_of(row["smiles"]).key: row for row in _rows("md_radonpy.csv") if row["Cp"]}
    pairs = []
    for row in _rows("heat_capacity_measured.csv"):
        partner = simulated.get(identity_of(row["smiles"]).key)
        if partner is not None:
            pairs.append((float(row["Cp [J/(kg K)]"]), partner))
    errors = []
    for (measured, row), spectrum in zip(pairs, spectra_of([row["smiles"] for _, row in pairs]).spectra, strict=True):
        assert spectrum is not None
        corrected = corrected_heat_capacity(float(row["Cp"]), classical_surplus(spectrum, float(row["temp"])))
        errors.append(math.log(corrected / measured))
    found = np.array(errors)
    found.flags.writeable = False
    return found


def literature_half_width(level: float) -> float:
    """Return by how much ln of a value may be off at a level: the quantile of the absolute errors, one more counted.

    The largest where the level asks for more than there are.
    """
    errors = np.sort(np.abs(literature_errors()))
    rank = min(math.ceil(level * (len(errors) + 1) - 1e-9), len(errors))
    return float(errors[rank - 1])


def _rows(name: str) -> list[dict[str, str]]:
    text = (resources() / "examples" / name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))
