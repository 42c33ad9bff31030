"""What an estimator refuses, as the ValueError that scikit-learn and its users expect."""

from collections.abc import Iterator
from contextlib import contextmanager

from affinecal_gui.errors import UserError

_TIMES = frozenset("mM")
"""Kinds of numpy types: durations and dates."""


@contextmanager
def user_errors_as_value_errors() -> Iterator[None]:
    """Raise what the mathematics refuses, such as a penalty below zero, as scikit-learn and its users expect it."""
    try:
        yield
    except UserError as error:
        raise ValueError(str(error)) from None


def refuse_times(X: object, y: object = None) -> None:
    """Raise ValueError where a column or the target holds dates or durations, which would count as nanoseconds."""
    of_columns = zip(X.columns, X.dtypes, strict=True) if hasattr(X, "columns") and hasattr(X, "dtypes") else ()
    for column, dtype in of_columns:
        if getattr(dtype, "kind", "") in _TIMES:
            raise ValueError(f"X: the column {column!r} holds {dtype}, no numbers. Leave it out, or make it numbers.")
    for what, values in (("X", X), ("y", y)):
        dtype = getattr(values, "dtype", None)
        if getattr(dtype, "kind", "") in _TIMES:
            raise ValueError(f"{what} holds {dtype}, no numbers.")
