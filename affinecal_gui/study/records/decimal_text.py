"""Many numbers as text at once: the shortest decimals that bring back the very same numbers.

``repr`` takes half a microsecond for each number and keeps every other thread waiting meanwhile; pyarrow takes a fifth of
that, and lets the others go on. It is a large package to import, so small tables are written by ``repr``.
"""

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

MANY = 50_000  # numbers: repr takes as long for them as pyarrow takes to be imported


def joined_rows(values: FloatArray, *, of_many: bool = False) -> list[bytes]:
    """Return the text of each row, a comma behind every number.

    Parameters
    ----------
    values
        (rows, columns); nan becomes an empty cell.
    of_many
        They are part of :data:`MANY` numbers or more.

    Examples
    --------
    >>> joined_rows(np.array([[1.0, -0.25], [np.nan, 1e-7]]))
    [b'1,-0.25,', b',1e-07,']
    """
    if not of_many:
        return [_plainly(row) for row in values.tolist()]
    import pyarrow  # type: ignore[import-untyped, unused-ignore]
    import pyarrow.compute as arrow  # type: ignore[import-untyped, unused-ignore]

    columns = [pyarrow.array(np.ascontiguousarray(column), from_pandas=True) for column in values.T]  # nan is missing
    texts = [arrow.fill_null(arrow.cast(column, pyarrow.string()), "") for column in columns]
    rows: list[bytes] = arrow.cast(arrow.binary_join_element_wise(*texts, "", ","), pyarrow.binary()).to_pylist()
    return rows


def _plainly(row: list[float]) -> bytes:
    return (",".join(map(repr, row)) + ",").replace(".0,", ",").replace("nan,", ",").encode()
