"""Repeat units -> a data frame of the 190 force-field descriptors."""

from collections.abc import Iterable
from typing import get_args

import pandas as pd

from affinecal_gui.python.choosing import Errors, one_of
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
    if isinstance(smiles, str):
        smiles = [smiles]
    series = smiles if isinstance(smiles, pd.Series) else pd.Series(list(smiles), dtype=object)
    texts = ["" if value is None or value is pd.NA or value != value else str(value).strip() for value in series]
    with as_value_errors():
        table = describe_polymers(texts, processes=processes)
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
