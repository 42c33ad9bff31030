"""The sources from which the calibrators of several learn beside the MD value, and why a study has none."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.cross_validation.several_sources import SourceFeatures
from affinecal_gui.calibration.data.problem import FEWEST_POLYMERS
from affinecal_gui.calibration.names import capital
from affinecal_gui.calibration.results import FloatArray, ModelName
from affinecal_gui.errors import UserError
from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.study.data.md_by_source import MDBySource, md_by_source
from affinecal_gui.study.fitting.quantum import (
    CORRECTED,
    QuantumValues,
    missing_in_the_fit,
    refuse_incomplete,
    refuse_uncorrected,
)
from affinecal_gui.study.quantum_properties import ESTIMATED, is_corrected

IntArray = NDArray[np.int64]


def source_features(assembly: Assembly, quantum: QuantumValues | None, fitted: IntArray) -> SourceFeatures | None:
    """Return the sources beside the MD value; None without any.

    They are its corrected value, where that is more than an estimate, and the values of each source by itself, where MD
    values come from several and enough polymers of the fit have them.

    Parameters
    ----------
    assembly
        A study whose library has m polymers.
    quantum
        Their corrected MD values, where there are any.
    fitted
        (n,) positions of the polymers of the fit in the library, one for each row.
    """
    names: list[str] = []
    columns: list[FloatArray] = []
    of_whole_library = True
    if quantum is not None and assembly.quantity.key not in ESTIMATED:
        names.append(CORRECTED)
        columns.append(quantum.values)
        of_whole_library = quantum.of_whole_library
    by_source = md_by_source(assembly)
    weighed = None if by_source is None else _weighed(by_source, fitted)
    if weighed is not None:
        names += weighed.names
        columns += list(weighed.values.T)
    if not names:
        return None
    values = np.column_stack(columns)
    return SourceFeatures(tuple(names), values[fitted], values, of_whole_library)


def remarks_on_sources(assembly: Assembly, fitted: IntArray) -> tuple[str, ...]:
    """Say why sources are not weighed where they are only put together."""
    by_source = md_by_source(assembly)
    if by_source is None:
        return ()
    weighed = _weighed(by_source, fitted)
    if weighed is None:
        return _too_few_have_all(by_source, fitted)
    others = [name for name in by_source.names if name not in weighed.names]
    if not others:
        return ()
    what = "sources of their own" if len(others) > 1 else "a source of its own"
    return (
        f"MD values from {' and '.join(others)} are put together with the others, and not weighed as {what}: with "
        f"{'them' if len(others) > 1 else 'it'}, fewer than {FEWEST_POLYMERS} polymers of the fit have all sources.",
    )


def refuse_property(model: ModelName, assembly: Assembly) -> None:
    """Refuse a calibrator that rests on further data where no polymer can have any, before anything is described.

    Raises
    ------
    UserError
        The property knows no correction, and for a calibrator of several sources there is one MD table as well.
    """
    if calibrator(model).is_given:
        refuse_uncorrected(assembly.quantity)
    elif calibrator(model).one_source and not _may_have_sources(assembly):
        raise UserError(
            f"{capital(calibrator(model).name_in_sentence)} needs a source beside the MD value: a second MD "
            f"table, or a quantum-corrected value, which heat capacities (Cp, Cv) have. These tables have none for "
            f"{assembly.quantity.title.lower()}. Choose another calibrator."
        )


def refuse_unavailable(
    model: ModelName, assembly: Assembly, quantum: QuantumValues | None, fitted: Sequence[int]
) -> None:
    """Refuse a calibrator that rests on further data where too few polymers of the fit have these, before it is calibrated.

    The corrected MD values are compared with other calibrators where all polymers of the fit have one. Calibrators of several
    sources are fitted to those that have all, eight at least.

    Raises
    ------
    UserError
        The sentence says who lacks what.
    """
    if calibrator(model).is_given:
        refuse_incomplete(assembly.quantity, quantum, fitted)
    if not calibrator(model).one_source:
        return
    refuse_property(model, assembly)
    rows = np.asarray(fitted, dtype=np.int64)
    sources = source_features(assembly, quantum, rows)
    by_source = md_by_source(assembly)
    too_few = () if sources is not None or by_source is None else _too_few_have_all(by_source, rows)
    if sources is not None and (have := _with_every_source(sources.library, rows)) < FEWEST_POLYMERS:
        reason = "" if quantum is None else missing_in_the_fit(quantum, rows.tolist())
        too_few = (
            f"Calibrators of several sources take {FEWEST_POLYMERS} polymers of the fit that have all sources, and there are "
            f"{have}.",
            *([reason] if reason else []),
        )
    if too_few:
        raise UserError(" ".join([*too_few, "Choose another calibrator."]))


def _may_have_sources(assembly: Assembly) -> bool:
    corrected = is_corrected(assembly.quantity) and assembly.quantity.key not in ESTIMATED
    return corrected or md_by_source(assembly) is not None


def _with_every_source(values: FloatArray, fitted: IntArray) -> int:
    """Count the polymers of the fit that have values of all sources (m, s)."""
    return int(np.isfinite(values[np.unique(fitted)]).all(axis=1).sum())


def _weighed(by_source: MDBySource, fitted: IntArray) -> MDBySource | None:
    """Return the sources that enough polymers of the fit have together, without the least known ones; None without two."""
    known = np.isfinite(by_source.values[np.unique(fitted)])
    kept = list(range(len(by_source.names)))
    while len(kept) > 1 and known[:, kept].all(axis=1).sum() < FEWEST_POLYMERS:
        kept.remove(min(reversed(kept), key=lambda source: int(known[:, source].sum())))
    if len(kept) < 2:
        return None
    return MDBySource(tuple(by_source.names[source] for source in kept), by_source.values[:, kept])


def _too_few_have_all(by_source: MDBySource, fitted: IntArray) -> tuple[str, ...]:
    have = _with_every_source(by_source.values, fitted)
    if have >= FEWEST_POLYMERS:
        return ()
    return (
        f"MD values of several sources are put together, and not weighed as sources of their own: that takes "
        f"{FEWEST_POLYMERS} polymers of the fit that have all of them, and there are {have}.",
    )
