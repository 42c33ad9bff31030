"""Texts for an affine model: a table of embeddings and a table of counts, put together as an estimator takes them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_array, hstack

from affinecal_gui.errors import UserError


@dataclass(frozen=True, slots=True)
class TextFeatures:
    """What an estimator is given of texts, and what its columns are."""

    X: csr_array  # (n, p + d): embeddings, then counts
    y: Any  # (n,) scores or classes; None without a column of them
    md_column: tuple[int, ...]  # positions of the embeddings
    phrases: tuple[str, ...]  # (d,) headings of the counts
    index: pd.Index  # (n,) the texts, in the order of the table of embeddings


def text_features(
    embeddings: pd.DataFrame, counts: pd.DataFrame, *, id_column: str | None = None, target: str | None = None
) -> TextFeatures:
    """Put a table of embeddings and a table of counts of the same texts together.

    Parameters
    ----------
    embeddings
        A row for each text, columns of numbers, and the column ``target``.
    counts
        A row for each text, a column for each phrase; best with sparse columns, which stay sparse.
    id_column
        The column of both that names a text; None for the index.
    target
        The column of scores or classes, in either table.

    Raises
    ------
    UserError
        A column is missing or has something else than numbers, a text is there twice, or in one of the tables alone.
    """
    tables = {"embeddings": embeddings, "counts": counts}
    for name, table in tables.items():
        if id_column is not None:
            if id_column not in table.columns:
                raise UserError(f"The table of {name} has no column “{id_column}”, which should name the texts.")
            tables[name] = table.set_index(id_column)
        twice = tables[name].index[tables[name].index.duplicated()]
        if len(twice):
            raise UserError(f"The table of {name} has the text “{twice[0]}” more than once; leave one of its rows.")
    one, other = tables["embeddings"], tables["counts"]
    for first, second, name in ((one, other, "counts"), (other, one, "embeddings")):
        missing = first.index.difference(second.index)
        if len(missing):
            raise UserError(
                f"The table of {name} has no row for the text “{missing[0]}”"
                f"{f' and {len(missing) - 1} others' if len(missing) > 1 else ''}; add or leave out."
            )
    other = other.loc[one.index]
    y = None
    if target is not None:
        holders = [table for table in (one, other) if target in table.columns]
        if not holders:
            raise UserError(f"Neither table has the column “{target}”, which should hold what is predicted.")
        y = holders[0][target].to_numpy()
        if pd.isna(y).any():
            raise UserError(
                f"The text “{one.index[pd.isna(y)][0]}” has no value of “{target}”; add it or leave it out."
            )
        one, other = (table.drop(columns=target, errors="ignore") for table in (one, other))
    vectors = csr_array(_numbers(one, "embeddings").to_numpy(dtype=np.float64))
    numbers = _numbers(other, "counts")
    sparse = all(isinstance(kind, pd.SparseDtype) for kind in numbers.dtypes)
    accessor: Any = numbers.sparse if sparse else None
    tallies = csr_array(accessor.to_coo() if sparse else numbers.to_numpy(dtype=np.float64))
    X = csr_array(hstack([vectors, tallies], format="csr"))
    return TextFeatures(X, y, tuple(range(vectors.shape[1])), tuple(map(str, other.columns)), one.index)


def _numbers(table: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return a table whose columns are all numbers, none of them missing."""
    for column in table.columns:
        values = table[column]
        if not pd.api.types.is_numeric_dtype(values.dtype):
            raise UserError(f"The table of {name} has other things than numbers in the column “{column}”.")
        if values.isna().any():
            text = table.index[values.isna()][0]
            raise UserError(f"The table of {name} has no number for the text “{text}” in the column “{column}”.")
    return table
