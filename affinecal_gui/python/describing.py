"""Repeat units -> a data frame of the 190 force-field descriptors."""

from collections.abc import Iterable, Mapping
from typing import get_args

import pandas as pd

from affinecal_gui.python.arguments import one_of, whole_number
from affinecal_gui.python.cells import cell_text
from affinecal_gui.python.choosing import Errors
from affinecal_gui.python.sentences import as_value_errors, refuse
from affinecal_gui.study.describing.describing import FORCE_FIELD, blocks_of, describe_polymers
from affinecal_gui.tables.errors import shortened


def describe(
    smiles: "str | Iterable[str] | pd.Series[str]", *, errors: Errors = "report", processes: int = 0
) -> pd.DataFrame:
    """Compute the 190 force-field descriptors of repeat units.

    Parameters
    ----------
    smiles
        One repeat unit such as ``"*CC*"``, or a Series or other sequence of them. Copolymers are written as units and mole
        fractions, ``"*CC*|*CC(*)C|0.7|0.3"``.
    errors
        "report": a polymer that cannot be described has a row of nan, and its reason stands in ``attrs["failures"]``;
        "raise": ValueError says which cannot be described, and why.
    processes
        Worker processes that share the work; 0 does it in this one.

    Returns
    -------
    DataFrame
        (n, 190) dimensionless descriptors under their names, with the index of the Series. ``attrs["blocks"]`` has the
        columns of each block, ``attrs["units"]`` their units (all ""), ``attrs["failures"]`` the reason of each failure by
        its label.

    Raises
    ------
    ValueError
        A polymer cannot be described, and ``errors="raise"``.
    """
    one_of(errors, get_args(Errors), "errors")
    shared = whole_number(processes, "processes") or 0
    series = _series(smiles)
    texts = [cell_text(value, ".") for value in series]
    with as_value_errors():
        table = describe_polymers(texts, processes=shared)
    blocks = blocks_of(FORCE_FIELD)
    frame = pd.DataFrame(table.values.copy(), index=series.index, columns=list(blocks.columns))
    failures: dict[object, str] = {}
    sentences = []
    for label, text, problem in zip(series.index.tolist(), texts, table.problems, strict=True):
        reason = problem if text or not problem else "There is no repeat unit."
        if reason:
            failures[label] = f"{failures[label]} {reason}" if label in failures else reason
            sentences.append(f"Row {label}, “{shortened(text)}”: {reason}")
    if errors == "raise":
        refuse(sentences, 'Correct or leave out such rows, or ask for errors="report".')
    frame.attrs = {
        "units": dict.fromkeys(blocks.columns, ""),
        "blocks": {block.name: list(block.columns) for block in blocks.blocks},
        "failures": failures,
    }
    return frame


def _series(smiles: object) -> "pd.Series[str]":
    """Return repeat units as a Series; raise TypeError for what holds none, or holds them in several columns."""
    if isinstance(smiles, pd.Series):
        return smiles
    if isinstance(smiles, str):
        return pd.Series([smiles], dtype=object)
    if isinstance(smiles, pd.DataFrame | Mapping | bytes) or not isinstance(smiles, Iterable):
        raise TypeError(
            "smiles must be a repeat unit, or a Series or other sequence of them, such as the column of a data frame, not "
            f"{type(smiles).__name__}"
        )
    return pd.Series(list(smiles), dtype=object)
