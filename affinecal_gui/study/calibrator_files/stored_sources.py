"""The sources of a calibrator of several <-> the parts of its file."""

import math

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.calibrators.source_fits import SourceFit
from affinecal_gui.calibration.results import FloatArray, ModelName
from affinecal_gui.calibration.sharing.coefficients_only import SourcesOnly
from affinecal_gui.calibration.sharing.trained_sources import TrainedSources
from affinecal_gui.study.calibrator_files.description import SOURCES, SourceFacts
from affinecal_gui.study.calibrator_files.plain_numbers import StoredArrays
from affinecal_gui.study.calibrator_files.stored_training import arrays_of_fits, read_fits
from affinecal_gui.study.fitting.quantum import CORRECTED
from affinecal_gui.study.records.stored_errors import DamagedContent

_FITS = "sources"


def arrays_of_sources(one: TrainedSources) -> dict[str, FloatArray]:
    """Return the numbers of an open calibrator's sources by their names in the file."""
    fits = (one.fit, *one.of_parts)
    taken, centre, apart = (np.zeros((len(fits), len(one.names))) for _ in range(3))
    for row, fit in enumerate(fits):
        some = list(fit.sources)
        taken[row, some], centre[row, some], apart[row, some] = 1.0, fit.centre, fit.apart
    return {
        "sources of training": one.measured,
        "sources taken": taken,
        "sources centre": centre,
        "sources apart": apart,
        **arrays_of_fits(_FITS, [fit.of_mean for fit in fits]),
    }


def arrays_of_closed_sources(one: SourcesOnly) -> dict[str, FloatArray]:
    """Return those of one with coefficients only."""
    return {
        "sources taken": one.taken.astype(np.float64),
        "sources apart": one.apart,
        "sources coefficients": one.coefficients,
        "sources scores": one.scores,
    }


def check_sources(facts: SourceFacts) -> None:
    """Raise DamagedContent where nobody could give a polymer these sources."""
    if len(facts.names) != 2 or facts.names[1] != CORRECTED:
        raise DamagedContent(f"{SOURCES} names sources that no polymer can be given")


def read_sources(
    facts: SourceFacts, one_source: ModelName, n: int, parts: int, used: int, arrays: StoredArrays
) -> TrainedSources:
    """Return the sources of an open calibrator; raise DamagedContent where its parts do not fit each other.

    Parameters
    ----------
    one_source
        The linear calibrator of which it is the form.
    n, parts
        How many training polymers and training parts it has.
    used
        How many descriptors it looks at.
    """
    count, width = 1 + parts, len(facts.names)
    taken = _taken(arrays, (count, width))
    centre, apart = arrays.read("sources centre", (count, width)), arrays.read("sources apart", (count, width))
    fits = [
        SourceFit(of_mean, tuple(np.flatnonzero(some).tolist()), at[some], its[some])
        for of_mean, some, at, its in zip(
            read_fits(one_source, _FITS, count, used, arrays), taken, centre, apart, strict=True
        )
    ]
    measured = arrays.read("sources of training", (n, width - 1), unknown=True)
    return TrainedSources(facts.names, measured, fits[0], tuple(fits[1:]))


def read_closed_sources(facts: SourceFacts, d: int, arrays: StoredArrays) -> SourcesOnly:
    """Return the sources of one with coefficients only; raise DamagedContent where its parts do not fit each other."""
    width = len(facts.names)
    form, scores = facts.form, arrays.read("sources scores", (None,))
    if form is None or not all(math.isfinite(getattr(form, name)) for name in form.__slots__):
        raise DamagedContent(f"{SOURCES} lacks a number")
    if not scores.size or scores.min() < 0.0 or (np.diff(scores) < 0.0).any():
        raise DamagedContent("the scores of the intervals are not in order")
    return SourcesOnly(
        form,
        arrays.read("sources coefficients", (d,)),
        _taken(arrays, (width,)),
        arrays.read("sources apart", (width,)),
        scores,
    )


def _taken(arrays: StoredArrays, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    taken = arrays.whole_numbers("sources taken", shape, 1) > 0
    if not taken.any(axis=-1).all():
        raise DamagedContent("a fit takes none of the sources")
    return np.asarray(taken)
